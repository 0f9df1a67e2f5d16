//! The form of a call in JSON, for its schema. The reader is [`Call::from_json`](super::Call::from_json).

#![expect(dead_code, reason = "these types are only described, never made")]

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde_json::{Map, Value};

/// One tool call, before it runs.
#[derive(JsonSchema)]
#[schemars(rename = "Call", deny_unknown_fields)]
pub struct CallShape {
    /// The tool's name as the model calls it.
    tool: String,
    /// The arguments.
    #[schemars(default)]
    args: Map<String, Value>,
    /// The call's id in the host, given back as `call_id`.
    id: Option<String>,
    /// What the tool says of this call. Of a tool of an MCP server, what has a wrong type counts as not said.
    hints: Option<HintsShape>,
    /// For a tool of an MCP server: which server, and its name there.
    mcp: Option<McpShape>,
    /// The host program whose tool names and modes these are, such as `claude-code`.
    host: Option<String>,
    /// The folder that relative paths start from. Default: the workspace.
    cwd: Option<String>,
    /// The root folder of the project. Default: the folder of the policy file.
    workspace: Option<String>,
    /// How freely the host is set to run: `default`, `accept_edits`, `yolo`, or the host's own name of it.
    mode: Option<String>,
    /// The name of the agent or subagent that makes the call.
    agent: Option<String>,
    /// Variables that the host sets for the program it starts.
    env: Option<BTreeMap<String, String>>,
    /// The preview that a person would see.
    confirmation: Option<ConfirmationShape>,
    /// Why the host asks. Default: derived from the mode.
    reason: Option<ReasonShape>,
    /// A made-up file tree in place of the disk, for tests.
    fs: Option<Map<String, Value>>,
}

/// What a tool says of a call. What it does not say is assumed to be the worst.
#[derive(JsonSchema)]
#[schemars(rename = "CallHints", deny_unknown_fields)]
struct HintsShape {
    /// It changes nothing.
    read_only: Option<bool>,
    /// It may destroy something.
    destructive: Option<bool>,
    /// Doing it twice does no more than doing it once.
    idempotent: Option<bool>,
    /// It reaches things outside a closed set, such as the web.
    open_world: Option<bool>,
}

/// The server and the tool behind an MCP tool's name.
#[derive(JsonSchema)]
#[schemars(rename = "McpTool", deny_unknown_fields)]
struct McpShape {
    /// The server's name as it is configured.
    server: String,
    /// The tool's name at the server.
    tool: String,
}

/// The preview that a person would see before saying yes.
#[derive(JsonSchema)]
#[schemars(rename = "CallConfirmation", deny_unknown_fields)]
struct ConfirmationShape {
    /// The file that would change.
    file_name: Option<String>,
    /// The change as a diff.
    file_diff: Option<String>,
    /// The preview's heading.
    title: Option<String>,
}

/// Why a host asks before a call.
#[derive(JsonSchema)]
#[schemars(rename = "CallReason", rename_all = "lowercase")]
enum ReasonShape {
    /// A person would be asked.
    Prompt,
    /// Nobody would be asked; only the policy is.
    Policy,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(schema: &Value) -> Vec<&str> {
        schema["properties"].as_object().unwrap().keys().map(String::as_str).collect()
    }

    #[test]
    fn the_schema_has_the_keys_that_the_reader_takes() {
        let schema = schemars::generate::SchemaSettings::draft07()
            .into_generator()
            .into_root_schema_for::<CallShape>();
        let schema = serde_json::to_value(schema).unwrap();
        assert_eq!(keys(&schema), super::super::KEYS);
        let definitions = &schema["definitions"];
        assert_eq!(keys(&definitions["CallHints"]), ["read_only", "destructive", "idempotent", "open_world"]);
        assert_eq!(keys(&definitions["McpTool"]), ["server", "tool"]);
        assert_eq!(keys(&definitions["CallConfirmation"]), ["file_name", "file_diff", "title"]);
    }
}
