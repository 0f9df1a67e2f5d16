//! What the proxy itself says to the client: denials, errors, questions.

use serde_json::{Value, json};

use super::scan::Id;
use crate::diagnostic::visible;
use crate::verdict::Verdict;

/// What an error says of itself, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Code {
    /// The line is no JSON.
    Parse,
    /// The message is none that is taken.
    Invalid,
    /// The parameters are none that are taken.
    Params,
    /// Something failed on this side.
    Internal,
    /// The connection to the server is gone, or the request was not let through.
    Closed,
}

impl Code {
    fn number(self) -> i32 {
        match self {
            Self::Parse => -32700,
            Self::Invalid => -32600,
            Self::Params => -32602,
            Self::Internal => -32603,
            Self::Closed => -32000,
        }
    }
}

/// So much of a question is shown.
const QUESTION: usize = 8000;

/// A request is answered by an error.
pub(super) fn error(id: &Id, code: Code, message: &str) -> String {
    json!({"jsonrpc": "2.0", "id": id.json(), "error": {"code": code.number(), "message": message}})
        .to_string()
}

/// A call is denied: a result, which the model reads, whatever the tool's results look like otherwise.
pub(super) fn denial(id: &Id, text: &str, modern: bool) -> String {
    let mut result = json!({"content": [{"type": "text", "text": text}], "isError": true});
    if modern && let Some(map) = result.as_object_mut() {
        map.insert("resultType".to_owned(), json!("complete"));
    }
    json!({"jsonrpc": "2.0", "id": id.json(), "result": result}).to_string()
}

/// The question as the client is to put it.
fn elicitation(question: &str) -> Value {
    json!({
        "mode": "form",
        "message": question,
        "requestedSchema": {
            "type": "object",
            "properties": {"decision": {"type": "string", "title": "Decision", "enum": ["allow", "deny"]}},
            "required": ["decision"],
        },
    })
}

/// A question, as a request of our own (up to 2025-11-25).
pub(super) fn question(own: &str, question: &str) -> String {
    json!({"jsonrpc": "2.0", "id": own, "method": "elicitation/create", "params": elicitation(question)})
        .to_string()
}

/// A question is no longer one.
pub(super) fn withdrawn(own: &str, why: &str) -> String {
    json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": own, "reason": why}})
        .to_string()
}

/// The key of the question among those that a result asks for.
pub(super) const APPROVE: &str = "approve";

/// A question, as the result of the call (from 2026-07-28).
pub(super) fn input_required(id: &Id, question: &str, state: &str) -> String {
    let asked = json!({"method": "elicitation/create", "params": elicitation(question)});
    json!({"jsonrpc": "2.0", "id": id.json(), "result": {
        "resultType": "input_required", "inputRequests": {APPROVE: asked}, "requestState": state,
    }})
    .to_string()
}

/// What came of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Said {
    /// The person allows it.
    Yes,
    /// The person does not.
    No,
    /// The question was put away, as hosts do where nobody is there; or the answer is none.
    Nothing,
}

/// What a client's answer to a question says. Only a plain yes is one.
pub(super) fn said(answer: Option<&Value>) -> Said {
    let Some(answer) = answer else { return Said::Nothing };
    let decision = || answer.get("content")?.get("decision")?.as_str();
    match (answer.get("action").and_then(Value::as_str), decision()) {
        (Some("accept"), Some("allow")) => Said::Yes,
        (Some("accept"), Some("deny")) | (Some("decline"), _) => Said::No,
        _ => Said::Nothing,
    }
}

/// What the person reads: why, the question, and who asks.
pub(super) fn asked(verdict: &Verdict, shown: &str) -> String {
    let question = verdict.question.clone().unwrap_or_else(|| format!("Run {shown}?"));
    let mut text = String::new();
    if let Some(why) = &verdict.reason {
        text.push_str(&visible(why));
        text.push('\n');
    }
    text.push_str(&shortened(&visible(&question)));
    if let Some(by) = &verdict.decided_by {
        text.push_str("\nAsked by the policy, rule `");
        text.push_str(&visible(&by.rule));
        text.push_str("`. Choose `allow` to let this one call run.");
    }
    text
}

/// A person is told how much is not shown.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(QUESTION) {
        None => text.to_owned(),
        Some((at, _)) => {
            let (shown, rest) = text.split_at(at);
            format!("{shown}… (and {} more characters that are not shown)", rest.chars().count())
        }
    }
}

/// What the model is told of a denial.
pub(super) fn denied(verdict: &Verdict) -> String {
    let reason = verdict.reason.as_deref().unwrap_or("this call is not allowed");
    match &verdict.decided_by {
        Some(by) => format!("Denied by policy: {reason} (rule `{}`)", by.rule),
        None => format!("Denied by policy: {reason}"),
    }
}

/// What the model is told where a person would have to approve, and none did.
pub(super) fn unapproved(verdict: &Verdict, id: Result<String, String>) -> String {
    let by = verdict.decided_by.as_ref().map_or_else(String::new, |by| format!(" (rule `{}`)", by.rule));
    let how = match id {
        Ok(id) => format!(
            "To let exactly this call through once, a person runs `policy approve {id}` in a terminal; then make the same call again."
        ),
        Err(why) => format!("It cannot be approved elsewhere either: {why}."),
    };
    let why = verdict.reason.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    format!("Denied by policy: a person has to approve this call{by}{why}, and nobody has. {how}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_plain_yes_is_one() {
        for (answer, meant) in [
            (json!({"action": "accept", "content": {"decision": "allow"}}), Said::Yes),
            (json!({"action": "accept", "content": {"decision": "deny"}}), Said::No),
            (json!({"action": "decline"}), Said::No),
            (json!({"action": "decline", "content": {"decision": "allow"}}), Said::No),
            (json!({"action": "cancel"}), Said::Nothing),
            (json!({"action": "cancel", "content": {"decision": "allow"}}), Said::Nothing),
            (json!({"action": "accept"}), Said::Nothing),
            (json!({"action": "accept", "content": {"decision": true}}), Said::Nothing),
            (json!({"action": "accept", "content": {"decision": "Allow"}}), Said::Nothing),
            (json!({"action": ["accept"], "content": {"decision": "allow"}}), Said::Nothing),
            (json!("accept"), Said::Nothing),
            (json!(null), Said::Nothing),
        ] {
            assert_eq!(said(Some(&answer)), meant, "{answer}");
        }
        assert_eq!(said(None), Said::Nothing);
    }

    #[test]
    fn a_long_question_says_that_it_is_cut() {
        let verdict = Verdict { question: Some("é".repeat(9000)), ..Verdict::error("") };
        let text = asked(&verdict, "");
        assert!(text.ends_with("(and 1000 more characters that are not shown)"), "{text}");
    }

    #[test]
    fn a_terminal_obeys_nothing_in_a_question() {
        let verdict = Verdict { question: Some("a\u{1b}[2Kb\u{202e}".into()), ..Verdict::error("") };
        assert_eq!(asked(&verdict, ""), "\na\\u{1b}[2Kb\\u{202e}");
    }
}
