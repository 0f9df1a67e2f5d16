//! Tools and sets of commands.

use super::condition::command;
use super::names::{arg_path, is_kebab, to_kebab};
use super::scalar::{flag, list, one_or_many};
use super::{Decoder, Kind, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::file::types::{CommandFile, CommandSetChange, CommandSetFile, List, Table, ToolFile};

/// The sets that are there without being written.
const BUILT_IN: [&str; 2] = ["read-only", "project"];

/// What a policy says of one tool.
pub(super) fn tool(d: &mut Decoder<'_>, node: &Node) -> Option<ToolFile> {
    let paths = |d: &mut Decoder<'_>, n| list(d, n, "arguments", arg_path);
    let mut f = d.fields(node, "a tool")?;
    let tool = ToolFile {
        command: f.take(d, "command", |d, n| one_or_many(d, n, arg_path)),
        reads: f.take(d, "reads", paths),
        writes: f.take(d, "writes", paths),
        fetches: f.take(d, "fetches", paths),
        patch: f.take(d, "patch", |d, n| one_or_many(d, n, arg_path)),
        read_only: f.take(d, "read_only", flag),
        destructive: f.take(d, "destructive", flag),
        idempotent: f.take(d, "idempotent", flag),
        open_world: f.take(d, "open_world", flag),
    };
    f.finish(d);
    if let (Some(read_only), Some(destructive)) = (&tool.read_only, &tool.destructive)
        && read_only.value
        && destructive.value
    {
        let message = format!("{} is said to be both read-only and destructive", d.key);
        let finding = Diagnostic::error(Code::E0210, message).at(destructive.span, "destructive");
        d.tell(
            finding
                .also(read_only.span, "read-only")
                .help("a tool that changes nothing destroys nothing: keep one"),
        );
    }
    Some(tool)
}

/// The sets of commands by their names.
pub(super) fn command_sets(d: &mut Decoder<'_>, node: &Node) -> Option<Table<CommandSetFile>> {
    let entries = d.entries(node, "a table of sets of commands")?;
    let mut sets = Vec::new();
    for entry in entries {
        let name = entry.key.as_str();
        if !is_kebab(name) {
            let meant = to_kebab(name);
            let finding =
                Diagnostic::error(Code::E0212, format!("the name `{name}` of a set is not in kebab-case"));
            let finding = finding
                .at(entry.key.span, "lower-case letters, digits, single hyphens; `@` only where it is used");
            d.tell(if meant.is_empty() {
                finding
            } else {
                let replacement = d.as_key(entry.key.span, &meant);
                finding.suggest(format!("write `{meant}`"), entry.key.span, replacement)
            });
            continue;
        }
        let built_in = BUILT_IN.contains(&name);
        if let Some(set) = d.under(name, |d| command_set(d, &entry.value, built_in)) {
            sets.push((entry.key.clone(), set));
        }
    }
    Some(sets.into_iter().collect())
}

fn command_set(d: &mut Decoder<'_>, node: &Node, built_in: bool) -> Option<CommandSetFile> {
    match (&node.kind, built_in) {
        (Kind::List(_), true) => {
            let written = d.table("add", "[…]");
            let finding =
                Diagnostic::error(Code::E0212, format!("{} is built in and cannot be replaced", d.key));
            d.tell(
                finding
                    .at(node.span, "this would replace it")
                    .help(format!("write `{written}`, `remove` or both")),
            );
            None
        }
        (Kind::Map(_), false) => {
            let finding =
                Diagnostic::error(Code::E0212, format!("{} is a new set, there is nothing to change", d.key));
            d.tell(finding.at(node.span, "a change").help("write a list of command patterns"));
            None
        }
        (Kind::Map(_), true) => {
            let mut f = d.fields(node, "a change to a set")?;
            if f.is_empty() {
                let finding = Diagnostic::error(Code::E0212, format!("{} changes nothing", d.key));
                d.tell(finding.at(node.span, "").help("write `add`, `remove` or both, or leave it out"));
                return None;
            }
            let change =
                CommandSetChange { add: f.take(d, "add", commands), remove: f.take(d, "remove", commands) };
            f.finish(d);
            Some(CommandSetFile::Change(change))
        }
        (Kind::List(_), false) => commands(d, node).map(CommandSetFile::List),
        (Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Str(_), _) => {
            commands(d, node).map(CommandSetFile::List)
        }
    }
}

fn commands(d: &mut Decoder<'_>, node: &Node) -> Option<List<CommandFile>> {
    list(d, node, "command patterns", command)
}
