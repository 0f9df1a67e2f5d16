//! One test: its calls judged, and the verdicts compared with what is expected.

use super::compare::{Expected, compare};
use super::{Bench, CaseReport, Decision, turn};
use crate::call::Call;
use crate::diagnostic::{Code, Diagnostic};
use crate::file::{Expect, Node, TestCalls, TestFile};
use crate::source::Span;
use crate::verdict::Verdict;

/// A longer call is cut in the name of a test.
const MAX_SHOWN: usize = 80;

/// Runs a test: one case, or one for each call of `each`. A case that the filter does not want is not run.
pub(super) fn run(
    bench: &Bench<'_>,
    test: &TestFile,
    number: usize,
    filter: Option<&str>,
) -> Vec<CaseReport> {
    let wanted = |name: &str| filter.is_none_or(|filter| name.contains(filter));
    match &test.calls {
        TestCalls::One(call) => {
            let name = test.name.as_ref().map_or_else(|| shown(call, test), |name| name.value.clone());
            wanted(&name).then(|| single(bench, test, call, name)).into_iter().collect()
        }
        TestCalls::Each(calls) => calls
            .iter()
            .map(|call| {
                let shown = shown(call, test);
                let name =
                    test.name.as_ref().map_or(shown.clone(), |name| format!("{}: {shown}", name.value));
                (name, call)
            })
            .filter(|(name, _)| wanted(name))
            .map(|(name, call)| single(bench, test, call, name))
            .collect(),
        TestCalls::Turn(calls) => {
            let count = calls.len();
            let name = test.name.as_ref().map_or_else(
                || format!("test {number}, a turn of {count} call{}", if count == 1 { "" } else { "s" }),
                |name| name.value.clone(),
            );
            wanted(&name).then(|| turn::run(bench, test, calls, name)).into_iter().collect()
        }
    }
}

/// The name of a test that has none: what is expected of which call.
fn shown(node: &Node, test: &TestFile) -> String {
    let call = Call::from_json(node.to_json()).map_or_else(|_| "a call".to_owned(), |call| call.shown());
    let mut short: String = call.chars().take(MAX_SHOWN).collect();
    if short.len() < call.len() {
        short.push('…');
    }
    match &test.expect {
        Expect::Verdict(verdict) => format!("{} {short}", verdict.value),
        Expect::Turn(_) => short,
    }
}

fn single(bench: &Bench<'_>, test: &TestFile, node: &Node, name: String) -> CaseReport {
    let expected = match &test.expect {
        Expect::Verdict(verdict) => verdict.value.as_str(),
        Expect::Turn(_) => "",
    };
    let mut report = CaseReport {
        name,
        span: bench.place(test.span),
        passed: false,
        expected: expected.to_owned(),
        got: String::new(),
        decided_by: None,
        problems: Vec::new(),
        decisions: Vec::new(),
    };
    let call = match call(bench, node) {
        Ok(call) => call,
        Err(problem) => {
            "no verdict".clone_into(&mut report.got);
            report.problems.push(*problem);
            return report;
        }
    };
    let verdict = bench.policy.evaluate(&call, &bench.surroundings);
    verdict.verdict.name().clone_into(&mut report.got);
    report.decided_by.clone_from(&verdict.decided_by);
    report.decisions.push(decision(bench, &call, &verdict));
    report.problems = compare(bench, &Expected::of(test), &call, &verdict, bench.place(node.span));
    report.passed = report.problems.is_empty();
    report
}

/// Reads the call of a test.
pub(super) fn call(bench: &Bench<'_>, node: &Node) -> Result<Call, Box<Diagnostic>> {
    Call::from_json(node.to_json()).map_err(|e| {
        Box::new(
            Diagnostic::error(Code::E0602, format!("this is not a call: {}", e.message))
                .at(short(bench, bench.place(node.span)), "the call of this test")
                .help("write a call such as `{ tool = \"Bash\", args = { command = \"ls\" } }`"),
        )
    })
}

/// Which rules decided about a call: the one that did, and those that cover its parts.
pub(super) fn decision(bench: &Bench<'_>, call: &Call, verdict: &Verdict) -> Decision {
    let parts = verdict.parts.iter().filter_map(|part| part.decided_by.clone());
    let rules = verdict.decided_by.iter().map(|by| by.rule.clone()).chain(parts).collect();
    let mut decision =
        Decision { names: [call.name().into_owned(), call.tool.clone()], rules, patterns: Vec::new() };
    for (index, rule) in
        bench.policy.rules().iter().enumerate().filter(|(_, r)| decision.rules.contains(&r.me.rule))
    {
        let reached = bench.policy.reached(index, call, &bench.surroundings);
        decision.patterns.extend(reached.into_iter().map(|(key, text)| (rule.me.rule.clone(), key, text)));
    }
    decision
}

/// The span, or its first line where it has several.
pub(super) fn short(bench: &Bench<'_>, span: Span) -> Span {
    let text = bench.sources.text(span);
    let first = text.lines().next().map_or(0, str::len);
    Span::new(span.source, span.start as usize..span.start as usize + first)
}
