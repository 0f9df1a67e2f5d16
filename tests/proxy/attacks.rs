use serde_json::json;

use crate::bench::{Bench, call, did};

/// Lines that some server could take for the denied call, or for something else than was judged.
fn lines() -> Vec<Vec<u8>> {
    let call =
        r#"{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"send","arguments":{"text":"x"}}}"#;
    let params = r#""params":{"name":"send","arguments":{"text":"x"}}"#;
    let mut lines: Vec<Vec<u8>> = [
        // Judged and denied, however it is written.
        call.replace("tools/call", "tools\\/call"),
        call.replace("tools/call", "\\u0074ools\\u002fcall"),
        call.replace("\"method\"", "\"\\u006dethod\""),
        call.replace(':', " :\t"),
        format!("{call}\r"),
        format!("[{call}]"),
        format!("  {call}  "),
        call.replace(r#""id":1,"#, ""),
        call.replace(r#""id":1"#, r#""id":null"#),
        // Keys that stand twice, or are taken for others.
        format!(r#"{{"id":1,"method":"ping","method":"tools/call",{params}}}"#),
        format!(r#"{{"id":1,"method":"tools/call","method":"ping",{params}}}"#),
        format!(r#"{{"id":1,"method":"ping","Method":"tools/call",{params}}}"#),
        format!(r#"{{"id":1,"method":"tools/call","params":{{"name":"set"}},{params}}}"#),
        r#"{"id":1,"method":"tools/call","params":{"name":"set"},"Params":{"name":"send"}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","name":"send"}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","NAME":"send"}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","\u006eame":"send"}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","arguments":{},"argument\u017f":{"text":"send"}}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","arguments":{"text":"a","text":"send"}}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","arguments":{"text":"a","Text":"send"}}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","arguments":{"TEXT":"send"}}}"#.into(),
        // Methods that a careless server takes for it.
        call.replace("tools/call", "tools/call "),
        call.replace("tools/call", "Tools/Call"),
        call.replace("tools/call", "tools/call\\u0000"),
        // Lines within lines.
        format!("{{\"a\":\r{call}\r,\"id\":2,\"method\":\"ping\"}}"),
        format!("{{\"id\":2,\"method\":\"ping\"}}\r{call}"),
        format!("{{\"id\":2,\"method\":\"ping\"}}{call}"),
        format!("{{\"id\":2,\"method\":\"ping\"}}\u{2028}{call}"),
        format!("{{\"id\":2,\"method\":\"ping\"}}\0{call}"),
        format!("\u{feff}{call}"),
        format!("[[{call}]]"),
        format!("[{{\"id\":2,\"method\":\"ping\"}},{call}"),
        // Not what a call is.
        r#"{"id":1,"method":"tools/call","params":["send"]}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":["send"],"arguments":{}}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","arguments":["send"]}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","arguments":"send"}}"#.into(),
        r#"{"id":1,"method":["tools/call"],"params":{"name":"send"}}"#.into(),
        r#"{"id":{"a":1},"method":"tools/call","params":{"name":"send"}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","arguments":{"text":"\ud800send"}}}"#.into(),
        // Names that a careless server takes for the denied one.
        call.replace("send", "Send"),
        call.replace("send", "send "),
        call.replace("send", "send\\u200b"),
        call.replace("send", "ｓend"),
        call.replace("send", "\\u017fend"),
        call.replace("send", "s/../send"),
        call.replace("\"send\"", "\"\""),
        call.replace("tools/call", "tools/c\\u200ball"),
        call.replace("tools/call", "ｔools/call"),
        r#"{"id":1,"method":"ping","par\u200bams":{},"p\u00adarams":{"name":"send"}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","na\u200bme":"send"}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","arguments":{"te\u200bxt":"send"}}}"#.into(),
        // Keys that change what others mean, and numbers that are read in two ways.
        r#"{"id":1,"method":"tools/call","params":{"name":"set","arguments":{"a":[{"__proto__":{"text":"send"}}]}}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","__proto__":{"name":"send"}}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","arguments":{"send":100000000000000000001}}}"#.into(),
        r#"{"id":1,"method":"tools/call","params":{"name":"set","arguments":{"send":[-9223372036854775809]}}}"#.into(),
        format!(r#"{{"id":1,"method":"tools/call","params":{{"name":"set","arguments":{{"text":"send","a":{}1{}}}}}}}"#, "[".repeat(200), "]".repeat(200)),
        format!(r#"{{"id":1,"method":"ping","a":{}}}"#, "[".repeat(100_000)),
        format!(r#"{{"a":{}{call}{}}}"#, "[".repeat(300), "]".repeat(300)),
    ]
    .map(String::into_bytes)
    .to_vec();
    // Bytes that are no text, which some readers drop.
    for bad in [&b"\xff"[..], b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80"] {
        let mut line = call.replace("\"tools/call\"", "\"tools/").into_bytes();
        line.truncate(line.iter().position(|b| *b == b'/').unwrap() + 1);
        line.extend_from_slice(bad);
        line.extend_from_slice(format!("call\",{params}}}").as_bytes());
        lines.push(line);
    }
    lines
}

#[test]
fn no_call_slips_through() {
    let bench = Bench::new();
    let mut client = bench.start();
    client.list();
    for (n, line) in lines().into_iter().enumerate() {
        client.send(&line);
        // It is answered, if only by what follows.
        client.send(json!({"jsonrpc": "2.0", "id": format!("after {n}"), "method": "ping"}).to_string());
        let mut answer = client.next();
        while answer["id"] != format!("after {n}") {
            let denied = answer["result"]["isError"] == true || answer.get("error").is_some();
            let harmless = answer["result"]["method"] == "ping";
            assert!(denied || harmless, "{}: {answer}", String::from_utf8_lossy(&line));
            answer = client.next();
        }
    }
    did(&client.ask(call("last", "echo", "x")), "echo");
    let log = bench.log();
    assert!(!log.contains("send"), "{log}");
    assert!(!log.contains('\r') && !log.contains("Tools/"), "{log}");
}
