//! Policies that load.

use super::good;
use crate::file::tree::Format;
use crate::file::{RuleKindFile, load_text};

/// The example of the manual.
const EXAMPLE: &str = r#"
description = "What agents may do in this repository"

[[rules]]
deny_by_name = ["delete_*", "github__merge_pull_request"]
reason = "Deleting is not allowed."          # what the model is told; default "{tool} is not allowed."

[[rules]]
deny_by_name = ["*"]
when.writes = { outside = "." }
unless.writes = ["/tmp/**"]
reason = "Write only inside the repository."

[[rules]]
allow_by_read_only = true                     # or { trust_mcp = true } / { trust_mcp = ["docs"] }

[[rules]]
allow_by_name = ["Bash"]
when.runs = ["cargo test *", "git status"]

[[rules]]
decide_by_human = true                        # or { timeout = "10m" }

[[tests]]
call = { tool = "Bash", args = { command = "cargo test && rm -rf target" } }
expect = "ask"
"#;

#[test]
fn the_example_loads() {
    let loaded = good(EXAMPLE);
    let ids: Vec<_> = loaded.rules().map(|(_, id, _, rule)| (id, rule.kind.as_str())).collect();
    assert_eq!(
        ids,
        [
            ("rule-1".into(), "deny_by_name"),
            ("rule-2".into(), "deny_by_name"),
            ("rule-3".into(), "allow_by_read_only"),
            ("rule-4".into(), "allow_by_name"),
            ("rule-5".into(), "decide_by_human"),
        ]
    );
    let text = |span| loaded.sources.text(span);
    let rule = &loaded.files[0].rules[1];
    assert_eq!(
        text(rule.span),
        "deny_by_name = [\"*\"]\nwhen.writes = { outside = \".\" }\nunless.writes = [\"/tmp/**\"]\nreason = \"Write only inside the repository.\""
    );
    assert_eq!(text(rule.kind_span), "deny_by_name");
    assert_eq!(text(rule.when.as_ref().unwrap().writes.as_ref().unwrap().span), "{ outside = \".\" }");
    assert_eq!(text(rule.reason.as_ref().unwrap().span), "\"Write only inside the repository.\"");
}

#[test]
fn every_key_loads() {
    let loaded = good(include_str!("every_key.toml").trim_start_matches("version = 1\n"));
    let yaml = load_text("policy.yaml", include_str!("every_key.yaml"), Format::Yaml)
        .unwrap_or_else(|r| panic!("{r}"));
    let json = load_text("policy.json", include_str!("every_key.json"), Format::Json)
        .unwrap_or_else(|r| panic!("{r}"));
    assert_eq!(loaded.files[0].rules.len(), 7);
    assert!(matches!(&loaded.files[0].rules[0].kind, RuleKindFile::DenyByName(names) if names.len() == 2));
    let _ = (yaml, json);
}
