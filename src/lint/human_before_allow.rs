//! A person is asked before a rule that would allow the call.

use super::lintable::Lintable;
use super::{Sink, lint};

lint! {
    /// ## What it does
    ///
    /// Finds a `decide_by_human` that asks about every call which a later rule would allow without asking.
    ///
    /// ## Why this is bad
    ///
    /// The first rule that matches decides, so the allow never comes to say a word, and the person is asked about things that
    /// somebody meant to be free. Whoever is asked too often stops reading.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// decide_by_human = true  # here
    /// [[rules]]
    /// allow_by_read_only = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_read_only = true
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    HUMAN_BEFORE_ALLOW = Warn "human-before-allow": "a person is asked about what a later rule allows"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for (index, rule) in lintable.rules.iter().enumerate().filter(|(_, rule)| rule.rule.asks()) {
        let silenced = lintable.dead().iter().filter(|dead| dead.by.contains(&index));
        let allows: Vec<_> =
            silenced.filter_map(|dead| lintable.rules.get(dead.rule)).filter(|dead| dead.allows()).collect();
        let Some(first) = allows.first() else { continue };
        let mut finding = HUMAN_BEFORE_ALLOW
            .finding(format!(
                "rule `{}` asks about every call that rule `{}` would allow",
                rule.id(),
                first.id()
            ))
            .at(rule.written.kind_span, "asks first");
        for allow in allows {
            finding = finding.also(allow.written.kind_span, "never decides");
        }
        sink.push(finding.help("put rules that allow before the one that asks about the rest"));
    }
}
