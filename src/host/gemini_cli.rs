//! Gemini CLI.

use serde_json::{Map, Value, json};

use super::answer::said;
use super::{Abilities, Answer, Asks, Decision, Event, Host, Mark, Moment, Payload, Unfit};
use crate::call::McpTool;

pub(super) struct GeminiCli;

impl Host for GeminiCli {
    fn name(&self) -> &'static str {
        "gemini-cli"
    }

    fn mark(&self, payload: &Payload) -> Mark {
        let own = |name: &str| name.starts_with("Before") || name.starts_with("After");
        Mark::sure(payload.text("hook_event_name").is_some_and(own))
    }

    fn read(&self, payload: &Payload) -> Result<Event, Unfit> {
        let name = payload.needed("hook_event_name")?;
        let moment = match name {
            "BeforeTool" => Moment::Before,
            "AfterTool" => Moment::After,
            other => return Err(Unfit::event(other)),
        };
        let mut event = payload.usual(self.name(), name, moment)?;
        if payload.get("mcp_context").is_some() {
            let context = payload.below("mcp_context")?;
            event.call.mcp = Some(McpTool {
                server: context.needed("server_name")?.to_owned(),
                tool: context.needed("tool_name")?.to_owned(),
            });
        }
        Ok(event)
    }

    fn abilities(&self, _: &Event) -> Abilities {
        // Without a person the run hangs on a question.
        Abilities { asks: Asks::AtTerminal, changes: true, stops: true }
    }

    fn answer(&self, _: &Event, decision: &Decision) -> Answer {
        let mut answer = Map::new();
        let mut say = |key: &str, value: Value| answer.insert(key.to_owned(), value);
        match decision {
            // Its own policy is asked all the same.
            Decision::Pass | Decision::Allow { .. } => return Answer::silence(),
            Decision::Change { args, note, .. } => {
                say("decision", json!("allow"));
                let mut specific = Map::new();
                specific.insert("hookEventName".to_owned(), json!("BeforeTool"));
                specific.insert("tool_input".to_owned(), Value::Object(args.clone()));
                if let Some(note) = note {
                    specific.insert("additionalContext".to_owned(), json!(note));
                }
                say("hookSpecificOutput", Value::Object(specific));
            }
            Decision::Deny { why, stop, .. } => {
                say("decision", json!("deny"));
                say("reason", json!(said(why)));
                if let Some(stop) = stop {
                    say("continue", json!(false));
                    say("stopReason", json!(stop));
                }
            }
            Decision::Hold { why } => {
                say("decision", json!("deny"));
                say("reason", json!(said(why)));
            }
            Decision::Ask { by, question } => {
                say("decision", json!("ask"));
                say("reason", json!(by));
                say("systemMessage", json!(format!("{by}: {question}")));
            }
        }
        Answer::json(&Value::Object(answer))
    }

    fn refuse(&self, _: Option<&Payload>, why: &str) -> Answer {
        Answer::blocked(why)
    }
}
