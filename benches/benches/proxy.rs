//! What `policy mcp` adds to a call of an MCP tool, and what memory it takes.
//!
//! Takes the program from the variable `POLICY_BIN`, else `target/release/policy`. The server is this very program, started again.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::Instant;

use tool_policy_benches::policies::FIFTY;
use tool_policy_benches::{Table, holds, median, shown};

/// Calls of one round, one after another, and how many rounds with and without the proxy in turn.
const CALLS: usize = 500;
const ROUNDS: usize = 10;
/// Calls with so many in flight, and when the memory is looked at.
const MANY: usize = 10_000;
const IN_FLIGHT: usize = 64;
const LOOKS: [usize; 2] = [1_000, 10_000];

const SERVER: &str = "POLICY_BENCH_SERVER";

fn main() {
    if std::env::var_os(SERVER).is_some() {
        return serve();
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("it has a parent");
    let policy =
        std::env::var_os("POLICY_BIN").map_or_else(|| root.join("target/release/policy"), PathBuf::from);
    let folder = std::env::temp_dir().join(format!("policy-proxy-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let file = folder.join("fifty.toml");
    std::fs::write(&file, FIFTY).expect("a file can be written");
    let this = std::env::current_exe().expect("it is known");
    let direct = || Server::start(Command::new(&this));
    let proxied = || {
        let mut command = Command::new(&policy);
        command.args(["mcp", "--server", "github", "--policy"]).arg(&file).arg("--").arg(&this);
        command.env("POLICY_STATE_DIR", folder.join("state"));
        Server::start(command)
    };

    let (mut without, mut with) = (Vec::new(), Vec::new());
    let (mut far, mut near) = (proxied(), direct());
    for _ in 0..ROUNDS {
        without.extend(near.one_by_one(CALLS));
        with.extend(far.one_by_one(CALLS));
    }
    let (mut fast, mut slow) = (direct(), proxied());
    let many_without = fast.many(&[]).0;
    let (many_with, memory) = slow.many(&LOOKS);
    drop((far, near, fast, slow));
    let _ = std::fs::remove_dir_all(&folder);

    println!("## Proxy: a call of an MCP tool\n");
    let (without, with) = (median(&mut without), median(&mut with));
    let mut table = Table::new(&["", "median of a call", "10,000 calls, 64 in flight, per call"]);
    table.row(["the server alone".to_owned(), shown(without), shown(many_without)]);
    table.row(["behind `policy mcp`".to_owned(), shown(with), shown(many_with)]);
    table.row(["added".to_owned(), shown(with - without), shown(many_with - many_without)]);
    table.print("A policy of 50 rules, an allowed call, over pipes");
    let [early, late] = memory.as_slice() else { return };
    println!("Memory of the proxy after 1,000 calls: {early} KiB, after 10,000: {late} KiB.\n");
    let micros = |x: f64| format!("{:.1} µs", x * 1e6);
    holds("added to a call", with - without, 100e-6, micros);
    holds("memory after 10,000 calls, of that after 1,000", *late as f64 / *early as f64, 1.05, |x| {
        format!("{x:.2} ×")
    });
}

/// Answers each call at once.
fn serve() {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let id =
            line.split("\"id\":").nth(1).and_then(|rest| rest.split([',', '}']).next()).unwrap_or("null");
        let answer = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{id},\"result\":{{\"content\":[{{\"type\":\"text\",\"text\":\"found\"}}],\"isError\":false}}}}\n"
        );
        if out.write_all(answer.as_bytes()).is_err() {
            return;
        }
    }
}

struct Server {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    id: usize,
}

impl Server {
    fn start(mut command: Command) -> Self {
        command.env(SERVER, "1").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("it starts");
        let (to, from) = (child.stdin.take().expect("piped"), child.stdout.take().expect("piped"));
        let mut started = Self { child, to, from: BufReader::new(from), id: 0 };
        started.one_by_one(100);
        started
    }

    fn send(&mut self) {
        self.id += 1;
        let call = format!(
            "{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"tools/call\",\"params\":{{\"name\":\"get_issue\",\"arguments\":{{\"owner\":\"o\",\"repo\":\"r\",\"number\":{}}},\"_meta\":{{\"progressToken\":{}}}}}}}\n",
            self.id, self.id, self.id
        );
        self.to.write_all(call.as_bytes()).expect("it reads");
    }

    fn receive(&mut self, line: &mut String) {
        line.clear();
        self.from.read_line(line).expect("it answers");
        assert!(line.contains("found"), "{line}");
    }

    /// How long each of `calls` took.
    fn one_by_one(&mut self, calls: usize) -> Vec<f64> {
        let mut line = String::new();
        let each = |_| {
            let start = Instant::now();
            self.send();
            self.receive(&mut line);
            start.elapsed().as_secs_f64()
        };
        (0..calls).map(each).collect()
    }

    /// How long one of many took on average, and the memory of the process after so many.
    fn many(&mut self, looks: &[usize]) -> (f64, Vec<u64>) {
        let mut line = String::new();
        let mut memory = Vec::new();
        let start = Instant::now();
        for _ in 0..IN_FLIGHT {
            self.send();
        }
        for n in 1..=MANY {
            self.receive(&mut line);
            if n + IN_FLIGHT <= MANY {
                self.send();
            }
            if looks.contains(&n) {
                memory.push(self.memory());
            }
        }
        (start.elapsed().as_secs_f64() / MANY as f64, memory)
    }

    /// In KiB.
    fn memory(&self) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap_or_default();
        let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap_or_default();
        line.split_whitespace().nth(1).and_then(|kib| kib.parse().ok()).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
