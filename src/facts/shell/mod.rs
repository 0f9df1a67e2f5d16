//! What a bash script would run.
//!
//! The text is parsed exactly, or it is unknown. [`read`] lists every simple command that it may run, in every branch, with its words as far as
//! they are known before.

mod arithmetic;
mod assign;
mod ast;
mod braces;
mod builtins;
mod cursor;
mod expand;
mod options;
mod parse;
mod parse_compound;
mod parse_expansion;
mod parse_heredoc;
mod parse_word;
mod redirections;
mod setters;
mod state;
mod walk;

#[cfg(test)]
mod tests;

use super::word::{Piece, Word};
use std::sync::Arc;

/// What is known before a script starts.
#[derive(Clone, Debug, Default)]
pub struct Start {
    /// Variables whose value is known (`HOME`, `PWD`).
    pub variables: Vec<(String, String)>,
    /// `$1` and on; nothing where they are not known.
    pub positional: Option<Vec<Word>>,
    /// `$0`, where it is known.
    pub name: Option<Word>,
    /// The constructs around the script; it may nest that much less.
    pub depth: usize,
    /// Extended globs are on (`bash -O extglob`).
    pub extglob: bool,
}

/// What a script would run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Script {
    /// Every simple command that it may run, in the order of the text as bash walks it.
    pub commands: Vec<SimpleCommand>,
    /// Where something runs, or may run, that cannot be told.
    pub unknown: Vec<UnknownRun>,
    /// What the shell that ran the script would know afterwards.
    pub changes: Changes,
}

/// A place where something unknown may run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRun {
    /// The bytes of the text.
    pub span: (usize, usize),
    /// Why it is unknown, in words for a person.
    pub why: &'static str,
}

/// What a script leaves behind in the shell that ran it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// Where it is.
    pub cwd: Cwd,
    /// The variables it set.
    pub env: Arc<Vec<Variable>>,
    /// Any variable, function or alias may be otherwise.
    pub forgotten: bool,
}

/// A variable that a script set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variable {
    /// Its name.
    pub name: String,
    /// Its value, where something is known of it.
    pub value: Option<Word>,
    /// The script surely exported it. One that it did not export may have come exported.
    pub exported: bool,
}

/// Where a command runs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cwd {
    /// One of these: each the directories that were gone to since the start, in order; none: where the script started.
    Known(Vec<Vec<Word>>),
    /// Anywhere.
    Unknown,
}

/// Where a command's standard input comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stdin {
    /// From the script's own.
    Inherited,
    /// From these commands of the script.
    Pipe(Arc<[usize]>),
    /// A heredoc (its span: the body's) or here-string; the newline that bash adds to a here-string is not in it.
    Text(Arc<Word>),
    /// A file. An unknown word: something that cannot be told.
    File(Word),
}

/// A simple command, as it would run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimpleCommand {
    /// The program and its arguments, expanded. Empty: only assignments or redirections.
    pub words: Vec<Word>,
    /// The assignments in front of it.
    pub assignments: Vec<Assignment>,
    /// Its redirections. Those of a compound command stand with a command of no words in front of its body.
    pub redirections: Vec<Redirection>,
    /// The bytes of the text that it was written at.
    pub span: (usize, usize),
    /// Where it runs.
    pub cwd: Cwd,
    /// Its standard input.
    pub stdin: Stdin,
    /// The variables that the script set before.
    pub env: Arc<Vec<Variable>>,
    /// Its name was made an alias, a function or a remembered path, so that it is an unknown program.
    pub program_rebound: bool,
    /// Its name is surely a function of the script; what its body runs is listed behind it.
    pub function_call: bool,
    /// It was read by `eval` or `trap` from a text of the script.
    pub via_eval: bool,
    /// Unknown code ran in this shell before: any variable, function or alias may be otherwise.
    pub after_unknown: bool,
}

/// `name=value`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The variable.
    pub name: String,
    /// The value; of an array an unknown word.
    pub value: Word,
    /// `+=`
    pub append: bool,
    /// It sets one element of an array.
    pub element: bool,
    /// It sets a whole array, `name=(…)`.
    pub array: bool,
}

/// A redirection.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirection {
    /// The descriptor in front.
    pub fd: Descriptor,
    /// What it does.
    pub kind: RedirectionKind,
    /// The file, the descriptor, the text.
    pub target: Word,
    /// The bytes of the text that it was written at.
    pub span: (usize, usize),
    /// It names no file that matters: `/dev/null`, a standard stream, a descriptor, a text.
    pub free: bool,
}

/// The descriptor that is redirected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Descriptor {
    /// 0 for what reads, 1 for what writes.
    Default,
    /// Both 1 and 2.
    Both,
    /// This one.
    Number(i32),
    /// A new one, whose number goes to the variable.
    Named(String),
}

/// What a redirection does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectionKind {
    /// `<`
    Read,
    /// `>`, `>|`, `&>`, `>&`
    Write,
    /// `>>`, `&>>`
    Append,
    /// `<>`
    ReadWrite,
    /// `<<`, `<<-`
    Heredoc,
    /// `<<<`
    HereString,
    /// `>&N`, `<&N`
    Duplicate,
    /// `>&-`, `<&-`
    Close,
}

/// Lists what a script would run.
pub fn read(text: &str, start: &Start) -> Script {
    walk::Walker::new(start).script(text)
}

impl SimpleCommand {
    /// The text that it reads from its standard input, where that is surely written in the script itself: a heredoc or here-string, also behind
    /// `cat |`, or what `echo` says. `commands` are those of the script.
    pub fn literal_stdin(&self, commands: &[Self]) -> Option<Word> {
        let mut stdin = &self.stdin;
        for _ in 0..16 {
            match stdin {
                Stdin::Text(word) => return Some((**word).clone()),
                Stdin::Pipe(from) => {
                    let [index] = from.as_ref() else { return None };
                    let source = commands.get(*index)?;
                    let keeps = |r: &Redirection| {
                        matches!(r.kind, RedirectionKind::Heredoc | RedirectionKind::HereString)
                            || r.fd == Descriptor::Number(2) && r.free
                    };
                    if source.program_rebound
                        || source.function_call
                        || source.after_unknown
                        || !source.redirections.iter().all(keeps)
                    {
                        return None;
                    }
                    let words: Vec<_> = source.words.iter().map(Word::literal).collect::<Option<_>>()?;
                    match words.as_slice() {
                        [cat] if cat == "cat" => stdin = &source.stdin,
                        [echo, rest @ ..] if echo == "echo" => {
                            let odd = rest.first().is_some_and(|w| w.starts_with('-'))
                                || rest.iter().any(|w| w.contains('\\'));
                            return (!odd)
                                .then(|| Word { span: source.span, ..Word::text(rest.join(" ") + "\n") });
                        }
                        _ => return None,
                    }
                }
                Stdin::Inherited | Stdin::File(_) => return None,
            }
        }
        None
    }
}

/// A word's pieces with neighbouring texts joined.
fn joined(pieces: Vec<Piece>) -> Vec<Piece> {
    let mut out: Vec<Piece> = Vec::with_capacity(pieces.len());
    for piece in pieces {
        match (out.last_mut(), piece) {
            (_, Piece::Text(text)) if text.is_empty() => {}
            (Some(Piece::Text(last)), Piece::Text(text)) => last.push_str(&text),
            (_, piece) => out.push(piece),
        }
    }
    out
}
