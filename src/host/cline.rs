//! Cline: the command line, and the extension of the editor, which obey `cancel` alone. Every exit code lets the tool run.

use serde_json::{Map, Value, json};

use super::answer::{needs_approval, said};
use super::{Abilities, Answer, Decision, Event, Host, Mark, Moment, Payload, Unfit};
use crate::call::McpTool;

pub(super) struct Cline;

/// The tool of the command line that runs commands.
const COMMANDS: &str = "run_commands";

/// The tool that calls those of MCP servers.
const OF_SERVERS: &str = "use_mcp_tool";

impl Host for Cline {
    fn name(&self) -> &'static str {
        "cline"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        Mark::sure(payload.has("hookName") && payload.has("taskId"))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.needed("hookName")?;
        let project = payload.first_of("workspaceRoots").map(str::to_owned);
        let (moment, tool, args, id) = match name {
            "tool_call" => {
                let call = payload.below("tool_call")?;
                let id = call.text("id").map(str::to_owned);
                (Moment::Before, call.needed("name")?.to_owned(), call.args("input")?, id)
            }
            "PreToolUse" => {
                let call = payload.below("preToolUse")?;
                (Moment::Before, call.needed("toolName")?.to_owned(), call.args("parameters")?, None)
            }
            "tool_result" | "PostToolUse" => (Moment::After, name.to_owned(), Map::new(), None),
            other => return Err(Unfit::event(other)),
        };
        let mut call = payload.call(self.name(), &tool, args)?;
        if tool == OF_SERVERS && moment == Moment::Before {
            let said = Payload::from(call.args);
            let (server, own) = (said.needed("server_name")?, said.needed("tool_name")?);
            call.mcp = Some(McpTool { server: server.to_owned(), tool: own.to_owned() });
            call.args = if said.has("arguments") { said.args("arguments")? } else { Map::new() };
        }
        call.id = id.or(call.id);
        call.cwd.clone_from(&project);
        call.agent =
            payload.text("agent_id").filter(|_| payload.get("parent_agent_id").is_some()).map(str::to_owned);
        Ok(Event { name: name.to_owned(), moment, call, project, reply_to: None })
    }

    fn abilities(&self, event: &Event) -> Abilities {
        // Every denial ends the run. The arguments of a server's tool stand within those that could be changed.
        let changes = event.name == "tool_call" && event.call.mcp.is_none();
        Abilities { changes, stops: true, ..Abilities::NONE }
    }

    fn answer(&self, event: &Event, decision: &Decision) -> Answer {
        let extension = event.name == "PreToolUse";
        match decision {
            Decision::Pass | Decision::Allow { .. } if extension => Answer::json(&json!({"cancel": false})),
            Decision::Pass | Decision::Allow { .. } => Answer::silence(),
            Decision::Change { args, .. } => Answer::json(&json!({"overrideInput": args})),
            Decision::Deny { why, stop: None, softly: true }
                if !extension && event.call.tool == COMMANDS && event.call.args.contains_key("commands") =>
            {
                instead(event, why)
            }
            Decision::Deny { why, .. } | Decision::Hold { why } => cancelled(extension, why),
            Decision::Ask { by, question } => cancelled(extension, &needs_approval(by, question)),
        }
    }

    fn refuse(&self, payload: Option<&Payload>, why: &str) -> Answer {
        cancelled(payload.and_then(|p| p.text("hookName")) == Some("PreToolUse"), why)
    }
}

fn cancelled(extension: bool, why: &str) -> Answer {
    let mut answer = Map::new();
    answer.insert("cancel".to_owned(), Value::Bool(true));
    if extension {
        answer.insert("contextModification".to_owned(), json!(""));
    }
    answer.insert("errorMessage".to_owned(), json!(said(why)));
    Answer::json(&Value::Object(answer))
}

/// A command that prints the reason and fails, in place of those that were to run.
fn instead(event: &Event, why: &str) -> Answer {
    let quoted = said(why).replace('\'', r"'\''");
    let mut args = event.call.args.clone();
    args.insert("commands".to_owned(), json!([format!(r"printf '%s\n' '{quoted}' >&2; exit 126")]));
    Answer::json(&json!({"overrideInput": args}))
}
