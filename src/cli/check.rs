//! `policy check`: loads, lints and tests policies.

use quick_junit::{NonSuccessKind, TestCase, TestCaseStatus, TestSuite};

use super::args::{CheckArgs, FailOn, Format};
use super::checked::{Checked, Counts, Wish, add};
use super::discover;
use super::output::{Done, GREEN, Io, RED, Status, YELLOW};
use crate::diagnostic::{self, Report, visible};

pub(super) fn run(args: &CheckArgs, io: &mut Io) -> Done {
    let workspace = args.workspace.as_deref().map(|path| discover::folder_text(path, false)).transpose()?;
    let wish = Wish { workspace: workspace.as_deref(), ..Wish::default() };
    let mut counts = Counts::default();
    let mut findings = Report::default();
    let mut failures = Report::default();
    let mut cases = Vec::new();
    let mut unread = false;
    for path in discover::named(&args.paths)? {
        let checked = Checked::of(&path, wish);
        counts.add(&checked);
        unread |= checked.unread;
        add(&mut failures, checked.failures());
        cases.extend(checked.suite.into_iter().map(|suite| junit_suite(&path.display().to_string(), &suite)));
        add(&mut findings, checked.findings);
    }
    if args.format == Format::Junit {
        write!(io.out, "{}", diagnostic::junit(&findings.diagnostics, &findings.sources, cases))?;
    } else {
        add(&mut findings, failures);
        let Report { diagnostics, sources } = &findings;
        let text = match args.format {
            Format::Human => diagnostic::human(diagnostics, sources, io.colour),
            Format::Plain => diagnostic::plain(diagnostics, sources),
            Format::Json => diagnostic::json(diagnostics, sources),
            Format::Sarif => diagnostic::sarif(diagnostics, sources, lint_page),
            Format::Github => diagnostic::github(diagnostics, sources),
            Format::Junit => String::new(),
        };
        write!(io.out, "{text}")?;
    }
    let found = counts.errors + counts.failed > 0 || args.fail_on == FailOn::Warning && counts.warnings > 0;
    match args.format {
        Format::Human | Format::Plain | Format::Github => {
            let style = match (counts.errors + counts.failed, counts.warnings) {
                (0, 0) => GREEN,
                (0, _) => YELLOW,
                (_, _) => RED,
            };
            let line = if args.format == Format::Human {
                io.styled(style, &counts.to_string())
            } else {
                counts.to_string()
            };
            writeln!(io.out, "{line}")?;
        }
        // Nothing but the document goes where a program reads it.
        Format::Json | Format::Sarif | Format::Junit => io.say(&counts.to_string()),
    }
    Ok(match (unread, found) {
        (true, _) => Status::Failed,
        (false, true) => Status::Findings,
        (false, false) => Status::Fine,
    })
}

/// The tests of a policy as JUnit sees them.
fn junit_suite(name: &str, suite: &crate::suite::SuiteReport) -> TestSuite {
    let mut out = TestSuite::new(format!("policy test {}", visible(name)));
    for case in &suite.cases {
        let status = if case.passed {
            TestCaseStatus::success()
        } else {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            let message: Vec<_> = case.problems.iter().map(|p| visible(&p.message)).collect();
            status.set_message(message.join("; "));
            status
        };
        out.add_test_case(TestCase::new(visible(&case.name).into_owned(), status));
    }
    out
}

fn lint_page(name: &str) -> Option<(&'static str, String)> {
    crate::lint::find(name).map(|lint| (lint.summary, lint.page()))
}
