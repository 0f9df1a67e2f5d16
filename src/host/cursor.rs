//! Cursor. A shell command or a call of an MCP tool comes in two events, and only the second of them can ask.

use serde_json::{Map, Value, json};

use super::answer::{needs_approval, said};
use super::{Abilities, Answer, Asks, Decision, Event, Host, Mark, Moment, Payload, Unfit, claude_code};
use crate::call::McpTool;
use crate::facts::catalogue::mcp_name;

pub(super) struct Cursor;

/// What every event has, and what says nothing of the call.
const COMMON: &[&str] = &[
    "conversation_id",
    "generation_id",
    "model",
    "hook_event_name",
    "cursor_version",
    "workspace_roots",
    "user_email",
    "transcript_path",
    "content",
];

impl Host for Cursor {
    fn name(&self) -> &'static str {
        "cursor"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        let conversation = payload.has("conversation_id") && payload.has("generation_id");
        Mark::sure(payload.has("cursor_version") || conversation)
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.needed("hook_event_name")?;
        let mut moment = Moment::Before;
        let mut call = match name {
            "beforeShellExecution" => {
                payload.needed("command")?;
                payload.call(self.name(), name, payload.without(COMMON))?
            }
            "beforeReadFile" | "beforeTabFileRead" => {
                payload.needed("file_path")?;
                payload.call(self.name(), name, payload.without(COMMON))?
            }
            "beforeMCPExecution" => {
                let tool = payload.needed("tool_name")?;
                let mut call = payload.call(self.name(), tool, payload.args("tool_input")?)?;
                // Older versions do not say its name, only how it is reached.
                let said = ["mcp_server_name", "url", "command"].map(|key| payload.text(key));
                let server = said.into_iter().flatten().find(|text| !text.is_empty()).unwrap_or("unknown");
                call.mcp = Some(McpTool { server: server.to_owned(), tool: tool.to_owned() });
                call
            }
            "preToolUse" | "postToolUse" | "PreToolUse" | "PostToolUse" => {
                if name.starts_with("post") || name.starts_with("Post") {
                    moment = Moment::After;
                }
                let tool = payload.needed("tool_name")?;
                let mut call = payload.call(self.name(), tool, payload.args("tool_input")?)?;
                if let Some(own) = tool.strip_prefix("MCP:") {
                    call.mcp = Some(McpTool { server: "unknown".to_owned(), tool: own.to_owned() });
                } else if let Some(name) = mcp_name("claude-code", tool) {
                    call.mcp = Some(McpTool { server: name.server.to_owned(), tool: name.tool.to_owned() });
                }
                call
            }
            "subagentStart" => {
                let args = payload.without(COMMON);
                payload.call(self.name(), "Task", args)?
            }
            "afterShellExecution" | "afterMCPExecution" | "afterFileEdit" => {
                moment = Moment::After;
                payload.call(self.name(), name, Map::new())?
            }
            other => return Err(Unfit::event(other)),
        };
        let project = payload.first_of("workspace_roots").map(str::to_owned);
        if call.cwd.as_deref().is_none_or(str::is_empty) {
            call.cwd.clone_from(&project);
        }
        Ok(Event { name: name.to_owned(), moment, call, project, reply_to: None })
    }

    fn abilities(&self, event: &Event) -> Abilities {
        let asks = match event.name.as_str() {
            "beforeShellExecution" | "beforeMCPExecution" => Asks::Yes,
            "preToolUse" if event.call.tool == "Shell" || event.call.mcp.is_some() => Asks::Later,
            _ => Asks::No,
        };
        Abilities { asks, changes: matches!(event.name.as_str(), "preToolUse" | "PreToolUse"), stops: false }
    }

    fn answer(&self, event: &Event, decision: &Decision) -> Answer {
        if event.moment == Moment::After {
            return Answer::silence();
        }
        // Anywhere else it takes a question for consent.
        let denied = match decision {
            Decision::Ask { by, question } if self.abilities(event).asks != Asks::Yes => {
                Some(Decision::deny(needs_approval(by, question)))
            }
            _ => None,
        };
        let decision = denied.as_ref().unwrap_or(decision);
        // The hooks of Claude Code's settings file are answered as there; which of the two forms is read is not known.
        let other = (event.name == "PreToolUse").then(|| claude_code::before(&event.name, decision));
        let mut answer =
            other.as_ref().and_then(|other| serde_json::from_str(&other.stdout).ok()).unwrap_or_default();
        let mut say = |key: &str, value: Value| Map::insert(&mut answer, key.to_owned(), value);
        match decision {
            // Silence may count as a refusal.
            Decision::Pass | Decision::Allow { .. } => {
                say("permission", json!("allow"));
            }
            Decision::Change { args, .. } => {
                say("permission", json!("allow"));
                say("updated_input", Value::Object(args.clone()));
            }
            Decision::Deny { why, .. } | Decision::Hold { why } => {
                say("permission", json!("deny"));
                say("user_message", json!(said(why)));
                say("agent_message", json!(said(why)));
            }
            Decision::Ask { by, question } => {
                say("permission", json!("ask"));
                say("user_message", json!(format!("{by}: {question}")));
                say("agent_message", json!("waiting for approval"));
            }
        }
        let answer = Answer::json(&Value::Object(answer));
        match decision {
            Decision::Deny { why, .. } | Decision::Hold { why } if other.is_some() => answer.and_blocked(why),
            _ => answer,
        }
    }

    fn refuse(&self, _: Option<&Payload>, why: &str) -> Answer {
        let why = said(why);
        Answer::json(&json!({"permission": "deny", "user_message": why, "agent_message": why}))
            .and_blocked(why)
    }
}
