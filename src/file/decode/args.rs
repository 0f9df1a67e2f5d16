//! Tests of arguments: values and operators.

use super::guess::guess;
use super::names::parse_arg_path;
use super::scalar::{flag, list, number, one_or_many, patterns, text, word};
use super::{Decoder, Kind, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::file::tree::Entry;
use crate::file::types::{ArgTest, ValueTest};
use crate::source::Spanned;

const OPERATORS: [&str; 10] = [
    "equals",
    "one_of",
    "glob",
    "regex",
    "contains",
    "starts_with",
    "less_than",
    "greater_than",
    "exists",
    "type",
];

/// The arguments of a call, each with what it must be.
pub(super) fn args(d: &mut Decoder<'_>, node: &Node) -> Option<Vec<ArgTest>> {
    let entries = d.entries(node, "a table of arguments")?;
    if entries.is_empty() {
        d.empty(node, "leave the key out");
        return None;
    }
    let mut tests = Vec::new();
    for entry in entries {
        let path = parse_arg_path(d, &entry.key, entry.key.span);
        let test = d.under(&entry.key, |d| value_test(d, &entry.value));
        if let (Some(path), Some(test)) = (path, test) {
            tests.push(ArgTest { path, test });
        }
    }
    Some(tests)
}

/// A value, a list of values of which one must be it, or operators.
pub(super) fn value_test(d: &mut Decoder<'_>, node: &Node) -> Option<ValueTest> {
    let bare = ValueTest { span: node.span, ..ValueTest::default() };
    match &node.kind {
        Kind::Map(entries) => operators(d, node, entries),
        Kind::List(items) => Some(ValueTest { one_of: Some(Spanned::new(items.clone(), node.span)), ..bare }),
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) => {
            Some(ValueTest { equals: Some(node.clone()), ..bare })
        }
    }
}

fn operators(d: &mut Decoder<'_>, node: &Node, entries: &[Entry]) -> Option<ValueTest> {
    if entries.is_empty() {
        let written = d.table("exists", "true");
        d.empty(node, &format!("write an operator, such as `{written}`"));
        return None;
    }
    let unknown: Vec<_> = entries.iter().filter(|e| !OPERATORS.contains(&e.key.as_str())).collect();
    if !unknown.is_empty() {
        for entry in unknown {
            d.not_an_operator(entry);
        }
        return None;
    }
    let any = |_: &mut Decoder<'_>, n: &Node| Some(n.clone());
    let mut f = d.fields(node, "a test of a value")?;
    let test = ValueTest {
        span: node.span,
        equals: f.take(d, "equals", any),
        one_of: f.take(d, "one_of", |d, n| list(d, n, "values", any)),
        glob: f.take(d, "glob", patterns),
        regex: f.take(d, "regex", patterns),
        contains: f.take(d, "contains", |d, n| one_or_many(d, n, any)),
        starts_with: f.take(d, "starts_with", |d, n| one_or_many(d, n, text)),
        less_than: f.take(d, "less_than", number),
        greater_than: f.take(d, "greater_than", number),
        exists: f.take(d, "exists", flag),
        type_name: f.take(d, "type", |d, n| one_or_many(d, n, word)),
    };
    f.finish(d);
    if let Some(exists) = &test.exists
        && !exists.value
        && entries.len() > 1
    {
        let finding =
            Diagnostic::error(Code::E0403, "an argument that is not there cannot pass another test");
        d.tell(
            finding
                .at(exists.span, "must not be there")
                .also(node.span, "must also be this")
                .help("keep one of them"),
        );
    }
    Some(test)
}

impl Decoder<'_> {
    fn not_an_operator(&mut self, entry: &Entry) {
        let (key, span) = (entry.key.as_str(), entry.key.span);
        let argument = self.key.trim_matches('`').to_owned();
        let finding = Diagnostic::error(Code::E0402, format!("`{key}` is not an operator"));
        let finding = finding.at(span, format!("in the table of `{argument}` stand operators"));
        let finding = match guess(key, OPERATORS) {
            Some(meant) => {
                finding.suggest(format!("did you mean `{meant}`?"), span, self.as_key(span, meant))
            }
            None => finding,
        };
        let nested = format!("\"{argument}.{key}\"");
        let table = self.table("equals", "…");
        self.tell(
            finding
                .help(format!("the argument `{key}` within `{argument}` is written `args.{nested}`; a whole table is `{table}`"))
                .note(format!("operators: {}", OPERATORS.join(", "))),
        );
    }
}
