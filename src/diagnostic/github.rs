//! GitHub's workflow commands: findings as annotations on the changed lines.

use std::fmt::Write as _;

use super::{Diagnostic, Severity, visible};
use crate::source::Sources;

/// The findings as workflow commands, one a line.
pub fn github(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        let command = match diagnostic.severity {
            Severity::Note => "notice",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        // Writing to a string cannot fail.
        let _ = write!(out, "::{command} ");
        if let Some(span) = diagnostic.span() {
            let (line, column) = sources.line_column(span);
            let (end_line, end_column) = sources.end_line_column(span);
            let _ = write!(out, "file={},line={line},endLine={end_line},", property(sources.name(span)));
            // Columns are taken only of a finding on one line; the last is inclusive.
            if line == end_line {
                let _ = write!(out, "col={column},endColumn={},", end_column.saturating_sub(1).max(column));
            }
        }
        let title = format!("{}[{}]", diagnostic.severity.as_str(), diagnostic.code.as_str());
        let mut message = visible(&diagnostic.message).into_owned();
        for help in &diagnostic.help {
            message.push('\n');
            message.push_str("help: ");
            message.push_str(&visible(&help.text));
        }
        let _ = writeln!(out, "title={}::{}", property(&title), data(&message));
    }
    out
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(&visible(text)).replace(':', "%3A").replace(',', "%2C")
}
