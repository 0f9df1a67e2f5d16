//! The answer to one call.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use serde_json::Value;
use tool_policy as engine;

use crate::json;

/// The answer to one call: whether it may run, and what decided.
///
/// Its attributes are the keys of the verdict's JSON. It is true where the call may run now, so `if verdict:` runs nothing that is denied or
/// waits for a person.
#[pyclass(frozen, module = "tool_policy", eq)]
#[derive(PartialEq)]
pub(crate) struct Verdict {
    pub(crate) verdict: engine::Verdict,
}

#[pymethods]
impl Verdict {
    /// `"allow"`, `"deny"` or `"ask"`.
    #[getter]
    fn verdict(&self) -> &'static str {
        self.verdict.verdict.name()
    }

    /// Whether the call may run now.
    #[getter]
    fn allowed(&self) -> bool {
        self.verdict.is_allowed()
    }

    /// For a denial, what the model is told; for a question, why it is asked, where that is not plain.
    #[getter]
    fn reason(&self) -> Option<&str> {
        self.verdict.reason.as_deref()
    }

    /// For a denial: the turn ends, too.
    #[getter]
    fn stop(&self) -> bool {
        self.verdict.stop
    }

    /// The rule that decided; `None` where none did.
    #[getter]
    fn decided_by(&self) -> Option<RuleRef> {
        self.verdict.decided_by.as_ref().map(RuleRef::of)
    }

    /// What brought the verdict about: `rule`, `possible_match`, `no_rule`, `human_yes`, `human_no`, `human_timeout`, `no_human` or `error`.
    #[getter]
    fn cause(&self) -> &'static str {
        self.verdict.cause.name()
    }

    /// The id of the call.
    #[getter]
    fn call_id(&self) -> Option<&str> {
        self.verdict.call_id.as_deref()
    }

    /// The parts of the call, where the decision had to look at them.
    #[getter]
    fn parts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.verdict.parts.iter().map(|part| Part { part: part.clone() }))
    }

    /// What the author of the policy should hear of.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.verdict.warnings)
    }

    /// The digest of the policy, `sha256:...`.
    #[getter]
    fn policy(&self) -> &str {
        &self.verdict.policy
    }

    /// The denial that could not be ruled out, with the cause `possible_match`.
    #[getter]
    fn not_ruled_out(&self) -> Option<RuleRef> {
        self.verdict.not_ruled_out.as_ref().map(RuleRef::of)
    }

    /// `ask`: the question for the person.
    #[getter]
    fn question(&self) -> Option<&str> {
        self.verdict.question.as_deref()
    }

    /// `ask`: how many seconds the person has.
    #[getter]
    fn timeout_s(&self) -> Option<u64> {
        self.verdict.timeout_s
    }

    /// `ask`: a hash that binds an answer to this call and no other.
    #[getter]
    fn digest(&self) -> Option<&str> {
        self.verdict.digest.as_deref()
    }

    /// `allow`: the arguments to run with, the whole of them, where the rule changes them; a new dict each time.
    #[getter]
    fn updated_args<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.verdict.updated_args.as_ref().map(|args| json::write_map(py, args)).transpose()
    }

    /// `allow`: what to tell the model about the change.
    #[getter]
    fn model_note(&self) -> Option<&str> {
        self.verdict.model_note.as_deref()
    }

    /// The verdict as one line of JSON.
    fn to_json(&self) -> PyResult<String> {
        serde_json::to_string(&self.verdict).map_err(|e| unwritable(&e))
    }

    /// The verdict's JSON as a dict.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        json::write(py, &serde_json::to_value(&self.verdict).map_err(|e| unwritable(&e))?)
    }

    fn __bool__(&self) -> bool {
        self.verdict.is_allowed()
    }

    fn __repr__(&self) -> String {
        let Self { verdict } = self;
        let by = verdict.decided_by.as_ref().map_or_else(String::new, |by| format!(" by {}", shown(by)));
        format!("Verdict[{}{by} ({})]", verdict.verdict.name(), verdict.cause.name())
    }
}

impl From<engine::Verdict> for Verdict {
    fn from(verdict: engine::Verdict) -> Self {
        Self { verdict }
    }
}

fn unwritable(e: &serde_json::Error) -> PyErr {
    pyo3::exceptions::PyRuntimeError::new_err(format!("the verdict cannot be written as JSON: {e}"))
}

/// `no-rm (policy.toml:12)`.
pub(crate) fn shown(rule: &engine::RuleRef) -> String {
    match (&rule.file, rule.line) {
        (Some(file), Some(line)) => format!("{} ({file}:{line})", rule.rule),
        (Some(file), None) => format!("{} ({file})", rule.rule),
        (None, _) => rule.rule.clone(),
    }
}

/// A rule, and where it is written.
#[pyclass(frozen, module = "tool_policy", eq, hash)]
#[derive(PartialEq, Eq, Hash)]
pub(crate) struct RuleRef {
    rule: Arc<engine::RuleRef>,
}

impl RuleRef {
    pub(crate) fn of(rule: &Arc<engine::RuleRef>) -> Self {
        Self { rule: Arc::clone(rule) }
    }
}

#[pymethods]
impl RuleRef {
    /// The rule's id: its own, or `rule-N`.
    #[getter]
    fn rule(&self) -> &str {
        &self.rule.rule
    }

    /// The rule's kind, such as `deny_by_name`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.rule.kind
    }

    /// Its place in the list, from 0.
    #[getter]
    fn index(&self) -> usize {
        self.rule.index
    }

    /// The file it is written in.
    #[getter]
    fn file(&self) -> Option<&str> {
        self.rule.file.as_deref()
    }

    /// The line it starts at, from 1.
    #[getter]
    fn line(&self) -> Option<usize> {
        self.rule.line
    }

    /// The layer whose policy it belongs to.
    #[getter]
    fn layer(&self) -> Option<&str> {
        self.rule.layer.as_deref()
    }

    fn __str__(&self) -> String {
        shown(&self.rule)
    }

    fn __repr__(&self) -> String {
        format!("RuleRef[{}]", shown(&self.rule))
    }
}

/// A part of the call, and which rule decided about it.
#[pyclass(frozen, module = "tool_policy", eq)]
#[derive(PartialEq)]
pub(crate) struct Part {
    part: engine::PartVerdict,
}

#[pymethods]
impl Part {
    /// `run`, `read`, `write`, `fetch` or `call`.
    #[getter]
    fn kind(&self) -> &'static str {
        self.part.kind
    }

    /// The part as it is written, or what it names.
    #[getter]
    fn text(&self) -> &str {
        &self.part.text
    }

    /// The bytes of the command, as UTF-8, that it is written at.
    #[getter]
    fn span(&self) -> Option<(usize, usize)> {
        self.part.span
    }

    /// The id of the rule that covers or asks about it; `None` where none does.
    #[getter]
    fn decided_by(&self) -> Option<&str> {
        self.part.decided_by.as_deref()
    }

    /// Why it needs no rule, or why none covers it.
    #[getter]
    fn note(&self) -> Option<&str> {
        self.part.note.as_deref()
    }

    fn __repr__(&self) -> String {
        let by = self.part.decided_by.as_deref().unwrap_or("no rule");
        format!("Part[{} {} <- {by}]", self.part.kind, Value::from(self.part.text.as_str()))
    }
}
