//! Denials that do not say why.

use super::lintable::Lintable;
use super::{Sink, lint};
use crate::file::RuleKindFile;

lint! {
    /// ## What it does
    ///
    /// Finds a `deny_by_name` without `reason` that has conditions or patterns. A blank reason does not load at all.
    ///
    /// ## Why this is bad
    ///
    /// The model is told `{tool} is not allowed.`, which is not true of a rule that denies some calls of a tool, and
    /// does not say why where a pattern denies several. A model that knows the reason does not try again.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["delete_*"]  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["delete_*"]
    /// reason = "Deleting is not allowed: mark things as done instead."
    /// [[rules]]
    /// deny_by_name = ["merge_pull_request"]
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    BLANK_OR_MISSING_REASON = Warn "blank-or-missing-reason": "a denial that does not say why"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for rule in &lintable.rules {
        let RuleKindFile::DenyByName(names) = &rule.written.kind else { continue };
        let plain = !rule.is_conditional() && rule.globs().all(|(_, glob)| glob.is_literal());
        if rule.written.reason.is_some() || plain || names.is_empty() {
            continue;
        }
        sink.push(
            BLANK_OR_MISSING_REASON
                .finding(format!("rule `{}` denies without a reason", rule.id()))
                .at(rule.written.kind_span, "the model is told `{tool} is not allowed.`")
                .help("add `reason = \"…\"`: why, and what to do instead"),
        );
    }
}
