//! Names that are all names.

use super::lintable::Lintable;
use super::{Sink, lint};
use crate::file::RuleKindFile;
use crate::pattern::coverage::{BUDGET, Coverage, covered};
use crate::pattern::name::NameGlob;

lint! {
    /// ## What it does
    ///
    /// Finds an `allow_by_name` without conditions whose names cover every tool.
    ///
    /// ## Why this is bad
    ///
    /// It allows everything that no denial stops, and reads like a list of some tools. `allow_by_default` says so.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_name = ["*"]  # here
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_name = ["*"]
    /// when.mode = ["yolo"]
    /// [[rules]]
    /// allow_by_default = true
    /// ```
    ALLOW_EVERYTHING_BY_NAME = Warn "allow-everything-by-name": "an allow rule whose names are all names"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    let everything = NameGlob::new("*");
    for rule in &lintable.rules {
        let RuleKindFile::AllowByName(names) = &rule.written.kind else { continue };
        let globs: Vec<&NameGlob> = rule.rule.names().unwrap_or_default().iter().collect();
        if rule.is_conditional() || covered(&everything, &globs, BUDGET / 10) != Coverage::Yes {
            continue;
        }
        sink.push(
            ALLOW_EVERYTHING_BY_NAME
                .finding(format!("rule `{}` allows every tool by its name", rule.id()))
                .at(rule.written.kind_span.to(names.span), "every name matches")
                .help("write `allow_by_default = true`, or name the tools"),
        );
    }
}
