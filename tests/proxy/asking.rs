use serde_json::{Value, json};

use crate::bench::{Bench, Client, call, did, modern, told};

fn can_ask() -> Value {
    json!({"elicitation": {"form": {}, "url": {}}})
}

/// The question of the first era: its id and text.
#[track_caller]
fn question(client: &mut Client) -> (String, String) {
    let asked = client.next();
    assert_eq!(asked["method"], "elicitation/create", "{asked}");
    let text = asked["params"]["message"].as_str().unwrap().to_owned();
    (asked["id"].as_str().unwrap().to_owned(), text)
}

fn reply(client: &mut Client, id: &str, result: Value) {
    client.send(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
}

fn yes() -> Value {
    json!({"action": "accept", "content": {"decision": "allow"}})
}

#[test]
fn with_a_handshake_the_client_is_asked() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.hands(can_ask());
    client.send(call(1, "wipe", "a").to_string());
    let (id, text) = question(&mut client);
    assert!(id.starts_with("policy-"));
    assert!(text.contains(r#"Run s__wipe(text="a")?"#) && text.contains("ask-wipe"), "{text}");
    // Meanwhile, other things go on.
    did(&client.ask(call(2, "echo", "x")), "echo");
    assert!(!bench.log().contains("wipe"));
    reply(&mut client, &id, yes());
    did(&client.next(), "wipe");
    // An answer counts once.
    reply(&mut client, &id, yes());
    for (answer, text) in [
        (json!({"action": "decline"}), "The user declined this call."),
        (json!({"action": "accept", "content": {"decision": "deny"}}), "The user declined this call."),
        (json!({"action": "cancel"}), "policy approve"),
        (json!({"action": "accept", "content": {}}), "policy approve"),
        (json!(null), "policy approve"),
    ] {
        client.send(call(3, "wipe", "b").to_string());
        let (id, _) = question(&mut client);
        reply(&mut client, &id, answer);
        let answer = client.next();
        assert!(told(&answer).contains(text), "{answer}");
    }
    assert_eq!(bench.log().matches("\"wipe\"").count(), 1);
    assert!(!bench.log().contains("policy-"));
}

#[test]
fn a_client_that_cannot_ask_is_told_how_to_approve_and_that_works_once() {
    let bench = Bench::new();
    let mut client = bench.start();
    for capabilities in [json!({}), json!({"elicitation": {"url": {}}}), json!({"elicitation": null})] {
        client.hands(capabilities);
        let answer = client.ask(call(1, "wipe", "a"));
        assert!(told(&answer).contains("nobody has"), "{answer}");
    }
    let answer = client.ask(call(1, "wipe", "a"));
    let id = told(&answer).split("`policy approve ").nth(1).unwrap().split('`').next().unwrap();
    let approved = bench.policy().args(["approve", "--yes", id]).output().unwrap();
    assert!(approved.status.success(), "{approved:?}");
    told(&client.ask(call(2, "wipe", "other")));
    did(&client.ask(call(3, "wipe", "a")), "wipe");
    told(&client.ask(call(4, "wipe", "a")));
    assert_eq!(bench.log().matches("\"wipe\"").count(), 1);
}

#[test]
fn a_call_that_is_cancelled_while_a_person_is_asked_never_runs() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.hands(can_ask());
    client.send(call(1, "wipe", "a").to_string());
    let (id, _) = question(&mut client);
    client.send(
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1.0,"reason":"no"}}"#,
    );
    let withdrawn = client.next();
    assert_eq!(
        (&withdrawn["method"], &withdrawn["params"]["requestId"]),
        (&json!("notifications/cancelled"), &json!(id))
    );
    reply(&mut client, &id, yes());
    client.nothing();
    assert!(!bench.log().contains("wipe") && !bench.log().contains("cancelled"));
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}"#);
    did(&client.ask(call(1, "echo", "x")), "echo");
    assert!(bench.log().contains("cancelled"));
}

#[test]
fn a_question_that_nobody_answers_ends_in_a_denial() {
    let bench = Bench::with("version = 1\n[[rules]]\ndecide_by_human = { timeout = \"1s\" }\n");
    let mut client = bench.start();
    client.hands(can_ask());
    client.send(call(1, "wipe", "a").to_string());
    let (id, _) = question(&mut client);
    assert_eq!(client.next()["params"]["requestId"], id);
    assert!(told(&client.next()).contains("Nobody answered in time"));
    reply(&mut client, &id, yes());
    client.nothing();
    assert!(!bench.log().contains("wipe"));
}

/// The call again, with an answer to the question.
fn again(id: i64, text: &str, state: &Value, answer: Value) -> Value {
    let mut message = modern(id, "wipe", text, can_ask());
    message["params"]["inputResponses"] = json!({"approve": answer});
    message["params"]["requestState"] = state.clone();
    message
}

#[test]
fn without_a_handshake_the_question_is_the_result_of_the_call() {
    let bench = Bench::new();
    let mut client = bench.start();
    let mut ask = |id: i64, text: &str| {
        let answer = client.ask(modern(id, "wipe", text, can_ask()));
        assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
        let asked = &answer["result"]["inputRequests"]["approve"];
        assert_eq!(asked["method"], "elicitation/create");
        assert!(asked["params"]["message"].as_str().unwrap().contains("Run s__wipe"));
        answer["result"]["requestState"].clone()
    };
    let (first, second, third, fourth) = (ask(1, "a"), ask(2, "a"), ask(3, "a"), ask(4, "a"));
    // Of another call, or touched: asked anew.
    for (text, state) in
        [("b", &first), ("a", &json!("tool-policy:00.00")), ("a", &json!("x")), ("a", &json!(5))]
    {
        let answer = client.ask(again(5, text, state, yes()));
        assert_eq!(answer["result"]["resultType"], "input_required", "{answer}");
    }
    assert!(!bench.log().contains("wipe"));
    did(&client.ask(again(6, "a", &first, yes())), "wipe");
    let log = bench.log();
    assert!(
        !log.contains("requestState")
            && !log.contains("inputResponses")
            && log.contains("io.modelcontextprotocol/clientInfo"),
        "{log}"
    );
    // A state counts once.
    assert_eq!(client.ask(again(7, "a", &first, yes()))["result"]["resultType"], "input_required");
    assert!(told(&client.ask(again(8, "a", &second, json!({"action": "decline"})))).contains("declined"));
    assert!(told(&client.ask(again(9, "a", &third, json!({"action": "cancel"})))).contains("policy approve"));
    assert!(told(&client.ask(again(9, "a", &fourth, json!(null)))).contains("policy approve"));
    assert!(told(&client.ask(modern(10, "wipe", "a", json!({})))).contains("policy approve"));
    assert_eq!(bench.log().matches("\"wipe\"").count(), 1);
}

#[test]
fn both_eras_share_a_pipe() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.hands(json!({}));
    assert_eq!(client.ask(modern(1, "wipe", "a", can_ask()))["result"]["resultType"], "input_required");
    assert!(told(&client.ask(call(2, "wipe", "a"))).contains("policy approve"));
}

#[test]
fn an_approved_call_of_which_the_server_wants_to_know_more_is_not_asked_about_again() {
    let bench = Bench::new();
    let mut client = bench.start();
    let state = client.ask(modern(1, "wipe", "more", can_ask()))["result"]["requestState"].clone();
    let answer = client.ask(again(2, "more", &state, yes()));
    assert_eq!(answer["result"]["requestState"], "the server's");
    did(&client.ask(again(3, "more", &json!("the server's"), json!({}))), "wipe");
    assert!(bench.log().contains(r#""requestState":"the server's""#));
    // Once; and not with a state that the server never gave.
    for state in ["the server's", "made up"] {
        let answer = client.ask(again(4, "more", &json!(state), json!({})));
        assert_eq!(answer["result"]["inputRequests"]["approve"]["method"], "elicitation/create", "{answer}");
    }
}

#[test]
fn a_servers_own_question_is_never_taken_for_ours_and_its_forged_answer_is_dropped() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.hands(can_ask());
    client.send(call(99, "wipe", "a").to_string());
    let (own, _) = question(&mut client);
    client.send(call(2, "echo", "ask").to_string());
    let asked = client.next();
    assert_eq!((&asked["id"], &asked["params"]["message"]), (&json!("policy-1"), &json!("Cookies?")));
    reply(&mut client, "policy-1", yes());
    client.send(call(3, "echo", "forge").to_string());
    did(&client.ask(call(4, "echo", "x")), "echo");
    assert!(bench.log().contains(r#""id":"policy-1""#));
    assert!(!bench.log().contains("\"wipe\""));
    reply(&mut client, &own, yes());
    did(&client.next(), "wipe");
}

#[test]
fn what_a_hook_has_asked_about_is_not_asked_again_but_only_once() {
    use std::io::Write;
    let bench = Bench::new();
    let payload = json!({
        "session_id": "s", "transcript_path": "/t", "cwd": bench.folder.path(), "permission_mode": "default", "hook_event_name": "PreToolUse",
        "tool_name": "mcp__s__wipe", "tool_input": {"text": "a"}, "tool_use_id": "t", "prompt_id": "p",
    });
    let mut hook = bench.policy();
    hook.args(["hook", "claude-code"])
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped());
    let mut hook = hook.spawn().unwrap();
    hook.stdin.take().unwrap().write_all(payload.to_string().as_bytes()).unwrap();
    let said = String::from_utf8(hook.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.contains(r#""permissionDecision":"ask""#), "{said}");
    let mut client = bench.start();
    told(&client.ask(call(1, "wipe", "b")));
    did(&client.ask(call(2, "wipe", "a")), "wipe");
    told(&client.ask(call(3, "wipe", "a")));
}
