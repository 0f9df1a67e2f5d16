//! Findings as JSON, for programs.

use serde::Serialize;

use super::visible::is_hidden;
use super::{Diagnostic, Help, Label};
use crate::source::{Source, Sources, Span};

/// The findings as one JSON array.
pub fn json(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let findings: Vec<_> = diagnostics.iter().map(|d| Finding::new(d, sources)).collect();
    // These types have neither maps with odd keys nor anything else that could fail.
    escaped(&serde_json::to_string_pretty(&findings).unwrap_or_default()) + "\n"
}

/// The findings as JSON, one object a line.
pub fn json_lines(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let line = |d| escaped(&serde_json::to_string(&Finding::new(d, sources)).unwrap_or_default()) + "\n";
    diagnostics.iter().map(line).collect()
}

/// JSON, which may be looked at in a terminal, with what a terminal would obey as escapes. Outside of strings JSON has
/// line ends only.
pub(super) fn escaped(json: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if is_hidden(c) && c != '\n' {
            for unit in c.encode_utf16(&mut [0; 2]) {
                // Writing to a string cannot fail.
                let _ = write!(out, "\\u{unit:04x}");
            }
        } else {
            out.push(c);
        }
    }
    out
}

#[derive(Serialize)]
struct Finding<'a> {
    code: &'static str,
    title: &'static str,
    severity: &'static str,
    message: &'a str,
    labels: Vec<Place<'a>>,
    help: Vec<Advice<'a>>,
    notes: &'a [String],
}

#[derive(Serialize)]
struct Place<'a> {
    #[serde(flatten)]
    range: Range<'a>,
    text: &'a str,
    primary: bool,
}

#[derive(Serialize)]
struct Advice<'a> {
    text: &'a str,
    replacement: Option<Replacement<'a>>,
}

#[derive(Serialize)]
struct Replacement<'a> {
    #[serde(flatten)]
    range: Range<'a>,
    text: &'a str,
}

#[derive(Serialize)]
struct Range<'a> {
    file: &'a str,
    start: Position,
    end: Position,
}

#[derive(Serialize)]
struct Position {
    byte: usize,
    line: usize,
    column: usize,
}

impl<'a> Finding<'a> {
    fn new(d: &'a Diagnostic, sources: &'a Sources) -> Self {
        let label = |l: &'a Label| Place { range: range(l.span, sources), text: &l.text, primary: l.primary };
        let help = |h: &'a Help| Advice {
            text: &h.text,
            replacement: h
                .replacement
                .as_ref()
                .map(|(span, text)| Replacement { range: range(*span, sources), text }),
        };
        Self {
            code: d.code.as_str(),
            title: d.code.title(),
            severity: d.severity.as_str(),
            message: &d.message,
            labels: d.labels.iter().map(label).collect(),
            help: d.help.iter().map(help).collect(),
            notes: &d.notes,
        }
    }
}

fn range(span: Span, sources: &Sources) -> Range<'_> {
    let source = sources.get(span.source);
    Range {
        file: sources.name(span),
        start: position(span.start as usize, source),
        end: position(span.end as usize, source),
    }
}

fn position(byte: usize, source: Option<&Source>) -> Position {
    let (line, column) = source.map_or((1, 1), |s| s.line_column(byte));
    Position { byte, line, column }
}
