//! Laws: what holds for every policy and every call.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::format_push_string,
    clippy::format_collect,
    reason = "a test fails by panicking"
)]

mod formats;
mod found;
mod generate;
mod lists;
mod parts;

use std::fmt::Write as _;

use proptest::prelude::*;
use serde_json::{Value, json};
use tool_policy::{Answer, Call, Format, NoDisk, Policy, Surroundings, Verdict};

/// So many cases, or as many times that as `LAWS` says.
fn config(cases: u32) -> ProptestConfig {
    let times = std::env::var("LAWS").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let cases = cases * times;
    ProptestConfig {
        cases,
        failure_persistence: None,
        max_shrink_iters: 4_000,
        max_global_rejects: cases * 50,
        ..ProptestConfig::default()
    }
}

#[track_caller]
fn policy(rules: &[Value]) -> Policy {
    let text = json!({"version": 1, "rules": rules}).to_string();
    Policy::parse("policy.json", Format::Json, &text).unwrap_or_else(|e| panic!("{e}"))
}

#[track_caller]
fn parsed(call: &Value) -> Call {
    Call::from_json(call.clone()).unwrap_or_else(|e| panic!("{e}: {call}"))
}

fn surroundings() -> Surroundings<'static> {
    Surroundings { made_up_fs: true, ..Surroundings::new(&NoDisk) }
}

#[track_caller]
fn judge(policy: &Policy, call: &Value) -> Verdict {
    policy.evaluate(&parsed(call), &surroundings())
}

fn strictness(verdict: &Verdict) -> u8 {
    match verdict.verdict {
        Answer::Allow => 0,
        Answer::Ask => 1,
        Answer::Deny => 2,
    }
}

/// For the message of a law that does not hold.
fn told(rules: &[Value], calls: &[(&Value, &Verdict)]) -> String {
    let mut out = String::new();
    for rule in rules {
        let _ = writeln!(out, "  {rule}");
    }
    for (call, verdict) in calls {
        let by = verdict.decided_by.as_ref().map(|by| by.rule.clone());
        let _ = writeln!(
            out,
            "{call}\n  -> {} ({}) by {by:?}, parts {:?}",
            verdict.verdict.name(),
            verdict.cause.name(),
            verdict.parts
        );
    }
    out
}
