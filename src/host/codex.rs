//! OpenAI Codex. A key too many in an answer makes it run the tool, so there is never one.

use serde_json::json;

use super::answer::{needs_approval, said};
use super::{Abilities, Answer, Asks, Decision, Event, Host, Mark, Moment, Payload, Unfit};

pub(super) struct Codex;

impl Host for Codex {
    fn name(&self) -> &'static str {
        "codex"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        Mark::sure(payload.has("hook_event_name") && payload.has("turn_id") && payload.has("model"))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.needed("hook_event_name")?;
        let moment = match name {
            "PreToolUse" => Moment::Before,
            "PermissionRequest" => Moment::Permission,
            "PostToolUse" => Moment::After,
            other => return Err(Unfit::event(other)),
        };
        payload.usual(self.name(), name, moment)
    }

    fn abilities(&self, event: &Event) -> Abilities {
        match event.moment {
            // Silence makes it ask, which it was about to do.
            Moment::Permission => Abilities { asks: Asks::Yes, ..Abilities::NONE },
            Moment::Before | Moment::After => Abilities::CHANGES,
        }
    }

    fn answer(&self, event: &Event, decision: &Decision) -> Answer {
        match event.moment {
            Moment::Permission => permission(decision),
            Moment::Before | Moment::After => before(decision),
        }
    }

    fn refuse(&self, payload: Option<&Payload>, why: &str) -> Answer {
        if payload.and_then(|p| p.text("hook_event_name")) == Some("PermissionRequest") {
            return permission(&Decision::deny(why));
        }
        Answer::blocked(why)
    }
}

fn before(decision: &Decision) -> Answer {
    let specific = match decision {
        // A plain allow is an error there.
        Decision::Pass | Decision::Allow { .. } => return Answer::silence(),
        Decision::Change { args, note: None, .. } => {
            json!({"hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": args})
        }
        Decision::Change { args, note: Some(note), .. } => {
            json!({
                "hookEventName": "PreToolUse", "permissionDecision": "allow", "updatedInput": args,
                "additionalContext": note,
            })
        }
        Decision::Deny { why, .. } | Decision::Hold { why } => denied(why),
        Decision::Ask { by, question } => denied(&needs_approval(by, question)),
    };
    Answer::json(&json!({"hookSpecificOutput": specific}))
}

fn denied(why: &str) -> serde_json::Value {
    json!({"hookEventName": "PreToolUse", "permissionDecision": "deny", "permissionDecisionReason": said(why)})
}

/// The answer when the host would ask a person. Silence makes it ask.
fn permission(decision: &Decision) -> Answer {
    let decided = match decision {
        Decision::Pass | Decision::Ask { .. } => return Answer::silence(),
        Decision::Allow { .. } => json!({"behavior": "allow"}),
        Decision::Deny { why, .. } | Decision::Hold { why } => {
            json!({"behavior": "deny", "message": said(why)})
        }
        // It takes no other arguments here.
        Decision::Change { by, .. } => {
            json!({"behavior": "deny", "message": format!("Only with other arguments ({by})")})
        }
    };
    Answer::json(&json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decided}}))
}
