//! Windsurf's Cascade: it looks at the exit code alone.

use super::answer::needs_approval;
use super::{Abilities, Answer, Decision, Event, Host, Mark, Moment, Payload, Unfit};
use crate::call::McpTool;

pub(super) struct Windsurf;

impl Host for Windsurf {
    fn name(&self) -> &'static str {
        "windsurf"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        Mark::sure(payload.has("agent_action_name"))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.needed("agent_action_name")?;
        let moment = match name {
            "pre_run_command" | "pre_read_code" | "pre_write_code" | "pre_mcp_tool_use" => Moment::Before,
            name if name.starts_with("post_") => Moment::After,
            other => return Err(Unfit::event(other)),
        };
        let info = payload.below("tool_info")?;
        let mut call = match name {
            "pre_mcp_tool_use" => {
                let tool = info.needed("mcp_tool_name")?;
                let mut call = payload.call(self.name(), tool, info.args("mcp_tool_arguments")?)?;
                call.mcp = Some(McpTool {
                    server: info.needed("mcp_server_name")?.to_owned(),
                    tool: tool.to_owned(),
                });
                call
            }
            _ => payload.call(self.name(), name, info.without(&[]))?,
        };
        call.cwd = info.optional("cwd")?.map(str::to_owned);
        call.id = payload.text("execution_id").map(str::to_owned);
        Ok(Event { name: name.to_owned(), moment, call, project: None, reply_to: None })
    }

    fn abilities(&self, _: &Event) -> Abilities {
        Abilities::NONE
    }

    fn answer(&self, _: &Event, decision: &Decision) -> Answer {
        code(decision)
    }

    fn refuse(&self, _: Option<&Payload>, why: &str) -> Answer {
        Answer::blocked(why)
    }
}

/// The answer of hosts that look at the exit code alone.
pub(super) fn code(decision: &Decision) -> Answer {
    match decision {
        Decision::Pass | Decision::Allow { .. } => Answer::silence(),
        Decision::Deny { why, .. } | Decision::Hold { why } => Answer::blocked(why),
        Decision::Ask { by, question } => Answer::blocked(&needs_approval(by, question)),
        Decision::Change { by, .. } => Answer::blocked(&format!("Only with other arguments ({by})")),
    }
}
