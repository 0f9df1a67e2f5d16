//! Something to tell the author: what is wrong, where, and what to write instead.

mod code;
mod github;
#[cfg(feature = "render")]
mod human;
mod json;
#[cfg(feature = "cli")]
mod junit;
mod plain;
mod report;
mod sarif;
mod visible;

pub use code::Code;
pub use github::github;
#[cfg(feature = "render")]
pub use human::human;
pub use json::{json, json_lines};
#[cfg(feature = "cli")]
pub use junit::{junit, junit_suite};
pub use plain::plain;
pub use report::Report;
pub use sarif::sarif;
#[cfg(feature = "proxy")]
pub(crate) use visible::is_hidden;
pub use visible::visible;

use crate::source::Span;

/// How bad a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// Only to be known.
    Note,
    /// The policy works, but probably not as meant.
    Warning,
    /// The policy is refused.
    Error,
}

impl Severity {
    /// The word it is shown as.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Note => "note",
            Self::Warning => "warning",
            Self::Error => "error",
        }
    }
}

/// A place, and what is to be said of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// What is to be said of it; may be empty.
    pub text: String,
    /// Whether it is the place of the finding itself.
    pub primary: bool,
}

/// What to do about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// In words.
    pub text: String,
    /// As a change of the text: what stands at the span is replaced.
    pub replacement: Option<(Span, String)>,
}

/// One finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// What kind of finding it is.
    pub code: Code,
    /// How bad it is.
    pub severity: Severity,
    /// What is wrong: lower case, no full stop, user input in backticks.
    pub message: String,
    /// Where; the first primary one is the place of the finding.
    pub labels: Vec<Label>,
    /// What to do about it.
    pub help: Vec<Help>,
    /// What else is to be known.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// A finding of this severity.
    pub fn new(code: Code, severity: Severity, message: impl Into<String>) -> Self {
        Self {
            code,
            severity,
            message: message.into(),
            labels: Vec::new(),
            help: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// An error.
    pub fn error(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message)
    }

    /// A warning.
    pub fn warning(code: Code, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message)
    }

    /// The place of the finding, and what is wrong with it.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: true });
        self
    }

    /// Another place that has to do with it.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.labels.push(Label { span, text: text.into(), primary: false });
        self
    }

    /// What to do about it, in words.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.help.push(Help { text: text.into(), replacement: None });
        self
    }

    /// What to do about it: write `replacement` instead of what stands at `span`.
    #[must_use]
    pub fn suggest(mut self, text: impl Into<String>, span: Span, replacement: impl Into<String>) -> Self {
        self.help.push(Help { text: text.into(), replacement: Some((span, replacement.into())) });
        self
    }

    /// What else is to be known.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// The place of the finding: its first primary label, else its first label.
    pub fn span(&self) -> Option<Span> {
        self.labels.iter().find(|l| l.primary).or(self.labels.first()).map(|l| l.span)
    }
}

#[cfg(test)]
#[cfg(feature = "cli")]
mod tests;
