//! A message as it comes in, byte by byte: valid JSON with one meaning, and what its first level says.
//!
//! Readers differ in what they make of a bad text: one takes the first of two keys and another the last, one ends a line at a carriage
//! return, one drops bytes that are no UTF-8, one does not tell `Method` from `method`. A message that two readers could take for different
//! things is therefore none. This is the only reader that says what kind of message a line is, whether it is held whole or streams.

use serde_json::Value;
use unicode_normalization::UnicodeNormalization as _;

use crate::diagnostic::is_hidden;

/// How deep a message may nest.
const DEPTH: usize = 256;
/// Longer keys are none of those that matter, however they are escaped.
const LONG_KEY: usize = 96;
/// Longer than any id or method that somebody uses.
const LONG_VALUE: usize = 1024;

/// Why a line is no message.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Fault {
    /// Not JSON.
    #[error("not JSON: {0}")]
    Syntax(&'static str),
    /// Bytes that are no text.
    #[error("not UTF-8")]
    Utf8,
    /// Some readers end the line there.
    #[error("a carriage return within the line")]
    Return,
    /// Deeper than [`DEPTH`].
    #[error("nested too deeply")]
    Depth,
    /// A key of the first level that stands twice.
    #[error("the key `{0}` stands twice")]
    Twice(&'static str),
    /// A key that some readers take for another.
    #[error("the key `{0}` can be taken for `{1}`")]
    Alike(String, &'static str),
    /// An id that is neither text nor a number.
    #[error("the id must be a string or a number")]
    Id,
    /// A method that is no text.
    #[error("the method must be a string")]
    Method,
}

/// The id of a message, as it compares.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Id {
    /// A text.
    Text(String),
    /// A whole number.
    Whole(i64),
    /// Another number, as it is written.
    Other(String),
    /// Nothing, as errors have it that belong to no request.
    Null,
}

impl Id {
    fn read(raw: &[u8]) -> Result<Self, Fault> {
        match serde_json::from_slice(raw).map_err(|_| Fault::Id)? {
            Value::String(text) => Ok(Self::Text(text)),
            Value::Null => Ok(Self::Null),
            Value::Number(number) => Ok(number
                .as_i64()
                .or_else(|| whole(number.as_f64()?))
                .map_or_else(|| Self::Other(number.to_string()), Self::Whole)),
            Value::Bool(_) | Value::Array(_) | Value::Object(_) => Err(Fault::Id),
        }
    }

    /// As it stands in JSON.
    pub(super) fn json(&self) -> Value {
        match self {
            Self::Text(text) => Value::String(text.clone()),
            Self::Whole(number) => Value::from(*number),
            Self::Other(text) => serde_json::from_str(text).unwrap_or_default(),
            Self::Null => Value::Null,
        }
    }
}

/// `1.0` is the id `1`, as a server that has no whole numbers gives it back.
#[expect(clippy::cast_possible_truncation, reason = "only whole numbers in the range are converted")]
fn whole(number: f64) -> Option<i64> {
    (number.fract() == 0.0 && number.abs() < 9.0e15).then_some(number as i64)
}

/// What the first level of a message says, as far as it was read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Head {
    /// It is a list of messages.
    pub(super) is_batch: bool,
    /// Its method, decoded.
    pub(super) method: Option<String>,
    /// Its id.
    pub(super) id: Option<Id>,
    /// It has a `result` or an `error`.
    pub(super) answers: bool,
    /// Nothing but white space so far.
    pub(super) is_blank: bool,
    /// A whole number that fits into no 64 bits: readers round it, or do not.
    pub(super) is_wide: bool,
    /// How many values there are, at all depths.
    pub(super) values: usize,
}

/// The keys of a message that say what it is.
const KEYS: [&str; 6] = ["jsonrpc", "id", "method", "params", "result", "error"];

/// `key` as a reader sees it who does not look at case, at other forms of a letter, or at what is not to be seen.
pub(super) fn folded(key: &str) -> String {
    if key.is_ascii() {
        return key.chars().filter(|c| !c.is_control()).map(|c| c.to_ascii_lowercase()).collect();
    }
    key.nfkc()
        .filter(|c| !is_hidden(*c))
        .flat_map(char::to_lowercase)
        .filter_map(|c| match c {
            'ſ' => Some('s'),
            'ı' => Some('i'),
            // What `İ` leaves behind in lower case.
            '\u{307}' => None,
            c => Some(c),
        })
        .collect()
}

/// Which of `known` a key could be taken for without being it.
pub(super) fn alike<'k>(key: &str, known: &[&'k str]) -> Option<&'k str> {
    if known.contains(&key) {
        return None;
    }
    let seen = folded(key);
    known.iter().find(|k| folded(k) == seen).copied()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Expect {
    Value,
    ValueOrEnd,
    KeyOrEnd,
    Key,
    Colon,
    CommaOrEnd,
    End,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Token {
    None,
    Text { escape: Escape, key: bool },
    Number(Number),
    Word(&'static [u8]),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    None,
    Backslash,
    Hex(u8),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Number {
    Minus,
    Zero,
    Digits,
    Point,
    Fraction,
    Exponent,
    Sign,
    Power,
}

/// What a key of the first level is the key of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kept {
    Nothing,
    Key,
    Id,
    Method,
}

/// Reads one message, in pieces.
#[derive(Debug)]
pub(super) struct Scanner {
    head: Head,
    expect: Expect,
    token: Token,
    /// For each open container, whether it is an object.
    open: Vec<bool>,
    kept: Kept,
    text: Vec<u8>,
    seen: [bool; KEYS.len()],
    returned: bool,
    /// How many bytes of a character are still to come, and between what the next one is.
    more: u8,
    next: (u8, u8),
    /// The digits of the whole number so far.
    digits: u128,
    is_negative: bool,
}

impl Default for Scanner {
    fn default() -> Self {
        Self {
            head: Head { is_blank: true, ..Head::default() },
            expect: Expect::Value,
            token: Token::None,
            open: Vec::new(),
            kept: Kept::Nothing,
            text: Vec::new(),
            seen: [false; KEYS.len()],
            returned: false,
            more: 0,
            next: (0x80, 0xbf),
            digits: 0,
            is_negative: false,
        }
    }
}

impl Scanner {
    /// What was read of the first level so far.
    pub(super) fn head(&self) -> &Head {
        &self.head
    }

    /// The head of a message that is here as a whole.
    pub(super) fn whole(message: &[u8]) -> Result<Head, Fault> {
        let mut scanner = Self::default();
        scanner.push(message)?;
        scanner.finish()?;
        Ok(scanner.head)
    }

    /// Takes more of the message; without the end of its line.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), Fault> {
        for &byte in bytes {
            self.take(byte)?;
        }
        Ok(())
    }

    /// The message ends here.
    pub(super) fn finish(&mut self) -> Result<(), Fault> {
        if let Token::Number(number) = self.token {
            self.end_number(number)?;
        }
        match (self.expect, self.token) {
            _ if self.head.is_blank => Ok(()),
            (Expect::End, Token::None) => Ok(()),
            _ => Err(Fault::Syntax("it ends too early")),
        }
    }

    fn take(&mut self, byte: u8) -> Result<(), Fault> {
        match self.token {
            Token::Text { escape, key } => return self.in_text(byte, escape, key),
            Token::Word(rest) => return self.in_word(byte, rest),
            Token::Number(number) => match stepped(number, byte) {
                Some(next) => {
                    self.token = Token::Number(next);
                    if next == Number::Digits {
                        self.digit(byte);
                    }
                    self.keep(byte)?;
                    return Ok(());
                }
                None => self.end_number(number)?,
            },
            Token::None => {}
        }
        self.between(byte)
    }

    /// A byte outside of texts, numbers and words.
    fn between(&mut self, byte: u8) -> Result<(), Fault> {
        // One at the end of the line is part of its end; anywhere else some readers would see two lines.
        if self.returned {
            return Err(Fault::Return);
        }
        match byte {
            b' ' | b'\t' => return Ok(()),
            b'\r' => {
                self.returned = true;
                return Ok(());
            }
            _ => {}
        }
        if self.head.is_blank {
            self.head.is_blank = false;
            match byte {
                b'{' => {}
                b'[' => self.head.is_batch = true,
                _ => return Err(Fault::Syntax("it is not an object")),
            }
        }
        match (self.expect, byte) {
            (Expect::ValueOrEnd, b']') | (Expect::KeyOrEnd, b'}') => self.close(),
            (Expect::Value | Expect::ValueOrEnd, _) => self.value(byte),
            (Expect::KeyOrEnd | Expect::Key, b'"') => {
                self.token = Token::Text { escape: Escape::None, key: true };
                if self.is_first_level() {
                    self.kept = Kept::Key;
                    self.text.clear();
                    self.text.push(byte);
                }
                Ok(())
            }
            (Expect::Colon, b':') => {
                self.expect = Expect::Value;
                Ok(())
            }
            (Expect::CommaOrEnd, b',') => {
                self.expect = if self.open.last() == Some(&true) { Expect::Key } else { Expect::Value };
                Ok(())
            }
            (Expect::CommaOrEnd, b'}') if self.open.last() == Some(&true) => self.close(),
            (Expect::CommaOrEnd, b']') if self.open.last() == Some(&false) => self.close(),
            (Expect::End, _) => Err(Fault::Syntax("something stands behind the end")),
            (Expect::KeyOrEnd | Expect::Key | Expect::Colon | Expect::CommaOrEnd, _) => {
                Err(Fault::Syntax("a character that cannot stand there"))
            }
        }
    }

    /// Within the object that is the message, and in none of its values.
    fn is_first_level(&self) -> bool {
        !self.head.is_batch && self.open.len() == 1
    }

    fn digit(&mut self, byte: u8) {
        self.digits = self.digits.saturating_mul(10).saturating_add(u128::from(byte.wrapping_sub(b'0')));
    }

    fn value(&mut self, byte: u8) -> Result<(), Fault> {
        self.head.values += 1;
        (self.digits, self.is_negative) = (0, byte == b'-');
        match byte {
            b'{' | b'[' => {
                match self.kept {
                    Kept::Id => return Err(Fault::Id),
                    Kept::Method => return Err(Fault::Method),
                    Kept::Nothing | Kept::Key => {}
                }
                if self.open.len() >= DEPTH {
                    return Err(Fault::Depth);
                }
                self.open.push(byte == b'{');
                self.expect = if byte == b'{' { Expect::KeyOrEnd } else { Expect::ValueOrEnd };
                return Ok(());
            }
            b'"' => self.token = Token::Text { escape: Escape::None, key: false },
            b'-' => self.token = Token::Number(Number::Minus),
            b'0' => self.token = Token::Number(Number::Zero),
            b'1'..=b'9' => {
                self.token = Token::Number(Number::Digits);
                self.digit(byte);
            }
            b't' => self.token = Token::Word(b"rue"),
            b'f' => self.token = Token::Word(b"alse"),
            b'n' => self.token = Token::Word(b"ull"),
            _ => return Err(Fault::Syntax("a character that cannot stand there")),
        }
        self.keep(byte)
    }

    fn keep(&mut self, byte: u8) -> Result<(), Fault> {
        let (limit, fault) = match self.kept {
            Kept::Nothing => return Ok(()),
            Kept::Key => (LONG_KEY, None),
            Kept::Id => (LONG_VALUE, Some(Fault::Id)),
            Kept::Method => (LONG_VALUE, Some(Fault::Method)),
        };
        match (self.text.len() < limit, fault) {
            (true, _) => self.text.push(byte),
            (false, Some(fault)) => return Err(fault),
            // A key this long is none of those that matter.
            (false, None) => self.kept = Kept::Nothing,
        }
        Ok(())
    }

    fn in_text(&mut self, byte: u8, escape: Escape, key: bool) -> Result<(), Fault> {
        let mut next = Escape::None;
        match escape {
            _ if self.more > 0 => {
                if !(self.next.0..=self.next.1).contains(&byte) {
                    return Err(Fault::Utf8);
                }
                self.more -= 1;
                self.next = (0x80, 0xbf);
            }
            Escape::None => match byte {
                b'"' => {
                    self.keep(byte)?;
                    self.token = Token::None;
                    return if key { self.end_key() } else { self.end_value() };
                }
                b'\\' => next = Escape::Backslash,
                0..=0x1f => return Err(Fault::Syntax("a control character in a text")),
                0x20..=0x7f => {}
                _ => (self.more, self.next) = started(byte).ok_or(Fault::Utf8)?,
            },
            Escape::Backslash => match byte {
                b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => {}
                b'u' => next = Escape::Hex(4),
                _ => return Err(Fault::Syntax("an unknown escape")),
            },
            Escape::Hex(left) => {
                if !byte.is_ascii_hexdigit() {
                    return Err(Fault::Syntax("an unknown escape"));
                }
                if left > 1 {
                    next = Escape::Hex(left - 1);
                }
            }
        }
        self.token = Token::Text { escape: next, key };
        self.keep(byte)
    }

    fn in_word(&mut self, byte: u8, rest: &'static [u8]) -> Result<(), Fault> {
        match rest.split_first() {
            Some((&wanted, rest)) if wanted == byte => {
                self.keep(byte)?;
                self.token = Token::Word(rest);
                if rest.is_empty() {
                    self.token = Token::None;
                    self.end_value()?;
                }
                Ok(())
            }
            _ => Err(Fault::Syntax("an unknown word")),
        }
    }

    fn end_number(&mut self, number: Number) -> Result<(), Fault> {
        self.token = Token::None;
        let most = if self.is_negative { 1 << 63 } else { u128::from(u64::MAX) };
        self.head.is_wide |= number == Number::Digits && self.digits > most;
        match number {
            Number::Zero | Number::Digits | Number::Fraction | Number::Power => self.end_value(),
            Number::Minus | Number::Point | Number::Exponent | Number::Sign => {
                Err(Fault::Syntax("an unfinished number"))
            }
        }
    }

    fn end_key(&mut self) -> Result<(), Fault> {
        self.expect = Expect::Colon;
        if self.kept != Kept::Key {
            return Ok(());
        }
        self.kept = Kept::Nothing;
        // What cannot be decoded (half a surrogate pair) is no key that matters to any reader who keeps it as it is; others could make one of it.
        let key: String =
            serde_json::from_slice(&self.text).map_err(|_| Fault::Syntax("a key that is no text"))?;
        if let Some(known) = alike(&key, &KEYS) {
            return Err(Fault::Alike(key, known));
        }
        let Some(place) = KEYS.iter().position(|k| *k == key) else { return Ok(()) };
        if let (Some(seen), Some(name)) = (self.seen.get_mut(place), KEYS.get(place)) {
            if *seen {
                return Err(Fault::Twice(name));
            }
            *seen = true;
        }
        self.text.clear();
        match key.as_str() {
            "id" => self.kept = Kept::Id,
            "method" => self.kept = Kept::Method,
            "result" | "error" => self.head.answers = true,
            _ => {}
        }
        Ok(())
    }

    fn end_value(&mut self) -> Result<(), Fault> {
        self.expect = if self.open.is_empty() { Expect::End } else { Expect::CommaOrEnd };
        match std::mem::replace(&mut self.kept, Kept::Nothing) {
            Kept::Id => self.head.id = Some(Id::read(&self.text)?),
            Kept::Method => {
                self.head.method = Some(serde_json::from_slice(&self.text).map_err(|_| Fault::Method)?);
            }
            Kept::Nothing | Kept::Key => {}
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), Fault> {
        self.open.pop();
        self.end_value()
    }
}

/// The number with one character more; `None` when it ended before.
fn stepped(number: Number, byte: u8) -> Option<Number> {
    match (number, byte) {
        (Number::Minus, b'0') => Some(Number::Zero),
        (Number::Minus | Number::Digits, b'1'..=b'9') | (Number::Digits, b'0') => Some(Number::Digits),
        (Number::Zero | Number::Digits, b'.') => Some(Number::Point),
        (Number::Point | Number::Fraction, b'0'..=b'9') => Some(Number::Fraction),
        (Number::Zero | Number::Digits | Number::Fraction, b'e' | b'E') => Some(Number::Exponent),
        (Number::Exponent, b'+' | b'-') => Some(Number::Sign),
        (Number::Exponent | Number::Sign | Number::Power, b'0'..=b'9') => Some(Number::Power),
        _ => None,
    }
}

/// How many bytes follow the first of a character, and between what the next one is.
fn started(byte: u8) -> Option<(u8, (u8, u8))> {
    match byte {
        0xc2..=0xdf => Some((1, (0x80, 0xbf))),
        0xe0 => Some((2, (0xa0, 0xbf))),
        0xe1..=0xec | 0xee | 0xef => Some((2, (0x80, 0xbf))),
        0xed => Some((2, (0x80, 0x9f))),
        0xf0 => Some((3, (0x90, 0xbf))),
        0xf1..=0xf3 => Some((3, (0x80, 0xbf))),
        0xf4 => Some((3, (0x80, 0x8f))),
        _ => None,
    }
}

#[cfg(test)]
#[path = "scan_tests.rs"]
mod tests;
