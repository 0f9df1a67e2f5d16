//! Arithmetic, which can run code: bash evaluates what variables hold, and the subscripts in that.

use super::ast::{Op, Part, Span, Subscript};
use super::cursor::{continues_name, starts_name};
use super::state::{State, Value};
use super::walk::Walker;

/// Stands for a number that is not known.
const NUMBER: char = '\u{1}';

impl Walker<'_> {
    /// Evaluates arithmetic as far as it may run or set something.
    pub(super) fn arithmetic(&mut self, state: &mut State, parts: &[Part], span: Span) {
        let mut text = String::new();
        let mut known = true;
        self.flatten(state, parts, &mut text, &mut known);
        if known && self.evaluate(state, &text) {
            return;
        }
        self.unknown_run(span, "arithmetic over something that may be no number");
        state.forget();
    }

    /// As [`Self::arithmetic`], over a text that is expanded already; nothing where it is unknown.
    pub(super) fn arithmetic_text(&mut self, state: &mut State, text: Option<&str>, span: Span) {
        if text.is_some_and(|text| self.evaluate(state, text)) {
            return;
        }
        self.unknown_run(span, "arithmetic over something that may be no number");
        state.forget();
    }

    /// A variable's name in a word, whose subscript bash evaluates.
    pub(super) fn variable_name(&mut self, state: &mut State, name: Option<&str>, span: Span) {
        let harmless = name.is_some_and(|name| {
            let bytes = name.as_bytes();
            let length = bytes.iter().take_while(|b| continues_name(**b)).count();
            let index = name.get(length..).unwrap_or_default();
            let index = index.strip_prefix('[').and_then(|i| i.strip_suffix(']')).unwrap_or(index);
            index.is_empty() || matches!(index, "@" | "*") || self.evaluate(state, index)
        });
        if !harmless {
            self.unknown_run(span, "a variable's name that may hold code");
            state.forget();
        }
    }

    fn flatten(&mut self, state: &mut State, parts: &[Part], text: &mut String, known: &mut bool) {
        for part in parts {
            match part {
                Part::Plain(plain) | Part::Quoted(plain) => text.push_str(plain),
                Part::Double(parts) => self.flatten(state, parts, text, known),
                Part::Arithmetic(parts, _) => {
                    let (mut inner, mut inner_known) = (String::new(), true);
                    self.flatten(state, parts, &mut inner, &mut inner_known);
                    *known &= inner_known && self.evaluate(state, &inner);
                    text.push(NUMBER);
                }
                Part::Parameter(parameter) if parameter.length => {
                    if let Some(Subscript::Index(parts)) = &parameter.subscript {
                        self.subscript(state, &parameter.name, parts, parameter.span);
                    }
                    text.push(NUMBER);
                }
                Part::Parameter(parameter)
                    if matches!(parameter.op, Op::None)
                        && !parameter.indirect
                        && (matches!(&*parameter.name, "?" | "#" | "$")
                            || parameter.subscript.is_none()
                                && matches!(self.lookup(state, &parameter.name), Value::Number)) =>
                {
                    text.push(NUMBER);
                }
                Part::Parameter(_) | Part::Command(_) => {
                    match self.value(state, std::slice::from_ref(part)) {
                        Value::Number => text.push(NUMBER),
                        value => match value.literal() {
                            Some(value) => text.push_str(&value),
                            None => *known = false,
                        },
                    }
                }
                Part::Process { .. } | Part::Extended { .. } | Part::Array(_) => {
                    self.effects(state, std::slice::from_ref(part));
                    *known = false;
                }
            }
        }
    }

    /// Whether the expression is surely harmless; sets the variables that it sets.
    fn evaluate(&self, state: &mut State, text: &str) -> bool {
        let sure = !text.contains(['&', '|', '?']);
        let mut waiting: Vec<&str> = Vec::new();
        let bytes = text.as_bytes();
        let mut at = 0;
        let mut step_before = false;
        while let Some(byte) = bytes.get(at).copied() {
            let rest = bytes.get(at..).unwrap_or_default();
            if starts_name(byte) {
                let length = rest.iter().position(|b| !continues_name(*b)).unwrap_or(rest.len());
                let name = text.get(at..at + length).unwrap_or_default();
                at += length;
                let after = text.get(at..).unwrap_or_default();
                if after.starts_with(['\u{1}', '#']) {
                    return false;
                }
                let after = after.trim_start();
                if after.starts_with('[') {
                    // The elements may be anything.
                    return false;
                }
                let plain_set = after.starts_with('=') && !after.starts_with("==");
                let changes = step_before
                    || after.starts_with("++")
                    || after.starts_with("--")
                    || ["+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "^=", "|="]
                        .iter()
                        .any(|op| after.starts_with(op));
                step_before = false;
                if plain_set {
                    waiting.push(name);
                    continue;
                }
                let value = self.lookup(state, name);
                if !(value.is_number() || value == Value::Unset) {
                    return false;
                }
                if changes {
                    waiting.push(name);
                }
                continue;
            }
            if byte.is_ascii_digit() || byte == 1 {
                // Numbers with a base, and hexadecimal ones.
                let length = rest
                    .iter()
                    .position(|b| !(continues_name(*b) || matches!(b, b'#' | b'@' | 1)))
                    .unwrap_or(rest.len());
                let number = text.get(at..at + length).unwrap_or_default();
                if number.contains('\u{1}')
                    && number.len() > 1
                    && number.contains(|c: char| c.is_ascii_alphabetic())
                {
                    return false;
                }
                at += length;
                continue;
            }
            match byte {
                b'+' | b'-' if rest.get(1) == Some(&byte) => {
                    step_before = true;
                    at += 2;
                    continue;
                }
                b' ' | b'\t' | b'\n' => {}
                b',' => {
                    if !self.settle(state, &mut waiting, sure) {
                        return false;
                    }
                }
                b'+' | b'-' | b'*' | b'/' | b'%' | b'<' | b'>' | b'=' | b'!' | b'&' | b'|' | b'^' | b'~'
                | b'?' | b':' | b'(' | b')' => step_before = false,
                _ => return false,
            }
            at += 1;
        }
        self.settle(state, &mut waiting, sure)
    }

    /// Sets the variables that an expression set.
    fn settle(&self, state: &mut State, waiting: &mut Vec<&str>, sure: bool) -> bool {
        for name in waiting.drain(..) {
            let number = sure || self.lookup(state, name).is_number();
            state.set(name, if number { Value::Number } else { Value::Unknown });
        }
        true
    }
}
