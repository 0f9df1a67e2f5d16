//! JSON with comments, edited as text: what is not meant stays as it is, byte for byte.

use std::fmt::Write as _;
use std::ops::Range;

use jsonc_parser::ast;
use jsonc_parser::common::Ranged as _;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Map, Value};

/// A step from a value to one within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step<'a> {
    /// To the value of a key.
    Key(&'a str),
    /// To an item of a list.
    At(usize),
}

/// Why a text is none of ours to edit: where, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) why: String,
}

/// What is read beside plain JSON: comments, and commas behind the last of something.
const OPTIONS: ParseOptions = ParseOptions {
    allow_comments: true,
    allow_loose_object_property_names: false,
    allow_trailing_commas: true,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// A value with the places of what is in it.
#[derive(Debug)]
struct Node {
    range: Range<usize>,
    shape: Shape,
}

#[derive(Debug)]
enum Shape {
    /// The key, where key and value stand, and the value.
    Object(Vec<(String, Range<usize>, Node)>),
    List(Vec<Node>),
    Plain,
}

impl Node {
    fn of(value: &ast::Value<'_>) -> Self {
        let range = value.range();
        let shape = match value {
            ast::Value::Object(object) => Shape::Object(
                object
                    .properties
                    .iter()
                    .map(|p| (p.name.as_str().to_owned(), p.range.start..p.range.end, Self::of(&p.value)))
                    .collect(),
            ),
            ast::Value::Array(list) => Shape::List(list.elements.iter().map(Self::of).collect()),
            ast::Value::StringLit(_)
            | ast::Value::NumberLit(_)
            | ast::Value::BooleanLit(_)
            | ast::Value::NullKeyword(_) => Shape::Plain,
        };
        Self { range: range.start..range.end, shape }
    }

    fn step(&self, step: Step<'_>) -> Option<&Self> {
        match (&self.shape, step) {
            // Where a key stands twice, the last one counts for who reads the file.
            (Shape::Object(members), Step::Key(key)) => {
                members.iter().rev().find(|(name, ..)| name == key).map(|(.., node)| node)
            }
            (Shape::List(items), Step::At(at)) => items.get(at),
            (Shape::Object(_) | Shape::List(_) | Shape::Plain, _) => None,
        }
    }

    fn at(&self, path: &[Step<'_>]) -> Option<&Self> {
        path.iter().try_fold(self, |node, step| node.step(*step))
    }

    /// Where its members or items stand.
    fn members(&self) -> Vec<Range<usize>> {
        match &self.shape {
            Shape::Object(members) => members.iter().map(|(_, range, _)| range.clone()).collect(),
            Shape::List(items) => items.iter().map(|item| item.range.clone()).collect(),
            Shape::Plain => Vec::new(),
        }
    }
}

fn parse(text: &str) -> Result<Option<ast::Value<'_>>, Broken> {
    parse_to_ast(text, &CollectOptions::default(), &OPTIONS).map(|parsed| parsed.value).map_err(|error| {
        Broken {
            line: error.line_display(),
            column: error.column_display(),
            why: lower(&error.kind().to_string()),
        }
    })
}

fn lower(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |c| c.to_lowercase().chain(chars).collect())
}

/// The value of the text; none where it has none.
pub(super) fn value(text: &str) -> Result<Option<Value>, Broken> {
    Ok(parse(text)?.as_ref().map(plain))
}

fn plain(value: &ast::Value<'_>) -> Value {
    match value {
        ast::Value::StringLit(text) => Value::String(text.value.to_string()),
        // A number that is not one for us is told by its digits.
        ast::Value::NumberLit(number) => {
            serde_json::from_str(number.value).unwrap_or_else(|_| Value::String(number.value.to_owned()))
        }
        ast::Value::BooleanLit(literal) => Value::Bool(literal.value),
        ast::Value::NullKeyword(_) => Value::Null,
        ast::Value::Array(list) => Value::Array(list.elements.iter().map(plain).collect()),
        ast::Value::Object(object) => Value::Object(
            object
                .properties
                .iter()
                .map(|p| (p.name.as_str().to_owned(), plain(&p.value)))
                .collect::<Map<_, _>>(),
        ),
    }
}

/// The value under `path`.
pub(super) fn get<'a>(value: &'a Value, path: &[Step<'_>]) -> Option<&'a Value> {
    path.iter().try_fold(value, |value, step| match step {
        Step::Key(key) => value.get(key),
        Step::At(at) => value.get(at),
    })
}

/// A text of its own.
pub(super) fn fresh(value: &Value) -> String {
    format!("{}\n", pretty(value, "", "  ", "\n"))
}

/// The text with one more item at the end of the list under `path`, or one more key at the end of the object; none where there is no such
/// list or object.
pub(super) fn add(text: &str, path: &[Step<'_>], key: Option<&str>, value: &Value) -> Option<String> {
    let root = Node::of(&parse(text).ok()??);
    let into = root.at(path)?;
    match (&into.shape, key) {
        (Shape::Object(_), Some(_)) | (Shape::List(_), None) => {}
        (Shape::Object(_) | Shape::List(_) | Shape::Plain, _) => return None,
    }
    let style = Style::of(text, &root);
    let (open, close) = (into.range.start, into.range.end.checked_sub(1)?);
    let inner = text.get(open + 1..close)?;
    let tail = open + 1 + inner.trim_end().len();
    let base = indentation(text, open);
    let members = into.members();
    let prefix = |spaced: bool| match key {
        Some(key) => format!("{}:{}", Value::from(key), if spaced { " " } else { "" }),
        None => String::new(),
    };
    let Some(last) = members.last() else {
        let indent = format!("{base}{}", style.unit);
        let written = format!("{}{}", prefix(true), pretty(value, &indent, style.unit, style.newline));
        let end = if inner.contains('\n') && !inner.trim().is_empty() {
            String::new()
        } else {
            format!("{}{base}", style.newline)
        };
        let from = if inner.trim().is_empty() { open + 1 } else { tail };
        let to = if end.is_empty() { tail } else { close };
        return Some(spliced(text, &[(from..to, format!("{}{indent}{written}{end}", style.newline))]));
    };
    let comma_at = skip_trivia(text, last.end);
    let has_comma = text.as_bytes().get(comma_at) == Some(&b',');
    if inner.contains('\n') {
        let first = members.first()?;
        let indent = if starts_line(text, first.start) {
            indentation(text, first.start)
        } else {
            format!("{base}{}", style.unit)
        };
        let written = format!("{}{}", prefix(true), pretty(value, &indent, style.unit, style.newline));
        let comma = if has_comma { "" } else { "," };
        let ending = if has_comma { "," } else { "" };
        return Some(spliced(
            text,
            &[
                (last.end..last.end, comma.to_owned()),
                (tail..tail, format!("{}{indent}{written}{ending}", style.newline)),
            ],
        ));
    }
    let spaced = inner.contains(", ") || inner.contains(": ");
    let space = if spaced { " " } else { "" };
    let written = format!("{}{}", prefix(spaced), if spaced { one_line(value) } else { value.to_string() });
    Some(if has_comma {
        spliced(text, &[(comma_at + 1..comma_at + 1, format!("{space}{written},"))])
    } else {
        spliced(text, &[(last.end..last.end, format!(",{space}{written}"))])
    })
}

/// The text with another value under `path`.
pub(super) fn replace(text: &str, path: &[Step<'_>], value: &Value) -> Option<String> {
    let root = Node::of(&parse(text).ok()??);
    let node = root.at(path)?;
    let style = Style::of(text, &root);
    let old = text.get(node.range.clone())?;
    let written = match &node.shape {
        Shape::Object(_) | Shape::List(_) if !old.contains('\n') => {
            if old.contains(", ") || old.contains(": ") { one_line(value) } else { value.to_string() }
        }
        Shape::Object(_) | Shape::List(_) | Shape::Plain => {
            pretty(value, &indentation(text, node.range.start), style.unit, style.newline)
        }
    };
    Some(spliced(text, &[(node.range.clone(), written)]))
}

/// The text without what is under `path`; the last step names a key or an item.
pub(super) fn remove(text: &str, path: &[Step<'_>]) -> Option<String> {
    let root = Node::of(&parse(text).ok()??);
    let (last, above) = path.split_last()?;
    let from = root.at(above)?;
    let members = from.members();
    let index = match (&from.shape, last) {
        (Shape::Object(keyed), Step::Key(key)) => keyed.iter().rposition(|(name, ..)| name == key)?,
        (Shape::List(_), Step::At(at)) => *at,
        (Shape::Object(_) | Shape::List(_) | Shape::Plain, _) => return None,
    };
    let member = members.get(index)?.clone();
    let before = text.get(..member.start)?.trim_end().len();
    let after = skip_trivia(text, member.end);
    let comma = (text.as_bytes().get(after) == Some(&b',')).then_some(after + 1);
    if members.len() == 1 {
        let end = comma.unwrap_or(member.end);
        let (open, close) = (from.range.start + 1, from.range.end.checked_sub(1)?);
        let alone = text.get(open..before)?.trim().is_empty() && text.get(end..close)?.trim().is_empty();
        let cut = if alone { open..close } else { before..end };
        return Some(spliced(text, &[(cut, String::new())]));
    }
    if let Some(end) = comma {
        // In `[x, y]`, the space behind the comma goes where there was none in front.
        let first_of_line = before == member.start && index == 0;
        let space = usize::from(first_of_line && text.as_bytes().get(end) == Some(&b' '));
        return Some(spliced(text, &[(before..end + space, String::new())]));
    }
    let previous = members.get(index.checked_sub(1)?)?;
    let comma = skip_trivia(text, previous.end);
    if text.as_bytes().get(comma) != Some(&b',') {
        return None;
    }
    // The comma was what stood in front, when nothing else did.
    let cut = before.max(comma + 1)..member.end;
    Some(spliced(text, &[(comma..comma + 1, String::new()), (cut, String::new())]))
}

/// Puts each text in the place of its range; the ranges are in order.
fn spliced(text: &str, changes: &[(Range<usize>, String)]) -> String {
    let mut out = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for (range, new) in changes {
        out.push_str(text.get(at..range.start).unwrap_or_default());
        out.push_str(new);
        at = range.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// Where white space and comments that begin at `at` end.
fn skip_trivia(text: &str, mut at: usize) -> usize {
    loop {
        let rest = text.get(at..).unwrap_or_default();
        let trimmed = rest.trim_start();
        at += rest.len() - trimmed.len();
        let skipped = if trimmed.starts_with("//") {
            trimmed.find('\n').unwrap_or(trimmed.len())
        } else if trimmed.starts_with("/*") {
            trimmed.find("*/").map_or(trimmed.len(), |end| end + 2)
        } else {
            return at;
        };
        at += skipped;
    }
}

/// The white space that the line of `at` begins with.
fn indentation(text: &str, at: usize) -> String {
    let line = text.get(..at).unwrap_or_default();
    let line = line.rsplit_once('\n').map_or(line, |(_, line)| line);
    line.chars().take_while(|c| matches!(c, ' ' | '\t')).collect()
}

/// Whether nothing but white space stands in front of `at` in its line.
fn starts_line(text: &str, at: usize) -> bool {
    let line = text.get(..at).unwrap_or_default();
    line.rsplit_once('\n').is_some_and(|(_, line)| line.trim().is_empty())
}

/// How a text is laid out.
struct Style<'a> {
    /// What one level is indented by.
    unit: &'a str,
    newline: &'static str,
}

impl<'a> Style<'a> {
    fn of(text: &'a str, root: &Node) -> Self {
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let first = root.members().first().map_or(0, |member| member.start);
        let unit = if starts_line(text, first) {
            text.get(..first).unwrap_or_default().rsplit_once('\n').map_or("", |(_, line)| line)
        } else {
            ""
        };
        Self { unit: if unit.is_empty() { "  " } else { unit }, newline }
    }
}

/// The value over several lines, all but the first behind `indent`. Lists and objects without lists and objects in them stand in one line
/// where that is short.
fn pretty(value: &Value, indent: &str, unit: &str, newline: &str) -> String {
    let deeper = format!("{indent}{unit}");
    let lines = |open: char, items: Vec<String>, close: char| {
        let mut out = String::from(open);
        for (n, item) in items.iter().enumerate() {
            let comma = if n == 0 { "" } else { "," };
            let _ = write!(out, "{comma}{newline}{deeper}{item}");
        }
        let _ = write!(out, "{newline}{indent}{close}");
        out
    };
    match value {
        Value::Array(items) if !items.is_empty() => {
            lines('[', items.iter().map(|item| pretty(item, &deeper, unit, newline)).collect(), ']')
        }
        Value::Object(map) if !map.is_empty() => lines(
            '{',
            map.iter()
                .map(|(key, value)| {
                    format!("{}: {}", Value::from(key.as_str()), pretty(value, &deeper, unit, newline))
                })
                .collect(),
            '}',
        ),
        Value::Null
        | Value::Bool(_)
        | Value::Number(_)
        | Value::String(_)
        | Value::Array(_)
        | Value::Object(_) => value.to_string(),
    }
}

/// The value in one line, with spaces.
fn one_line(value: &Value) -> String {
    match value {
        Value::Array(items) => format!("[{}]", items.iter().map(one_line).collect::<Vec<_>>().join(", ")),
        Value::Object(map) => {
            let members =
                map.iter().map(|(key, value)| format!("{}: {}", Value::from(key.as_str()), one_line(value)));
            format!("{{{}}}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// What is added comes out as it should, reads as it should, and its removal gives back every byte.
    #[track_caller]
    fn there_and_back(before: &str, expected: &str) {
        let path = [Step::Key("l")];
        let after = add(before, &path, None, &json!({"x": 1})).unwrap();
        assert_eq!(after, expected);
        let list = value(&after).unwrap().unwrap()["l"].as_array().unwrap().clone();
        assert_eq!(list.last(), Some(&json!({"x": 1})));
        let back = remove(&after, &[Step::Key("l"), Step::At(list.len() - 1)]).unwrap();
        assert_eq!(back, before);
    }

    #[test]
    fn an_item_goes_in_and_out() {
        for (before, expected) in [
            (r#"{"l":[1,2]}"#, r#"{"l":[1,2,{"x":1}]}"#),
            (r#"{"l": [1, 2]}"#, r#"{"l": [1, 2, {"x": 1}]}"#),
            (r#"{ "l": [ 1, 2 ] }"#, r#"{ "l": [ 1, 2, {"x": 1} ] }"#),
            ("{\"l\":[\n  1\n]}", "{\"l\":[\n  1,\n  {\n    \"x\": 1\n  }\n]}"),
            (
                "{\n\t\"l\": [\n\t\t1\n\t]\n}\n",
                "{\n\t\"l\": [\n\t\t1,\n\t\t{\n\t\t\t\"x\": 1\n\t\t}\n\t]\n}\n",
            ),
            (
                "{\n  \"l\": [\n    1, // one\n  ]\n}",
                "{\n  \"l\": [\n    1, // one\n    {\n      \"x\": 1\n    },\n  ]\n}",
            ),
            (
                "{\n  \"l\": [\n    1 // one\n    // two\n  ]\n}",
                "{\n  \"l\": [\n    1, // one\n    // two\n    {\n      \"x\": 1\n    }\n  ]\n}",
            ),
            (
                "{\r\n  \"l\": [\r\n    1\r\n  ]\r\n}\r\n",
                "{\r\n  \"l\": [\r\n    1,\r\n    {\r\n      \"x\": 1\r\n    }\r\n  ]\r\n}\r\n",
            ),
            ("{\"l\": [1,\n2]}", "{\"l\": [1,\n2,\n  {\n    \"x\": 1\n  }]}"),
            ("{\n  \"l\": []\n}", "{\n  \"l\": [\n    {\n      \"x\": 1\n    }\n  ]\n}"),
            (
                "{\n  \"l\": [\n    // none\n  ]\n}",
                "{\n  \"l\": [\n    // none\n    {\n      \"x\": 1\n    }\n  ]\n}",
            ),
            ("{\"l\":[\"a]\\\"//\"]}", "{\"l\":[\"a]\\\"//\",{\"x\":1}]}"),
            (
                "/* a */ {\"l\": [1 /* , */, 2 /* b */] } // c",
                "/* a */ {\"l\": [1 /* , */, 2, {\"x\": 1} /* b */] } // c",
            ),
        ] {
            there_and_back(before, expected);
        }
    }

    #[test]
    fn a_key_goes_in_and_out() {
        for before in [
            "{\"a\":1}",
            "{ \"a\": 1 }",
            "{}",
            "{}\n",
            "{\n    \"a\": 1\n}\n",
            "{\n  \"a\": 1, // why\n}\n",
            "{\n  // only a remark\n}\n",
            "{\n  \"a\": {\n    \"b\": [\n      1\n    ]\n  } /* end */\n}",
        ] {
            let after = add(before, &[], Some("k"), &json!({"x": [1]})).unwrap();
            assert_eq!(value(&after).unwrap().unwrap()["k"], json!({"x": [1]}), "{after}");
            assert_eq!(remove(&after, &[Step::Key("k")]).unwrap(), before, "{after}");
        }
    }

    #[test]
    fn what_stands_first_or_between_goes_too() {
        for (before, at, expected) in [
            ("[1, 2, 3]", 0, "[2, 3]"),
            ("[1, 2, 3]", 1, "[1, 3]"),
            ("[1, 2, 3]", 2, "[1, 2]"),
            ("[\n  1,\n  2,\n  3\n]", 0, "[\n  2,\n  3\n]"),
            ("[\n  1,\n  2, // two\n  3\n]", 1, "[\n  1, // two\n  3\n]"),
            ("[1,]", 0, "[]"),
            ("[1 , 2]", 1, "[1 ]"),
        ] {
            assert_eq!(remove(before, &[Step::At(at)]).unwrap(), expected);
        }
    }

    #[test]
    fn a_value_is_replaced_in_its_style() {
        assert_eq!(
            replace("[1, {\"a\": 1}]", &[Step::At(1)], &json!({"b": [2]})).unwrap(),
            "[1, {\"b\": [2]}]"
        );
        assert_eq!(
            replace("{\n  \"a\": 1\n}", &[Step::Key("a")], &json!([2])).unwrap(),
            "{\n  \"a\": [\n    2\n  ]\n}"
        );
        assert_eq!(replace("{\n  \"a\": 1\n}", &[Step::Key("b")], &json!(2)), None);
    }

    #[test]
    fn broken_texts_tell_their_place() {
        for text in ["{", "{\"a\" 1}", "[1 2]", "{a: 1}", "{'a': 1}", "[1]]", "/* no end", "{\"a\": 1e}"] {
            assert!(value(text).is_err(), "{text}");
        }
        let broken = value("{\n  \"a\": [1,, 2]\n}").unwrap_err();
        assert_eq!((broken.line, broken.column), (2, 11));
        assert_eq!(value(" // nothing\n"), Ok(None));
        assert!(value(&"[".repeat(100_000)).is_err());
    }
}
