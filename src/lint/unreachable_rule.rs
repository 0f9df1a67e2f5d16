//! Rules that no call reaches.

use super::lintable::{Lintable, RuleView};
use super::{Sink, lint};

lint! {
    /// ## What it does
    ///
    /// Finds a rule that never decides: for every name that it matches, an earlier rule decides first, under no conditions or under
    /// conditions that hold whenever its own do. Denials come before all others. Names are compared exactly, also where several
    /// patterns cover one together; where that would take too long the lint says nothing.
    ///
    /// ## Why this is bad
    ///
    /// The rule does nothing, and looks as if it did.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_name = ["read_*"]
    /// [[rules]]
    /// allow_by_name = ["read_file"]  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_name = ["read_*"]
    /// when.mode = ["yolo"]
    /// [[rules]]
    /// allow_by_name = ["read_file"]
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    UNREACHABLE_RULE = Warn "unreachable-rule": "a rule that no call reaches"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for dead in lintable.dead() {
        let Some(rule) = lintable.rules.get(dead.rule) else { continue };
        let by: Vec<&RuleView<'_>> = dead.by.iter().filter_map(|i| lintable.rules.get(*i)).collect();
        // An allow behind a question is told where the question stands.
        if rule.allows() && by.iter().any(|rule| rule.rule.asks()) {
            continue;
        }
        let names: Vec<String> = by.iter().take(3).map(|rule| format!("`{}`", rule.id())).collect();
        let (rules, verb) = if by.len() == 1 { ("rule", "decides") } else { ("rules", "decide") };
        let more = if by.len() > 3 { format!(" and {} more", by.len() - 3) } else { String::new() };
        let message =
            format!("rule `{}` never decides: {rules} {}{more} {verb} first", rule.id(), names.join(", "));
        let mut finding =
            UNREACHABLE_RULE.finding(message).at(rule.written.kind_span, "no call comes this far");
        for first in by.iter().take(3) {
            let what = if first.rule.denies() && !rule.rule.denies() {
                "denies every such call, and denials come first"
            } else {
                "decides every such call"
            };
            finding = finding.also(first.written.kind_span, what);
        }
        sink.push(finding.help("remove it, put it before what decides first, or narrow that"));
    }
}
