//! Calls about which no rule decides.

use super::lintable::Lintable;
use super::{Sink, lint};
use crate::pattern::coverage::{BUDGET, Coverage, covered};
use crate::pattern::name::NameGlob;
use crate::rule::Kind;

lint! {
    /// ## What it does
    ///
    /// Finds a policy whose rules leave some calls over, and that does not say that this is meant.
    ///
    /// ## Why this is bad
    ///
    /// Such calls are denied with "No permission allowed this call.", which tells the model nothing, and with a warning. Whether they were
    /// forgotten or meant nobody can tell.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_read_only = true  # here
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// undecided = { reason = "Only reading is allowed here." }
    /// [[rules]]
    /// allow_by_read_only = true
    /// ```
    UNDECIDED_CALLS = Warn "undecided-calls": "calls about which no rule decides"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    if lintable.files.iter().any(|file| file.undecided.is_some()) {
        return;
    }
    let everything = NameGlob::new("*");
    let mut decided: Vec<&NameGlob> = Vec::new();
    for rule in lintable.rules.iter().filter(|rule| !rule.is_conditional() && rule.rule.set.is_none()) {
        match &rule.rule.kind {
            Kind::AllowByDefault | Kind::DecideByHuman { .. } => return,
            Kind::DenyByName { names, .. } | Kind::AllowByName { names } => decided.extend(names),
            Kind::AllowByReadOnly { .. } => {}
        }
    }
    if covered(&everything, &decided, BUDGET) == Coverage::Yes {
        return;
    }
    let own = lintable.files.first().map(|file| file.source);
    let last = lintable.rules.iter().rev().find(|rule| Some(rule.file.source) == own);
    let Some(place) = last.map(|rule| rule.written.kind_span).or(lintable.version()) else { return };
    sink.push(
        UNDECIDED_CALLS
            .finding("some calls are decided by no rule")
            .at(place, if last.is_some() { "the last rule leaves calls over" } else { "there is no rule" })
            .help("end with `decide_by_human = true`, or say `undecided = { reason = \"…\" }` if they are to be denied"),
    );
}
