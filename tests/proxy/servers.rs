//! Servers that do not want the best.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::bench::{Bench, Client, call, did, told};

fn can_ask() -> Value {
    json!({"elicitation": {}})
}

fn yes(client: &mut Client, id: &Value) {
    let result = json!({"action": "accept", "content": {"decision": "allow"}});
    client.send(json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
}

/// What the server is made to say.
fn say(id: i64, text: &str) -> String {
    call(id, "echo", &format!("say {text}")).to_string()
}

#[test]
fn an_answer_to_a_request_that_is_not_open_is_dropped_and_told() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.list();
    client.send(call(5, "echo", "silence").to_string());
    let long = "x".repeat(200_000);
    for text in [
        r#"{"jsonrpc":"2.0","id":"5","result":{"content":[]}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":" 5","result":{"content":[]}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":5.5,"error":{"code":1,"message":""}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":""}}"#.to_owned(),
        r#"{"jsonrpc":"2.0","result":{"content":[]}}"#.to_owned(),
        r#"[{"jsonrpc":"2.0","id":"5","result":{"content":[]}}]"#.to_owned(),
        format!(r#"{{"jsonrpc":"2.0","id":"5","result":{{"text":"{long}"}}}}"#),
        format!(r#"{{"jsonrpc":"2.0","result":{{"text":"{long}"}},"id":"5"}}"#),
    ] {
        client.send(say(6, &text));
        client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":6}}"#);
    }
    did(&client.ask(call(7, "echo", "x")), "echo");
    assert_eq!(bench.stderr().matches("a request that is not open").count(), 7, "{}", bench.stderr());
    // The request itself is open still.
    client.send(say(8, r#"{"jsonrpc":"2.0","id":5.0,"result":{"late":true}}"#));
    assert_eq!(client.next()["result"]["late"], true);
}

#[test]
fn what_is_dropped_does_not_fill_the_log() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.list();
    let line = r#"{"jsonrpc":"2.0","id":"x","result":{}}"#;
    client.send(say(1, &vec![line; 500].join("\n")));
    did(&client.ask(call(2, "echo", "x")), "echo");
    assert_eq!(bench.stderr().matches("is not open").count(), 20);
    assert!(bench.stderr().contains("no more is said of that"));
}

#[test]
fn a_server_that_stops_within_a_message_does_not_hold_up_the_proxy() {
    let bench = Bench::new();
    // What the server is wrapped in keeps its output open.
    let line = r#""$0" stub::serve --exact --ignored --nocapture 3>&1 >/dev/null; sleep 31"#;
    let mut client = bench.start_by(line, &["--server-timeout", "1"], &[]);
    client.hands(can_ask());
    client.send(call(1, "echo", "stuck").to_string());
    thread::sleep(Duration::from_millis(200));
    client.send(call(2, "send", "x").to_string());
    let started = Instant::now();
    assert!(client.line().starts_with(r#"{"jsonrpc":"2.0","method":"notifications/message""#));
    let mut ids: Vec<Value> = (0..2).map(|_| client.next()["id"].clone()).collect();
    ids.sort_by_key(Value::to_string);
    assert_eq!(ids, [1, 2]);
    assert_eq!(client.ended(), Some(1));
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    assert!(bench.stderr().contains("the server "), "{}", bench.stderr());
}

/// Nothing is open, so that only the message itself is missing.
#[test]
fn a_message_without_an_end_is_owed_like_an_answer() {
    let bench = Bench::new();
    let mut client = bench.start_with(&["--server-timeout", "0.5"], &[]);
    client.list();
    client.send(call(1, "echo", "half").to_string());
    client.send(r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#);
    assert_eq!(client.ended(), Some(1));
    assert!(bench.stderr().contains("in the middle of a message"), "{}", bench.stderr());
}

#[track_caller]
fn ends_soon(client: &mut Client, seconds: u64) {
    let started = Instant::now();
    drop(client.input.take());
    assert_eq!(client.ended(), Some(0));
    assert!(started.elapsed() < Duration::from_secs(seconds), "{:?}", started.elapsed());
}

#[test]
fn when_the_client_goes_it_all_ends_whatever_the_server_does() {
    for mode in ["chat", "flood", "deaf"] {
        let bench = Bench::new();
        let mut client = bench.start_with(&[], &[("STUB_MODE", mode)]);
        thread::sleep(Duration::from_millis(300));
        ends_soon(&mut client, 8);
    }
    // One that does not read what it is sent.
    let bench = Bench::new();
    let mut client = bench.start_with(&[], &[("STUB_MODE", "deaf")]);
    client.send(format!(r#"{{"jsonrpc":"2.0","method":"x","params":"{}"}}"#, "x".repeat(300_000)));
    ends_soon(&mut client, 8);
    // One that stops within a message.
    let bench = Bench::new();
    let mut client = bench.start();
    client.list();
    client.send(call(1, "echo", "half").to_string());
    client.send(call(2, "send", "x").to_string());
    thread::sleep(Duration::from_millis(300));
    drop(client.input.take());
    let started = Instant::now();
    client.ended();
    assert!(started.elapsed() < Duration::from_secs(10));
}

#[test]
fn a_client_that_does_not_read_does_not_hold_up_the_end() {
    let bench = Bench::new();
    let line = r#"exec "$0" stub::serve --exact --ignored --nocapture 3>&1 >/dev/null"#;
    let mut command = bench.policy();
    command.args(["mcp", "--server", "s", "--", "sh", "-c", line]).arg(std::env::current_exe().unwrap());
    command.env("STUB_LOG", bench.path("log")).env("STUB_MODE", "flood");
    command.stdin(std::process::Stdio::piped()).stdout(std::process::Stdio::piped());
    let mut child = command.spawn().unwrap();
    thread::sleep(Duration::from_millis(500));
    let started = Instant::now();
    drop(child.stdin.take());
    while child.try_wait().unwrap().is_none() && started.elapsed() < Duration::from_secs(10) {
        thread::sleep(Duration::from_millis(10));
    }
    let ended = child.try_wait().unwrap();
    let _ = child.kill();
    let _ = child.wait();
    assert!(ended.is_some());
}

#[cfg(target_os = "linux")]
#[test]
fn what_the_server_started_ends_with_it() {
    let bench = Bench::new();
    let line = r#""$0" stub::serve --exact --ignored --nocapture 3>&1 >/dev/null; sleep 31"#;
    let mut client = bench.start_by(&format!("sleep 32 & echo $! >pid; {line}"), &[], &[]);
    client.list();
    let pid = std::fs::read_to_string(bench.path("pid")).unwrap();
    let lives = || {
        std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).is_ok_and(|stat| !stat.contains(") Z "))
    };
    assert!(lives());
    client.send(call(1, "echo", "half").to_string());
    ends_soon(&mut client, 10);
    thread::sleep(Duration::from_millis(100));
    assert!(!lives());
}

#[test]
fn an_id_of_ours_that_the_server_got_to_know_is_of_no_use_to_it() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.hands(can_ask());
    client.send(call(1, "wipe", "a").to_string());
    let own = client.next()["id"].as_str().unwrap().to_owned();
    client.send(
        json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": own}})
            .to_string(),
    );
    let stolen =
        json!({"jsonrpc": "2.0", "id": own, "method": "elicitation/create", "params": {"message": "News?"}});
    client.send(say(2, &stolen.to_string()));
    let long = json!({"jsonrpc": "2.0", "id": own, "method": "elicitation/create", "params": {"message": "x".repeat(200_000)}});
    client.send(say(3, &long.to_string()));
    did(&client.ask(call(4, "echo", "x")), "echo");
    assert!(!bench.log().contains("cancelled") && bench.stderr().matches("that was dropped").count() == 2);
    yes(&mut client, &json!(own));
    did(&client.next(), "wipe");
    told(&client.ask(call(5, "send", "x")));
}

#[test]
fn a_number_that_was_not_approved_is_not_sent() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.hands(can_ask());
    let mut wide = call(1, "wipe", "a").to_string();
    wide = wide.replace("\"a\"", "100000000000000000001");
    client.send(&wide);
    assert!(client.next()["error"]["message"].as_str().unwrap().contains("64 bits"));
}

#[test]
fn a_tool_that_is_not_listed_must_not_look_like_one_that_is_or_that_is_denied() {
    let bench = Bench::with(
        "version = 1\n[[rules]]\ndeny_by_name = [\"s__send\", \"s__never\"]\n[[rules]]\nallow_by_default = true\n",
    );
    let mut client = bench.start();
    let refused = |client: &mut Client, name: &str, why: &str| {
        let answer = client.ask(call(1, name, "x"));
        assert!(answer["error"]["message"].as_str().is_some_and(|m| m.contains(why)), "{name}: {answer}");
    };
    // Before the tools are listed, too.
    refused(&mut client, "Never", "which the policy denies");
    did(&client.ask(call(2, "Set", "x")), "Set");
    client.list();
    refused(&mut client, "Set", "can be taken for `set`");
    refused(&mut client, "set\u{7}", "none that the server lists");
    refused(&mut client, &"x".repeat(129), "none that the server lists");
    did(&client.ask(call(3, "not.listed-1", "x")), "not.listed-1");
}

#[test]
fn a_message_with_too_many_values_is_not_read() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.list();
    let mut many = call(1, "set", "x");
    many["params"]["arguments"]["n"] = json!(vec![0; 200_000]);
    let answer = client.ask(many.clone());
    assert!(answer["error"]["message"].as_str().unwrap().contains("more than 200000 values"), "{answer}");
    many["method"] = json!("x");
    assert_eq!(client.ask(many)["result"]["method"], "x");
}

#[test]
fn after_a_yes_the_policy_and_the_tool_count_as_they_are_now() {
    let ask = |rest: &str| {
        format!(
            "version = 1\n[[rules]]\nid = \"ask\"\ndecide_by_human = {{ timeout = \"1m\" }}\nwhen.tool = [\"s__wipe\"]\n{rest}"
        )
    };
    let allow = "version = 1\n[[rules]]\nallow_by_default = true\n".to_owned();
    let deny = "version = 1\n[[rules]]\ndeny_by_name = [\"*\"]\nreason = \"no more\"\n".to_owned();
    let other = ask("[[rules]]\nallow_by_default = true\n");
    for (policy, what) in [
        (ask(""), "did"),
        (allow, "did"),
        (deny, "no more"),
        (other, "nobody has"),
        ("version".into(), "policy.toml"),
    ] {
        let bench = Bench::with(&ask(""));
        let mut client = bench.start();
        client.hands(can_ask());
        client.send(call(1, "wipe", "a").to_string());
        let id = client.next()["id"].clone();
        std::fs::write(bench.path("policy.toml"), &policy).unwrap();
        yes(&mut client, &id);
        let answer = client.next();
        if what == "did" {
            did(&answer, "wipe");
        } else {
            assert!(told(&answer).contains(what), "{answer}");
        }
        assert_eq!(bench.log().contains("wipe"), what == "did");
    }
    let bench = Bench::new();
    bench.start().list();
    let mut client = bench.start_with(&["--pin"], &[]);
    client.hands(can_ask());
    client.send(call(1, "wipe", "a").to_string());
    let id = client.next()["id"].clone();
    client.send(call(2, "echo", "turn").to_string());
    did(&client.next(), "echo");
    client.list();
    yes(&mut client, &id);
    assert!(told(&client.next()).contains("not what it was"));
    assert!(!bench.log().contains("\"wipe\""));
}

#[test]
fn a_policy_that_goes_is_no_policy_to_pass_over_and_a_nearer_one_counts() {
    let bench = Bench::with("version = 1\n[[rules]]\nallow_by_default = true\n");
    let inner = bench.path("inner");
    std::fs::create_dir(&inner).unwrap();
    let mut command = bench.policy();
    command.current_dir(&inner).args(["mcp", "--server", "s", "--no-policy", "pass", "--", "sh", "-c"]);
    command.arg(r#"exec "$0" stub::serve --exact --ignored --nocapture 3>&1 >/dev/null"#);
    command.arg(std::env::current_exe().unwrap()).env("STUB_LOG", bench.path("log"));
    let mut client = bench.client(command);
    did(&client.ask(call(1, "set", "x")), "set");
    std::fs::write(
        inner.join("policy.toml"),
        "version = 1\n[[rules]]\ndeny_by_name = [\"*\"]\nreason = \"nearer\"\n",
    )
    .unwrap();
    assert!(told(&client.ask(call(2, "set", "x"))).contains("nearer"));
    std::fs::remove_file(inner.join("policy.toml")).unwrap();
    for _ in 0..2 {
        assert!(told(&client.ask(call(3, "set", "x"))).contains("is gone"));
    }
    std::fs::write(inner.join("policy.toml"), "version = 1\n[[rules]]\nallow_by_default = true\n").unwrap();
    did(&client.ask(call(4, "set", "x")), "set");
    std::fs::remove_file(inner.join("policy.toml")).unwrap();
    std::fs::remove_file(bench.path("policy.toml")).unwrap();
    assert!(told(&client.ask(call(5, "set", "x"))).contains("is gone"));
}

#[test]
fn an_edit_that_keeps_length_and_time_is_seen() {
    let of = |word: &str| {
        format!("version = 1\n[[rules]]\n{word}_by_name = [\"s__set\"]\n# {}\n", "x".repeat(9 - word.len()))
    };
    let bench = Bench::with(&of("allow"));
    let path = bench.path("policy.toml");
    thread::sleep(Duration::from_millis(300));
    let mut client = bench.start();
    did(&client.ask(call(1, "set", "x")), "set");
    let before = std::fs::metadata(&path).unwrap();
    std::fs::write(&path, of("deny")).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().len(), before.len());
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(before.modified().unwrap()).unwrap();
    told(&client.ask(call(2, "set", "x")));
}

#[test]
fn a_server_that_does_not_read_is_told_of_as_such() {
    let bench = Bench::new();
    let mut client = bench.start_with(&["--server-timeout", "0.5"], &[("STUB_MODE", "deaf")]);
    client.send(format!(r#"{{"method":"x","params":"{}"}}"#, "x".repeat(300_000)));
    assert_eq!(client.ended(), Some(1));
    assert!(bench.stderr().contains("has not read anything for 0.5 seconds"), "{}", bench.stderr());
}

#[test]
fn the_name_of_a_server_must_not_be_taken_for_anothers() {
    let bench = Bench::new();
    for (name, other) in [("a__b", "a_b"), ("a_", "a"), ("a____b__", "a_b")] {
        let done = bench.policy().args(["mcp", "--server", name, "--", "true"]).output().unwrap();
        assert_eq!(done.status.code(), Some(2));
        let told = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(told.contains(&format!("write `--server {other}`")), "{told}");
    }
}
