//! A test of one turn, people included.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use super::case::{call, decision, short};
use super::compare::unknown_rule;
use super::{Bench, CaseReport, Decision};
use crate::call::Call;
use crate::diagnostic::{Code, Diagnostic};
use crate::file::{Answer, Expect, List, Node, TestFile};
use crate::turn::{AskError, CallOutcome, Human, Question, Run, TurnOutcome};
use crate::verdict::Reply;

/// Answers as a test gives them, in order. When they are used up, nobody is there.
#[derive(Default)]
struct Answers(Mutex<VecDeque<Answer>>);

impl Answers {
    fn left(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).len()
    }
}

/// The answers, kept by the test that counts what is left of them.
struct Answering(std::sync::Arc<Answers>);

impl Human for Answering {
    fn ask(&self, _question: &Question) -> Result<Reply, AskError> {
        let next = self.0.0.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        match next {
            Some(Answer::Yes) => Ok(Reply::Yes),
            Some(Answer::No) => Ok(Reply::No),
            Some(Answer::Timeout) => Ok(Reply::Timeout),
            Some(Answer::NoHuman) | None => Err(AskError::Nobody),
        }
    }
}

pub(super) fn run(bench: &Bench<'_>, test: &TestFile, nodes: &List<Node>, name: String) -> CaseReport {
    let wanted: Vec<&str> = match &test.expect {
        Expect::Turn(outcomes) => outcomes.iter().map(|o| o.value.as_str()).collect(),
        Expect::Verdict(verdict) => vec![verdict.value.as_str()],
    };
    let mut report = CaseReport {
        name,
        span: bench.place(test.span),
        passed: false,
        expected: listed(&wanted),
        got: String::new(),
        decided_by: None,
        problems: Vec::new(),
        decisions: Vec::new(),
    };
    let mut calls = Vec::new();
    for node in nodes.iter() {
        match call(bench, node) {
            Ok(call) => calls.push(call),
            Err(problem) => report.problems.push(*problem),
        }
    }
    if !report.problems.is_empty() {
        "no verdict".clone_into(&mut report.got);
        return report;
    }
    let answers = test.answers.iter().flat_map(|list| list.iter()).map(|answer| answer.value).collect();
    let answers = std::sync::Arc::new(Answers(Mutex::new(answers)));
    let outcome = Run::new(bench.policy.clone(), Answering(std::sync::Arc::clone(&answers)))
        .decide(&calls, &bench.surroundings);
    report.got = listed(&outcome.outcomes.iter().map(|o| o.outcome.name()).collect::<Vec<_>>());
    report.decided_by = outcome.outcomes.iter().rev().find_map(|o| o.decided_by.clone());
    report.decisions =
        calls.iter().zip(&outcome.outcomes).map(|(call, outcome)| decided(bench, call, outcome)).collect();
    report.problems = compare(bench, test, nodes, &outcome);
    if answers.left() > 0 {
        report.problems.extend(unasked(bench, test, &outcome, answers.left()));
    }
    report.passed = report.problems.is_empty();
    report
}

fn listed(outcomes: &[&str]) -> String {
    format!("[{}]", outcomes.join(", "))
}

/// A cancelled call has lost its verdict; what is left is the rule that stopped the turn, which did not decide it.
fn decided(bench: &Bench<'_>, call: &Call, outcome: &CallOutcome) -> Decision {
    match &outcome.verdict {
        Some(verdict) => decision(bench, call, verdict),
        None => Decision {
            names: [call.name().into_owned(), call.tool.clone()],
            rules: Vec::new(),
            patterns: Vec::new(),
        },
    }
}

fn compare(bench: &Bench<'_>, test: &TestFile, nodes: &List<Node>, turn: &TurnOutcome) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    if let Expect::Turn(wanted) = &test.expect {
        for (number, ((wanted, got), node)) in wanted.iter().zip(&turn.outcomes).zip(nodes.iter()).enumerate()
        {
            if wanted.as_str() == got.outcome.name() {
                continue;
            }
            let by = got.decided_by.as_ref();
            let who = by.map_or_else(
                || "no rule".to_owned(),
                |by| match (&by.file, by.line) {
                    (Some(file), Some(line)) => format!("rule `{}` at {file}:{line}", by.rule),
                    _ => format!("rule `{}`", by.rule),
                },
            );
            let message = format!(
                "call {}: expected `{}`, got `{}`, decided by {who}",
                number + 1,
                wanted.value,
                got.outcome.name()
            );
            let mut finding = Diagnostic::error(Code::E0601, message)
                .at(bench.place(wanted.span), format!("expected `{}`", wanted.value))
                .also(short(bench, bench.place(node.span)), "for this call");
            if let Some(rule) = by.and_then(|by| bench.rule_span(by)) {
                finding = finding.also(short(bench, rule), "this rule decided");
            }
            if let Some(reason) = &got.reason {
                finding = finding.note(format!("the reason given: {reason}"));
            }
            problems.push(finding);
        }
    }
    if let Some(by) = &test.by {
        let decided = |o: &CallOutcome| o.decided_by.as_ref().is_some_and(|rule| rule.rule == by.value);
        match unknown_rule(bench, by) {
            Some(problem) => problems.push(problem),
            None if !turn.outcomes.iter().any(decided) => problems.push(
                Diagnostic::error(Code::E0601, format!("rule `{}` decided no call of this turn", by.value))
                    .at(bench.place(by.span), "expected to decide"),
            ),
            None => {}
        }
    }
    if let Some(reason) = &test.reason
        && !turn.outcomes.iter().any(|o| o.reason.as_deref() == Some(reason.as_str()))
    {
        let given: Vec<_> = turn.outcomes.iter().filter_map(|o| o.reason.as_deref()).collect();
        let mut finding =
            Diagnostic::error(Code::E0601, format!("no call of this turn has the reason `{}`", reason.value))
                .at(bench.place(reason.span), "expected reason");
        for given in given {
            finding = finding.note(format!("a reason given: {given}"));
        }
        problems.push(finding);
    }
    problems
}

/// The test has answers to questions that nobody asked.
fn unasked(bench: &Bench<'_>, test: &TestFile, turn: &TurnOutcome, left: usize) -> Option<Diagnostic> {
    let answers = test.answers.as_ref()?;
    let asked = turn.answers.len();
    let message = format!(
        "{left} of {} answers answer nothing: {asked} {} asked",
        answers.len(),
        match asked {
            1 => "question was",
            _ => "questions were",
        }
    );
    Some(
        Diagnostic::error(Code::E0601, message)
            .at(bench.place(answers.span), "more answers than questions")
            .help("leave the others out, or let a rule ask"),
    )
}
