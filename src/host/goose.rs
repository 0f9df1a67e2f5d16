//! Goose.

use serde_json::json;

use super::answer::{needs_approval, said};
use super::{Abilities, Answer, Decision, Event, Host, Mark, Moment, Payload, Unfit};

pub(super) struct Goose;

impl Host for Goose {
    fn name(&self) -> &'static str {
        "goose"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        Mark::sure(payload.has("event") && payload.has("matcher_context"))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.needed("event")?;
        let moment = match name {
            "PreToolUse" => Moment::Before,
            "PostToolUse" | "PostToolUseFailure" | "PreToolUseResult" => Moment::After,
            other => return Err(Unfit::event(other)),
        };
        let mut event = payload.usual(self.name(), name, moment)?;
        event.call.cwd = payload.optional("working_dir")?.map(str::to_owned);
        event.call.id = payload.optional("tool_call_id")?.map(str::to_owned);
        Ok(event)
    }

    fn abilities(&self, _: &Event) -> Abilities {
        Abilities::NONE
    }

    fn answer(&self, _: &Event, decision: &Decision) -> Answer {
        match decision {
            Decision::Pass => Answer::silence(),
            Decision::Allow { .. } => Answer::json(&json!({"decision": "allow"})),
            Decision::Deny { why, .. } | Decision::Hold { why } => blocked(why),
            Decision::Ask { by, question } => blocked(&needs_approval(by, question)),
            Decision::Change { by, .. } => blocked(&format!("Only with other arguments ({by})")),
        }
    }

    fn refuse(&self, _: Option<&Payload>, why: &str) -> Answer {
        Answer::blocked(why)
    }
}

fn blocked(why: &str) -> Answer {
    Answer::json(&json!({"decision": "block", "reason": said(why)})).and_blocked(why)
}
