//! How a call is judged, told rule by rule.

use std::fmt::Write as _;

use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tool_policy as engine;

use crate::call::Given;
use crate::judge::{Judge, of_error};
use crate::safe::safely;
use crate::verdict::{RuleRef, Verdict, shown};

/// A verdict, and the walk that led to it. As text, the walk as it is told to a person.
#[pyclass(frozen, module = "tool_policy")]
pub(crate) struct Explanation {
    call: String,
    verdict: engine::Verdict,
    steps: Vec<engine::Step>,
    facts: Vec<(&'static str, String)>,
}

impl Explanation {
    /// The walk through every layer.
    pub(crate) fn of(judge: &Judge, py: Python<'_>, call: &Bound<'_, PyAny>) -> Self {
        let told = safely(|| match Given::read(call) {
            Ok(given) => {
                let call = given.call();
                py.detach(|| safely(|| Self::walk(judge, call)))
                    .unwrap_or_else(|message| Self::refused(call.shown(), of_error(message, call.id.clone())))
            }
            Err(e) => Self::refused(String::new(), of_error(e.message, e.id)),
        });
        told.unwrap_or_else(|message| Self::refused(String::new(), of_error(message, None)))
    }

    fn walk(judge: &Judge, call: &engine::Call) -> Self {
        let surroundings = judge.surroundings();
        let verdict = judge.layers.evaluate(call, &surroundings);
        let (mut steps, mut facts) = (Vec::new(), None);
        for policy in judge.layers.iter() {
            let told = policy.explain(call, &surroundings);
            steps.extend(told.steps);
            facts = facts.or(told.facts);
        }
        let facts =
            facts.map(|facts| facts.parts.into_iter().map(|part| (part.kind.name(), part.text)).collect());
        Self { call: call.shown(), verdict, steps, facts: facts.unwrap_or_default() }
    }

    fn refused(call: String, verdict: engine::Verdict) -> Self {
        Self { call, verdict, steps: Vec::new(), facts: Vec::new() }
    }
}

#[pymethods]
impl Explanation {
    /// The verdict that `evaluate` gives.
    #[getter]
    fn verdict(&self) -> Verdict {
        self.verdict.clone().into()
    }

    /// Each rule, in the order in which it was asked; of layers, one layer after the other.
    #[getter]
    fn steps<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.steps.iter().map(|step| Step { step: step.clone() }))
    }

    /// What the call would do, part by part.
    #[getter]
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.facts.iter().map(|(kind, text)| Fact { kind, text: text.clone() }))
    }

    fn __str__(&self) -> String {
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = writeln!(out, "call     {}", self.call);
        let by =
            self.verdict.decided_by.as_ref().map_or_else(String::new, |by| format!(" by rule {}", shown(by)));
        let _ = writeln!(
            out,
            "verdict  {}{by} (cause: {})",
            self.verdict.verdict.name(),
            self.verdict.cause.name()
        );
        if let Some(reason) = &self.verdict.reason {
            let _ = writeln!(out, "reason   {reason}");
        }
        for (number, (kind, text)) in (1..).zip(&self.facts) {
            let _ = writeln!(out, "part {number:<3} {kind} {text}");
        }
        for step in &self.steps {
            let _ = writeln!(
                out,
                "{:<8} {}: {}",
                outcome(step.outcome).replace('_', " "),
                shown(&step.rule),
                step.why
            );
        }
        out
    }

    fn __repr__(&self) -> String {
        format!("Explanation[{} {}]", self.call, self.verdict.verdict.name())
    }
}

fn outcome(outcome: engine::Outcome) -> &'static str {
    match outcome {
        engine::Outcome::NoMatch => "no_match",
        engine::Outcome::Possible => "possible",
        engine::Outcome::Match => "match",
    }
}

/// A rule that was asked.
#[pyclass(frozen, module = "tool_policy")]
pub(crate) struct Step {
    step: engine::Step,
}

#[pymethods]
impl Step {
    /// The rule.
    #[getter]
    fn rule(&self) -> RuleRef {
        RuleRef::of(&self.step.rule)
    }

    /// `"no_match"`, `"possible"` or `"match"`.
    #[getter]
    fn outcome(&self) -> &'static str {
        outcome(self.step.outcome)
    }

    /// Why, in words.
    #[getter]
    fn why(&self) -> &str {
        &self.step.why
    }

    /// The places in `facts` of the parts that it decided about; empty where it speaks of the whole call.
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.step.parts)
    }

    fn __repr__(&self) -> String {
        format!("Step[{} {}]", self.step.rule.rule, outcome(self.step.outcome))
    }
}

/// Something that the call would do.
#[pyclass(frozen, module = "tool_policy", eq)]
#[derive(PartialEq)]
pub(crate) struct Fact {
    kind: &'static str,
    text: String,
}

#[pymethods]
impl Fact {
    /// `run`, `read`, `write`, `fetch` or `call`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.kind
    }

    /// As it is written, or what it names.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("Fact[{} {}]", self.kind, self.text)
    }
}
