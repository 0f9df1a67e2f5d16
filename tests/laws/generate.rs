//! Policies, calls and disks out of small pools, so that rules and calls meet often.

use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Map, Value, json};

/// A piece of a generated shell script.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Token {
    /// A word that can be made unknown.
    Word(&'static str),
    /// Anything else, with the blanks it needs.
    Raw(&'static str),
}

/// A shell script in pieces.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Script(pub(crate) Vec<Token>);

impl Script {
    pub(crate) fn text(&self) -> String {
        self.with(usize::MAX, "")
    }

    /// The text with another word in place of the `nth` one.
    pub(crate) fn with(&self, nth: usize, other: &str) -> String {
        let mut words = 0;
        let mut out = String::new();
        for token in &self.0 {
            match token {
                Token::Raw(text) => out.push_str(text),
                Token::Word(text) => {
                    out.push_str(if words == nth { other } else { text });
                    words += 1;
                }
            }
        }
        out
    }

    pub(crate) fn words(&self) -> usize {
        self.0.iter().filter(|t| matches!(t, Token::Word(_))).count()
    }
}

/// Programs with their words, as the shell reads them.
const COMMANDS: &[&[&str]] = &[
    &["rm", "-rf", "build"],
    &["rm", "a.txt"],
    &["rm", "--recursive", "-f", "/etc"],
    &["/bin/rm", "src/x.rs"],
    &["git", "push", "origin", "main"],
    &["git", "-C", "/p/lib", "push"],
    &["git", "status"],
    &["git", "--no-pager", "log", "-1"],
    &["git", "commit", "-m", "'a b'"],
    &["cargo", "test"],
    &["cargo", "build", "--release"],
    &["cat", "a.txt"],
    &["cat", "/etc/passwd", "src/x.rs"],
    &["head", "-n", "3", "~/notes"],
    &["grep", "-r", "needle", "src"],
    &["sort", "-o", "out.txt", "a.txt"],
    &["sort", "a.txt"],
    &["find", ".", "-name", "'*.rs'"],
    &["find", ".", "-exec", "rm", "{}", "\\;"],
    &["find", "src", "-delete"],
    &["cp", "a.txt", "b.txt"],
    &["cp", "-r", "src", "/tmp"],
    &["mv", "a.txt", "link/b"],
    &["curl", "https://evil.example/x"],
    &["curl", "-o", "out.txt", "https://good.example/x"],
    &["sed", "-i", "s/a/b/", "a.txt"],
    &["sed", "-n", "1p", "a.txt"],
    &["tee", "out.txt"],
    &["ls"],
    &["ls", "-la", "src"],
    &["echo", "hi"],
    &["python", "-c", "'x=1'"],
    &["python", "run.py"],
    &["frob", "a.txt", "/etc/hosts"],
    &["env", "X=1", "git", "status"],
    &["env", "PATH=/tmp", "ls"],
    &["xargs", "rm"],
    &["xargs", "-n1", "cat"],
    &["timeout", "5", "rm", "a.txt"],
    &["nice", "-n", "5", "cargo", "test"],
    &["sudo", "-u", "root", "cat", "/etc/passwd"],
    &["bash", "-c", "'git push; ls'"],
    &["eval", "'rm a.txt'"],
    &["cd", "src"],
    &["cd", "/tmp"],
    &["mkdir", "-p", "build/d"],
    &["touch", "b.txt"],
    &["ln", "-s", "/etc", "l"],
    &["tar", "cf", "/tmp/x.tar", "src"],
    &["npm", "install"],
    &["cat", "*.txt"],
    &["rm", "src/*"],
    &["chmod", "+x", "run.py"],
    &["true"],
    &[":"],
];

pub(crate) fn simple() -> impl Strategy<Value = Script> {
    (select(COMMANDS), any::<prop::sample::Index>(), 0..12u8).prop_map(|(words, at, form)| {
        let mut tokens = Vec::new();
        match form {
            0 => tokens.push(Token::Raw("X=1 ")),
            1 => tokens.push(Token::Raw("F=a.txt; ")),
            _ => {}
        }
        let at = at.index(words.len());
        for (i, word) in words.iter().enumerate() {
            if i > 0 {
                tokens.push(Token::Raw(" "));
            }
            if form == 2 && i == at && i > 0 {
                tokens.push(Token::Raw("$(git status) "));
            }
            if form == 3 && i == at && i > 0 {
                tokens.push(Token::Raw("\"$F\" "));
            }
            tokens.push(Token::Word(word));
        }
        match form {
            1 => tokens.push(Token::Raw(" $F")),
            4 => tokens.extend([Token::Raw(" > "), Token::Word("out.txt")]),
            5 => tokens.extend([Token::Raw(" < "), Token::Word("a.txt")]),
            6 => tokens.extend([Token::Raw(" 2>/dev/null >> "), Token::Word("/etc/hosts")]),
            _ => {}
        }
        Script(tokens)
    })
}

fn joined(all: Vec<Script>, joint: &'static str) -> Script {
    let mut tokens = Vec::new();
    for (i, script) in all.into_iter().enumerate() {
        if i > 0 {
            tokens.push(Token::Raw(joint));
        }
        tokens.extend(script.0);
    }
    Script(tokens)
}

fn around(before: &'static str, inner: Script, after: &'static str) -> Script {
    let mut tokens = vec![Token::Raw(before)];
    tokens.extend(inner.0);
    tokens.push(Token::Raw(after));
    Script(tokens)
}

const AROUND: &[(&str, &str)] = &[
    ("(", ")"),
    ("{ ", "; }"),
    ("if ls; then ", "; fi"),
    ("for f in a.txt b.txt; do ", "; done"),
    ("echo \"$(", ")\""),
    ("while ", "; do break; done"),
    ("case x in x) ", ";; esac"),
    ("f() { ", "; }; f"),
    ("! ", ""),
    ("time ", ""),
];

pub(crate) fn script() -> impl Strategy<Value = Script> {
    simple().prop_recursive(2, 6, 3, |inner| {
        prop_oneof![
            3 => (prop::collection::vec(inner.clone(), 2..=3), select(&["; ", " && ", " || ", " | ", "\n", " & "][..])).prop_map(|(all, joint)| joined(all, joint)),
            2 => (inner, select(AROUND)).prop_map(|(inner, (before, after))| around(before, inner, after)),
        ]
    })
}

fn disk() -> impl Strategy<Value = Option<Value>> {
    let listed = json!([
        "/p/a.txt",
        "/p/b.txt",
        "/p/src/x.rs",
        "/p/build/o",
        "/p/run.py",
        "/p/lib/.git/config",
        "/etc/passwd",
        "/etc/hosts",
        "/home/me/notes",
        "/tmp/t"
    ]);
    let texts = json!({"/p/a.txt": "a", "/p/.git/config": "[core]\n", "/p/lib/.git/config": "[core]\nfsmonitor = rm\n", "/p/src/x.rs": ""});
    prop_oneof![
        Just(None),
        Just(Some(json!({"home": "/home/me"}))),
        Just(Some(json!({"home": "/home/me", "files": listed.clone()}))),
        Just(Some(
            json!({"home": "/home/me", "files": texts, "links": {"/p/link": "/etc", "/p/b.txt": "../etc/passwd"}})
        )),
        Just(Some(json!({"links": {"/p/src": "/etc"}}))),
        Just(Some(json!({"home": "/home/me", "files": listed, "os": "macos", "case_insensitive": true}))),
    ]
}

/// A call of the shell of a known host; the command is put in by the law.
pub(crate) fn shell_call() -> impl Strategy<Value = Value> {
    (disk(), select(&["default", "accept_edits", "yolo"][..]), select(&["/p", "/p/src"][..])).prop_map(|(fs, mode, cwd)| {
        let mut call = json!({"tool": "Bash", "host": "claude-code", "cwd": cwd, "workspace": "/p", "mode": mode, "args": {}});
        if let Some(fs) = fs {
            call["fs"] = fs;
        }
        call
    })
}

pub(crate) fn with_command(call: &Value, command: &str) -> Value {
    let mut call = call.clone();
    call["args"]["command"] = json!(command);
    call
}

fn hints() -> impl Strategy<Value = Value> {
    let all: Vec<(&str, bool)> =
        vec![("read_only", true), ("destructive", false), ("idempotent", true), ("open_world", false)];
    subsequence(all, 0..=4)
        .prop_map(|hints| Value::Object(hints.into_iter().map(|(k, v)| (k.to_owned(), json!(v))).collect()))
}

/// A call of a tool that nothing is known about, or of an MCP server's.
pub(crate) fn plain_call() -> impl Strategy<Value = Value> {
    let value = select(vec![
        json!("a.txt"),
        json!("/etc/passwd"),
        json!(["a.txt", "b"]),
        json!(7),
        json!(true),
        json!(null),
        json!({"x": "a.txt"}),
        json!([]),
    ]);
    let args = prop::collection::btree_map(select(&["path", "to", "sum"][..]), value, 0..=2);
    (
        select(TOOLS),
        args,
        hints(),
        prop::option::of(select(&["docs", "github"][..])),
        prop::option::of(select(&["lead", "helper"][..])),
    )
        .prop_map(|(tool, args, hints, server, agent)| {
            let args: Map<String, Value> = args.into_iter().map(|(k, v)| (k.to_owned(), v)).collect();
            let mut call = json!({"tool": tool, "args": args, "hints": hints});
            if let Some(server) = server {
                call["tool"] = json!(format!("{server}__{tool}"));
                call["mcp"] = json!({"server": server, "tool": tool});
            }
            if let Some(agent) = agent {
                call["agent"] = json!(agent);
            }
            call
        })
}

const TOOLS: &[&str] = &["read_file", "write_file", "delete_file", "get_issue", "x"];

/// A call of one of a known host's tools that is not the shell.
fn host_call() -> impl Strategy<Value = Value> {
    let calls = vec![
        json!({"tool": "Read", "args": {"file_path": "/p/a.txt"}}),
        json!({"tool": "Read", "args": {"file_path": "/etc/passwd"}}),
        json!({"tool": "Edit", "args": {"file_path": "/p/src/x.rs"}}),
        json!({"tool": "Write", "args": {"file_path": "/tmp/x"}}),
        json!({"tool": "WebFetch", "args": {"url": "https://good.example/a"}}),
        json!({"tool": "WebFetch", "args": {"url": "https://evil.example/"}}),
        json!({"tool": "Grep", "args": {"pattern": "x", "path": "src"}}),
        json!({"tool": "Edit", "args": {}}),
    ];
    (select(calls), shell_call()).prop_map(|(call, mut around)| {
        around["tool"] = call["tool"].clone();
        around["args"] = call["args"].clone();
        around
    })
}

pub(crate) fn call() -> impl Strategy<Value = Value> {
    prop_oneof![
        3 => plain_call(),
        2 => host_call(),
        5 => (shell_call(), script()).prop_map(|(call, script)| with_command(&call, &script.text())),
    ]
}

/// Which policies a law speaks of.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Rules {
    /// All.
    Any,
    /// Those in which more of a call never meets less of the policy; see [`policy`].
    Monotone,
}

fn runs(of: Rules, broad: bool) -> BoxedStrategy<Value> {
    let mut all = vec![
        json!("rm *"),
        json!("rm -rf *"),
        json!("rm -r *"),
        json!("git push *"),
        json!("git status"),
        json!("git status *"),
        json!("git *"),
        json!("git commit -m *"),
        json!("cargo test *"),
        json!("cat *"),
        json!("cat a.txt"),
        json!("*"),
        json!("ls *"),
        json!("find *"),
        json!("find . -name *"),
        json!("sort *"),
        json!("curl *"),
        json!("timeout *"),
        json!("xargs *"),
        json!("sudo *"),
        json!("env *"),
        json!("cd *"),
        json!("echo *"),
        json!("python *"),
        json!("* main"),
        json!("/bin/rm *"),
        json!({"command": "rm *", "flags_all": [["-r", "-R", "--recursive"], ["-f", "--force"]]}),
        json!({"command": "git *", "flags_any": ["--release", "-1", "-m"]}),
        json!({"command": "cat *", "operands": ["*.txt", "src/**"]}),
        json!({"regex": "rm|push"}),
        json!({"command": "sort *", "flags_any": ["-o", "--output"]}),
    ];
    if of == Rules::Any || !broad {
        all.extend([
            json!("@read-only"),
            json!("@project"),
            json!({"command": "cargo *", "only_flags": ["--release"]}),
        ]);
    }
    prop::collection::vec(select(all), 1..=3).prop_map(Value::Array).boxed()
}

fn paths() -> impl Strategy<Value = Value> {
    let all = vec![
        json!("src/**"),
        json!("/etc/**"),
        json!("/tmp/**"),
        json!("**/*.txt"),
        json!("**"),
        json!("*.txt"),
        json!("~/notes"),
        json!("build"),
        json!("/**"),
        json!({"outside": "."}),
        json!({"inside": "."}),
        json!({"outside": "/tmp"}),
    ];
    prop::collection::vec(select(all), 1..=2).prop_map(|mut list| {
        if list.len() == 1 && list[0].is_object() { list.remove(0) } else { Value::Array(list) }
    })
}

fn fetches() -> impl Strategy<Value = Value> {
    let all = vec![
        json!("*"),
        json!("evil.example"),
        json!("*.example"),
        json!("https://good.example/*"),
        json!({"host": "good.example", "method": "GET"}),
    ];
    prop::collection::vec(select(all), 1..=2).prop_map(Value::Array)
}

const PART_KEYS: &[&str] = &["runs", "reads", "writes", "touches", "fetches", "env"];

pub(crate) fn part_key(key: &str, of: Rules, broad: bool) -> BoxedStrategy<Value> {
    match key {
        "runs" => runs(of, broad),
        "reads" | "writes" | "touches" => paths().boxed(),
        "fetches" => fetches().boxed(),
        _ => prop::collection::vec(select(vec![json!("PATH"), json!("X"), json!("*")]), 1..=2)
            .prop_map(Value::Array)
            .boxed(),
    }
}

fn part_keys(keys: Vec<&'static str>, of: Rules, broad: bool) -> BoxedStrategy<Map<String, Value>> {
    let values: Vec<_> = keys.iter().map(|key| part_key(key, of, broad)).collect();
    values.prop_map(move |values| keys.iter().map(|k| (*k).to_owned()).zip(values).collect()).boxed()
}

/// Conditions on the call as a whole. `worst` picks the hints that a call has when nothing is said.
fn whole(of: Rules, worst: bool) -> impl Strategy<Value = Map<String, Value>> {
    let args = vec![
        json!({"path": {"glob": "*.txt"}}),
        json!({"path": "a.txt"}),
        json!({"to": {"one_of": ["a.txt", "b"]}}),
        json!({"sum": {"greater_than": 5}}),
        json!({"path": {"regex": "pass"}}),
        json!({"path": {"exists": true}}),
        json!({"path.x": {"contains": "a"}}),
        json!({"path[]": {"starts_with": "a"}}),
    ];
    let mut keys = vec![
        ("tool", json!(["Bash", "*_file"])),
        ("tool", json!(["Bash"])),
        ("mcp_server", json!(["docs"])),
        ("agent", json!(["lead"])),
        ("mode", json!(["yolo", "default"])),
        ("hints", json!({"read_only": !worst})),
        ("hints", json!({"destructive": worst})),
        ("hints", json!({"open_world": worst, "idempotent": !worst})),
    ];
    if of == Rules::Any {
        keys.extend([
            ("requires_human", json!(true)),
            ("requires_human", json!(false)),
            ("reason", json!("prompt")),
            ("only_args", json!(["command", "path"])),
            ("hints", json!({"read_only": worst})),
            ("args", json!({"command": {"regex": "rm|push"}})),
            ("args", json!({"path": {"exists": false}})),
        ]);
    }
    keys.extend(args.into_iter().map(|a| ("args", a)));
    prop_oneof![
        3 => Just(Map::new()),
        1 => select(keys).prop_map(|(key, value)| Map::from_iter([(key.to_owned(), value)])),
    ]
}

fn conditions(of: Rules, broad: bool) -> BoxedStrategy<(Map<String, Value>, Map<String, Value>)> {
    let keys = subsequence(PART_KEYS, 0..=2);
    let keys = prop_oneof![1 => Just(Vec::new()), 3 => keys];
    (keys, prop::bool::weighted(0.25), subsequence(PART_KEYS, 0..=1))
        .prop_flat_map(move |(keys, has_unless, other)| {
            let unless_keys = match (has_unless, of, broad) {
                (false, _, _) => Vec::new(),
                (true, Rules::Any, _) | (true, _, false) => other,
                // An exception that speaks of what the rule does not speak of can come to hold when the call does more.
                (true, Rules::Monotone, true) => keys.clone(),
            };
            let keep = move |mut map: Map<String, Value>| {
                if !has_unless {
                    map.clear();
                }
                map
            };
            let when = (part_keys(keys, of, broad), whole(of, broad));
            let unless = (part_keys(unless_keys, of, !broad), whole(of, !broad).prop_map(keep));
            (when, unless).prop_map(|((mut when, whole), (mut unless, other))| {
                when.extend(whole);
                unless.extend(other);
                (when, unless)
            })
        })
        .boxed()
}

fn names() -> impl Strategy<Value = Value> {
    prop::collection::vec(
        select(
            &["*", "*", "Bash", "*_file", "delete_*", "github__*", "docs__get_*", "Edit", "[RW]*", "x"][..],
        ),
        0..=2,
    )
    .prop_map(|list| json!(list))
}

pub(crate) fn rule(of: Rules, kinds: &'static [&'static str]) -> impl Strategy<Value = Value> {
    (select(kinds), names()).prop_flat_map(move |(kind, names)| {
        let broad = matches!(kind, "deny_by_name" | "decide_by_human");
        let value = match kind {
            "deny_by_name" | "allow_by_name" => Just(names).boxed(),
            "allow_by_read_only" => {
                select(vec![json!(true), json!({"trust_mcp": true}), json!({"trust_mcp": ["docs"]})]).boxed()
            }
            _ => Just(json!(true)).boxed(),
        };
        (value, conditions(of, broad)).prop_map(move |(value, (when, unless))| {
            let mut rule = json!({ kind: value });
            if !when.is_empty() {
                rule["when"] = Value::Object(when);
            }
            if !unless.is_empty() {
                rule["unless"] = Value::Object(unless);
            }
            rule
        })
    })
}

pub(crate) const KINDS: &[&str] = &[
    "deny_by_name",
    "allow_by_name",
    "allow_by_name",
    "allow_by_read_only",
    "decide_by_human",
    "allow_by_default",
];

/// A list of rules.
///
/// [`Rules::Monotone`] leaves out what is false by design when a call does more or says less:
/// - an `unless` of a denial or question with a key that its `when` does not have (`unless.writes = ["/tmp/**"]` starts to hold with a write to `/tmp`);
/// - denials and questions about what a command is *not*: `@read-only`, `@project`, `only_flags`, `exists = false`, good hints;
/// - conditions on the text of the command, which does change;
/// - `requires_human` and `reason`, which are derived from the command;
/// - rules with `set`, which speak of calls with one part only.
pub(crate) fn rules(of: Rules) -> impl Strategy<Value = Vec<Value>> {
    let last = prop_oneof![
        3 => Just(Vec::new()),
        2 => Just(vec![json!({"allow_by_default": true})]),
        2 => Just(vec![json!({"decide_by_human": true})]),
        1 => Just(vec![json!({"allow_by_read_only": true}), json!({"decide_by_human": true})]),
    ];
    (prop::collection::vec(rule(of, KINDS), 1..=5), last).prop_map(|(mut rules, last)| {
        rules.extend(last);
        rules
    })
}
