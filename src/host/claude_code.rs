//! Claude Code. The same form of answer is obeyed by VS Code and, but for two things, by Factory droid.

use serde_json::{Map, Value, json};

use super::answer::said;
use super::{Abilities, Answer, Asks, Decision, Event, Host, Mark, Moment, Payload, Unfit};
use crate::call::McpTool;

/// A command in the text of a skill, which its loading runs.
const SKILL: &str = "PreSkillShellCommand";

pub(super) struct ClaudeCode;

impl Host for ClaudeCode {
    fn name(&self) -> &'static str {
        "claude-code"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        Mark::sure(payload.has("hook_event_name") && (payload.has("prompt_id") || payload.has("effort")))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.needed("hook_event_name")?;
        let moment = match name {
            "PreToolUse" | SKILL => Moment::Before,
            "PermissionRequest" => Moment::Permission,
            "PostToolUse" | "PostToolUseFailure" | "PermissionDenied" => Moment::After,
            other => return Err(Unfit::event(other)),
        };
        let tool = payload.needed("tool_name")?;
        let mut call = payload.call(self.name(), tool, payload.args("tool_input")?)?;
        if let Ok(server) = payload.below("mcp_server") {
            call.mcp = provenance(tool, server.needed("name")?).or(call.mcp);
        }
        Ok(Event { name: name.to_owned(), moment, call, project: None, reply_to: None })
    }

    fn abilities(&self, event: &Event) -> Abilities {
        match event.name.as_str() {
            // Every answer but silence keeps the command from running.
            SKILL => Abilities::NONE,
            // Silence makes the host ask, which it was about to do.
            _ => Abilities { asks: Asks::Yes, changes: true, stops: true },
        }
    }

    fn answer(&self, event: &Event, decision: &Decision) -> Answer {
        match event.moment {
            Moment::Permission => permission(decision),
            // There it says that an allow adds nothing to silence.
            Moment::Before if event.name == SKILL && matches!(decision, Decision::Allow { .. }) => {
                Answer::silence()
            }
            Moment::Before | Moment::After => before(&event.name, decision),
        }
    }

    fn refuse(&self, payload: Option<&Payload>, why: &str) -> Answer {
        // Exit code 2 means nothing there.
        if payload.and_then(|p| p.text("hook_event_name")) == Some("PermissionRequest") {
            return permission(&Decision::deny(why));
        }
        Answer::blocked(why)
    }
}

/// The server that the host names, and the tool behind it. The host spells the server in the tool's name as a model may, so the name is
/// looked for in that spelling.
fn provenance(tool: &str, server: &str) -> Option<McpTool> {
    let spelt: String = server
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || matches!(c, '_' | '-') { c } else { '_' })
        .collect();
    let rest = tool.strip_prefix("mcp__")?;
    let own = rest.strip_prefix(spelt.as_str())?.strip_prefix("__")?;
    (!own.is_empty()).then(|| McpTool { server: server.to_owned(), tool: own.to_owned() })
}

/// The answer before a call.
pub(super) fn before(event: &str, decision: &Decision) -> Answer {
    let mut specific = Map::new();
    specific.insert("hookEventName".to_owned(), json!(event));
    let mut say = |decision: &str, reason: &str| {
        specific.insert("permissionDecision".to_owned(), json!(decision));
        specific.insert("permissionDecisionReason".to_owned(), json!(said(reason)));
    };
    let mut top = Map::new();
    match decision {
        Decision::Pass => return Answer::silence(),
        Decision::Allow { by } => say("allow", by),
        Decision::Change { args, by, note } => {
            say("allow", by);
            specific.insert("updatedInput".to_owned(), Value::Object(args.clone()));
            if let Some(note) = note {
                specific.insert("additionalContext".to_owned(), json!(note));
            }
        }
        Decision::Deny { why, stop, .. } => {
            say("deny", why);
            if let Some(stop) = stop {
                top.insert("continue".to_owned(), json!(false));
                top.insert("stopReason".to_owned(), json!(stop));
            }
        }
        Decision::Ask { by, question } => say("ask", &format!("{by}: {question}")),
        Decision::Hold { why } => say("deny", why),
    }
    top.insert("hookSpecificOutput".to_owned(), Value::Object(specific));
    Answer::json(&Value::Object(top))
}

/// The answer when the host would ask a person. Silence makes it ask.
fn permission(decision: &Decision) -> Answer {
    let decided = match decision {
        Decision::Pass | Decision::Ask { .. } => return Answer::silence(),
        Decision::Allow { .. } => json!({"behavior": "allow"}),
        Decision::Change { args, .. } => json!({"behavior": "allow", "updatedInput": args}),
        Decision::Deny { why, stop: Some(_), .. } => {
            json!({"behavior": "deny", "message": said(why), "interrupt": true})
        }
        Decision::Deny { why, stop: None, .. } | Decision::Hold { why } => {
            json!({"behavior": "deny", "message": said(why)})
        }
    };
    Answer::json(&json!({"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decided}}))
}
