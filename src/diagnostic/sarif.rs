//! Findings as SARIF 2.1.0, for code scanning.

use serde_json::{Value, json};

use super::json::escaped;
use super::{Diagnostic, Severity};
use crate::source::{Sources, Span};

/// The title and the page of a lint, which are known to the lint alone.
pub type LintPage = fn(&str) -> Option<(&'static str, String)>;

/// The findings as one SARIF log with one run.
pub fn sarif(diagnostics: &[Diagnostic], sources: &Sources, lint: LintPage) -> String {
    let mut rules: Vec<&Diagnostic> = Vec::new();
    for diagnostic in diagnostics {
        if !rules.iter().any(|r| r.code == diagnostic.code) {
            rules.push(diagnostic);
        }
    }
    rules.sort_by_key(|d| d.code.as_str());
    let results: Vec<_> = diagnostics.iter().map(|d| result(d, &rules, sources)).collect();
    let log = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tool-policy",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.iter().map(|d| rule(d, lint)).collect::<Vec<_>>(),
            } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    escaped(&format!("{log:#}")) + "\n"
}

fn level(severity: Severity) -> &'static str {
    severity.as_str()
}

fn rule(diagnostic: &Diagnostic, lint: LintPage) -> Value {
    let code = diagnostic.code;
    let (title, help) = lint(code.as_str()).unwrap_or_else(|| (code.title(), code.page().to_owned()));
    json!({
        "id": code.as_str(),
        "shortDescription": { "text": title },
        "help": { "text": help, "markdown": help },
        "defaultConfiguration": { "level": level(diagnostic.severity) },
    })
}

fn result(diagnostic: &Diagnostic, rules: &[&Diagnostic], sources: &Sources) -> Value {
    let mut text = diagnostic.message.clone();
    for help in &diagnostic.help {
        text.push_str("\nhelp: ");
        text.push_str(&help.text);
    }
    for note in &diagnostic.notes {
        text.push_str("\nnote: ");
        text.push_str(note);
    }
    let main = diagnostic.span();
    let related = diagnostic.labels.iter().filter(|l| Some(l.span) != main).map(
        |label| json!({ "physicalLocation": place(label.span, sources), "message": { "text": label.text } }),
    );
    let fixes = diagnostic.help.iter().filter_map(|help| {
        let (span, replacement) = help.replacement.as_ref()?;
        Some(json!({
            "description": { "text": help.text },
            "artifactChanges": [{
                "artifactLocation": artifact(*span, sources),
                "replacements": [{
                    "deletedRegion": region(*span, sources),
                    "insertedContent": { "text": replacement },
                }],
            }],
        }))
    });
    json!({
        "ruleId": diagnostic.code.as_str(),
        "ruleIndex": rules.iter().position(|r| r.code == diagnostic.code),
        "level": level(diagnostic.severity),
        "message": { "text": text },
        "locations": main.iter().map(|span| location(*span, sources)).collect::<Vec<_>>(),
        "relatedLocations": related.collect::<Vec<_>>(),
        "fixes": fixes.collect::<Vec<_>>(),
    })
}

fn location(span: Span, sources: &Sources) -> Value {
    json!({ "physicalLocation": place(span, sources) })
}

fn place(span: Span, sources: &Sources) -> Value {
    json!({ "artifactLocation": artifact(span, sources), "region": region(span, sources) })
}

fn artifact(span: Span, sources: &Sources) -> Value {
    json!({ "uri": uri(sources.name(span)) })
}

fn region(span: Span, sources: &Sources) -> Value {
    let (line, column) = sources.line_column(span);
    let (end_line, end_column) = sources.end_line_column(span);
    json!({ "startLine": line, "startColumn": column, "endLine": end_line, "endColumn": end_column })
}

/// A path as a URI reference: forward slashes, everything unusual percent-encoded.
fn uri(path: &str) -> String {
    use std::fmt::Write as _;
    let mut out = String::with_capacity(path.len());
    // `a:b` at the start would read as a scheme.
    if !path.starts_with('/') && path.split('/').next().is_some_and(|first| first.contains(':')) {
        out.push_str("./");
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                out.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => out.push('/'),
            _ => {
                // Writing to a string cannot fail.
                let _ = write!(out, "%{byte:02X}");
            }
        }
    }
    out
}
