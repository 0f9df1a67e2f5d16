//! Whether an awk program does more than print.

use super::super::work::Work;
use super::super::{Access, InnerKind};
use crate::facts::word::Word;

/// A program text.
pub(in super::super) fn awk(work: &mut Work<'_>, program: &Word) {
    let found = program.literal().and_then(|text| {
        let chars: Vec<char> = text.chars().collect();
        Scanner { chars: &chars, at: 0, writes: Vec::new() }.scan()
    });
    let Some(writes) = found else {
        work.u.unknown_reads = true;
        work.u.unknown_writes = true;
        work.runs(InnerKind::Code(program.clone()), "the program does more than print");
        return;
    };
    for file in writes {
        match file {
            Some(file) if matches!(file.as_str(), "/dev/stdout" | "/dev/stderr") => {}
            Some(file) => {
                work.file(&Word::text(file), Access::Write, false, false);
                work.object("the program writes a file");
            }
            None => {
                work.u.unknown_writes = true;
                work.object("the program writes a file");
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Last {
    /// A `/` now starts a pattern.
    Operator,
    /// A `/` now divides.
    Operand,
    /// A `)`: either.
    Closing,
}

struct Scanner<'a> {
    chars: &'a [char],
    at: usize,
    writes: Vec<Option<String>>,
}

impl Scanner<'_> {
    fn peek(&self, ahead: usize) -> Option<char> {
        self.chars.get(self.at + ahead).copied()
    }

    /// The files it writes; `None` where it runs something, reads something else, or is not understood.
    fn scan(mut self) -> Option<Vec<Option<String>>> {
        let mut last = Last::Operator;
        let mut depth = 0_u32;
        // The depth at which a `print` stands, whose `>` is a redirection.
        let mut print: Option<u32> = None;
        while let Some(c) = self.peek(0) {
            self.at += 1;
            match c {
                ' ' | '\t' | '\r' => {}
                '\\' => {
                    // A continued line; nothing else has a backslash.
                    (self.peek(0)? == '\n').then_some(())?;
                    self.at += 1;
                }
                '\n' | ';' | '{' | '}' => {
                    if c != '\n' || depth == 0 {
                        print = None;
                    }
                    last = Last::Operator;
                }
                '#' => {
                    while self.peek(0).is_some_and(|c| c != '\n') {
                        self.at += 1;
                    }
                }
                '"' => {
                    self.string()?;
                    last = Last::Operand;
                }
                '/' => match last {
                    Last::Operator => {
                        self.pattern()?;
                        last = Last::Operand;
                    }
                    Last::Operand => last = Last::Operator,
                    Last::Closing => {
                        self.surely_same()?;
                        last = Last::Operator;
                    }
                },
                '(' => {
                    depth += 1;
                    last = Last::Operator;
                }
                ')' => {
                    depth = depth.checked_sub(1)?;
                    last = Last::Closing;
                }
                ']' => last = Last::Operand,
                '|' => {
                    // `||` only; a pipe runs a command.
                    (self.peek(0)? == '|').then_some(())?;
                    self.at += 1;
                    last = Last::Operator;
                }
                '>' => {
                    if self.peek(0) == Some('=') && print != Some(depth) {
                        self.at += 1;
                    } else if print == Some(depth) {
                        let file = self.redirection();
                        self.writes.push(file);
                    }
                    last = Last::Operator;
                }
                '@' | '`' | '\'' => return None,
                _ if c.is_ascii_alphabetic() || c == '_' => last = self.word(depth, &mut print)?,
                _ if c.is_ascii_digit() || c == '.' => last = Last::Operand,
                '+' | '-' if self.peek(0) == Some(c) => {
                    // `x++ / 2`; a pattern cannot follow `++`.
                    self.at += 1;
                    last = if last == Last::Operator { Last::Operator } else { Last::Operand };
                }
                '$' | '+' | '-' | '*' | '%' | '^' | '!' | '<' | '=' | '~' | '?' | ':' | ',' | '&' | '[' => {
                    last = Last::Operator;
                }
                _ => return None,
            }
        }
        (depth == 0).then_some(self.writes)
    }

    fn word(&mut self, depth: u32, print: &mut Option<u32>) -> Option<Last> {
        let from = self.at - 1;
        while self.peek(0).is_some_and(|c| c.is_ascii_alphanumeric() || c == '_') {
            self.at += 1;
        }
        let word: String = self.chars.get(from..self.at)?.iter().collect();
        Some(match word.as_str() {
            // Run a command, read a file that the words do not name, load code, or reach these by another name.
            "system" | "getline" | "extension" | "ARGV" | "ARGC" | "SYMTAB" | "FUNCTAB" => return None,
            "print" | "printf" => {
                *print = Some(depth);
                Last::Operator
            }
            "in" | "return" | "else" | "do" | "case" | "delete" | "exit" | "BEGIN" | "END" => Last::Operator,
            _ => Last::Operand,
        })
    }

    fn string(&mut self) -> Option<String> {
        let mut text = String::new();
        loop {
            let c = self.peek(0)?;
            self.at += 1;
            match c {
                '"' => return Some(text),
                '\\' => {
                    text.push(c);
                    text.push(self.peek(0)?);
                    self.at += 1;
                }
                '\n' => return None,
                _ => text.push(c),
            }
        }
    }

    fn pattern(&mut self) -> Option<()> {
        let mut in_brackets = false;
        loop {
            let c = self.peek(0)?;
            self.at += 1;
            match c {
                '\\' => {
                    self.peek(0)?;
                    self.at += 1;
                }
                '\n' => return None,
                '[' => in_brackets = true,
                ']' => in_brackets = false,
                // In brackets, some versions end the pattern here and others do not.
                '/' => return (!in_brackets).then_some(()),
                _ => {}
            }
        }
    }

    /// After `)`, a `/` may divide or start a pattern; goes on where both readings come to the same.
    fn surely_same(&self) -> Option<()> {
        let rest = self.chars.get(self.at..)?;
        let line = rest.iter().take_while(|c| **c != '\n');
        let mut between = Vec::new();
        for c in line {
            if *c == '/' {
                return between
                    .iter()
                    .all(|c| !matches!(c, '"' | '#' | '\\' | '[' | '>' | '|'))
                    .then_some(());
            }
            between.push(*c);
        }
        Some(())
    }

    /// The target of `>` or `>>`, where it is one certain string.
    fn redirection(&mut self) -> Option<String> {
        while self.peek(0).is_some_and(|c| matches!(c, '>' | ' ' | '\t')) {
            self.at += 1;
        }
        if self.peek(0)? != '"' {
            return None;
        }
        self.at += 1;
        let text = self.string()?;
        let rest = self.chars.get(self.at..)?.iter().find(|c| !matches!(c, ' ' | '\t'));
        let alone = matches!(rest, None | Some('\n' | ';' | '}' | '#'));
        (alone && !text.contains('\\')).then_some(text)
    }
}
