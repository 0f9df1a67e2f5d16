//! A denial that stands after an allow of the same names.

use super::dead::meet;
use super::lintable::Lintable;
use super::{Sink, lint};

lint! {
    /// ## What it does
    ///
    /// Finds a `deny_by_name` that stands after a rule which allows some of the same names.
    ///
    /// ## Why this is bad
    ///
    /// Nothing is decided wrongly: every denial comes first, wherever it stands. But the list reads as if the allow came
    /// before it.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_name = ["github__*"]
    /// [[rules]]
    /// deny_by_name = ["github__merge"]  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["github__merge"]
    /// [[rules]]
    /// allow_by_name = ["github__*"]
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    MISORDERED_DENY = Warn "misordered-deny": "a denial that stands after an allow of the same names"
}

/// Pairs of names that are compared at most.
const MANY: usize = 500_000;

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    let mut pairs = 0;
    for (index, deny) in lintable.rules.iter().enumerate().filter(|(_, rule)| rule.rule.denies()) {
        let earlier = lintable.rules.iter().take(index).filter(|rule| rule.allows());
        // What an extended file denies stands after this file's rules by nature.
        let mut same_file = earlier.filter(|rule| rule.file.source == deny.file.source);
        let overlap = same_file.find(|allow| {
            let names = deny.rule.names().unwrap_or_default();
            pairs += names.len() * allow.rule.names().map_or(1, <[_]>::len);
            pairs <= MANY && allow.rule.names().map_or(!names.is_empty(), |allowed| meet(allowed, names))
        });
        let Some(allow) = overlap else { continue };
        sink.push(
            MISORDERED_DENY
                .finding(format!("rule `{}` stands after an allow, and decides before it", deny.id()))
                .at(deny.written.kind_span, "every denial comes first, wherever it stands")
                .also(allow.written.kind_span, "allows some of the same names")
                .help("put denials at the top of the list, where they take effect"),
        );
    }
}
