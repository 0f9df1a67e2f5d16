//! One line a finding: `path:line:column: error[E0204]: message (help)`.

use std::fmt::Write as _;

use super::{Diagnostic, visible};
use crate::source::Sources;

/// The findings, one a line.
pub fn plain(diagnostics: &[Diagnostic], sources: &Sources) -> String {
    let mut out = String::new();
    for diagnostic in diagnostics {
        if let Some(span) = diagnostic.span() {
            let (line, column) = sources.line_column(span);
            // Writing to a string cannot fail.
            let _ = write!(out, "{}:{line}:{column}: ", visible(sources.name(span)));
        }
        let (severity, code) = (diagnostic.severity.as_str(), diagnostic.code.as_str());
        let _ = write!(out, "{severity}[{code}]: {}", visible(&diagnostic.message));
        if !diagnostic.help.is_empty() {
            let help: Vec<_> = diagnostic.help.iter().map(|h| visible(&h.text)).collect();
            let _ = write!(out, " ({})", help.join("; "));
        }
        out.push('\n');
    }
    out
}
