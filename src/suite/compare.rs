//! What a verdict has against what a test expects of it.

use serde_json::Value;

use super::Bench;
use super::case::short;
use crate::call::Call;
use crate::diagnostic::{Code, Diagnostic};
use crate::file::{Expect, ExpectedCause, ExpectedVerdict, Node, TestFile};
use crate::interpreter::Outcome;
use crate::source::{Span, Spanned};
use crate::verdict::{Answer, Verdict};

/// How many rules that came near are named.
const MAX_NEAR: usize = 3;

/// What is expected of one call.
pub(super) struct Expected<'a> {
    verdict: Option<&'a Spanned<ExpectedVerdict>>,
    by: Option<&'a Spanned<String>>,
    reason: Option<&'a Spanned<String>>,
    cause: Option<&'a Spanned<ExpectedCause>>,
    question: Option<&'a Spanned<String>>,
    updated_args: Option<&'a Node>,
}

impl<'a> Expected<'a> {
    pub(super) fn of(test: &'a TestFile) -> Self {
        Self {
            verdict: match &test.expect {
                Expect::Verdict(verdict) => Some(verdict),
                Expect::Turn(_) => None,
            },
            by: test.by.as_ref(),
            reason: test.reason.as_ref(),
            cause: test.cause.as_ref(),
            question: test.question.as_ref(),
            updated_args: test.updated_args.as_ref(),
        }
    }
}

/// Everything in which the verdict is not what is expected. `at` is where the call is written.
pub(super) fn compare(
    bench: &Bench<'_>,
    expected: &Expected<'_>,
    call: &Call,
    verdict: &Verdict,
    at: Span,
) -> Vec<Diagnostic> {
    let mut problems = Vec::new();
    let mut differs = |what: &str, wanted: &str, got: &str, span: Span| {
        let message = format!("{what}expected `{wanted}`, got {got}, {}", decided(verdict));
        let finding =
            Diagnostic::error(Code::E0601, message).at(bench.place(span), format!("expected `{wanted}`"));
        problems.push(told(bench, finding, call, verdict, at));
    };
    if let Some(wanted) = expected.verdict {
        let got = verdict.verdict.name();
        if wanted.as_str() != got {
            differs("", wanted.as_str(), &format!("`{got}`"), wanted.span);
        }
    }
    let texts = [
        ("reason: ", expected.reason, verdict.reason.as_deref()),
        ("question: ", expected.question, verdict.question.as_deref()),
    ];
    for (what, wanted, got) in texts {
        if let Some(wanted) = wanted.filter(|wanted| Some(wanted.as_str()) != got) {
            let got = got.map_or_else(|| "none".to_owned(), |got| format!("`{got}`"));
            differs(what, &wanted.value, &got, wanted.span);
        }
    }
    if let Some(wanted) = expected.cause.filter(|wanted| wanted.as_str() != verdict.cause.name()) {
        differs("cause: ", wanted.as_str(), &format!("`{}`", verdict.cause.name()), wanted.span);
    }
    if let Some(node) = expected.updated_args {
        let (wanted, got) = (node.to_json(), verdict.updated_args.clone().map(Value::Object));
        if got.as_ref() != Some(&wanted) {
            let got = got.map_or_else(|| "none".to_owned(), |got| format!("`{got}`"));
            differs("updated_args: ", &wanted.to_string(), &got, node.span);
        }
    }
    if let Some(wanted) = expected.by {
        match unknown_rule(bench, wanted) {
            Some(problem) => problems.push(problem),
            None if verdict.decided_by.as_ref().map(|by| by.rule.as_str()) != Some(&wanted.value) => {
                let message = format!("expected rule `{}` to decide; {}", wanted.value, decided(verdict));
                let finding = Diagnostic::error(Code::E0601, message)
                    .at(bench.place(wanted.span), "did not decide this call");
                problems.push(told(bench, finding, call, verdict, at));
            }
            None => {}
        }
    }
    problems
}

/// `by` names a rule that the list does not have.
pub(super) fn unknown_rule(bench: &Bench<'_>, by: &Spanned<String>) -> Option<Diagnostic> {
    let ids = || bench.policy.rules().iter().map(|rule| rule.me.rule.as_str());
    if ids().any(|id| id == by.value) {
        return None;
    }
    let finding = Diagnostic::error(Code::E0604, format!("no rule has the id `{}`", by.value))
        .at(bench.place(by.span), "not the id of a rule");
    let near = ids()
        .map(|id| (strsim::damerau_levenshtein(id, &by.value), id))
        .filter(|(distance, id)| *distance <= id.len() / 3)
        .min();
    Some(match near {
        Some((_, id)) => finding.suggest(
            format!("did you mean `{id}`?"),
            bench.place(by.span),
            quoted(bench, bench.place(by.span), id),
        ),
        None => finding.help("a rule without an `id` is `rule-N`, its place in the list counted from 1"),
    })
}

/// `text` in the quotes that stand at `span`.
fn quoted(bench: &Bench<'_>, span: Span, text: &str) -> String {
    match bench.sources.text(span).chars().next() {
        Some(quote @ ('"' | '\'')) => format!("{quote}{text}{quote}"),
        Some(_) | None => text.to_owned(),
    }
}

/// Who decided, with the place.
pub(super) fn decided(verdict: &Verdict) -> String {
    match &verdict.decided_by {
        Some(by) => match (&by.file, by.line) {
            (Some(file), Some(line)) => format!("decided by rule `{}` at {file}:{line}", by.rule),
            _ => format!("decided by rule `{}`", by.rule),
        },
        None => "decided by no rule".to_owned(),
    }
}

/// Adds what helps to see why: the call, the rule that decided, and what came near.
pub(super) fn told(
    bench: &Bench<'_>,
    finding: Diagnostic,
    call: &Call,
    verdict: &Verdict,
    at: Span,
) -> Diagnostic {
    let mut finding = finding.also(short(bench, at), "for this call");
    if let Some(rule) = verdict.decided_by.as_ref().and_then(|by| bench.rule_span(by)) {
        finding = finding.also(short(bench, rule), "this rule decided");
    }
    if let Some(reason) = &verdict.reason {
        finding = finding.note(format!("the reason given: {reason}"));
    }
    if let Some(doubt) = &verdict.not_ruled_out {
        finding = finding.note(format!("it could not be ruled out that rule `{}` denies it", doubt.rule));
    }
    for part in verdict.parts.iter().filter(|part| part.decided_by.is_none()) {
        let why = part.note.as_ref().map(|note| format!(": {note}")).unwrap_or_default();
        finding = finding.note(format!("{} `{}` is decided by no rule{why}", part.kind, part.text));
    }
    if verdict.verdict == Answer::Deny && verdict.decided_by.is_none() {
        for note in near(bench, call) {
            finding = finding.note(note);
        }
    }
    finding
}

/// The rules that speak of the tool by name and still did not decide, with the reason.
fn near(bench: &Bench<'_>, call: &Call) -> Vec<String> {
    let name = call.name();
    let steps = bench.policy.explain(call, &bench.surroundings).steps;
    let speaks = |index: usize| {
        let rule = bench.policy.rules().get(index);
        rule.and_then(|rule| rule.names()).is_none_or(|names| names.iter().any(|n| n.matches(&name)))
    };
    steps
        .iter()
        .filter(|step| step.outcome == Outcome::NoMatch && speaks(step.rule.index))
        .take(MAX_NEAR)
        .map(|step| format!("rule `{}` did not decide: {}", step.rule.rule, step.why))
        .collect()
}
