//! What starts with a dollar.

use super::ast::{List, Op, Parameter, Part, Subscript};
use super::cursor::{Parsed, Parser, Token, continues_name, starts_name};
use super::parse_word::{Quoting, push_plain, push_quoted};
use std::rc::Rc;

/// What `((` opens.
#[derive(Debug)]
pub(super) enum Dollar {
    Arithmetic(Vec<Part>),
    /// No arithmetic.
    Commands,
}

impl Parser<'_> {
    /// An expansion, or a dollar that is only text.
    pub(super) fn dollar(&mut self, quoting: Quoting, parts: &mut Vec<Part>) -> Parsed<()> {
        let from = self.pos;
        match self.peek_at(1) {
            Some(b'(') => {
                let part = self.parenthesized()?;
                parts.push(part);
            }
            Some(b'{') => {
                let part = self.braced(quoting)?;
                parts.push(part);
            }
            Some(b'[') => {
                self.advance(2, Token::Expansion);
                let inner = self.arithmetic_until(b']')?;
                parts.push(Part::Arithmetic(inner, self.span_from(from)));
            }
            Some(b'\'') if quoting == Quoting::Bare => {
                let text = self.ansi_c()?;
                parts.push(Part::Quoted(text));
            }
            Some(b'"') if quoting == Quoting::Bare => {
                self.advance(1, Token::Quote);
                let part = self.double()?;
                parts.push(part);
            }
            Some(b'\\') if self.peek_at(2) == Some(b'\n') => {
                return self.fail("an expansion broken across lines");
            }
            Some(byte) if starts_name(byte) => {
                let bytes = self.text.as_bytes().get(from + 1..).unwrap_or_default();
                let length = bytes.iter().position(|b| !continues_name(*b)).unwrap_or(bytes.len());
                if matches!(bytes.get(length..), Some([b'\\', b'\n', ..])) {
                    return self.fail("an expansion broken across lines");
                }
                self.advance(1 + length, Token::Expansion);
                parts.push(self.parameter(from, self.between(from + 1, from + 1 + length)));
            }
            Some(b'0'..=b'9' | b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!') => {
                self.advance(2, Token::Expansion);
                parts.push(self.parameter(from, self.between(from + 1, from + 2)));
            }
            _ => {
                self.advance(1, Token::Text);
                if quoting == Quoting::Bare { push_plain(parts, "$") } else { push_quoted(parts, "$") }
            }
        }
        Ok(())
    }

    fn parameter(&self, from: usize, name: &str) -> Part {
        Part::Parameter(Box::new(Parameter {
            name: name.to_owned(),
            braced: false,
            indirect: false,
            length: false,
            subscript: None,
            op: Op::None,
            span: self.span_from(from),
        }))
    }

    /// `$(…)` or `$((…))`.
    fn parenthesized(&mut self) -> Parsed<Part> {
        let from = self.pos;
        if self.looking_at("$((") {
            self.advance(3, Token::Expansion);
            match self.arithmetic_or_not()? {
                Dollar::Arithmetic(parts) => return Ok(Part::Arithmetic(parts, self.span_from(from))),
                Dollar::Commands => {
                    let end = self.closing_parenthesis()?;
                    self.rewind(from);
                    self.advance(2, Token::Expansion);
                    let list = self.substituted()?;
                    if self.pos != end {
                        return self.fail("arithmetic or a substitution");
                    }
                    return Ok(Part::Command(Rc::new(list)));
                }
            }
        }
        self.advance(2, Token::Expansion);
        Ok(Part::Command(Rc::new(self.substituted()?)))
    }

    /// Commands up to a parenthesis, which is taken.
    pub(super) fn substituted(&mut self) -> Parsed<List> {
        let waiting = std::mem::take(&mut self.pending);
        let (outer, inside) = (self.outer_pending, self.in_substitution);
        let heredoc = std::mem::take(&mut self.behind_heredoc);
        self.outer_pending |= !waiting.is_empty();
        self.in_substitution = true;
        let list = self.list()?;
        if self.peek() != Some(b')') {
            return self.fail("a parenthesis is missing");
        }
        if !self.pending.is_empty() {
            return self.fail("a heredoc without its text");
        }
        self.advance(1, Token::Expansion);
        self.pending = waiting;
        (self.outer_pending, self.in_substitution, self.behind_heredoc) = (outer, inside, heredoc);
        Ok(list)
    }

    /// Arithmetic up to `))`, or the finding that it is none: bash takes it for commands then.
    pub(super) fn arithmetic_or_not(&mut self) -> Parsed<Dollar> {
        let mut odd = false;
        let parts = self.arithmetic_parts(b')', &mut odd)?;
        self.advance(1, Token::Expansion);
        if self.peek() != Some(b')') {
            return Ok(Dollar::Commands);
        }
        if odd {
            return self.fail("quotes in arithmetic");
        }
        self.advance(1, Token::Expansion);
        Ok(Dollar::Arithmetic(parts))
    }

    /// From within a parenthesis: the place behind its end, as bash counts it in what may be arithmetic.
    fn closing_parenthesis(&mut self) -> Parsed<usize> {
        let mut odd = false;
        self.arithmetic_parts(b')', &mut odd)?;
        self.advance(1, Token::Expansion);
        Ok(self.pos)
    }

    /// Arithmetic up to a byte, which is taken.
    pub(super) fn arithmetic_until(&mut self, end: u8) -> Parsed<Vec<Part>> {
        let mut odd = false;
        let parts = self.arithmetic_parts(end, &mut odd)?;
        if odd {
            return self.fail("quotes in arithmetic");
        }
        self.advance(1, Token::Expansion);
        Ok(parts)
    }

    fn arithmetic_parts(&mut self, end: u8, odd: &mut bool) -> Parsed<Vec<Part>> {
        self.enter()?;
        let mut parts = Vec::new();
        let (open, close) = if end == b']' { (b'[', b']') } else { (b'(', b')') };
        let mut depth = 0_usize;
        loop {
            let Some(byte) = self.peek() else { return self.fail("arithmetic that does not end") };
            if byte == end && depth == 0 {
                self.leave();
                return Ok(parts);
            }
            match byte {
                b'\'' => {
                    let text = self.single()?;
                    *odd |= end != b']';
                    parts.push(Part::Quoted(text));
                }
                b'\\' => {
                    *odd |= self.peek_at(1) != Some(b'\n');
                    self.escape(&mut parts)?;
                }
                b'"' => {
                    let part = self.double()?;
                    parts.push(part);
                }
                b'`' => {
                    let part = self.backticks(Quoting::Double)?;
                    parts.push(part);
                }
                b'$' => self.dollar(Quoting::Double, &mut parts)?,
                // `for ((;(;);))`
                _ if byte == end && byte != close => return self.fail("a parenthesis is missing"),
                _ if byte == open => {
                    depth += 1;
                    self.advance(1, Token::Text);
                    push_plain(&mut parts, if end == b']' { "[" } else { "(" });
                }
                _ if byte == close => {
                    if depth == 0 {
                        return self.fail("a parenthesis too many");
                    }
                    depth -= 1;
                    self.advance(1, Token::Text);
                    push_plain(&mut parts, if end == b']' { "]" } else { ")" });
                }
                _ => {
                    let run = self.run(|b| {
                        matches!(b, b'\'' | b'\\' | b'"' | b'`' | b'$') || b == open || b == close || b == end
                    })?;
                    push_plain(&mut parts, self.between(run.0, run.1));
                }
            }
        }
    }

    /// `${…}`
    fn braced(&mut self, quoting: Quoting) -> Parsed<Part> {
        self.enter()?;
        let from = self.pos;
        self.advance(2, Token::Expansion);
        let mut indirect = false;
        let mut length = false;
        match (self.peek(), self.peek_at(1)) {
            (Some(b'#'), Some(next)) if continues_name(next) || matches!(next, b'@' | b'*') => {
                length = true;
                self.advance(1, Token::Expansion);
            }
            (Some(b'!'), Some(next)) if continues_name(next) => {
                indirect = true;
                self.advance(1, Token::Expansion);
            }
            (Some(b'#' | b'!' | b'?' | b'-' | b'$'), Some(b'}')) | (Some(b'@' | b'*'), _) => {}
            (Some(first), _) if continues_name(first) => {}
            _ => return self.fail("an expansion in braces that is not known"),
        }
        let bytes = self.text.as_bytes().get(self.pos..).unwrap_or_default();
        let size = match bytes.first() {
            Some(b'0'..=b'9') => bytes.iter().position(|b| !b.is_ascii_digit()).unwrap_or(bytes.len()),
            Some(byte) if starts_name(*byte) => {
                bytes.iter().position(|b| !continues_name(*b)).unwrap_or(bytes.len())
            }
            _ => 1,
        };
        let name = self.between(self.pos, self.pos + size).to_owned();
        self.advance(size, Token::Expansion);
        let mut subscript = None;
        if self.peek() == Some(b'[') && name.bytes().next().is_some_and(starts_name) {
            subscript = Some(if self.looking_at("[@]") || self.looking_at("[*]") {
                let star = self.peek_at(1) == Some(b'*');
                self.advance(3, Token::Expansion);
                Subscript::All { star }
            } else {
                self.advance(1, Token::Expansion);
                Subscript::Index(self.arithmetic_until(b']')?)
            });
        }
        let op = self.operation(quoting, indirect, subscript.is_some())?;
        if self.peek() != Some(b'}') || length && !matches!(op, Op::None) {
            return self.fail("an expansion in braces that is not known");
        }
        self.advance(1, Token::Expansion);
        self.leave();
        let span = self.span_from(from);
        Ok(Part::Parameter(Box::new(Parameter { name, braced: true, indirect, length, subscript, op, span })))
    }

    /// What stands between the name and the closing brace.
    fn operation(&mut self, quoting: Quoting, indirect: bool, subscripted: bool) -> Parsed<Op> {
        let next = self.peek_at(1);
        match (self.peek(), next) {
            (Some(b'}'), _) => Ok(if indirect && subscripted { Op::Names } else { Op::None }),
            (Some(b'*' | b'@'), Some(b'}')) if indirect => {
                self.advance(1, Token::Expansion);
                Ok(Op::Names)
            }
            (Some(b':'), Some(kind @ (b'-' | b'=' | b'?' | b'+'))) => {
                self.advance(2, Token::Expansion);
                Ok(Op::Default { colon: true, kind, word: self.brace_word(quoting)? })
            }
            (Some(kind @ (b'-' | b'=' | b'?' | b'+')), _) => {
                self.advance(1, Token::Expansion);
                Ok(Op::Default { colon: false, kind, word: self.brace_word(quoting)? })
            }
            (Some(b':'), _) => {
                self.advance(1, Token::Expansion);
                Ok(Op::Slice(self.brace_word(quoting)?))
            }
            (Some(byte @ (b'#' | b'%')), _) => {
                let op = match (byte, next) {
                    (b'#', Some(b'#')) => "##",
                    (b'#', _) => "#",
                    (_, Some(b'%')) => "%%",
                    _ => "%",
                };
                self.advance(op.len(), Token::Expansion);
                Ok(Op::Trim { op, pattern: self.brace_word(quoting)? })
            }
            (Some(b'/' | b'^' | b',' | b'~'), _) => {
                self.advance(1, Token::Expansion);
                Ok(Op::Change(self.brace_word(quoting)?))
            }
            (Some(b'@'), Some(kind)) if kind.is_ascii_alphabetic() => {
                self.advance(2, Token::Expansion);
                Ok(Op::Transform(kind))
            }
            _ => self.fail("an expansion in braces that is not known"),
        }
    }

    /// The word in braces, up to the first closing brace that is not quoted.
    fn brace_word(&mut self, quoting: Quoting) -> Parsed<Vec<Part>> {
        let mut parts = Vec::new();
        loop {
            let Some(byte) = self.peek() else { return self.fail("a brace is missing") };
            match byte {
                b'}' => return Ok(parts),
                b'\\' => {
                    let special = matches!(self.peek_at(1), Some(b'$' | b'`' | b'"' | b'\\' | b'}' | b'\n'));
                    if quoting != Quoting::Bare && !special {
                        push_quoted(&mut parts, "\\");
                    }
                    self.escape(&mut parts)?;
                }
                b'\'' if quoting == Quoting::Bare => {
                    let text = self.single()?;
                    parts.push(Part::Quoted(text));
                }
                // Between double quotes these are sometimes quotes and sometimes text.
                b'\'' => {
                    let text = self.single()?;
                    if text.contains(['{', '}', '$', '`', '"', '\\']) {
                        return self.fail("a single quote in braces in quotes");
                    }
                    parts.push(Part::Plain(format!("'{text}'")));
                }
                b'"' if quoting == Quoting::Heredoc => return self.fail("a quote in braces in a heredoc"),
                b'"' => {
                    let part = self.double()?;
                    parts.push(part);
                }
                b'`' => {
                    let part = self.backticks(quoting)?;
                    parts.push(part);
                }
                b'$' if matches!(self.peek_at(1), Some(b'\'' | b'"')) && quoting != Quoting::Bare => {
                    return self.fail("a quote in braces in quotes");
                }
                b'$' => self.dollar(quoting, &mut parts)?,
                b'<' | b'>' if self.peek_at(1) == Some(b'(') && quoting == Quoting::Bare => {
                    return self.fail("a process substitution in braces");
                }
                b'<' | b'>' => {
                    self.advance(1, Token::Text);
                    push_plain(&mut parts, if byte == b'<' { "<" } else { ">" });
                }
                _ => {
                    let run =
                        self.run(|b| matches!(b, b'}' | b'\\' | b'\'' | b'"' | b'`' | b'$' | b'<' | b'>'))?;
                    push_plain(&mut parts, self.between(run.0, run.1));
                }
            }
        }
    }

    /// `$'…'`
    fn ansi_c(&mut self) -> Parsed<String> {
        let bytes = self.text.as_bytes();
        let from = self.pos;
        let mut out: Vec<u8> = Vec::new();
        let mut at = from + 2;
        loop {
            let Some(byte) = bytes.get(at).copied() else { return self.fail("a quote that does not end") };
            at += 1;
            match byte {
                b'\'' => break,
                b'\\' => {
                    let rest = bytes.get(at..).unwrap_or_default();
                    let Some(taken) = ansi_escape(rest, &mut out) else {
                        return self.fail("an escape that is not known");
                    };
                    at += taken;
                }
                _ => out.push(byte),
            }
        }
        match String::from_utf8(out) {
            Ok(text) if !text.contains('\0') => {
                self.advance(at - from, Token::Quote);
                Ok(text)
            }
            _ => self.fail("an escape that makes no text"),
        }
    }
}

/// Decodes the escape behind a backslash; how many bytes it took, or nothing where it is not known.
fn ansi_escape(rest: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let digits = |from: usize, most: usize, radix: u32| {
        let text = rest.get(from..).unwrap_or_default();
        let count = text.iter().take(most).take_while(|b| char::from(**b).is_digit(radix)).count();
        let value = text.iter().take(count).fold(0_u32, |value, b| {
            value.wrapping_mul(radix).wrapping_add(char::from(*b).to_digit(radix).unwrap_or_default())
        });
        (count, value)
    };
    let simple = match rest.first()? {
        b'a' => 7,
        b'b' => 8,
        b'e' | b'E' => 27,
        b'f' => 12,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'v' => 11,
        byte @ (b'\\' | b'\'' | b'"' | b'?') => *byte,
        b'0'..=b'7' => {
            let (count, value) = digits(0, 3, 8);
            out.push(u8::try_from(value & 0xff).ok()?);
            return Some(count);
        }
        b'x' => {
            let (count, value) = digits(1, 2, 16);
            if count == 0 {
                return None;
            }
            out.push(u8::try_from(value).ok()?);
            return Some(count + 1);
        }
        kind @ (b'u' | b'U') => {
            let (count, value) = digits(1, if *kind == b'u' { 4 } else { 8 }, 16);
            if count == 0 {
                return None;
            }
            // The bytes of other characters depend on the locale.
            out.push(u8::try_from(value).ok().filter(u8::is_ascii)?);
            return Some(count + 1);
        }
        b'c' => {
            let letter = rest.get(1).filter(|b| b.is_ascii_alphabetic())?;
            out.push(letter & 0x1f);
            return Some(2);
        }
        byte => {
            out.push(b'\\');
            *byte
        }
    };
    out.push(simple);
    Some(1)
}
