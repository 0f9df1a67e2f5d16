//! Every golden answer is what is printed for the decision that it stands for.

use serde_json::{Map, Value, json};
use tool_policy::host::{Answer, Decision, Event, Host, by_name, read};

use crate::samples::{files, host_of, json_of, payload, recorded};

const DENIED: &str = "Denied by policy rule no-rm (policy.toml:12): use `trash` instead";
const FAILED: &str = "policy: internal error, refusing (fail closed)";
const HOLD: &str = "Needs human approval (rule r2); ask the user, then run `policy approve <id>`";

/// What a golden answer says in other words than this program: the file, its words, and ours.
const REWORDED: &[(&str, &str, &str)] = &[
    ("copilot-cli/out.ask", "rule r2", "rule r2: publishing needs approval"),
    ("cursor/out.engine_failure", "policy failed", FAILED),
    (
        "cursor/out.engine_failure",
        "policy: internal error\n",
        "policy: internal error, refusing (fail closed)\n",
    ),
];

/// The payload that the answers of a folder are for: the one of the event in the file's name, else one that runs a command.
fn asked(folder: &str, kind: &str) -> &'static str {
    match (folder, kind.split('.').next().unwrap()) {
        ("claude-code", "PermissionRequest") => "claude-code/PermissionRequest.Bash",
        ("claude-code", _) => "claude-code/PreToolUse.Bash",
        ("cline-cli", _) => "cline-cli/tool_call.run_commands",
        ("cline-vscode", _) => "cline-vscode/PreToolUse.execute_command",
        ("codex", "PermissionRequest") => "codex/PermissionRequest.Bash",
        ("codex", _) => "codex/PreToolUse.Bash",
        ("copilot-cli", "permissionRequest") => "copilot-cli/permissionRequest.bash",
        ("copilot-cli", _) => "copilot-cli/preToolUse.bash",
        ("cursor", "rewrite") => "cursor/preToolUse.Shell",
        ("cursor", _) => "cursor/beforeShellExecution",
        ("factory-droid", _) => "factory-droid/PreToolUse.Execute",
        ("gemini-cli", _) => "gemini-cli/BeforeTool.run_shell_command",
        ("goose", _) => "goose/PreToolUse.developer__shell",
        ("kiro", _) => "kiro/preToolUse.execute_bash",
        ("opencode", _) => "opencode/tool.execute.before.bash",
        ("vscode", _) => "vscode/PreToolUse.run_in_terminal",
        ("windsurf", _) => "windsurf/pre_run_command",
        other => panic!("no payload for {other:?}"),
    }
}

/// What the file is the answer to; `None` for a failure.
fn decision(folder: &str, kind: &str) -> Option<Decision> {
    let text = str::to_owned;
    let asks = |question: &str| Decision::Ask { by: text("rule r2"), question: text(question) };
    let hold = |why: &str| Decision::Hold { why: text(why) };
    let kind = kind.trim_start_matches("PermissionRequest.").trim_start_matches("permissionRequest.");
    Some(match (kind, folder) {
        ("engine_failure" | "deny_exit2", _) => return None,
        ("no_opinion", _) => Decision::Pass,
        ("allow", _) => Decision::Allow { by: text("rule r1") },
        ("deny", _) => Decision::deny(DENIED),
        ("deny_stop", _) => Decision::Deny {
            why: text(DENIED),
            stop: Some(text("Stopped by policy rule no-rm")),
            softly: false,
        },
        ("soft_deny_shell", _) => {
            Decision::Deny { why: text("Denied by policy rule no-rm"), stop: None, softly: true }
        }
        ("ask", "cursor") => asks("approve?"),
        ("ask", "cline-cli") => hold("Needs human approval (rule r2)"),
        ("ask", "kiro" | "windsurf") => {
            hold("Needs human approval (rule r2): ask the user to run `policy approve <id>`")
        }
        ("ask", "opencode" | "goose" | "factory-droid") => hold(HOLD),
        ("ask", "codex") if kind == "ask" => hold(HOLD),
        ("ask", _) => asks("publishing needs approval"),
        ("rewrite" | "rewrite.preToolUse", _) => {
            let args = match folder {
                "cline-cli" => json!({"commands": ["git push --dry-run"]}),
                "codex" => json!({"command": "git push --dry-run"}),
                "cursor" => {
                    json!({"command": "git push --dry-run", "working_directory": "/home/user/project"})
                }
                _ => json!({"command": "git push --dry-run", "description": "Push"}),
            };
            Decision::Change {
                args: args.as_object().unwrap().clone(),
                by: text("rule r3 added --dry-run"),
                note: None,
            }
        }
        other => panic!("unknown golden answer {other:?}"),
    })
}

#[test]
fn every_golden_answer_is_what_is_printed() {
    let mut seen = 0;
    for (name, path) in files() {
        let (folder, file) = name.split_once('/').unwrap();
        let Some(kind) = file.strip_prefix("out.") else { continue };
        let golden = golden(&name, &json_of(&path));
        let host = by_name(host_of(folder)).unwrap();
        let sample = payload(&recorded(asked(folder, kind)));
        let event = event(host, &recorded(asked(folder, kind)));
        let answer = match decision(folder, kind) {
            // Where a person is asked by silence, there is nothing to hold.
            Some(Decision::Hold { .. }) if name == "codex/out.PermissionRequest.ask" => {
                host.answer(&event, &Decision::Ask { by: "rule r2".to_owned(), question: String::new() })
            }
            Some(decision) => host.answer(&event, &decision),
            None if kind == "deny_exit2" => host.refuse(Some(&sample), DENIED),
            None => host.refuse(Some(&sample), FAILED),
        };
        assert_eq!(answer, golden, "{name}");
        seen += 1;
    }
    assert_eq!(seen, 86);
}

#[track_caller]
fn event(host: &dyn Host, value: &Value) -> Event {
    let (found, mut event) = read(None, &payload(value)).unwrap();
    assert_eq!(found.name(), host.name());
    // droid lays new arguments over the old, so the golden answers are about a call that has no others.
    if host.name() == "factory-droid" {
        event.call.args = Map::from_iter([("command".to_owned(), json!("git push"))]);
    }
    event
}

fn golden(name: &str, file: &Value) -> Answer {
    let text = |key: &str| {
        let words = REWORDED.iter().filter(|(of, _, _)| *of == name);
        words.fold(file[key].as_str().unwrap().to_owned(), |text, (_, theirs, ours)| {
            text.replace(theirs, ours)
        })
    };
    Answer {
        stdout: text("stdout"),
        stderr: text("stderr"),
        exit: u8::try_from(file["exit_code"].as_u64().unwrap()).unwrap(),
    }
}

#[test]
fn a_control_request_gets_the_recorded_responses() {
    let adal = by_name("adal").unwrap();
    let event = event(adal, &recorded("adal/control_request.can_use_tool"));
    let args = Map::from_iter([("command".to_owned(), json!("ls build"))]);
    let change = Decision::Change { args, by: "rule r1".to_owned(), note: None };
    for (file, decision) in [
        ("adal/control_response.allow", change),
        ("adal/control_response.deny", Decision::deny("Denied by policy rule r1")),
    ] {
        let answer = adal.answer(&event, &decision);
        assert_eq!(answer.stdout, recorded(file).to_string());
        assert_eq!((answer.stderr.as_str(), answer.exit), ("", 0));
    }
}

#[test]
fn copilot_is_answered_in_the_dialect_of_the_event() {
    let host = by_name("copilot-cli").unwrap();
    for (sample, key) in [
        ("copilot-cli/preToolUse.bash", "/permissionDecision"),
        ("copilot-cli/pascal.PreToolUse.Bash", "/hookSpecificOutput/permissionDecision"),
        ("copilot-cli/via-claude-settings.PreToolUse.Bash", "/hookSpecificOutput/permissionDecision"),
        ("copilot-cli/permissionRequest.bash", "/behavior"),
        ("copilot-cli/pascal.permissionRequest.bash", "/behavior"),
    ] {
        let value = recorded(sample);
        let stop = Decision::Deny { why: "no".to_owned(), stop: Some("stop".to_owned()), softly: false };
        for answer in [host.answer(&event(host, &value), &stop), host.refuse(Some(&payload(&value)), "no")] {
            let said: Value = serde_json::from_str(&answer.stdout).unwrap();
            assert_eq!(said.pointer(key), Some(&json!("deny")), "{sample}: {said}");
            assert!(said.get("continue").is_none(), "it ends nothing there: {said}");
            assert_eq!((answer.stderr.as_str(), answer.exit), ("", 0));
        }
    }
}

#[test]
fn cursor_is_answered_in_both_forms_where_it_runs_the_hooks_of_another() {
    let mut value = recorded("cursor/preToolUse.Shell");
    value["hook_event_name"] = json!("PreToolUse");
    value["tool_name"] = json!("Bash");
    let host = by_name("cursor").unwrap();
    let event = event(host, &value);
    let denied = host.answer(&event, &Decision::deny("no"));
    let said: Value = serde_json::from_str(&denied.stdout).unwrap();
    assert_eq!(said["permission"], "deny");
    assert_eq!(said["hookSpecificOutput"]["permissionDecision"], "deny");
    assert_eq!((denied.stderr.as_str(), denied.exit), ("no\n", 2));
    let passed = host.answer(&event, &Decision::Pass);
    assert_eq!((passed.stdout.as_str(), passed.exit), (r#"{"permission":"allow"}"#, 0));
}

#[test]
fn droid_gets_null_for_what_is_to_be_gone() {
    let host = by_name("factory-droid").unwrap();
    let (_, event) = read(None, &payload(&recorded("factory-droid/PreToolUse.Execute"))).unwrap();
    let args = Map::from_iter([("command".to_owned(), json!("ls"))]);
    let answer = host.answer(&event, &Decision::Change { args, by: "r".to_owned(), note: None });
    let said: Value = serde_json::from_str(&answer.stdout).unwrap();
    let input = said["hookSpecificOutput"]["updatedInput"].as_object().unwrap();
    assert_eq!(input["command"], "ls");
    assert!(input.iter().all(|(key, value)| key == "command" || value.is_null()), "{said}");
    assert_eq!(input.len(), event.call.args.len());
}
