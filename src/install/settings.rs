//! Entries in a JSON settings file of a host.

use serde_json::{Map, Value};

use super::entry::{handlers, is_all_ours, is_ours, without_ours};
use super::jsonc::{self, Broken, Step, get};

/// What belongs into a settings file.
#[derive(Clone, Debug)]
pub(super) struct Settings {
    /// Keys that have to stand beside the entries.
    pub(super) beside: Vec<Beside>,
    /// Where the entries are: the keys that lead to the object with the events, or to the list itself.
    pub(super) at: Vec<&'static str>,
    /// Each entry with the event whose list it belongs to; without one it belongs to the list at `at`.
    pub(super) entries: Vec<(Option<&'static str>, Value)>,
}

/// A key that has to stand beside the entries. It is written where it is absent, and never changed.
#[derive(Clone, Debug)]
pub(super) struct Beside {
    pub(super) path: Vec<&'static str>,
    pub(super) value: Value,
    /// It belongs to the file rather than to the entries: it stays as long as there is anything else.
    pub(super) of_file: bool,
}

/// Why a text cannot take the entries.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Trouble {
    /// It is no JSON.
    Broken(Broken),
    /// Something else stands where they belong.
    NoPlace(String),
}

impl From<Broken> for Trouble {
    fn from(broken: Broken) -> Self {
        Self::Broken(broken)
    }
}

/// What some editors write at the beginning of a file.
const MARK: char = '\u{feff}';

impl Settings {
    /// The file that has nothing else in it.
    pub(super) fn alone(&self) -> Value {
        let mut root = Value::Object(Map::new());
        for beside in &self.beside {
            set(&mut root, &beside.path, beside.value.clone());
        }
        for (event, entry) in &self.entries {
            set(&mut root, &self.list(*event), Value::Array(vec![entry.clone()]));
        }
        root
    }

    fn list(&self, event: Option<&'static str>) -> Vec<&'static str> {
        self.at.iter().copied().chain(event).collect()
    }

    /// The text with the entries in it, in place of older ones of ours.
    pub(super) fn install(&self, text: &str) -> Result<String, Trouble> {
        let (mark, body) = marked(text);
        let Some(before) = jsonc::value(body)? else {
            let remarks = if body.trim().is_empty() { "" } else { body };
            let line = if remarks.is_empty() || remarks.ends_with('\n') { "" } else { "\n" };
            return Ok(format!("{mark}{remarks}{line}{}", jsonc::fresh(&self.alone())));
        };
        if !before.is_object() {
            return Err(Trouble::NoPlace("it holds no JSON object".to_owned()));
        }
        let mut new = body.to_owned();
        for beside in &self.beside {
            if get(&before, &keys(&beside.path)).is_none() {
                new = make(&new, &beside.path, &beside.value)?;
            }
        }
        for (event, entry) in &self.entries {
            new = put(new, &self.list(*event), entry)?;
        }
        let after = jsonc::value(&new)?.unwrap_or_default();
        let there = self.entries.iter().all(|(event, entry)| {
            let list = get(&after, &keys(&self.list(*event))).and_then(Value::as_array);
            list.is_some_and(|list| list.iter().filter(|e| *e == entry).count() == 1)
        });
        if !there || self.without_ours(&before) != self.without_ours(&after) {
            return Err(unsafe_to_edit());
        }
        Ok(format!("{mark}{new}"))
    }

    /// The text without the entries; none where nothing is left of a file that is as we write it.
    pub(super) fn uninstall(&self, text: &str) -> Result<Option<String>, Trouble> {
        let (mark, body) = marked(text);
        let Some(before) = jsonc::value(body)? else { return Ok(Some(text.to_owned())) };
        let mut new = body.to_owned();
        let lists = self.lists(&before);
        for path in &lists {
            new = clear(new, path)?;
        }
        if new == body {
            return Ok(Some(text.to_owned()));
        }
        let mut path: Vec<_> = self.at.iter().map(|key| Step::Key(key)).collect();
        while !path.is_empty() && is_empty_at(&new, &path)? {
            new = cut(&new, &path)?;
            path.pop();
        }
        new = self.clear_beside(new)?;
        let after = jsonc::value(&new)?.unwrap_or_default();
        if self.lists(&after).iter().any(|path| has_ours(&after, path))
            || self.without_ours(&before) != self.without_ours(&after)
        {
            return Err(unsafe_to_edit());
        }
        let ours = mark.is_empty() && new.trim() == "{}" && jsonc::fresh(&before) == body;
        Ok((!ours).then(|| format!("{mark}{new}")))
    }

    /// Takes away the keys beside the entries, where the entries are gone.
    fn clear_beside(&self, mut text: String) -> Result<String, Trouble> {
        let value = jsonc::value(&text)?.unwrap_or_default();
        if !self.at.is_empty() && get(&value, &keys(&self.at)).is_some() {
            return Ok(text);
        }
        let left = self.without_ours(&value);
        for beside in &self.beside {
            let whole = beside.path.iter().take(1).copied().collect::<Vec<_>>();
            let alone = {
                let mut only = Value::Object(Map::new());
                set(&mut only, &beside.path, beside.value.clone());
                only
            };
            let as_written = value.get(whole.first().copied().unwrap_or_default())
                == alone.get(whole.first().copied().unwrap_or_default());
            let nothing_else = left.as_object().is_some_and(Map::is_empty);
            if as_written && (nothing_else || !beside.of_file) {
                text = cut(&text, &keys(&whole))?;
            }
        }
        Ok(text)
    }

    /// The lists in which entries may stand.
    fn lists<'a>(&self, root: &'a Value) -> Vec<Vec<Step<'a>>>
    where
        Self: 'a,
    {
        let at: Vec<Step<'a>> = self.at.iter().map(|key| Step::Key(key)).collect();
        match get(root, &at) {
            Some(Value::Array(_)) => vec![at],
            Some(Value::Object(map)) => map
                .iter()
                .filter(|(_, value)| value.is_array())
                .map(|(event, _)| at.iter().copied().chain([Step::Key(event)]).collect())
                .collect(),
            _ => Vec::new(),
        }
    }

    /// Everything that is not ours, without what is empty without ours: what may not change.
    fn without_ours(&self, root: &Value) -> Value {
        let mut left = root.clone();
        for path in self.lists(root) {
            let list = get(root, &path).and_then(Value::as_array);
            let others: Vec<_> = list.into_iter().flatten().filter_map(without_ours).collect();
            place_at(&mut left, &path, (!others.is_empty()).then_some(Value::Array(others)));
        }
        let mut path = keys(&self.at);
        while !path.is_empty() && get(&left, &path).is_some_and(is_empty) {
            place_at(&mut left, &path, None);
            path.pop();
        }
        for beside in &self.beside {
            let path = keys(&beside.path);
            if get(&left, &path) == Some(&beside.value) {
                place_at(&mut left, &path, None);
                let mut above = path;
                above.pop();
                if !above.is_empty() && get(&left, &above).is_some_and(is_empty) {
                    place_at(&mut left, &above, None);
                }
            }
        }
        left
    }

    /// Every entry that stands in the file, ours or not: the event and the entry.
    pub(super) fn all<'a>(&self, root: &'a Value) -> Vec<(Option<&'a str>, &'a Value)> {
        let at: Vec<_> = self.at.iter().map(|key| Step::Key(key)).collect();
        match get(root, &at) {
            Some(Value::Array(items)) => items.iter().map(|item| (None, item)).collect(),
            Some(Value::Object(map)) => map
                .iter()
                .flat_map(|(event, list)| {
                    list.as_array().into_iter().flatten().map(move |entry| (Some(event.as_str()), entry))
                })
                .collect(),
            _ => Vec::new(),
        }
    }
}

fn unsafe_to_edit() -> Trouble {
    Trouble::NoPlace("it is written in a way in which it cannot be edited safely".to_owned())
}

fn marked(text: &str) -> (&str, &str) {
    text.split_at(if text.starts_with(MARK) { MARK.len_utf8() } else { 0 })
}

fn keys<'a>(path: &[&'a str]) -> Vec<Step<'a>> {
    path.iter().map(|key| Step::Key(key)).collect()
}

fn is_empty(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.is_empty(),
        Value::Object(map) => map.is_empty(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => false,
    }
}

fn is_empty_at(text: &str, path: &[Step<'_>]) -> Result<bool, Trouble> {
    let value = jsonc::value(text)?.unwrap_or_default();
    Ok(get(&value, path).is_some_and(is_empty))
}

fn has_ours(root: &Value, path: &[Step<'_>]) -> bool {
    let list = get(root, path).and_then(Value::as_array);
    list.into_iter().flatten().flat_map(handlers).any(is_ours)
}

fn cut(text: &str, path: &[Step<'_>]) -> Result<String, Trouble> {
    jsonc::remove(text, path).ok_or_else(unsafe_to_edit)
}

/// Sets a key of a value, with the objects that lead there.
fn set(root: &mut Value, path: &[&str], value: Value) {
    let mut at = root;
    for key in path {
        if !at.is_object() {
            *at = Value::Object(Map::new());
        }
        let Value::Object(map) = at else { return };
        at = map.entry(*key).or_insert(Value::Null);
    }
    *at = value;
}

/// Replaces or removes what is there.
fn place_at(root: &mut Value, path: &[Step<'_>], value: Option<Value>) {
    let Some((Step::Key(last), above)) = path.split_last() else { return };
    let at = above.iter().try_fold(root, |value, step| match step {
        Step::Key(key) => value.get_mut(*key),
        Step::At(at) => value.get_mut(*at),
    });
    let Some(Value::Object(map)) = at else { return };
    match value {
        Some(value) => {
            map.insert((*last).to_owned(), value);
        }
        None => {
            map.shift_remove(*last);
        }
    }
}

/// Writes a key that is not there, with the objects that lead to it.
fn make(text: &str, path: &[&'static str], value: &Value) -> Result<String, Trouble> {
    let root = jsonc::value(text)?.unwrap_or_default();
    let steps = keys(path);
    let there =
        (0..steps.len()).rev().find(|&n| steps.get(..n).is_some_and(|above| get(&root, above).is_some()));
    let (Some(there), Some((key, below))) = (there, there.and_then(|n| path.get(n..)?.split_first())) else {
        return Err(unsafe_to_edit());
    };
    let above = steps.get(..there).unwrap_or_default();
    if !get(&root, above).is_some_and(Value::is_object) {
        let name = path.get(..there).unwrap_or_default().join(".");
        return Err(Trouble::NoPlace(format!("`{name}` is no object")));
    }
    let mut inner = value.clone();
    for key in below.iter().rev() {
        inner = Value::Object(Map::from_iter([((*key).to_owned(), inner)]));
    }
    jsonc::add(text, above, Some(key), &inner).ok_or_else(unsafe_to_edit)
}

/// Puts the entry into the list: in the place of the first one that is all ours, else at the end. Others of ours go.
fn put(text: String, path: &[&'static str], entry: &Value) -> Result<String, Trouble> {
    let root = jsonc::value(&text)?.unwrap_or_default();
    let steps = keys(path);
    let list = match get(&root, &steps) {
        None => return make(&text, path, &Value::Array(vec![entry.clone()])),
        Some(Value::Array(list)) => list,
        Some(_) => return Err(Trouble::NoPlace(format!("`{}` is no list", path.join(".")))),
    };
    let keep = list.iter().position(|there| there == entry).or_else(|| list.iter().position(is_all_ours));
    let mut text = text;
    for (at, there) in list.iter().enumerate().rev() {
        let item: Vec<_> = steps.iter().copied().chain([Step::At(at)]).collect();
        if Some(at) == keep {
            if there != entry {
                text = jsonc::replace(&text, &item, entry).ok_or_else(unsafe_to_edit)?;
            }
        } else {
            text = without(text, &item, there)?;
        }
    }
    match keep {
        Some(_) => Ok(text),
        // What was the only entry may have gone with the list.
        None => jsonc::add(&text, &steps, None, entry).ok_or_else(unsafe_to_edit),
    }
}

/// Takes what is ours out of one entry.
fn without(text: String, item: &[Step<'_>], entry: &Value) -> Result<String, Trouble> {
    if is_all_ours(entry) {
        return cut(&text, item);
    }
    let mut text = text;
    for (at, handler) in handlers(entry).into_iter().enumerate().rev() {
        if is_ours(handler) {
            let path: Vec<_> = item.iter().copied().chain([Step::Key("hooks"), Step::At(at)]).collect();
            text = cut(&text, &path)?;
        }
    }
    Ok(text)
}

/// Takes what is ours out of a list, and the list when nothing else was in it.
fn clear(text: String, path: &[Step<'_>]) -> Result<String, Trouble> {
    let root = jsonc::value(&text)?.unwrap_or_default();
    let Some(list) = get(&root, path).and_then(Value::as_array) else { return Ok(text) };
    if !list.iter().flat_map(handlers).any(is_ours) {
        return Ok(text);
    }
    let mut new = text;
    for (at, entry) in list.iter().enumerate().rev() {
        let item: Vec<_> = path.iter().copied().chain([Step::At(at)]).collect();
        new = without(new, &item, entry)?;
    }
    if is_empty_at(&new, path)? { cut(&new, path) } else { Ok(new) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn ours(command: &str) -> Settings {
        let group =
            json!({"matcher": "*", "hooks": [{"type": "command", "command": command, "timeout": 10}]});
        let on = Beside { path: vec!["hooksConfig", "enabled"], value: json!(true), of_file: false };
        let version = Beside { path: vec!["version"], value: json!(1), of_file: true };
        let entries = vec![(Some("Before"), group.clone()), (Some("Asked"), group)];
        Settings { beside: vec![version, on], at: vec!["hooks"], entries }
    }

    /// Values as they stand in files, with the keys that matter here among them, and entries of others.
    fn values() -> impl Strategy<Value = Value> {
        let other = prop_oneof![
            Just(json!({"matcher": "Bash", "hooks": [{"type": "command", "command": "audit"}]})),
            Just(json!({"hooks": [{"command": "a"}, {"command": "b", "args": ["// {"]}]})),
            Just(json!({"command": "./x.sh"})),
        ];
        let list = prop::collection::vec(other, 1..3).prop_map(Value::Array);
        let hooks = prop::collection::btree_map("Before|Asked|After", list, 1..3)
            .prop_map(|map| Value::Object(map.into_iter().collect()));
        let leaf = prop_oneof![
            Just(json!(null)),
            any::<bool>().prop_map(Value::from),
            any::<i32>().prop_map(Value::from),
            "[ -~é\\n]{0,8}".prop_map(Value::from),
        ];
        let deep = leaf.prop_recursive(3, 12, 3, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Value::Array),
                prop::collection::btree_map("[a-d]", inner, 0..3)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        });
        (prop::collection::btree_map("[a-d]", deep, 1..4), prop::option::of(hooks), any::<bool>()).prop_map(
            |(others, hooks, last)| {
                let mut map: Map<_, _> = others.into_iter().collect();
                if let Some(hooks) = hooks {
                    map.insert("hooks".to_owned(), hooks);
                    if last {
                        map.insert("z".to_owned(), json!(1));
                    }
                }
                Value::Object(map)
            },
        )
    }

    /// The value in one of many layouts, with remarks.
    fn laid_out(value: &Value, unit: &str, newline: &str, remarks: bool, end: &str) -> String {
        let mut text = jsonc::fresh(value);
        if unit.is_empty() {
            text = value.to_string();
        } else {
            let lines = text.lines().map(|line| {
                let content = line.trim_start();
                let depth = (line.len() - content.len()) / 2;
                let remark =
                    if remarks && content.ends_with([',', '{', '[']) { " // a \"remark\" }" } else { "" };
                format!("{}{content}{remark}", unit.repeat(depth))
            });
            text = lines.collect::<Vec<_>>().join(newline);
        }
        text + end
    }

    proptest! {
        #[test]
        fn what_is_installed_is_taken_away_without_a_trace(
            value in values(),
            unit in prop::sample::select(vec!["", "  ", "\t", "    "]),
            newline in prop::sample::select(vec!["\n", "\r\n"]),
            remarks in any::<bool>(),
            end in prop::sample::select(vec!["", "\n", "\n\n// end\n"]),
        ) {
            let text = laid_out(&value, unit, newline, remarks, end);
            prop_assert_eq!(jsonc::value(&text).unwrap(), Some(value));
            let new = ours("policy hook x").install(&text).unwrap();
            prop_assert_eq!(ours("policy hook x").install(&new).unwrap(), new.clone());
            let other = ours("policy hook x --allow grant").install(&new).unwrap();
            prop_assert_ne!(&other, &new);
            prop_assert_eq!(ours("policy hook x").install(&other).unwrap(), new.clone());
            let left = ours("").uninstall(&new).unwrap();
            // What stands beside the entries stays where it is of use to others: a version to the file, the switch to their hooks.
            let mut left = left.unwrap_or_default();
            for key in ["hooksConfig", "version"] {
                if jsonc::value(&left).unwrap().unwrap().get(key).is_some() {
                    left = jsonc::remove(&left, &[Step::Key(key)]).unwrap();
                }
            }
            prop_assert_eq!(left, text);
        }

        #[test]
        fn no_text_is_too_odd(text in "[\\[\\]{}\",:/*\\n a1hooks-]{0,40}") {
            if let Ok(new) = ours("policy hook x").install(&text) {
                prop_assert!(new.contains("policy hook x"));
            }
            let _ = ours("x").uninstall(&text);
            for at in [Step::At(0), Step::Key("a")] {
                let _ = jsonc::remove(&text, &[at]);
                let _ = jsonc::replace(&text, &[at], &json!([1]));
                let _ = jsonc::add(&text, &[at], Some("k"), &json!([1]));
            }
        }
    }
}
