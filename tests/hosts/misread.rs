//! Payloads that are easily taken for something else: another host's, another dialect's, or a call without what it does.

use serde_json::{Map, Value, json};
use tool_policy::host::{Asks, Host, Payload, by_name, caller, read, recognise};

use crate::samples::{before, payload, recorded};

#[track_caller]
fn unfit(value: &Value, named: &str, why: &str) {
    let error = read(by_name(named), &payload(value)).map(|(host, event)| (host.name(), event)).unwrap_err();
    assert!(error.to_string().contains(why), "{error}");
}

#[track_caller]
fn is_from(value: &Value, named: &str, host: &str) {
    let found = caller(by_name(named), &payload(value)).map(Host::name);
    assert_eq!(found, Some(host), "{value}");
}

fn with(sample: &str, key: &str, value: Value) -> Value {
    let mut all = recorded(sample);
    all[key] = value;
    all
}

fn without(sample: &str, key: &str) -> Value {
    let mut all = recorded(sample);
    all.as_object_mut().unwrap().shift_remove(key).unwrap();
    all
}

#[test]
fn arguments_that_are_none_are_refused() {
    for (sample, host, key) in [
        ("claude-code/PreToolUse.Bash", "claude-code", "tool_input"),
        ("codex/PreToolUse.apply_patch", "codex", "tool_input"),
        ("gemini-cli/BeforeTool.write_file", "gemini-cli", "tool_input"),
        ("copilot-cli/preToolUse.bash", "copilot-cli", "toolArgs"),
        ("copilot-cli/permissionRequest.bash", "copilot-cli", "toolInput"),
        ("copilot-cli/pascal.PreToolUse.Bash", "copilot-cli", "tool_input"),
        ("cursor/preToolUse.Shell", "cursor", "tool_input"),
        ("cursor/beforeMCPExecution", "cursor", "tool_input"),
        ("factory-droid/PreToolUse.Execute", "factory-droid", "tool_input"),
        ("goose/PreToolUse.developer__shell", "goose", "tool_input"),
        ("kiro/preToolUse.execute_bash", "kiro", "tool_input"),
        ("opencode/tool.execute.before.bash", "opencode", "args"),
        ("vscode/PreToolUse.run_in_terminal", "vscode", "tool_input"),
    ] {
        for wrong in [
            json!(["rm", "x"]),
            json!("rm x"),
            json!("[1]"),
            json!("{\"a\": 1, \"a\": 2}"),
            json!(1),
            json!(true),
        ] {
            unfit(&with(sample, key, wrong), host, &format!("`{key}` is missing or no object"));
        }
        unfit(&without(sample, key), host, &format!("`{key}` is missing or no object"));
        let (_, event) = read(by_name(host), &payload(&with(sample, key, Value::Null))).unwrap();
        assert_eq!(event.call.args, Map::new(), "{sample}");
    }
}

#[test]
fn arguments_in_json_text_are_those_arguments() {
    for (sample, key) in [
        ("copilot-cli/preToolUse.bash", "toolArgs"),
        ("cursor/preToolUse.Shell", "tool_input"),
        ("cursor/beforeMCPExecution", "tool_input"),
        ("claude-code/PreToolUse.Bash", "tool_input"),
    ] {
        let (_, event) = read(None, &payload(&with(sample, key, json!("{\"command\": \"rm x\"}")))).unwrap();
        assert_eq!(Value::Object(event.call.args), json!({"command": "rm x"}), "{sample}");
    }
}

#[test]
fn what_should_be_a_text_and_is_none_is_refused() {
    for (sample, host) in [
        ("claude-code/PreToolUse.Bash", "claude-code"),
        ("codex/PreToolUse.Bash", "codex"),
        ("gemini-cli/BeforeTool.read_file", "gemini-cli"),
        ("cursor/preToolUse.Shell", "cursor"),
        ("kiro/preToolUse.execute_bash", "kiro"),
        ("copilot-cli/preToolUse.bash", "copilot-cli"),
    ] {
        unfit(&with(sample, "cwd", json!(["/"])), host, "`cwd` is no text");
        unfit(&with(sample, "permission_mode", json!(1)), host, "`permission_mode` is no text");
        unfit(&with(sample, "agent_type", json!({})), host, "`agent_type` is no text");
    }
    unfit(
        &with("goose/PreToolUse.developer__shell", "working_dir", json!(1)),
        "goose",
        "`working_dir` is no text",
    );
    unfit(
        &with("claude-code/PreToolUse.Bash", "tool_name", json!(["Bash"])),
        "claude-code",
        "`tool_name` is missing",
    );
    unfit(
        &with("claude-code/PreToolUse.Bash", "tool_name", json!("")),
        "claude-code",
        "`tool_name` is missing",
    );
}

#[test]
fn a_mode_that_is_not_known_is_refused() {
    for (sample, host) in [
        ("claude-code/PreToolUse.Bash", "claude-code"),
        ("codex/PreToolUse.Bash", "codex"),
        ("factory-droid/PreToolUse.Execute", "factory-droid"),
    ] {
        unfit(
            &with(sample, "permission_mode", json!("auto-yes")),
            host,
            "unknown permission mode `auto-yes`",
        );
    }
}

#[test]
fn a_subagent_is_named() {
    let mut value = with("claude-code/PreToolUse.Bash", "agent_id", json!("a1"));
    let agent = |value: &Value| read(None, &payload(value)).unwrap().1.call.agent;
    assert_eq!(agent(&value).as_deref(), Some("a1"));
    value["agent_type"] = json!("Explore");
    assert_eq!(agent(&value).as_deref(), Some("Explore"));
    let cline = with("cline-cli/tool_call.run_commands", "parent_agent_id", json!("agent_0"));
    assert_eq!(agent(&cline).as_deref(), Some("agent_0000000000000_aaaaaa"));
    assert_eq!(agent(&recorded("cline-cli/tool_call.run_commands")), None);
}

#[test]
fn an_event_without_a_call_is_refused_in_the_form_of_the_host() {
    for (sample, host, key) in [
        ("claude-code/PreToolUse.Bash", "claude-code", "hook_event_name"),
        ("codex/PreToolUse.Bash", "codex", "hook_event_name"),
        ("gemini-cli/BeforeTool.read_file", "gemini-cli", "hook_event_name"),
        ("copilot-cli/pascal.PreToolUse.Bash", "copilot-cli", "hook_event_name"),
        ("cursor/preToolUse.Shell", "cursor", "hook_event_name"),
        ("factory-droid/PreToolUse.Execute", "factory-droid", "hook_event_name"),
        ("goose/PreToolUse.developer__shell", "goose", "event"),
        ("kiro/preToolUse.execute_bash", "kiro", "hook_event_name"),
        ("vscode/PreToolUse.docs", "vscode", "hookEventName"),
        ("vscode/PreToolUse.run_in_terminal", "vscode", "hook_event_name"),
        ("windsurf/pre_run_command", "windsurf", "agent_action_name"),
        ("cline-cli/tool_call.run_commands", "cline", "hookName"),
    ] {
        for event in ["SessionStart", "BeforeModel", "Frobnicate"] {
            let value = with(sample, key, json!(event));
            // Gemini CLI alone has such names, so it is believed to be the one that asks.
            if event != "BeforeModel" || host == "gemini-cli" {
                is_from(&value, host, host);
            }
            unfit(&value, host, &format!("unknown event `{event}`"));
        }
    }
}

#[test]
fn marks_that_are_weak_do_not_outvote_the_name() {
    // One field more, and it would look like Copilot CLI, whose refusal Kiro takes for consent.
    let mut kiro = json!({
        "hook_event_name": "PreToolUse", "session_id": "s", "timestamp": "2026-01-01T00:00:00Z", "cwd": "/p",
        "tool_name": "execute_bash", "tool_input": {"command": "ls"},
    });
    is_from(&kiro, "kiro", "kiro");
    // But a tool that only Copilot CLI has is not Kiro's.
    kiro["tool_name"] = json!("Bash");
    is_from(&kiro, "kiro", "copilot-cli");
    let cursor = without("cursor/preToolUse.Shell", "cursor_version");
    is_from(&cursor, "cursor", "cursor");
    is_from(&cursor, "kiro", "cursor");
}

#[test]
fn a_new_mode_does_not_make_another_host() {
    let value = with("claude-code/PermissionRequest.Bash", "permission_mode", json!("auto-edit"));
    is_from(&value, "claude-code", "claude-code");
    unfit(&value, "claude-code", "unknown permission mode `auto-edit`");
}

#[test]
fn copilot_is_told_from_vs_code_by_its_tools() {
    let mut copilot = with("copilot-cli/pascal.PreToolUse.Bash", "tool_use_id", json!("t"));
    is_from(&copilot, "claude-code", "copilot-cli");
    copilot["tool_name"] = json!("run_in_terminal");
    is_from(&copilot, "claude-code", "vscode");
}

#[test]
fn a_payload_of_the_cloud_agent_names_no_session() {
    let value =
        json!({"timestamp": 1, "cwd": "/p", "toolName": "bash", "toolArgs": "{\"command\": \"rm x\"}"});
    is_from(&value, "claude-code", "copilot-cli");
    let (_, event) = read(None, &payload(&value)).unwrap();
    assert_eq!(Value::Object(event.call.args), json!({"command": "rm x"}));
    for nothing in ["", "null", " {} "] {
        let value = json!({"timestamp": 1, "cwd": "/p", "toolName": "list_bash", "toolArgs": nothing});
        assert_eq!(read(None, &payload(&value)).unwrap().1.call.args, Map::new());
    }
}

#[test]
fn what_has_no_marks_is_nobodys() {
    for value in
        [json!({}), json!({"tool_name": "Bash", "tool_input": {}}), json!({"hook_event_name": "PreToolUse"})]
    {
        assert!(recognise(&payload(&value)).is_none(), "{value}");
        assert!(read(None, &payload(&value)).is_err());
    }
}

#[test]
fn a_mark_in_front_of_the_text_is_passed_over() {
    assert!(Payload::parse("\u{feff}{\"a\": 1}").is_ok());
    for wrong in ["", "[]", "null", "{\"a\": 1", "{\"a\": 1} {}", "{\"a\": 1, \"a\": 2}"] {
        assert!(Payload::parse(wrong).is_err(), "{wrong}");
    }
    let long = format!("{{\"{0}\": 1, \"{0}\": 2}}", "k".repeat(100_000));
    assert!(Payload::parse(&long).unwrap_err().to_string().len() < 300);
}

#[test]
fn cursor_has_the_tools_of_claude_code_where_it_runs_its_hooks() {
    let mut value = with("cursor/preToolUse.Shell", "hook_event_name", json!("PreToolUse"));
    value["tool_name"] = json!("mcp__demo__wipe");
    let mcp = read(None, &payload(&value)).unwrap().1.call.mcp.unwrap();
    assert_eq!((mcp.server.as_str(), mcp.tool.as_str()), ("demo", "wipe"));
}

#[test]
fn a_question_waits_for_the_second_event_only_where_there_is_one() {
    let cursor = by_name("cursor").unwrap();
    let asks = |value: &Value| cursor.abilities(&read(None, &payload(value)).unwrap().1).asks;
    assert_eq!(asks(&recorded("cursor/beforeShellExecution")), Asks::Yes);
    assert_eq!(asks(&recorded("cursor/beforeMCPExecution")), Asks::Yes);
    assert_eq!(asks(&recorded("cursor/preToolUse.Shell")), Asks::Later);
    assert_eq!(asks(&recorded("cursor/preToolUse.MCP")), Asks::Later);
    assert_eq!(asks(&recorded("cursor/preToolUse.Write")), Asks::No);
    assert_eq!(asks(&recorded("cursor/beforeReadFile")), Asks::No);
    assert_eq!(asks(&with("cursor/preToolUse.Shell", "hook_event_name", json!("PreToolUse"))), Asks::No);
}

#[test]
fn a_server_without_a_name_is_called_by_how_it_is_reached() {
    let server = |value: &Value| read(None, &payload(value)).unwrap().1.call.mcp.unwrap().server;
    assert_eq!(server(&recorded("cursor/beforeMCPExecution.url")), "https://mcp.example.com/mcp");
    let local = without("cursor/beforeMCPExecution", "mcp_server_name");
    assert_eq!(server(&local), "npx -y @modelcontextprotocol/server-github");
}

#[test]
fn a_call_that_the_model_chained_to_another_is_judged_by_what_it_is() {
    let mut value = recorded("gemini-cli/BeforeTool.run_shell_command");
    value["original_request_name"] = json!("read_file");
    assert_eq!(read(None, &payload(&value)).unwrap().1.call.tool, "run_shell_command");
}

#[test]
fn a_tool_of_a_server_at_cline_is_that_tool() {
    let input =
        |arguments: Value| json!({"server_name": "demo", "tool_name": "wipe", "arguments": arguments});
    for (folder, changes) in [("cline-vscode", false), ("cline-cli", false)] {
        let value = before(folder, "use_mcp_tool", input(json!("{\"path\": \"/x\"}")).as_object().unwrap());
        let (host, event) = read(None, &payload(&value)).unwrap();
        let mcp = event.call.mcp.clone().unwrap();
        assert_eq!((mcp.server.as_str(), mcp.tool.as_str()), ("demo", "wipe"));
        assert_eq!(Value::Object(event.call.args.clone()), json!({"path": "/x"}));
        assert_eq!(host.abilities(&event).changes, changes);
    }
    for wrong in [
        input(json!("no json")),
        input(json!(1)),
        json!({"tool_name": "wipe"}),
        json!({"server_name": "demo"}),
    ] {
        unfit(
            &before("cline-vscode", "use_mcp_tool", wrong.as_object().unwrap()),
            "cline",
            "is missing or no",
        );
    }
}
