//! What a sed script reads, writes and runs.

use super::super::words::is_literal;
use super::super::work::Work;
use super::super::{Access, InnerKind};
use crate::facts::word::Word;

/// A script, or a piece of one.
pub(in super::super) fn sed(work: &mut Work<'_>, script: &Word) {
    let text = script.literal().map(std::borrow::Cow::into_owned);
    let Some(found) = text.and_then(|text| read(&text)) else {
        work.u.unknown_reads = true;
        work.u.unknown_writes = true;
        let reason =
            if is_literal(script) { "the script is not understood" } else { "the script is not known" };
        work.runs(InnerKind::Code(script.clone()), reason);
        return;
    };
    for file in found.reads {
        if file != "/dev/stdin" {
            work.file(&Word::text(file), Access::Read, false, false);
        }
    }
    for file in found.writes {
        if !matches!(file.as_str(), "/dev/stdout" | "/dev/stderr") {
            work.object("the script writes a file");
            work.file(&Word::text(file), Access::Write, false, false);
        }
    }
    for command in found.runs {
        let what = match command {
            Some(text) => InnerKind::Script(Word::text(text)),
            None => InnerKind::Unknown,
        };
        work.runs(what, "the script runs a command");
    }
}

/// Versions differ in whether a `/` between brackets ends a pattern. Where both readings are scripts, both count.
fn read(text: &str) -> Option<Found> {
    let chars: Vec<char> = text.chars().collect();
    let reader = |brackets| Reader { rest: chars.clone(), at: 0, found: Found::default(), brackets };
    let mut found = reader(true).script()?;
    if text.contains('[')
        && let Some(other) = reader(false).script()
    {
        found.reads.extend(other.reads.into_iter().filter(|r| !found.reads.contains(r)).collect::<Vec<_>>());
        found
            .writes
            .extend(other.writes.into_iter().filter(|w| !found.writes.contains(w)).collect::<Vec<_>>());
        found.runs.extend(other.runs.into_iter().filter(|r| !found.runs.contains(r)).collect::<Vec<_>>());
    }
    Some(found)
}

#[derive(Default)]
struct Found {
    reads: Vec<String>,
    writes: Vec<String>,
    /// A command's text, or `None` where it is the text that is being edited.
    runs: Vec<Option<String>>,
}

struct Reader {
    rest: Vec<char>,
    at: usize,
    found: Found,
    /// Whether a delimiter between brackets is none.
    brackets: bool,
}

impl Reader {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += 1;
        Some(c)
    }

    fn eat(&mut self, wanted: impl Fn(char) -> bool) -> bool {
        let yes = self.peek().is_some_and(wanted);
        if yes {
            self.at += 1;
        }
        yes
    }

    fn blanks(&mut self) {
        while self.eat(|c| c == ' ' || c == '\t') {}
    }

    fn script(mut self) -> Option<Found> {
        loop {
            while self.eat(|c| c.is_ascii_whitespace() || c == ';') {}
            if self.peek().is_none() {
                return Some(self.found);
            }
            self.addresses()?;
            self.command()?;
        }
    }

    fn addresses(&mut self) -> Option<()> {
        if self.address()? {
            self.blanks();
            if self.eat(|c| c == ',') {
                self.blanks();
                if self.eat(|c| c == '+' || c == '~') {
                    self.eat(|c| c.is_ascii_digit()).then_some(())?;
                    while self.eat(|c| c.is_ascii_digit()) {}
                } else {
                    self.address()?.then_some(())?;
                }
            }
        }
        self.blanks();
        while self.eat(|c| c == '!' || c == ' ') {}
        Some(())
    }

    fn address(&mut self) -> Option<bool> {
        match self.peek() {
            Some('$') => self.at += 1,
            Some(c) if c.is_ascii_digit() => {
                while self.eat(|c| c.is_ascii_digit()) {}
                if self.eat(|c| c == '~') {
                    while self.eat(|c| c.is_ascii_digit()) {}
                }
            }
            Some('/') => {
                self.at += 1;
                self.up_to('/', true)?;
                while self.eat(|c| c == 'I' || c == 'M') {}
            }
            Some('\\') => {
                self.at += 1;
                let end = self.next()?;
                self.up_to(end, true)?;
                while self.eat(|c| c == 'I' || c == 'M') {}
            }
            _ => return Some(false),
        }
        Some(true)
    }

    /// Skips to after the next `end`.
    fn up_to(&mut self, end: char, pattern: bool) -> Option<()> {
        if end == '\n' || end == '\\' {
            return None;
        }
        loop {
            match self.next()? {
                '\\' => {
                    self.next()?;
                }
                c if c == end => return Some(()),
                '[' if pattern && self.brackets => self.set()?,
                '\n' if pattern => return None,
                _ => {}
            }
        }
    }

    /// A set of characters, after its `[`.
    fn set(&mut self) -> Option<()> {
        self.eat(|c| c == '^');
        self.eat(|c| c == ']');
        loop {
            match self.next()? {
                ']' => return Some(()),
                '\n' => return None,
                // `[[:space:]]`
                '[' if matches!(self.peek(), Some(':' | '.' | '=')) => {
                    let kind = self.next()?;
                    while self.next()? != kind || self.peek()? != ']' {}
                    self.at += 1;
                }
                // A backslash is itself here, or escapes; before `]` that makes a difference.
                '\\' => {
                    (self.next()? != ']').then_some(())?;
                }
                _ => {}
            }
        }
    }

    fn line(&mut self) -> String {
        let mut text = String::new();
        while let Some(c) = self.next() {
            if c == '\n' {
                break;
            }
            text.push(c);
        }
        text
    }

    /// The text of `a`, `i`, `c`: a line, longer where lines end in a backslash.
    fn text(&mut self) {
        loop {
            let line = self.line();
            let escapes = line.chars().rev().take_while(|c| *c == '\\').count();
            if escapes % 2 == 0 || self.peek().is_none() {
                return;
            }
        }
    }

    fn file(&mut self) -> Option<String> {
        self.blanks();
        let name = self.line();
        (!name.is_empty()).then_some(name)
    }

    /// After a command: the end, a separator, or a closing brace.
    fn end(&mut self) -> Option<()> {
        self.blanks();
        match self.peek() {
            None | Some('\n' | ';' | '}' | '#') => Some(()),
            Some(_) => None,
        }
    }

    fn command(&mut self) -> Option<()> {
        match self.next()? {
            '{' => Some(()),
            '}' | '=' | 'd' | 'D' | 'F' | 'g' | 'G' | 'h' | 'H' | 'n' | 'N' | 'p' | 'P' | 'x' | 'z' => {
                self.end()
            }
            '#' => {
                self.line();
                Some(())
            }
            'q' | 'Q' | 'l' | 'L' => {
                self.blanks();
                while self.eat(|c| c.is_ascii_digit()) {}
                self.end()
            }
            ':' | 'b' | 't' | 'T' | 'v' => {
                self.blanks();
                while self.eat(|c| !c.is_ascii_whitespace() && c != ';' && c != '}') {}
                self.end()
            }
            'a' | 'i' | 'c' => {
                self.text();
                Some(())
            }
            'r' | 'R' => {
                let file = self.file()?;
                self.found.reads.push(file);
                Some(())
            }
            'w' | 'W' => {
                let file = self.file()?;
                self.found.writes.push(file);
                Some(())
            }
            'e' => {
                self.blanks();
                let command = self.line();
                self.found.runs.push((!command.is_empty()).then_some(command));
                Some(())
            }
            's' => {
                let end = self.next()?;
                self.up_to(end, true)?;
                self.up_to(end, false)?;
                self.flags()
            }
            'y' => {
                let end = self.next()?;
                self.up_to(end, false)?;
                self.up_to(end, false)?;
                self.end()
            }
            _ => None,
        }
    }

    fn flags(&mut self) -> Option<()> {
        loop {
            match self.peek() {
                Some('e') => {
                    self.at += 1;
                    self.found.runs.push(None);
                }
                Some('w') => {
                    self.at += 1;
                    let file = self.file()?;
                    self.found.writes.push(file);
                    return Some(());
                }
                Some(c) if matches!(c, 'g' | 'p' | 'i' | 'I' | 'm' | 'M') || c.is_ascii_digit() => {
                    self.at += 1;
                }
                _ => return self.end(),
            }
        }
    }
}
