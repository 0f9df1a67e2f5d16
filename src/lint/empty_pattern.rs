//! Lists and patterns with nothing in them.

use super::lintable::Lintable;
use super::{Sink, lint};
use crate::file::RuleKindFile;

lint! {
    /// ## What it does
    ///
    /// Finds a rule with an empty list of names, and the empty pattern `""`.
    ///
    /// ## Why this is bad
    ///
    /// Neither matches any call. A denial that matches nothing looks like protection.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = []  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["delete_user"]
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    EMPTY_PATTERN = Warn "empty-pattern": "a list of names, or a name, with nothing in it"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for rule in &lintable.rules {
        match &rule.written.kind {
            RuleKindFile::DenyByName(names) | RuleKindFile::AllowByName(names) if names.is_empty() => sink
                .push(
                    EMPTY_PATTERN
                        .finding(format!("rule `{}` has no names, so it decides nothing", rule.id()))
                        .at(rule.written.kind_span.to(names.span), "no name matches")
                        .help("name the tools, such as `[\"delete_*\"]`; `[\"*\"]` is every tool"),
                ),
            RuleKindFile::DenyByName(_)
            | RuleKindFile::AllowByName(_)
            | RuleKindFile::AllowByReadOnly { .. }
            | RuleKindFile::DecideByHuman { .. }
            | RuleKindFile::AllowByDefault => {}
        }
        for (key, names) in rule.name_lists() {
            for name in names.iter().filter(|name| name.value.is_empty()) {
                sink.push(
                    EMPTY_PATTERN
                        .finding(format!("an empty pattern under `{key}` matches nothing"))
                        .at(name.span, "no name is empty")
                        .help("write a name, or remove it"),
                );
            }
        }
    }
}
