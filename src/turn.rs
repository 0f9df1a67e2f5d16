//! The calls of one turn, people included.

mod code;

pub use code::{CodeKind, CodeRule, CodeVerdict, Fallible};

use std::borrow::Cow;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::call::Call;
use crate::interpreter::{Layers, Surroundings};
use crate::policy::Policy;
use crate::verdict::{Answer, CANCELLED, Cause, Reply, RuleRef, Verdict};

/// Something to ask a person.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Question {
    /// The text.
    pub text: String,
    /// The id of the call that it is about.
    pub call_id: Option<String>,
    /// How long to wait for the answer.
    pub timeout: Duration,
    /// Binds the answer to this call and no other.
    pub digest: String,
    /// Why it is asked, where the question alone does not say.
    pub why: Option<String>,
}

/// Why a person could not be asked.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AskError {
    /// There is nobody to ask.
    #[error("nobody is there to ask")]
    Nobody,
    /// The channel to the person failed.
    #[error("{0}")]
    Failed(String),
}

/// Asks a person, and waits.
pub trait Human: Send + Sync {
    /// Puts the question. Asks again when the answer is neither yes nor no; answers [`Reply::Timeout`] when there is none in `question.timeout`.
    ///
    /// # Errors
    ///
    /// When nobody is there, or the channel fails: both deny the call.
    fn ask(&self, question: &Question) -> Result<Reply, AskError>;
}

/// What [`AsyncHuman::ask`] gives.
pub type Asking<'a> = Pin<Box<dyn Future<Output = Result<Reply, AskError>> + Send + 'a>>;

/// Asks a person who is reached asynchronously, such as over a web socket. As [`Human`].
pub trait AsyncHuman: Send + Sync {
    /// See [`Human::ask`].
    fn ask<'a>(&'a self, question: &'a Question) -> Asking<'a>;
}

/// The person whom the rules of a run ask.
#[derive(Clone)]
pub enum Person {
    /// Asked by waiting.
    Sync(Arc<dyn Human>),
    /// Asked by awaiting; only [`Run::decide_async`] can.
    Async(Arc<dyn AsyncHuman>),
    /// Nobody: what would be asked is denied at once.
    Nobody,
}

impl<H: Human + 'static> From<H> for Person {
    fn from(human: H) -> Self {
        Self::Sync(Arc::new(human))
    }
}

/// A run of an agent: its policy, the host's own rules around it, and the person whom they ask.
#[derive(Clone)]
pub struct Run {
    layers: Layers,
    person: Person,
    before: Vec<Arc<dyn CodeRule>>,
    after: Vec<Arc<dyn CodeRule>>,
}

/// What came of a turn.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[must_use]
pub struct TurnOutcome {
    /// What becomes of each call, in order.
    pub outcomes: Vec<CallOutcome>,
    /// The questions that were put, in order.
    pub questions: Vec<String>,
    /// What was answered to each, with the call that it was about.
    pub answers: Vec<Asked>,
    /// The place in its list of the rule that stopped the turn; null when nothing did.
    pub stopped: Option<usize>,
}

/// A question with its answer.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Asked {
    /// The call that it was about.
    pub call_id: Option<String>,
    /// The question.
    pub question: String,
    /// `yes`, `no`, `timeout`, `no_human` or `error`.
    pub answer: &'static str,
}

/// What becomes of one call of a turn.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CallOutcome {
    /// The id of the call.
    pub call_id: Option<String>,
    /// Whether it runs.
    pub outcome: Outcome,
    /// What the model is told when it does not.
    pub reason: Option<Cow<'static, str>>,
    /// The rule that decided; for a cancelled call, the rule that stopped the turn.
    pub decided_by: Option<Arc<RuleRef>>,
    /// The verdict on the call; absent for a call that was cancelled before it was judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verdict: Option<Verdict>,
}

/// Whether a call of a turn runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It does.
    Run,
    /// It was denied.
    Denied,
    /// It was not, because another call stopped the turn.
    Cancelled,
}

impl Outcome {
    /// Its spelling in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Run => "run",
            Self::Denied => "denied",
            Self::Cancelled => "cancelled",
        }
    }
}

impl Run {
    /// A run under these policies, whose questions go to `person`.
    pub fn new(layers: impl Into<Layers>, person: impl Into<Person>) -> Self {
        Self { layers: layers.into(), person: person.into(), before: Vec::new(), after: Vec::new() }
    }

    /// With a rule of the host's own in front of the policy's list. Its denials come before the policy's.
    #[must_use]
    pub fn before(mut self, rule: impl CodeRule + 'static) -> Self {
        self.before.push(Arc::new(rule));
        self
    }

    /// With a rule of the host's own behind the policy's list. Its denials still come before every allow.
    #[must_use]
    pub fn after(mut self, rule: impl CodeRule + 'static) -> Self {
        self.after.push(Arc::new(rule));
        self
    }

    /// A run below this one: the denials of every run above first, then its own list, or the whole list above when it has none.
    ///
    /// A rule asks the person of the run that wrote it, so a run without a list of its own asks the person of this one.
    #[must_use]
    pub fn subagent(&self, own: Option<(&Policy, Option<Person>)>) -> Self {
        let Some((policy, person)) = own else { return self.clone() };
        let denials = |rules: &[Arc<dyn CodeRule>]| {
            rules.iter().filter(|r| r.kind() == CodeKind::MayDeny).cloned().collect()
        };
        Self {
            layers: self.layers.for_subagent(Some(policy)),
            person: person.unwrap_or_else(|| self.person.clone()),
            before: denials(&self.before),
            after: denials(&self.after),
        }
    }

    /// Decides about one call, asking the person where a rule says so.
    pub fn judge(&self, call: &Call, surroundings: &Surroundings<'_>) -> Verdict {
        let mut asked = Vec::new();
        now(self.judged(call, surroundings, false, &mut asked)).unwrap_or_else(|| {
            Verdict::error("a rule or person that answers asynchronously needs `decide_async`")
        })
    }

    /// Decides about all calls of one turn, in order, before any of them runs.
    ///
    /// A denial that stops cancels every other call of the turn, also those allowed before it.
    pub fn decide(&self, calls: &[Call], surroundings: &Surroundings<'_>) -> TurnOutcome {
        now(self.turn(calls, surroundings, false)).unwrap_or_else(|| failed_turn(calls))
    }

    /// As [`Self::decide`], awaiting people and rules that answer asynchronously.
    pub async fn decide_async(&self, calls: &[Call], surroundings: &Surroundings<'_>) -> TurnOutcome {
        self.turn(calls, surroundings, true).await
    }

    async fn turn(&self, calls: &[Call], surroundings: &Surroundings<'_>, may_wait: bool) -> TurnOutcome {
        let mut asked = Vec::new();
        let mut outcomes: Vec<CallOutcome> = Vec::new();
        let mut stopped_by: Option<Option<Arc<RuleRef>>> = None;
        for call in calls {
            let verdict = self.judged(call, surroundings, may_wait, &mut asked).await;
            let stops = verdict.stop && verdict.verdict == Answer::Deny;
            if stops {
                stopped_by = Some(verdict.decided_by.clone());
            }
            outcomes.push(CallOutcome::of(call, verdict));
            if stops {
                break;
            }
        }
        if let Some(by) = &stopped_by {
            for outcome in outcomes.iter_mut().filter(|o| o.outcome == Outcome::Run) {
                outcome.cancel(by.as_ref());
            }
            for call in calls.iter().skip(outcomes.len()) {
                let mut outcome = CallOutcome {
                    call_id: call.id.clone(),
                    outcome: Outcome::Cancelled,
                    reason: None,
                    decided_by: None,
                    verdict: None,
                };
                outcome.cancel(by.as_ref());
                outcomes.push(outcome);
            }
        }
        TurnOutcome {
            outcomes,
            questions: asked.iter().map(|a: &Asked| a.question.clone()).collect(),
            answers: asked,
            stopped: stopped_by.flatten().map(|by| by.index),
        }
    }

    async fn judged(
        &self,
        call: &Call,
        surroundings: &Surroundings<'_>,
        may_wait: bool,
        asked: &mut Vec<Asked>,
    ) -> Verdict {
        let mut verdict = self.ruled(call, surroundings).await;
        if verdict.policy.is_empty() {
            // A rule in code decided, under this policy.
            verdict.policy = self.layers.digest();
        }
        verdict.call_id.clone_from(&call.id);
        if verdict.verdict != Answer::Ask {
            return verdict;
        }
        let question = Question {
            text: verdict.question.clone().unwrap_or_else(|| format!("Run {}?", call.shown())),
            call_id: call.id.clone(),
            timeout: Duration::from_secs(verdict.timeout_s.unwrap_or(30)),
            digest: verdict.digest.clone().unwrap_or_default(),
            why: verdict.reason.as_ref().map(ToString::to_string),
        };
        let started = Instant::now();
        let reply = match &self.person {
            Person::Sync(human) => human.ask(&question),
            Person::Async(human) if may_wait => human.ask(&question).await,
            Person::Async(_) => Err(AskError::Failed(
                "the person answers asynchronously, which needs `decide_async`".to_owned(),
            )),
            Person::Nobody => Err(AskError::Nobody),
        };
        // A yes that comes too late is none.
        let late = started.elapsed() > question.timeout + Duration::from_secs(1);
        let (verdict, answer) = match reply {
            Ok(_) if late => (verdict.answered(Reply::Timeout), "timeout"),
            Ok(reply) => (verdict.answered(reply), reply_name(reply)),
            Err(AskError::Nobody) => return verdict.unasked(),
            Err(AskError::Failed(message)) => (verdict.failed(&message), "error"),
        };
        asked.push(Asked { call_id: call.id.clone(), question: question.text, answer });
        verdict
    }

    /// The verdict before anybody is asked: the host's own rules, and the policy.
    async fn ruled(&self, call: &Call, surroundings: &Surroundings<'_>) -> Verdict {
        if let Some(denial) = code::denial(&self.before, call).await {
            return denial;
        }
        let verdict = self.layers.evaluate(call, surroundings);
        if verdict.verdict == Answer::Deny && matches!(verdict.cause, Cause::Rule | Cause::Error) {
            return verdict;
        }
        if let Some(denial) = code::denial(&self.after, call).await {
            return denial;
        }
        // What could not be ruled out goes to a person or is denied: no rule of the host's may wave it through.
        if verdict.cause == Cause::PossibleMatch {
            return verdict;
        }
        if let Some(decided) = code::decision(&self.before, call).await {
            return decided;
        }
        if verdict.cause != Cause::NoRule {
            return verdict;
        }
        code::decision(&self.after, call).await.unwrap_or(verdict)
    }
}

impl CallOutcome {
    fn of(call: &Call, verdict: Verdict) -> Self {
        let runs = verdict.is_allowed();
        Self {
            call_id: call.id.clone(),
            outcome: if runs { Outcome::Run } else { Outcome::Denied },
            reason: if runs { None } else { verdict.reason.clone() },
            decided_by: verdict.decided_by.clone(),
            verdict: Some(verdict),
        }
    }

    fn cancel(&mut self, by: Option<&Arc<RuleRef>>) {
        self.outcome = Outcome::Cancelled;
        self.reason = Some(Cow::Borrowed(CANCELLED));
        self.decided_by = by.cloned();
        // An allowance that no longer holds must not be found by anybody.
        self.verdict = None;
    }
}

fn reply_name(reply: Reply) -> &'static str {
    match reply {
        Reply::Yes => "yes",
        Reply::No => "no",
        Reply::Timeout => "timeout",
    }
}

fn failed_turn(calls: &[Call]) -> TurnOutcome {
    let message = "a rule or person that answers asynchronously needs `decide_async`";
    TurnOutcome {
        outcomes: calls.iter().map(|call| CallOutcome::of(call, Verdict::error(message))).collect(),
        questions: Vec::new(),
        answers: Vec::new(),
        stopped: None,
    }
}

/// What a future gives that never has to wait; `None` when it would.
fn now<T>(future: impl Future<Output = T>) -> Option<T> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
