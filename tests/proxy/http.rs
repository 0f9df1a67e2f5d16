use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use serde_json::{Value, json};

use crate::bench::{Bench, Client, call, did, modern, told};

/// What came in: method and headers, and the message.
type Seen = Arc<Mutex<Vec<(String, Value)>>>;

/// A server over HTTP; answers of calls are streams of events.
fn server() -> (String, Seen) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let seen = Seen::default();
    let all = Arc::clone(&seen);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let (stream, seen) = (stream.unwrap(), Arc::clone(&all));
            thread::spawn(move || serve(stream, &seen));
        }
    });
    (url, seen)
}

fn serve(stream: TcpStream, seen: &Seen) {
    let mut reader = BufReader::new(stream.try_clone().unwrap());
    let mut out = stream;
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let lower = head.to_lowercase();
        let length = lower
            .split("content-length: ")
            .nth(1)
            .map_or(0, |rest| rest.split('\r').next().unwrap().parse().unwrap());
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        seen.lock().unwrap().push((lower.clone(), message.clone()));
        let id = &message["id"];
        let answer = |result: Value| json!({"jsonrpc": "2.0", "id": id, "result": result});
        let text = message["params"]["arguments"]["text"].as_str().unwrap_or_default();
        let (status, kind, body) = match message["method"].as_str().unwrap_or_default() {
            "" => ("405 Method Not Allowed", "text/plain", String::new()),
            "initialize" => {
                let told = answer(
                    json!({"protocolVersion": "2025-06-18", "capabilities": {}, "serverInfo": {"name": "h", "version": "1"}}),
                );
                ("200 OK", "application/json\r\nMcp-Session-Id: abc", format!("{told:#}"))
            }
            "tools/list" => {
                let schema = json!({"type": "object", "properties": {"text": {"type": "string", "x-mcp-header": "Text"}}});
                let tools =
                    json!([{"name": "set", "inputSchema": schema}, {"name": "send", "inputSchema": schema}]);
                ("200 OK", "application/json", answer(json!({"tools": tools})).to_string())
            }
            "tools/call" if text == "refuse" || message["params"]["name"] == "wipe" => {
                let error = json!({"jsonrpc": "2.0", "id": null, "error": {"code": -32022, "message": "no", "data": {"supported": []}}});
                ("400 Bad Request", "application/json", error.to_string())
            }
            "tools/call" => {
                let said = answer(
                    json!({"content": [{"type": "text", "text": format!("did {}", message["params"]["name"].as_str().unwrap())}]}),
                );
                let progress = json!({"jsonrpc": "2.0", "method": "notifications/progress", "params": {}});
                (
                    "200 OK",
                    "text/event-stream; charset=utf-8",
                    format!(": hello\n\nevent: message\ndata: {progress}\n\nid: 7\ndata: {said}\n\n"),
                )
            }
            "cut" => {
                ("200 OK", "text/event-stream", format!("data: {{\"jsonrpc\":\"2.0\",\"id\":{id},\"resu"))
            }
            "nothing" => ("500 Internal Server Error", "text/html", "<html>".into()),
            _ => ("202 Accepted", "text/plain", String::new()),
        };
        let text = format!(
            "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        out.write_all(text.as_bytes()).unwrap();
    }
}

fn start(bench: &Bench, url: &str) -> Client {
    let mut command = bench.policy();
    command.args(["mcp", "--server", "s", "--url", url, "--header", "Authorization: Bearer x"]);
    bench.client(command)
}

fn headers(seen: &Seen, method: &str) -> String {
    seen.lock().unwrap().iter().find(|(_, m)| m["method"] == method).map(|(head, _)| head.clone()).unwrap()
}

#[test]
fn with_a_handshake_the_session_and_its_version_go_along() {
    let (bench, (url, seen)) = (Bench::new(), server());
    let mut client = start(&bench, &url);
    client.hands(json!({}));
    client.send(call(1, "set", "x").to_string());
    assert_eq!(client.next()["method"], "notifications/progress");
    did(&client.next(), "set");
    told(&client.ask(call(2, "send", "x")));
    let first = headers(&seen, "initialize");
    assert!(
        first.contains("authorization: bearer x")
            && first.contains("accept: application/json, text/event-stream")
            && !first.contains("mcp-session-id"),
        "{first}"
    );
    for method in ["notifications/initialized", "tools/list", "tools/call"] {
        let found = headers(&seen, method);
        assert!(
            found.contains("mcp-session-id: abc") && found.contains("mcp-protocol-version: 2025-06-18"),
            "{found}"
        );
        assert!(!found.contains("mcp-method"), "{found}");
    }
    assert_eq!(client.close(), Some(0));
    let seen = seen.lock().unwrap();
    assert!(seen.iter().any(|(head, _)| head.starts_with("delete ")));
    assert!(!seen.iter().any(|(_, m)| m["params"]["name"] == "send"));
}

#[test]
fn without_one_the_headers_say_what_the_changed_message_says() {
    let (bench, (url, seen)) = (Bench::new(), server());
    let mut client = start(&bench, &url);
    client.list();
    client.send(modern(1, "set", "as asked", json!({})).to_string());
    client.next();
    did(&client.next(), "set");
    let found = headers(&seen, "tools/call");
    for header in [
        "mcp-protocol-version: 2026-07-28",
        "mcp-method: tools/call",
        "mcp-name: set",
        "mcp-param-text: changed",
    ] {
        assert!(found.contains(header), "{found}");
    }
    assert_eq!(client.ask(modern(2, "send", "x", json!({})))["result"]["resultType"], "complete");
}

#[test]
fn each_failure_is_an_error_of_its_request_alone() {
    let bench = Bench::with("version = 1\n[[rules]]\nallow_by_default = true\n");
    let (url, _) = server();
    let mut client = start(&bench, &url);
    assert_eq!(
        client.ask(call(1, "x", "refuse"))["error"],
        json!({"code": -32022, "message": "no", "data": {"supported": []}})
    );
    for (method, text) in [("cut", "too early"), ("nothing", "500"), ("other", "ended before")] {
        let answer = client.ask(json!({"jsonrpc": "2.0", "id": 2, "method": method}));
        assert!(answer["error"]["message"].as_str().unwrap().contains(text), "{answer}");
    }
    client.send(call(3, "set", "x").to_string());
    client.next();
    did(&client.next(), "set");
    let mut client = start(&bench, "http://127.0.0.1:1/mcp");
    let answer = client.ask(json!({"jsonrpc": "2.0", "id": 2, "method": "x"}));
    assert!(answer["error"]["message"].as_str().unwrap().contains("cannot be reached"), "{answer}");
    let done = bench.policy().args(["mcp", "--url", "ftp://x"]).output().unwrap();
    assert_eq!(done.status.code(), Some(2));
}
