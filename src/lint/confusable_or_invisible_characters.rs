//! Characters that a reader does not see, or takes for others.

use std::path::Path;

use super::lintable::Lintable;
use super::{Lint, Sink, lint};
use crate::diagnostic::Diagnostic;
use crate::file::tree::{self, Format, Kind, Node};
use crate::source::Span;

lint! {
    /// ## What it does
    ///
    /// Finds, in patterns, names and reasons: characters that are not visible or turn the direction of writing, and
    /// letters of other scripts that look like Latin ones, in words that can be taken for Latin. In prose only words that mix scripts
    /// count. Tests are not looked at.
    ///
    /// ## Why this is bad
    ///
    /// A pattern with a Cyrillic `а` matches nothing that a reader would expect, and an invisible character makes two
    /// names that look alike different. Both are ways to slip a rule past a review.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["dеlete_user"]  # here
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
    /// reason = "Удаление запрещено."
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    CONFUSABLE_OR_INVISIBLE_CHARACTERS = Warn "confusable-or-invisible-characters":
        "a character that is not visible, or looks like another"
}

/// Letters of other scripts, and the Latin ones that they look like.
const LOOKALIKES: &[(char, char)] = &[
    ('а', 'a'),
    ('А', 'A'),
    ('В', 'B'),
    ('с', 'c'),
    ('С', 'C'),
    ('ԁ', 'd'),
    ('е', 'e'),
    ('Е', 'E'),
    ('һ', 'h'),
    ('Н', 'H'),
    ('і', 'i'),
    ('І', 'I'),
    ('ј', 'j'),
    ('Ј', 'J'),
    ('К', 'K'),
    ('ӏ', 'l'),
    ('М', 'M'),
    ('о', 'o'),
    ('О', 'O'),
    ('р', 'p'),
    ('Р', 'P'),
    ('ԛ', 'q'),
    ('ѕ', 's'),
    ('Ѕ', 'S'),
    ('Т', 'T'),
    ('ԝ', 'w'),
    ('х', 'x'),
    ('Х', 'X'),
    ('у', 'y'),
    ('У', 'Y'),
    ('α', 'a'),
    ('Α', 'A'),
    ('Β', 'B'),
    ('Ε', 'E'),
    ('Ζ', 'Z'),
    ('Η', 'H'),
    ('ι', 'i'),
    ('Ι', 'I'),
    ('κ', 'k'),
    ('Κ', 'K'),
    ('Μ', 'M'),
    ('ν', 'v'),
    ('Ν', 'N'),
    ('ο', 'o'),
    ('Ο', 'O'),
    ('ρ', 'p'),
    ('Ρ', 'P'),
    ('Τ', 'T'),
    ('υ', 'u'),
    ('Υ', 'Y'),
    ('Χ', 'X'),
    ('ϲ', 'c'),
    ('օ', 'o'),
    ('ս', 'u'),
    ('հ', 'h'),
    ('ո', 'n'),
    ('ⅼ', 'l'),
    ('ı', 'i'),
    ('ɡ', 'g'),
    ('ɑ', 'a'),
    ('‐', '-'),
    ('‑', '-'),
    ('‒', '-'),
    ('–', '-'),
    ('—', '-'),
    ('−', '-'),
    ('﹣', '-'),
    ('－', '-'),
    ('∕', '/'),
    ('⁄', '/'),
    ('／', '/'),
    ('․', '.'),
    ('．', '.'),
    ('＊', '*'),
    ('∗', '*'),
    ('＿', '_'),
    ('：', ':'),
    ('꞉', ':'),
    ('？', '?'),
    ('＠', '@'),
];

/// Keys whose values are prose.
const PROSE: &[&str] = &["reason", "description", "question"];

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for file in lintable.files {
        let Some(source) = lintable.sources().get(file.source).filter(|source| !source.text.is_ascii())
        else {
            continue;
        };
        let formats = match Format::of_path(Path::new(&*source.name)) {
            Some(format) => vec![format],
            None => vec![Format::Toml, Format::Yaml, Format::Json],
        };
        let Some(tree) =
            formats.into_iter().find_map(|format| tree::read(&source.text, format, file.source).ok())
        else {
            continue;
        };
        let Kind::Map(entries) = &tree.kind else { continue };
        for entry in entries.iter().filter(|entry| entry.key.value != "tests") {
            look(&entry.value, PROSE.contains(&entry.key.as_str()), sink);
        }
    }
}

/// Looks at every text below a node. The tree is of bounded depth.
fn look(node: &Node, prose: bool, sink: &mut Sink) {
    match &node.kind {
        Kind::Str(text) => judge(text, node.span, prose, sink),
        Kind::List(items) => items.iter().for_each(|item| look(item, prose, sink)),
        Kind::Map(entries) => {
            for entry in entries {
                judge(&entry.key.value, entry.key.span, false, sink);
                // A condition on `reason` is a word, not prose, but has no other characters either.
                look(&entry.value, PROSE.contains(&entry.key.as_str()), sink);
            }
        }
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => {}
    }
}

fn judge(text: &str, span: Span, prose: bool, sink: &mut Sink) {
    if text.is_ascii() {
        return;
    }
    let lint: &Lint = &CONFUSABLE_OR_INVISIBLE_CHARACTERS;
    let found = text.chars().find(|c| is_invisible(*c) && !(prose && is_joiner(*c))).map(|c| {
        lint.finding(format!("this text has the invisible character {}", code(c)))
            .at(span, "it looks as if it were not there")
            .help("remove it")
    });
    let finding: Option<Diagnostic> = found.or_else(|| {
        let in_word = text
            .split(|c: char| !c.is_alphabetic())
            .filter(|word| fools(word, prose))
            .find_map(first_lookalike);
        let c = in_word.or_else(|| first_lookalike(text).filter(|(c, _)| !prose && !c.is_alphabetic()));
        c.map(|(c, latin)| {
            let place = if prose {
                "a word of several scripts"
            } else {
                "matches no name that is spelled as it looks"
            };
            lint.finding(format!("`{c}` is not `{latin}`: it is {}", code(c)))
                .at(span, place)
                .help(format!("write `{latin}`"))
        })
    });
    if let Some(finding) = finding {
        sink.push(finding);
    }
}

fn code(c: char) -> String {
    format!("U+{:04X}", u32::from(c))
}

fn first_lookalike(text: &str) -> Option<(char, char)> {
    text.chars().find_map(|c| LOOKALIKES.iter().find(|(other, _)| *other == c && !c.is_ascii()).copied())
}

/// Whether a word can be taken for another: it mixes scripts, or outside of prose every letter of it looks like a Latin one.
fn fools(word: &str, prose: bool) -> bool {
    let mixed = word.chars().any(|c| c.is_ascii_alphabetic());
    let looks_latin = || word.chars().all(|c| LOOKALIKES.iter().any(|(other, _)| *other == c));
    mixed || !prose && looks_latin()
}

/// Characters that join others into one, as in pictures and some scripts.
fn is_joiner(c: char) -> bool {
    matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')
}

fn is_invisible(c: char) -> bool {
    c.is_control() && !matches!(c, '\n' | '\r' | '\t')
        || is_joiner(c)
        || matches!(
            c,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'
                ..='\u{180f}'
        )
        || matches!(c, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}')
        || matches!(c, '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e0fff}')
}
