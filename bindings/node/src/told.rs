//! What is told of a call: the verdict and each rule that was asked.

use std::sync::Arc;

use serde::Serialize;
use tool_policy::{Call, Explanation, Outcome, RuleRef, Step, Verdict};

/// A verdict with the walk that led to it.
#[derive(Serialize)]
pub(crate) struct Told {
    call: Option<String>,
    verdict: Verdict,
    steps: Vec<Asked>,
    parts: Vec<Part>,
}

/// A rule that was asked.
#[derive(Serialize)]
struct Asked {
    rule: Arc<RuleRef>,
    outcome: &'static str,
    why: String,
    /// The numbers of the parts that it decided about, from 1.
    parts: Vec<usize>,
}

/// A part of the call.
#[derive(Serialize)]
struct Part {
    kind: &'static str,
    text: String,
}

impl Told {
    pub(crate) fn new(call: &Call, explained: Explanation, seen: impl FnOnce(Verdict) -> Verdict) -> Self {
        let parts = explained.facts.iter().flat_map(|facts| &facts.parts);
        Self {
            call: Some(call.shown()),
            parts: parts.map(|part| Part { kind: part.kind.name(), text: part.text.clone() }).collect(),
            verdict: seen(explained.verdict),
            steps: explained.steps.into_iter().map(Asked::of).collect(),
        }
    }

    /// Of what is no call, there is only the denial.
    pub(crate) fn refused(verdict: Verdict) -> Self {
        Self { call: None, verdict, steps: Vec::new(), parts: Vec::new() }
    }
}

impl Asked {
    fn of(step: Step) -> Self {
        let outcome = match step.outcome {
            Outcome::NoMatch => "no_match",
            Outcome::Possible => "possible",
            Outcome::Match => "match",
        };
        Self { rule: step.rule, outcome, why: step.why, parts: step.parts.iter().map(|i| i + 1).collect() }
    }
}
