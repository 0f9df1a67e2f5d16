//! opencode, through the plugin that `policy install opencode` writes: both forms are our own.

use serde_json::json;

use super::answer::{needs_approval, said};
use super::{Abilities, Answer, Decision, Event, Host, Mark, Moment, Payload, Unfit};

pub(super) struct Opencode;

impl Host for Opencode {
    fn name(&self) -> &'static str {
        "opencode"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        Mark::sure(payload.text("hook_event_name").is_some_and(|name| name.starts_with("tool.execute.")))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.optional("hook_event_name")?.unwrap_or("tool.execute.before");
        let moment = match name {
            "tool.execute.before" => Moment::Before,
            "tool.execute.after" => Moment::After,
            other => return Err(Unfit::event(other)),
        };
        let mut call = payload.call(self.name(), payload.needed("tool")?, payload.args("args")?)?;
        call.id = payload.optional("call_id")?.map(str::to_owned);
        Ok(Event { name: name.to_owned(), moment, call, project: None, reply_to: None })
    }

    fn abilities(&self, _: &Event) -> Abilities {
        Abilities::CHANGES
    }

    fn answer(&self, event: &Event, decision: &Decision) -> Answer {
        if event.moment == Moment::After {
            return Answer::silence();
        }
        Answer::json(&match decision {
            Decision::Pass | Decision::Allow { .. } => json!({"verdict": "allow"}),
            Decision::Change { args, .. } => json!({"verdict": "allow", "updated_args": args}),
            Decision::Deny { why, .. } => denied(why),
            Decision::Hold { why } => json!({"verdict": "ask", "reason": said(why)}),
            Decision::Ask { by, question } => {
                json!({"verdict": "ask", "reason": needs_approval(by, question)})
            }
        })
    }

    fn refuse(&self, _: Option<&Payload>, why: &str) -> Answer {
        Answer::json(&denied(why))
    }
}

fn denied(why: &str) -> serde_json::Value {
    json!({"verdict": "deny", "reason": said(why)})
}
