//! Sets of commands that nobody uses.

use std::collections::HashSet;

use super::lintable::Lintable;
use super::{Sink, lint};
use crate::file::{CommandFile, CommandSetFile};

lint! {
    /// ## What it does
    ///
    /// Finds a set under `command_sets` that no rule and no other set names.
    ///
    /// ## Why this is bad
    ///
    /// It does nothing. Often the rule that was to use it has the name without the `@`.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// undecided = { reason = "Only tests may run." }
    /// [command_sets]
    /// tests = ["cargo test *"]  # here
    /// [[rules]]
    /// allow_by_name = ["Bash"]
    /// when.runs = ["tests"]
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// undecided = { reason = "Only tests may run." }
    /// [command_sets]
    /// tests = ["cargo test *"]
    /// [[rules]]
    /// allow_by_name = ["Bash"]
    /// when.runs = ["@tests"]
    /// ```
    UNUSED_COMMAND_SET = Warn "unused-command-set": "a set of commands that no rule uses"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    let in_rules = lintable
        .rules
        .iter()
        .flat_map(|rule| rule.tables().collect::<Vec<_>>())
        .flat_map(|(_, table, _)| table.runs.iter().flat_map(|list| list.iter()));
    let sets = || lintable.files.iter().flat_map(|file| file.command_sets.iter());
    let in_sets = sets().flat_map(|(_, set)| match set {
        CommandSetFile::List(list) => list.iter().collect::<Vec<_>>(),
        CommandSetFile::Change(change) => {
            change.add.iter().chain(&change.remove).flat_map(|list| list.iter()).collect()
        }
    });
    let used: HashSet<&str> = in_rules
        .chain(in_sets)
        .filter_map(|item| match item {
            CommandFile::Pattern(pattern) => pattern.value.strip_prefix('@'),
            CommandFile::Table(_) => None,
        })
        .collect();
    let own = lintable.files.first().map(|file| file.source);
    for (name, set) in sets().filter(|(name, _)| Some(name.span.source) == own) {
        // A change to a built-in set also changes what is read-only.
        if matches!(set, CommandSetFile::Change(_)) || used.contains(name.as_str()) {
            continue;
        }
        sink.push(
            UNUSED_COMMAND_SET
                .finding(format!("no rule uses the set `{}`", name.value))
                .at(name.span, "not used")
                .help(format!("write `\"@{}\"` where a command pattern may stand, or remove it", name.value)),
        );
    }
}
