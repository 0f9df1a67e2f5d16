//! A place in a script that only moves by tokens, so that every byte belongs to one.

use super::ast::{Span, Word};
use std::cell::OnceCell;
use std::rc::Rc;

/// Constructs within constructs; deeper text is unknown.
pub(super) const MAX_DEPTH: usize = 48;
/// Longer text is unknown.
pub(super) const MAX_TEXT: usize = 128 * 1024;

/// Why a text could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Unparsed {
    /// The byte, in the parser's own text.
    pub(super) at: usize,
    pub(super) why: &'static str,
}

pub(super) type Parsed<T> = Result<T, Unparsed>;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Blank,
    Newline,
    Comment,
    Operator,
    Text,
    Quote,
    Expansion,
    Heredoc,
}

/// Where the parser's text stands in the outermost one.
#[derive(Clone, Copy, Debug)]
pub(super) enum Place {
    /// It is a piece of it that starts there.
    From(usize),
    /// It was made of these bytes.
    Within(Span),
}

/// A heredoc whose body comes with the next newline.
#[derive(Debug)]
pub(super) struct Pending {
    pub(super) delimiter: String,
    pub(super) quoted: bool,
    pub(super) strip: bool,
    pub(super) body: Rc<OnceCell<Word>>,
}

/// A parser over one text.
#[derive(Debug)]
pub(super) struct Parser<'a> {
    pub(super) text: &'a str,
    pub(super) pos: usize,
    pub(super) place: Place,
    pub(super) depth: usize,
    /// Steps left; going back uses them up, so that time stays linear.
    pub(super) fuel: usize,
    pub(super) extglob: bool,
    pub(super) pending: Vec<Pending>,
    /// Heredocs of an enclosing command wait for a newline while a substitution is read.
    pub(super) outer_pending: bool,
    /// Inside `$(…)`: there a heredoc may end in a line `EOF)`.
    pub(super) in_substitution: bool,
    /// A heredoc was read in this `$(…)`: bash 5.2 loses semicolons behind it.
    pub(super) behind_heredoc: bool,
    /// The tokens, when somebody wants to see them.
    pub(super) tape: Option<Vec<(Token, usize, usize)>>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(text: &'a str, place: Place, depth: usize) -> Self {
        Self {
            text,
            pos: 0,
            place,
            depth,
            fuel: text.len().saturating_mul(12).saturating_add(4096),
            extglob: false,
            pending: Vec::new(),
            outer_pending: false,
            in_substitution: false,
            behind_heredoc: false,
            tape: None,
        }
    }

    pub(super) fn peek(&self) -> Option<u8> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.pos + ahead).copied()
    }

    pub(super) fn looking_at(&self, text: &str) -> bool {
        self.text.as_bytes().get(self.pos..).is_some_and(|rest| rest.starts_with(text.as_bytes()))
    }

    /// The text between two places; empty where they are none.
    pub(super) fn between(&self, from: usize, to: usize) -> &'a str {
        self.text.get(from..to).unwrap_or_default()
    }

    /// The only way forward.
    pub(super) fn advance(&mut self, bytes: usize, token: Token) {
        let from = self.pos;
        self.pos = (from + bytes).min(self.text.len());
        self.fuel = self.fuel.saturating_sub(bytes);
        if let Some(tape) = &mut self.tape {
            tape.push((token, from, self.pos));
        }
    }

    /// The only way back.
    pub(super) fn rewind(&mut self, to: usize) {
        self.pos = to;
        if let Some(tape) = &mut self.tape {
            tape.retain(|(_, from, _)| *from < to);
        }
    }

    pub(super) fn fail<T>(&self, why: &'static str) -> Parsed<T> {
        Err(Unparsed { at: self.pos, why })
    }

    /// Goes one construct deeper; `leave` comes back.
    pub(super) fn enter(&mut self) -> Parsed<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return self.fail("nested too deeply");
        }
        if self.fuel == 0 {
            return self.fail("too much to read");
        }
        Ok(())
    }

    pub(super) fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    /// From there to here, in the outermost text.
    pub(super) fn span_from(&self, from: usize) -> Span {
        self.span(from, self.pos)
    }

    pub(super) fn span(&self, from: usize, to: usize) -> Span {
        match self.place {
            Place::From(base) => (base + from, base + to),
            Place::Within(span) => span,
        }
    }

    /// Blanks and continued lines.
    pub(super) fn blanks(&mut self) {
        let from = self.pos;
        let mut to = from;
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(to) {
                Some(b' ' | b'\t') => to += 1,
                Some(b'\\') if bytes.get(to + 1) == Some(&b'\n') => to += 2,
                _ => break,
            }
        }
        if to > from {
            self.advance(to - from, Token::Blank);
        }
    }

    /// Blanks and a comment behind them.
    pub(super) fn blanks_and_comment(&mut self) {
        self.blanks();
        if self.peek() == Some(b'#') {
            let rest = self.text.as_bytes().get(self.pos..).unwrap_or_default();
            let length = rest.iter().position(|b| *b == b'\n').unwrap_or(rest.len());
            self.advance(length, Token::Comment);
        }
    }

    /// An operator, which a continued line must not make longer.
    pub(super) fn operator(&mut self, text: &'static str) -> Parsed<()> {
        self.advance(text.len(), Token::Operator);
        let mut ahead = 0;
        while self.peek_at(ahead) == Some(b'\\') && self.peek_at(ahead + 1) == Some(b'\n') {
            ahead += 2;
        }
        if ahead > 0 && matches!(self.peek_at(ahead), Some(b'|' | b'&' | b';' | b'<' | b'>' | b'(' | b'-')) {
            return self.fail("an operator may go on in the next line");
        }
        Ok(())
    }

    /// The unquoted word that starts here, where it is plain; `None` where it is not, or goes on in the next line.
    pub(super) fn plain_word(&self) -> Option<&'a str> {
        let bytes = self.text.as_bytes().get(self.pos..)?;
        let length = bytes
            .iter()
            .position(|b| is_meta(*b) || matches!(b, b'\\' | b'\'' | b'"' | b'`' | b'$'))
            .unwrap_or(bytes.len());
        let rest = bytes.get(length..)?;
        let ends = match rest {
            [] => true,
            [b'\\', b'\n', after @ ..] => after.first().is_none_or(|b| is_meta(*b)),
            [b'<' | b'>', b'(', ..] => false,
            [first, ..] => is_meta(*first),
        };
        if ends && length > 0 { self.text.get(self.pos..self.pos + length) } else { None }
    }
}

/// Bytes that end an unquoted word.
pub(super) fn is_meta(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'|' | b'&' | b';' | b'(' | b')' | b'<' | b'>')
}

pub(super) fn starts_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_'
}

pub(super) fn continues_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// Whether a text is the name of a variable.
pub(super) fn is_name(text: &str) -> bool {
    text.bytes().next().is_some_and(starts_name) && text.bytes().all(continues_name)
}
