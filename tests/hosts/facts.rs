//! Rules on commands, files, addresses and MCP tools bite on every host: the arguments of each tool that names one are known.
//!
//! `tools.json` has, for each host, the tools that its hooks see: of which kind they are, and which argument names what.

use serde_json::{Map, Value, json};
use tool_policy::host::read;
use tool_policy::{Answer, Format, Policy, RealDisk, Surroundings};

use crate::samples::{before, folder, json_of, payload, recorded};

const COMMAND: &str = "echo ok && rm -rf build";
const FILE: &str = "conf/secret.txt";
const ADDRESS: &str = "https://evil.example/x";
const PATCH: &str = "*** Begin Patch\n*** Update File: conf/secret.txt\n@@\n-a\n+b\n*** End Patch\n";

/// A rule that denies, and one that denies something else.
struct Rules {
    bites: &'static str,
    passes: &'static str,
}

const RUNS: Rules = Rules { bites: "when.runs = [\"rm *\"]", passes: "when.runs = [\"git *\"]" };
const READS: Rules =
    Rules { bites: "when.reads = [\"conf/*\"]", passes: "when.reads = [\"/home/user/elsewhere/**\"]" };
const WRITES: Rules = Rules {
    bites: "when.writes = [\"conf/secret.*\"]",
    passes: "when.writes = [\"/home/user/elsewhere/**\"]",
};
const FETCHES: Rules =
    Rules { bites: "when.fetches = [\"evil.example\"]", passes: "when.fetches = [\"good.example\"]" };

/// Tools of which nobody can tell what they do besides: a denial of something else is not ruled out for them.
const OPAQUE: &[(&str, &str)] = &[
    ("claude-code", "PowerShell"),
    ("copilot-cli", "powershell"),
    ("copilot-cli", "write_bash"),
    // It goes back to a worktree's branch, which may be anywhere.
    ("claude-code", "EnterWorktree"),
    ("claude-code", "ExitWorktree"),
    // They send to places that no argument names.
    ("claude-code", "Artifact"),
    ("cline-vscode", "browser_action"),
    ("gemini-cli", "web_fetch"),
];

/// What is to be put where an argument names something of this sort.
fn filling(neutral: &str) -> Option<Value> {
    Some(match neutral {
        "command" => json!(COMMAND),
        "commands" => json!([COMMAND]),
        "path" | "paths" => json!(FILE),
        "url" | "urls" => json!(ADDRESS),
        "urls_in_text" => json!(format!("Look at {ADDRESS} and say what is there")),
        "patch" => json!(PATCH),
        _ => return None,
    })
}

/// Puts a value where `files[].path` or `ws.url` says.
fn put(into: &mut Map<String, Value>, at: &str, value: Value) {
    let (head, rest) = at.split_once('.').map_or((at, None), |(head, rest)| (head, Some(rest)));
    let (key, list) = head.strip_suffix("[]").map_or((head, false), |key| (key, true));
    let inner = match rest {
        None => value,
        Some(rest) => {
            let mut inner = Map::new();
            put(&mut inner, rest, value);
            Value::Object(inner)
        }
    };
    into.insert(key.to_owned(), if list && !inner.is_array() { json!([inner]) } else { inner });
}

/// The payload of a call of this tool with what is to be found in it, and the rules that are to bite.
fn made(host: &str, entry: &Value) -> Option<(Value, Vec<&'static Rules>)> {
    let tool = entry["tool"].as_str().unwrap();
    let mut input = Map::new();
    let mut rules = Vec::new();
    for (neutral, at) in entry["args"].as_object().unwrap() {
        let Some(mut value) = filling(neutral) else { continue };
        let at = at.as_str().unwrap();
        if matches!(neutral.as_str(), "paths" | "urls") && !at.contains("[]") {
            value = json!([value]);
        }
        rules.push(match (neutral.as_str(), entry["kind"].as_str().unwrap()) {
            ("command" | "commands", _) => &RUNS,
            ("url" | "urls" | "urls_in_text", _) => &FETCHES,
            (_, "write") => &WRITES,
            (_, "read" | "search") => &READS,
            (neutral, kind) => panic!("{host}: {tool}: `{neutral}` of kind {kind}"),
        });
        put(&mut input, at.trim_start_matches('/').trim_start_matches("tool_info."), value);
    }
    if rules.is_empty() {
        return None;
    }
    Some((in_payload(host, tool, &input), rules))
}

/// Tools that are an event of their own have their arguments elsewhere in the payload.
fn in_payload(host: &str, tool: &str, input: &Map<String, Value>) -> Value {
    let name = tool.trim_matches(['(', ')']).trim_start_matches("event ");
    match host {
        "windsurf" => {
            let mut value = recorded(&format!("windsurf/{name}"));
            value["tool_info"].as_object_mut().unwrap().extend(input.clone());
            value["tool_info"]["cwd"] = json!("/home/user/project");
            value
        }
        "cursor" if name != tool => {
            let mut value = recorded(&format!("cursor/{name}"));
            value.as_object_mut().unwrap().extend(input.clone());
            value
        }
        _ => before(host, tool, input),
    }
}

#[track_caller]
fn answer(value: &Value, rule: &str) -> Answer {
    let text = format!(
        "version = 1\n[[rules]]\ndeny_by_name = [\"*\"]\n{rule}\n[[rules]]\nallow_by_default = true\n"
    );
    denied_under(value, &text)
}

#[track_caller]
fn denied_under(value: &Value, text: &str) -> Answer {
    let policy = Policy::parse("p.toml", Format::Toml, text).unwrap_or_else(|e| panic!("{e}"));
    let (_, event) = read(None, &payload(value)).unwrap_or_else(|e| panic!("{e}: {value}"));
    let disk = RealDisk::new(Some("/home/user".to_owned()));
    let surroundings = Surroundings { workspace: Some("/home/user/project"), ..Surroundings::new(&disk) };
    policy.evaluate(&event.call, &surroundings).verdict
}

#[test]
fn rules_on_parts_bite_on_every_tool_that_has_them() {
    let tools = json_of(&folder().join("tools.json"));
    let mut seen = 0;
    let mut problems = Vec::new();
    for (host, entries) in tools.as_object().unwrap() {
        let (host, pascal) = match host.split_once('(') {
            Some((host, _)) => (host, true),
            None => (host.as_str(), false),
        };
        for entry in entries.as_array().unwrap() {
            let tool = entry["tool"].as_str().unwrap();
            let (pattern, entry) = match entry["same_args_as"].as_str() {
                Some(same) => {
                    let own = tools[host].as_array().unwrap().iter().find(|e| e["tool"] == same).unwrap();
                    let mut own = own.clone();
                    own["tool"] = json!(tool);
                    (format!("{host}-pascal"), own)
                }
                None => (host.to_owned(), entry.clone()),
            };
            assert_eq!(pascal, pattern.ends_with("-pascal"));
            let Some((value, rules)) = made(&pattern, &entry) else { continue };
            seen += 1;
            for rules in rules {
                if answer(&value, rules.bites) != Answer::Deny {
                    problems.push(format!("{host}: {tool}: {} does not deny", rules.bites));
                }
                if answer(&value, rules.passes) != Answer::Allow && !OPAQUE.contains(&(host, tool)) {
                    problems.push(format!("{host}: {tool}: {} does not let it pass", rules.passes));
                }
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
    assert!(seen > 80, "{seen}");
}

const WIPE: &str =
    "version = 1\n[[rules]]\ndeny_by_name = [\"demo__wipe\"]\n[[rules]]\nallow_by_default = true\n";

#[track_caller]
fn is_wipe(value: &Value) {
    assert_eq!(denied_under(value, WIPE), Answer::Deny, "{value}");
    assert_eq!(denied_under(value, &WIPE.replace("wipe", "other")), Answer::Allow, "{value}");
}

#[test]
fn a_tool_of_a_server_is_denied_by_its_one_name_on_every_host() {
    let input = Map::from_iter([("path".to_owned(), json!("/tmp/zz"))]);
    for (folder, tool) in [
        ("claude-code", "mcp__demo__wipe"),
        ("codex", "mcp__demo__wipe"),
        ("copilot-cli", "demo-wipe"),
        ("copilot-cli-pascal", "demo-wipe"),
        ("factory-droid", "demo___wipe"),
        ("factory-droid", "mcp__demo__wipe"),
        ("gemini-cli", "mcp_demo_wipe"),
        ("goose", "demo__wipe"),
        ("kiro", "@demo/wipe"),
        ("opencode", "demo_wipe"),
        ("vscode", "mcp_demo_wipe"),
    ] {
        is_wipe(&before(folder, tool, &input));
    }
    is_wipe(&recorded("copilot-cli/permissionRequest.demo-wipe"));
    is_wipe(&recorded("claude-code/PermissionRequest.mcp__demo__wipe"));
}

#[test]
fn a_tool_of_a_server_is_denied_where_the_host_names_the_server_elsewhere() {
    let mut cursor = recorded("cursor/beforeMCPExecution");
    cursor["mcp_server_name"] = json!("demo");
    cursor["tool_name"] = json!("wipe");
    is_wipe(&cursor);
    let mut gemini = recorded("gemini-cli/BeforeTool.mcp_demo_echo");
    gemini["tool_name"] = json!("mcp_demo_wip...");
    gemini["mcp_context"]["tool_name"] = json!("wipe");
    is_wipe(&gemini);
    let mut windsurf = recorded("windsurf/pre_mcp_tool_use");
    windsurf["tool_info"]["mcp_server_name"] = json!("demo");
    windsurf["tool_info"]["mcp_tool_name"] = json!("wipe");
    is_wipe(&windsurf);
    let input = json!({"server_name": "demo", "tool_name": "wipe", "arguments": "{\"path\": \"/tmp/zz\"}"});
    is_wipe(&before("cline-vscode", "use_mcp_tool", input.as_object().unwrap()));
}
