//! Fork, exec and wait: what a decision costs as a process, beside other programs.
//!
//! Takes the program from the variable `POLICY_BIN`, else `target/release/policy`.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

use tool_policy_benches::policies::FIFTY;
use tool_policy_benches::{Table, holds, median, shown, times};

/// So many rounds, each running every program once: what disturbs the machine disturbs all of them.
const ROUNDS: usize = 400;

struct Started {
    what: &'static str,
    command: Vec<String>,
    input: Option<String>,
    seconds: Vec<f64>,
}

impl Started {
    fn slow(&self) -> bool {
        self.what.contains("python3") || self.what.contains("node")
    }
}

fn run(started: &Started) -> f64 {
    let [program, args @ ..] = started.command.as_slice() else { return f64::NAN };
    let mut command = Command::new(program);
    command.args(args).stdout(Stdio::null()).stderr(Stdio::null());
    command.stdin(if started.input.is_some() { Stdio::piped() } else { Stdio::null() });
    let start = Instant::now();
    let Ok(mut child) = command.spawn() else { return f64::NAN };
    if let (Some(text), Some(mut stdin)) = (&started.input, child.stdin.take()) {
        // A program that is done early does not read it all.
        let _ = stdin.write_all(text.as_bytes());
    }
    let status = child.wait();
    let seconds = start.elapsed().as_secs_f64();
    assert!(
        status.is_ok_and(|s| s.code().is_some_and(|code| code != 2 && code < 100)),
        "{} failed",
        started.what
    );
    seconds
}

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it has a parent");
    let policy =
        std::env::var_os("POLICY_BIN").map_or_else(|| root.join("target/release/policy"), PathBuf::from);
    let folder = std::env::temp_dir().join(format!("policy-start-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("fifty.toml");
    std::fs::write(&file, FIFTY).expect("a file can be written");

    let text = |parts: &[&str]| parts.iter().map(|s| (*s).to_owned()).collect::<Vec<_>>();
    let eval = |call: &str| {
        let policy = policy.to_str().expect("the path is text");
        text(&[
            policy,
            "eval",
            "--policy",
            file.to_str().expect("the path is text"),
            "--workspace",
            root.to_str().expect("the path is text"),
            call,
        ])
    };
    let named = serde_json::json!({"tool": "github__get_issue", "mcp": {"server": "github", "tool": "get_issue"}, "args": {"number": 7}});
    let bash = |command: &str| {
        serde_json::json!({"tool": "Bash", "host": "claude-code", "args": {"command": command}}).to_string()
    };
    let hook = text(&[
        policy.to_str().expect("the path is text"),
        "hook",
        "claude-code",
        "--policy",
        file.to_str().expect("the path is text"),
    ]);
    let claude = |tool: &str, input: serde_json::Value| {
        serde_json::json!({
            "session_id": "00000000-0000-4000-8000-000000000001", "transcript_path": "/home/user/.claude/projects/p/s.jsonl",
            "cwd": root, "prompt_id": "00000000-0000-4000-8000-000000000001", "permission_mode": "default",
            "effort": {"level": "medium"}, "hook_event_name": "PreToolUse", "tool_name": tool, "tool_input": input,
            "tool_use_id": "toolu_1",
        })
        .to_string()
    };
    let payload = claude(
        "Bash",
        serde_json::json!({
            "command": "cd src && cargo test 2>&1 | tail -20 && git log --oneline | head -5 > /tmp/log.txt",
            "description": "Run the tests",
        }),
    );
    let named_payload = claude("mcp__github__get_issue", serde_json::json!({"number": 7}));
    let shell = bash("cd src && cargo test 2>&1 | tail -20 && git log --oneline | head -5 > /tmp/log.txt");
    let search = bash("cd src && grep -rn 'fn main' . | sort -u | head -20");
    let mut all: Vec<Started> = [
        ("`/bin/true`", text(&["/bin/true"]), None),
        ("`policy --version`", text(&[policy.to_str().expect("the path is text"), "--version"]), None),
        ("`policy eval`, 50 rules, one call", eval(&named.to_string()), None),
        ("`policy eval`, 50 rules, a compound shell command", eval(&shell), None),
        ("the same, the call on standard input", eval("-"), Some(shell)),
        ("`policy eval`, a search through this repository's `src`", eval(&search), None),
        ("`policy hook claude-code`, a compound shell command", hook.clone(), Some(payload.clone())),
        ("`policy hook claude-code`, a call of an MCP tool", hook, Some(named_payload)),
        ("`bash -c :`", text(&["bash", "-c", ":"]), None),
        ("`python3 -c pass`", text(&[&real_python(), "-c", "pass"]), None),
        ("`node -e 0`", text(&["node", "-e", "0"]), None),
        (
            "a hook in `python3` that reads the payload and says nothing",
            text(&[&real_python(), "-c", "import sys; sys.stdin.read()"]),
            Some(payload.clone()),
        ),
        (
            "a hook in `node` that reads the payload and says nothing",
            text(&["node", "-e", "require('fs').readFileSync(0)"]),
            Some(payload),
        ),
    ]
    .into_iter()
    .map(|(what, command, input)| Started { what, command, input, seconds: Vec::new() })
    .collect();

    for started in &all {
        run(started);
    }
    for round in 0..ROUNDS {
        for started in &mut all {
            // The slow ones need fewer rounds for a median.
            if !started.slow() || round % 10 == 0 {
                let seconds = run(started);
                started.seconds.push(seconds);
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);

    println!("## Start to end: fork, exec, wait\n");
    let mut table =
        Table::new(&["program", "p50", "fastest tenth", "of `/bin/true`", "fastest tenths, of `/bin/true`"]);
    let truth = median(&mut all[0].seconds);
    let mut truth_tenth = f64::NAN;
    let mut ratios = Vec::new();
    for started in &mut all {
        let p50 = median(&mut started.seconds);
        let tenth = started.seconds.get(started.seconds.len() / 10).copied().unwrap_or(f64::NAN);
        if truth_tenth.is_nan() {
            truth_tenth = tenth;
        }
        ratios.push(p50 / truth);
        table.row([
            started.what.to_owned(),
            shown(p50),
            shown(tenth),
            times(p50 / truth),
            times(tenth / truth_tenth),
        ]);
    }
    table.print("A policy of 50 rules");
    for (started, ratio) in all.iter().zip(&ratios).skip(1).take(7) {
        holds(started.what, *ratio, 3.0, |x| format!("{x:.2} × `/bin/true`"));
    }
}

/// The interpreter itself, not a script that looks for it.
fn real_python() -> String {
    let out = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
    out.ok()
        .and_then(|out| String::from_utf8(out.stdout).ok())
        .map_or_else(|| "python3".to_owned(), |path| path.trim().to_owned())
}
