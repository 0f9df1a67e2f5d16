//! Comments in a policy that silence lints: `# policy: allow(lint-name)`.

use std::path::Path;

use super::lintable::Lintable;
use super::{find, no_tests, unknown_lint, untested_rule, unused_allow};
use crate::diagnostic::Diagnostic;
use crate::file::tree::{self, Format, Kind, Node};
use crate::source::{Source, SourceId, Span};

const MARK: &str = "policy: allow(";

/// A name in such a comment.
struct Allow {
    name: String,
    span: Span,
    /// The line that it speaks of.
    line: usize,
    used: bool,
}

/// Drops the findings that comments silence, and adds findings about the comments themselves.
pub(super) fn apply(lintable: &Lintable<'_>, findings: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut allows: Vec<Allow> = Vec::new();
    for file in lintable.files {
        if let Some(source) = lintable.sources().get(file.source) {
            allows.extend(comments(source, file.source));
        }
    }
    if allows.is_empty() {
        return findings;
    }
    let mut kept = Vec::new();
    for finding in findings {
        let lines = lines_of(lintable, &finding);
        let mut silenced = false;
        for allow in &mut allows {
            let here = lines.contains(&(allow.span.source, allow.line));
            if here && allow.name == finding.code.as_str() {
                allow.used = true;
                silenced = true;
            }
        }
        if !silenced {
            kept.push(finding);
        }
    }
    let of_tests = [no_tests::NO_TESTS.name, untested_rule::UNTESTED_RULE.name];
    for allow in allows.iter().filter(|allow| !allow.used) {
        if find(&allow.name).is_none() {
            kept.push(unknown_lint::unknown(&allow.name, allow.span, allow.name.len()));
        } else if lintable.suite.is_some_and(|suite| !suite.filtered)
            || !of_tests.contains(&allow.name.as_str())
        {
            kept.push(unused_allow::unused(&allow.name, allow.span));
        }
    }
    kept
}

/// The lines that a comment about the finding may speak of: that of its place, and the header of the rule that it is in.
fn lines_of(lintable: &Lintable<'_>, finding: &Diagnostic) -> Vec<(SourceId, usize)> {
    let Some(span) = finding.span() else { return Vec::new() };
    let Some(source) = lintable.sources().get(span.source) else { return Vec::new() };
    let mut lines = vec![(span.source, source.line_column(span.start as usize).0)];
    let within =
        |rule: Span| rule.source == span.source && rule.start <= span.start && span.start <= rule.end;
    if let Some(rule) = lintable.rules.iter().find(|rule| within(rule.written.span)) {
        lines.push((span.source, header(source, rule.written.span)));
    }
    lines
}

/// The line that a rule starts at: that of `[[rules]]`, where it has one.
fn header(source: &Source, rule: Span) -> usize {
    let first = source.line_column(rule.start as usize).0;
    let above = (1..first).rev().find(|line| !is_bare(text_of(source, *line)));
    above.filter(|line| text_of(source, *line).trim_start().starts_with("[[")).unwrap_or(first)
}

fn text_of(source: &Source, line: usize) -> &str {
    source.line(line).and_then(|range| source.text.get(range)).unwrap_or_default()
}

/// Whether nothing but a comment stands in a line.
fn is_bare(line: &str) -> bool {
    let line = line.trim_start();
    line.is_empty() || line.starts_with('#')
}

/// Every name in such comments of a text.
fn comments(source: &Source, id: SourceId) -> Vec<Allow> {
    let text: &str = &source.text;
    if !text.contains(MARK) {
        return Vec::new();
    }
    let formats = match Format::of_path(Path::new(&*source.name)) {
        Some(format) => vec![format],
        None => vec![Format::Toml, Format::Yaml],
    };
    // JSON has no comments.
    let formats = formats.into_iter().filter(|format| *format != Format::Json);
    let Some(tree) = formats.into_iter().find_map(|format| tree::read(text, format, id).ok()) else {
        return Vec::new();
    };
    let mut strings = Vec::new();
    scalars(&tree, &mut strings);
    strings.sort_by_key(|span| span.start);
    // Scalars do not overlap: the last that starts before a place is the only one that can hold it.
    let in_string = |at: usize| {
        let before = strings.partition_point(|span| span.start as usize <= at);
        before.checked_sub(1).and_then(|i| strings.get(i)).is_some_and(|span| span.range().contains(&at))
    };
    let mut found = Vec::new();
    for (at, _) in text.match_indices(MARK) {
        let before = text.get(..at).unwrap_or_default().trim_end_matches([' ', '\t']);
        if !before.ends_with('#') || in_string(before.len() - 1) {
            continue;
        }
        let start = at + MARK.len();
        let Some(names) =
            text.get(start..).and_then(|rest| rest.lines().next()).and_then(|line| line.split_once(')'))
        else {
            continue;
        };
        let line = source.line_column(at).0;
        let speaks_of = if is_bare(text_of(source, line)) {
            (line + 1..=source.line_count()).find(|line| !is_bare(text_of(source, *line))).unwrap_or(line)
        } else {
            line
        };
        let mut at = start;
        for name in names.0.split(',') {
            let lead = name.len() - name.trim_start().len();
            let trimmed = name.trim();
            let span = Span::new(id, at + lead..at + lead + trimmed.len());
            at += name.len() + 1;
            if !trimmed.is_empty() {
                found.push(Allow { name: trimmed.to_owned(), span, line: speaks_of, used: false });
            }
        }
    }
    found
}

/// The places of all keys and plain values. The tree is of bounded depth.
fn scalars(node: &Node, out: &mut Vec<Span>) {
    match &node.kind {
        Kind::List(items) => items.iter().for_each(|item| scalars(item, out)),
        Kind::Map(entries) => {
            for entry in entries {
                out.push(entry.key.span);
                scalars(&entry.value, out);
            }
        }
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) => out.push(node.span),
    }
}
