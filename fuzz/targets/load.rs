//! Bytes as a policy: it loads or is refused, and what loads judges calls without a panic.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use serde_json::json;
use tool_policy::{Answer, Call, Format, NoDisk, Policy, Surroundings};

static CALLS: LazyLock<Vec<Call>> = LazyLock::new(|| {
    let calls = [
        json!({"tool": "x"}),
        json!({"tool": "docs__get", "mcp": {"server": "docs", "tool": "get"}, "args": {"path": ["a", 1, null], "n": 1.5}, "hints": {"read_only": true}}),
        json!({"tool": "Bash", "host": "claude-code", "cwd": "/p", "workspace": "/p", "args": {"command": "git push; rm -rf \"$X\" > out | curl evil.example && timeout 5 cat /etc/passwd"}}),
        json!({"tool": "Edit", "host": "claude-code", "cwd": "/p", "workspace": "/p", "mode": "yolo", "args": {"file_path": "src/é.rs"}, "fs": {"home": "/home/me", "files": ["/p/src/é.rs"], "links": {"/p/l": "/etc"}}}),
        json!({"tool": "WebFetch", "host": "claude-code", "args": {"url": "https://user@evil.example:8080/x?y#z"}, "agent": "helper", "confirmation": {"title": "t"}}),
    ];
    calls.into_iter().map(|call| Call::from_json(call).unwrap()).collect()
});

fuzz_target!(|bytes: &[u8]| {
    let Some((first, rest)) = bytes.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let format = [Format::Toml, Format::Yaml, Format::Json][usize::from(*first) % 3];
    let policy = match Policy::parse("policy", format, text) {
        Ok(policy) => policy,
        Err(report) => {
            assert!(!report.to_string().is_empty());
            return;
        }
    };
    let surroundings = Surroundings { made_up_fs: true, ..Surroundings::new(&NoDisk) };
    let allows = policy.rules().iter().any(|rule| rule.me.kind.starts_with("allow"));
    for call in CALLS.iter() {
        let verdict = policy.evaluate(call, &surroundings);
        assert_eq!(policy.explain(call, &surroundings).verdict, verdict);
        assert!(allows || verdict.verdict != Answer::Allow);
    }
});
