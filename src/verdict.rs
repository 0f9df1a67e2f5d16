//! What the interpreter answers.

use std::borrow::Cow;
use std::sync::Arc;

use serde::Serialize;
use serde_json::{Map, Value};

/// Whether a call may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Answer {
    /// It may.
    Allow,
    /// It may not.
    Deny,
    /// A person has to say.
    Ask,
}

impl Answer {
    /// `allow`, `deny` or `ask`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Allow => "allow",
            Self::Deny => "deny",
            Self::Ask => "ask",
        }
    }

    /// How strict it is: deny over ask over allow.
    pub(crate) fn strictness(self) -> u8 {
        match self {
            Self::Allow => 0,
            Self::Ask => 1,
            Self::Deny => 2,
        }
    }
}

/// What brought the verdict about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Cause {
    /// A rule matched.
    Rule,
    /// A denial could not be ruled out.
    PossibleMatch,
    /// No rule decided.
    NoRule,
    /// A person said yes.
    HumanYes,
    /// A person said no.
    HumanNo,
    /// A person was asked and did not answer in time.
    HumanTimeout,
    /// A person would have to be asked, and there is none.
    NoHuman,
    /// Something failed.
    Error,
}

impl Cause {
    /// Its spelling in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Rule => "rule",
            Self::PossibleMatch => "possible_match",
            Self::NoRule => "no_rule",
            Self::HumanYes => "human_yes",
            Self::HumanNo => "human_no",
            Self::HumanTimeout => "human_timeout",
            Self::NoHuman => "no_human",
            Self::Error => "error",
        }
    }
}

/// Which rule decided, and where it is written.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleRef {
    /// The rule's id: its own, or `rule-N`.
    pub rule: String,
    /// The rule's kind.
    pub kind: &'static str,
    /// Its place in the list, from 0.
    pub index: usize,
    /// The file it is written in; absent for a rule of the host's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The line it starts at, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// The layer whose policy it belongs to.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layer: Option<String>,
}

/// A part of the call, and which rule decided about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PartVerdict {
    /// `run`, `read`, `write`, `fetch` or `call`.
    pub kind: &'static str,
    /// The part as it is written, or what it names.
    pub text: String,
    /// The bytes of the command that it is written at.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub span: Option<(usize, usize)>,
    /// The id of the rule that covers or asks about it; null where none does.
    pub decided_by: Option<String>,
    /// Why it needs no rule, or why none covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The answer to one call.
///
/// In JSON the keys have this order and spelling. Keys that say nothing here are left out, but for `reason`, `decided_by` and `call_id`, which are then null.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[must_use]
pub struct Verdict {
    /// Whether the call may run.
    pub verdict: Answer,
    /// For a denial, what the model is told; for a question, why it is asked, where that is not plain.
    pub reason: Option<Cow<'static, str>>,
    /// For a denial: the turn ends, too.
    pub stop: bool,
    /// The rule that decided; null where none did.
    pub decided_by: Option<Arc<RuleRef>>,
    /// What brought the verdict about.
    pub cause: Cause,
    /// The id of the call.
    pub call_id: Option<String>,
    /// The parts of the call, where the decision had to look at them.
    pub parts: Vec<PartVerdict>,
    /// What the author of the policy should hear of.
    pub warnings: Vec<String>,
    /// The digest of the policy, `sha256:…`.
    pub policy: Arc<str>,
    /// The denial that could not be ruled out, with cause `possible_match`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_ruled_out: Option<Arc<RuleRef>>,
    /// `ask`: the question for the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub question: Option<String>,
    /// `ask`: how many seconds the person has.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<u64>,
    /// `ask`: a hash that binds an answer to this call and no other.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub digest: Option<String>,
    /// `allow`: the arguments to run with, where the rule changes them; the whole of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated_args: Option<Map<String, Value>>,
    /// `allow`: what to tell the model about the change.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model_note: Option<String>,
}

/// What the model is told when no rule decides.
pub const NO_RULE: &str = "No permission allowed this call.";
/// What the model is told when the person says no.
pub const DECLINED: &str = "The user declined this call. Wait for their next message.";
/// What the model is told when the person does not answer in time.
pub const NO_ANSWER: &str =
    "Nobody answered in time, so this call was not run. Wait for the user's next message.";
/// The reason of a call that did not run because another one stopped the turn.
pub const CANCELLED: &str = "(not run: the user stopped this turn)";

impl Verdict {
    pub(crate) fn new(verdict: Answer, cause: Cause, policy: &Arc<str>) -> Self {
        Self {
            verdict,
            reason: None,
            stop: false,
            decided_by: None,
            cause,
            call_id: None,
            parts: Vec::new(),
            warnings: Vec::new(),
            policy: Arc::clone(policy),
            not_ruled_out: None,
            question: None,
            timeout_s: None,
            digest: None,
            updated_args: None,
            model_note: None,
        }
    }

    /// A denial because something failed: what hosts answer when there is no verdict of a policy.
    pub fn error(message: impl Into<String>) -> Self {
        Self::error_under(message, &Arc::from(""))
    }

    /// As [`Self::error`], under a policy.
    pub(crate) fn error_under(message: impl Into<String>, policy: &Arc<str>) -> Self {
        Self { reason: Some(Cow::Owned(message.into())), ..Self::new(Answer::Deny, Cause::Error, policy) }
    }

    /// Whether the call may run now.
    pub fn is_allowed(&self) -> bool {
        matches!(self.verdict, Answer::Allow)
    }

    /// The verdict after the person was asked.
    pub(crate) fn answered(mut self, reply: Reply) -> Self {
        let (verdict, cause, reason) = match reply {
            Reply::Yes => (Answer::Allow, Cause::HumanYes, None),
            Reply::No => (Answer::Deny, Cause::HumanNo, Some(DECLINED)),
            Reply::Timeout => (Answer::Deny, Cause::HumanTimeout, Some(NO_ANSWER)),
        };
        self.stop = matches!(verdict, Answer::Deny);
        self.verdict = verdict;
        self.cause = cause;
        self.reason = reason.map(Cow::Borrowed);
        self.digest = None;
        self.timeout_s = None;
        if self.stop {
            self.updated_args = None;
            self.model_note = None;
        }
        self
    }

    /// The denial in place of a question that nobody is there to answer.
    pub(crate) fn unasked(mut self) -> Self {
        let by =
            self.decided_by.as_ref().map_or_else(|| "a rule".to_owned(), |r| format!("rule `{}`", r.rule));
        self.reason = Some(Cow::Owned(format!(
            "A person would have to approve this call ({by}), and nobody is there to ask. To allow it, approve it where a person is, or add an allow rule before that one."
        )));
        self.verdict = Answer::Deny;
        self.cause = Cause::NoHuman;
        self.digest = None;
        self.timeout_s = None;
        self.updated_args = None;
        self.model_note = None;
        self
    }

    /// The denial in place of a question that could not be put.
    pub(crate) fn failed(self, message: &str) -> Self {
        let mut verdict = self.unasked();
        verdict.cause = Cause::Error;
        verdict.reason = Some(Cow::Owned(format!("The person could not be asked: {message}")));
        verdict
    }
}

/// What a person says to a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// Run it.
    Yes,
    /// Do not, and stop the turn.
    No,
    /// Nothing, in the time there was.
    Timeout,
}
