//! Who sent a payload, and what is read from it.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use tool_policy::Mode;
use tool_policy::host::{self, Event, Host, Moment, by_name};

use crate::samples::{folder, json_of, payloads};

/// The hosts that run the hooks of Claude Code's settings file.
const OF_ONE_FILE: [&str; 4] = ["claude-code", "copilot-cli", "cursor", "vscode"];

#[test]
fn every_payload_is_recognised_whatever_the_hook_was_registered_for() {
    for sample in payloads() {
        let mut named = vec![None, Some(sample.host.name())];
        if OF_ONE_FILE.contains(&sample.host.name()) {
            named.extend(OF_ONE_FILE.map(Some));
        }
        for named in named {
            let found = host::caller(named.and_then(by_name), &sample.payload).map(Host::name);
            assert_eq!(found, Some(sample.host.name()), "{} under {named:?}", sample.name);
        }
    }
}

#[test]
fn every_payload_is_read_as_events_json_says() {
    let mut read = BTreeMap::new();
    for sample in payloads() {
        let (host, event) =
            host::read(None, &sample.payload).unwrap_or_else(|e| panic!("{}: {e}", sample.name));
        read.insert(sample.name, written(host.name(), &event));
    }
    let path = folder().join("events.json");
    let read = serde_json::to_value(read).unwrap();
    if std::env::var_os("WRITE_EVENTS").is_some() {
        fs::write(&path, format!("{read:#}\n")).unwrap();
    }
    let expected = json_of(&path);
    for (name, event) in read.as_object().unwrap() {
        assert_eq!(
            Some(event),
            expected.get(name),
            "{name}; WRITE_EVENTS=1 writes the file, to be read by eye"
        );
    }
    assert_eq!(read.as_object().unwrap().len(), expected.as_object().unwrap().len());
}

/// An event, without what it does not have.
fn written(host: &str, event: &Event) -> Value {
    let moment = match event.moment {
        Moment::Before => "before",
        Moment::Permission => "permission",
        Moment::After => "after",
    };
    let call = &event.call;
    let mcp = call.mcp.as_ref().map(|mcp| json!([mcp.server, mcp.tool]));
    let all = json!({
        "host": host, "event": event.name, "moment": moment, "tool": call.tool, "args": call.args, "mcp": mcp,
        "cwd": call.cwd, "project": event.project, "mode": call.mode.map(Mode::name), "id": call.id,
        "agent": call.agent, "reason": call.reason, "reply_to": event.reply_to,
    });
    assert_eq!(call.host.as_deref(), Some(host));
    all.as_object()
        .unwrap()
        .iter()
        .filter(|(_, value)| !value.is_null())
        .map(|(k, v)| (k.clone(), v.clone()))
        .collect()
}
