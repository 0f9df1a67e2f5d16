//! Words: plain text, quotes and the expansions in them.

use super::ast::{Part, Word};
use super::cursor::{Parsed, Parser, Place, Token, is_meta};

/// Where a word stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// In a command.
    Command,
    /// In `[[ ]]`, where extended globs always hold.
    Pattern,
    /// Behind `=~`.
    Regex,
}

/// Which quotes stand around an expansion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Quoting {
    Bare,
    Double,
    Heredoc,
}

/// Adds unquoted text.
pub(super) fn push_plain(parts: &mut Vec<Part>, text: &str) {
    if let Some(Part::Plain(last)) = parts.last_mut() {
        last.push_str(text);
    } else {
        parts.push(Part::Plain(text.to_owned()));
    }
}

/// Adds quoted text.
pub(super) fn push_quoted(parts: &mut Vec<Part>, text: &str) {
    if let Some(Part::Quoted(last)) = parts.last_mut() {
        last.push_str(text);
    } else {
        parts.push(Part::Quoted(text.to_owned()));
    }
}

impl Parser<'_> {
    /// A word; empty where none starts here.
    pub(super) fn word(&mut self, mode: Mode) -> Parsed<Word> {
        let from = self.pos;
        let mut parts = Vec::new();
        while let Some(byte) = self.peek() {
            match byte {
                b'<' | b'>' if self.peek_at(1) == Some(b'(') && mode != Mode::Regex => {
                    parts.push(self.process(byte == b'>')?);
                }
                b'(' if mode == Mode::Regex => self.group(&mut parts)?,
                b'|' if mode == Mode::Regex => {
                    self.advance(1, Token::Text);
                    push_plain(&mut parts, "|");
                }
                b'(' if (self.extglob || mode == Mode::Pattern) && opens_extended(&parts) => {
                    self.group(&mut parts)?;
                }
                _ if is_meta(byte) => break,
                _ => self.word_part(byte, &mut parts)?,
            }
        }
        Ok(Word { parts, span: self.span_from(from) })
    }

    /// One unquoted part, which starts with a byte that ends no word.
    fn word_part(&mut self, byte: u8, parts: &mut Vec<Part>) -> Parsed<()> {
        match byte {
            b'\\' => self.escape(parts)?,
            b'\'' => {
                let text = self.single()?;
                parts.push(Part::Quoted(text));
            }
            b'"' => {
                let double = self.double()?;
                parts.push(double);
            }
            b'`' => {
                let command = self.backticks(Quoting::Bare)?;
                parts.push(command);
            }
            b'$' => self.dollar(Quoting::Bare, parts)?,
            _ => {
                let run = self.run(|b| is_meta(b) || matches!(b, b'\\' | b'\'' | b'"' | b'`' | b'$'))?;
                push_plain(parts, self.between(run.0, run.1));
            }
        }
        Ok(())
    }

    /// Bytes up to the first that stops.
    pub(super) fn run(&mut self, stops: impl Fn(u8) -> bool) -> Parsed<(usize, usize)> {
        let from = self.pos;
        let bytes = self.text.as_bytes().get(from..).unwrap_or_default();
        let length = bytes.iter().position(|b| stops(*b)).unwrap_or(bytes.len());
        if bytes.iter().take(length).any(|b| matches!(b, 0 | 1 | 0x7f)) {
            return self.fail("a control character that bash uses itself");
        }
        self.advance(length, Token::Text);
        Ok((from, from + length))
    }

    /// A backslash outside of quotes.
    pub(super) fn escape(&mut self, parts: &mut Vec<Part>) -> Parsed<()> {
        let rest = self.text.get(self.pos + 1..).unwrap_or_default();
        let Some(next) = rest.chars().next() else { return self.fail("a backslash at the end") };
        if matches!(next, '\0' | '\x01' | '\x7f') {
            return self.fail("a control character that bash uses itself");
        }
        self.advance(1 + next.len_utf8(), Token::Quote);
        if next != '\n' {
            push_quoted(parts, next.encode_utf8(&mut [0; 4]));
        }
        Ok(())
    }

    /// `'…'`
    pub(super) fn single(&mut self) -> Parsed<String> {
        let rest = self.text.get(self.pos + 1..).unwrap_or_default();
        let Some(length) = rest.find('\'') else { return self.fail("a quote that does not end") };
        let text = rest.get(..length).unwrap_or_default();
        if text.contains(['\0', '\x01', '\x7f']) {
            return self.fail("a control character that bash uses itself");
        }
        let text = text.to_owned();
        self.advance(length + 2, Token::Quote);
        Ok(text)
    }

    /// `"…"`
    pub(super) fn double(&mut self) -> Parsed<Part> {
        self.advance(1, Token::Quote);
        let mut parts = Vec::new();
        loop {
            match self.peek() {
                None => return self.fail("a quote that does not end"),
                Some(b'"') => {
                    self.advance(1, Token::Quote);
                    return Ok(Part::Double(parts));
                }
                Some(byte) => self.double_part(byte, Quoting::Double, &mut parts)?,
            }
        }
    }

    /// One part between double quotes, or of a heredoc.
    pub(super) fn double_part(&mut self, byte: u8, quoting: Quoting, parts: &mut Vec<Part>) -> Parsed<()> {
        match byte {
            b'\\' => match self.peek_at(1) {
                None if quoting == Quoting::Heredoc => {
                    self.advance(1, Token::Text);
                    push_quoted(parts, "\\");
                }
                None => return self.fail("a quote that does not end"),
                Some(b'\n') => self.advance(2, Token::Quote),
                Some(next @ (b'$' | b'`' | b'\\' | b'"')) if next != b'"' || quoting == Quoting::Double => {
                    push_quoted(parts, self.between(self.pos + 1, self.pos + 2));
                    self.advance(2, Token::Quote);
                }
                Some(_) => {
                    self.advance(1, Token::Text);
                    push_quoted(parts, "\\");
                }
            },
            b'`' => {
                let command = self.backticks(quoting)?;
                parts.push(command);
            }
            b'$' => self.dollar(quoting, parts)?,
            b'"' => {
                self.advance(1, Token::Text);
                push_quoted(parts, "\"");
            }
            _ => {
                let run = self.run(|b| matches!(b, b'\\' | b'"' | b'`' | b'$'))?;
                push_quoted(parts, self.between(run.0, run.1));
            }
        }
        Ok(())
    }

    /// The text of a heredoc whose delimiter was not quoted.
    pub(super) fn heredoc_body(&mut self) -> Parsed<Vec<Part>> {
        let mut parts = Vec::new();
        while let Some(byte) = self.peek() {
            self.double_part(byte, Quoting::Heredoc, &mut parts)?;
        }
        Ok(parts)
    }

    /// A parenthesis within a word: an extended glob, or a group of a regex.
    fn group(&mut self, parts: &mut Vec<Part>) -> Parsed<()> {
        self.enter()?;
        let from = self.pos;
        let mut inner = Vec::new();
        let mut open = 0_usize;
        loop {
            match self.peek() {
                None => return self.fail("a parenthesis is missing"),
                Some(b'(') => {
                    open += 1;
                    self.advance(1, Token::Operator);
                }
                Some(b')') => {
                    open -= 1;
                    self.advance(1, Token::Operator);
                    if open == 0 {
                        break;
                    }
                }
                Some(b'\n' | b'<' | b'>' | b';' | b'&') => {
                    return self.fail("an operator within an extended glob");
                }
                Some(byte) if is_meta(byte) => {
                    self.advance(1, Token::Text);
                    push_plain(&mut inner, if byte == b'|' { "|" } else { " " });
                }
                Some(byte) => self.word_part(byte, &mut inner)?,
            }
        }
        self.leave();
        let written = self.between(from, self.pos).to_owned();
        parts.push(Part::Extended { written, parts: inner });
        Ok(())
    }

    /// `<(…)`, `>(…)`
    fn process(&mut self, input: bool) -> Parsed<Part> {
        self.advance(2, Token::Expansion);
        let list = self.substituted()?;
        Ok(Part::Process { list, input })
    }

    /// Backticks, whose text is read once more after its backslashes are gone.
    pub(super) fn backticks(&mut self, quoting: Quoting) -> Parsed<Part> {
        let from = self.pos;
        let bytes = self.text.as_bytes();
        let mut text = String::new();
        let mut start = from + 1;
        let mut at = start;
        loop {
            match bytes.get(at) {
                None => return self.fail("backticks that do not end"),
                Some(b'`') => break,
                Some(b'\\') => {
                    match bytes.get(at + 1) {
                        Some(b'`' | b'\\' | b'$') => {
                            text.push_str(self.between(start, at));
                            start = at + 1;
                        }
                        Some(b'"') if quoting != Quoting::Bare => {
                            return self.fail("an escaped quote in backticks in quotes");
                        }
                        _ => {}
                    }
                    at += 2;
                }
                Some(_) => at += 1,
            }
        }
        text.push_str(self.between(start, at));
        if !self.pending.is_empty() && text.contains('\n') {
            return self.fail("a new line between a heredoc and its text");
        }
        self.advance(at + 1 - from, Token::Expansion);
        let place = match self.place {
            Place::From(base) if text.len() == at - from - 1 => Place::From(base + from + 1),
            Place::From(_) | Place::Within(_) => Place::Within(self.span_from(from)),
        };
        let list = self.inner(&text, place, |inner| inner.program().whole())?;
        Ok(Part::Command(std::rc::Rc::new(list)))
    }
}

/// Whether the text before a parenthesis makes it an extended glob.
fn opens_extended(parts: &[Part]) -> bool {
    matches!(parts.last(), Some(Part::Plain(text)) if text.ends_with(['?', '*', '+', '@', '!']))
}
