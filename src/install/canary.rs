//! A call that is always refused, in the form of each host, and whether an answer refuses it in the form that the host obeys.

use serde_json::{Map, Value, json};

use super::run::Ran;
/// A tool that no host has. The hook refuses it whatever the policy says.
use crate::guard::CANARY as TOOL;

/// How the hook begins a denial that is a verdict: so it is told from the refusal of a hook, or a shell, that fails.
const VERDICT: &str = "Denied by policy";

/// What a host would send, and what it has to get.
#[derive(Clone, Debug)]
pub struct Canary {
    /// The event, as the host's configuration names it; none where it has no events.
    pub event: Option<&'static str>,
    /// What goes to the hook.
    pub payload: Value,
    form: Form,
}

/// The form of a refusal that is obeyed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// `permissionDecision` below `hookSpecificOutput`.
    Nested,
    /// The same, with no other key anywhere.
    NestedStrictly,
    /// `decision.behavior` below `hookSpecificOutput`.
    NestedBehavior,
    /// A key with this value at the top.
    Flat(&'static str, &'static str),
    /// `cancel`.
    Cancel,
    /// Exit code 2, with the reason on standard error.
    Exit,
}

/// The canaries of a host, for a hook that runs in `folder`.
#[expect(clippy::too_many_lines, reason = "a table, a few lines a host")]
pub fn canaries(host: &str, folder: &str) -> Vec<Canary> {
    let canary = |event, payload, form| Canary { event: Some(event), payload, form };
    let claude = |event: &str| {
        json!({
            "session_id": "policy-doctor", "transcript_path": null, "cwd": folder, "prompt_id": "policy-doctor",
            "permission_mode": "default", "hook_event_name": event, "tool_name": TOOL, "tool_input": {},
        })
    };
    match host {
        "claude-code" => vec![
            canary("PreToolUse", with(claude("PreToolUse"), "tool_use_id"), Form::Nested),
            canary("PermissionRequest", claude("PermissionRequest"), Form::NestedBehavior),
        ],
        "codex" => {
            let codex = |event: &str| {
                json!({
                    "session_id": "policy-doctor", "turn_id": "policy-doctor", "transcript_path": null, "cwd": folder,
                    "hook_event_name": event, "model": "policy-doctor", "permission_mode": "default", "tool_name": TOOL,
                    "tool_input": {},
                })
            };
            vec![
                canary("PreToolUse", with(codex("PreToolUse"), "tool_use_id"), Form::NestedStrictly),
                canary("PermissionRequest", codex("PermissionRequest"), Form::NestedBehavior),
            ]
        }
        "gemini-cli" => vec![canary(
            "BeforeTool",
            json!({
                "session_id": "policy-doctor", "transcript_path": "", "cwd": folder, "hook_event_name": "BeforeTool",
                "timestamp": "2026-01-01T00:00:00.000Z", "tool_name": TOOL, "tool_input": {},
            }),
            Form::Flat("decision", "deny"),
        )],
        "copilot-cli" => vec![
            canary(
                "preToolUse",
                json!({"sessionId": "policy-doctor", "timestamp": 0, "cwd": folder, "toolName": TOOL, "toolArgs": {}}),
                Form::Flat("permissionDecision", "deny"),
            ),
            canary(
                "permissionRequest",
                json!({
                    "hookName": "permissionRequest", "sessionId": "policy-doctor", "timestamp": 0, "cwd": folder, "toolName": TOOL,
                    "toolInput": {}, "permissionSuggestions": [],
                }),
                Form::Flat("behavior", "deny"),
            ),
        ],
        "vscode" => vec![canary(
            "PreToolUse",
            json!({
                "timestamp": "2026-01-01T00:00:00.000Z", "cwd": folder, "sessionId": "policy-doctor", "hookEventName": "PreToolUse",
                "transcript_path": "", "tool_name": TOOL, "tool_input": {}, "tool_use_id": "policy-doctor",
            }),
            Form::Nested,
        )],
        "cursor" => {
            let cursor = |event: &str, input: Value| {
                json!({
                    "conversation_id": "policy-doctor", "generation_id": "policy-doctor", "model": "policy-doctor",
                    "cursor_version": "0", "workspace_roots": [folder], "hook_event_name": event, "tool_name": TOOL,
                    "tool_input": input, "cwd": folder,
                })
            };
            let mut mcp = cursor("beforeMCPExecution", json!("{}"));
            if let Value::Object(map) = &mut mcp {
                map.insert("mcp_server_name".to_owned(), json!("policy-doctor"));
                map.insert("command".to_owned(), json!("policy-doctor"));
            }
            vec![
                canary(
                    "preToolUse",
                    with(cursor("preToolUse", json!({})), "tool_use_id"),
                    Form::Flat("permission", "deny"),
                ),
                canary("beforeMCPExecution", mcp, Form::Flat("permission", "deny")),
            ]
        }
        "factory-droid" => vec![canary(
            "PreToolUse",
            json!({
                "session_id": "policy-doctor", "transcript_path": "", "cwd": folder, "permission_mode": "auto-low",
                "hook_event_name": "PreToolUse", "tool_name": TOOL, "tool_input": {},
            }),
            Form::Nested,
        )],
        "goose" => vec![canary(
            "PreToolUse",
            json!({
                "event": "PreToolUse", "session_id": "policy-doctor", "matcher_context": TOOL, "tool_call_id": "policy-doctor",
                "tool_name": TOOL, "tool_input": {}, "working_dir": folder,
            }),
            Form::Exit,
        )],
        "windsurf" => vec![canary(
            "pre_mcp_tool_use",
            json!({
                "agent_action_name": "pre_mcp_tool_use", "trajectory_id": "policy-doctor", "execution_id": "policy-doctor",
                "timestamp": "2026-01-01T00:00:00Z",
                "tool_info": {"mcp_server_name": "policy-doctor", "mcp_tool_name": TOOL, "mcp_tool_arguments": {}},
            }),
            Form::Exit,
        )],
        "kiro" => vec![Canary {
            event: None,
            payload: json!({"hook_event_name": "preToolUse", "cwd": folder, "tool_name": TOOL, "tool_input": {}}),
            form: Form::Exit,
        }],
        "cline" => vec![Canary {
            event: None,
            payload: json!({
                "clineVersion": "", "timestamp": "2026-01-01T00:00:00.000Z", "taskId": "policy-doctor", "workspaceRoots": [folder],
                "userId": "unknown", "agent_id": "policy-doctor", "parent_agent_id": null, "hookName": "tool_call", "iteration": 1,
                "tool_call": {"id": "policy-doctor", "name": TOOL, "input": {}},
                "preToolUse": {"toolName": TOOL, "parameters": {}},
            }),
            form: Form::Cancel,
        }],
        "opencode" => vec![Canary {
            event: None,
            payload: json!({
                "hook_event_name": "tool.execute.before", "tool": TOOL, "args": {}, "session_id": "policy-doctor",
                "call_id": "policy-doctor", "cwd": folder,
            }),
            form: Form::Flat("verdict", "deny"),
        }],
        _ => Vec::new(),
    }
}

fn with(mut payload: Value, key: &str) -> Value {
    if let Value::Object(map) = &mut payload {
        map.insert(key.to_owned(), json!("policy-doctor"));
    }
    payload
}

impl Canary {
    /// Whether the answer refuses the call so that the host obeys.
    ///
    /// # Errors
    ///
    /// What became of the call instead.
    pub fn judge(&self, ran: &Ran) -> Result<(), String> {
        if ran.late {
            return Err("was not answered in time".to_owned());
        }
        // A shell that finds no program may end with the exit code of a refusal.
        if !ran.stdout.contains(VERDICT) && !ran.stderr.contains(VERDICT) {
            return Err(format!("was not judged: {}", said(ran)));
        }
        if self.form.refuses(ran) {
            Ok(())
        } else {
            Err(format!("was answered in a form that the host passes over: {}", said(ran)))
        }
    }
}

impl Form {
    fn refuses(self, ran: &Ran) -> bool {
        let answer: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        let at = |pointer: &str, value: &str| answer.pointer(pointer).is_some_and(|there| there == value);
        let exit = |allowed: &[i32]| ran.exit.is_some_and(|exit| allowed.contains(&exit));
        match self {
            Self::Nested => exit(&[0, 2]) && at("/hookSpecificOutput/permissionDecision", "deny"),
            Self::NestedStrictly => {
                let specific = answer.get("hookSpecificOutput").and_then(Value::as_object);
                let keys = |map: &Map<String, Value>, known: &[&str]| {
                    map.keys().all(|key| known.contains(&key.as_str()))
                };
                exit(&[0])
                    && at("/hookSpecificOutput/permissionDecision", "deny")
                    && answer.as_object().is_some_and(|map| keys(map, &["hookSpecificOutput"]))
                    && specific.is_some_and(|map| {
                        keys(map, &["hookEventName", "permissionDecision", "permissionDecisionReason"])
                    })
            }
            Self::NestedBehavior => exit(&[0]) && at("/hookSpecificOutput/decision/behavior", "deny"),
            Self::Flat(key, value) => exit(&[0, 2]) && answer.get(key).is_some_and(|there| there == value),
            Self::Cancel => answer.get("cancel") == Some(&Value::Bool(true)),
            Self::Exit => exit(&[2]) && !ran.stderr.trim().is_empty(),
        }
    }
}

/// What a command said, in one line.
fn said(ran: &Ran) -> String {
    let exit = ran.exit.map_or_else(|| "a signal".to_owned(), |exit| format!("exit code {exit}"));
    let short = |text: &str| {
        let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let short: String = line.chars().take(200).collect();
        if short.len() < line.len() { format!("{short}…") } else { short }
    };
    match (short(&ran.stdout), short(&ran.stderr)) {
        (out, err) if out.is_empty() && err.is_empty() => format!("it said nothing ({exit})"),
        (out, err) if err.is_empty() => format!("it printed `{out}` ({exit})"),
        (out, err) if out.is_empty() => format!("it said `{err}` ({exit})"),
        (out, err) => format!("it printed `{out}` and said `{err}` ({exit})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn ran(stdout: &str, stderr: &str, exit: i32) -> Ran {
        Ran {
            stdout: stdout.to_owned(),
            stderr: stderr.to_owned(),
            exit: Some(exit),
            took: Duration::ZERO,
            late: false,
        }
    }

    #[track_caller]
    fn judged(host: &str, stdout: &str, stderr: &str, exit: i32) -> Result<(), String> {
        canaries(host, "/w").first().unwrap().judge(&ran(stdout, stderr, exit))
    }

    #[test]
    fn each_host_has_its_form() {
        let nested = r#"{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"Denied by policy"}}"#;
        let stop = nested.replacen('{', r#"{"continue":false,"#, 1);
        let reason = "Denied by policy rule canary";
        for (host, stdout, stderr, exit, refused) in [
            ("claude-code", nested, "", 0, true),
            ("claude-code", &stop, "", 0, true),
            ("claude-code", "", reason, 1, false),
            ("codex", nested, "", 0, true),
            ("codex", &stop, "", 0, false),
            ("codex", "", "sh: policy: not found", 2, false),
            ("gemini-cli", nested, "", 0, false),
            ("gemini-cli", r#"{"decision":"deny","reason":"Denied by policy"}"#, "", 0, true),
            ("copilot-cli", nested, "", 0, false),
            (
                "copilot-cli",
                r#"{"permissionDecision":"deny","permissionDecisionReason":"Denied by policy"}"#,
                "",
                0,
                true,
            ),
            ("vscode", nested, "", 0, true),
            ("cursor", r#"{"permission":"deny","user_message":"Denied by policy"}"#, "", 0, true),
            ("cursor", r#"{"permission":"allow","user_message":"Denied by policy"}"#, "", 0, false),
            ("factory-droid", nested, "", 0, true),
            ("goose", "", reason, 2, true),
            ("windsurf", "", reason, 2, true),
            ("windsurf", reason, "", 2, false),
            ("kiro", "", reason, 2, true),
            ("kiro", "", reason, 1, false),
            ("cline", "", reason, 2, false),
            ("cline", r#"{"cancel":true,"errorMessage":"Denied by policy"}"#, "", 0, true),
            ("opencode", r#"{"verdict":"deny","reason":"Denied by policy"}"#, "", 0, true),
        ] {
            assert_eq!(
                judged(host, stdout, stderr, exit).is_ok(),
                refused,
                "{host}: {stdout} {stderr} {exit}"
            );
        }
    }

    #[test]
    fn every_host_with_a_hook_has_a_canary() {
        for host in &super::super::HOSTS {
            let none = host.starts == super::super::Starts::Nothing;
            assert_eq!(canaries(host.name, "/w").is_empty(), none, "{}", host.name);
        }
    }
}
