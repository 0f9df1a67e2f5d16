//! The path to an argument: `path`, `options.force`, `edits[].path`.

use std::fmt;

use serde_json::{Map, Value};
use smallvec::SmallVec;

use crate::logic::PatternError;

/// More names than this are refused.
const MAX_NAMES: usize = 32;

/// A dotted path into the arguments of a call. `[]` is every element of a list; `\` takes the meaning from
/// the character after it.
///
/// A key that has the dots in its own name is found too: `a.b` is both the key `a.b` and the key `b` in `a`,
/// so that neither can hide the other.
#[derive(Clone, Debug)]
pub struct ArgPath {
    text: Box<str>,
    steps: Box<[Step]>,
}

#[derive(Clone, Debug)]
enum Step {
    /// The keys to look for here, each with the number of the steps it takes the place of.
    Key(Box<[(Box<str>, usize)]>),
    Each,
}

/// What a path leads to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found<'v> {
    /// The values, in the order of the call.
    pub values: SmallVec<[&'v Value; 4]>,
    /// Somewhere there is no value: a key is absent, a list has no elements, or null stands in the way.
    pub missing: bool,
    /// Somewhere there is no list for a `[]`, or no object for a name.
    pub wrong_shape: bool,
}

impl ArgPath {
    /// The path that `text` is.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let parts = parse(text)?;
        let steps = (0..parts.len())
            .filter_map(|at| parts.get(at..))
            .map(|rest| match rest {
                [Part::Name(_), ..] => Step::Key(keys(rest)),
                [Part::Each, ..] | [] => Step::Each,
            })
            .collect();
        Ok(Self { text: text.into(), steps })
    }

    /// The path as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// What it leads to in `args`.
    pub fn find<'v>(&self, args: &'v Map<String, Value>) -> Found<'v> {
        let mut found = Found::default();
        walk_map(&self.steps, args, &mut found);
        found
    }
}

impl fmt::Display for ArgPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for ArgPath {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for ArgPath {}

/// The depth is bounded by the steps, of which [`MAX_NAMES`] bounds the number.
fn walk<'v>(steps: &[Step], value: &'v Value, found: &mut Found<'v>) {
    match (steps.split_first(), value) {
        (None, value) => found.values.push(value),
        (Some(_), Value::Null) => found.missing = true,
        (Some((Step::Key(_), _)), Value::Object(map)) => walk_map(steps, map, found),
        (Some((Step::Each, rest)), Value::Array(elements)) => {
            found.missing |= elements.is_empty();
            for element in elements {
                walk(rest, element, found);
            }
        }
        (
            Some(_),
            Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) | Value::Object(_),
        ) => found.wrong_shape = true,
    }
}

fn walk_map<'v>(steps: &[Step], map: &'v Map<String, Value>, found: &mut Found<'v>) {
    let Some(Step::Key(keys)) = steps.first() else {
        found.wrong_shape = true;
        return;
    };
    if let [(key, taken)] = &**keys {
        match (map.get(&**key), steps.get(*taken..)) {
            (Some(value), Some(rest)) => walk(rest, value, found),
            _ => found.missing = true,
        }
        return;
    }
    let mut missing_everywhere = true;
    for (key, taken) in keys {
        if let (Some(value), Some(rest)) = (map.get(&**key), steps.get(*taken..)) {
            let mut here = Found::default();
            walk(rest, value, &mut here);
            missing_everywhere &= here.missing;
            found.wrong_shape |= here.wrong_shape;
            found.values.append(&mut here.values);
        }
    }
    found.missing |= missing_everywhere;
}

enum Part {
    Name(String),
    Each,
}

/// The keys that the names at the start of `parts` make, the longest first.
fn keys(parts: &[Part]) -> Box<[(Box<str>, usize)]> {
    let mut joined = String::new();
    let mut keys = Vec::new();
    for (taken, part) in (1..).zip(parts) {
        let Part::Name(name) = part else { break };
        if taken > 1 {
            joined.push('.');
        }
        joined.push_str(name);
        keys.push((Box::from(joined.as_str()), taken));
    }
    keys.reverse();
    keys.into()
}

fn parse(text: &str) -> Result<Vec<Part>, PatternError> {
    let error = |message: &str, help: &str, at| {
        Err(PatternError {
            message: format!("{message} in the argument path `{text}`"),
            help: Some(help.into()),
            at,
        })
    };
    let mut parts = Vec::new();
    let mut name = String::new();
    // Whether a name may still go on here, and whether one has begun.
    let (mut closed, mut begun) = (false, false);
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let here = at..at + c.len_utf8();
        match c {
            '.' | '[' if !begun && !closed => {
                return error("a name is missing", "write a name here, such as `edits[].path`", here);
            }
            '.' => {
                if !closed {
                    parts.push(Part::Name(std::mem::take(&mut name)));
                }
                (closed, begun) = (false, false);
            }
            '[' => {
                if chars.next_if(|(_, c)| *c == ']').is_none() {
                    return error(
                        "`[` has no `]`",
                        "write `[]` for every element of a list, or `\\[` for a bracket",
                        here,
                    );
                }
                if !closed {
                    parts.push(Part::Name(std::mem::take(&mut name)));
                }
                parts.push(Part::Each);
                (closed, begun) = (true, true);
            }
            _ if closed => return error("a `.` is missing", "write `.` between `[]` and a name", here),
            '\\' => match chars.next() {
                Some((_, escaped)) => {
                    name.push(escaped);
                    begun = true;
                }
                None => return error("a `\\` escapes nothing", "write `\\\\` for a backslash", here),
            },
            _ => {
                name.push(c);
                begun = true;
            }
        }
    }
    if !closed {
        if !begun {
            return error("a name is missing", "write a name at the end", text.len()..text.len());
        }
        parts.push(Part::Name(name));
    }
    if parts.len() > MAX_NAMES {
        return error("there are too many names", "an argument is nested less deeply", 0..text.len());
    }
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[track_caller]
    fn finds(path: &str, args: &Value, expected: &Value) {
        let found = ArgPath::parse(path).unwrap().find(args.as_object().unwrap());
        let values: Vec<Value> = found.values.into_iter().cloned().collect();
        let told = json!({ "values": values, "missing": found.missing, "wrong": found.wrong_shape });
        assert_eq!(&told, expected, "`{path}` in {args}");
    }

    #[track_caller]
    fn values(path: &str, args: &Value, values: &Value) {
        finds(path, args, &json!({ "values": values, "missing": false, "wrong": false }));
    }

    #[track_caller]
    fn missing(path: &str, args: &Value) {
        finds(path, args, &json!({ "values": [], "missing": true, "wrong": false }));
    }

    #[track_caller]
    fn wrong(path: &str, args: &Value) {
        finds(path, args, &json!({ "values": [], "missing": false, "wrong": true }));
    }

    #[track_caller]
    fn refused(path: &str, at: std::ops::Range<usize>) {
        let error = ArgPath::parse(path).unwrap_err();
        assert_eq!(error.at, at, "`{path}`: {error}");
    }

    #[test]
    fn a_path_leads_through_objects_and_lists() {
        values("path", &json!({ "path": "x" }), &json!(["x"]));
        values("a.b", &json!({ "a": { "b": null } }), &json!([null]));
        values("edits[].path", &json!({ "edits": [{ "path": 1 }, { "path": 2 }] }), &json!([1, 2]));
        values("a[][]", &json!({ "a": [[1, 2], [3]] }), &json!([1, 2, 3]));
        values("a[]", &json!({ "a": [1] }), &json!([1]));
        values("a", &json!({ "a": [1] }), &json!([[1]]));
    }

    #[test]
    fn a_key_may_have_dots() {
        values("a.b", &json!({ "a.b": 1 }), &json!([1]));
        values("a.b.c", &json!({ "a.b": { "c": 1 } }), &json!([1]));
        values("a.b.c", &json!({ "a": { "b.c": 1 } }), &json!([1]));
        values("a\\.b", &json!({ "a.b": 1 }), &json!([1]));
        missing("a\\.b", &json!({ "a": { "b": 1 } }));
        values("a\\[\\]", &json!({ "a[]": 1 }), &json!([1]));
        values("a.b[].c", &json!({ "a.b": [{ "c": 1 }] }), &json!([1]));
    }

    #[test]
    fn neither_spelling_hides_the_other() {
        values("a.b", &json!({ "a.b": 1, "a": { "b": 2 } }), &json!([1, 2]));
        values("a.b", &json!({ "a.b": 1, "a": {} }), &json!([1]));
        finds(
            "a.b",
            &json!({ "a.b": 1, "a": 5 }),
            &json!({ "values": [1], "missing": false, "wrong": true }),
        );
    }

    #[test]
    fn says_what_is_missing() {
        missing("a", &json!({}));
        missing("a.b", &json!({ "a": {} }));
        missing("a.b", &json!({ "a": null }));
        missing("a[]", &json!({ "a": [] }));
        let some = json!({ "a": [{ "b": 1 }, {}] });
        finds("a[].b", &some, &json!({ "values": [1], "missing": true, "wrong": false }));
    }

    #[test]
    fn says_what_has_another_shape() {
        wrong("a.b", &json!({ "a": "text" }));
        wrong("a.b", &json!({ "a": [{ "b": 1 }] }));
        wrong("a[]", &json!({ "a": { "b": 1 } }));
        wrong("a[].b", &json!({ "a": ["text"] }));
    }

    #[test]
    fn refuses_what_is_no_path() {
        refused("", 0..0);
        refused(".a", 0..1);
        refused("a.", 2..2);
        refused("a..b", 2..3);
        refused("[]", 0..1);
        refused("a.[]", 2..3);
        refused("a[0]", 1..2);
        refused("a[", 1..2);
        refused("a[]b", 3..4);
        refused("a\\", 1..2);
        refused(&"a.".repeat(40), 80..80);
        refused(&format!("a{}", "[]".repeat(40)), 0..81);
    }
}
