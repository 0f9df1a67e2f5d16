//! The calls of one turn, decided step by step: where a person has to be asked, JavaScript asks, however long that takes, and comes back.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use napi::{Error, Result};
use napi_derive::napi;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use tool_policy::turn::Outcome;
use tool_policy::{
    AskError, Asking, AsyncHuman, Call, CallError, CallOutcome, Person, Question, Reply, Run, Surroundings,
    TurnOutcome, Verdict,
};

use crate::{Judge, exact, written};

/// A call as it is handed over.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Given {
    /// The call.
    Call(Value),
    /// Why it is none.
    Problem(String),
}

/// What a person said, as JavaScript read it.
#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Said {
    Yes,
    No,
    Timeout,
    NoHuman,
    /// There is no answer, and why.
    Failed(String),
}

/// What comes next.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Next<'a> {
    Question(Asked<'a>),
    Outcome(&'a TurnOutcome),
}

/// A question, as JavaScript sees it.
#[derive(Serialize)]
struct Asked<'a> {
    question: &'a str,
    call_id: Option<&'a str>,
    timeout_s: u64,
    digest: &'a str,
    why: Option<&'a str>,
}

/// A turn that is being decided.
#[napi]
pub struct Turn {
    deciding: Pin<Box<dyn Future<Output = TurnOutcome>>>,
    desk: Arc<Desk>,
    over: bool,
}

#[napi]
impl Turn {
    /// Goes on until a person has to be asked, or to the end. `said` is the answer to the question that was given last.
    #[napi(catch_unwind)]
    pub fn next(&mut self, said: Option<String>) -> Result<String> {
        if self.over {
            return Err(Error::from_reason("this turn is over"));
        }
        if let Some(said) = said {
            let said = serde_json::from_str(&said).map_err(|e| Error::from_reason(e.to_string()))?;
            self.desk.put(said);
        }
        match self.deciding.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(outcome) => {
                self.over = true;
                written(&Next::Outcome(&outcome))
            }
            Poll::Pending => {
                let question =
                    self.desk.question().ok_or_else(|| Error::from_reason("nothing to wait for"))?;
                written(&Next::Question(Asked {
                    question: &question.text,
                    call_id: question.call_id.as_deref(),
                    timeout_s: question.timeout.as_secs(),
                    digest: &question.digest,
                    why: question.why.as_deref(),
                }))
            }
        }
    }
}

impl Turn {
    pub(crate) fn new(judge: Judge, calls: &str, anybody: bool) -> std::result::Result<Self, String> {
        let given: Vec<Given> = serde_json::from_str(calls).map_err(|e| e.to_string())?;
        let read: Vec<_> = given.into_iter().map(Given::read).collect();
        let desk = Arc::new(Desk::default());
        let deciding: Pin<Box<dyn Future<Output = TurnOutcome>>> =
            if read.iter().all(std::result::Result::is_ok) {
                let calls: Vec<Call> = read.into_iter().flatten().collect();
                let person =
                    if anybody { Person::Async(Arc::new(AtDesk(Arc::clone(&desk)))) } else { Person::Nobody };
                Box::pin(async move {
                    let run = Run::new(judge.policy, person);
                    let mut turn = run.decide_async(&calls, &Surroundings::new(&judge.disk)).await;
                    turn.outcomes.iter_mut().for_each(hold_exactly);
                    turn
                })
            } else {
                Box::pin(std::future::ready(unread(&judge, read)))
            };
        Ok(Self { deciding, desk, over: false })
    }
}

impl Given {
    fn read(self) -> std::result::Result<Call, CallError> {
        match self {
            Self::Call(call) => Call::from_json(call),
            Self::Problem(message) => Err(CallError { message, id: None }),
        }
    }
}

/// A call with changed arguments that JavaScript would change again does not run.
fn hold_exactly(outcome: &mut CallOutcome) {
    let Some(verdict) = outcome.verdict.take() else { return };
    let ran = verdict.is_allowed();
    let verdict = exact(verdict);
    if ran && !verdict.is_allowed() {
        outcome.outcome = Outcome::Denied;
        outcome.reason.clone_from(&verdict.reason);
    }
    outcome.verdict = Some(verdict);
}

/// The outcome of a turn of which some calls are none: nothing of it runs.
fn unread(judge: &Judge, calls: Vec<std::result::Result<Call, CallError>>) -> TurnOutcome {
    let outcomes = calls.into_iter().map(|call| {
        let verdict = judge.refused(call.map_or_else(
            |e| e,
            |call| CallError {
                message: "another call of this turn is none, so nothing of it runs".to_owned(),
                id: call.id,
            },
        ));
        denied(verdict)
    });
    TurnOutcome { outcomes: outcomes.collect(), questions: Vec::new(), answers: Vec::new(), stopped: None }
}

fn denied(verdict: Verdict) -> CallOutcome {
    CallOutcome {
        call_id: verdict.call_id.clone(),
        outcome: Outcome::Denied,
        reason: verdict.reason.clone(),
        decided_by: None,
        verdict: Some(verdict),
    }
}

/// Where the question lies until it is answered.
#[derive(Default)]
struct Desk(Mutex<(Option<Question>, Option<Said>)>);

impl Desk {
    fn question(&self) -> Option<Question> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).0.clone()
    }

    /// An answer to no question is none.
    fn put(&self, said: Said) {
        let mut desk = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if desk.0.is_some() {
            desk.1 = Some(said);
        }
    }
}

/// The person whom JavaScript asks.
struct AtDesk(Arc<Desk>);

impl AsyncHuman for AtDesk {
    fn ask<'a>(&'a self, question: &'a Question) -> Asking<'a> {
        *self.0.0.lock().unwrap_or_else(PoisonError::into_inner) = (Some(question.clone()), None);
        Box::pin(std::future::poll_fn(|_| {
            let mut desk = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(said) = desk.1.take() else { return Poll::Pending };
            desk.0 = None;
            Poll::Ready(match said {
                Said::Yes => Ok(Reply::Yes),
                Said::No => Ok(Reply::No),
                Said::Timeout => Ok(Reply::Timeout),
                Said::NoHuman => Err(AskError::Nobody),
                Said::Failed(message) => Err(AskError::Failed(message)),
            })
        }))
    }
}
