//! The program from outside: what goes in, what comes out, and how it ends.
#![cfg(feature = "cli")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::format_push_string,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

/// A run of the program in a folder of its own.
struct Policy {
    folder: TempDir,
    command: Command,
    input: String,
}

/// What came of it.
struct Done {
    status: i32,
    out: String,
    err: String,
    folder: TempDir,
}

fn policy(args: &[&str]) -> Policy {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_policy"));
    command.args(args).current_dir(folder.path()).env_remove("CLICOLOR_FORCE");
    Policy { folder, command, input: String::new() }
}

impl Policy {
    fn file(self, name: &str, text: &str) -> Self {
        let path = self.folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    fn rules(self, rules: &str) -> Self {
        self.file("policy.toml", &format!("version = 1\n{rules}"))
    }

    fn within(mut self, folder: &str) -> Self {
        let path = self.folder.path().join(folder);
        fs::create_dir_all(&path).unwrap();
        self.command.current_dir(path);
        self
    }

    fn input(mut self, text: &str) -> Self {
        text.clone_into(&mut self.input);
        self
    }

    fn run(mut self) -> Done {
        let mut child =
            self.command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        // The program may end without reading all of it.
        let _ = child.stdin.take().unwrap().write_all(self.input.as_bytes());
        let output = child.wait_with_output().unwrap();
        Done {
            status: output.status.code().unwrap(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
            folder: self.folder,
        }
    }
}

impl Done {
    #[track_caller]
    fn status(self, expected: i32) -> Self {
        assert_eq!(self.status, expected, "\n{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn out(self, part: &str) -> Self {
        assert!(self.out.contains(part), "`{part}` is not in:\n{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    fn err(self, part: &str) -> Self {
        assert!(self.err.contains(part), "`{part}` is not in:\n{}\n{}", self.err, self.out);
        self
    }

    fn lines(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn verdicts(&self) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        self.lines().iter().map(|line| (text(&line["verdict"]), text(&line["cause"]))).collect()
    }
}

const FIVE: &str = r#"
[[rules]]
deny_by_name = ["delete"]
[[rules]]
allow_by_name = ["read"]
[[rules]]
decide_by_human = true
when.tool = ["send"]
"#;

#[track_caller]
fn one(call: &str, verdict: &str, cause: &str, status: i32) {
    for run in [
        policy(&["eval", call]),
        policy(&["eval", "-"]).input(call),
        policy(&["eval"]).input(&format!("\n{call}\n\n")),
    ] {
        let done = run.rules(FIVE).run().status(status);
        assert_eq!(done.verdicts(), [(verdict.to_owned(), cause.to_owned())], "{call}");
    }
}

#[test]
fn the_status_says_what_came_of_one_call() {
    one(r#"{"tool": "read"}"#, "allow", "rule", 0);
    one(r#"{"tool": "delete"}"#, "deny", "rule", 1);
    one(r#"{"tool": "other"}"#, "deny", "no_rule", 1);
    one(r#"{"tool": "send"}"#, "ask", "rule", 3);
    one(r#"{"tool": 1}"#, "deny", "error", 2);
    one(r#"{"tool": "read", "hints": {"read_only": true, "destructive": true}}"#, "deny", "error", 2);
    one(r#"{"tool": "read", "fs": {}}"#, "deny", "error", 2);
    one(r#"{"tool": "read", "tool": "delete"}"#, "deny", "error", 2);
    one(r#"[{"tool": "read"}]"#, "deny", "error", 2);
    one(r#"{"tool": "read"} {"tool": "read"}"#, "deny", "error", 2);
    one("nonsense", "deny", "error", 2);
    one(&"[".repeat(100_000), "deny", "error", 2);
    one("{\n  \"tool\":\n  \"read\"\n}", "allow", "rule", 0);
}

#[test]
fn several_lines_give_a_line_each_and_status_0_unless_one_is_wrong() {
    let lines = "{\"tool\": \"read\"}\n{\"tool\": \"delete\"}\n{\"tool\": \"send\"}\n";
    let done = policy(&["eval"]).rules(FIVE).input(lines).run().status(0);
    let verdicts: Vec<String> = done.verdicts().into_iter().map(|(verdict, _)| verdict).collect();
    assert_eq!(verdicts, ["allow", "deny", "ask"]);
    let done = policy(&["eval"])
        .rules(FIVE)
        .input("{\"tool\": \"read\"}\n{\"tool\": \"read\"\n\u{feff}\n{\"tool\": \"read\"}\n")
        .run();
    let causes: Vec<String> = done.status(2).verdicts().into_iter().map(|(_, cause)| cause).collect();
    assert_eq!(causes, ["rule", "error", "error", "rule"]);
}

#[test]
fn each_line_is_answered_before_the_next_is_there() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("policy.toml"), format!("version = 1\n{FIVE}")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_policy"));
    let mut child = command
        .arg("eval")
        .current_dir(folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    for id in ["a", "b", "c"] {
        writeln!(input, "{}", json!({"tool": "read", "id": id})).unwrap();
        let mut line = String::new();
        output.read_line(&mut line).unwrap();
        assert!(line.contains(&format!("\"call_id\":\"{id}\"")), "{line}");
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_turn_is_decided_as_a_whole() {
    let turn = json!({"calls": [{"tool": "read", "id": "a"}, {"tool": "send", "id": "b"}, {"tool": "read", "id": "c"}], "answers": ["no"]});
    let done = policy(&["eval"]).rules(FIVE).input(&turn.to_string()).run().status(0);
    let line = &done.lines()[0];
    let outcomes: Vec<_> =
        line["outcomes"].as_array().unwrap().iter().map(|o| o["outcome"].as_str().unwrap()).collect();
    assert_eq!(outcomes, ["cancelled", "denied", "cancelled"]);
    assert_eq!((&line["questions"], &line["stopped"]), (&json!(["Run send()?"]), &json!(2)));
    // Nobody answers: denied at once.
    let turn = json!({"calls": [{"tool": "send"}]}).to_string();
    policy(&["eval", &turn]).rules(FIVE).run().status(0).out("no_human");
}

#[test]
fn of_a_turn_with_a_call_that_is_none_nothing_runs() {
    let turn = json!({"calls": [{"tool": "read"}, {"tol": "read"}]}).to_string();
    let done = policy(&["eval", &turn]).rules(FIVE).run().status(2);
    let outcomes = done.lines()[0]["outcomes"].clone();
    assert!(outcomes.as_array().unwrap().iter().all(|o| o["outcome"] == "denied"), "{outcomes}");
    for turn in
        [json!({"calls": 1}), json!({"calls": [], "answers": ["maybe"]}), json!({"calls": [], "answer": []})]
    {
        let done = policy(&["eval", &turn.to_string()]).rules(FIVE).run().status(2);
        assert_eq!(done.verdicts(), [("deny".to_owned(), "error".to_owned())]);
    }
}

#[test]
fn the_arguments_fill_what_the_call_does_not_say() {
    let call = r#"{"tool": "Bash", "args": {"command": "ls"}}"#;
    let rules = "[[rules]]\nallow_by_read_only = true\n";
    policy(&["eval", call]).rules(rules).run().status(1);
    policy(&["eval", "--host", "claude-code", call]).rules(rules).run().status(0);
    let other = r#"{"tool": "Bash", "args": {"command": "ls"}, "host": "unheard-of"}"#;
    policy(&["eval", "--host", "claude-code", other]).rules(rules).run().status(1);
    policy(&["eval", "--cwd", "nowhere", call]).rules(rules).run().status(2).err("`nowhere` is not a folder");
}

#[test]
fn the_nearest_policy_is_found_upwards() {
    let call = r#"{"tool": "read"}"#;
    policy(&["eval", call]).rules(FIVE).within("a/b").run().status(0);
    policy(&["eval", call])
        .file(".agents/policy.json", r#"{"version": 1, "rules": [{"allow_by_default": true}]}"#)
        .within("a")
        .run()
        .status(0);
    policy(&["eval", call])
        .rules(FIVE)
        .file("policy.json", "{}")
        .run()
        .status(2)
        .err("policy.toml` and `")
        .err("policy.json");
    policy(&["eval", call, "--policy", "nope.toml"]).run().status(2).err("nope.toml");
}

#[test]
fn layers_only_tighten() {
    let loose = "version = 1\n[[rules]]\nallow_by_default = true\n";
    let run = |call: &str| {
        policy(&["eval", "--layer", "managed=managed.toml", "--policy", "own.toml", call])
            .file("managed.toml", &format!("version = 1\n{FIVE}"))
            .file("own.toml", loose)
            .run()
    };
    run(r#"{"tool": "delete"}"#).status(1).out(r#""layer":"managed""#);
    run(r#"{"tool": "other"}"#).status(0);
    policy(&["eval", "--layer", "managed", "{}"]).run().status(2).err("NAME=FILE");
}

#[test]
fn a_policy_that_does_not_load_judges_nothing() {
    let done =
        policy(&["eval", r#"{"tool": "read"}"#]).rules("[[rules]]\nallow_by_nam = [\"*\"]\n").run().status(2);
    assert_eq!(done.out, "");
    done.err("E0303").err("the policy does not load");
}

#[test]
fn no_call_at_all_is_an_error() {
    policy(&["eval"]).rules(FIVE).run().status(2).err("no call was given");
    policy(&["eval", ""]).rules(FIVE).run().status(2).err("no call was given");
}

#[test]
fn check_counts_and_tells() {
    let clean = "[[rules]]\nid = \"reading\"\nallow_by_name = [\"read\"]\n[[rules]]\nid = \"rest\"\ndecide_by_human = true\n[[tests]]\ncall = { tool = \"read\" }\nexpect = \"allow\"\n[[tests]]\ncall = { tool = \"x\" }\nexpect = \"ask\"\n";
    policy(&["check"])
        .rules(clean)
        .run()
        .status(0)
        .out("1 policy, 2 rules, 0 errors, 0 warnings, 2 tests passed, 0 failed\n");
    let failing = clean.replace("\"ask\"", "\"deny\"");
    policy(&["check"]).rules(&failing).run().status(1).out("1 test passed, 1 failed").out("E0601");
    let wrong = "rule = []\n";
    policy(&["check"]).rules(wrong).run().status(1).out("E0202").out("1 policy, 0 rules, 1 error");
    policy(&["check", "nope.toml"]).run().status(2).out("E0101");
    policy(&["check"]).within("empty").run().status(2).err("no policy in");
    let two = policy(&["check", "policies"]).file("policies/a.toml", &format!("version = 1\n{clean}"));
    two.file("policies/b.yaml", "version: 2\n").run().status(1).out("2 policies, 2 rules, 1 error");
}

#[test]
fn what_programs_read_is_nothing_but_the_document() {
    let failing =
        "[[rules]]\nallow_by_name = [\"read\"]\n[[tests]]\ncall = { tool = \"read\" }\nexpect = \"deny\"\n";
    for format in ["json", "sarif"] {
        let done = policy(&["check", "--format", format]).rules(failing).run().status(1).err("1 failed");
        let document: Value = serde_json::from_str(&done.out).unwrap();
        assert!(document.to_string().contains("E0601"), "{format}");
    }
    policy(&["check", "--format", "junit"])
        .rules(failing)
        .run()
        .status(1)
        .out("<?xml")
        .out("failures=\"1\"")
        .err("1 failed");
    policy(&["check", "--format", "plain"])
        .rules(failing)
        .run()
        .status(1)
        .out("policy.toml:6:10: error[E0601]");
    policy(&["check", "--format", "github"])
        .rules(failing)
        .run()
        .status(1)
        .out("::error file=policy.toml,line=6");
}

#[test]
fn tests_beside_a_policy_count_and_are_told() {
    let tests = "version = 1\n[[tests]]\nname = \"reads\"\ncall = { tool = \"read\" }\nexpect = \"allow\"\n";
    let run = |args: &[&str]| policy(args).rules(FIVE).file("policy.test.toml", tests).run();
    run(&["test"])
        .status(0)
        .out("ok    reads")
        .out("never  rule-1")
        .out("1 test passed, 0 failed; 1 of 3 rules reached");
    run(&["test", "--filter", "rea"]).status(0).out("1 test passed");
    run(&["test", "--filter", "nothing"]).status(1).out("no test has `nothing` in its name");
    policy(&["test"]).rules(FIVE).run().status(1).out("the policy has no tests");
    policy(&["check"])
        .rules(FIVE)
        .file("policy.test.toml", "version = 1\ntest = []\n")
        .run()
        .status(1)
        .out("policy.test.toml:2:1");
}

#[test]
fn explain_tells_the_walk_and_what_codes_mean() {
    let call = r#"{"tool": "dele\u001b[31mte", "args": {"x": "\u202e"}}"#;
    let done =
        policy(&["explain", call]).rules(FIVE).run().status(0).out("verdict  deny by no rule").out("nearest");
    assert!(!done.out.contains(['\u{1b}', '\u{202e}']), "{}", done.out);
    policy(&["explain", "--color", "always", r#"{"tool": "read"}"#])
        .rules(FIVE)
        .run()
        .status(0)
        .out("\u{1b}[");
    policy(&["explain", "e0107"]).run().status(0).out("# E0107");
    policy(&["explain", "e9999"]).run().status(2).err("no code or lint is called `e9999`");
    let done = policy(&["explain", "--json", r#"{"tool": "delete"}"#]).rules(FIVE).run().status(0);
    let line = &done.lines()[0];
    assert_eq!(line["verdict"]["verdict"], "deny");
    assert_eq!(line["layers"][0]["steps"][0]["outcome"], "match");
    assert_eq!(line["layers"][0]["not_asked"].as_array().unwrap().len(), 2);
}

#[test]
fn explain_ends_in_the_verdict_of_eval() {
    for call in
        [r#"{"tool": "read"}"#, r#"{"tool": "delete"}"#, r#"{"tool": "send"}"#, r#"{"tool": "other"}"#]
    {
        let eval = policy(&["eval", call]).rules(FIVE).run().lines().remove(0);
        let told = policy(&["explain", "--json", call]).rules(FIVE).run().lines().remove(0);
        assert_eq!(told["verdict"], eval, "{call}");
    }
}

#[test]
fn every_ready_made_policy_is_written_and_clean() {
    let list = policy(&["init", "--list"]).run().status(0).out("ask-before-writes").out;
    assert!(list.lines().count() > 5);
    for name in list.lines().filter_map(|line| line.split_whitespace().next()) {
        for yaml in [false, true] {
            let args: &[&str] = if yaml { &["init", name, "--yaml"] } else { &["init", name] };
            let done = policy(args).run().status(0);
            let found: Vec<_> =
                fs::read_dir(done.folder.path()).unwrap().map(|e| e.unwrap().path()).collect();
            let again =
                Command::new(env!("CARGO_BIN_EXE_policy")).arg("check").arg(&found[0]).output().unwrap();
            let told = String::from_utf8_lossy(&again.stdout).into_owned();
            assert_eq!((found.len(), again.status.code()), (1, Some(0)), "{name} {yaml}: {told}");
        }
    }
}

#[test]
fn init_never_writes_over_a_policy() {
    policy(&["init"]).rules("").run().status(2).err("`policy.toml` is here already");
    policy(&["init"]).file(".agents/policy.yaml", "").run().status(2).err("is here already");
    policy(&["init", "no-such-policy"])
        .run()
        .status(2)
        .err("no ready-made policy is called `no-such-policy`");
}

#[test]
fn a_policy_that_is_written_names_no_file_that_is_not_there() {
    for args in [&["init"][..], &["init", "--yaml"]] {
        let done = policy(args).run();
        let name = if args.len() == 1 { "policy.toml" } else { "policy.yaml" };
        let text = fs::read_to_string(done.folder.path().join(name)).unwrap();
        assert!(!text.contains("schema"), "{}", text.lines().next().unwrap());
    }
}

#[test]
fn fmt_names_what_it_would_change_and_changes_it_when_told() {
    let crooked = "[[rules]]\nallow_by_default=true   \n";
    policy(&["fmt", "--check"]).rules(crooked).run().status(1).out("would rewrite policy.toml");
    let done = policy(&["fmt", "--write"]).rules(crooked).run().status(0).out("rewrote policy.toml");
    let text = fs::read_to_string(done.folder.path().join("policy.toml")).unwrap();
    assert!(text.contains("allow_by_default = true\n"), "{text}");
    assert_eq!(fs::read_dir(done.folder.path()).unwrap().count(), 1, "nothing is left beside the file");
    policy(&["fmt", "--check"]).rules("rules = [\n").run().status(2).err("E0107");
    policy(&["fmt"]).rules("").run().status(2);
}

#[test]
fn commands_say_what_a_command_is_taken_to_do() {
    policy(&["commands"]).run().status(0).out("git log");
    policy(&["commands", "sort"]).run().status(0).out("--output");
    policy(&["commands", "no-such-program"]).run().status(2).err("no model of `no-such-program`");
    policy(&["commands", "--explain", "sort -o out in | cat"])
        .run()
        .status(0)
        .out("run   cat")
        .out("writes `out`");
}

#[test]
fn schemas_completions_and_manual_pages_are_printed() {
    for of in ["policy", "tests", "call", "verdict", "turn"] {
        let done = policy(&["schema", of]).run().status(0);
        serde_json::from_str::<Value>(&done.out).unwrap();
    }
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        policy(&["completions", shell]).run().status(0).out("policy");
    }
    policy(&["man"]).run().status(0).out(".TH policy 1");
    let done = policy(&["man", "pages"]).run().status(0).out("policy-check.1");
    assert!(Path::new(done.folder.path()).join("pages/policy-eval.1").is_file());
}

#[test]
fn colour_is_for_terminals_only_unless_asked_for() {
    let plain = policy(&["check"]).rules("rule = []\n").run();
    assert!(!plain.out.contains('\u{1b}'));
    policy(&["check", "--color", "always"]).rules("rule = []\n").run().out("\u{1b}[");
    let mut quiet = policy(&["check"]).rules("rule = []\n");
    quiet.command.env("NO_COLOR", "1").env("CLICOLOR_FORCE", "1");
    assert!(!quiet.run().out.contains('\u{1b}'));
}

#[cfg(unix)]
#[test]
fn a_reader_who_goes_away_ends_it_quietly() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("policy.toml"), format!("version = 1\n{FIVE}")).unwrap();
    let script = "yes '{\"tool\": \"read\"}' | \"$0\" eval | head -n 1";
    let done = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_policy")])
        .current_dir(folder.path())
        .output()
        .unwrap();
    assert_eq!(String::from_utf8_lossy(&done.stderr).matches("error").count(), 0);
    assert_eq!(done.stdout.split(|b| *b == b'\n').count() - 1, 1);
}

#[test]
fn arguments_that_make_no_sense_end_with_2() {
    policy(&[]).run().status(2);
    policy(&["nope"]).run().status(2);
    policy(&["--version"]).run().status(0).out("policy ");
    policy(&["check", "--help"]).run().status(0).out("Exit status");
    let done = policy(&["completions", "bash"]).run().status(0);
    assert_eq!(done.err, "");
}
