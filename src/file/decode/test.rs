//! A test of the policy.

use super::fields::Fields;
use super::scalar::{list, text, word};
use super::{Decoder, Kind, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::file::tree::Entry;
use crate::file::types::{Expect, ExpectedOutcome, List, TestCalls, TestFile};

/// Reads one test.
pub(super) fn test(d: &mut Decoder<'_>, node: &Node) -> Option<TestFile> {
    let mut f = d.fields(node, "a test")?;
    let calls = calls(d, node, &mut f);
    let expect = match &calls {
        Some((_, TestCalls::Turn(turn))) => f.need(d, "expect", |d, n| outcomes(d, n, turn.len())),
        Some((_, TestCalls::One(_) | TestCalls::Each(_))) => f.need(d, "expect", verdict),
        None => {
            f.entry("expect");
            None
        }
    };
    if let Some((entry, calls)) = &calls {
        let turn = matches!(calls, TestCalls::Turn(_));
        let others: &[&str] = if turn { &["cause", "question", "updated_args"] } else { &["answers"] };
        for other in f.left().iter().filter(|e| others.contains(&e.key.as_str())) {
            let message = format!("`{}` does not go with `{}`", other.key.value, entry.key.value);
            let help = if turn {
                "it is said of one call: use `call` or `each`"
            } else {
                "people answer in a turn: use `calls`"
            };
            let finding = Diagnostic::error(Code::E0503, message).at(other.key.span, "");
            d.tell(finding.also(entry.key.span, "the form of the test").help(help));
        }
    }
    let name = f.take(d, "name", text);
    let by = f.take(d, "by", text);
    let reason = f.take(d, "reason", text);
    let cause = f.take(d, "cause", word);
    let question = f.take(d, "question", text);
    let updated_args = f.take(d, "updated_args", table);
    let answers = f.take(d, "answers", |d, n| list(d, n, "answers", word));
    f.finish(d);
    let (_, calls) = calls?;
    Some(TestFile {
        calls,
        expect: expect?,
        name,
        by,
        reason,
        cause,
        question,
        updated_args,
        answers,
        span: node.span,
    })
}

/// What is tested: one of three keys.
fn calls<'n>(d: &mut Decoder<'_>, node: &Node, f: &mut Fields<'n>) -> Option<(&'n Entry, TestCalls)> {
    let all = ["call", "each", "calls"].map(|key| f.entry(key));
    let mut there = all.into_iter().flatten();
    let Some(entry) = there.next() else {
        let finding = Diagnostic::error(Code::E0501, "this test has no call").at(node.span, "tests nothing");
        d.tell(
            finding.help("write `call`, one call; `each`, calls with one expectation; or `calls`, a turn"),
        );
        return None;
    };
    if let Some(second) = there.next() {
        let message = format!("this test has both `{}` and `{}`", entry.key.value, second.key.value);
        let finding = Diagnostic::error(Code::E0501, message).at(second.key.span, "a second form");
        d.tell(finding.also(entry.key.span, "the first form").help("write two tests"));
        return None;
    }
    let calls = d.under(&entry.key, |d| match entry.key.as_str() {
        "call" => table(d, &entry.value).map(TestCalls::One),
        "each" => several(d, &entry.value).map(TestCalls::Each),
        _ => several(d, &entry.value).map(TestCalls::Turn),
    })?;
    Some((entry, calls))
}

fn several(d: &mut Decoder<'_>, node: &Node) -> Option<List<Node>> {
    let calls = list(d, node, "calls", table)?;
    if matches!(&node.kind, Kind::List(items) if items.is_empty()) {
        let finding =
            Diagnostic::error(Code::E0501, format!("{} is empty", d.key)).at(node.span, "tests nothing");
        d.tell(finding.help("write at least one call"));
        return None;
    }
    Some(calls)
}

fn table(d: &mut Decoder<'_>, node: &Node) -> Option<Node> {
    d.entries(node, "a table").map(|_| node.clone())
}

fn verdict(d: &mut Decoder<'_>, node: &Node) -> Option<Expect> {
    if matches!(node.kind, Kind::List(_)) {
        let finding =
            Diagnostic::error(Code::E0502, "a list is expected of single calls").at(node.span, "a list");
        d.tell(finding.help("write `\"allow\"`, `\"deny\"` or `\"ask\"`; a turn is written with `calls`"));
        return None;
    }
    word(d, node).map(Expect::Verdict)
}

fn outcomes(d: &mut Decoder<'_>, node: &Node, calls: usize) -> Option<Expect> {
    let help = "write what becomes of each call, such as `[\"run\", \"denied\", \"cancelled\"]`";
    if matches!(node.kind, Kind::Str(_)) {
        let finding = Diagnostic::error(Code::E0502, "one word is expected of a whole turn")
            .at(node.span, "not a list");
        d.tell(finding.help(help));
        return None;
    }
    let outcomes: List<_> = list(d, node, "outcomes", word::<ExpectedOutcome>)?;
    let written = if let Kind::List(items) = &node.kind { items.len() } else { 0 };
    if written != calls {
        let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
        let message = format!("{} for {}", count(written, "outcome"), count(calls, "call"));
        d.tell(Diagnostic::error(Code::E0502, message).at(node.span, "one outcome for each call").help(help));
        return None;
    }
    Some(Expect::Turn(outcomes))
}
