//! Assignments, on their own and as arguments of `declare` and its like.

use super::Assignment;
use super::ast::{self, ArrayItem, Assign, AssignValue, Part, Span};
use super::cursor::is_name;
use super::state::{State, Value};
use super::walk::Walker;
use crate::facts::word::{Piece, Word};
use std::rc::Rc;

/// An argument of `declare` and its like.
#[derive(Debug)]
pub(super) enum Declared {
    Option(String),
    Name(String),
    Set { name: String, value: Value, append: bool, element: bool },
    Unknown,
}

impl Walker<'_> {
    /// Expands an assignment; with `keeps` it holds in this shell.
    pub(super) fn assign(&mut self, state: &mut State, assign: &Assign, keeps: bool) -> Assignment {
        if let Some(parts) = &assign.subscript {
            self.subscript(state, &assign.name, parts, assign.span);
        }
        let (value, array) = match &assign.value {
            AssignValue::Word(word) => (self.value(state, &word.parts), false),
            AssignValue::Array(items) => (self.array(state, &assign.name, items), true),
        };
        let span = match &assign.value {
            AssignValue::Word(word) => word.span,
            AssignValue::Array(_) => assign.span,
        };
        let shown = match &value {
            Value::Pieces(pieces) => Word { pieces: pieces.to_vec(), span },
            Value::Number | Value::Array(_) | Value::Unset | Value::Unknown => {
                Word { span, ..Word::unknown(false) }
            }
        };
        let element = assign.subscript.is_some();
        if keeps {
            self.set(state, &assign.name, value, assign.append, element, assign.span);
        }
        Assignment { name: assign.name.clone(), value: shown, append: assign.append, element, array }
    }

    /// The value of `(…)`.
    pub(super) fn array(&mut self, state: &mut State, name: &str, items: &[ArrayItem]) -> Value {
        let mut all = Vec::new();
        let mut known = true;
        for item in items {
            if let Some(parts) = &item.subscript {
                self.subscript(state, name, parts, item.word.span);
                self.effects(state, &item.word.parts);
                known = false;
                continue;
            }
            for word in self.fields(state, &item.word) {
                known &= !word.splits();
                all.push(word.pieces);
            }
        }
        if known && all.len() <= 64 { Value::Array(all.into()) } else { Value::Unknown }
    }

    /// Sets a variable in this shell.
    pub(super) fn set(
        &mut self,
        state: &mut State,
        name: &str,
        value: Value,
        append: bool,
        element: bool,
        span: Span,
    ) {
        if matches!(name, "POSIXLY_CORRECT" | "BASH_COMPAT") {
            self.strange(state, span);
        }
        let integer = state.vars.get(name).is_some_and(|var| var.integer);
        if integer && !value.is_number() {
            self.arithmetic_text(state, value.literal().as_deref(), span);
        }
        let value = match (append, element) {
            (_, true) => Value::Unknown,
            (false, false) if integer => Value::Number,
            (false, false) => value,
            (true, false) => match (self.lookup(state, name), value) {
                (Value::Pieces(old), Value::Pieces(new)) if !integer && old.len() + new.len() < 64 => {
                    let pieces: Vec<Piece> = old.iter().chain(new.iter()).cloned().collect();
                    let length: usize = pieces
                        .iter()
                        .map(|p| match p {
                            Piece::Text(t) | Piece::Glob(t) => t.len(),
                            Piece::Unknown { .. } => 1,
                        })
                        .sum();
                    if length > 4096 { Value::Unknown } else { Value::Pieces(super::joined(pieces).into()) }
                }
                (Value::Array(old), Value::Array(new)) if old.len() + new.len() <= 64 => {
                    Value::Array(old.iter().chain(new.iter()).cloned().collect())
                }
                (Value::Unset, new) => new,
                (old, new) if old.is_number() && new.is_number() => Value::Number,
                _ => Value::Unknown,
            },
        };
        state.set(name, value);
    }

    /// Bash reads the rest by other rules.
    pub(super) fn strange(&mut self, state: &mut State, span: Span) {
        self.unknown_run(span, "an option that changes how the rest is read");
        state.forget();
    }

    /// An argument of `declare` and its like: the words it becomes and what they say.
    pub(super) fn declared(
        &mut self,
        state: &mut State,
        word: &ast::Word,
        out: &mut Vec<Word>,
    ) -> Vec<Declared> {
        if let Some(Part::Plain(first)) = word.parts.first()
            && let Some((left, right)) = first.split_once('=')
        {
            let (name, append) = left.strip_suffix('+').map_or((left, false), |name| (name, true));
            if is_name(name) && !first.contains(['{', '~']) {
                let value = if let [_, Part::Array(items)] = word.parts.as_slice() {
                    self.array(state, name, items)
                } else {
                    let rest = self.value(state, word.parts.get(1..).unwrap_or_default());
                    match (right.is_empty(), rest) {
                        (true, rest) => rest,
                        (false, Value::Pieces(pieces)) => {
                            let text = std::iter::once(Piece::Text(right.to_owned()));
                            Value::Pieces(super::joined(text.chain(pieces.iter().cloned()).collect()).into())
                        }
                        (false, _) => Value::Unknown,
                    }
                };
                let mut pieces = vec![Piece::Text(format!("{left}="))];
                match &value {
                    Value::Pieces(more) => pieces.extend(more.iter().cloned()),
                    Value::Number | Value::Array(_) | Value::Unset | Value::Unknown => {
                        pieces.push(Piece::Unknown { splits: false });
                    }
                }
                out.push(Word { pieces: super::joined(pieces), span: word.span });
                return vec![Declared::Set { name: name.to_owned(), value, append, element: false }];
            }
        }
        let words = self.fields(state, word);
        let declared = words.iter().map(said).collect();
        out.extend(words);
        declared
    }

    /// `declare`, `export`, `local`, `readonly`, `typeset`.
    pub(super) fn declare(&mut self, state: &mut State, builtin: &str, declared: Vec<Declared>, span: Span) {
        let mut options = String::new();
        let mut removed = String::new();
        let mut ended = false;
        for said in declared {
            match said {
                Declared::Option(option) if !ended => match option.strip_prefix('-') {
                    Some("-") => ended = true,
                    Some(letters) => options.push_str(letters),
                    None => removed.push_str(option.trim_start_matches('+')),
                },
                Declared::Option(_) => {}
                Declared::Unknown => {
                    self.unknown_run(span, "a declaration that is not known");
                    state.forget();
                }
                Declared::Name(_) | Declared::Set { .. } if options.contains(['f', 'F', 'p']) => {}
                // Outside of functions that is an error; inside of a sourced file it may not be.
                Declared::Name(name) | Declared::Set { name, .. }
                    if builtin == "local" && self.locals.is_empty() =>
                {
                    state.set(&name, Value::Unknown);
                }
                Declared::Name(_) | Declared::Set { .. } if options.contains('n') && builtin != "export" => {
                    self.unknown_run(span, "a variable that stands for another one");
                    state.forget();
                    state.volatile = true;
                }
                Declared::Name(name) => {
                    let local = self.localize(state, builtin, &options, &name);
                    if local {
                        state.set(&name, Value::Unset);
                    } else {
                        let value = self.lookup(state, &name);
                        state.set(&name, value);
                    }
                    self.attributes(state, builtin, &options, &removed, &name, None, span);
                }
                Declared::Set { name, value, append, element } => {
                    let local = self.localize(state, builtin, &options, &name);
                    let copy = value.clone();
                    self.set(state, &name, value, append && !local, element, span);
                    self.attributes(state, builtin, &options, &removed, &name, Some(&copy), span);
                }
            }
        }
    }

    /// Notes a local variable; whether it is one.
    fn localize(&mut self, state: &State, builtin: &str, options: &str, name: &str) -> bool {
        let local = builtin == "local" || matches!(builtin, "declare" | "typeset") && !options.contains('g');
        match self.locals.last_mut() {
            Some(names) if local => {
                names.push(name.to_owned());
                !state.volatile
            }
            _ => false,
        }
    }

    #[expect(clippy::too_many_arguments, reason = "they are one declaration")]
    fn attributes(
        &mut self,
        state: &mut State,
        builtin: &str,
        options: &str,
        removed: &str,
        name: &str,
        value: Option<&Value>,
        span: Span,
    ) {
        let read_only = builtin == "readonly" || options.contains('r');
        let integer = options.contains('i');
        if integer && let Some(value) = value.filter(|value| !value.is_number()) {
            self.arithmetic_text(state, value.literal().as_deref(), span);
        }
        state.mark(name, |var| {
            if integer {
                var.integer = true;
                var.value = if value.is_some() { Value::Number } else { Value::Unknown };
            }
            if options.contains(['l', 'u', 'c']) {
                var.value = Value::Unknown;
            }
            var.odd |=
                read_only || options.contains(['l', 'u', 'c']) || !removed.trim_matches('x').is_empty();
            var.associative |= options.contains('A');
            if builtin == "export" && options.contains('n') || removed.contains('x') {
                var.exported = false;
            } else if builtin == "export" || options.contains('x') {
                var.exported = true;
            }
        });
    }

    /// Prefix assignments, for the time of a function or `eval`.
    pub(super) fn lend(&mut self, state: &mut State, assignments: &[Assignment], span: Span) {
        for assignment in assignments {
            let value = Value::Pieces(Rc::from(assignment.value.pieces.clone()));
            self.set(state, &assignment.name, value, assignment.append, assignment.element, span);
        }
    }
}

/// What an expanded argument says.
pub(super) fn said(word: &Word) -> Declared {
    if word.splits() {
        return Declared::Unknown;
    }
    if let Some(text) = word.literal()
        && !text.contains('=')
    {
        return if text.starts_with(['-', '+']) {
            Declared::Option(text.into_owned())
        } else if is_name(&text) {
            Declared::Name(text.into_owned())
        } else {
            Declared::Unknown
        };
    }
    let Some(Piece::Text(first)) = word.pieces.first() else { return Declared::Unknown };
    let Some((left, right)) = first.split_once('=') else { return Declared::Unknown };
    let (name, append) = left.strip_suffix('+').map_or((left, false), |name| (name, true));
    if !is_name(name) {
        return Declared::Unknown;
    }
    let mut pieces = vec![Piece::Text(right.to_owned())];
    pieces.extend(word.pieces.iter().skip(1).cloned());
    let value =
        if right.starts_with('(') { Value::Unknown } else { Value::Pieces(super::joined(pieces).into()) };
    Declared::Set { name: name.to_owned(), value, append, element: false }
}
