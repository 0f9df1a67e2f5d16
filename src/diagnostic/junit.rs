//! Findings as JUnit XML: one test case a finding, failed; without findings one that passed.

use quick_junit::{NonSuccessKind, Report, TestCase, TestCaseStatus, TestSuite};

use super::{Diagnostic, Severity, visible};
use crate::source::Sources;

/// A whole report. A caller with more to say, such as test results, gives it as further suites.
pub fn junit(
    diagnostics: &[Diagnostic],
    sources: &Sources,
    more: impl IntoIterator<Item = TestSuite>,
) -> String {
    let mut report = Report::new("policy");
    report.add_test_suite(junit_suite(diagnostics, sources));
    report.add_test_suites(more);
    // Writing to a string fails only on a fault of the writer itself; an empty report is then no success.
    report.to_string().unwrap_or_default()
}

/// The findings as one suite.
pub fn junit_suite(diagnostics: &[Diagnostic], sources: &Sources) -> TestSuite {
    let mut suite = TestSuite::new("policy check");
    if diagnostics.is_empty() {
        suite.add_test_case(TestCase::new("no findings", TestCaseStatus::success()));
    }
    suite.add_test_cases(diagnostics.iter().map(|d| case(d, sources)));
    suite
}

fn case(diagnostic: &Diagnostic, sources: &Sources) -> TestCase {
    let place = diagnostic.span().map(|span| {
        let (line, column) = sources.line_column(span);
        (visible(sources.name(span)).into_owned(), line, column)
    });
    let code = diagnostic.code.as_str();
    let name = match &place {
        Some((file, line, column)) => format!("{code} at {file}:{line}:{column}"),
        None => code.to_owned(),
    };
    let mut status = match diagnostic.severity {
        Severity::Error | Severity::Warning => TestCaseStatus::non_success(NonSuccessKind::Failure),
        Severity::Note => TestCaseStatus::success(),
    };
    if diagnostic.severity != Severity::Note {
        let message = visible(&diagnostic.message);
        let mut description = message.to_string();
        for help in &diagnostic.help {
            description.push_str("\nhelp: ");
            description.push_str(&visible(&help.text));
        }
        status.set_message(&*message).set_type(code).set_description(description);
    }
    let mut case = TestCase::new(name, status);
    if let Some((file, line, _)) = place {
        case.extra.insert("file".into(), file.into());
        case.extra.insert("line".into(), line.to_string().into());
    }
    case
}
