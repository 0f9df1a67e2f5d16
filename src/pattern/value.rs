//! Conditions on the value of an argument: `equals`, `glob`, `less_than` and the others of a table.
//!
//! A condition has two readings. The broad one looks at the value, and where that is a list at every element,
//! nested lists too: one that matches is enough, and a value that an operator cannot read possibly matches.
//! The narrow one wants the value itself, or every element of a list that has some; a value that an operator
//! cannot read does not match. A missing argument satisfies nothing but `exists = false`.

mod json;
mod regex;

use std::cmp::Ordering;

use serde_json::{Number, Value};
use smallvec::SmallVec;

pub use self::json::ValueType;
use self::json::{MAX_DEPTH, all, any, compare, same};
pub use self::regex::ValueRegex;
use super::name::NameGlob;
use super::{Reading, Tri};
use crate::arg::Found;

/// What one key of an operator table asks. Of several alternatives one is enough.
#[derive(Clone, Debug, PartialEq)]
pub enum Operator {
    /// The value is this one; numbers by value (`1` is `1.0`), objects in any order of keys.
    Equals(Value),
    /// The value is one of these.
    OneOf(Vec<Value>),
    /// The whole text matches a name glob.
    Glob(Vec<NameGlob>),
    /// A regular expression: found anywhere in the broad reading, over the whole text in the narrow one.
    Regex(Vec<ValueRegex>),
    /// A text has this part, or a list this element.
    Contains(Vec<Value>),
    /// A text starts so.
    StartsWith(Vec<String>),
    /// A number is below.
    LessThan(Number),
    /// A number is above.
    GreaterThan(Number),
    /// The argument is there (null is), or is not.
    Exists(bool),
    /// The value is of this type. In the narrow reading the value itself, never the elements of a list.
    Type(Vec<ValueType>),
}

/// An operator table: every operator must hold.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueCondition {
    operators: Box<[Operator]>,
}

impl ValueCondition {
    /// The table of `operators`. An empty one holds for every value that is there.
    pub fn new(operators: impl IntoIterator<Item = Operator>) -> Self {
        Self { operators: operators.into_iter().collect() }
    }

    /// The condition that an argument is `value`.
    pub fn equals(value: Value) -> Self {
        Operator::Equals(value).into()
    }

    /// The operators.
    pub fn operators(&self) -> &[Operator] {
        &self.operators
    }

    /// Whether the condition holds for an argument, `None` when it is missing.
    pub fn matches(&self, value: Option<&Value>, reading: Reading) -> Tri {
        match (reading, value) {
            (Reading::Broad, Some(value)) => self.broad(&[value], false),
            (Reading::Broad, None) => self.broad(&[], true),
            (Reading::Narrow, Some(value)) => self.narrow(value).into(),
            (Reading::Narrow, None) => self.missing(),
        }
    }

    /// Whether the condition holds for what a path found: for one value in the broad reading; for every
    /// value, none missing, in the narrow one.
    pub fn matches_found(&self, found: &Found<'_>, reading: Reading) -> Tri {
        match reading {
            Reading::Broad => {
                let sure = self.broad(&found.values, found.missing);
                // What stands where a list or an object was expected may be read as one by the tool.
                if found.wrong_shape { sure.or(Tri::Possibly) } else { sure }
            }
            Reading::Narrow if found.wrong_shape => Tri::No,
            Reading::Narrow if found.missing => {
                // Where one branch has a value and another has none, no operator holds for both.
                if found.values.is_empty() { self.missing() } else { Tri::No }
            }
            Reading::Narrow => {
                (!found.values.is_empty() && found.values.iter().all(|value| self.narrow(value))).into()
            }
        }
    }

    fn missing(&self) -> Tri {
        (!self.operators.is_empty() && self.operators.iter().all(|each| each.judge(None) == Tri::Yes)).into()
    }

    /// Yes when one value satisfies every operator, or the condition holds narrowly. Where different elements satisfy different operators,
    /// what the table was meant to say is open.
    fn broad(&self, values: &[&Value], missing: bool) -> Tri {
        let mut candidates = Candidates::default();
        for value in values {
            candidates.add(value, MAX_DEPTH);
        }
        let each = || candidates.values.iter().copied().map(Some).chain(missing.then_some(None));
        let together = if self.operators.is_empty() {
            (!values.is_empty()).into()
        } else {
            any(each().map(|value| all(self.operators.iter().map(|operator| operator.judge(value)))))
        };
        if together == Tri::Yes || values.iter().any(|value| self.narrow(value)) {
            return Tri::Yes;
        }
        let apart =
            || all(self.operators.iter().map(|operator| any(each().map(|value| operator.judge(value)))));
        let open = candidates.cut || self.operators.len() > 1 && apart() != Tri::No;
        together.or(if open { Tri::Possibly } else { Tri::No })
    }

    fn narrow(&self, value: &Value) -> bool {
        self.operators.iter().all(|operator| operator.narrow(value, MAX_DEPTH))
    }
}

impl From<Operator> for ValueCondition {
    fn from(operator: Operator) -> Self {
        Self::new([operator])
    }
}

/// Values and the elements of their lists, those of nested lists too.
#[derive(Default)]
struct Candidates<'v> {
    values: SmallVec<[&'v Value; 8]>,
    /// A list was too deep to look into.
    cut: bool,
}

impl<'v> Candidates<'v> {
    fn add(&mut self, value: &'v Value, depth: usize) {
        self.values.push(value);
        if let Value::Array(elements) = value {
            match depth.checked_sub(1) {
                Some(depth) => {
                    for element in elements {
                        self.add(element, depth);
                    }
                }
                None => self.cut = true,
            }
        }
    }
}

impl Operator {
    /// Whether it holds for `value` itself, read broadly. Of a list only what speaks of lists holds; its
    /// elements are judged for themselves.
    fn judge(&self, value: Option<&Value>) -> Tri {
        let Some(value) = value else { return (*self == Self::Exists(false)).into() };
        match self {
            Self::Equals(expected) => same(value, expected),
            Self::OneOf(choices) => any(choices.iter().map(|expected| same(value, expected))),
            Self::Glob(globs) => text(value, |text| any(globs.iter().map(|glob| glob.matches(text).into()))),
            Self::Regex(list) => {
                text(value, |text| any(list.iter().map(|regex| regex.matches(text, Reading::Broad))))
            }
            Self::StartsWith(starts) => {
                text(value, |text| any(starts.iter().map(|start| text.starts_with(start).into())))
            }
            Self::Contains(parts) => any(parts.iter().map(|part| contains(value, part))),
            Self::LessThan(limit) => ordered(value, limit, Ordering::Less),
            Self::GreaterThan(limit) => ordered(value, limit, Ordering::Greater),
            Self::Exists(expected) => (*expected).into(),
            Self::Type(types) => types.iter().any(|each| each.holds(value)).into(),
        }
    }

    /// Whether it surely holds for `value` itself, or for every element of a list that has some.
    fn narrow(&self, value: &Value, depth: usize) -> bool {
        let itself = match self {
            Self::Regex(list) => matches!(value, Value::String(text)
                if list.iter().any(|regex| regex.matches(text, Reading::Narrow) == Tri::Yes)),
            Self::Exists(_) | Self::Type(_) => return self.judge(Some(value)) == Tri::Yes,
            Self::Equals(_)
            | Self::OneOf(_)
            | Self::Glob(_)
            | Self::Contains(_)
            | Self::StartsWith(_)
            | Self::LessThan(_)
            | Self::GreaterThan(_) => self.judge(Some(value)) == Tri::Yes,
        };
        itself
            || matches!((value, depth.checked_sub(1)), (Value::Array(elements), Some(depth))
                if !elements.is_empty() && elements.iter().all(|element| self.narrow(element, depth)))
    }
}

fn text(value: &Value, holds: impl FnOnce(&str) -> Tri) -> Tri {
    match value {
        Value::String(text) => holds(text),
        Value::Array(_) => Tri::No,
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Tri::Possibly,
    }
}

fn contains(value: &Value, part: &Value) -> Tri {
    match (value, part) {
        (Value::String(text), Value::String(part)) => text.contains(part.as_str()).into(),
        (Value::Array(elements), _) => any(elements.iter().map(|element| same(element, part))),
        (Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) | Value::String(_), _) => {
            Tri::Possibly
        }
    }
}

fn ordered(value: &Value, limit: &Number, expected: Ordering) -> Tri {
    match value {
        Value::Number(number) => (compare(number, limit) == expected).into(),
        Value::Array(_) => Tri::No,
        Value::Null | Value::Bool(_) | Value::String(_) | Value::Object(_) => Tri::Possibly,
    }
}

#[cfg(test)]
mod tests;
