//! JSON: serde_json judges it, the syntax tree tells the places.

use jsonc_parser::ast::{ObjectPropName, Value};
use jsonc_parser::common::{Range, Ranged};
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

use super::limits::{MAX_DEPTH, too_deep};
use super::{Entries, Kind, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span, Spanned};

/// Reads a JSON text.
pub(super) fn read(text: &str, source: SourceId) -> Result<Node, Vec<Diagnostic>> {
    if let Err(error) = serde_json::from_str::<serde_json::Value>(text) {
        return Err(vec![syntax_error(text, source, &error)]);
    }
    let parsed = parse_to_ast(text, &CollectOptions::default(), &STRICT);
    let value = match parsed {
        Ok(result) => result.value,
        Err(error) => {
            let range = error.range();
            let finding = Diagnostic::error(Code::E0107, format!("not JSON: {}", error.kind()));
            return Err(vec![finding.at(Span::new(source, range.start..range.end), "")]);
        }
    };
    let Some(value) = value else {
        return Err(vec![
            Diagnostic::error(Code::E0106, "the file has no value").at(Span::new(source, 0..0), ""),
        ]);
    };
    let mut reader = Reader { text, source, problems: Vec::new() };
    let node = reader.node(&value, 1);
    if reader.problems.is_empty() { Ok(node) } else { Err(reader.problems) }
}

const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

fn syntax_error(text: &str, source: SourceId, error: &serde_json::Error) -> Diagnostic {
    let line_start = match error.line().checked_sub(2) {
        // The end of line `line - 1`, counted from 0.
        Some(before) => text.match_indices('\n').nth(before).map_or(text.len(), |(at, _)| at + 1),
        None => 0,
    };
    let mut at = (line_start + error.column().saturating_sub(1)).min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let end = at + text.get(at..).and_then(|t| t.chars().next()).map_or(0, char::len_utf8);
    let span = Span::new(source, at..end);
    let whole = error.to_string();
    let message = whole.rsplit_once(" at line ").map_or(whole.as_str(), |(message, _)| message);
    if message.starts_with("recursion limit") {
        return too_deep(span);
    }
    let finding = Diagnostic::error(Code::E0107, format!("not JSON: {message}")).at(span, "");
    match (text.get(at..).unwrap_or_default(), message) {
        (rest, _) if rest.starts_with(['/', '#']) => {
            finding.help("JSON has no comments; a policy with comments can be TOML or YAML")
        }
        (_, "trailing comma") => finding.help("leave out the comma in front of it"),
        (rest, _) if rest.starts_with('\'') => finding.help("texts and keys stand in double quotes"),
        (_, "key must be a string") => finding.help("keys stand in double quotes"),
        (_, message) if message.starts_with("EOF") => finding.help("close what is open: `\"`, `]`, `}`"),
        _ => finding,
    }
}

struct Reader<'a> {
    text: &'a str,
    source: SourceId,
    problems: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn node(&mut self, value: &Value<'_>, depth: usize) -> Node {
        let range = value.range();
        let span = self.span(range);
        if depth > MAX_DEPTH {
            self.problems.push(too_deep(span));
            return Node { kind: Kind::Null, span };
        }
        let kind = match value {
            Value::NullKeyword(_) => Kind::Null,
            Value::BooleanLit(literal) => Kind::Bool(literal.value),
            Value::NumberLit(_) => self.number(span),
            Value::StringLit(literal) => {
                Kind::Str(self.string(range).unwrap_or_else(|| literal.value.to_string()))
            }
            Value::Array(array) => {
                Kind::List(array.elements.iter().map(|item| self.node(item, depth + 1)).collect())
            }
            Value::Object(object) => {
                let mut entries = Entries::default();
                for property in &object.properties {
                    let (key, range) = match &property.name {
                        ObjectPropName::String(literal) => (literal.value.to_string(), literal.range),
                        ObjectPropName::Word(word) => (word.value.to_owned(), word.range),
                    };
                    let key = Spanned::new(self.string(range).unwrap_or(key), self.span(range));
                    let value = self.node(&property.value, depth + 1);
                    entries.add(key, value, &mut self.problems);
                }
                Kind::Map(entries.list)
            }
        };
        Node { kind, span }
    }

    /// The literal itself, read as serde_json reads it, so that escapes have one meaning.
    fn string(&self, range: Range) -> Option<String> {
        serde_json::from_str(self.text.get(range.start..range.end)?).ok()
    }

    fn number(&mut self, span: Span) -> Kind {
        let text = self.text.get(span.range()).unwrap_or_default();
        if text.bytes().all(|b| b.is_ascii_digit() || b == b'-') {
            match super::int_in_range(text.parse().ok()) {
                Some(kind) => return kind,
                None => self.problems.push(super::number_out_of_range(span)),
            }
        }
        match text.parse::<f64>() {
            Ok(number) if number.is_finite() => Kind::Float(number),
            _ => {
                self.problems.push(super::number_out_of_range(span));
                Kind::Null
            }
        }
    }

    fn span(&self, range: Range) -> Span {
        Span::new(self.source, range.start..range.end)
    }
}
