//! The agent of VS Code, with its own harness. Its answers have the form of Claude Code's.

use super::{Abilities, Answer, Asks, Decision, Event, Host, Mark, Moment, Payload, Unfit, claude_code};
use crate::facts::catalogue;

pub(super) struct VsCode;

impl Host for VsCode {
    fn name(&self) -> &'static str {
        "vscode"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        if payload.has("hookEventName") {
            return Mark::Sure;
        }
        Mark::weak(snake_case(payload) && payload.has("tool_use_id") && !has_tool_of_copilot(payload))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.text("hookEventName").map_or_else(|| payload.needed("hook_event_name"), Ok)?;
        let moment = match name {
            "PreToolUse" => Moment::Before,
            "PostToolUse" => Moment::After,
            other => return Err(Unfit::event(other)),
        };
        payload.usual(self.name(), name, moment)
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

/// Whether the payload has the snake-case form that Copilot CLI sends, too.
pub(super) fn snake_case(payload: &Payload) -> bool {
    matches!(payload.text("hook_event_name"), Some("PreToolUse" | "PostToolUse"))
        && payload.has("timestamp")
        && !payload.has("permission_mode")
}

/// Whether the tool is Copilot CLI's, and none of VS Code's own harness.
pub(super) fn has_tool_of_copilot(payload: &Payload) -> bool {
    let has = |host, tool| catalogue::builtin(host, tool).is_some();
    payload.text("tool_name").is_some_and(|tool| has("copilot-cli", tool) && !has("vscode", tool))
}
