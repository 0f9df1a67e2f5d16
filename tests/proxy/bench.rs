//! A client that drives `policy mcp` in front of the stub.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

pub(super) const POLICY: &str = r#"
version = 1
[[rules]]
deny_by_name = ["s__send"]
reason = "Nothing is sent."
id = "no-send"
[[rules]]
allow_by_name = ["s__set"]
set = { text = "changed" }
[[rules]]
allow_by_read_only = { trust_mcp = ["s"] }
[[rules]]
id = "ask-wipe"
decide_by_human = { timeout = "1m" }
when.tool = ["s__wipe"]
"#;

/// A folder with a policy, in which proxies are started.
pub(super) struct Bench {
    pub(super) folder: TempDir,
}

impl Bench {
    pub(super) fn new() -> Self {
        Self::with(POLICY)
    }

    pub(super) fn with(policy: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("policy.toml"), policy).unwrap();
        Self { folder }
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(super) fn policy(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_policy"));
        command.current_dir(self.folder.path()).env("POLICY_STATE_DIR", self.path("state"));
        command
    }

    pub(super) fn start(&self) -> Client {
        self.start_with(&[], &[])
    }

    pub(super) fn start_with(&self, options: &[&str], env: &[(&str, &str)]) -> Client {
        self.start_by(r#"exec "$0" stub::serve --exact --ignored --nocapture 3>&1 >/dev/null"#, options, env)
    }

    /// Starts the server by this line of a shell.
    pub(super) fn start_by(&self, line: &str, options: &[&str], env: &[(&str, &str)]) -> Client {
        let mut command = self.policy();
        command.args(["mcp", "--server", "s"]).args(options).arg("--").args(["sh", "-c", line]);
        command.arg(std::env::current_exe().unwrap());
        command.env("STUB_LOG", self.path("log")).envs(env.iter().copied());
        self.client(command)
    }

    /// Starts a proxy by this command.
    pub(super) fn client(&self, mut command: Command) -> Client {
        let errors = fs::File::create(self.path("stderr")).unwrap();
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(errors).spawn().unwrap();
        let stdout = child.stdout.take().unwrap();
        let (send, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if line.is_ok_and(|line| send.send(line).is_ok()) {
                    continue;
                }
                break;
            }
        });
        Client { input: child.stdin.take(), child, lines }
    }

    /// What reached the server, line by line.
    pub(super) fn log(&self) -> String {
        fs::read_to_string(self.path("log")).unwrap_or_default()
    }

    pub(super) fn stderr(&self) -> String {
        fs::read_to_string(self.path("stderr")).unwrap_or_default()
    }
}

pub(super) struct Client {
    pub(super) child: Child,
    pub(super) input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Client {
    pub(super) fn send(&mut self, text: impl AsRef<[u8]>) {
        let mut line = text.as_ref().to_vec();
        line.push(b'\n');
        self.input.as_mut().unwrap().write_all(&line).unwrap();
    }

    #[track_caller]
    pub(super) fn line(&mut self) -> String {
        self.lines.recv_timeout(Duration::from_secs(20)).expect("nothing came from the proxy")
    }

    #[track_caller]
    pub(super) fn next(&mut self) -> Value {
        serde_json::from_str(&self.line()).unwrap()
    }

    /// Nothing comes for a moment.
    #[track_caller]
    pub(super) fn nothing(&mut self) {
        if let Ok(line) = self.lines.recv_timeout(Duration::from_millis(200)) {
            panic!("unexpected: {line}");
        }
    }

    #[track_caller]
    pub(super) fn ask(&mut self, message: Value) -> Value {
        let id = message["id"].clone();
        self.send(message.to_string());
        let answer = self.next();
        assert_eq!(answer["id"], id, "{answer}");
        answer
    }

    /// The handshake of the first era, and the list of tools.
    pub(super) fn hands(&mut self, capabilities: Value) {
        let asked = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": capabilities, "clientInfo": {"name": "t", "version": "1"},
        }});
        self.ask(asked);
        self.send(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#);
        self.list();
    }

    pub(super) fn list(&mut self) -> Vec<String> {
        let answer = self.ask(json!({"jsonrpc": "2.0", "id": "list", "method": "tools/list"}));
        let tools = answer["result"]["tools"].as_array().unwrap_or_else(|| panic!("{answer}"));
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// No more is said; gives the exit status.
    pub(super) fn close(mut self) -> Option<i32> {
        drop(self.input.take());
        self.ended()
    }

    pub(super) fn ended(&mut self) -> Option<i32> {
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(20) {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code();
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("the proxy does not end");
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A call in the era with a handshake.
pub(super) fn call(id: impl Into<Value>, tool: &str, text: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id.into(), "method": "tools/call", "params": {"name": tool, "arguments": {"text": text}}})
}

/// A call in the era without one.
pub(super) fn modern(id: impl Into<Value>, tool: &str, text: &str, capabilities: Value) -> Value {
    let mut call = call(id, tool, text);
    call["params"]["_meta"] = json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "t", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    });
    call
}

#[track_caller]
pub(super) fn told(answer: &Value) -> &str {
    assert_eq!(answer["result"]["isError"], true, "{answer}");
    answer["result"]["content"][0]["text"].as_str().unwrap()
}

#[track_caller]
pub(super) fn did(answer: &Value, tool: &str) {
    assert_eq!(answer["result"]["content"][0]["text"], format!("did {tool}"), "{answer}");
}
