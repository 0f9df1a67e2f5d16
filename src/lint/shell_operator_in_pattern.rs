//! Command patterns that are written like a line of shell.

use super::lintable::Lintable;
use super::{Sink, lint};
use crate::file::CommandFile;

/// Words that join commands or send their output somewhere. `;` may end the command of `find -exec`.
const OPERATORS: [&str; 14] =
    ["|", "||", "|&", "&", "&&", ">", ">>", ">|", "<", "<<", "<<<", "&>", "2>", "2>&1"];

lint! {
    /// ## What it does
    ///
    /// Finds command patterns with a bare `|`, `&&`, `>` or the like among their words.
    ///
    /// ## Why this is bad
    ///
    /// Each command of a line is matched by itself, without its redirections, so no command has such a word unless it is quoted: a
    /// denial of `curl * | sh` stops nothing. What a redirection names is under `reads` and `writes`.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["Bash"]
    /// when.runs = ["curl * | sh"]  # here
    /// reason = "Nothing is fetched and run."
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["Bash"]
    /// when.runs = ["curl *", "sh", "grep '|' *"]
    /// reason = "Nothing is fetched and run."
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    SHELL_OPERATOR_IN_PATTERN = Warn "shell-operator-in-pattern": "a command pattern that is written like a line of shell"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    let items = lintable
        .rules
        .iter()
        .flat_map(|rule| rule.tables().collect::<Vec<_>>())
        .flat_map(|(_, table, _)| table.runs.iter().flat_map(|list| list.iter()));
    for item in items {
        let pattern = match item {
            CommandFile::Pattern(pattern) => pattern,
            CommandFile::Table(table) => match &table.command {
                Some(words) => words,
                None => continue,
            },
        };
        let Some(operator) = pattern.value.split_whitespace().find(|word| OPERATORS.contains(word)) else {
            continue;
        };
        sink.push(
            SHELL_OPERATOR_IN_PATTERN
                .finding(format!("no command has the word `{operator}`, as the shell takes it away"))
                .at(pattern.span, "a pattern is one command")
                .help("write a pattern for each command; files of redirections stand under `reads` and `writes`; a word that really is this goes in quotes"),
        );
    }
}
