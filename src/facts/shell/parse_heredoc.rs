//! Heredocs, whose text comes with the next newline.

use super::ast::{Part, Word};
use super::cursor::{Parsed, Parser, Pending, Place, Token};
use std::cell::OnceCell;
use std::rc::Rc;

impl Parser<'_> {
    /// Notes that a heredoc's text comes with the next newline.
    pub(super) fn await_heredoc(&mut self, target: &Word, strip: bool) -> Parsed<Rc<OnceCell<Word>>> {
        let mut delimiter = String::new();
        let mut quoted = false;
        for part in &target.parts {
            match part {
                Part::Plain(text) => delimiter.push_str(text),
                Part::Quoted(text) => {
                    quoted = true;
                    delimiter.push_str(text);
                }
                Part::Double(parts) => {
                    quoted = true;
                    for part in parts {
                        let Part::Quoted(text) = part else {
                            return self.fail("an expansion in a heredoc's delimiter");
                        };
                        delimiter.push_str(text);
                    }
                }
                Part::Parameter(_)
                | Part::Command(_)
                | Part::Arithmetic(..)
                | Part::Process { .. }
                | Part::Extended { .. }
                | Part::Array(_) => return self.fail("an expansion in a heredoc's delimiter"),
            }
        }
        if delimiter.contains(['\n', '$', '`']) || delimiter.is_empty() {
            return self.fail("a heredoc's delimiter");
        }
        let body = Rc::new(OnceCell::new());
        self.pending.push(Pending { delimiter, quoted, strip, body: Rc::clone(&body) });
        Ok(body)
    }

    /// Reads the texts of all heredocs that wait; a newline was just read.
    pub(super) fn heredocs(&mut self) -> Parsed<()> {
        for pending in std::mem::take(&mut self.pending) {
            self.heredoc(&pending)?;
        }
        Ok(())
    }

    #[expect(clippy::redundant_closure_for_method_calls, reason = "the method itself has one lifetime only")]
    fn heredoc(&mut self, pending: &Pending) -> Parsed<()> {
        let from = self.pos;
        let mut body = String::new();
        let mut changed = false;
        loop {
            let start = self.pos;
            if self.peek().is_none() {
                return self.fail("a heredoc that does not end");
            }
            let line = self.heredoc_line(pending.quoted);
            let stripped = if pending.strip { line.trim_start_matches('\t') } else { &line };
            changed |= stripped.len() != self.pos - start;
            let content = stripped.strip_suffix('\n').unwrap_or(stripped);
            if content == pending.delimiter {
                let span = self.span(from, start);
                let word = if pending.quoted {
                    Word { parts: vec![Part::Quoted(body)], span }
                } else {
                    let place = match (changed, self.place) {
                        (false, Place::From(base)) => Place::From(base + from),
                        _ => Place::Within(span),
                    };
                    Word { parts: self.inner(&body, place, |inner| inner.heredoc_body())?, span }
                };
                let _ = pending.body.set(word);
                self.behind_heredoc = self.in_substitution;
                return Ok(());
            }
            if self.in_substitution
                && content.strip_prefix(&*pending.delimiter).is_some_and(|r| r.contains(')'))
            {
                return self.fail("a heredoc that may end with its substitution");
            }
            body.push_str(stripped);
        }
    }

    /// One line with its newline; continued lines are joined unless the delimiter was quoted.
    fn heredoc_line(&mut self, quoted: bool) -> String {
        let bytes = self.text.as_bytes().get(self.pos..).unwrap_or_default();
        let mut line = String::new();
        let mut from = 0;
        let mut to = 0;
        while let Some(byte) = bytes.get(to) {
            match byte {
                b'\\' if !quoted && bytes.get(to + 1) == Some(&b'\n') => {
                    line.push_str(self.between(self.pos + from, self.pos + to));
                    to += 2;
                    from = to;
                }
                b'\\' if !quoted => to += 2,
                b'\n' => {
                    to += 1;
                    break;
                }
                _ => to += 1,
            }
        }
        let to = to.min(bytes.len());
        // A backslash may have stepped into a character of several bytes; the loop goes on to its end.
        line.push_str(self.between(self.pos + from, self.pos + to));
        self.advance(to, Token::Heredoc);
        line
    }

    /// Reads a text that was taken out of this one.
    pub(super) fn inner<T>(
        &mut self,
        text: &str,
        place: Place,
        read: impl FnOnce(&mut Parser<'_>) -> Parsed<T>,
    ) -> Parsed<T> {
        self.enter()?;
        let mut inner = Parser::new(text, place, self.depth);
        inner.fuel = self.fuel;
        inner.extglob = self.extglob;
        let result = read(&mut inner);
        self.fuel = inner.fuel;
        let result = match result {
            Ok(value) => value,
            Err(error) => return self.fail(error.why),
        };
        self.leave();
        Ok(result)
    }
}
