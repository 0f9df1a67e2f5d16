//! What a call would do: parts, files, hosts, programs.

pub mod catalogue;
mod commands;
pub mod disk;
mod git;
pub mod parts;
pub mod patch;
pub mod path;
pub mod programs;
pub mod shell;
pub mod tool;
pub mod url;
pub mod variables;
pub mod word;

use serde_json::Value;

use crate::arg::ArgPath;
use crate::call::Call;
use commands::Commands;
use disk::Disk;
use parts::{Facts, FileTouch, NetTouch, Part, PartKind};
use path::{Extent, FilePath, Roots};
use programs::Access;
use tool::Tool;
use url::Target;

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
        commands_of(call, tool, roots, disk, &mut parts);
        files_of(call, tool, roots, disk, &mut parts);
        hosts_of(call, tool, &mut parts);
    }
    if parts.is_empty() {
        parts.push(Part { kind: PartKind::Call, text: call.shown(), span: None, group: 0 });
    }
    Facts { parts }
}

/// What a single command line would do, for tables and explanations.
pub fn of_command(text: &str, roots: &Roots, disk: &dyn Disk) -> Facts {
    let mut commands = Commands::new(roots, cwds(roots), Vec::new(), disk);
    commands.script(text);
    Facts { parts: commands.finish() }
}

fn commands_of(call: &Call, tool: &Tool, roots: &Roots, disk: &dyn Disk, parts: &mut Vec<Part>) {
    if tool.command.is_empty() {
        return;
    }
    let mut start = cwds(roots);
    if let Some(path) = &tool.cwd {
        let found = path.find(&call.args);
        match found.values.as_slice() {
            [] => {}
            [Value::String(folder)] => start = path::change_folder(&start, &word::Word::text(folder.as_str()), disk),
            _ => start = vec![None],
        }
    }
    let env = call.env.keys().cloned().collect();
    let mut commands = Commands::new(roots, start, env, disk);
    for path in &tool.command {
        let found = path.find(&call.args);
        for value in found.values {
            match value {
                Value::String(text) => commands.script(text),
                Value::Array(words) => match words.iter().map(Value::as_str).collect::<Option<Vec<_>>>() {
                    Some(words) => commands.words(&words),
                    None => commands.opaque(value.to_string(), "the command is not a list of words"),
                },
                Value::Null => {}
                Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
                    commands.opaque(value.to_string(), "the command is neither a text nor a list of words");
                }
            }
        }
        if found.wrong_shape {
            commands.opaque(path.as_str().to_owned(), "the command is not where the tool has it");
        }
    }
    parts.extend(commands.finish());
}

fn files_of(call: &Call, tool: &Tool, roots: &Roots, disk: &dyn Disk, parts: &mut Vec<Part>) {
    let start = cwds(roots);
    let mut push = |path: FilePath, access: Access, extent: Extent, text: String| {
        let touch = FileTouch { path, access, extent, possible: false };
        let kind = if access.writes() { PartKind::Write(touch) } else { PartKind::Read(touch) };
        let group = parts.len();
        parts.push(Part { kind, text, span: None, group });
    };
    let unknown = |path: &ArgPath| (FilePath::unknown(), format!("{} (unknown)", path.as_str()));
    for (paths, access) in [(&tool.reads, Access::Read), (&tool.writes, Access::ReadWrite)] {
        for path in paths {
            let found = path.find(&call.args);
            for value in &found.values {
                for text in texts(value) {
                    match text {
                        Some(text) => {
                            let file = FilePath::from_argument(text, &start, roots, disk);
                            push(file, access, Extent::Itself, text.to_owned());
                        }
                        None => {
                            let (file, text) = unknown(path);
                            push(file, access, Extent::Itself, text);
                        }
                    }
                }
            }
            if found.wrong_shape {
                let (file, text) = unknown(path);
                push(file, access, Extent::Itself, text);
            }
        }
    }
    for path in &tool.patch {
        for value in path.find(&call.args).values {
            let Some(text) = value.as_str() else {
                let (file, text) = unknown(path);
                push(file, Access::ReadWrite, Extent::Itself, text);
                continue;
            };
            let patch = patch::files(text);
            for (files, access) in [(&patch.writes, Access::ReadWrite), (&patch.reads, Access::Read)] {
                for name in files {
                    push(FilePath::from_argument(name, &start, roots, disk), access, Extent::Itself, name.clone());
                }
            }
            if !patch.complete {
                push(FilePath::unknown(), Access::ReadWrite, Extent::Itself, "files that the patch does not say".to_owned());
            }
        }
    }
    if let Some(search) = &tool.search {
        for (file, extent, text) in search.files(&call.args, &start, roots, disk) {
            push(file, Access::Read, extent, text);
        }
    }
}

fn hosts_of(call: &Call, tool: &Tool, parts: &mut Vec<Part>) {
    for path in &tool.fetches {
        let found = path.find(&call.args);
        let values = found.values.iter().flat_map(|value| texts(value));
        for text in values.chain(found.wrong_shape.then_some(None)) {
            let target = text.map_or_else(Target::unknown, |text| Target::parse(text, "https"));
            let group = parts.len();
            // A tool that fetches asks with GET and stops at another host, or says so itself.
            let net = NetTouch { target, method: Some("GET".to_owned()), follows_redirects: false, possible: false };
            parts.push(Part { kind: PartKind::Fetch(net), text: text.unwrap_or("(unknown)").to_owned(), span: None, group });
        }
    }
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
