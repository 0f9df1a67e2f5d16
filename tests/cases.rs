//! Cases with right answers: faults that people reported about agents' permission systems, and facts from other engines.
//!
//! `cargo test --test cases -- --nocapture` prints the agreement by kind.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::format_push_string,
    reason = "a test fails by panicking"
)]

use std::collections::BTreeMap;

use serde_json::Value;
use tool_policy::{Answer, Call, Format, NoDisk, Policy, Surroundings};

/// Cases that are held to be wrong, with the reason; none may be allowed that should not.
const DISPUTED: &[(&str, &str)] = &[];

#[derive(Default)]
struct Tally {
    agree: usize,
    wrong_allow: usize,
    over_block: usize,
    other: usize,
}

fn run(name: &str, text: &str) {
    let mut kinds: BTreeMap<String, Tally> = BTreeMap::new();
    let mut wrong = Vec::new();
    let mut policies: BTreeMap<String, Policy> = BTreeMap::new();
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).unwrap();
        let written = case["policy"].to_string();
        let policy = policies.entry(written.clone()).or_insert_with(|| {
            Policy::parse("policy.json", Format::Json, &written)
                .unwrap_or_else(|e| panic!("{}: {e}", case["id"]))
        });
        let call = Call::from_json(case["call"].clone()).unwrap_or_else(|e| panic!("{}: {e}", case["id"]));
        let surroundings = Surroundings { made_up_fs: true, ..Surroundings::new(&NoDisk) };
        let verdict = policy.evaluate(&call, &surroundings);
        let got = verdict.verdict.name();
        let expected = case["expect"].as_str().unwrap();
        let accepted =
            got == expected || case["accept"].as_array().is_some_and(|a| a.iter().any(|x| x == got));
        let tally = kinds.entry(case["kind"].as_str().unwrap_or("-").to_owned()).or_default();
        match verdict.verdict {
            _ if accepted => tally.agree += 1,
            Answer::Allow => tally.wrong_allow += 1,
            Answer::Deny | Answer::Ask if expected == "allow" => tally.over_block += 1,
            Answer::Deny | Answer::Ask => tally.other += 1,
        }
        let id = case["id"].as_str().unwrap();
        if !accepted && !DISPUTED.iter().any(|(disputed, _)| *disputed == id) {
            wrong.push(format!(
                "{id}: expected {expected}, got {got}: {} ({})",
                case["call"]["args"], case["why"]
            ));
        }
    }
    println!(
        "{name:24} {:>6} {:>6} {:>11} {:>10} {:>6}",
        "cases", "agree", "wrong-allow", "over-block", "other"
    );
    for (kind, t) in &kinds {
        let all = t.agree + t.wrong_allow + t.over_block + t.other;
        println!(
            "{kind:24} {all:>6} {:>6} {:>11} {:>10} {:>6}",
            t.agree, t.wrong_allow, t.over_block, t.other
        );
    }
    assert_eq!(
        kinds.values().map(|t| t.wrong_allow).sum::<usize>(),
        0,
        "allowed, and should not have been: {wrong:#?}"
    );
    assert!(wrong.is_empty(), "{} differ: {wrong:#?}", wrong.len());
}

#[test]
fn faults_that_people_reported() {
    run("reports", include_str!("corpora/reports.jsonl"));
}

#[test]
fn facts_from_other_engines() {
    run("peers", include_str!("corpora/peers.jsonl"));
}

#[test]
fn attempts_to_get_around_rules() {
    run("attacks", include_str!("corpora/attacks.jsonl"));
}
