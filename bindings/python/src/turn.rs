//! The calls of one turn, people included.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, Waker};

use pyo3::exceptions::{PyException, PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tool_policy as engine;
use tool_policy::turn::Outcome;
use tool_policy::{AskError, Asking, AsyncHuman, Person, Reply, Run};

use crate::call::Given;
use crate::judge::{Judge, of_error};
use crate::question::{Question, Terminal, reply};
use crate::safe::safely;
use crate::verdict::{RuleRef, Verdict};

/// What came of a turn.
#[pyclass(frozen, module = "tool_policy")]
pub(crate) struct TurnOutcome {
    outcome: engine::TurnOutcome,
}

#[pymethods]
impl TurnOutcome {
    /// What becomes of each call, in order.
    #[getter]
    fn outcomes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.outcome.outcomes.iter().map(|outcome| CallOutcome { outcome: outcome.clone() }))
    }

    /// The questions that were put, in order.
    #[getter]
    fn questions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.outcome.questions)
    }

    /// What was answered to each, with the call that it was about.
    #[getter]
    fn answers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.outcome.answers.iter().map(|asked| Asked { asked: asked.clone() }))
    }

    /// The place in its list of the rule that stopped the turn; `None` when nothing did.
    #[getter]
    fn stopped(&self) -> Option<usize> {
        self.outcome.stopped
    }

    /// The outcome as one line of JSON.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.outcome).map_err(|e| PyRuntimeError::new_err(e.to_string()))
    }

    fn __repr__(&self) -> String {
        let names: Vec<_> = self.outcome.outcomes.iter().map(|outcome| outcome.outcome.name()).collect();
        format!("TurnOutcome[{}]", names.join(", "))
    }
}

/// What becomes of one call of a turn.
#[pyclass(frozen, module = "tool_policy")]
pub(crate) struct CallOutcome {
    outcome: engine::CallOutcome,
}

#[pymethods]
impl CallOutcome {
    /// The id of the call.
    #[getter]
    fn call_id(&self) -> Option<&str> {
        self.outcome.call_id.as_deref()
    }

    /// `"run"`, `"denied"` or `"cancelled"`.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.outcome.outcome.name()
    }

    /// Whether the call runs.
    #[getter]
    fn runs(&self) -> bool {
        self.outcome.outcome == Outcome::Run
    }

    /// What the model is told when it does not.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.outcome.reason.as_deref()
    }

    /// The rule that decided; for a cancelled call, the rule that stopped the turn.
    #[getter]
    fn decided_by(&self) -> Option<RuleRef> {
        self.outcome.decided_by.as_ref().map(RuleRef::of)
    }

    /// The verdict on the call; `None` for a cancelled call.
    #[getter]
    fn verdict(&self) -> Option<Verdict> {
        self.outcome.verdict.clone().map(Verdict::from)
    }

    fn __bool__(&self) -> bool {
        self.runs()
    }

    fn __repr__(&self) -> String {
        format!("CallOutcome[{}]", self.outcome.outcome.name())
    }
}

/// A question with its answer.
#[pyclass(frozen, module = "tool_policy", eq)]
#[derive(PartialEq)]
pub(crate) struct Asked {
    asked: engine::turn::Asked,
}

#[pymethods]
impl Asked {
    /// The call that it was about.
    #[getter]
    fn call_id(&self) -> Option<&str> {
        self.asked.call_id.as_deref()
    }

    /// The question.
    #[getter]
    fn question(&self) -> &str {
        &self.asked.question
    }

    /// `"yes"`, `"no"`, `"timeout"`, `"no_human"` or `"error"`.
    #[getter]
    fn answer(&self) -> &'static str {
        self.asked.answer
    }

    fn __repr__(&self) -> String {
        format!("Asked[{} {}]", self.asked.question, self.asked.answer)
    }
}

/// The whole turn, with `human` asked where a rule says so.
pub(crate) fn decide(
    judge: &Judge,
    py: Python<'_>,
    calls: &Bound<'_, PyAny>,
    human: Option<&Bound<'_, PyAny>>,
) -> PyResult<TurnOutcome> {
    let calls = match read(calls)? {
        Ok(calls) => calls,
        Err(refused) => return Ok(refused),
    };
    let person = match human {
        None => Person::Nobody,
        Some(human) if human.is_instance_of::<Terminal>() => Person::from(engine::Terminal::new()),
        Some(human) if human.is_callable() => return ask_along(judge, py, calls, human),
        Some(_) => {
            return Err(PyTypeError::new_err(
                "`human` must be a function that takes a question, a `Terminal`, or None",
            ));
        }
    };
    let outcome = py.detach(|| {
        safely(|| Run::new(judge.layers.clone(), person).decide(&calls, &judge.surroundings()))
            .unwrap_or_else(|message| refused(&calls, &message))
    });
    Ok(TurnOutcome { outcome })
}

fn ask_along(
    judge: &Judge,
    py: Python<'_>,
    calls: Vec<engine::Call>,
    human: &Bound<'_, PyAny>,
) -> PyResult<TurnOutcome> {
    let steps = TurnSteps::new(judge, calls);
    let mut next = py.detach(|| steps.start());
    loop {
        match next {
            Next::Done(outcome) => return Ok(*outcome),
            Next::Ask(question) => {
                let said = match human.call1((Question::from(*question),)) {
                    Ok(answer) => reply(&answer),
                    Err(e) => failed(py, e).map(Err)?,
                };
                next = py.detach(|| steps.go_on(said));
            }
        }
    }
}

/// An exception in place of an answer denies. What ends the program, such as Ctrl+C, goes on to do so.
fn failed(py: Python<'_>, e: PyErr) -> PyResult<AskError> {
    if e.is_instance_of::<PyException>(py) { Ok(AskError::Failed(e.to_string())) } else { Err(e) }
}

/// The calls, or the turn refused because some are none.
fn read(calls: &Bound<'_, PyAny>) -> PyResult<Result<Vec<engine::Call>, TurnOutcome>> {
    let mut read = Vec::new();
    for call in calls.try_iter()? {
        let call = call?;
        let given = safely(|| Given::read(&call).map(Given::owned));
        read.push(given.unwrap_or_else(|message| Err(engine::CallError { message, id: None })));
    }
    if read.iter().all(Result::is_ok) {
        return Ok(Ok(read.into_iter().flatten().collect()));
    }
    let verdicts = read.into_iter().map(|call| match call {
        Ok(call) => {
            of_error("Another call of this turn could not be read, so none of it runs.".to_owned(), call.id)
        }
        Err(e) => of_error(e.message, e.id),
    });
    Ok(Err(TurnOutcome { outcome: denied(verdicts) }))
}

fn refused(calls: &[engine::Call], message: &str) -> engine::TurnOutcome {
    denied(calls.iter().map(|call| of_error(message.to_owned(), call.id.clone())))
}

fn denied(verdicts: impl Iterator<Item = engine::Verdict>) -> engine::TurnOutcome {
    let outcomes = verdicts.map(|verdict| engine::CallOutcome {
        call_id: verdict.call_id.clone(),
        outcome: Outcome::Denied,
        reason: verdict.reason.clone(),
        decided_by: None,
        verdict: Some(verdict),
    });
    engine::TurnOutcome {
        outcomes: outcomes.collect(),
        questions: Vec::new(),
        answers: Vec::new(),
        stopped: None,
    }
}

/// What is wanted next of whoever carries a turn on.
enum Next {
    /// The answer to this question.
    Ask(Box<engine::Question>),
    /// Nothing: this is what came of it.
    Done(Box<TurnOutcome>),
}

/// A turn that stands still at every question.
#[pyclass(frozen, module = "tool_policy._native")]
pub(crate) struct TurnSteps {
    inner: Mutex<Inner>,
    desk: Desk,
}

struct Inner {
    turn: Option<Pin<Box<dyn Future<Output = engine::TurnOutcome> + Send>>>,
    calls: Vec<engine::Call>,
}

/// Where the turn puts its question, and finds the answer.
#[derive(Clone, Default)]
struct Desk(Arc<Mutex<Papers>>);

#[derive(Default)]
struct Papers {
    question: Option<engine::Question>,
    answer: Option<Result<Reply, AskError>>,
}

impl Desk {
    fn with<T>(&self, work: impl FnOnce(&mut Papers) -> T) -> T {
        work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl AsyncHuman for Desk {
    fn ask<'a>(&'a self, question: &'a engine::Question) -> Asking<'a> {
        self.with(|papers| *papers = Papers { question: Some(question.clone()), answer: None });
        Box::pin(std::future::poll_fn(|_| match self.with(|papers| papers.answer.take()) {
            Some(answer) => Poll::Ready(answer),
            None => Poll::Pending,
        }))
    }
}

impl TurnSteps {
    pub(crate) fn new(judge: &Judge, calls: Vec<engine::Call>) -> Self {
        let desk = Desk::default();
        let run = Run::new(judge.layers.clone(), Person::Async(Arc::new(desk.clone())));
        let (judge, of_turn) = (judge.clone(), calls.clone());
        let turn = Box::pin(async move { run.decide_async(&of_turn, &judge.surroundings()).await });
        Self { inner: Mutex::new(Inner { turn: Some(turn), calls }), desk }
    }

    fn start(&self) -> Next {
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(turn) = inner.turn.as_mut() else { return inner.refused("this turn is over") };
        let polled = safely(|| turn.as_mut().poll(&mut Context::from_waker(Waker::noop())));
        let question = self.desk.with(|papers| papers.question.take());
        match (polled, question) {
            (Ok(Poll::Ready(outcome)), _) => {
                inner.turn = None;
                Next::Done(Box::new(TurnOutcome { outcome }))
            }
            (Ok(Poll::Pending), Some(question)) => Next::Ask(Box::new(question)),
            (Ok(Poll::Pending), None) => inner.refused("the question was not answered"),
            (Err(message), _) => inner.refused(&message),
        }
    }

    fn go_on(&self, answer: Result<Reply, AskError>) -> Next {
        self.desk.with(|papers| papers.answer = Some(answer));
        self.start()
    }
}

impl Inner {
    fn refused(&mut self, message: &str) -> Next {
        self.turn = None;
        Next::Done(Box::new(TurnOutcome { outcome: refused(&self.calls, message) }))
    }
}

impl Next {
    fn into_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        match self {
            Self::Ask(question) => Ok(Py::new(py, Question::from(*question))?.into_any()),
            Self::Done(outcome) => Ok(Py::new(py, *outcome)?.into_any()),
        }
    }
}

#[pymethods]
impl TurnSteps {
    /// Goes on to the first question: that question, or the outcome where there is none.
    fn begin(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        py.detach(|| self.start()).into_python(py)
    }

    /// Goes on with the answer to the question.
    fn answer(&self, py: Python<'_>, answer: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let said = reply(answer);
        py.detach(|| self.go_on(said)).into_python(py)
    }

    /// Goes on with the reason why there is no answer, which denies.
    fn fail(&self, py: Python<'_>, message: String) -> PyResult<Py<PyAny>> {
        py.detach(|| self.go_on(Err(AskError::Failed(message)))).into_python(py)
    }
}

/// The turn, to be awaited.
pub(crate) fn decide_async<'py>(
    judge: &Judge,
    py: Python<'py>,
    calls: &Bound<'py, PyAny>,
    human: Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyAny>> {
    let steps: Py<PyAny> = match read(calls)? {
        Ok(calls) => Py::new(py, TurnSteps::new(judge, calls))?.into_any(),
        Err(refused) => Py::new(py, refused)?.into_any(),
    };
    py.import("tool_policy._asking")?.call_method1("decide", (steps, human))
}
