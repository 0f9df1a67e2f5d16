//! What each host does with an answer, as it was measured: whatever is no permission has to keep the tool from running.

use serde_json::{Map, Value, json};
use tool_policy::host::{Answer, Decision, Event, Moment, Payload, read, recognise, refuse_anybody};

use crate::samples::{Sample, payload, payloads, recorded};

/// What becomes of the call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Effect {
    Refused,
    /// A person is asked, or nobody answers and it is refused.
    Asked,
    Runs,
}

/// What the host does with the answer to this event.
#[expect(clippy::match_same_arms, reason = "the lines of a host stand together")]
fn effect(host: &str, event: &Event, answer: &Answer) -> Effect {
    let said: Value = serde_json::from_str(&answer.stdout).unwrap_or(Value::Null);
    let at = |pointer: &str| said.pointer(pointer).and_then(Value::as_str);
    let blocked = answer.exit == 2 && !answer.stderr.trim().is_empty();
    let by = |decision: Option<&str>, asks: bool| match decision {
        Some("deny") => Effect::Refused,
        Some("ask") if asks => Effect::Asked,
        _ => Effect::Runs,
    };
    let nested = || by(at("/hookSpecificOutput/permissionDecision"), true);
    let of_this_event = at("/hookSpecificOutput/hookEventName") == Some(event.name.as_str());
    if event.moment == Moment::Permission {
        // The host is about to ask a person, and does so unless it is told.
        let decided = match host {
            "copilot-cli" => at("/behavior"),
            "codex" if said["hookSpecificOutput"]["decision"].as_object().is_some_and(|d| d.len() > 2) => {
                None
            }
            _ if of_this_event => at("/hookSpecificOutput/decision/behavior"),
            _ => None,
        };
        return match decided {
            Some("deny") => Effect::Refused,
            Some("allow") => Effect::Runs,
            _ => Effect::Asked,
        };
    }
    match host {
        "claude-code" | "vscode" if blocked => Effect::Refused,
        "claude-code" | "vscode" if answer.exit == 0 && of_this_event => nested(),
        "codex" if answer.exit == 2 && blocked => Effect::Refused,
        "codex" if answer.exit == 0 => {
            let known = ["hookEventName", "permissionDecision", "permissionDecisionReason"];
            let specific = said["hookSpecificOutput"].as_object().cloned().unwrap_or_default();
            let closed = said.as_object().is_some_and(|all| all.len() == 1)
                && specific.keys().all(|key| known.contains(&key.as_str()))
                && at("/hookSpecificOutput/permissionDecisionReason")
                    .is_some_and(|why| !why.trim().is_empty());
            if closed { by(at("/hookSpecificOutput/permissionDecision"), false) } else { Effect::Runs }
        }
        "gemini-cli" if blocked && answer.stdout.is_empty() => Effect::Refused,
        "gemini-cli" => by(at("/decision"), true),
        "copilot-cli" if answer.exit == 2 => Effect::Refused,
        "copilot-cli" if event.name == "preToolUse" => by(at("/permissionDecision"), true),
        "copilot-cli" if said["hookSpecificOutput"].is_null() => by(at("/permissionDecision"), true),
        "copilot-cli" => nested(),
        "cursor" if blocked => Effect::Refused,
        "cursor" => by(
            at("/permission"),
            matches!(event.name.as_str(), "beforeShellExecution" | "beforeMCPExecution"),
        ),
        "factory-droid" if answer.exit == 2 => Effect::Refused,
        "factory-droid" => by(at("/hookSpecificOutput/permissionDecision"), false),
        "cline" if said["cancel"] == true => Effect::Refused,
        "cline" if instead_fails(&said) => Effect::Refused,
        "goose" if blocked || at("/decision") == Some("block") => Effect::Refused,
        "windsurf" | "kiro" if blocked => Effect::Refused,
        // The plugin lets nothing through but a plain consent.
        "opencode" if answer.exit != 0 || at("/verdict") != Some("allow") => Effect::Refused,
        "adal" if at("/response/behavior") != Some("allow") || said["response"]["request_id"].is_null() => {
            Effect::Refused
        }
        _ => Effect::Runs,
    }
}

/// Whether the command that Cline runs in place of the denied one only prints.
fn instead_fails(said: &Value) -> bool {
    let commands = said["overrideInput"]["commands"].as_array();
    commands.is_some_and(|all| {
        all.len() == 1
            && all[0]
                .as_str()
                .is_some_and(|one| one.starts_with("printf '%s\\n' '") && one.ends_with("' >&2; exit 126"))
    })
}

fn to_judge() -> impl Iterator<Item = (Sample, Event)> {
    payloads().into_iter().filter_map(|sample| {
        let (_, event) = read(None, &sample.payload).unwrap();
        (event.moment != Moment::After).then_some((sample, event))
    })
}

#[test]
fn a_denial_is_obeyed_by_every_host_at_every_event() {
    for (sample, event) in to_judge() {
        for why in ["no", "", " \n", "it's \"quoted\" \\ $(rm -rf x) `y` \u{1}\n'"] {
            for softly in [false, true] {
                for stop in [None, Some("stop".to_owned())] {
                    let deny = Decision::Deny { why: why.to_owned(), stop, softly };
                    let answer = sample.host.answer(&event, &deny);
                    assert_eq!(
                        effect(sample.host.name(), &event, &answer),
                        Effect::Refused,
                        "{}: {answer:?}",
                        sample.name
                    );
                }
            }
            let answer = sample.host.answer(&event, &Decision::Hold { why: why.to_owned() });
            assert_eq!(
                effect(sample.host.name(), &event, &answer),
                Effect::Refused,
                "{}: {answer:?}",
                sample.name
            );
            let answer = sample.host.refuse(Some(&sample.payload), why);
            assert_eq!(
                effect(sample.host.name(), &event, &answer),
                Effect::Refused,
                "{}: {answer:?}",
                sample.name
            );
        }
    }
}

#[test]
fn a_question_never_runs_the_tool() {
    for (sample, event) in to_judge() {
        let ask = Decision::Ask { by: "rule r".to_owned(), question: "May it?".to_owned() };
        let answer = sample.host.answer(&event, &ask);
        let effect = effect(sample.host.name(), &event, &answer);
        assert_ne!(effect, Effect::Runs, "{}: {answer:?}", sample.name);
    }
}

#[test]
fn changed_arguments_are_taken_or_the_call_is_refused() {
    let args = Map::from_iter([("command".to_owned(), json!("ls"))]);
    for (sample, event) in to_judge() {
        let change = Decision::Change { args: args.clone(), by: "rule r".to_owned(), note: None };
        let answer = sample.host.answer(&event, &change);
        let taken = answer.stdout.contains(r#""command":"ls""#);
        let effect = effect(sample.host.name(), &event, &answer);
        assert!(taken || effect == Effect::Refused, "{}: {answer:?}", sample.name);
        // What is said to be possible is what is done.
        if sample.host.abilities(&event).changes {
            assert!(taken, "{}: {answer:?}", sample.name);
        }
    }
}

#[test]
fn a_refusal_of_what_could_not_be_read_is_obeyed() {
    for (sample, event) in to_judge() {
        let answer = sample.host.refuse(None, "no");
        let effect = effect(sample.host.name(), &event, &answer);
        // A person is asked at most; and AdaL refuses what is no response to its request.
        let expected = match (event.moment, sample.host.name()) {
            (Moment::Permission, "claude-code" | "codex") => Effect::Asked,
            _ => Effect::Refused,
        };
        assert_eq!(effect, expected, "{}: {answer:?}", sample.name);
    }
}

#[test]
fn the_refusal_for_anybody_is_obeyed_by_everybody() {
    for (sample, event) in to_judge() {
        let answer = refuse_anybody("no");
        let effect = effect(sample.host.name(), &event, &answer);
        assert_ne!(effect, Effect::Runs, "{}: {answer:?}", sample.name);
    }
}

/// Every place in a value, with what stands there put to something else.
fn spoilt(value: &Value) -> Vec<Value> {
    fn places(value: &Value, at: &str, found: &mut Vec<String>) {
        found.push(at.to_owned());
        let of_object = value.as_object().into_iter().flatten().map(|(key, inner)| (key.clone(), inner));
        let of_list =
            value.as_array().into_iter().flatten().enumerate().map(|(i, inner)| (i.to_string(), inner));
        for (key, inner) in of_object.chain(of_list) {
            places(inner, &format!("{at}/{key}"), found);
        }
    }
    let mut found = Vec::new();
    places(value, "", &mut found);
    let mut all = Vec::new();
    for place in found.iter().filter(|place| !place.is_empty()) {
        for wrong in
            [Value::Null, json!(1), json!(""), json!("x"), json!([]), json!(["x"]), json!({}), json!(true)]
        {
            let mut spoilt = value.clone();
            *spoilt.pointer_mut(place).unwrap() = wrong;
            all.push(spoilt);
        }
    }
    all
}

#[test]
fn whatever_is_wrong_in_a_payload_its_refusal_is_obeyed_by_who_sent_it() {
    for sample in [
        "claude-code/PreToolUse.mcp__demo__echo",
        "codex/PreToolUse.Bash",
        "gemini-cli/BeforeTool.mcp_demo_echo",
        "copilot-cli/preToolUse.bash",
        "copilot-cli/pascal.PreToolUse.Bash",
        "cursor/beforeMCPExecution",
        "cursor/preToolUse.Shell",
        "factory-droid/PreToolUse.Execute",
        "cline-cli/tool_call.run_commands",
        "cline-vscode/PreToolUse.execute_command",
        "goose/PreToolUse.developer__shell",
        "windsurf/pre_mcp_tool_use",
        "kiro/preToolUse.execute_bash",
        "opencode/tool.execute.before.bash",
        "vscode/PreToolUse.docs",
        "vscode/PreToolUse.run_in_terminal",
        "adal/control_request.can_use_tool",
    ] {
        let good: Payload = payload(&recorded(sample));
        let sender = recognise(&good).unwrap();
        let (_, asked) = read(None, &good).unwrap();
        for spoilt in spoilt(&recorded(sample)) {
            let spoilt_payload = payload(&spoilt);
            let listener = tool_policy::host::caller(Some(sender), &spoilt_payload).unwrap();
            let answer = match read(Some(sender), &spoilt_payload) {
                Ok((host, event)) if event.moment != Moment::After => {
                    host.answer(&event, &Decision::deny("no"))
                }
                Ok(_) => continue,
                Err(_) => listener.refuse(Some(&spoilt_payload), "no"),
            };
            let effect = effect(sender.name(), &asked, &answer);
            assert_eq!(effect, Effect::Refused, "{sample}: {spoilt}: {answer:?}");
        }
    }
}
