//! The agent of VS Code, with its own harness. Its answers have the form of Claude Code's.

use super::{Abilities, Answer, Asks, Decision, Event, Host, Moment, Payload, Unfit, claude_code};

pub(super) struct VsCode;

impl Host for VsCode {
    fn name(&self) -> &'static str {
        "vscode"
    }

    fn sent(&self, payload: &Payload) -> bool {
        payload.has("hookEventName")
            || (payload.has("hook_event_name")
                && payload.has("timestamp")
                && payload.has("tool_use_id")
                && !payload.has("permission_mode"))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.text("hookEventName").map_or_else(|| payload.needed("hook_event_name"), Ok)?;
        let moment = match name {
            "PreToolUse" => Moment::Before,
            "PostToolUse" => Moment::After,
            other => return Err(Unfit::event(other)),
        };
        let call = payload.call(self.name(), payload.needed("tool_name")?, payload.args("tool_input")?)?;
        Ok(Event { name: name.to_owned(), moment, call, project: None, reply_to: None })
    }

    fn abilities(&self, _: &Event) -> Abilities {
        Abilities { asks: Asks::Yes, changes: true, stops: true }
    }

    fn answer(&self, event: &Event, decision: &Decision) -> Answer {
        claude_code::before(&event.name, decision)
    }

    fn refuse(&self, _: Option<&Payload>, why: &str) -> Answer {
        Answer::blocked(why)
    }
}
