//! Codex runs the tool where an answer has a key that its schema does not have, so every answer for it is held against that.

use serde_json::{Map, Value, json};
use tool_policy::host::{Decision, Event, by_name, read};

use crate::samples::{folder, json_of, payload, recorded};

/// What of JSON Schema the files use: closed objects, `required`, `type`, `const`, `enum`, `allOf` and `$ref`.
fn fits(value: &Value, schema: &Value, root: &Value, at: &str) -> Result<(), String> {
    let Some(schema) = schema.as_object() else { return Ok(()) };
    for (word, rule) in schema {
        match word.as_str() {
            "$ref" => {
                let pointer = rule.as_str().unwrap().trim_start_matches('#');
                fits(value, root.pointer(pointer).unwrap(), root, at)?;
            }
            "allOf" => rule.as_array().unwrap().iter().try_for_each(|all| fits(value, all, root, at))?,
            "const" if value != rule => return Err(format!("{at}: {value} is not {rule}")),
            "enum" if !rule.as_array().unwrap().contains(value) => {
                return Err(format!("{at}: {value} is none of {rule}"));
            }
            "type" if !is(value, rule.as_str().unwrap()) => {
                return Err(format!("{at}: {value} is no {rule}"));
            }
            "required" => {
                for key in rule.as_array().unwrap() {
                    value.get(key.as_str().unwrap()).ok_or_else(|| format!("{at}: {key} is missing"))?;
                }
            }
            "additionalProperties" => {
                assert_eq!(rule, &json!(false));
                let known = schema["properties"].as_object().unwrap();
                if let Some(key) = value.as_object().unwrap().keys().find(|key| !known.contains_key(*key)) {
                    return Err(format!("{at}: unknown key {key}"));
                }
            }
            "properties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    if let Some(rule) = rule.get(key) {
                        fits(inner, rule, root, &format!("{at}/{key}"))?;
                    }
                }
            }
            "const" | "enum" | "type" | "$schema" | "definitions" | "default" | "title" | "description" => {}
            other => panic!("the check does not know `{other}`"),
        }
    }
    Ok(())
}

fn is(value: &Value, kind: &str) -> bool {
    match kind {
        "object" => value.is_object(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        other => panic!("the check does not know the type `{other}`"),
    }
}

fn schema(name: &str) -> Value {
    json_of(&folder().join(format!("samples/codex/schemas/{name}.command.output.schema.json")))
}

fn event(name: &str) -> Event {
    read(None, &payload(&recorded(name))).unwrap().1
}

/// Each decision, with and without what may come beside it.
fn decisions() -> Vec<Decision> {
    let text = |text: &str| text.to_owned();
    let args: Map<_, _> = [(text("command"), json!("ls"))].into_iter().collect();
    let mut all = vec![
        Decision::Pass,
        Decision::Allow { by: text("rule r") },
        Decision::Hold { why: text("hold") },
        Decision::Hold { why: String::new() },
        Decision::Ask { by: text("rule r"), question: text("May it?") },
        Decision::Change { args: args.clone(), by: text("rule r"), note: None },
        Decision::Change { args, by: text("rule r"), note: Some(text("changed")) },
    ];
    for softly in [true, false] {
        for stop in [None, Some(text("stop"))] {
            for why in ["", " \n", "no"] {
                all.push(Decision::Deny { why: text(why), stop: stop.clone(), softly });
            }
        }
    }
    all
}

#[test]
fn every_answer_fits_and_is_one_that_works() {
    let codex = by_name("codex").unwrap();
    for (sample, name) in
        [("codex/PreToolUse.Bash", "pre-tool-use"), ("codex/PermissionRequest.Bash", "permission-request")]
    {
        let (event, schema) = (event(sample), schema(name));
        let refused = codex.refuse(Some(&payload(&recorded(sample))), "x");
        let answers = decisions().into_iter().map(|decision| codex.answer(&event, &decision));
        for answer in answers.chain([refused]) {
            if answer.stdout.is_empty() {
                assert_eq!(answer.exit == 2, !answer.stderr.trim().is_empty(), "{answer:?}");
                continue;
            }
            assert_eq!((answer.exit, answer.stderr.as_str()), (0, ""), "{answer:?}");
            let said: Value = serde_json::from_str(&answer.stdout).unwrap();
            fits(&said, &schema, &schema, "").unwrap();
            works(&said);
        }
    }
}

/// What the schema has and the program does not support makes it run the tool, or ask.
#[track_caller]
fn works(said: &Value) {
    assert_eq!(said.as_object().unwrap().keys().collect::<Vec<_>>(), ["hookSpecificOutput"], "{said}");
    let specific = &said["hookSpecificOutput"];
    if specific["hookEventName"] == "PermissionRequest" {
        let decision = specific["decision"].as_object().unwrap();
        assert!(decision.keys().all(|key| key == "behavior" || key == "message"), "{said}");
    } else if specific["permissionDecision"] == "deny" {
        assert!(!specific["permissionDecisionReason"].as_str().unwrap().trim().is_empty(), "{said}");
    } else {
        assert_eq!(specific["permissionDecision"], "allow", "{said}");
        assert!(specific["updatedInput"].is_object(), "{said}");
    }
}

#[test]
fn the_check_sees_what_codex_does_not_take() {
    let schema = schema("pre-tool-use");
    let specific = |more: Value| {
        let mut specific = json!({"hookEventName": "PreToolUse", "permissionDecision": "deny"});
        specific.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        json!({"hookSpecificOutput": specific})
    };
    assert!(fits(&specific(json!({})), &schema, &schema, "").is_ok());
    for wrong in [
        json!({"decided_by": "r"}),
        specific(json!({"decided_by": "r"})),
        specific(json!({"permissionDecision": "defer"})),
        specific(json!({"hookEventName": "PermissionRequest"})),
        specific(json!({"permissionDecisionReason": 1})),
        json!({"hookSpecificOutput": {"permissionDecision": "deny"}}),
    ] {
        assert!(fits(&wrong, &schema, &schema, "").is_err(), "{wrong}");
    }
}
