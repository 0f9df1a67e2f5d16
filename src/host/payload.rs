//! The JSON object that a host sends, read field by field.

use serde_json::{Map, Value};

use super::{Event, Moment};
use crate::call::{Call, McpTool, Mode, json};
use crate::facts::catalogue::mcp_name;

/// What a host sends: a JSON object in which no key stands twice.
#[derive(Clone, Debug, PartialEq)]
pub struct Payload(Map<String, Value>);

impl From<Map<String, Value>> for Payload {
    fn from(map: Map<String, Value>) -> Self {
        Self(map)
    }
}

/// Why a payload cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unfit(String);

impl Unfit {
    pub(super) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }

    /// An event that is not about a tool call.
    pub(super) fn event(name: &str) -> Self {
        Self(format!("unknown event `{}`: this hook judges tool calls", shortened(name, 60)))
    }
}

/// The beginning of a text that somebody else wrote.
fn shortened(text: &str, to: usize) -> String {
    text.chars().filter(|c| !c.is_control()).take(to).collect()
}

impl Payload {
    /// Reads it.
    ///
    /// # Errors
    ///
    /// When it is no JSON, no object, or has a key twice.
    pub fn parse(text: &str) -> Result<Self, Unfit> {
        // A shell in between may put it in front.
        match json::read(text.trim_start_matches('\u{feff}')) {
            Ok(Value::Object(map)) => Ok(Self(map)),
            Ok(_) => Err(Unfit::new("it is no JSON object")),
            // A key that stands twice is named in it, however long it is.
            Err(error) => Err(Unfit(format!("it is no JSON: {}", shortened(&error.to_string(), 200)))),
        }
    }

    pub(super) fn has(&self, key: &str) -> bool {
        self.0.contains_key(key)
    }

    /// The value of a key; `null` counts as absent.
    pub(super) fn get(&self, key: &str) -> Option<&Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// A text, where it is one.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Value::as_str)
    }

    /// A text that may be absent, and is a text where it is not.
    pub(super) fn optional(&self, key: &str) -> Result<Option<&str>, Unfit> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Unfit(format!("`{key}` is no text"))),
        }
    }

    /// A text that has to be there.
    pub(super) fn needed(&self, key: &str) -> Result<&str, Unfit> {
        self.text(key).filter(|text| !text.is_empty()).ok_or_else(|| missing(key, "a text"))
    }

    /// An object below this one, as a payload of its own.
    pub(super) fn below(&self, key: &str) -> Result<Self, Unfit> {
        match self.get(key) {
            Some(Value::Object(map)) => Ok(Self(map.clone())),
            _ => Err(missing(key, "an object")),
        }
    }

    /// The arguments of a call: an object, or JSON text of one. `null` is a call without arguments; where the key is absent, the arguments
    /// may be under another one.
    pub(super) fn args(&self, key: &str) -> Result<Map<String, Value>, Unfit> {
        let none = || Ok(Map::new());
        match self.0.get(key) {
            Some(Value::Null) => none(),
            Some(Value::Object(map)) => Ok(map.clone()),
            Some(Value::String(text)) if text.trim().is_empty() => none(),
            Some(Value::String(text)) => match json::read(text) {
                Ok(Value::Object(map)) => Ok(map),
                Ok(Value::Null) => none(),
                _ => Err(missing(key, "an object")),
            },
            None | Some(_) => Err(missing(key, "an object")),
        }
    }

    /// The first text of a list.
    pub(super) fn first_of(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Value::as_array).and_then(|list| list.first()).and_then(Value::as_str)
    }

    /// The keys and values that are not in `but`, as arguments.
    pub(super) fn without(&self, but: &[&str]) -> Map<String, Value> {
        self.0
            .iter()
            .filter(|(key, _)| !but.contains(&key.as_str()))
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect()
    }

    /// The event about the tool in `tool_name` with the arguments in `tool_input`, as most hosts write it.
    pub(super) fn usual(&self, host: &'static str, name: &str, moment: Moment) -> Result<Event, Unfit> {
        let call = self.call(host, self.needed("tool_name")?, self.args("tool_input")?)?;
        Ok(Event { name: name.to_owned(), moment, call, project: None, reply_to: None })
    }

    /// The call of a tool of this host.
    ///
    /// `cwd`, `permission_mode`, `agent_type` and `agent_id` are what several hosts name these things; the server of an MCP tool is taken
    /// from its name where that leaves no doubt.
    pub(super) fn call(
        &self,
        host: &'static str,
        tool: &str,
        args: Map<String, Value>,
    ) -> Result<Call, Unfit> {
        let mode = match self.optional("permission_mode")? {
            None => None,
            Some(text) => Some(
                Mode::parse(Some(host), text)
                    .ok_or_else(|| Unfit(format!("unknown permission mode `{}`", shortened(text, 60))))?,
            ),
        };
        let mcp = mcp_name(host, tool)
            .map(|name| McpTool { server: name.server.to_owned(), tool: name.tool.to_owned() });
        Ok(Call {
            tool: tool.to_owned(),
            args,
            id: self.optional("tool_use_id")?.map(str::to_owned),
            mcp,
            host: Some(host.to_owned()),
            cwd: self.optional("cwd")?.map(str::to_owned),
            mode,
            agent: self.optional("agent_type")?.or(self.optional("agent_id")?).map(str::to_owned),
            ..Call::default()
        })
    }
}

fn missing(key: &str, what: &str) -> Unfit {
    Unfit(format!("`{key}` is missing or no {}", what.trim_start_matches("an ").trim_start_matches("a ")))
}
