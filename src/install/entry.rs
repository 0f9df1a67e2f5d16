//! An entry of a settings file: whose it is, and what it runs.

use serde_json::Value;

use super::line::Line;

/// The commands that stand in one entry: itself, or those of the group that it is.
pub(super) fn handlers(entry: &Value) -> Vec<&Value> {
    match entry.get("hooks").and_then(Value::as_array) {
        Some(handlers) => handlers.iter().collect(),
        None => vec![entry],
    }
}

/// The command of a handler, as its host starts it.
pub(super) fn command(handler: &Value) -> Option<&str> {
    let text = |value: &'static str| handler.get(value).and_then(Value::as_str);
    text("command").or_else(|| text("bash")).or_else(|| handler.get("action")?.get("command")?.as_str())
}

/// The words behind the command, where it is started without a shell.
pub(super) fn args(handler: &Value) -> Option<Vec<String>> {
    let words = handler.get("args")?.as_array()?;
    words.iter().map(|word| word.as_str().map(str::to_owned)).collect()
}

/// What a handler of ours runs; none for somebody else's.
pub(super) fn line(handler: &Value) -> Option<Line> {
    let command = command(handler)?;
    match args(handler) {
        Some(args) => Line::of_words(std::iter::once(command.to_owned()).chain(args).collect()),
        None => Line::parse(command),
    }
}

/// Whether a handler is ours.
pub(super) fn is_ours(handler: &Value) -> bool {
    line(handler).is_some()
}

/// Whether all that stands in an entry is ours.
pub(super) fn is_all_ours(entry: &Value) -> bool {
    let handlers = handlers(entry);
    !handlers.is_empty() && handlers.into_iter().all(is_ours)
}

/// An entry without what is ours; none where nothing is left.
pub(super) fn without_ours(entry: &Value) -> Option<Value> {
    match entry.get("hooks").and_then(Value::as_array) {
        Some(handlers) => {
            let left: Vec<_> = handlers.iter().filter(|h| !is_ours(h)).cloned().collect();
            if left.is_empty() && !handlers.is_empty() {
                return None;
            }
            let mut entry = entry.clone();
            if let Some(handlers) = entry.get_mut("hooks") {
                *handlers = Value::Array(left);
            }
            Some(entry)
        }
        None => (!is_ours(entry)).then(|| entry.clone()),
    }
}
