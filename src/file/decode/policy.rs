//! The top of a file.

use super::scalar::{list, said, text, word};
use super::{Decoder, Format, Kind, Node, rule, test, tool};
use crate::diagnostic::{Code, Diagnostic};
use crate::file::types::{List, PolicyFile, Table, TestsFile, UndecidedFile};
use crate::source::{SourceId, Span, Spanned};

/// The version of the format that this reads.
const VERSION: u32 = 1;

/// Reads a policy. Of another version only that is told: its keys may mean something else.
pub(super) fn policy(d: &mut Decoder<'_>, tree: &Node, source: SourceId) -> PolicyFile {
    let nothing = PolicyFile {
        source,
        version: Spanned::new(VERSION, tree.span),
        description: None,
        extends: None,
        undecided: None,
        on_deny: None,
        tools: Table::default(),
        command_sets: Table::default(),
        lints: Table::default(),
        rules: Vec::new(),
        tests: Vec::new(),
    };
    let Some(mut f) = d.fields(tree, "a policy") else { return nothing };
    let Some(version) = version(d, f.entry("version").map(|e| &e.value), source) else { return nothing };
    let file = PolicyFile {
        source,
        version,
        description: f.take(d, "description", text),
        extends: f.take(d, "extends", |d, n| list(d, n, "files", said)),
        undecided: f.take(d, "undecided", undecided),
        on_deny: f.take(d, "on_deny", word),
        tools: f.take(d, "tools", |d, n| table(d, n, "a table of tools", tool::tool)).unwrap_or_default(),
        command_sets: f.take(d, "command_sets", tool::command_sets).unwrap_or_default(),
        lints: f.take(d, "lints", |d, n| table(d, n, "a table of lints", word)).unwrap_or_default(),
        rules: f
            .take(d, "rules", |d, n| listed(d, n, "rules", rule::rule))
            .map(|l| l.value)
            .unwrap_or_default(),
        tests: f
            .take(d, "tests", |d, n| listed(d, n, "tests", test::test))
            .map(|l| l.value)
            .unwrap_or_default(),
    };
    f.finish_with(d, |d, key| match key {
        "rule" | "test" if d.format == Format::Toml => Some(format!("write `[[{key}s]]`")),
        _ => None,
    });
    file
}

/// Reads a file that holds tests only.
pub(super) fn tests_file(d: &mut Decoder<'_>, tree: &Node, source: SourceId) -> TestsFile {
    let nothing = TestsFile { source, version: Spanned::new(VERSION, tree.span), tests: Vec::new() };
    let Some(mut f) = d.fields(tree, "a file of tests") else { return nothing };
    let Some(version) = version(d, f.entry("version").map(|e| &e.value), source) else { return nothing };
    let tests =
        f.take(d, "tests", |d, n| listed(d, n, "tests", test::test)).map(|l| l.value).unwrap_or_default();
    f.finish_with(d, |_, key| match key {
        "rules" | "extends" => Some("rules stand in the policy; this file holds its tests".to_owned()),
        _ => None,
    });
    TestsFile { source, version, tests }
}

/// A list of tables. A lone table is one that was not written as an item.
fn listed<T>(
    d: &mut Decoder<'_>,
    node: &Node,
    items: &str,
    read: impl Fn(&mut Decoder<'_>, &Node) -> Option<T>,
) -> Option<List<T>> {
    if matches!(node.kind, Kind::Map(_)) {
        let help = match d.format {
            Format::Toml => format!("write `[[{items}]]` above each of them"),
            Format::Yaml => "write `- ` in front of each of them".to_owned(),
            Format::Json => "write `[{ … }]`".to_owned(),
        };
        d.wrong_type_but(node, &format!("a list of {items}"), |finding| finding.help(help));
        return None;
    }
    list(d, node, items, read)
}

fn version(d: &mut Decoder<'_>, node: Option<&Node>, source: SourceId) -> Option<Spanned<u32>> {
    let line = d.entry("version", "1");
    let Some(node) = node else {
        let start = Span::new(source, 0..0);
        let finding =
            Diagnostic::error(Code::E0201, "`version` is missing").at(start, "the file starts here");
        d.tell(match d.format {
            Format::Toml | Format::Yaml => {
                finding.suggest(format!("write `{line}`"), start, format!("{line}\n"))
            }
            Format::Json => finding.help(format!("write `{line}`")),
        });
        // The newest version is the likeliest, and its problems are then told as well.
        return Some(Spanned::new(VERSION, start));
    };
    if matches!(node.kind, Kind::Int(number) if number == i128::from(VERSION)) {
        return Some(Spanned::new(VERSION, node.span));
    }
    let written = d.written(node);
    let finding = Diagnostic::error(Code::E0201, format!("version {written} of the format is not known"));
    d.tell(finding.at(node.span, "the only version is 1").suggest(format!("write `{line}`"), node.span, "1"));
    None
}

fn undecided(d: &mut Decoder<'_>, node: &Node) -> Option<UndecidedFile> {
    if node.as_str().is_some() {
        let written = d.table("reason", &d.written(node));
        d.wrong_type_but(node, "a table", |f| f.suggest(format!("write `{written}`"), node.span, written));
        return None;
    }
    let mut f = d.fields(node, "`undecided`")?;
    let reason = f.need(d, "reason", said);
    f.finish(d);
    Some(UndecidedFile { reason: reason? })
}

/// A table with free keys.
pub(super) fn table<T>(
    d: &mut Decoder<'_>,
    node: &Node,
    expected: &str,
    read: impl Fn(&mut Decoder<'_>, &Node) -> Option<T>,
) -> Option<Table<T>> {
    let entries = d.entries(node, expected)?;
    let read = |entry: &crate::file::tree::Entry| {
        let value = d.under(&entry.key, |d| read(d, &entry.value))?;
        Some((entry.key.clone(), value))
    };
    Some(entries.iter().filter_map(read).collect())
}
