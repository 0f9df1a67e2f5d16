//! AdaL: the control request of its SDK, which asks an approver about a call. The question is one already, so a rule that asks is answered by
//! a refusal that says how to approve.

use serde_json::{Value, json};

use super::answer::{needs_approval, said};
use super::{Abilities, Answer, Decision, Event, Host, Mark, Moment, Payload, Unfit};
use crate::call::{AskReason, Mode};

pub(super) struct Adal;

impl Host for Adal {
    fn name(&self) -> &'static str {
        "adal"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        Mark::sure(payload.text("type") == Some("control_request"))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let request = payload.below("request")?;
        let name = request.needed("subtype")?;
        if name != "can_use_tool" {
            return Err(Unfit::event(name));
        }
        let mut call = request.call(self.name(), request.needed("tool_name")?, request.args("input")?)?;
        call.id = request.optional("tool_call_id")?.map(str::to_owned);
        call.reason = match request.text("reason") {
            Some("prompt") => Some(AskReason::Prompt),
            Some("policy") => Some(AskReason::Policy),
            _ => None,
        };
        call.mode = match request.optional("mode")? {
            None => None,
            Some(text) => {
                Some(Mode::parse(Some(self.name()), text).ok_or_else(|| Unfit::new("unknown mode"))?)
            }
        };
        let reply_to = payload.text("request_id").map(str::to_owned);
        Ok(Event { name: name.to_owned(), moment: Moment::Before, call, project: None, reply_to })
    }

    fn abilities(&self, _: &Event) -> Abilities {
        Abilities::CHANGES
    }

    fn answer(&self, event: &Event, decision: &Decision) -> Answer {
        let id = event.reply_to.as_deref();
        match decision {
            // Silence is no answer there: whoever listens waits for one.
            Decision::Pass | Decision::Allow { .. } => response(id, &json!({"behavior": "allow"})),
            Decision::Change { args, .. } => {
                response(id, &json!({"behavior": "allow", "updated_input": args}))
            }
            Decision::Deny { why, .. } | Decision::Hold { why } => denied(id, why),
            Decision::Ask { by, question } => denied(id, &needs_approval(by, question)),
        }
    }

    fn refuse(&self, payload: Option<&Payload>, why: &str) -> Answer {
        denied(payload.and_then(|p| p.text("request_id")), why)
    }
}

fn denied(id: Option<&str>, why: &str) -> Answer {
    response(id, &json!({"behavior": "deny", "message": said(why)}))
}

fn response(id: Option<&str>, decision: &Value) -> Answer {
    let mut response = json!({ "request_id": id });
    if let (Value::Object(into), Value::Object(from)) = (&mut response, decision) {
        into.extend(from.clone());
    }
    Answer::json(&json!({"type": "control_response", "response": response}))
}
