//! What a call would do: parts, files, hosts, programs.

mod arguments;
pub mod catalogue;
mod commands;
pub mod disk;
mod git;
pub mod parts;
pub mod patch;
pub mod path;
pub mod programs;
mod rebound;
pub mod shell;
pub mod tool;
pub mod url;
pub mod variables;
pub mod word;

use serde_json::Value;

use crate::call::Call;
use arguments::{Arguments, Given};
use commands::Commands;
use disk::Disk;
use parts::{Facts, Part, PartKind};
use path::Roots;
use tool::Tool;

/// The folders of a call: its cwd, which is the workspace where none is said, and the workspace.
pub fn roots(workspace: Option<&str>, cwd: Option<&str>, disk: &dyn Disk) -> Roots {
    let workspace = workspace.or(cwd).unwrap_or_default();
    let cwd = match cwd {
        // A relative cwd is one of the workspace.
        Some(cwd) if !is_absolute(cwd) && !workspace.is_empty() => format!("{workspace}/{cwd}"),
        Some(cwd) => cwd.to_owned(),
        None => workspace.to_owned(),
    };
    Roots { cwd, workspace: workspace.to_owned(), home: disk.home() }
}

fn is_absolute(path: &str) -> bool {
    path.starts_with(['/', '\\', '~']) || path.get(1..3).is_some_and(|s| s.starts_with(':'))
}

/// The cwds that relative paths of the call may start at; an unknown one is `None`.
fn cwds(roots: &Roots) -> Vec<Option<String>> {
    vec![Some(roots.cwd.clone()).filter(|cwd| !cwd.is_empty())]
}

/// What the call would do. Never without a part.
pub fn of(call: &Call, tool: Option<&Tool>, roots: &Roots, disk: &dyn Disk) -> Facts {
    let mut parts = Vec::new();
    if let Some(tool) = tool {
        let start = starting_folders(call, tool, roots, disk);
        if tool.runs() || tool.unnamed.runs {
            parts = commands_of(call, tool, roots, start.clone(), disk);
        }
        let mut arguments = Arguments { call, roots, cwds: start, disk, parts };
        arguments.gather(tool);
        parts = arguments.parts;
    }
    let of_some_host = !call.host.as_deref().is_some_and(catalogue::is_host);
    if tool.is_none() && call.mcp.is_none() && of_some_host {
        parts = unknown_host(call, roots, disk);
    }
    if parts.is_empty() {
        parts.push(Part { kind: PartKind::Call, text: call.shown(), span: None, group: 0 });
    }
    Facts::new(parts)
}

/// What a call may do that has the name of a tool of some host and does not say which: the same things, to what nobody can tell.
///
/// Else leaving out the host would open every denial of commands and files.
fn unknown_host(call: &Call, roots: &Roots, disk: &dyn Disk) -> Vec<Part> {
    let may = catalogue::anywhere(&call.tool);
    let mut parts = Vec::new();
    if may.runs {
        let mut commands = Commands::new(roots, vec![None], Vec::new(), disk);
        commands.opaque(
            call.shown(),
            "the call does not say which host it is of, so nobody can tell what it runs",
        );
        parts = commands.finish();
    }
    let mut arguments = Arguments { call, roots, cwds: vec![None], disk, parts };
    arguments.unnamed(catalogue::Unnamed { writes: may.writes && call.hints.read_only != Some(true), ..may });
    arguments.parts
}

/// What a single command line would do, for tables and explanations.
pub fn of_command(text: &str, roots: &Roots, disk: &dyn Disk) -> Facts {
    let mut commands = Commands::new(roots, cwds(roots), Vec::new(), disk);
    commands.script(text);
    Facts::new(commands.finish())
}

/// The folders that the call may start in: its own, or that which an argument names.
fn starting_folders(call: &Call, tool: &Tool, roots: &Roots, disk: &dyn Disk) -> Vec<Option<String>> {
    let start = cwds(roots);
    let Some(path) = &tool.cwd else { return start };
    let found = path.find(&call.args);
    match found.values.as_slice() {
        [] | [Value::Null] if !found.wrong_shape => start,
        [Value::String(folder)] if !folder.starts_with('~') => {
            path::change_folder(&start, &word::Word::text(folder.as_str()), disk)
        }
        _ => vec![None],
    }
}

fn commands_of(
    call: &Call,
    tool: &Tool,
    roots: &Roots,
    start: Vec<Option<String>>,
    disk: &dyn Disk,
) -> Vec<Part> {
    let env = call.env.keys().cloned().collect();
    let mut commands = Commands::new(roots, start, env, disk);
    if tool.unnamed.runs {
        commands.opaque(call.shown(), "the tool runs something that its arguments do not tell");
    }
    let chosen = tool.shell.as_ref().map(|path| path.find(&call.args).values.to_vec()).unwrap_or_default();
    let other_shell = chosen.iter().any(|shell| {
        !matches!(shell, Value::Null)
            && !shell
                .as_str()
                .is_some_and(|s| matches!(programs::program_name(s, true).as_str(), "bash" | "sh"))
    });
    let foreign = tool.is_foreign(disk.os()) || other_shell;
    let mut given = false;
    for path in &tool.command {
        let found = path.find(&call.args);
        for value in &found.values {
            given |= !value.is_null();
            match arguments::command(value) {
                Given::Nothing => {}
                Given::Text(text) if foreign => {
                    commands.opaque(text.to_owned(), "the command is not for bash");
                }
                Given::Text(text) => commands.script(text),
                Given::Words(words) => commands.words(&words),
                Given::Unknown(text) => {
                    commands.opaque(text, "the command is neither a text nor a list of words");
                }
            }
        }
        if found.wrong_shape {
            given = true;
            commands.opaque(path.as_str().to_owned(), "the command is not where the tool has it");
        }
    }
    if !given
        && tool.runs()
        && !tool.optional
        && tool.arguments().all(|path| path.find(&call.args).values.iter().all(|value| value.is_null()))
    {
        commands.opaque(call.shown(), "the call gives no command that is known");
    }
    commands.finish()
}

/// The texts of an argument: itself, or the elements of a list; `None` for what is no text.
fn texts(value: &Value) -> Vec<Option<&str>> {
    match value {
        Value::String(text) => vec![Some(text)],
        Value::Array(items) => items.iter().flat_map(texts).collect(),
        Value::Null => Vec::new(),
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => vec![None],
    }
}
