//! The tests in a policy: run, compared, and told.

mod case;
mod compare;
mod coverage;
mod files;
mod turn;

use std::sync::Arc;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::facts::disk::MadeUpDisk;
use crate::file::{LoadedTests, PolicyFile, TestFile};
use crate::interpreter::Surroundings;
use crate::policy::Policy;
use crate::rule::PartKey;
use crate::source::{SourceId, Sources, Span};
use crate::verdict::RuleRef;

pub use coverage::{PatternCoverage, RuleCoverage};
pub use files::test_files_beside;

/// The workspace of the calls of tests that name none, so that a test gives the same answer on every machine.
pub const WORKSPACE: &str = "/workspace";

/// The home folder in tests without an `fs`.
pub const HOME: &str = "/home/user";

/// The tests of a policy, ready to run.
#[derive(Clone, Debug)]
pub struct Suite<'a> {
    policy: &'a Policy,
    tests: Vec<(u32, &'a TestFile)>,
    sources: Sources,
    place: Option<Span>,
    filter: Option<String>,
}

impl<'a> Suite<'a> {
    /// The tests that stand in the policy itself. Those of files that it extends are tests of other lists.
    pub fn new(policy: &'a Policy, files: &'a [PolicyFile]) -> Self {
        let own = files.first();
        let tests = own.map(|file| file.tests.iter().map(|test| (0, test)).collect()).unwrap_or_default();
        Self {
            policy,
            tests,
            sources: policy.sources().clone(),
            place: own.map(|file| file.version.span),
            filter: None,
        }
    }

    /// With the tests of a file beside the policy: see [`test_files_beside`].
    #[must_use]
    pub fn and(mut self, tests: &'a LoadedTests) -> Self {
        let before = u32::try_from(self.sources.iter().count()).unwrap_or(u32::MAX);
        for (_, source) in tests.sources.iter() {
            self.sources.add(Arc::clone(&source.name), Arc::clone(&source.text));
        }
        self.tests.extend(tests.file.tests.iter().map(|test| (before, test)));
        self
    }

    /// Only the tests whose name has `filter` in it.
    #[must_use]
    pub fn only(mut self, filter: impl Into<String>) -> Self {
        self.filter = Some(filter.into());
        self
    }

    /// Runs the tests, in the order written. Nothing of the machine counts: a call without an `fs` sees a disk without
    /// links, on which nobody can tell what exists.
    pub fn run(&self) -> SuiteReport {
        let disk = MadeUpDisk::from_json(&serde_json::json!({ "home": HOME }));
        let mut problems = Vec::new();
        let mut cases = Vec::new();
        match &disk {
            Ok(disk) => {
                let surroundings =
                    Surroundings { workspace: Some(WORKSPACE), made_up_fs: true, ..Surroundings::new(disk) };
                for (number, (shift, test)) in self.tests.iter().enumerate() {
                    let bench =
                        Bench { policy: self.policy, sources: &self.sources, surroundings, shift: *shift };
                    cases.extend(case::run(&bench, test, number + 1, self.filter.as_deref()));
                }
            }
            Err(e) => problems.push(Diagnostic::error(Code::E0603, format!("the tests cannot be run: {e}"))),
        }
        if cases.is_empty() && problems.is_empty() {
            problems.push(self.nothing());
        }
        let coverage = coverage::of(self.policy, &cases);
        SuiteReport {
            cases,
            coverage,
            problems,
            filtered: self.filter.is_some(),
            sources: self.sources.clone(),
        }
    }

    fn nothing(&self) -> Diagnostic {
        let finding = match &self.filter {
            Some(filter) if !self.tests.is_empty() => {
                Diagnostic::error(Code::E0603, format!("no test has `{filter}` in its name"))
                    .help("without a filter, every test runs")
            }
            Some(_) | None => Diagnostic::error(Code::E0603, "the policy has no tests")
                .help("write some under `[[tests]]`: a `call`, and what is expected of it"),
        };
        match self.place {
            Some(place) => finding.at(place, ""),
            None => finding,
        }
    }
}

/// What a test is run with.
struct Bench<'a> {
    policy: &'a Policy,
    sources: &'a Sources,
    surroundings: Surroundings<'a>,
    /// How many texts stand before that of the test.
    shift: u32,
}

impl Bench<'_> {
    /// A place in the text of the test.
    fn place(&self, span: Span) -> Span {
        Span { source: SourceId(span.source.0.saturating_add(self.shift)), ..span }
    }

    /// Where a rule is written.
    fn rule_span(&self, rule: &RuleRef) -> Option<Span> {
        self.policy.rules().get(rule.index).filter(|r| r.me.rule == rule.rule).map(|r| r.span)
    }
}

/// What came of the tests.
#[derive(Clone, Debug)]
pub struct SuiteReport {
    /// Each test; of `each`, each call.
    pub cases: Vec<CaseReport>,
    /// Rule by rule, whether some test was decided by it.
    pub coverage: Vec<RuleCoverage>,
    /// What is wrong beside the tests themselves: there is none, or the filter leaves none.
    pub problems: Vec<Diagnostic>,
    /// A filter chose among the tests, so what they do not reach says nothing.
    pub filtered: bool,
    /// The texts of the policy, then those of the files of tests.
    pub sources: Sources,
}

/// What came of one test.
#[derive(Clone, Debug)]
pub struct CaseReport {
    /// Its name, or the call and what is expected of it.
    pub name: String,
    /// Where it is written.
    pub span: Span,
    /// Whether it passed.
    pub passed: bool,
    /// What was expected, in a word: `allow`, `[run, denied]`.
    pub expected: String,
    /// What came.
    pub got: String,
    /// The rule that decided; of a turn, that of the last call that was decided.
    pub decided_by: Option<Arc<RuleRef>>,
    /// Why it failed; nothing when it passed.
    pub problems: Vec<Diagnostic>,
    /// The name of each call, with the rules that decided about it.
    pub(crate) decisions: Vec<Decision>,
}

/// Which rules decided about a call.
#[derive(Clone, Debug)]
pub(crate) struct Decision {
    /// The names of the call: as rules match it, and as the model calls it.
    pub(crate) names: [String; 2],
    /// The ids of the rules.
    pub(crate) rules: Vec<String>,
    /// The patterns on parts of these rules that matched: rule, key, pattern.
    pub(crate) patterns: Vec<(String, PartKey, String)>,
}

impl SuiteReport {
    /// How many tests passed.
    pub fn passed(&self) -> usize {
        self.cases.iter().filter(|case| case.passed).count()
    }

    /// How many failed.
    pub fn failed(&self) -> usize {
        self.cases.len() - self.passed()
    }

    /// Whether there were tests, and all passed.
    pub fn is_ok(&self) -> bool {
        self.failed() == 0
            && !self.cases.is_empty()
            && self.problems.iter().all(|p| p.severity != Severity::Error)
    }

    /// Everything that is wrong, in order.
    pub fn diagnostics(&self) -> impl Iterator<Item = &Diagnostic> {
        self.cases.iter().flat_map(|case| &case.problems).chain(&self.problems)
    }
}

#[cfg(test)]
mod tests;
