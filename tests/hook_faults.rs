//! Whatever fails in a hook ends in the refusal that the host obeys, with the reason: every host × every failure.
//!
//! Most hosts run the tool when a hook fails or says what they do not understand, so each line here is about a tool that would have run.
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
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The form of a refusal.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    /// Exit code 2, the reason on standard error, and nothing on standard output.
    Code,
    /// Exit code 0, nothing on standard error, and a JSON object with this value at this place.
    Json(&'static str, &'static str),
    /// Exit code 2, the reason on standard error, and such an object.
    Both(&'static str, &'static str),
}

/// Who asks: the host in the command, what it sends, and how it is refused before and after that could be read.
struct Asker {
    host: &'static str,
    /// A recorded payload before a call, below `tests/hosts/samples`.
    sample: &'static str,
    /// Where the name of the event stands in it, and that of the tool.
    event: &'static str,
    tool: &'static str,
    unread: Form,
    read: Form,
}

const FLAT: Form = Form::Json("/permissionDecision", "deny");
const NESTED: Form = Form::Json("/hookSpecificOutput/permissionDecision", "deny");
const PERMISSION: Form = Form::Json("/hookSpecificOutput/decision/behavior", "deny");
const BEHAVIOR: Form = Form::Json("/behavior", "deny");
const CANCEL: Form = Form::Json("/cancel", "true");
const VERDICT: Form = Form::Json("/verdict", "deny");
const RESPONSE: Form = Form::Json("/response/behavior", "deny");
const CURSOR: Form = Form::Both("/permission", "deny");

const fn asker(
    host: &'static str,
    sample: &'static str,
    places: (&'static str, &'static str),
    unread: Form,
    read: Form,
) -> Asker {
    Asker { host, sample, event: places.0, tool: places.1, unread, read }
}

const SNAKE: (&str, &str) = ("/hook_event_name", "/tool_name");

const ASKERS: &[Asker] = &[
    asker("claude-code", "claude-code/PreToolUse.Bash", SNAKE, Form::Code, Form::Code),
    asker("claude-code", "claude-code/PermissionRequest.Bash", SNAKE, Form::Code, PERMISSION),
    asker("codex", "codex/PreToolUse.Bash", SNAKE, Form::Code, Form::Code),
    asker("codex", "codex/PermissionRequest.Bash", SNAKE, Form::Code, PERMISSION),
    asker("gemini-cli", "gemini-cli/BeforeTool.run_shell_command", SNAKE, Form::Code, Form::Code),
    asker("copilot-cli", "copilot-cli/preToolUse.bash", ("/hookName", "/toolName"), FLAT, FLAT),
    asker("copilot-cli", "copilot-cli/permissionRequest.bash", ("/hookName", "/toolName"), FLAT, BEHAVIOR),
    asker("copilot-cli", "copilot-cli/pascal.PreToolUse.Bash", SNAKE, FLAT, NESTED),
    // The hooks of one settings file, run by another host.
    asker("claude-code", "copilot-cli/via-claude-settings.PreToolUse.Bash", SNAKE, Form::Code, NESTED),
    asker("claude-code", "copilot-cli/preToolUse.bash", ("/hookName", "/toolName"), Form::Code, FLAT),
    asker("claude-code", "vscode/PreToolUse.run_in_terminal", SNAKE, Form::Code, Form::Code),
    asker("claude-code", "cursor/preToolUse.Shell", SNAKE, Form::Code, CURSOR),
    asker("vscode", "vscode/PreToolUse.run_in_terminal", SNAKE, Form::Code, Form::Code),
    asker("vscode", "vscode/PreToolUse.docs", ("/hookEventName", "/tool_name"), Form::Code, Form::Code),
    asker("cursor", "cursor/preToolUse.Shell", SNAKE, CURSOR, CURSOR),
    asker("cursor", "cursor/beforeShellExecution", ("/hook_event_name", "/command"), CURSOR, CURSOR),
    asker("cursor", "cursor/beforeMCPExecution", SNAKE, CURSOR, CURSOR),
    asker("cursor", "cursor/beforeReadFile", ("/hook_event_name", "/file_path"), CURSOR, CURSOR),
    asker("factory-droid", "factory-droid/PreToolUse.Execute", SNAKE, Form::Code, Form::Code),
    asker("cline", "cline-cli/tool_call.run_commands", ("/hookName", "/tool_call/name"), CANCEL, CANCEL),
    asker(
        "cline",
        "cline-vscode/PreToolUse.execute_command",
        ("/hookName", "/preToolUse/toolName"),
        CANCEL,
        CANCEL,
    ),
    asker("goose", "goose/PreToolUse.developer__shell", ("/event", "/tool_name"), Form::Code, Form::Code),
    asker(
        "windsurf",
        "windsurf/pre_run_command",
        ("/agent_action_name", "/tool_info"),
        Form::Code,
        Form::Code,
    ),
    asker(
        "windsurf",
        "windsurf/pre_mcp_tool_use",
        ("/agent_action_name", "/tool_info/mcp_tool_name"),
        Form::Code,
        Form::Code,
    ),
    asker("kiro", "kiro/preToolUse.execute_bash", SNAKE, Form::Code, Form::Code),
    asker("opencode", "opencode/tool.execute.before.bash", ("/hook_event_name", "/tool"), VERDICT, VERDICT),
    asker(
        "adal",
        "adal/control_request.can_use_tool",
        ("/request/subtype", "/request/tool_name"),
        RESPONSE,
        RESPONSE,
    ),
];

const ALLOWS: &str = "version = 1\n[[rules]]\nallow_by_default = true\n";
const DENIES: &str = "version = 1\n[[rules]]\nid = \"no\"\ndeny_by_name = [\"*\"]\nreason = \"not here\"\n";

/// A project with a policy.
struct Project(TempDir);

/// One start of the hook.
struct Start<'a> {
    args: Vec<&'a str>,
    input: Vec<u8>,
    fault: &'a str,
    /// Where standard output goes; `None` is a pipe that is read.
    out: Option<&'a str>,
    /// Standard input stays open.
    endless: bool,
}

impl<'a> Start<'a> {
    fn new(asker: &Asker, input: impl Into<Vec<u8>>) -> Self {
        Self { args: vec!["hook", asker.host], input: input.into(), fault: "", out: None, endless: false }
    }

    fn with(mut self, args: &[&'a str]) -> Self {
        self.args.extend(args);
        self
    }
}

impl Project {
    fn new(policy: &str) -> Self {
        let project = Self(tempfile::tempdir().unwrap());
        fs::create_dir(project.root()).unwrap();
        if !policy.is_empty() {
            fs::write(project.root().join("policy.toml"), policy).unwrap();
        }
        project
    }

    fn root(&self) -> PathBuf {
        self.0.path().join("p")
    }

    /// The recorded payload, of a call in this project.
    fn payload(&self, asker: &Asker) -> Value {
        let file = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("tests/hosts/samples")
            .join(format!("{}.json", asker.sample));
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let here = serde_json::to_string(self.root().to_str().unwrap()).unwrap();
        // One of them is about the folder that the policy is in, too.
        let text = text.replace("\"rm -rf /\"", "\"rm -rf build\"");
        let value: Value = serde_json::from_str(&text.replace("\"/home/user/project\"", &here)).unwrap();
        if asker.host != "opencode" {
            return value;
        }
        json!({
            "hook_event_name": "tool.execute.before", "tool": value["input"]["tool"], "args": value["output"]["args"],
            "cwd": self.root(), "call_id": value["input"]["callID"],
        })
    }

    fn run(&self, start: &Start<'_>) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_policy"));
        let stdout = match start.out {
            None => Stdio::piped(),
            Some("a closed pipe") => {
                let mut nobody = Command::new("true").stdin(Stdio::piped()).spawn().unwrap();
                let pipe = nobody.stdin.take().unwrap();
                nobody.wait().unwrap();
                Stdio::from(pipe)
            }
            Some(path) => Stdio::from(fs::OpenOptions::new().write(true).open(path).unwrap()),
        };
        for variable in
            ["CLAUDE_PROJECT_DIR", "FACTORY_PROJECT_DIR", "GEMINI_PROJECT_DIR", "CURSOR_PROJECT_DIR"]
        {
            command.env_remove(variable);
        }
        let mut child = command
            .args(&start.args)
            .current_dir(self.root())
            .env("POLICY_STATE_DIR", self.0.path().join("state"))
            .env("POLICY_TEST_FAULT", start.fault)
            .stdin(Stdio::piped())
            .stdout(stdout)
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let (input, endless) = (start.input.clone(), start.endless);
        let writer = thread::spawn(move || {
            let written = stdin.write_all(&input);
            (written, endless.then_some(stdin))
        });
        let output = child.wait_with_output().unwrap();
        let (written, _) = writer.join().unwrap();
        assert!(written.is_ok(), "the host could not write the payload: {written:?}");
        output
    }

    /// Starts the hook, and looks whether it refuses in this form, with this in the reason.
    #[track_caller]
    fn refused(&self, asker: &Asker, form: Form, why: &str, start: &Start<'_>) {
        let output = self.run(start);
        let (out, err) =
            (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
        let case = format!(
            "{} with {}, {:?}\nstdout: {out}\nstderr: {err}\n{:?}, not {form:?}",
            asker.host,
            asker.sample,
            start.args,
            output.status.code()
        );
        let at = |pointer: &str| {
            let value: Value = serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {case}"));
            let found = value.pointer(pointer).unwrap_or_else(|| panic!("{case}"));
            (found.as_str().map_or_else(|| found.to_string(), str::to_owned), value.to_string())
        };
        let (code, said) = match form {
            Form::Code => {
                assert_eq!(out, "", "{case}");
                (2, err.clone())
            }
            Form::Json(pointer, value) => {
                let (found, said) = at(pointer);
                assert_eq!((found.as_str(), err.as_str()), (value, ""), "{case}");
                (0, said)
            }
            Form::Both(pointer, value) => {
                let (found, said) = at(pointer);
                assert_eq!(found, value, "{case}");
                assert!(err.contains(why), "{case}");
                (2, said)
            }
        };
        assert_eq!(output.status.code(), Some(code), "{case}");
        assert!(said.contains(why), "no `{why}` in {case}");
        assert!(!said.contains("panicked"), "{case}");
    }
}

/// For every host: `change` makes what is sent, and the refusal has to have `why` in its reason.
#[track_caller]
fn every_unread(why: &str, change: impl Fn(String) -> Vec<u8>) {
    let project = Project::new(ALLOWS);
    for asker in ASKERS {
        let start = Start::new(asker, change(project.payload(asker).to_string()));
        project.refused(asker, asker.unread, why, &start);
    }
}

#[track_caller]
fn every_read(policy: &str, args: &[&str], why: &str, change: impl Fn(&Asker, &mut Value)) {
    let project = Project::new(policy);
    for asker in ASKERS {
        let mut payload = project.payload(asker);
        change(asker, &mut payload);
        project.refused(asker, asker.read, why, &Start::new(asker, payload.to_string()).with(args));
    }
}

#[test]
fn without_a_failure_the_call_is_let_through() {
    let project = Project::new(ALLOWS);
    for asker in ASKERS {
        let output = project.run(&Start::new(asker, project.payload(asker).to_string()));
        let out = String::from_utf8(output.stdout).unwrap();
        assert_eq!(
            (output.status.code(), output.stderr.as_slice()),
            (Some(0), b"".as_slice()),
            "{}: {out}",
            asker.sample
        );
        let expected = match asker.host {
            "adal" => r#"{"type":"control_response","response":{"request_id":"r1","behavior":"allow"}}"#,
            "opencode" => r#"{"verdict":"allow"}"#,
            _ if asker.read == CURSOR => r#"{"permission":"allow"}"#,
            _ if asker.sample.starts_with("cline-vscode") => r#"{"cancel":false}"#,
            _ => "",
        };
        assert_eq!(out, expected, "{}", asker.sample);
    }
}

#[test]
fn an_empty_payload() {
    every_unread("the payload: it is no JSON", |_| Vec::new());
    every_unread("the payload: it is no JSON", |_| b" \n".to_vec());
}

#[test]
fn a_truncated_payload() {
    every_unread("the payload: it is no JSON", |text| text[..text.len() / 2].into());
    every_unread("the payload: it is no JSON", |text| text[..text.len() - 1].into());
}

#[test]
fn a_payload_that_is_no_json() {
    every_unread("the payload: it is no JSON", |_| b"rm -rf x".to_vec());
    every_unread("the payload: it is no JSON", |text| format!("{text}{text}").into());
    every_unread("recursion limit", |_| "[".repeat(100_000).into());
}

#[test]
fn a_payload_that_is_not_utf8() {
    every_unread("the payload is not UTF-8", |text| [text.as_bytes(), b"\xff"].concat());
}

#[test]
fn a_payload_that_is_no_object() {
    every_unread("the payload: it is no JSON object", |text| format!("[{text}]").into());
    every_unread("the payload: it is no JSON object", |_| b"null".to_vec());
}

#[test]
fn a_key_that_stands_twice() {
    every_unread("stands twice", |text| text.replacen('{', r#"{"x": 1, "x": 2, "#, 1).into());
}

#[test]
fn an_unread_payload_of_copilot_may_be_about_a_permission() {
    let project = Project::new(ALLOWS);
    let copilot = ASKERS.iter().find(|asker| asker.host == "copilot-cli").unwrap();
    project.refused(copilot, BEHAVIOR, "it is no JSON", &Start::new(copilot, "{"));
}

#[test]
fn a_payload_without_end_in_sight_is_read_to_its_end_and_refused() {
    every_unread("the payload is longer than 16 MiB", |text| {
        let filler = " ".repeat((17 << 20) - text.len());
        format!("{text}{filler}").into()
    });
}

#[test]
fn an_unknown_event() {
    let project = Project::new(ALLOWS);
    for asker in ASKERS {
        let mut payload = project.payload(asker);
        let (object, key) = parent(&mut payload, asker.event);
        let name = if asker.host == "opencode" { "tool.execute.frobnicate" } else { "frobnicate" };
        object.insert(key.to_owned(), json!(name));
        // What was about a permission no longer says so, but by its arguments.
        let form = match asker.read {
            PERMISSION => asker.unread,
            // Weak marks are those of a known event, so this is for the host in the command.
            NESTED if asker.host == "claude-code" => asker.unread,
            form => form,
        };
        let start = Start::new(asker, payload.to_string());
        project.refused(asker, form, &format!("unknown event `{name}`"), &start);
    }
}

/// The object around what a pointer points to, and its key there.
fn parent<'v, 'p>(
    value: &'v mut Value,
    pointer: &'p str,
) -> (&'v mut serde_json::Map<String, Value>, &'p str) {
    let (above, key) = pointer.rsplit_once('/').unwrap();
    (value.pointer_mut(above).unwrap().as_object_mut().unwrap(), key)
}

#[test]
fn a_missing_tool() {
    every_read(ALLOWS, &[], "is missing or no", |asker, payload| {
        let (object, key) = parent(payload, asker.tool);
        object.shift_remove(key).unwrap();
        if key == "toolName" {
            // It is what Copilot CLI is told by.
            object.insert(key.to_owned(), Value::Null);
        }
    });
}

#[test]
fn a_tool_of_the_wrong_type() {
    for wrong in [json!(7), json!(["Bash"]), Value::Null, json!("")] {
        every_read(ALLOWS, &[], "is missing or no", |asker, payload| {
            *payload.pointer_mut(asker.tool).unwrap() = wrong.clone();
        });
    }
}

#[test]
fn arguments_of_the_wrong_type() {
    let project = Project::new(ALLOWS);
    for asker in ASKERS {
        let mut payload = project.payload(asker);
        let places = [
            "/tool_input",
            "/toolArgs",
            "/toolInput",
            "/args",
            "/request/input",
            "/tool_call/input",
            "/preToolUse/parameters",
            "/tool_info/mcp_tool_arguments",
        ];
        let Some(place) = places.into_iter().find(|place| payload.pointer(place).is_some()) else { continue };
        for wrong in [json!(["rm -rf x"]), json!("rm -rf x"), json!(1)] {
            *payload.pointer_mut(place).unwrap() = wrong;
            let start = Start::new(asker, payload.to_string());
            project.refused(asker, asker.read, "is missing or no object", &start);
        }
    }
}

#[test]
fn an_unknown_permission_mode() {
    let project = Project::new(ALLOWS);
    for asker in ASKERS {
        let mut payload = project.payload(asker);
        let (object, key) =
            parent(&mut payload, if asker.host == "adal" { "/request/mode" } else { "/permission_mode" });
        if asker.host != "adal" && !object.contains_key(key) {
            continue;
        }
        object.insert(key.to_owned(), json!("auto-yes"));
        let start = Start::new(asker, payload.to_string());
        project.refused(asker, asker.read, "unknown ", &start);
    }
}

#[test]
fn a_policy_that_does_not_load() {
    every_read("version = 1\n[[rules]]\n", &[], "policy.toml", |_, _| ());
    every_read("version = 1\n[[rules]]\ndeny_by_nam = [\"x\"]\n", &[], "deny_by_nam", |_, _| ());
    every_read("this is no policy", &[], "policy.toml", |_, _| ());
    every_read(ALLOWS, &["--policy", "missing.toml"], "missing.toml", |_, _| ());
}

#[test]
fn a_policy_that_cannot_be_read() {
    for asker in ASKERS {
        let project = Project::new("");
        let file = project.root().join("policy.toml");
        fs::create_dir(&file).unwrap();
        let start = Start::new(asker, project.payload(asker).to_string());
        project.refused(asker, asker.read, "policy", &start);
        fs::remove_dir(&file).unwrap();
        fs::write(&file, b"version = 1 # \xff\n").unwrap();
        project.refused(asker, asker.read, "policy.toml", &start);
    }
}

#[test]
fn two_policies_in_one_folder() {
    for asker in ASKERS {
        let project = Project::new(ALLOWS);
        fs::write(project.root().join("policy.yaml"), "version: 1\nrules: [{allow_by_default: true}]\n")
            .unwrap();
        let start = Start::new(asker, project.payload(asker).to_string());
        project.refused(asker, asker.read, "policy.yaml", &start);
    }
}

#[test]
fn no_policy_at_all() {
    let project = Project::new("");
    for asker in ASKERS {
        let payload = project.payload(asker).to_string();
        let denied = denial(asker);
        project.refused(
            asker,
            denied,
            "no policy in",
            &Start::new(asker, payload.as_str()).with(&["--no-policy", "deny"]),
        );
        // A person who cannot be asked by the host is asked elsewhere.
        let held = Start::new(asker, payload.as_str()).with(&["--no-policy", "ask", "--ask", "deny"]);
        if asker.sample == "cursor/preToolUse.Shell" {
            // The event that follows asks.
            assert_eq!(project.run(&held).stdout, br#"{"permission":"allow"}"#);
        } else if asker.host == "opencode" {
            project.refused(asker, Form::Json("/verdict", "ask"), "policy approve", &held);
        } else {
            project.refused(asker, denied, "policy approve", &held);
        }
        let passed = project.run(&Start::new(asker, payload.as_str()).with(&["--no-policy", "pass"]));
        assert_eq!(
            (passed.status.code(), passed.stderr.as_slice()),
            (Some(0), b"".as_slice()),
            "{}",
            asker.sample
        );
    }
}

/// The form of a denial, which need not be that of a failure.
fn denial(asker: &Asker) -> Form {
    match (asker.sample.split('/').next().unwrap(), asker.read) {
        ("claude-code" | "codex" | "vscode" | "factory-droid", Form::Code) => NESTED,
        ("gemini-cli", _) => Form::Json("/decision", "deny"),
        ("goose", _) => Form::Both("/decision", "block"),
        ("cursor", _) => Form::Json("/permission", "deny"),
        (_, form) => form,
    }
}

#[test]
fn a_denial_has_the_form_of_the_host() {
    let project = Project::new(DENIES);
    for asker in ASKERS {
        let start = Start::new(asker, project.payload(asker).to_string());
        project.refused(asker, denial(asker), "Denied by policy rule no (policy.toml:3): not here", &start);
    }
}

#[test]
#[cfg(debug_assertions)]
fn a_panic() {
    let project = Project::new(ALLOWS);
    for asker in ASKERS {
        let start = Start { fault: "panic", ..Start::new(asker, project.payload(asker).to_string()) };
        project.refused(asker, asker.read, "policy: internal error, refusing (fail closed)", &start);
    }
}

#[test]
#[cfg(debug_assertions)]
fn a_verdict_that_does_not_come() {
    let project = Project::new(ALLOWS);
    for asker in ASKERS {
        let start = Start { fault: "hang", ..Start::new(asker, project.payload(asker).to_string()) };
        project.refused(
            asker,
            asker.read,
            "no verdict within 0.3 seconds",
            &start.with(&["--deadline", "0.3"]),
        );
    }
}

#[test]
fn standard_input_that_does_not_end() {
    let project = Project::new(ALLOWS);
    for asker in ASKERS {
        let started = Instant::now();
        let start = Start { endless: true, ..Start::new(asker, project.payload(asker).to_string()) };
        project.refused(
            asker,
            asker.unread,
            "no verdict within 0.3 seconds",
            &start.with(&["--deadline", "0.3"]),
        );
        assert!(started.elapsed() < Duration::from_secs(4), "{}", asker.host);
    }
}

#[test]
fn wrong_arguments() {
    for (args, why) in [
        (&["--frobnicate"][..], "unexpected argument '--frobnicate'"),
        (&["--deadline", "soon"], "write a number of seconds"),
        (&["--deadline", "nan"], "write a number of seconds"),
        (&["--deadline", "-1"], "wrong arguments"),
        (&["--deadline", "1e300"], "write a number of seconds"),
        (&["--deadline", "0"], "write a number of seconds"),
        (&["--no-policy", "maybe"], "invalid value 'maybe'"),
        (&["--allow"], "wrong arguments"),
        (&["more"], "unexpected argument 'more'"),
        (&["--help"], "a hook has no help to give to a host"),
        (&["-h"], "a hook has no help to give to a host"),
        (&["--version"], "wrong arguments"),
    ] {
        every_read(ALLOWS, args, why, |_, _| ());
    }
}

#[test]
fn a_missing_or_unknown_host_is_told_by_the_payload() {
    let project = Project::new(ALLOWS);
    for asker in ASKERS {
        let payload = project.payload(asker).to_string();
        for args in [&["hook"][..], &["hook", "nobody"], &["hook", "--help"], &["--version", "hook"]] {
            let start = Start { args: args.to_vec(), ..Start::new(asker, payload.as_str()) };
            project.refused(asker, asker.read, "wrong arguments", &start);
        }
    }
}

#[test]
fn where_nobody_is_known_the_refusal_is_in_every_form() {
    let project = Project::new(ALLOWS);
    let everybody = &ASKERS[0];
    let forms = [
        ("/hookSpecificOutput/permissionDecision", "deny"),
        ("/decision", "deny"),
        ("/permissionDecision", "deny"),
        ("/permission", "deny"),
        ("/behavior", "deny"),
        ("/cancel", "true"),
        ("/verdict", "deny"),
    ];
    for (args, input) in [
        (&["hook", "auto"][..], ""),
        (&["hook", "auto"], "{}"),
        (&["hook", "auto"], "{\"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"ls\"}}"),
        (&["hook"], "no JSON"),
        (&["hook", "nobody"], ""),
    ] {
        for (pointer, value) in forms {
            let start = Start { args: args.to_vec(), ..Start::new(everybody, input) };
            project.refused(everybody, Form::Both(pointer, value), "refusing (fail closed)", &start);
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_answer_that_cannot_be_printed() {
    let project = Project::new(DENIES);
    for out in ["/dev/full", "/dev/null", "a closed pipe"] {
        for asker in ASKERS {
            // Where the exit code says it all, nothing is printed.
            if denial(asker) == Form::Code {
                continue;
            }
            let start = Start { out: Some(out), ..Start::new(asker, project.payload(asker).to_string()) };
            let output = project.run(&start);
            let err = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{} to {out}: {err}", asker.sample);
            assert!(err.contains("the answer cannot be printed"), "{} to {out}: {err}", asker.sample);
        }
    }
}
