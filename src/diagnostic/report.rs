//! Findings with the texts they speak of.

use super::{Diagnostic, Severity, plain};
use crate::source::Sources;

/// Findings, with the texts that their places are in. As an error it shows one finding a line.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The findings.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts.
    pub sources: Sources,
}

impl Report {
    /// Findings in `sources`.
    pub fn new(diagnostics: Vec<Diagnostic>, sources: Sources) -> Self {
        Self { diagnostics, sources }
    }

    /// How many findings have this severity.
    pub fn count(&self, severity: Severity) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == severity).count()
    }
}

impl std::fmt::Display for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(plain(&self.diagnostics, &self.sources).trim_end())
    }
}

impl std::error::Error for Report {}
