//! One tool call: the tool, its arguments, what is said of it, and where it is made.

pub mod json;
#[cfg(feature = "schema")]
pub mod schema;

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// A tool call as a host hands it over, before it runs.
///
/// ```
/// use tool_policy::Call;
/// let call = Call::new("read_file").arg("path", "src/lib.rs");
/// assert_eq!(call.shown(), r#"read_file(path="src/lib.rs")"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Call {
    /// The tool's name as the model calls it.
    pub tool: String,
    /// The arguments, in the order the model gave them.
    pub args: Map<String, Value>,
    /// The call's id in the host, given back as `call_id`.
    pub id: Option<String>,
    /// What the tool says of this call.
    pub hints: Hints,
    /// Set for a tool of an MCP server.
    pub mcp: Option<McpTool>,
    /// The host program whose tool names and modes these are, such as `claude-code`.
    pub host: Option<String>,
    /// The folder that relative paths start from. Default: the workspace.
    pub cwd: Option<String>,
    /// The root folder of the project. Default: the folder of the policy file.
    pub workspace: Option<String>,
    /// How freely the host is set to run.
    pub mode: Option<Mode>,
    /// The name of the agent or subagent that makes the call.
    pub agent: Option<String>,
    /// Variables that the host sets for the program it starts, beyond its own environment.
    pub env: BTreeMap<String, String>,
    /// The preview that a person would see.
    pub confirmation: Option<Confirmation>,
    /// Why the host asks. Default: derived from the mode.
    pub reason: Option<AskReason>,
    /// A made-up file tree in place of the disk, for tests.
    pub fs: Option<Value>,
}

/// What a tool says of a call. `None`: it does not say, and the worst is assumed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hints {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// Doing it twice does no more than doing it once.
    pub idempotent: Option<bool>,
    /// It reaches things outside a closed set (the web).
    pub open_world: Option<bool>,
}

impl Hints {
    /// Whether the call is said to change nothing; assumed not.
    pub fn read_only(self) -> bool {
        self.read_only.unwrap_or(false)
    }
    /// Whether the call may destroy something; assumed so, unless it is read-only.
    pub fn destructive(self) -> bool {
        self.destructive.unwrap_or(!self.read_only())
    }
    /// Whether doing it twice is the same as once; assumed not, unless it is read-only.
    pub fn idempotent(self) -> bool {
        self.idempotent.unwrap_or(self.read_only())
    }
    /// Whether it reaches outside a closed set; assumed so.
    pub fn open_world(self) -> bool {
        self.open_world.unwrap_or(true)
    }

    /// The hints of `self`, filled up from `other` where they say nothing and do not contradict.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        Self {
            read_only: self.read_only.or(other.read_only),
            destructive: self.destructive.or(other.destructive),
            idempotent: self.idempotent.or(other.idempotent),
            open_world: self.open_world.or(other.open_world),
        }
    }

    /// What contradicts itself in these hints, in words.
    pub fn contradiction(self) -> Option<&'static str> {
        match (self.read_only, self.destructive, self.idempotent) {
            (Some(true), Some(true), _) => Some("hints: `read_only` and `destructive` cannot both be true"),
            (Some(true), _, Some(false)) => {
                Some("hints: a `read_only` call is idempotent, so `idempotent` cannot be false")
            }
            _ => None,
        }
    }
}

/// The server and the tool behind an MCP tool's name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct McpTool {
    /// The server's name as it is configured.
    pub server: String,
    /// The tool's name at the server.
    pub tool: String,
}

impl McpTool {
    /// The name that rules match.
    pub(crate) fn name(&self) -> String {
        format!("{}__{}", self.server, self.tool)
    }
}

/// How freely a host is set to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Mode {
    /// A person is asked about commands and edits.
    Default,
    /// Edits are accepted, commands are asked about.
    AcceptEdits,
    /// Nothing is asked.
    Yolo,
}

impl Mode {
    /// Its name in policies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::AcceptEdits => "accept_edits",
            Self::Yolo => "yolo",
        }
    }

    /// The mode that `text` names: one of our own names, or of the host's.
    pub fn parse(host: Option<&str>, text: &str) -> Option<Self> {
        let own = match text {
            "default" => Some(Self::Default),
            "accept_edits" => Some(Self::AcceptEdits),
            "yolo" => Some(Self::Yolo),
            _ => None,
        };
        own.or_else(|| {
            HOST_MODES.iter().find(|(h, name, _)| Some(*h) == host && *name == text).map(|(_, _, mode)| *mode)
        })
    }

    fn known(host: Option<&str>) -> String {
        let mut names = vec!["default", "accept_edits", "yolo"];
        names.extend(HOST_MODES.iter().filter(|(h, _, _)| Some(*h) == host).map(|(_, name, _)| *name));
        names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
    }
}

/// What the hosts call their modes. A mode in which the host refuses or judges by itself counts as `default`: nothing is taken for granted there.
const HOST_MODES: &[(&str, &str, Mode)] = &[
    ("claude-code", "plan", Mode::Default),
    ("claude-code", "acceptEdits", Mode::AcceptEdits),
    ("claude-code", "auto", Mode::Default),
    ("claude-code", "dontAsk", Mode::Default),
    ("claude-code", "bypassPermissions", Mode::Yolo),
    ("codex", "plan", Mode::Default),
    ("codex", "acceptEdits", Mode::AcceptEdits),
    ("codex", "dontAsk", Mode::Default),
    ("codex", "bypassPermissions", Mode::Yolo),
    ("gemini-cli", "autoEdit", Mode::AcceptEdits),
    ("gemini-cli", "auto_edit", Mode::AcceptEdits),
    ("gemini-cli", "plan", Mode::Default),
    ("factory-droid", "off", Mode::Default),
    ("factory-droid", "spec", Mode::Default),
    ("factory-droid", "auto-low", Mode::AcceptEdits),
    ("factory-droid", "auto-medium", Mode::AcceptEdits),
    ("factory-droid", "auto-high", Mode::Yolo),
    ("adal", "acceptEdits", Mode::AcceptEdits),
    ("adal", "accept-edits", Mode::AcceptEdits),
    ("adal", "bypassPermissions", Mode::Yolo),
];

/// Why a host asks before a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum AskReason {
    /// A person would be asked.
    Prompt,
    /// Nobody would be asked; only the policy is.
    Policy,
}

impl AskReason {
    /// Its name in policies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prompt => "prompt",
            Self::Policy => "policy",
        }
    }
}

/// The preview that a person would see before saying yes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Confirmation {
    /// The file that would change.
    pub file_name: Option<String>,
    /// The change as a diff.
    pub file_diff: Option<String>,
    /// The preview's heading.
    pub title: Option<String>,
}

/// Why something is not a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct CallError {
    /// What is wrong, all of it.
    pub message: String,
    /// The call's id, where it could be read.
    pub id: Option<String>,
}

impl Call {
    /// A call of `tool` without arguments.
    pub fn new(tool: impl Into<String>) -> Self {
        Self { tool: tool.into(), ..Self::default() }
    }

    /// With an argument more.
    #[must_use]
    pub fn arg(mut self, name: impl Into<String>, value: impl Into<Value>) -> Self {
        self.args.insert(name.into(), value.into());
        self
    }

    /// With the tool's word that this call changes nothing, or does.
    #[must_use]
    pub fn read_only(mut self, yes: bool) -> Self {
        self.hints.read_only = Some(yes);
        self
    }

    /// With an id.
    #[must_use]
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The name that rules match: `{server}__{tool}` for a tool of an MCP server, else the tool's own.
    pub fn name(&self) -> Cow<'_, str> {
        match &self.mcp {
            Some(mcp) => mcp.name().into(),
            None => self.tool.as_str().into(),
        }
    }

    /// The call as one line of code, `tool(key=json, …)`, as questions show it.
    pub fn shown(&self) -> String {
        let mut out = format!("{}(", self.tool);
        for (i, (name, value)) in self.args.iter().enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            out.push_str(name);
            out.push('=');
            write_json(value, &mut out);
        }
        out.push(')');
        out
    }

    /// A hash of tool, server, canonical arguments and cwd, `sha256:…`: it binds an answer to this call and no other.
    pub fn digest(&self) -> String {
        let mut text = String::new();
        match &self.mcp {
            // Apart, as `a__b` and `c` make the same name as `a` and `b__c`.
            Some(mcp) => {
                let parts = [mcp.server.as_str(), mcp.tool.as_str()];
                write_canonical(&Value::from(parts.as_slice()), &mut text);
            }
            None => write_canonical(&Value::String(self.tool.clone()), &mut text),
        }
        write_canonical(&Value::String(self.tool.clone()), &mut text);
        write_canonical(&Value::Object(self.args.clone()), &mut text);
        write_canonical(&self.cwd.clone().map_or(Value::Null, Value::String), &mut text);
        sha256(text.as_bytes())
    }

    /// Reads a call from JSON. Every problem is in the message.
    pub fn from_json(value: Value) -> Result<Self, CallError> {
        let Value::Object(mut map) = value else {
            return Err(CallError {
                message: format!(
                    "a call is an object such as {{\"tool\": \"read_file\", \"args\": {{}}}}, not {}",
                    kind_of(&value)
                ),
                id: None,
            });
        };
        let mut problems = Vec::new();
        let id = take_text(&mut map, "id", &mut problems);
        let tool = take_text(&mut map, "tool", &mut problems);
        if tool.is_none() && problems.is_empty() {
            problems.push("a call needs `tool`, the name of the tool".to_owned());
        }
        let args = match map.shift_remove("args") {
            Some(Value::Object(args)) => args,
            None => Map::new(),
            Some(other) => {
                problems.push(format!("`args` must be an object, not {}", kind_of(&other)));
                Map::new()
            }
        };
        let mcp = take_mcp(&mut map, &mut problems);
        let hints = take_hints(&mut map, mcp.is_some(), &mut problems);
        let host = take_text(&mut map, "host", &mut problems);
        let mode = take_text(&mut map, "mode", &mut problems).and_then(|text| {
            let mode = Mode::parse(host.as_deref(), &text);
            if mode.is_none() {
                problems.push(format!("unknown mode `{text}`; known are {}", Mode::known(host.as_deref())));
            }
            mode
        });
        let reason = take_text(&mut map, "reason", &mut problems).and_then(|text| match text.as_str() {
            "prompt" => Some(AskReason::Prompt),
            "policy" => Some(AskReason::Policy),
            _ => {
                problems.push(format!("`reason` is `prompt` or `policy`, not `{text}`"));
                None
            }
        });
        let call = Self {
            tool: tool.unwrap_or_default(),
            args,
            id: id.clone(),
            hints,
            mcp,
            host,
            cwd: take_text(&mut map, "cwd", &mut problems),
            workspace: take_text(&mut map, "workspace", &mut problems),
            mode,
            agent: take_text(&mut map, "agent", &mut problems),
            env: take_env(&mut map, &mut problems),
            confirmation: take_confirmation(&mut map, &mut problems),
            reason,
            fs: map.shift_remove("fs"),
        };
        problems.extend(map.keys().map(|key| unknown_key(key, KEYS)));
        if problems.is_empty() { Ok(call) } else { Err(CallError { message: problems.join("; "), id }) }
    }
}

/// The keys of a call in JSON.
pub(crate) const KEYS: &[&str] = &[
    "tool",
    "args",
    "id",
    "hints",
    "mcp",
    "host",
    "cwd",
    "workspace",
    "mode",
    "agent",
    "env",
    "confirmation",
    "reason",
    "fs",
];

fn unknown_key(key: &str, known: &[&str]) -> String {
    let near =
        known.iter().max_by(|a, b| strsim::jaro_winkler(key, a).total_cmp(&strsim::jaro_winkler(key, b)));
    match near.filter(|near| strsim::jaro_winkler(key, near) > 0.8) {
        Some(near) => format!("unknown key `{key}` in the call; did you mean `{near}`?"),
        None => format!("unknown key `{key}` in the call; known are {}", known.join(", ")),
    }
}

fn take_text(map: &mut Map<String, Value>, key: &str, problems: &mut Vec<String>) -> Option<String> {
    match map.shift_remove(key)? {
        Value::String(text) => Some(text),
        Value::Null => None,
        other => {
            problems.push(format!("`{key}` must be a string, not {}", kind_of(&other)));
            None
        }
    }
}

fn take_mcp(map: &mut Map<String, Value>, problems: &mut Vec<String>) -> Option<McpTool> {
    let mut inner = match map.shift_remove("mcp")? {
        Value::Object(inner) => inner,
        Value::Null => return None,
        other => {
            problems.push(format!("`mcp` must be {{\"server\", \"tool\"}}, not {}", kind_of(&other)));
            return None;
        }
    };
    let (server, tool) = (take_text(&mut inner, "server", problems), take_text(&mut inner, "tool", problems));
    problems.extend(inner.keys().map(|key| unknown_key(key, &["server", "tool"])));
    if let (Some(server), Some(tool)) = (server, tool) {
        Some(McpTool { server, tool })
    } else {
        problems.push("`mcp` needs both `server` and `tool`".to_owned());
        None
    }
}

fn take_hints(map: &mut Map<String, Value>, of_server: bool, problems: &mut Vec<String>) -> Hints {
    let mut inner = match map.shift_remove("hints") {
        Some(Value::Object(inner)) => inner,
        None | Some(Value::Null) => return Hints::default(),
        // A server writes its hints itself: what has a wrong type there counts as not said.
        Some(_) if of_server => return Hints::default(),
        Some(other) => {
            problems.push(format!("`hints` must be an object, not {}", kind_of(&other)));
            return Hints::default();
        }
    };
    let mut take = |key: &str| match inner.shift_remove(key) {
        Some(Value::Bool(yes)) => Some(yes),
        None | Some(Value::Null) => None,
        Some(_) if of_server => None,
        Some(other) => {
            problems.push(format!("hint `{key}` must be true or false, not {}", kind_of(&other)));
            None
        }
    };
    let hints = Hints {
        read_only: take("read_only"),
        destructive: take("destructive"),
        idempotent: take("idempotent"),
        open_world: take("open_world"),
    };
    problems.extend(
        inner.keys().map(|key| unknown_key(key, &["read_only", "destructive", "idempotent", "open_world"])),
    );
    problems.extend(hints.contradiction().map(str::to_owned));
    hints
}

fn take_env(map: &mut Map<String, Value>, problems: &mut Vec<String>) -> BTreeMap<String, String> {
    let mut env = BTreeMap::new();
    match map.shift_remove("env") {
        None | Some(Value::Null) => {}
        Some(Value::Object(inner)) => {
            for (name, value) in inner {
                match value {
                    Value::String(text) => drop(env.insert(name, text)),
                    other => {
                        problems.push(format!("variable `{name}` must be a string, not {}", kind_of(&other)));
                    }
                }
            }
        }
        Some(other) => problems.push(format!("`env` must be an object of strings, not {}", kind_of(&other))),
    }
    env
}

fn take_confirmation(map: &mut Map<String, Value>, problems: &mut Vec<String>) -> Option<Confirmation> {
    match map.shift_remove("confirmation")? {
        Value::Null => None,
        Value::Object(mut inner) => {
            let found = Confirmation {
                file_name: take_text(&mut inner, "file_name", problems),
                file_diff: take_text(&mut inner, "file_diff", problems),
                title: take_text(&mut inner, "title", problems),
            };
            problems.extend(inner.keys().map(|key| unknown_key(key, &["file_name", "file_diff", "title"])));
            Some(found)
        }
        other => {
            problems.push(format!("`confirmation` must be an object, not {}", kind_of(&other)));
            None
        }
    }
}

/// What a JSON value is, in words.
pub(crate) fn kind_of(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

/// `sha256:` and the hash in hexadecimal.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    format!("sha256:{}", hex(&Sha256::digest(bytes)))
}

/// Bytes as two lower-case digits each.
pub(crate) fn hex(bytes: &[u8]) -> String {
    let nibbles = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    nibbles.map(|nibble| char::from_digit(u32::from(nibble), 16).unwrap_or('0')).collect()
}

/// JSON with sorted keys and no blanks, so that equal values give equal text.
fn write_canonical(value: &Value, out: &mut String) {
    match value {
        Value::Object(map) => {
            let mut keys: Vec<_> = map.iter().collect();
            keys.sort_by_key(|(key, _)| key.as_str());
            out.push('{');
            for (key, value) in keys {
                write_string(key, out);
                out.push(':');
                write_canonical(value, out);
                out.push(',');
            }
            out.push('}');
        }
        Value::Array(items) => {
            out.push('[');
            for item in items {
                write_canonical(item, out);
                out.push(',');
            }
            out.push(']');
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => write_json(value, out),
    }
}

/// JSON on one line with `, ` and `: `, non-ASCII kept, numbers as Python writes them.
fn write_json(value: &Value, out: &mut String) {
    match value {
        Value::Null => out.push_str("null"),
        Value::Bool(yes) => out.push_str(if *yes { "true" } else { "false" }),
        Value::Number(n) => match n.as_f64().filter(|_| n.is_f64()) {
            Some(float) => out.push_str(&python_float(float)),
            None => out.push_str(&n.to_string()),
        },
        Value::String(text) => write_string(text, out),
        Value::Array(items) => {
            out.push('[');
            for (i, item) in items.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_json(item, out);
            }
            out.push(']');
        }
        Value::Object(map) => {
            out.push('{');
            for (i, (key, value)) in map.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                write_string(key, out);
                out.push_str(": ");
                write_json(value, out);
            }
            out.push('}');
        }
    }
}

fn write_string(text: &str, out: &mut String) {
    use std::fmt::Write as _;
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{8}' => out.push_str("\\b"),
            '\u{c}' => out.push_str("\\f"),
            c if (c as u32) < 0x20 => drop(write!(out, "\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// A float as Python's `repr` writes it: shortest digits, an exponent below 1e-4 and from 1e16 on.
fn python_float(value: f64) -> String {
    if value == 0.0 {
        return if value.is_sign_negative() { "-0.0" } else { "0.0" }.to_owned();
    }
    let scientific = format!("{value:e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..16).contains(&exponent) {
        let plain = format!("{value}");
        return if plain.contains('.') { plain } else { plain + ".0" };
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", exponent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[track_caller]
    fn error(value: Value, message: &str) {
        let error = Call::from_json(value).unwrap_err();
        assert!(error.message.contains(message), "{}", error.message);
    }

    #[test]
    fn a_call_that_is_none_says_all_that_is_wrong() {
        error(json!([]), "a call is an object");
        error(json!({}), "a call needs `tool`");
        error(json!({"tool": "x", "args": []}), "`args` must be an object, not a list");
        error(json!({"tool": "x", "arg": {}}), "did you mean `args`?");
        error(json!({"tool": "x", "colour": 1}), "unknown key `colour`");
        error(json!({"tool": "x", "mode": "bypassPermissions"}), "unknown mode `bypassPermissions`");
        error(json!({"tool": "x", "hints": {"read_only": true, "destructive": true}}), "cannot both be true");
        error(
            json!({"tool": "x", "hints": {"read_only": "yes"}}),
            "hint `read_only` must be true or false, not a string",
        );
        error(json!({"tool": "x", "mcp": {"server": "s"}}), "needs both");
        error(
            json!({"tool": 1, "args": 1}),
            "`tool` must be a string, not a number; `args` must be an object",
        );
    }

    #[test]
    fn a_servers_wrong_hints_count_as_not_said() {
        let call = Call::from_json(
            json!({"tool": "s__t", "mcp": {"server": "s", "tool": "t"}, "hints": {"read_only": "yes"}}),
        )
        .unwrap();
        assert_eq!(call.hints, Hints::default());
        assert!(
            !call.hints.read_only()
                && call.hints.destructive()
                && !call.hints.idempotent()
                && call.hints.open_world()
        );
    }

    #[test]
    fn modes_have_our_names_and_the_hosts() {
        assert_eq!(Mode::parse(None, "accept_edits"), Some(Mode::AcceptEdits));
        assert_eq!(Mode::parse(Some("claude-code"), "bypassPermissions"), Some(Mode::Yolo));
        assert_eq!(Mode::parse(Some("gemini-cli"), "bypassPermissions"), None);
    }

    #[test]
    fn a_call_is_shown_as_python_would() {
        let args = json!({"q": "say \"hi\"\n", "n": 3, "u": "naïve ☃", "deep": {"a": [1, 2.5, null, true]}, "f": 1e22, "g": 1.0, "h": 0.00001, "i": 123_456_789_012_345_680.0, "j": 1e15});
        let call = Call::from_json(json!({"tool": "t", "args": args})).unwrap();
        assert_eq!(
            call.shown(),
            r#"t(q="say \"hi\"\n", n=3, u="naïve ☃", deep={"a": [1, 2.5, null, true]}, f=1e+22, g=1.0, h=1e-05, i=1.2345678901234568e+17, j=1000000000000000.0)"#
        );
    }

    #[test]
    fn a_digest_binds_tool_and_arguments_whatever_their_order() {
        let a = Call::new("t").arg("a", 1).arg("b", 2);
        assert_eq!(a.digest(), Call::new("t").arg("b", 2).arg("a", 1).digest());
        assert_ne!(a.digest(), Call::new("t").arg("a", 1).arg("b", 3).digest());
        assert_ne!(a.digest(), Call::new("u").arg("a", 1).arg("b", 2).digest());
        assert!(a.digest().starts_with("sha256:") && a.digest().len() == 71);
        let mcp = |server: &str, tool: &str| Call {
            mcp: Some(McpTool { server: server.into(), tool: tool.into() }),
            ..Call::new("a__b__c")
        };
        assert_eq!(mcp("a__b", "c").name(), mcp("a", "b__c").name());
        assert_ne!(mcp("a__b", "c").digest(), mcp("a", "b__c").digest());
        assert_ne!(Call::new("a__b__c").digest(), mcp("a", "b__c").digest());
    }
}
