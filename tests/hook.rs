//! `policy hook` beside a policy: who asks the person, what an approval lets through, and where policies are looked for.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

const POLICY: &str = r#"
version = 1

[[rules]]
id = "no-rm"
deny_by_name = ["*"]
when.runs = ["rm *"]
reason = "use `trash` instead"

[[rules]]
id = "no-push"
deny_by_name = ["*"]
when.runs = ["git push *"]
stop = true
reason = "people push"

[[rules]]
id = "deploys"
decide_by_human = { question = "Deploy?" }
when.runs = ["make deploy *"]

[[rules]]
id = "asks-for-demo"
decide_by_human = true
when.tool = ["demo__*"]

[[rules]]
id = "quiet-tests"
allow_by_name = ["*"]
when.runs = ["pytest"]
set = { command = "pytest -q" }

[[rules]]
id = "the-rest"
allow_by_default = true
"#;

/// A project with a policy, and a folder of approvals of its own.
struct Project {
    folder: TempDir,
}

struct Answer {
    out: String,
    err: String,
    code: i32,
}

impl Project {
    fn new(policy: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir_all(folder.path().join("p/sub")).unwrap();
        if !policy.is_empty() {
            fs::write(folder.path().join("p/policy.toml"), policy).unwrap();
        }
        Self { folder }
    }

    fn root(&self) -> PathBuf {
        self.folder.path().join("p")
    }

    fn policy(&self, args: &[&str], input: &str) -> Answer {
        self.policy_in(&self.root(), args, input)
    }

    fn policy_in(&self, cwd: &Path, args: &[&str], input: &str) -> Answer {
        let mut child = Command::new(env!("CARGO_BIN_EXE_policy"))
            .args(args)
            .current_dir(cwd)
            .env("POLICY_STATE_DIR", self.folder.path().join("state"))
            .env_remove("CLAUDE_PROJECT_DIR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let done = child.wait_with_output().unwrap();
        Answer {
            out: String::from_utf8(done.stdout).unwrap(),
            err: String::from_utf8(done.stderr).unwrap(),
            code: done.status.code().unwrap(),
        }
    }

    #[track_caller]
    fn hook(&self, args: &[&str], payload: &Value) -> Value {
        let args: Vec<_> = ["hook"].iter().chain(args).copied().collect();
        let answer = self.policy(&args, &payload.to_string());
        assert_eq!((answer.code, answer.err.as_str()), (0, ""), "{}", answer.out);
        if answer.out.is_empty() { Value::Null } else { serde_json::from_str(&answer.out).unwrap() }
    }

    fn claude(&self, tool: &str, input: &Value) -> Value {
        json!({
            "session_id": "s", "transcript_path": "/t", "cwd": self.root(), "prompt_id": "p", "permission_mode": "default",
            "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input, "tool_use_id": "u",
        })
    }

    fn codex(&self, command: &str) -> Value {
        json!({
            "session_id": "s", "turn_id": "t", "transcript_path": null, "cwd": self.root(), "hook_event_name": "PreToolUse",
            "model": "m", "permission_mode": "default", "tool_name": "Bash", "tool_input": {"command": command}, "tool_use_id": "u",
        })
    }
}

#[track_caller]
fn reason(answer: &Value, decision: &str) -> String {
    let said = &answer["hookSpecificOutput"];
    assert_eq!(said["permissionDecision"], decision, "{answer}");
    said["permissionDecisionReason"].as_str().unwrap_or_default().to_owned()
}

#[test]
fn a_denial_names_the_rule_and_the_line() {
    let p = Project::new(POLICY);
    let answer = p.hook(&["claude-code"], &p.claude("Bash", &json!({"command": "git status && rm -rf x"})));
    assert_eq!(reason(&answer, "deny"), "Denied by policy rule no-rm (policy.toml:5): use `trash` instead");
    assert!(answer.get("continue").is_none());
}

#[test]
fn a_denial_that_stops_ends_the_turn_where_the_host_can() {
    let p = Project::new(POLICY);
    let answer = p.hook(&["claude-code"], &p.claude("Bash", &json!({"command": "git push"})));
    assert_eq!(answer["continue"], false);
    assert_eq!(answer["stopReason"], "Stopped by policy rule no-push");
    let codex = reason(&p.hook(&["codex"], &p.codex("git push")), "deny");
    assert!(codex.ends_with("people push Stop here and wait for the user's next message."), "{codex}");
}

#[test]
fn an_allow_is_silence_unless_it_is_to_be_a_grant() {
    let p = Project::new(POLICY);
    let call = p.claude("Bash", &json!({"command": "ls"}));
    assert_eq!(p.hook(&["claude-code"], &call), Value::Null);
    assert_eq!(reason(&p.hook(&["claude-code", "--allow", "grant"], &call), "allow"), "rule the-rest");
}

#[test]
fn changed_arguments_come_whole() {
    let p = Project::new(POLICY);
    let answer = p.hook(&["claude-code"], &p.claude("Bash", &json!({"command": "pytest", "timeout": 5})));
    assert_eq!(answer["hookSpecificOutput"]["updatedInput"], json!({"command": "pytest -q", "timeout": 5}));
    let kiro = json!({"hook_event_name": "preToolUse", "cwd": p.root(), "tool_name": "execute_bash", "tool_input": {"command": "pytest"}});
    let refused = p.policy(&["hook", "kiro"], &kiro.to_string());
    assert_eq!((refused.code, refused.out.as_str()), (2, ""));
    assert!(refused.err.contains(r#"only with these arguments: {"command":"pytest -q"}"#), "{}", refused.err);
}

#[test]
fn the_host_asks_where_it_can() {
    let p = Project::new(POLICY);
    let answer = p.hook(&["claude-code"], &p.claude("Bash", &json!({"command": "make deploy"})));
    assert_eq!(reason(&answer, "ask"), "rule deploys: Deploy?");
    assert_eq!(p.policy(&["pending"], "").err, "no call waits\n");
}

#[test]
fn else_the_call_waits_for_an_approval_that_holds_once() {
    let p = Project::new(POLICY);
    let call = p.codex("make deploy");
    let why = reason(&p.hook(&["codex"], &call), "deny");
    let id = why.split("policy approve ").nth(1).unwrap().split('`').next().unwrap().to_owned();
    assert!(why.starts_with("Needs human approval (rule deploys): Deploy?"), "{why}");
    // Made again, it waits under the same name.
    assert!(reason(&p.hook(&["codex"], &call), "deny").contains(&id));
    let pending = p.policy(&["pending"], "").out;
    assert!(pending.contains(&id) && pending.contains("Bash(command=\"make deploy\")"), "{pending}");
    assert_eq!(
        serde_json::from_str::<Value>(&p.policy(&["pending", "--json"], "").out).unwrap()["id"],
        id.as_str()
    );

    assert_eq!(p.policy(&["approve", &id], "").code, 2, "without a person or `--yes`");
    assert_eq!(p.policy(&["approve", &id, "--yes"], "").code, 0);
    assert_eq!(
        reason(&p.hook(&["codex"], &p.codex("make deploy x")), "deny").split('(').next(),
        Some("Needs human approval ")
    );
    assert_eq!(p.hook(&["codex"], &call), Value::Null);
    reason(&p.hook(&["codex"], &call), "deny");
}

/// Copilot asks twice about a tool of an MCP server, under two names: before the call, and where it would ask by itself.
#[test]
fn an_approval_holds_for_both_events_of_a_call() {
    let p = Project::new(POLICY);
    let before = json!({"sessionId": "s", "timestamp": 1, "cwd": p.root(), "toolName": "demo-send", "toolArgs": {"a": 1}});
    let permission = json!({
        "hookName": "permissionRequest", "sessionId": "s", "timestamp": 1, "cwd": p.root(), "toolName": "demo/send", "toolInput": {"a": 1},
    });
    let hook = |payload: &Value| p.hook(&["copilot-cli", "--ask", "deny"], payload);
    assert_eq!(hook(&before)["permissionDecision"], "deny");
    assert_eq!(hook(&permission)["behavior"], "deny");
    let pending = p.policy(&["pending", "--json"], "").out;
    let waits = |name: &str| {
        let line = pending.lines().find(|line| line.contains(name)).unwrap();
        serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned()
    };
    assert_eq!(p.policy(&["approve", &waits("demo-send"), "--yes"], "").code, 0);
    assert_eq!(hook(&before)["permissionDecision"], "allow");
    // Nothing is said: what the host does by itself is its own affair.
    assert_eq!(hook(&permission), Value::Null);
    assert_eq!(hook(&before)["permissionDecision"], "deny");
}

#[test]
fn an_approval_does_not_survive_a_changed_policy() {
    let p = Project::new(POLICY);
    let why = reason(&p.hook(&["codex"], &p.codex("make deploy")), "deny");
    let id = why.split("policy approve ").nth(1).unwrap().split('`').next().unwrap();
    assert_eq!(p.policy(&["approve", id, "-y"], "").code, 0);
    fs::write(p.root().join("policy.toml"), POLICY.replace("Deploy?", "Deploy now?")).unwrap();
    reason(&p.hook(&["codex"], &p.codex("make deploy")), "deny");
}

#[test]
fn the_approval_can_be_asked_for_on_every_host() {
    let p = Project::new(POLICY);
    let answer =
        p.hook(&["claude-code", "--ask", "deny"], &p.claude("Bash", &json!({"command": "make deploy"})));
    assert!(reason(&answer, "deny").contains("policy approve "));
}

#[test]
fn an_agent_cannot_approve_its_own_call() {
    let p = Project::new("version = 1\n[[rules]]\nallow_by_default = true\n");
    let answer =
        p.hook(&["claude-code"], &p.claude("Bash", &json!({"command": "policy approve 12ab --yes"})));
    assert!(
        reason(&answer, "deny").starts_with("Denied by policy rule no-own-approval (built-in protection): ")
    );
    let answer =
        p.hook(&["claude-code"], &p.claude("Edit", &json!({"file_path": p.root().join("policy.toml")})));
    assert!(reason(&answer, "ask").starts_with("rule what-judges: Change what judges the agent?"));
}

#[test]
fn the_canary_is_denied_under_every_policy_and_under_none() {
    for policy in [POLICY, ""] {
        let p = Project::new(policy);
        let answer =
            p.hook(&["claude-code", "--no-policy", "pass"], &p.claude("policy_doctor_canary", &json!({})));
        reason(&answer, "deny");
    }
}

#[test]
fn without_a_policy_the_person_is_asked_or_the_call_denied() {
    let p = Project::new("");
    let call = p.claude("Bash", &json!({"command": "ls"}));
    assert!(reason(&p.hook(&["claude-code"], &call), "ask").contains("no policy in"));
    assert!(reason(&p.hook(&["codex"], &p.codex("ls")), "deny").contains("no policy in"));
    assert!(
        reason(&p.hook(&["claude-code", "--no-policy", "deny"], &call), "deny").contains("`policy init`")
    );
    assert!(
        reason(&p.hook(&["codex", "--no-policy", "ask"], &p.codex("ls")), "deny").contains("policy approve")
    );
    assert_eq!(p.hook(&["claude-code", "--no-policy", "pass"], &call), Value::Null);
}

#[test]
fn a_policy_in_the_folder_that_the_agent_went_to_does_not_count() {
    let p = Project::new(POLICY);
    fs::write(p.root().join("sub/policy.toml"), "version = 1\n[[rules]]\nallow_by_default = true\n").unwrap();
    let mut call = p.claude("Bash", &json!({"command": "rm x"}));
    call["cwd"] = json!(p.root().join("sub"));
    reason(&p.hook(&["claude-code"], &call), "deny");
}

#[test]
fn a_policy_above_the_folder_of_the_project_is_found() {
    let p = Project::new(POLICY);
    let call = p.claude("Bash", &json!({"command": "rm x"})).to_string();
    let answer = p.policy_in(&p.root().join("sub"), &["hook", "claude-code"], &call);
    assert!(answer.out.contains("(policy.toml:5)"), "{}", answer.out);
}

#[test]
fn a_named_policy_counts_from_the_project_and_its_patterns_from_there_too() {
    let p = Project::new("");
    let elsewhere = p.folder.path().join("u.toml");
    fs::write(
        &elsewhere,
        "version = 1\n[[rules]]\nid = \"in\"\nallow_by_name = [\"*\"]\nwhen.writes = [\"src/**\"]\n",
    )
    .unwrap();
    let args = ["claude-code", "--allow", "grant", "--policy", "../u.toml"];
    let write = |path: &str| p.claude("Write", &json!({"file_path": p.root().join(path), "content": ""}));
    assert_eq!(reason(&p.hook(&args, &write("src/a.rs")), "allow"), "rule in");
    reason(&p.hook(&args, &write("a.rs")), "deny");
}

#[test]
fn who_sent_it_is_who_gets_the_answer() {
    let p = Project::new(POLICY);
    let copilot = json!({
        "sessionId": "s", "timestamp": 1, "cwd": p.root(), "toolName": "bash", "toolArgs": {"command": "rm x"},
    });
    assert_eq!(p.hook(&["claude-code"], &copilot)["permissionDecision"], "deny");
    reason(&p.hook(&["auto"], &p.codex("rm x")), "deny");
}

#[test]
fn what_has_run_is_not_judged() {
    let p = Project::new("this is no policy");
    let mut call = p.claude("Bash", &json!({"command": "rm x"}));
    call["hook_event_name"] = json!("PostToolUse");
    assert_eq!(p.hook(&["claude-code"], &call), Value::Null);
}

#[test]
fn a_softly_denied_command_of_cline_is_one_that_prints_the_reason() {
    let p = Project::new(POLICY);
    let call = json!({
        "clineVersion": "", "taskId": "t", "hookName": "tool_call", "workspaceRoots": [p.root()],
        "tool_call": {"id": "c", "name": "run_commands", "input": {"commands": ["rm x"]}},
    });
    assert_eq!(p.hook(&["cline"], &call)["cancel"], true);
    let soft = p.hook(&["cline", "--soft-deny"], &call);
    let command = soft["overrideInput"]["commands"][0].as_str().unwrap();
    assert!(
        command.starts_with("printf '%s\\n' 'Denied by policy rule no-rm")
            && command.ends_with("' >&2; exit 126"),
        "{command}"
    );
}
