//! `policy doctor` from outside: with hooks as they should be, and with everything that undermines them.
#![cfg(all(feature = "cli", unix))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test fails by panicking"
)]

mod machine;

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::process::Command;

use serde_json::Value;

use machine::{Done, HOSTS, Machine};

/// A policy without findings.
const POLICY: &str = r#"version = 1
undecided = { reason = "Only reading and writing." }
[[rules]]
id = "reads"
allow_by_name = ["Read"]
[[rules]]
id = "writes"
decide_by_human = true
when.tool = ["Write"]
[[tests]]
call = { tool = "Read", host = "claude-code", args = { file_path = "a" } }
expect = "allow"
by = "reads"
[[tests]]
call = { tool = "Write", host = "claude-code", args = { file_path = "a", content = "" } }
expect = "ask"
by = "writes"
"#;

/// A machine whose project has a policy.
fn with_policy() -> Machine {
    Machine::new().file("project/policy.toml", POLICY)
}

impl Machine {
    /// A program of its own on the path.
    fn program(self, name: &str, script: &str) -> Self {
        let machine = self.file(&format!("bin/{name}"), &format!("#!/bin/sh\n{script}\n"));
        let path = machine.at(&format!("bin/{name}"));
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        machine
    }

    fn installed(self, args: &[&str]) -> Self {
        let done = self.run(&["install"].iter().chain(args).copied().collect::<Vec<_>>());
        assert_eq!(done.status, 0, "{}{}", done.out, done.err);
        self
    }

    /// With a text in the place of another in a file.
    #[track_caller]
    fn with(self, path: &str, old: &str, new: &str) -> Self {
        let text = fs::read_to_string(self.at(path)).unwrap();
        assert!(text.contains(old), "{text}");
        self.file(path, &text.replace(old, new))
    }
}

impl Done {
    #[track_caller]
    fn without(self, part: &str) -> Self {
        assert!(!self.out.contains(part), "`{part}` is in:\n{}", self.out);
        self
    }

    /// What it found, one a line.
    fn findings(&self) -> Vec<&str> {
        self.out.lines().filter_map(|line| line.trim().strip_prefix("found").map(str::trim)).collect()
    }
}

#[test]
fn what_install_writes_answers_and_refuses() {
    for host in HOSTS {
        for scope in ["--project", "--user"] {
            let machine = with_policy().installed(&[host, scope]);
            let done = machine.run(&["doctor", host]);
            // The hook of Codex waits for a person to trust it.
            let trust = if host == "codex" { if scope == "--project" { 3 } else { 2 } } else { 0 };
            assert_eq!(done.findings().len(), trust, "{host} {scope}\n{}", done.out);
            done.status(i32::from(trust > 0))
                .out("was refused, in ")
                .out("policy.toml judges, with 2 rules")
                .out(&format!("docs/hosts/{host}.md"));
        }
    }
}

#[test]
fn a_program_at_a_path_with_spaces_is_reached() {
    for host in HOSTS {
        let machine = with_policy();
        fs::create_dir(machine.at("a b")).unwrap();
        symlink(env!("CARGO_BIN_EXE_policy"), machine.at("a b/policy")).unwrap();
        let program = machine.at("a b/policy").display().to_string();
        let machine = machine.installed(&[
            host,
            "--command",
            &program,
            "--allow",
            "grant",
            "--no-policy",
            "deny",
            "--ask",
            "deny",
        ]);
        machine
            .run(&["doctor", host])
            .out("was refused, in ")
            .without("a canary call was not")
            .without("was not judged");
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table, a line a case")]
fn what_undermines_a_hook_is_found() {
    let claude = "project/.claude/settings.json";
    let codex = "project/.codex/config.toml";
    let gemini = "project/.gemini/settings.json";
    for (host, path, old, new, told) in [
        (
            "claude-code",
            claude,
            "\"hooks\"",
            "\"disableAllHooks\": true, \"hooks\"",
            "`disableAllHooks` is true",
        ),
        (
            "claude-code",
            claude,
            "\"matcher\": \"*\"",
            "\"matcher\": \"Bash\"",
            "`PreToolUse`: its matcher `\"Bash\"` does not match every tool",
        ),
        (
            "claude-code",
            claude,
            "\"onFailure\": \"block\"",
            "\"onFailure\": \"allow\"",
            "without `onFailure: \"block\"` the tool runs",
        ),
        ("claude-code", claude, "\"timeout\": 10", "\"timeout\": 2", "`timeout: 2` is too short"),
        (
            "claude-code",
            claude,
            "\"timeout\": 10",
            "\"if\": \"Bash(git *)\"",
            "the condition `if: \"Bash(git *)\"`",
        ),
        ("claude-code", claude, "\"PermissionRequest\"", "\"Stop\"", "no hook for `PermissionRequest`"),
        ("claude-code", claude, "policy hook claude-code", "policy hook codex", "it asks as `codex`"),
        (
            "claude-code",
            claude,
            "policy hook claude-code ||",
            "policy hook claude-code --nonsense ||",
            "was not judged",
        ),
        (
            "claude-code",
            claude,
            "policy hook claude-code || exit 2",
            "/nowhere/policy hook claude-code || exit 2",
            "so it was not started",
        ),
        (
            "claude-code",
            claude,
            "policy hook claude-code || exit 2",
            "policy hook claude-code >/dev/null",
            "so it was not started",
        ),
        ("codex", codex, "matcher = \"*\"", "matcher = \"Bash\"", "its matcher `\"Bash\"`"),
        ("codex", codex, "timeout = 10", "timeout = 1", "`timeout: 1` is too short"),
        (
            "codex",
            codex,
            "[[hooks.PreToolUse]]\n",
            "[features]\ncodex_hooks = false\n[[hooks.PreToolUse]]\n",
            "`features.codex_hooks` is false",
        ),
        ("gemini-cli", gemini, "\"enabled\": true", "\"enabled\": false", "`hooksConfig.enabled` is false"),
        (
            "gemini-cli",
            gemini,
            "\"enabled\": true",
            "\"enabled\": true, \"disabled\": [\"policy\"]",
            "in the list of those that are off",
        ),
        ("gemini-cli", gemini, "10000", "10", "`timeout: 10` is too short"),
        (
            "cursor",
            "project/.cursor/hooks.json",
            "\"failClosed\": true",
            "\"failClosed\": false",
            "without `failClosed: true`",
        ),
        (
            "cursor",
            "project/.cursor/hooks.json",
            "\"beforeReadFile\"",
            "\"afterFileEdit\"",
            "no hook for `beforeReadFile`",
        ),
        (
            "goose",
            "project/.agents/plugins/policy/hooks/hooks.json",
            "\".*\"",
            "\"*\"",
            "its matcher `\"*\"`",
        ),
        (
            "goose",
            "project/.agents/plugins/policy/hooks/hooks.json",
            "\"block\"",
            "\"allow\"",
            "without `on_failure: \"block\"`",
        ),
        (
            "kiro",
            "project/.kiro/hooks/policy.json",
            "\"enabled\": true",
            "\"enabled\": false",
            "it is switched off",
        ),
        (
            "copilot-cli",
            "project/.github/hooks/policy.json",
            "\"version\": 1",
            "\"version\": 2",
            "`version` is not 1",
        ),
        (
            "copilot-cli",
            "project/.github/hooks/policy.json",
            "\"version\": 1,",
            "\"version\": 1,,",
            "cannot be understood",
        ),
        ("cline", "project/.clinerules/hooks/PreToolUse", "0:*", "*", "it is not what this version writes"),
        (
            "opencode",
            "project/.opencode/plugin/policy.js",
            "throw",
            "return",
            "it is not what this version writes",
        ),
    ] {
        let machine = with_policy().installed(&[host]).with(path, old, new);
        machine.run(&["doctor", host]).status(1).out(told).out("to do: ");
    }
}

#[test]
fn entries_where_the_host_does_not_look_are_found() {
    let wrapped = "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"*\", \"hooks\": [{\"command\": \"policy hook factory-droid\"}]}]}}";
    let machine = with_policy().file("project/.factory/hooks.json", wrapped);
    machine
        .run(&["doctor", "factory-droid"])
        .status(1)
        .out("what stands below `hooks` is passed over")
        .out("no hook is registered");
}

#[test]
fn a_hook_that_is_not_executable_is_found() {
    let machine = with_policy().installed(&["cline"]);
    let path = machine.at("project/.clinerules/hooks/PreToolUse");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    machine.run(&["doctor", "cline"]).status(1).out("it is not executable");
    let machine = machine.installed(&["cline"]);
    machine.run(&["doctor", "cline"]).status(0);
}

#[test]
fn a_hook_of_cline_that_fails_is_a_refusal() {
    let machine = with_policy().installed(&["cline", "--command", "/nowhere/policy"]);
    let hook = machine.at("project/.clinerules/hooks/PreToolUse");
    let output = Command::new(hook).output().unwrap();
    let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["cancel"], Value::Bool(true));
    machine.run(&["doctor", "cline"]).status(1).out("was not judged");
}

#[test]
fn times_that_do_not_fit_are_found() {
    let path = "project/.kiro/hooks/policy.json";
    let machine = with_policy().installed(&["kiro"]).with(
        path,
        "policy hook kiro || exit 2",
        "policy hook kiro --deadline 100 || exit 2",
    );
    let machine = machine.with(path, "\"timeout\": 10", "\"timeout\": 1");
    machine
        .run(&["doctor", "kiro"])
        .status(1)
        .out("its `--deadline` is not below the host's own limit")
        .out("`timeout: 1` is too short");
}

#[test]
fn what_stands_behind_our_words_is_found_and_not_started() {
    let path = "project/.claude/settings.json";
    for tail in ["; touch pwned", " | grep canary; exit 0", " || true", " && touch pwned"] {
        let machine = with_policy().installed(&["claude-code"]).with(
            path,
            " || exit 2",
            &format!("{tail}; touch pwned"),
        );
        machine
            .run(&["doctor", "claude-code"])
            .status(1)
            .out("is not what this program writes, so it was not started");
        assert!(!machine.at("project/pwned").exists(), "{tail}");
    }
    let machine = with_policy()
        .installed(&["claude-code"])
        .with(path, "policy hook", "./policy hook")
        .file("project/policy", "#!/bin/sh\ntouch pwned\n");
    machine.run(&["doctor", "claude-code"]).status(1).out("so it was not started");
    assert!(!machine.at("project/pwned").exists());
}

#[test]
fn the_trust_of_codex_is_read() {
    let machine = with_policy().installed(&["codex"]);
    machine
        .run(&["doctor", "codex"])
        .status(1)
        .out("`PreToolUse` is not trusted, so it never runs")
        .out("does not trust the project");
    let path = machine.at("project").canonicalize().unwrap();
    let state = |event: &str, more: &str| {
        format!(
            "[hooks.state.\"{}/.codex/config.toml:{event}:0:0\"]\ntrusted_hash = \"sha256:0\"\n{more}\n",
            path.display()
        )
    };
    let project = format!("[projects.\"{}\"]\ntrust_level = \"trusted\"\n", path.display());
    let config = format!("{}{}{project}", state("pre_tool_use", ""), state("permission_request", ""));
    let machine = machine.file("home/.codex/config.toml", &config);
    machine.run(&["doctor", "codex"]).status(0).out("Codex trusts the project").out("was trusted once");
    let config =
        format!("{}{}{project}", state("pre_tool_use", ""), state("permission_request", "enabled = false"));
    let machine = machine.file("home/.codex/config.toml", &config);
    machine.run(&["doctor", "codex"]).status(1).out("`PermissionRequest` is switched off");
}

#[test]
fn the_policy_is_looked_at() {
    let machine = with_policy().installed(&["kiro"]).file("project/policy.toml", "version = 1\nrulez = []\n");
    machine.run(&["doctor", "kiro"]).status(1).out("policy.toml does not load").out("was not judged");
    let machine = machine.file("project/policy.toml", "version = 1\n[[rules]]\nallow_by_name = [\"*\"]\n");
    machine.run(&["doctor", "kiro"]).status(1).out("policy.toml: 0 errors").out("was refused");
    fs::remove_file(machine.at("project/policy.toml")).unwrap();
    machine.run(&["doctor", "kiro"]).status(1).out("no policy in").out("was refused");
    let machine = machine.file("project/p/mine.toml", POLICY).installed(&["kiro", "--policy", "p/mine.toml"]);
    machine.run(&["doctor", "kiro"]).status(0).out("p/mine.toml judges");
}

#[test]
fn versions_are_told() {
    let machine = with_policy().installed(&["claude-code"]);
    machine.run(&["doctor", "claude-code"]).status(0).out("`claude` is not on PATH");
    for (script, told) in [
        ("echo '2.1.332 (Claude Code)'", "version 2.1.332, which the hook was tried with"),
        ("echo 'claude v9.0.1'", "version 9.0.1; the hook was tried with 2.1.332"),
        ("echo nothing", "`claude --version` tells no version"),
        ("exit 1", "`claude --version` tells no version"),
    ] {
        let machine = with_policy().installed(&["claude-code"]).program("claude", script);
        machine.run(&["doctor", "claude-code"]).status(0).out(told);
    }
}

#[test]
fn without_a_host_all_that_are_here_are_looked_at() {
    let machine = with_policy();
    machine.run(&["doctor"]).status(0).out("0 hosts, 0 findings").out("nothing was looked at");
    let machine = machine.installed(&["goose"]).program("codex", "echo codex-cli 0.171.0");
    machine
        .run(&["doctor"])
        .status(0)
        .out("goose\n")
        .out("codex\n")
        .out("the policy is not asked there")
        .out("2 hosts");
    machine.run(&["doctor", "codex"]).status(1).out("the policy is not asked there");
    machine.run(&["doctor", "adal"]).status(0).out("there is no hook to register");
    machine.run(&["doctor", "emacs"]).status(2);
}

#[test]
fn programs_read_it_as_json() {
    let machine = with_policy().installed(&["kiro"]).with("project/.kiro/hooks/policy.json", "10", "1");
    let done = machine.run(&["doctor", "--format", "json"]).status(1);
    let value: Value = serde_json::from_str(&done.out).unwrap();
    assert_eq!(value["findings"], 1);
    assert_eq!(value["hosts"][0]["host"], "kiro");
    let remarks = value["hosts"][0]["remarks"].as_array().unwrap();
    assert!(remarks.iter().any(|remark| remark["level"] == "finding" && remark["todo"].is_string()));
}

/// Most hosts run both, and an approval is used up by the first.
#[test]
fn a_hook_for_the_project_and_for_the_user_is_found() {
    for host in HOSTS {
        let machine = with_policy().installed(&[host]);
        assert!(!machine.run(&["doctor", host]).out.contains("judged twice"), "{host}");
        let machine = machine.installed(&[host, "--user"]);
        let done = machine.run(&["doctor", host]).status(1);
        assert!(
            done.out.contains("judged twice") && done.out.contains("--uninstall --user"),
            "{host}: {}",
            done.out
        );
    }
}
