//! Findings about a policy that loads: one file a lint.

mod allow;
mod dead;
mod lintable;
mod same;

mod allow_any_code;
mod allow_everything_by_name;
mod blank_or_missing_reason;
mod confusable_or_invisible_characters;
mod duplicate_pattern;
mod empty_pattern;
mod human_before_allow;
mod mcp_host_spelling;
mod misordered_deny;
mod never_matching_condition;
mod no_tests;
mod overlong_regex;
mod path_as_name;
mod shell_name_pattern;
mod shell_operator_in_pattern;
mod trust_every_mcp_server;
mod undecided_calls;
mod unknown_lint;
mod unknown_tool;
mod unreachable_rule;
mod untested_rule;
mod unused_allow;
mod unused_command_set;

use crate::diagnostic::{Code, Diagnostic, Severity};
use crate::file::{LintLevel, PolicyFile};
use crate::policy::Policy;
use crate::suite::SuiteReport;

use lintable::Lintable;

/// Every lint, sorted by name.
static ALL: &[&Lint] = &[
    &allow_any_code::ALLOW_ANY_CODE,
    &allow_everything_by_name::ALLOW_EVERYTHING_BY_NAME,
    &blank_or_missing_reason::BLANK_OR_MISSING_REASON,
    &confusable_or_invisible_characters::CONFUSABLE_OR_INVISIBLE_CHARACTERS,
    &duplicate_pattern::DUPLICATE_PATTERN,
    &empty_pattern::EMPTY_PATTERN,
    &human_before_allow::HUMAN_BEFORE_ALLOW,
    &mcp_host_spelling::MCP_HOST_SPELLING,
    &misordered_deny::MISORDERED_DENY,
    &never_matching_condition::NEVER_MATCHING_CONDITION,
    &no_tests::NO_TESTS,
    &overlong_regex::OVERLONG_REGEX,
    &path_as_name::PATH_AS_NAME,
    &shell_name_pattern::SHELL_NAME_PATTERN,
    &shell_operator_in_pattern::SHELL_OPERATOR_IN_PATTERN,
    &trust_every_mcp_server::TRUST_EVERY_MCP_SERVER,
    &undecided_calls::UNDECIDED_CALLS,
    &unknown_lint::UNKNOWN_LINT,
    &unknown_tool::UNKNOWN_TOOL,
    &unreachable_rule::UNREACHABLE_RULE,
    &untested_rule::UNTESTED_RULE,
    &unused_allow::UNUSED_ALLOW,
    &unused_command_set::UNUSED_COMMAND_SET,
];

/// A lint: what it is called, what it says, and how it looks.
pub struct Lint {
    /// Its name, in kebab-case.
    pub name: &'static str,
    /// How seriously it is taken where the policy says nothing.
    pub level: LintLevel,
    /// What it finds, in a line.
    pub summary: &'static str,
    doc: &'static str,
    check: fn(&Lintable<'_>, &mut Sink),
}

/// Declares a lint; its doc comment is its page.
macro_rules! lint {
    ($(#[doc = $doc:literal])+ $id:ident = $level:ident $name:literal: $summary:literal) => {
        $(#[doc = $doc])+
        pub(super) static $id: super::Lint = super::Lint {
            name: $name,
            level: crate::file::LintLevel::$level,
            summary: $summary,
            doc: concat!($($doc, "\n"),+),
            check,
        };
    };
}
use lint;

impl Lint {
    /// Its page: what it finds, why that is bad, a policy that it speaks of and one that it does not.
    pub fn page(&self) -> String {
        let mut page = format!("# {}\n\n", self.name);
        for line in self.doc.lines() {
            page.push_str(line.strip_prefix(' ').unwrap_or(line));
            page.push('\n');
        }
        page
    }

    /// A finding of this lint. How bad it is is set when all are there.
    fn finding(&self, message: impl Into<String>) -> Diagnostic {
        Diagnostic::warning(Code::Lint(self.name), message)
    }

    /// How seriously it is taken by these files: a file's own word comes before that of the files it extends.
    fn level_in(&self, files: &[PolicyFile]) -> LintLevel {
        files.iter().find_map(|file| file.lints.get(self.name)).map_or(self.level, |level| level.value)
    }
}

impl std::fmt::Debug for Lint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

/// Takes in findings.
#[derive(Default)]
struct Sink(Vec<Diagnostic>);

impl Sink {
    fn push(&mut self, finding: Diagnostic) {
        self.0.push(finding);
    }
}

/// Every lint, sorted by name.
pub fn all() -> &'static [&'static Lint] {
    ALL
}

/// The lint with this name.
pub fn find(name: &str) -> Option<&'static Lint> {
    ALL.iter().find(|lint| lint.name == name).copied()
}

/// Everything that the lints find in a policy, in the order of the text.
///
/// `files` are those that `policy` was compiled from. Without the report of its tests, the lints about tests find nothing.
pub fn lints(files: &[PolicyFile], policy: &Policy, suite: Option<&SuiteReport>) -> Vec<Diagnostic> {
    let lintable = Lintable::new(files, policy, suite);
    let mut sink = Sink::default();
    for lint in ALL {
        (lint.check)(&lintable, &mut sink);
    }
    let mut found = allow::apply(&lintable, sink.0);
    found.retain_mut(|finding| match level_of(finding, files) {
        LintLevel::Off => false,
        LintLevel::Warn => {
            finding.severity = Severity::Warning;
            true
        }
        LintLevel::Error => {
            finding.severity = Severity::Error;
            true
        }
    });
    found.sort_by_key(|finding| (finding.span(), finding.code));
    found
}

fn level_of(finding: &Diagnostic, files: &[PolicyFile]) -> LintLevel {
    find(finding.code.as_str()).map_or(LintLevel::Warn, |lint| lint.level_in(files))
}

/// The known name nearest to `name`, when it is near.
fn nearest<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Option<&'k str> {
    known
        .into_iter()
        .map(|known| (strsim::damerau_levenshtein(name, known), known))
        .filter(|(distance, known)| *distance <= known.chars().count() / 3)
        .min()
        .map(|(_, known)| known)
}

#[cfg(test)]
mod tests;
