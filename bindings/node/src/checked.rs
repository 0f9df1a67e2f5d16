//! A policy, checked: loaded, linted and tested.

use std::path::Path;

use serde::Serialize;
use serde_json::Value;
use tool_policy::diagnostic::{Diagnostic, Report, Severity};
use tool_policy::suite::{Suite, test_files_beside};
use tool_policy::{Policy, file, folder_of, lint};

use crate::findings;

/// What came of checking a policy.
#[derive(Serialize)]
pub(crate) struct Checked {
    /// Nothing is wrong: no error, and no test failed.
    ok: bool,
    rules: usize,
    errors: usize,
    warnings: usize,
    tests: Tests,
    findings: Vec<Value>,
}

#[derive(Default, Serialize)]
struct Tests {
    passed: usize,
    failed: usize,
}

/// Checks the policy at `path`, as `policy check` does.
pub(crate) fn check(path: &Path) -> Checked {
    let (policy, files) = match load(path) {
        Ok(loaded) => loaded,
        Err(report) => return Checked::of(0, Tests::default(), &[report]),
    };
    let mut reports = Vec::new();
    let mut tests = Vec::new();
    for beside in test_files_beside(path) {
        match file::load_tests(&beside) {
            Ok(loaded) => tests.push(loaded),
            Err(report) => reports.push(report),
        }
    }
    let any = !tests.is_empty() || files.first().is_some_and(|file| !file.tests.is_empty());
    let suite = tests.iter().fold(Suite::new(&policy, &files), Suite::and).run();
    let lints = lint::lints(&files, &policy, Some(&suite));
    reports.insert(0, Report::new(lints, policy.sources().clone()));
    // That there are no tests is for a lint to say.
    let of_suite: Vec<Diagnostic> = if any { suite.diagnostics().cloned().collect() } else { Vec::new() };
    reports.push(Report::new(of_suite, suite.sources.clone()));
    let tests = Tests { passed: suite.passed(), failed: suite.failed() };
    Checked::of(policy.rules().len(), tests, &reports)
}

fn load(path: &Path) -> Result<(Policy, Vec<file::PolicyFile>), Report> {
    // This one tells all that is wrong at once.
    Policy::load(path)?;
    let loaded = file::load(path)?;
    let files = loaded.files.clone();
    Ok((Policy::compile(loaded, folder_of(path))?, files))
}

impl Checked {
    fn of(rules: usize, tests: Tests, reports: &[Report]) -> Self {
        let count = |severity| reports.iter().map(|report| report.count(severity)).sum();
        let errors = count(Severity::Error);
        let found = reports.iter().map(findings).flat_map(|list| match list {
            Value::Array(items) => items,
            other => vec![other],
        });
        Self {
            ok: errors == 0 && tests.failed == 0,
            rules,
            errors,
            warnings: count(Severity::Warning),
            findings: found.collect(),
            tests,
        }
    }
}
