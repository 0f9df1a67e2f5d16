//! What it changes when an environment variable is set for a program.
//!
//! Names are compared as they are: case matters, except where the program that reads a variable does not look at it (`npm_config_*`).

mod table;

use std::collections::HashMap;
use std::sync::LazyLock;

/// What setting a variable changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Effect {
    /// How output looks or how much is told: not what runs, nor which files or hosts are touched.
    Harmless,
    /// Nobody has shown that it is harmless: it names files, or each program gives it its own meaning.
    Unvetted,
    /// Which programs, code or options run, or which files and hosts are meant by commands that do not name them.
    ChangesWhatRuns,
}

/// Names that have the same effect for the same reason.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// What setting one of them changes.
    pub effect: Effect,
    /// Why, in words for a person.
    pub why: &'static str,
    /// Whole names.
    pub names: &'static [&'static str],
    /// Starts of names. A whole name goes before a start, and a longer start before a shorter.
    pub prefixes: &'static [&'static str],
}

/// The table, group by group.
pub fn groups() -> &'static [Group] {
    table::GROUPS
}

/// What setting the variable changes, whatever its value.
pub fn effect(name: &str) -> Effect {
    find(name).map_or(Effect::Unvetted, |group| group.effect)
}

/// Why that is so, in words for a person.
pub fn why(name: &str) -> &'static str {
    find(name).map_or("nobody has looked at what it changes", |group| group.why)
}

/// Whether the text of the variable is a command that programs run.
pub fn is_command(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "AWS_PAGER",
        "BAT_PAGER",
        "BROWSER",
        "EDITOR",
        "FCEDIT",
        "FZF_DEFAULT_COMMAND",
        "GH_EDITOR",
        "GH_PAGER",
        "GIT_ASKPASS",
        "GIT_EDITOR",
        "GIT_EXTERNAL_DIFF",
        "GIT_PAGER",
        "GIT_PROXY_COMMAND",
        "GIT_SEQUENCE_EDITOR",
        "GIT_SSH",
        "GIT_SSH_COMMAND",
        "KUBE_EDITOR",
        "LESSCLOSE",
        "LESSOPEN",
        "MANPAGER",
        "PAGER",
        "PROMPT_COMMAND",
        "PSQL_PAGER",
        "RSYNC_RSH",
        "SSH_ASKPASS",
        "SUDO_ASKPASS",
        "SUDO_EDITOR",
        "SYSTEMD_PAGER",
        "VISUAL",
    ];
    NAMES.contains(&name)
}

/// Whether under this variable the name of a program may be another program, or code runs before it, so that nobody can tell what runs.
pub fn replaces_programs(name: &str) -> bool {
    const NAMES: &[&str] = &["BASHOPTS", "BASH_ENV", "ENV", "PATH", "PROMPT_COMMAND", "PS4", "SHELLOPTS"];
    NAMES.contains(&name) || ["BASH_FUNC_", "DYLD_", "LD_"].iter().any(|start| name.starts_with(start))
}

/// What setting the variable to this value changes, where a value is known to do nothing (`PAGER=cat`, `GIT_EDITOR=true`).
pub fn effect_of_value(name: &str, value: &str) -> Effect {
    let harmless =
        table::HARMLESS_VALUES.iter().any(|(names, values)| names.contains(&name) && values.contains(&value));
    if harmless { Effect::Harmless } else { effect(name) }
}

/// The table, filed for lookup.
struct Filed {
    names: HashMap<&'static str, &'static Group>,
    /// By their first letter, small.
    prefixes: HashMap<u8, Vec<(&'static str, &'static Group)>>,
}

static FILED: LazyLock<Filed> = LazyLock::new(|| {
    // Where two groups have a name, the first counts.
    let names = groups().iter().rev().flat_map(|group| group.names.iter().map(move |name| (*name, group)));
    let mut prefixes = HashMap::<u8, Vec<_>>::new();
    for (prefix, group) in groups().iter().flat_map(|group| group.prefixes.iter().map(move |p| (*p, group))) {
        prefixes.entry(first_letter(prefix)).or_default().push((prefix, group));
    }
    Filed { names: names.collect(), prefixes }
});

fn first_letter(text: &str) -> u8 {
    text.bytes().next().unwrap_or_default().to_ascii_lowercase()
}

fn find(name: &str) -> Option<&'static Group> {
    if let Some(group) = FILED.names.get(name) {
        return Some(group);
    }
    let starts = FILED.prefixes.get(&first_letter(name)).into_iter().flatten();
    let fitting = starts.filter(|(prefix, _)| starts_with(name, prefix));
    fitting.max_by_key(|(prefix, _)| prefix.len()).map(|(_, group)| *group)
}

fn starts_with(name: &str, prefix: &str) -> bool {
    let any_case = prefix == table::NPM;
    name.as_bytes().get(..prefix.len()).is_some_and(|start| {
        start == prefix.as_bytes() || (any_case && start.eq_ignore_ascii_case(prefix.as_bytes()))
    })
}

#[cfg(test)]
mod tests;
