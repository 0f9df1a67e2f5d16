//! A policy, checked: loaded, linted and tested, with everything that was found.

use std::path::Path;
use std::sync::Arc;

use super::output::counted;
use crate::compile::folder_of;
use crate::diagnostic::{Code, Diagnostic, Report, Severity};
use crate::file::{self, LoadedTests, PolicyFile};
use crate::policy::Policy;
use crate::source::{SourceId, Sources, Span};
use crate::suite::{Suite, SuiteReport, test_files_beside};

/// What came of checking one policy.
pub(super) struct Checked {
    /// How many rules it has; none when it does not load.
    pub(super) rules: usize,
    /// What is wrong with it, apart from tests that failed.
    pub(super) findings: Report,
    /// What came of its tests, where it has any.
    pub(super) suite: Option<SuiteReport>,
    /// Nothing of it could be read.
    pub(super) unread: bool,
}

/// How a policy is to be checked.
#[derive(Clone, Copy, Default)]
pub(super) struct Wish<'a> {
    /// The root of the project, in place of the policy's own folder.
    pub(super) workspace: Option<&'a str>,
    /// Only the tests with this text in their name.
    pub(super) filter: Option<&'a str>,
    /// A policy without tests is worth a finding.
    pub(super) tests_wanted: bool,
}

impl Checked {
    /// Checks the policy at `path`.
    pub(super) fn of(path: &Path, wish: Wish<'_>) -> Self {
        let folder = wish.workspace.map(str::to_owned).or_else(|| folder_of(path));
        let (policy, files) = match Policy::load_in(path, folder) {
            Ok(loaded) => loaded,
            Err(report) => return Self::not_loaded(report),
        };
        let (tests, refused) = tests_beside(path);
        let any = !tests.is_empty() || files.first().is_some_and(|file| !file.tests.is_empty());
        let suite = run(&policy, &files, &tests, wish.filter);
        let lints = crate::lint::lints(&files, &policy, Some(&suite));
        let mut findings = Report::new(lints, policy.sources().clone());
        // That there are no tests is for a lint to say, unless it is they who are wanted.
        if any || wish.tests_wanted {
            add(&mut findings, Report::new(suite.problems.clone(), suite.sources.clone()));
        }
        for report in refused {
            add(&mut findings, report);
        }
        Self { rules: policy.rules().len(), findings, suite: Some(suite), unread: false }
    }

    fn not_loaded(report: Report) -> Self {
        let unread = report.diagnostics.iter().any(|finding| finding.code == Code::E0101);
        Self { rules: 0, findings: report, suite: None, unread }
    }

    /// What is wrong with tests that failed.
    pub(super) fn failures(&self) -> Report {
        let Some(suite) = &self.suite else { return Report::default() };
        let problems = suite.cases.iter().flat_map(|case| case.problems.iter().cloned()).collect();
        Report::new(problems, suite.sources.clone())
    }
}

fn run(policy: &Policy, files: &[PolicyFile], tests: &[LoadedTests], filter: Option<&str>) -> SuiteReport {
    let suite = tests.iter().fold(Suite::new(policy, files), Suite::and);
    match filter {
        Some(filter) => suite.only(filter).run(),
        None => suite.run(),
    }
}

/// The files of tests beside a policy, and what is wrong with those that do not load.
fn tests_beside(path: &Path) -> (Vec<LoadedTests>, Vec<Report>) {
    let mut found = (Vec::new(), Vec::new());
    for path in test_files_beside(path) {
        match file::load_tests(&path) {
            Ok(tests) => found.0.push(tests),
            Err(report) => found.1.push(report),
        }
    }
    found
}

/// Adds findings with their texts.
pub(super) fn add(to: &mut Report, more: Report) {
    let before = u32::try_from(to.sources.iter().count()).unwrap_or(u32::MAX);
    add_sources(&mut to.sources, &more.sources);
    to.diagnostics.extend(more.diagnostics.into_iter().map(|finding| moved(finding, before)));
}

fn add_sources(to: &mut Sources, more: &Sources) {
    for (_, source) in more.iter() {
        to.add(Arc::clone(&source.name), Arc::clone(&source.text));
    }
}

/// The finding, with its places in texts that stand `by` further down.
fn moved(mut finding: Diagnostic, by: u32) -> Diagnostic {
    let moved = |span: Span| Span { source: SourceId(span.source.0.saturating_add(by)), ..span };
    for label in &mut finding.labels {
        label.span = moved(label.span);
    }
    for help in &mut finding.help {
        if let Some((span, _)) = &mut help.replacement {
            *span = moved(*span);
        }
    }
    finding
}

/// What is counted over all policies of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    policies: usize,
    rules: usize,
    pub(super) errors: usize,
    pub(super) warnings: usize,
    passed: usize,
    pub(super) failed: usize,
}

impl Counts {
    /// Counts one policy more.
    pub(super) fn add(&mut self, checked: &Checked) {
        self.policies += 1;
        self.rules += checked.rules;
        self.errors += checked.findings.count(Severity::Error);
        self.warnings += checked.findings.count(Severity::Warning);
        if let Some(suite) = &checked.suite {
            self.passed += suite.passed();
            self.failed += suite.failed();
        }
    }
}

impl std::fmt::Display for Counts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let [policies, rules] = [counted(self.policies, "policy"), counted(self.rules, "rule")];
        let [errors, warnings] = [counted(self.errors, "error"), counted(self.warnings, "warning")];
        let tests = counted(self.passed, "test");
        write!(f, "{policies}, {rules}, {errors}, {warnings}, {tests} passed, {} failed", self.failed)
    }
}
