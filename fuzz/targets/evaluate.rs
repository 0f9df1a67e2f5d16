//! Bytes as a call: it is refused or judged, and judged alike by `evaluate` and `explain`.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use tool_policy::{Answer, Call, Cause, Format, NoDisk, Policy, Surroundings};

const POLICY: &str = r#"
version = 1
command_sets.mine = ["make *", "just test"]

[[rules]]
deny_by_name = ["delete_*", "github__*"]
unless.args.force = { exists = false }
[[rules]]
deny_by_name = ["*"]
when.runs = ["rm *", "git push *", { command = "curl *", flags_any = ["-o"] }]
[[rules]]
deny_by_name = ["*"]
when.writes = { outside = "." }
unless.writes = ["/tmp/**"]
[[rules]]
deny_by_name = ["*"]
when.reads = ["**/.env", "~/.ssh/**"]
[[rules]]
deny_by_name = ["*"]
when.fetches = ["evil.example", "*.internal"]
[[rules]]
deny_by_name = ["*"]
when.args."edits[].path" = { regex = "secret", glob = "*.pem" }
[[rules]]
deny_by_name = ["*"]
when.env = ["LD_*"]
[[rules]]
allow_by_read_only = { trust_mcp = ["docs"] }
when.hints.open_world = false
[[rules]]
allow_by_name = ["Bash"]
when.runs = ["@project", "@mine", "cargo test *", "ls *"]
when.touches = ["**"]
[[rules]]
allow_by_name = ["Edit"]
when.writes = ["src/**"]
when.requires_human = true
[[rules]]
decide_by_human = true
when.args.n = { greater_than = 3, type = "number" }
[[rules]]
allow_by_default = true
when.only_args = ["command", "path"]
when.reason = "policy"
"#;

static POLICIES: LazyLock<(Policy, Policy)> = LazyLock::new(|| {
    let all = Policy::parse("policy.toml", Format::Toml, POLICY).unwrap();
    let denials = Policy::parse(
        "policy.toml",
        Format::Toml,
        &format!("{}\n[[rules]]\ndeny_by_name = [\"*\"]\n[[rules]]\nallow_by_default = true", "version = 1"),
    )
    .unwrap();
    (all, denials)
});

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let Ok(value) = tool_policy::call::json::read(text) else { return };
    let Ok(call) = Call::from_json(value) else { return };
    let surroundings = Surroundings { made_up_fs: true, ..Surroundings::new(&NoDisk) };
    let (policy, denials) = &*POLICIES;
    let verdict = policy.evaluate(&call, &surroundings);
    assert_eq!(policy.explain(&call, &surroundings).verdict, verdict);
    assert_ne!(denials.evaluate(&call, &surroundings).verdict, Answer::Allow);
    if call.fs.is_some() {
        let refused = policy.evaluate(&call, &Surroundings::new(&NoDisk));
        assert_eq!((refused.verdict, refused.cause), (Answer::Deny, Cause::Error));
    }
    assert!(serde_json::to_string(&verdict).is_ok());
});
