//! What a hook decides, and what it prints.

use serde_json::{Map, Value, json};

/// What a hook prints, and how it ends.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
    /// The exit code.
    pub exit: u8,
}

/// What is to be said to a host.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Nothing: the host goes on as if there were no hook.
    Pass,
    /// The call may run without a question of the host's own.
    Allow {
        /// The rule that says so.
        by: String,
    },
    /// The call may run with these arguments in place of its own.
    Change {
        /// The whole of the arguments.
        args: Map<String, Value>,
        /// The rule that says so.
        by: String,
        /// What the model should know of it.
        note: Option<String>,
    },
    /// The call may not run.
    Deny {
        /// What the model is told.
        why: String,
        /// What is said of the end of the turn, where it ends too.
        stop: Option<String>,
        /// Where a denial of the host's always ends the run: put a harmless command in the place of this one, so that it goes on.
        softly: bool,
    },
    /// A person has to say.
    Ask {
        /// The rule that says so.
        by: String,
        /// What they are asked.
        question: String,
    },
    /// The call may not run until a person has approved it elsewhere.
    Hold {
        /// What the model is told, with how to approve it.
        why: String,
    },
}

impl Decision {
    /// A denial that does not end the turn.
    pub fn deny(why: impl Into<String>) -> Self {
        Self::Deny { why: why.into(), stop: None, softly: false }
    }
}

impl Answer {
    /// Nothing at all.
    pub(super) fn silence() -> Self {
        Self::default()
    }

    /// A JSON object on standard output.
    pub(super) fn json(value: &Value) -> Self {
        Self { stdout: value.to_string(), ..Self::default() }
    }

    /// Exit code 2 with the reason on standard error, and nothing on standard output.
    pub(super) fn blocked(why: &str) -> Self {
        Self { stdout: String::new(), stderr: format!("{}\n", said(why)), exit: 2 }
    }

    /// With the reason on standard error and exit code 2, too.
    pub(super) fn and_blocked(self, why: &str) -> Self {
        Self { stdout: self.stdout, ..Self::blocked(why) }
    }
}

/// The reason; hosts that get an empty one run the tool.
pub(super) fn said(why: &str) -> &str {
    if why.trim().is_empty() { "refused by policy" } else { why }
}

/// What the model is told where a person would have to be asked.
pub fn needs_approval(by: &str, question: &str) -> String {
    format!("Needs human approval ({by}): {question}")
}

/// The refusal for a listener that is not known: exit code 2 and standard error for those who look at these, and one object with the
/// refusal of everybody else.
pub fn refuse_anybody(why: &str) -> Answer {
    let why = said(why);
    Answer::json(&json!({
        "decision": "deny",
        "reason": why,
        "verdict": "deny",
        "permission": "deny",
        "user_message": why,
        "agent_message": why,
        "permissionDecision": "deny",
        "permissionDecisionReason": why,
        "behavior": "deny",
        "message": why,
        "cancel": true,
        "errorMessage": why,
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": why,
        },
    }))
    .and_blocked(why)
}
