//! `policy test`: the tests of policies, and what they reach.

use std::io;
use std::path::Path;

use super::args::TestArgs;
use super::checked::{Checked, Wish};
use super::discover;
use super::output::{BOLD, DIM, Done, GREEN, Io, RED, Status, YELLOW, counted};
use crate::diagnostic::{self, visible};
use crate::suite::{RuleCoverage, SuiteReport};

pub(super) fn run(args: &TestArgs, io: &mut Io) -> Done {
    let workspace = args.workspace.as_deref().map(|path| discover::folder_text(path, false)).transpose()?;
    let wish = Wish { workspace: workspace.as_deref(), filter: args.filter.as_deref(), tests_wanted: true };
    let mut status = Status::Fine;
    let paths = args.path.as_ref().map(|path| vec![path.clone()]).unwrap_or_default();
    for path in discover::named(&paths)? {
        status = status.worse(one(&path, wish, io)?);
    }
    Ok(status)
}

fn one(path: &Path, wish: Wish<'_>, io: &mut Io) -> io::Result<Status> {
    let checked = Checked::of(path, wish);
    let Some(suite) = &checked.suite else {
        io.complain(&checked.findings);
        return Ok(Status::Failed);
    };
    let title = io.styled(BOLD, &visible(&path.display().to_string()));
    writeln!(io.out, "{title}")?;
    for case in &suite.cases {
        let mark = if case.passed { io.styled(GREEN, "ok  ") } else { io.styled(RED, "FAIL") };
        let by = case
            .decided_by
            .as_ref()
            .map(|rule| format!("  <- rule `{}`", visible(&rule.rule)))
            .unwrap_or_default();
        let by = io.styled(DIM, &by);
        writeln!(io.out, "  {mark}  {}{by}", visible(&case.name))?;
    }
    let problems: Vec<_> = suite.diagnostics().cloned().collect();
    if !problems.is_empty() {
        let text = diagnostic::human(&problems, &suite.sources, io.colour);
        write!(io.out, "\n{}\n", text.trim_end())?;
    }
    if wish.filter.is_none() && !suite.cases.is_empty() {
        coverage(suite, io)?;
    }
    let reached = suite.coverage.iter().filter(|rule| rule.hits > 0).count();
    let line = format!(
        "{} passed, {} failed; {reached} of {} reached",
        counted(suite.passed(), "test"),
        suite.failed(),
        counted(suite.coverage.len(), "rule")
    );
    let line = io.styled(if suite.is_ok() { GREEN } else { RED }, &line);
    writeln!(io.out, "\n{line}")?;
    Ok(if suite.is_ok() { Status::Fine } else { Status::Findings })
}

/// How often each rule decided, and which names nothing matched.
fn coverage(suite: &SuiteReport, io: &mut Io) -> io::Result<()> {
    let title = io.styled(BOLD, "reached by the tests");
    writeln!(io.out, "\n{title}")?;
    let width = suite.coverage.iter().map(|c| c.rule.rule.chars().count()).max().unwrap_or(0).min(40);
    for rule in &suite.coverage {
        let RuleCoverage { rule, hits, names, parts, .. } = rule;
        let count = if *hits == 0 { io.styled(YELLOW, "never") } else { format!("{hits:>5}") };
        write!(io.out, "  {count}  {:<width$}  {}", visible(&rule.rule), rule.kind)?;
        let never: Vec<_> = names
            .iter()
            .chain(parts)
            .filter(|n| n.hits == 0)
            .map(|n| format!("`{}`", visible(&n.pattern)))
            .collect();
        if *hits > 0 && !never.is_empty() {
            let text = io.styled(YELLOW, &format!("never: {}", never.join(", ")));
            write!(io.out, "  {text}")?;
        }
        writeln!(io.out)?;
    }
    Ok(())
}
