use std::time::Instant;

use serde_json::json;

use crate::bench::{Bench, call, did, told};

#[test]
fn a_server_that_dies_fails_every_open_request_after_its_last_words() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.hands(json!({"elicitation": {}}));
    client.send(call(1, "echo", "silence").to_string());
    client.send(call(2, "wipe", "x").to_string());
    assert_eq!(client.next()["method"], "elicitation/create");
    client.send(call(3, "echo", "die").to_string());
    assert_eq!(client.next()["params"]["data"], "last words");
    let mut ids: Vec<i64> = (0..3)
        .map(|_| {
            let answer = client.next();
            assert!(answer["error"]["message"].as_str().unwrap().contains("exit status: 3"), "{answer}");
            answer["id"].as_i64().unwrap()
        })
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, [1, 2, 3]);
    assert_eq!(client.ended(), Some(1));
    assert!(bench.stderr().contains("the server ended: exit status: 3"));
}

#[test]
fn garbage_fails_the_open_requests_and_ends() {
    for text in ["garbage", "broken"] {
        let bench = Bench::new();
        let mut client = bench.start();
        client.list();
        client.send(call(1, "echo", text).to_string());
        let answer = client.next();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!(1), &json!(-32000)), "{answer}");
        assert_eq!(client.ended(), Some(1));
        assert!(bench.stderr().contains("no message"));
    }
}

#[test]
fn a_banner_and_where_it_is_wanted_any_stray_line_is_passed_over() {
    let bench = Bench::new();
    let mut client = bench.start_with(&[], &[("STUB_MODE", "banner")]);
    client.list();
    assert!(bench.stderr().contains("Stub server running on stdio"));
    let mut client = bench.start_with(&["--stray-output"], &[]);
    client.list();
    client.send(call(1, "echo", "garbage").to_string());
    did(&client.ask(call(2, "echo", "x")), "echo");
}

#[test]
fn a_server_that_says_nothing_or_does_not_read_is_given_up() {
    let bench = Bench::new();
    let mut client = bench.start_with(&["--server-timeout", "0.5"], &[]);
    client.list();
    client.send(call(1, "echo", "silence").to_string());
    let answer = client.next();
    assert!(
        answer["error"]["message"].as_str().unwrap().contains("not said anything for 0.5 seconds"),
        "{answer}"
    );
    assert_eq!(client.ended(), Some(1));
    let mut client = bench.start_with(&["--server-timeout", "0.5"], &[("STUB_MODE", "deaf")]);
    client.send(format!(r#"{{"id":1,"method":"x","params":"{}"}}"#, "x".repeat(120_000)));
    assert_eq!(client.ended(), Some(1));
}

#[test]
fn a_long_stream_that_is_listened_to_is_no_silence() {
    let bench = Bench::new();
    let mut client = bench.start_with(&["--server-timeout", "0.3"], &[]);
    client.list();
    client.send(r#"{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen"}"#);
    client.next();
    client.nothing();
    client.nothing();
    client.list();
}

#[test]
fn a_fault_in_judging_is_a_denial_and_a_hang_too() {
    let bench = Bench::new();
    let mut faulty = call(1, "set", "x");
    faulty["params"]["arguments"]["fault"] = json!(true);
    let mut client = bench.start_with(&[], &[("POLICY_TEST_FAULT", "panic")]);
    assert!(told(&client.ask(faulty.clone())).contains("judging the call failed"));
    did(&client.ask(call(2, "set", "x")), "set");
    let mut client = bench.start_with(&["--deadline", "0.3"], &[("POLICY_TEST_FAULT", "hang")]);
    let started = Instant::now();
    assert!(told(&client.ask(faulty)).contains("longer than 0.3 seconds"));
    did(&client.ask(call(3, "set", "y")), "set");
    assert!(started.elapsed().as_secs_f64() < 2.0);
    std::thread::sleep(std::time::Duration::from_secs(3));
    did(&client.ask(call(4, "set", "z")), "set");
    assert!(!bench.log().contains("fault"));
}

#[test]
fn what_cannot_be_started_ends_with_status_2() {
    let bench = Bench::new();
    let done = bench.policy().args(["mcp", "--", "./no-such-server"]).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&done.stderr).contains("`./no-such-server` cannot be started"));
    assert_eq!(bench.policy().arg("mcp").output().unwrap().status.code(), Some(2));
    assert_eq!(bench.policy().args(["mcp", "--bad", "--", "x"]).output().unwrap().status.code(), Some(2));
}

#[test]
fn when_the_client_goes_the_server_ends_and_so_does_the_proxy() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.hands(json!({}));
    let started = Instant::now();
    assert_eq!(client.close(), Some(0));
    assert!(started.elapsed().as_secs() < 2);
    let mut client = bench.start();
    client.list();
    client.send(call(1, "echo", "last").to_string());
    drop(client.input.take());
    did(&client.next(), "echo");
    assert_eq!(client.ended(), Some(0));
}
