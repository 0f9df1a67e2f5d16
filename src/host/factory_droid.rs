//! Factory droid. It takes `ask` and runs the tool, so nothing is asked there.

use super::answer::needs_approval;
use super::{Abilities, Answer, Asks, Decision, Event, Host, Mark, Moment, Payload, Unfit, claude_code};

pub(super) struct FactoryDroid;

impl Host for FactoryDroid {
    fn name(&self) -> &'static str {
        "factory-droid"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        let of_droid = |mode: &str| mode.starts_with("auto-") || matches!(mode, "off" | "spec");
        let own = payload.has("hook_event_name") && !payload.has("prompt_id");
        Mark::sure(own && payload.text("permission_mode").is_some_and(of_droid))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.needed("hook_event_name")?;
        let moment = match name {
            "PreToolUse" => Moment::Before,
            "PostToolUse" => Moment::After,
            other => return Err(Unfit::event(other)),
        };
        payload.usual(self.name(), name, moment)
    }

    fn abilities(&self, _: &Event) -> Abilities {
        Abilities { asks: Asks::No, changes: true, stops: true }
    }

    fn answer(&self, event: &Event, decision: &Decision) -> Answer {
        match decision {
            Decision::Ask { by, question } => {
                let why = needs_approval(by, question);
                claude_code::before(&event.name, &Decision::deny(why))
            }
            // The new arguments are laid over the old ones, so what is to be gone has to be said.
            Decision::Change { args, by, note } => {
                let gone = event.call.args.keys().filter(|key| !args.contains_key(*key));
                let gone = gone.map(|key| (key.clone(), serde_json::Value::Null));
                let args = args.clone().into_iter().chain(gone).collect();
                let change = Decision::Change { args, by: by.clone(), note: note.clone() };
                claude_code::before(&event.name, &change)
            }
            Decision::Pass | Decision::Allow { .. } | Decision::Deny { .. } | Decision::Hold { .. } => {
                claude_code::before(&event.name, decision)
            }
        }
    }

    fn refuse(&self, _: Option<&Payload>, why: &str) -> Answer {
        Answer::blocked(why)
    }
}
