//! The ids of the rules of one list.

use std::collections::HashMap;

use crate::diagnostic::{Code, Diagnostic};
use crate::file::{PolicyFile, RuleFile};

/// The id of the rule at `index` in the list.
pub(super) fn id_of(index: usize, rule: &RuleFile) -> String {
    rule.id.as_ref().map_or_else(|| format!("rule-{}", index + 1), |id| id.value.clone())
}

/// Tells of ids that two rules have. Only a list that is `whole` has places to count.
pub(super) fn check(files: &[PolicyFile], whole: bool) -> Vec<Diagnostic> {
    let rules: Vec<_> = files.iter().flat_map(|file| &file.rules).collect();
    let mut problems = Vec::new();
    let mut seen = HashMap::new();
    for id in rules.iter().filter_map(|rule| rule.id.as_ref()) {
        if let Some(first) = seen.insert(id.value.as_str(), id.span) {
            let finding = Diagnostic::error(Code::E0308, format!("two rules have the id `{}`", id.value));
            problems.push(
                finding
                    .at(id.span, "again here")
                    .also(first, "first here")
                    .help("give one of them another id"),
            );
            seen.insert(id.value.as_str(), first);
        }
    }
    if whole {
        for (index, rule) in rules.iter().enumerate().filter(|(_, rule)| rule.id.is_none()) {
            let default = id_of(index, rule);
            if let Some(span) = seen.get(default.as_str()) {
                let message = format!("`{default}` is the id of another rule, which has none of its own");
                let finding = Diagnostic::error(Code::E0309, message).at(*span, "this id");
                let finding = finding.also(rule.kind_span, format!("rule {} of the list", index + 1));
                problems.push(finding.help("give one of them an id that says what the rule does"));
            }
        }
    }
    problems
}
