//! Kiro, the command line and the editor: they look at the exit code alone.

use super::windsurf::code;
use super::{Abilities, Answer, Decision, Event, Host, Mark, Moment, Payload, Unfit};

pub(super) struct Kiro;

impl Host for Kiro {
    fn name(&self) -> &'static str {
        "kiro"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        Mark::weak(payload.text("hook_event_name") == Some("preToolUse"))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.needed("hook_event_name")?;
        let moment = match name {
            "preToolUse" | "PreToolUse" => Moment::Before,
            "postToolUse" | "PostToolUse" => Moment::After,
            other => return Err(Unfit::event(other)),
        };
        payload.usual(self.name(), name, moment)
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
