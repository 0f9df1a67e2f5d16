//! The neutral tree of a file: values with their places, whatever format they were written in.

use crate::source::{Span, Spanned};

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// The value.
    pub kind: Kind,
    /// Its bytes, quotes and brackets included.
    pub span: Span,
}

/// What a [`Node`] is.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// `null`.
    Null,
    /// True or false.
    Bool(bool),
    /// A whole number, from the least `i64` to the greatest `u64`.
    Int(i128),
    /// Another number, finite.
    Float(f64),
    /// Text.
    Str(String),
    /// A list.
    List(Vec<Node>),
    /// A table, in the order written; no key stands in it twice.
    Map(Vec<Entry>),
}

/// A key of a table and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// The key.
    pub key: Spanned<String>,
    /// What it is set to.
    pub value: Node,
}

impl Node {
    /// As plain JSON, without places.
    pub fn to_json(&self) -> serde_json::Value {
        use serde_json::{Number, Value};
        match &self.kind {
            Kind::Null => Value::Null,
            Kind::Bool(b) => Value::Bool(*b),
            Kind::Int(i) => Number::from_i128(*i).map_or(Value::Null, Value::Number),
            Kind::Float(f) => Number::from_f64(*f).map_or(Value::Null, Value::Number),
            Kind::Str(s) => Value::String(s.clone()),
            Kind::List(items) => Value::Array(items.iter().map(Self::to_json).collect()),
            Kind::Map(entries) => {
                Value::Object(entries.iter().map(|e| (e.key.value.clone(), e.value.to_json())).collect())
            }
        }
    }

    /// The value under `key` of a table.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match &self.kind {
            Kind::Map(entries) => entries.iter().find(|e| e.key.value == key).map(|e| &e.value),
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) | Kind::List(_) => None,
        }
    }

    /// The text, when it is one.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            Kind::Str(s) => Some(s),
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::List(_) | Kind::Map(_) => None,
        }
    }
}
