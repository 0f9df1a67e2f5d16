//! Entries in the TOML configuration of Codex.
//!
//! An entry is known there by its number, and what a person has trusted is that number with a digest of the entry: so others keep their
//! places, ours is replaced where it stands, and a new one goes to the end.

use std::ops::Range;

use serde_json::{Map, Value, json};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::entry::{handlers, is_all_ours, is_ours, without_ours};
use super::jsonc::Broken;
use super::settings::Trouble;
use crate::diagnostic::Code;
use crate::file::{Format, tree};
use crate::source::SourceId;

/// What belongs into the file: each event with the command.
#[derive(Clone, Debug)]
pub(super) struct Tables {
    pub(super) events: Vec<&'static str>,
    pub(super) command: String,
    pub(super) timeout: u32,
}

impl Tables {
    fn entry(&self) -> Value {
        json!({"matcher": "*", "hooks": [{"type": "command", "command": self.command, "timeout": self.timeout}]})
    }

    fn block(&self, event: &str, newline: &str) -> String {
        let command = Value::from(self.command.as_str());
        [
            format!("[[hooks.{event}]]"),
            "matcher = \"*\"".to_owned(),
            String::new(),
            format!("[[hooks.{event}.hooks]]"),
            "type = \"command\"".to_owned(),
            format!("command = {command}"),
            format!("timeout = {}", self.timeout),
        ]
        .join(newline)
    }

    /// The text with the entries in it, in place of older ones of ours.
    pub(super) fn install(&self, text: &str) -> Result<String, Trouble> {
        let before = value(text)?;
        let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
        let mut new = text.to_owned();
        for event in &self.events {
            new = self.put(new, event, newline)?;
        }
        // A text that no longer reads well is our doing.
        let after = value(&new)
            .map_err(|_| no_place("`hooks` is written there in a way that takes no more tables"))?;
        let there = self.events.iter().all(|event| {
            groups(&after, event).into_iter().filter(|group| *group == &self.entry()).count() == 1
        });
        if !there || others(&before) != others(&after) {
            return Err(no_place("it is written in a way in which it cannot be edited safely"));
        }
        Ok(new)
    }

    fn put(&self, text: String, event: &str, newline: &str) -> Result<String, Trouble> {
        if is_closed(&text, event)? {
            return Err(no_place("`hooks` is written there within brackets or braces"));
        }
        let found = places(&text, Some(event))?;
        let groups =
            value(&text).map(|root| groups(&root, event).into_iter().cloned().collect::<Vec<_>>())?;
        let keep = groups
            .iter()
            .position(|group| *group == self.entry())
            .or_else(|| groups.iter().position(is_all_ours));
        let mut new = text;
        for place in found.iter().rev() {
            if Some(place.group) == keep && place.whole {
                if groups.get(place.group) != Some(&self.entry()) {
                    new = replaced(&new, &place.range, &self.block(event, newline));
                }
            } else {
                new = removed(&new, &place.range);
            }
        }
        Ok(match keep {
            Some(_) => new,
            None => appended(&new, &self.block(event, newline), newline),
        })
    }

    /// The text without the entries.
    pub(super) fn uninstall(text: &str) -> Result<String, Trouble> {
        let before = value(text)?;
        let mut found = places(text, None)?;
        found.sort_by_key(|place| place.range.start);
        let new = found.iter().rev().fold(text.to_owned(), |text, place| removed(&text, &place.range));
        let unsafe_to_edit = || no_place("it is written in a way in which it cannot be edited safely");
        let after = value(&new).map_err(|_| unsafe_to_edit())?;
        if others(&before) != others(&after) || !places(&new, None)?.is_empty() {
            return Err(unsafe_to_edit());
        }
        Ok(new)
    }
}

fn no_place(why: &str) -> Trouble {
    Trouble::NoPlace(why.to_owned())
}

/// An entry of ours: the number of its group, where it stands, and whether that is the whole group.
#[derive(Debug)]
struct OurPlace {
    group: usize,
    range: Range<usize>,
    whole: bool,
}

fn read(text: &str) -> Result<Spanned<DeTable<'_>>, Broken> {
    // What is nested too deeply must not reach the other reader; what else is wrong is told below.
    if let Err(findings) = tree::read(text, Format::Toml, SourceId(0))
        && findings.iter().any(|finding| finding.code == Code::E0109)
    {
        return Err(Broken { line: 1, column: 1, why: "it is nested too deeply".to_owned() });
    }
    DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        let before = text.get(..at).unwrap_or_default();
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Broken { line, column, why: error.message().to_owned() }
    })
}

/// The whole text as JSON.
pub(super) fn value(text: &str) -> Result<Value, Broken> {
    Ok(table(read(text)?.get_ref()))
}

fn table(table: &DeTable<'_>) -> Value {
    let members = table.iter().map(|(key, value)| (key.get_ref().to_string(), plain(value.get_ref())));
    Value::Object(members.collect::<Map<_, _>>())
}

fn plain(value: &DeValue<'_>) -> Value {
    match value {
        DeValue::String(text) => Value::from(text.as_ref()),
        DeValue::Integer(number) => i64::from_str_radix(number.as_str(), number.radix())
            .map_or_else(|_| Value::from(number.as_str()), Value::from),
        DeValue::Float(number) => Value::from(number.as_str()),
        DeValue::Boolean(value) => Value::from(*value),
        DeValue::Datetime(date) => Value::from(date.to_string()),
        DeValue::Array(items) => items.iter().map(|item| plain(item.get_ref())).collect(),
        DeValue::Table(inner) => table(inner),
    }
}

/// The groups of an event.
fn groups<'a>(root: &'a Value, event: &str) -> Vec<&'a Value> {
    let list = root.get("hooks").and_then(|hooks| hooks.get(event)).and_then(Value::as_array);
    list.into_iter().flatten().collect()
}

/// Every entry of the file, ours or not: the event and the group.
pub(super) fn all(root: &Value) -> Vec<(&str, &Value)> {
    let hooks = root.get("hooks").and_then(Value::as_object);
    hooks
        .into_iter()
        .flatten()
        .flat_map(|(event, list)| {
            list.as_array().into_iter().flatten().map(move |group| (event.as_str(), group))
        })
        .collect()
}

/// Everything that is not ours, without what is empty without ours.
fn others(root: &Value) -> Value {
    let mut left = root.clone();
    if let Some(Value::Object(hooks)) = left.get_mut("hooks") {
        for list in hooks.values_mut() {
            if let Value::Array(groups) = list {
                *groups = groups.iter().filter_map(without_ours).collect();
            }
        }
        hooks.retain(|_, list| !list.as_array().is_some_and(Vec::is_empty));
    }
    if let Value::Object(map) = &mut left
        && map.get("hooks").and_then(Value::as_object).is_some_and(Map::is_empty)
    {
        map.shift_remove("hooks");
    }
    left
}

/// Where entries of ours stand, of this event or of any, from the top.
fn places(text: &str, event: Option<&str>) -> Result<Vec<OurPlace>, Trouble> {
    let root = read(text)?;
    let mut found = Vec::new();
    let Some(DeValue::Table(hooks)) = root.get_ref().get("hooks").map(Spanned::get_ref) else {
        return Ok(found);
    };
    for (name, list) in hooks {
        if event.is_some_and(|event| name.get_ref() != event) {
            continue;
        }
        let DeValue::Array(list) = list.get_ref() else { continue };
        for (group, node) in list.iter().enumerate() {
            let entry = plain(node.get_ref());
            let mut take = |node: &Spanned<DeValue<'_>>, whole: bool| -> Result<(), Trouble> {
                let range = whole_range(node);
                if !text.get(range.start..).unwrap_or_default().starts_with("[[") {
                    return Err(Trouble::NoPlace(
                        "`hooks` is written there within brackets or braces".to_owned(),
                    ));
                }
                found.push(OurPlace { group, range, whole });
                Ok(())
            };
            if is_all_ours(&entry) {
                take(node, true)?;
                continue;
            }
            let DeValue::Table(table) = node.get_ref() else { continue };
            let Some(DeValue::Array(inner)) = table.get("hooks").map(Spanned::get_ref) else { continue };
            for (handler, node) in handlers(&entry).into_iter().zip(inner.iter()) {
                if is_ours(handler) {
                    take(node, false)?;
                }
            }
        }
    }
    Ok(found)
}

/// Whether a table or a list on the way to the entries is written within braces or brackets, so that it takes no more of them.
fn is_closed(text: &str, event: &str) -> Result<bool, Broken> {
    let root = read(text)?;
    let Some(hooks) = root.get_ref().get("hooks") else { return Ok(false) };
    let written = |node: &Spanned<DeValue<'_>>| text.get(node.span().start..).unwrap_or_default();
    let list = match hooks.get_ref() {
        DeValue::Table(table) => table.get(event),
        DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_)
        | DeValue::Array(_) => return Ok(true),
    };
    let is_static = |list: &Spanned<DeValue<'_>>| {
        !matches!(list.get_ref(), DeValue::Array(_))
            || (written(list).starts_with('[') && !written(list).starts_with("[["))
    };
    Ok(written(hooks).starts_with('{') || list.is_some_and(is_static))
}

/// From the header of a table to the end of the last value in it: the parser's span is that of the header.
fn whole_range(node: &Spanned<DeValue<'_>>) -> Range<usize> {
    node.span().start..end_of(node)
}

fn end_of(node: &Spanned<DeValue<'_>>) -> usize {
    let below = match node.get_ref() {
        DeValue::Table(table) => table.iter().map(|(_, value)| end_of(value)).max(),
        DeValue::Array(items) => items.iter().map(end_of).max(),
        DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_) => None,
    };
    below.unwrap_or(0).max(node.span().end)
}

fn replaced(text: &str, range: &Range<usize>, new: &str) -> String {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    format!("{before}{new}{after}")
}

/// Without the range, and without the empty line that stands in front of it.
fn removed(text: &str, range: &Range<usize>) -> String {
    let before = text.get(..range.start).unwrap_or_default();
    let after = text.get(range.end..).unwrap_or_default();
    if before.is_empty() {
        return after.trim_start_matches(['\r', '\n']).to_owned();
    }
    let mut before = before;
    for _ in 0..2 {
        before = before.strip_suffix("\r\n").or_else(|| before.strip_suffix('\n')).unwrap_or(before);
    }
    format!("{before}{after}")
}

/// With the block at the end, behind an empty line. The text ends as it did: with a line break or without.
fn appended(text: &str, block: &str, newline: &str) -> String {
    if text.is_empty() {
        return format!("{block}{newline}");
    }
    let body = text.strip_suffix("\r\n").or_else(|| text.strip_suffix('\n')).unwrap_or(text);
    let ending = text.get(body.len()..).unwrap_or_default();
    format!("{body}{newline}{newline}{block}{ending}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables(command: &str) -> Tables {
        Tables { events: vec!["PreToolUse", "PermissionRequest"], command: command.to_owned(), timeout: 10 }
    }

    const OTHERS: &str = "# mine\nmodel = \"m\" # why\nsince = 2026-01-01\n\n[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"audit\"\n\n[hooks.state.\"x:pre_tool_use:0:0\"]\ntrusted_hash = \"sha256:0\"\n# end";

    #[test]
    fn what_was_there_comes_back() {
        for text in
            ["", "a = 1", "a = 1\n", "a = 1\r\nb = 2\r\n", OTHERS, "[a]\nb = 1\n\n\n", "# only a remark\n"]
        {
            let ours = tables("policy hook codex || exit 2");
            let new = ours.install(text).unwrap();
            assert_eq!(ours.install(&new).unwrap(), new, "{new}");
            assert_eq!(Tables::uninstall(&new).unwrap(), text, "{new}");
        }
    }

    #[test]
    fn another_command_takes_the_place_of_ours_alone() {
        let old = tables("policy hook codex").install(OTHERS).unwrap();
        let old = format!("{old}\n[z]\nz = 1 # z\n");
        let new = tables("policy hook codex --allow grant").install(&old).unwrap();
        assert_eq!(new, old.replace("policy hook codex", "policy hook codex --allow grant"));
    }

    #[test]
    fn a_command_in_a_group_of_others_goes_alone() {
        let shared = "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n\n[[hooks.PreToolUse.hooks]]\ncommand = \"policy hook codex\"\n\n[[hooks.PreToolUse.hooks]]\ncommand = \"audit\"\n";
        let left =
            "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n\n[[hooks.PreToolUse.hooks]]\ncommand = \"audit\"\n";
        assert_eq!(Tables::uninstall(shared).unwrap(), left);
        let new = tables("policy hook codex").install(shared).unwrap();
        assert!(new.starts_with(left), "{new}");
        assert_eq!(Tables::uninstall(&new).unwrap(), left);
    }

    #[test]
    fn what_cannot_be_edited_is_left_alone() {
        for text in [
            "hooks = { PreToolUse = [] }",
            "[hooks]\nPreToolUse = []\n",
            "hooks.PreToolUse = [{ matcher = \"*\", hooks = [{ command = \"policy hook codex\" }] }]",
        ] {
            assert!(matches!(tables("policy hook codex").install(text), Err(Trouble::NoPlace(_))), "{text}");
        }
        match tables("policy hook codex").install("a = 1\nb = = 2\n") {
            Err(Trouble::Broken(broken)) => assert_eq!(broken.line, 2),
            other => panic!("{other:?}"),
        }
    }
}
