//! The neutral tree of a file: values with their places, whatever format they were written in.

mod json;
mod limits;
mod toml;
mod yaml;

use std::collections::HashMap;
use std::path::Path;

use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span, Spanned};

/// How a file is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Format {
    /// TOML 1.1.
    Toml,
    /// YAML 1.2, its core schema, without anchors, tags and merge keys.
    Yaml,
    /// JSON.
    Json,
}

impl Format {
    /// By the extension of the file's name, in any case.
    pub fn of_path(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "toml" => Some(Self::Toml),
            "yaml" | "yml" => Some(Self::Yaml),
            "json" => Some(Self::Json),
            _ => None,
        }
    }

    /// Its name, as people write it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Toml => "TOML",
            Self::Yaml => "YAML",
            Self::Json => "JSON",
        }
    }
}

/// Reads `text`, which is `source`, or says everything that is wrong with it. A text with any error has no tree.
pub fn read(text: &str, format: Format, source: SourceId) -> Result<Node, Vec<Diagnostic>> {
    let tree = match format {
        Format::Toml => toml::read(text, source),
        Format::Yaml => yaml::read(text, source),
        Format::Json => json::read(text, source),
    }?;
    limits::check(&tree)?;
    Ok(tree)
}

/// Puts together a table: a key that stands in it twice is a problem, and the first one stays.
#[derive(Default)]
struct Entries {
    list: Vec<Entry>,
    seen: HashMap<String, Span>,
}

impl Entries {
    fn add(&mut self, key: Spanned<String>, value: Node, problems: &mut Vec<Diagnostic>) {
        if let Some(first) = self.seen.get(&key.value) {
            problems.push(duplicate(&key.value, Some(*first), key.span));
            return;
        }
        self.seen.insert(key.value.clone(), key.span);
        self.list.push(Entry { key, value });
    }
}

fn duplicate(key: &str, first: Option<Span>, second: Span) -> Diagnostic {
    let finding = Diagnostic::error(Code::E0108, format!("`{key}` stands twice in this table"))
        .at(second, "again here");
    let finding = match first {
        Some(first) => finding.also(first, "first here"),
        None => finding,
    };
    finding.help("keep one of them")
}

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

/// A whole number, when JSON has it.
fn int_in_range(number: Option<i128>) -> Option<Kind> {
    number.filter(|n| (i128::from(i64::MIN)..=i128::from(u64::MAX)).contains(n)).map(Kind::Int)
}

fn number_out_of_range(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0110, "this number is out of range")
        .at(span, "whole numbers go from -9223372036854775808 to 18446744073709551615, others up to 1.7e308")
}

fn not_a_number(span: Span) -> Diagnostic {
    Diagnostic::error(Code::E0110, "infinity and not-a-number are no values of a tool call")
        .at(span, "JSON has no such number")
}
