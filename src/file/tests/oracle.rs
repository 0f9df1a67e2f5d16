//! Our reading agrees with that of others, and the formats agree with each other.

use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::file::tree::{Format, read};
use crate::file::{PolicyFile, load_text};
use crate::source::SourceId;

#[track_caller]
fn ours(text: &str, format: Format) -> Value {
    read(text, format, SourceId(0)).unwrap_or_else(|p| panic!("{text}: {p:?}")).to_json()
}

#[test]
fn others_read_the_same_from_every_key() {
    let yaml = include_str!("every_key.yaml");
    let json = include_str!("every_key.json");
    let toml = include_str!("every_key.toml");
    let value: Value = serde_json::from_str(json).unwrap();
    assert_eq!(ours(json, Format::Json), value);
    assert_eq!(ours(yaml, Format::Yaml), serde_yaml::from_str::<Value>(yaml).unwrap());
    assert_eq!(ours(yaml, Format::Yaml), value);
    assert_eq!(ours(toml, Format::Toml), toml::from_str::<Value>(toml).unwrap());
    assert_eq!(ours(toml, Format::Toml), value);
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof![4 => "[a-zA-Z_*][a-zA-Z0-9_*?-]{0,8}", 1 => "[ -~é🦀]{1,12}", 1 => prop::sample::select(&["no", "null", "1", "0x1", "true", "~", "- a", "a: b", "#", "'", "\""][..]).prop_map(str::to_owned)]
}

fn names() -> impl Strategy<Value = Value> {
    prop::collection::vec(name(), 0..4).prop_map(|names| json!(names))
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9f64).prop_map(|f| json!((f * 64.0).round() / 64.0 + 0.25)),
        "[ -~é\\n\\t]{0,16}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((name(), inner), 0..4)
                .prop_map(|entries| Value::Object(entries.into_iter().collect())),
        ]
    })
}

fn conditions() -> impl Strategy<Value = Value> {
    (names(), names(), "[a-z]{1,5}", value(), any::<bool>()).prop_map(
        |(tool, runs, argument, value, flag)| {
            json!({
                "tool": tool,
                "runs": runs,
                "args": { argument: { "equals": value } },
                "requires_human": flag,
                "writes": { "outside": "." },
            })
        },
    )
}

fn rule() -> impl Strategy<Value = Value> {
    let kind = prop_oneof![
        names().prop_map(|n| ("deny_by_name", n)),
        names().prop_map(|n| ("allow_by_name", n)),
        Just(("allow_by_read_only", json!(true))),
        names().prop_map(|n| ("allow_by_read_only", json!({ "trust_mcp": n }))),
        (1..86400u32).prop_map(|s| ("decide_by_human", json!({ "timeout": s }))),
        Just(("allow_by_default", json!(true))),
    ];
    (kind, prop::option::of(conditions()), prop::option::of(conditions()), name()).prop_map(
        |((key, value), when, unless, text)| {
            let mut rule = Map::new();
            rule.insert(key.to_owned(), value);
            rule.insert("description".into(), text.into());
            rule.extend(when.map(|w| ("when".to_owned(), w)));
            rule.extend(unless.map(|w| ("unless".to_owned(), w)));
            Value::Object(rule)
        },
    )
}

fn policy() -> impl Strategy<Value = Value> {
    prop::collection::vec(rule(), 0..4).prop_map(
        |rules| json!({ "version": 1, "description": "a policy", "on_deny": "continue", "rules": rules }),
    )
}

/// JSON as TOML, every table inline.
fn as_toml(value: &Value) -> String {
    match value {
        Value::Null => unreachable!("policies here have no null"),
        Value::Bool(_) | Value::Number(_) => value.to_string(),
        Value::String(text) => toml_string(text),
        Value::Array(items) => format!("[{}]", items.iter().map(as_toml).collect::<Vec<_>>().join(", ")),
        Value::Object(entries) => {
            let entries: Vec<_> =
                entries.iter().map(|(k, v)| format!("{} = {}", toml_string(k), as_toml(v))).collect();
            format!("{{ {} }}", entries.join(", "))
        }
    }
}

/// A JSON string is a TOML string too.
fn toml_string(text: &str) -> String {
    Value::from(text).to_string()
}

/// What was read, without places.
fn plain(text: &str, format: Format) -> PolicyText {
    let loaded = load_text("p", text, format).unwrap_or_else(|report| panic!("{text}\n{report}"));
    PolicyText(without_places(&loaded.files[0]))
}

#[derive(PartialEq, Debug)]
struct PolicyText(String);

fn without_places(file: &PolicyFile) -> String {
    let text = format!("{file:?}");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("Span { ") {
        out.push_str(before);
        rest = after.split_once('}').map_or("", |(_, tail)| tail);
    }
    out + rest
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn one_policy_is_one_policy_in_three_formats(policy in policy()) {
        let toml: Vec<_> = policy.as_object().unwrap().iter().map(|(k, v)| format!("{k} = {}", as_toml(v))).collect();
        let toml = toml.join("
");
        let yaml = serde_yaml::to_string(&policy).unwrap();
        let json = serde_json::to_string_pretty(&policy).unwrap();
        prop_assert_eq!(&ours(&toml, Format::Toml), &policy);
        prop_assert_eq!(&ours(&yaml, Format::Yaml), &policy);
        prop_assert_eq!(&ours(&json, Format::Json), &policy);
        prop_assert_eq!(plain(&toml, Format::Toml), plain(&json, Format::Json));
        prop_assert_eq!(plain(&yaml, Format::Yaml), plain(&json, Format::Json));
    }
}
