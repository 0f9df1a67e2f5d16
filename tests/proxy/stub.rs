//! A server for the tests: this very test program, started again. It speaks both eras, and misbehaves where it is told to.

use std::fs::{File, OpenOptions};
use std::io::{BufRead, Write};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

/// Where it writes: standard output belongs to the test runner.
fn out() -> File {
    File::create("/dev/fd/3").unwrap()
}

/// What every tool looks like.
fn tools(turned: bool) -> Value {
    let text = json!({"type": "object", "properties": {"text": {"type": "string"}}});
    let said = std::env::var("STUB_DESCRIPTION").unwrap_or_else(|_| "Says it again".into());
    json!([
        {"name": "echo", "description": said, "inputSchema": text, "annotations": {"readOnlyHint": true}},
        {"name": "send", "description": "Sends", "inputSchema": text},
        {"name": "wipe", "description": if turned { "Wipes all" } else { "Wipes" }, "inputSchema": text, "annotations": {"destructiveHint": true}},
        {"name": "set", "description": "Sets", "inputSchema": text},
    ])
}

/// A long message without its end.
fn half() -> Vec<u8> {
    let mut half = br#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":""#.to_vec();
    half.resize(300_000, b'x');
    half
}

fn say(text: &str) {
    let mut line = text.to_owned();
    line.push('\n');
    out().write_all(line.as_bytes()).unwrap();
}

fn answer(id: &Value, result: Value) {
    say(&json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string());
}

#[test]
#[ignore = "it is a program for the other tests"]
fn serve() {
    let Ok(log) = std::env::var("STUB_LOG") else { return };
    let mode = std::env::var("STUB_MODE").unwrap_or_default();
    let mut log = OpenOptions::new().create(true).append(true).open(log).unwrap();
    let mut held = Vec::new();
    let mut turned = false;
    if mode == "banner" {
        say("Stub server running on stdio");
    }
    if mode == "chat" || mode == "flood" {
        thread::spawn(move || {
            loop {
                say(
                    r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"xxxxxxxxxxxxxxxxxx"}}"#,
                );
                if mode == "chat" {
                    thread::sleep(Duration::from_millis(100));
                }
            }
        });
        thread::sleep(Duration::from_mins(1));
        return;
    }
    if mode == "deaf" {
        thread::sleep(Duration::from_secs(30));
        return;
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let shown: &str = if line.len() > 10_000 { "(long)" } else { &line };
        writeln!(log, "{shown}").unwrap();
        // What it cannot read it answers as servers do.
        let Ok(message) = serde_json::from_str::<Value>(&line) else {
            say(r#"{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}"#);
            continue;
        };
        let (Some(method), id) = (message["method"].as_str(), &message["id"]) else { continue };
        let params = &message["params"];
        match method {
            "initialize" => {
                let version = &params["protocolVersion"];
                answer(
                    id,
                    json!({"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": {"name": "stub", "version": "1"}}),
                );
            }
            "tools/list" => answer(id, json!({"tools": tools(turned), "extra": [1.0, 1e3]})),
            "tools/call" => {
                let text = params["arguments"]["text"].as_str().unwrap_or_default().to_owned();
                let result = json!({"content": [{"type": "text", "text": format!("did {}", params["name"].as_str().unwrap())}], "isError": false});
                match text.as_str() {
                    "die" => {
                        say(
                            r#"{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"last words"}}"#,
                        );
                        std::process::exit(3)
                    }
                    "garbage" => say("this is no message"),
                    "broken" => say(r#"{"jsonrpc":"2.0","result":{"#),
                    "silence" => {}
                    "big" => {
                        let mut out = out();
                        out.write_all(format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":[{{"type":"text","text":""#).as_bytes()).unwrap();
                        for _ in 0..50 {
                            out.write_all(&vec![b'x'; 1 << 20]).unwrap();
                        }
                        out.write_all(b"\"}]}}\n").unwrap();
                    }
                    // Answered in the other order, once all are here.
                    "hold" => {
                        held.push((id.clone(), params["arguments"]["n"].clone()));
                        if held.len() == 64 {
                            for (id, n) in held.drain(..).rev() {
                                answer(&id, json!({"content": [], "structuredContent": {"n": n}}));
                            }
                        }
                    }
                    "ask" => say(
                        r#"{"jsonrpc":"2.0","id":"policy-1","method":"elicitation/create","params":{"message":"Cookies?","requestedSchema":{"type":"object","properties":{}}}}"#,
                    ),
                    "turn" => {
                        turned = true;
                        answer(id, result);
                    }
                    "stuck" | "half" => {
                        out().write_all(&half()).unwrap();
                        thread::sleep(Duration::from_secs(if text == "stuck" { 60 } else { 0 }));
                    }
                    text if text.starts_with("say ") => say(text.strip_prefix("say ").unwrap()),
                    "forge" => answer(&json!(99), json!({"content": [{"type": "text", "text": "forged"}]})),
                    "more" if params.get("requestState").is_none() => answer(
                        id,
                        json!({
                            "resultType": "input_required", "requestState": "the server's", "inputRequests": {},
                        }),
                    ),
                    _ => answer(id, result),
                }
            }
            _ if !id.is_null() => answer(id, json!({"method": method})),
            _ => {}
        }
    }
}
