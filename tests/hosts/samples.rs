//! The recorded files, and payloads made after their pattern.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value, json};
use tool_policy::host::{Host, Payload, by_name};

/// The folder of this test.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hosts")
}

#[track_caller]
pub(crate) fn json_of(path: &Path) -> Value {
    let text = fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// A recorded payload.
pub(crate) struct Sample {
    /// `FOLDER/FILE`.
    pub(crate) name: String,
    pub(crate) host: &'static dyn Host,
    pub(crate) payload: Payload,
}

/// Every recorded payload, in the order of the names.
pub(crate) fn payloads() -> Vec<Sample> {
    let named = |(name, path): (String, PathBuf)| {
        let (folder, file) = name.split_once('/').unwrap();
        if file.starts_with("out.") || file.starts_with("control_response") {
            return None;
        }
        let host = by_name(host_of(folder)).unwrap();
        let value = as_sent(folder, json_of(&path));
        Some(Sample { host, payload: payload(&value), name })
    };
    files().into_iter().filter_map(named).collect()
}

/// Every file, as `FOLDER/FILE` without `.json`.
pub(crate) fn files() -> Vec<(String, PathBuf)> {
    let mut files = Vec::new();
    for folder in fs::read_dir(folder().join("samples")).unwrap() {
        let folder = folder.unwrap().path();
        for file in fs::read_dir(&folder).unwrap() {
            let file = file.unwrap().path();
            if file.extension().is_some_and(|e| e == "json") {
                let of = folder.file_name().unwrap().to_str().unwrap();
                files.push((format!("{of}/{}", file.file_stem().unwrap().to_str().unwrap()), file));
            }
        }
    }
    files.sort();
    files
}

/// The host whose samples are in this folder: Cline has two programs.
pub(crate) fn host_of(folder: &str) -> &str {
    if folder.starts_with("cline-") { "cline" } else { folder }
}

/// What reaches the hook: opencode's plugin puts the two arguments of its own hook into one object.
fn as_sent(folder: &str, recorded: Value) -> Value {
    if folder != "opencode" {
        return recorded;
    }
    json!({
        "hook_event_name": "tool.execute.before", "tool": recorded["input"]["tool"], "args": recorded["output"]["args"],
        "cwd": "/home/user/project", "session_id": recorded["input"]["sessionID"], "call_id": recorded["input"]["callID"],
    })
}

#[track_caller]
pub(crate) fn payload(value: &Value) -> Payload {
    Payload::parse(&value.to_string()).unwrap_or_else(|e| panic!("{e}: {value}"))
}

/// The recorded payload with this name, as it was sent.
#[track_caller]
pub(crate) fn recorded(name: &str) -> Value {
    let folder_of_it = name.split('/').next().unwrap();
    as_sent(folder_of_it, json_of(&folder().join("samples").join(format!("{name}.json"))))
}

/// A payload of the host before a call of this tool, after the pattern of a recorded one.
pub(crate) fn before(folder: &str, tool: &str, input: &Map<String, Value>) -> Value {
    let (sample, name, args) = match folder {
        "adal" => ("control_request.can_use_tool", "/request/tool_name", "/request/input"),
        "claude-code" | "codex" => ("PreToolUse.Bash", "/tool_name", "/tool_input"),
        "cline-cli" => ("tool_call.run_commands", "/tool_call/name", "/tool_call/input"),
        "cline-vscode" => ("PreToolUse.execute_command", "/preToolUse/toolName", "/preToolUse/parameters"),
        "copilot-cli" => ("preToolUse.bash", "/toolName", "/toolArgs"),
        "copilot-cli-pascal" => ("pascal.PreToolUse.Bash", "/tool_name", "/tool_input"),
        "cursor" => ("preToolUse.Shell", "/tool_name", "/tool_input"),
        "factory-droid" => ("PreToolUse.Execute", "/tool_name", "/tool_input"),
        "gemini-cli" => ("BeforeTool.run_shell_command", "/tool_name", "/tool_input"),
        "goose" => ("PreToolUse.developer__shell", "/tool_name", "/tool_input"),
        "kiro" => ("preToolUse.execute_bash", "/tool_name", "/tool_input"),
        "opencode" => ("tool.execute.before.bash", "/tool", "/args"),
        "vscode" => ("PreToolUse.run_in_terminal", "/tool_name", "/tool_input"),
        other => panic!("no pattern for {other}"),
    };
    let mut value = recorded(&format!("{}/{sample}", folder.trim_end_matches("-pascal")));
    *value.pointer_mut(name).unwrap() = json!(tool);
    *value.pointer_mut(args).unwrap() = Value::Object(input.clone());
    value
}
