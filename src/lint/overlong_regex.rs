//! Regular expressions that nobody can read, or that grow large.

use super::lintable::Lintable;
use super::{Sink, lint};
use crate::file::{CommandFile, ConditionsFile, ValueTest};
use crate::source::Spanned;

lint! {
    /// ## What it does
    ///
    /// Finds a regular expression of more than 256 bytes, and one with a counted repetition inside another.
    ///
    /// ## Why this is bad
    ///
    /// Such a pattern cannot be reviewed. Counted repetitions multiply: `(a{1,100}){1,100}` is a matcher of ten thousand
    /// states.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["send_mail"]
    /// when.args.to = { regex = '([a-z]{1,20}[.]){1,20}example' }  # here
    /// reason = "Not to the outside."
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["send_mail"]
    /// when.args.to = { regex = '@[a-z0-9.-]+[.]example$' }
    /// reason = "Not to the outside."
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    OVERLONG_REGEX = Warn "overlong-regex": "a regex that is too long to read, or multiplies repetitions"
}

const MAX_BYTES: usize = 256;

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for (_, table, _) in lintable.rules.iter().flat_map(|rule| rule.tables().collect::<Vec<_>>()) {
        for regex in regexes(table) {
            let (what, help) = if regex.value.len() > MAX_BYTES {
                let what = format!("this regex is {} bytes long", regex.value.len());
                (what, "split it: one of several patterns is enough to match")
            } else if nested_counts(&regex.value) {
                let what = "a counted repetition inside another".to_owned();
                (what, "use `+` or `*` in one of the two places")
            } else {
                continue;
            };
            sink.push(OVERLONG_REGEX.finding(what).at(regex.span, "hard to review").help(help));
        }
    }
}

fn regexes(table: &ConditionsFile) -> Vec<&Spanned<String>> {
    fn of(test: &ValueTest) -> impl Iterator<Item = &Spanned<String>> {
        test.regex.iter().flat_map(|list| list.iter())
    }
    let preview = &table.confirmation;
    let previews = [&preview.file_name, &preview.file_diff, &preview.title];
    let commands = table.runs.iter().flat_map(|list| list.iter()).filter_map(|item| match item {
        CommandFile::Table(table) => table.regex.as_ref(),
        CommandFile::Pattern(_) => None,
    });
    let args = table.args.iter().flat_map(|arg| of(&arg.test));
    args.chain(previews.into_iter().flatten().map(Box::as_ref).flat_map(of))
        .chain(commands.flat_map(|list| list.iter()))
        .collect()
}

/// Whether a group that is repeated by count has a counted repetition in it.
fn nested_counts(regex: &str) -> bool {
    // For each open group, whether a counted repetition was seen in it.
    let mut groups = vec![false];
    let mut closed = false;
    let mut chars = regex.chars().peekable();
    let mut in_class = false;
    while let Some(c) = chars.next() {
        let was_closed = std::mem::take(&mut closed);
        match c {
            '\\' => {
                chars.next();
            }
            '[' if !in_class => in_class = true,
            ']' => in_class = false,
            _ if in_class => {}
            '(' => groups.push(false),
            ')' => {
                let inner = groups.pop().unwrap_or(false);
                if groups.is_empty() {
                    groups.push(false);
                }
                closed = inner;
                if let Some(outer) = groups.last_mut() {
                    *outer |= inner;
                }
            }
            '{' if chars.peek().is_some_and(char::is_ascii_digit) => {
                if was_closed {
                    return true;
                }
                if let Some(group) = groups.last_mut() {
                    *group = true;
                }
            }
            _ => {}
        }
    }
    false
}
