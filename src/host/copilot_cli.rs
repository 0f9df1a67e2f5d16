//! GitHub Copilot CLI and the cloud agent, in three dialects: its own in camel case, its own in Pascal case, and that of Claude Code's
//! settings file, which it runs too. An answer in the wrong one is passed over, and the tool runs.

use serde_json::{Map, Value, json};

use super::answer::said;
use super::vscode::{has_tool_of_copilot, snake_case};
use super::{Abilities, Answer, Asks, Decision, Event, Host, Mark, Moment, Payload, Unfit, claude_code};

pub(super) struct CopilotCli;

impl Host for CopilotCli {
    fn name(&self) -> &'static str {
        "copilot-cli"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        if payload.has("hook_event_name") {
            let own = !payload.has("tool_use_id") || has_tool_of_copilot(payload);
            return Mark::weak(snake_case(payload) && payload.has("session_id") && own);
        }
        // The cloud agent names no session.
        let input = payload.has("toolArgs") || payload.has("toolInput");
        Mark::sure(payload.has("toolName") && input && !payload.has("hookEventName"))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        if let Some(name) = payload.text("hook_event_name") {
            return self.pascal(name, payload);
        }
        let tool = payload.needed("toolName")?;
        let name = payload.text("hookName").unwrap_or(if payload.has("toolResult") {
            "postToolUse"
        } else if payload.has("toolInput") {
            "permissionRequest"
        } else {
            "preToolUse"
        });
        let (moment, args) = match name {
            "preToolUse" => (Moment::Before, payload.args("toolArgs")?),
            "permissionRequest" => (Moment::Permission, payload.args("toolInput")?),
            "postToolUse" => (Moment::After, payload.args("toolArgs")?),
            other => return Err(Unfit::event(other)),
        };
        let call = payload.call(self.name(), tool, args)?;
        Ok(Event { name: name.to_owned(), moment, call, project: None, reply_to: None })
    }

    fn abilities(&self, event: &Event) -> Abilities {
        match event.moment {
            Moment::Permission => Abilities { asks: Asks::Yes, changes: false, stops: true },
            Moment::Before | Moment::After => Abilities { asks: Asks::Yes, changes: true, stops: false },
        }
    }

    fn answer(&self, event: &Event, decision: &Decision) -> Answer {
        match (event.moment, event.name.as_str()) {
            (Moment::Permission, _) => permission(decision),
            // It cannot stop there, and passes `continue` over.
            (_, "PreToolUse") => claude_code::before("PreToolUse", &unstopped(decision)),
            (Moment::Before | Moment::After, _) => before(decision),
        }
    }

    fn refuse(&self, payload: Option<&Payload>, why: &str) -> Answer {
        // Of exit code 2 the reason is lost.
        let has = |key: &str| payload.is_some_and(|p| p.has(key));
        if payload.is_none() {
            // It may be about either; a key too many does no harm there.
            let why = said(why);
            return Answer::json(&json!({
                "permissionDecision": "deny", "permissionDecisionReason": why, "behavior": "deny", "message": why,
            }));
        }
        if has("toolInput") || payload.and_then(|p| p.text("hookName")) == Some("permissionRequest") {
            permission(&Decision::deny(why))
        } else if has("hook_event_name") {
            claude_code::before("PreToolUse", &Decision::deny(why))
        } else {
            before(&Decision::deny(why))
        }
    }
}

impl CopilotCli {
    fn pascal(&self, name: &str, payload: &Payload) -> Result<Event, Unfit> {
        let moment = match name {
            "PreToolUse" => Moment::Before,
            "PostToolUse" => Moment::After,
            other => return Err(Unfit::event(other)),
        };
        payload.usual(self.name(), name, moment)
    }
}

fn unstopped(decision: &Decision) -> Decision {
    match decision {
        Decision::Deny { why, .. } => Decision::deny(why.clone()),
        Decision::Pass
        | Decision::Allow { .. }
        | Decision::Change { .. }
        | Decision::Ask { .. }
        | Decision::Hold { .. } => decision.clone(),
    }
}

fn before(decision: &Decision) -> Answer {
    let mut answer = Map::new();
    let mut say = |key: &str, value: Value| answer.insert(key.to_owned(), value);
    match decision {
        Decision::Pass => return Answer::silence(),
        Decision::Allow { by } => {
            say("permissionDecision", json!("allow"));
            say("permissionDecisionReason", json!(by));
        }
        Decision::Change { args, note, .. } => {
            say("permissionDecision", json!("allow"));
            say("modifiedArgs", Value::Object(args.clone()));
            if let Some(note) = note {
                say("additionalContext", json!(note));
            }
        }
        Decision::Deny { why, .. } | Decision::Hold { why } => {
            say("permissionDecision", json!("deny"));
            say("permissionDecisionReason", json!(said(why)));
        }
        Decision::Ask { by, question } => {
            say("permissionDecision", json!("ask"));
            say("permissionDecisionReason", json!(format!("{by}: {question}")));
        }
    }
    Answer::json(&Value::Object(answer))
}

/// The answer when it would ask a person. Silence makes it ask.
fn permission(decision: &Decision) -> Answer {
    Answer::json(&match decision {
        Decision::Pass | Decision::Ask { .. } => return Answer::silence(),
        Decision::Allow { .. } => json!({"behavior": "allow"}),
        Decision::Deny { why, stop: Some(_), .. } => {
            json!({"behavior": "deny", "message": said(why), "interrupt": true})
        }
        Decision::Deny { why, stop: None, .. } | Decision::Hold { why } => {
            json!({"behavior": "deny", "message": said(why)})
        }
        // It takes no other arguments here.
        Decision::Change { by, .. } => {
            json!({"behavior": "deny", "message": format!("Only with other arguments ({by})")})
        }
    })
}
