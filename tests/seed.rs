//! The records of the permission system that this one grew from: what it answered, this one answers.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::format_push_string,
    reason = "a test fails by panicking"
)]

use serde::Deserialize;
use serde_json::{Map, Value, json};
use tool_policy::turn::Outcome;
use tool_policy::{Answer, Call, Format, NoDisk, Policy, Prepared, Reply, Run, Surroundings};

#[derive(Deserialize)]
struct Turn {
    id: String,
    policy: Map<String, Value>,
    tools: Map<String, Value>,
    calls: Vec<Value>,
    answers: Vec<String>,
    expect: Vec<Expected>,
    questions: Vec<String>,
    stopped: Option<usize>,
}

#[derive(Deserialize)]
struct Expected {
    outcome: String,
    reason: Option<String>,
    decided_by: Option<usize>,
}

fn policy(mut written: Map<String, Value>) -> Policy {
    written.insert("version".to_owned(), json!(1));
    Policy::parse("policy.json", Format::Json, &Value::Object(written).to_string()).unwrap()
}

/// The call, with what the tool says of itself.
fn call(written: &Value, tools: &Map<String, Value>) -> Call {
    let name = written["tool"].as_str().unwrap();
    let tool = &tools[name];
    let mut call = json!({
        "id": written["id"], "tool": name, "args": written["args"], "hints": { "read_only": tool["read_only"] },
    });
    if let Some(server) = tool["mcp"].as_str() {
        let own = name.strip_prefix(&format!("{server}__")).unwrap_or(name);
        call["mcp"] = json!({ "server": server, "tool": own });
    }
    Call::from_json(call).unwrap()
}

fn reply(text: &str) -> Reply {
    match text {
        "yes" => Reply::Yes,
        "no" => Reply::No,
        other => panic!("the answer `{other}`"),
    }
}

/// What differs, in words.
fn differences(turn: Turn) -> Vec<String> {
    let calls: Vec<Call> = turn.calls.iter().map(|c| call(c, &turn.tools)).collect();
    let person = Prepared::new(turn.answers.iter().map(|a| reply(a)));
    let got = Run::new(policy(turn.policy), person).decide(&calls, &Surroundings::new(&NoDisk));
    let mut found = Vec::new();
    let mut same = |what: &str, expected: &dyn std::fmt::Debug, got: &dyn std::fmt::Debug| {
        let (expected, got) = (format!("{expected:?}"), format!("{got:?}"));
        if expected != got {
            found.push(format!("{}: {what}: expected {expected}, got {got}", turn.id));
        }
    };
    same("number of outcomes", &turn.expect.len(), &got.outcomes.len());
    for (i, (expected, got)) in turn.expect.iter().zip(&got.outcomes).enumerate() {
        same(&format!("outcome of call {i}"), &expected.outcome.as_str(), &got.outcome.name());
        same(&format!("reason of call {i}"), &expected.reason.as_deref(), &got.reason.as_deref());
        // The records do not say what let a call run.
        if got.outcome != Outcome::Run {
            same(
                &format!("rule of call {i}"),
                &expected.decided_by,
                &got.decided_by.as_ref().map(|rule| rule.index),
            );
        }
    }
    same("questions", &turn.questions, &got.questions);
    same("the rule that stopped", &turn.stopped, &got.stopped);
    found
}

#[test]
fn three_hundred_turns_come_out_as_recorded() {
    let turns = include_str!("corpora/seed-turns.jsonl").lines();
    let turns: Vec<Turn> = turns.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(turns.len(), 300);
    let found: Vec<String> = turns.into_iter().flat_map(differences).collect();
    assert!(found.is_empty(), "{} differences:\n{}", found.len(), found.join("\n"));
}

#[derive(Deserialize)]
struct Glob {
    pattern: String,
    name: String,
    #[serde(rename = "match")]
    matches: bool,
}

#[test]
fn four_hundred_globs_match_as_recorded() {
    let globs = include_str!("corpora/name-globs.jsonl").lines();
    let globs: Vec<Glob> = globs.map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(globs.len(), 400);
    for glob in globs {
        let mut rules = Map::new();
        rules.insert("rules".to_owned(), json!([{ "allow_by_name": [glob.pattern] }]));
        let verdict = policy(rules).evaluate(&Call::new(glob.name.as_str()), &Surroundings::new(&NoDisk));
        let expected = if glob.matches { Answer::Allow } else { Answer::Deny };
        assert_eq!(verdict.verdict, expected, "`{}` against `{}`", glob.pattern, glob.name);
    }
}
