//! A policy, and layers of them.

use std::path::PathBuf;

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tool_policy as engine;
use tool_policy::Format;
use tool_policy::diagnostic::Report;

use crate::check::policy_error;
use crate::explain::Explanation;
use crate::judge::Judge;
use crate::safe::safely;
use crate::turn::{self, TurnOutcome};
use crate::verdict::Verdict;

/// An ordered list of rules, checked and compiled. May be shared between threads.
#[pyclass(frozen, module = "tool_policy")]
pub(crate) struct Policy {
    policy: engine::Policy,
    judge: Judge,
}

#[pymethods]
impl Policy {
    /// Reads the policy in the file at `path`, and the files that it extends.
    ///
    /// `workspace` is the root of the project for calls that name none, by default the folder of the policy's repository. With `disk=False`
    /// this machine's disk is not asked about links and folders, for calls that run elsewhere.
    ///
    /// Raises `PolicyError`, which says everything that is wrong: a policy that does not load is never an empty one.
    #[staticmethod]
    #[pyo3(signature = (path, *, workspace=None, disk=true))]
    #[expect(clippy::needless_pass_by_value, reason = "pyo3 hands over what it made")]
    fn load(py: Python<'_>, path: PathBuf, workspace: Option<PathBuf>, disk: bool) -> PyResult<Self> {
        let workspace = folder(workspace)?;
        let loaded = py.detach(|| safely(|| engine::Policy::load(&path)));
        Self::of(py, loaded, workspace, disk)
    }

    /// Reads a policy from text, in the format `"toml"`, `"yaml"` or `"json"`. It cannot extend files; `name` stands for its file in verdicts.
    #[staticmethod]
    #[pyo3(signature = (text, format="toml", *, name=None, workspace=None, disk=true))]
    fn parse(
        py: Python<'_>,
        text: &str,
        format: &str,
        name: Option<&str>,
        workspace: Option<PathBuf>,
        disk: bool,
    ) -> PyResult<Self> {
        let workspace = folder(workspace)?;
        let known = format_of(format)?;
        let name = name.map_or_else(|| format!("policy.{format}"), str::to_owned);
        let loaded = py.detach(|| safely(|| engine::Policy::parse(&name, known, text)));
        Self::of(py, loaded, workspace, disk)
    }

    /// Judges one call, a `Call` or a dict such as `{"tool": "read_file", "args": {"path": "a"}}`, before it runs.
    ///
    /// This never raises: what is no call is denied, with the cause `error` and what is wrong with it.
    #[pyo3(signature = (call, /))]
    fn evaluate(&self, py: Python<'_>, call: &Bound<'_, PyAny>) -> Verdict {
        self.judge.evaluate(py, call)
    }

    /// Decides about all calls of one turn, in order, before any of them runs.
    ///
    /// `human(question)` is asked where a rule says so; it answers True, False, `"yes"`, `"no"` or `"timeout"`. What it raises, or anything else
    /// that it answers, denies. Without a human, what would be asked is denied. A no stops the turn: all its other calls are cancelled.
    #[pyo3(signature = (calls, human=None))]
    fn turn(
        &self,
        py: Python<'_>,
        calls: &Bound<'_, PyAny>,
        human: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<TurnOutcome> {
        turn::decide(&self.judge, py, calls, human)
    }

    /// As `turn`, where `human(question)` is awaited. It has as long as the rule says.
    #[pyo3(signature = (calls, human))]
    fn turn_async<'py>(
        &self,
        py: Python<'py>,
        calls: &Bound<'py, PyAny>,
        human: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        turn::decide_async(&self.judge, py, calls, human)
    }

    /// As `evaluate`, with the walk: each rule, whether it matched, and why.
    #[pyo3(signature = (call, /))]
    fn explain(&self, py: Python<'_>, call: &Bound<'_, PyAny>) -> Explanation {
        Explanation::of(&self.judge, py, call)
    }

    /// The policy of a run below the one that this policy judges: the denials of every run above first, then its own list, or the whole list
    /// above when it has none.
    #[pyo3(signature = (own=None))]
    fn for_subagent(&self, own: Option<&Self>) -> Self {
        let policy = self.policy.for_subagent(own.map(|own| &own.policy));
        Self { judge: own.unwrap_or(self).judge.with(policy.clone()), policy }
    }

    /// The same policy, known under the name of a layer in verdicts.
    fn in_layer(&self, name: &str) -> Self {
        let policy = self.policy.in_layer(name);
        Self { judge: self.judge.with(policy.clone()), policy }
    }

    /// What the policy is for, in its own words.
    #[getter]
    fn description(&self) -> Option<&str> {
        self.policy.description()
    }

    /// `sha256:...` over the texts it was read from.
    #[getter]
    fn digest(&self) -> &str {
        self.policy.digest()
    }

    /// The folder that the policy's own patterns start from, unless a call or the host names another.
    #[getter]
    fn folder(&self) -> Option<&str> {
        self.policy.folder()
    }

    /// The name of the layer that it is, where it has one.
    #[getter]
    fn layer(&self) -> Option<&str> {
        self.policy.layer()
    }

    /// How many rules it has.
    fn __len__(&self) -> usize {
        self.policy.rules().len()
    }

    // A policy without rules denies everything, and is not nothing.
    #[expect(clippy::unused_self, reason = "a method of Python's")]
    fn __bool__(&self) -> bool {
        true
    }

    fn __repr__(&self) -> String {
        let name = self
            .policy
            .sources()
            .iter()
            .next()
            .map_or_else(String::new, |(_, source)| source.name.to_string());
        format!("Policy({name:?})")
    }
}

impl Policy {
    fn of(
        py: Python<'_>,
        loaded: Result<Result<engine::Policy, Report>, String>,
        workspace: Option<String>,
        disk: bool,
    ) -> PyResult<Self> {
        match loaded {
            Ok(Ok(policy)) => Ok(Self { judge: Judge::new(policy.clone(), workspace, disk), policy }),
            Ok(Err(report)) => Err(policy_error(py, &report)),
            Err(message) => Err(PyValueError::new_err(message)),
        }
    }
}

/// Policies in order of authority: managed, user, project. Each decides with its own list, and the strictest verdict wins.
///
/// A layer can tighten what another allows and never loosen it. One that decides nothing does not count; when none decides, the call is denied.
#[pyclass(frozen, module = "tool_policy")]
pub(crate) struct Layers {
    judge: Judge,
}

#[pymethods]
impl Layers {
    #[new]
    #[pyo3(signature = (*policies, workspace=None, disk=true))]
    fn new(policies: &Bound<'_, PyTuple>, workspace: Option<PathBuf>, disk: bool) -> PyResult<Self> {
        let workspace = folder(workspace)?;
        let mut layers: Option<engine::Layers> = None;
        for policy in policies {
            let policy = policy.cast::<Policy>()?.get().policy.clone();
            layers = Some(match layers {
                Some(layers) => layers.and(policy),
                None => policy.into(),
            });
        }
        let layers = layers.ok_or_else(|| PyTypeError::new_err("layers need at least one policy"))?;
        Ok(Self { judge: Judge::new(layers, workspace, disk) })
    }

    /// See `Policy.evaluate`.
    #[pyo3(signature = (call, /))]
    fn evaluate(&self, py: Python<'_>, call: &Bound<'_, PyAny>) -> Verdict {
        self.judge.evaluate(py, call)
    }

    /// See `Policy.turn`.
    #[pyo3(signature = (calls, human=None))]
    fn turn(
        &self,
        py: Python<'_>,
        calls: &Bound<'_, PyAny>,
        human: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<TurnOutcome> {
        turn::decide(&self.judge, py, calls, human)
    }

    /// See `Policy.turn_async`.
    #[pyo3(signature = (calls, human))]
    fn turn_async<'py>(
        &self,
        py: Python<'py>,
        calls: &Bound<'py, PyAny>,
        human: Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyAny>> {
        turn::decide_async(&self.judge, py, calls, human)
    }

    /// See `Policy.explain`.
    #[pyo3(signature = (call, /))]
    fn explain(&self, py: Python<'_>, call: &Bound<'_, PyAny>) -> Explanation {
        Explanation::of(&self.judge, py, call)
    }

    /// The layers of a run below this one: see `Policy.for_subagent`.
    #[pyo3(signature = (own=None))]
    fn for_subagent(&self, own: Option<&Policy>) -> Self {
        Self { judge: self.judge.with(self.judge.layers.for_subagent(own.map(|own| &own.policy))) }
    }

    /// How many layers there are.
    fn __len__(&self) -> usize {
        self.judge.layers.iter().count()
    }

    fn __repr__(&self) -> String {
        format!("Layers[{}]", self.__len__())
    }
}

/// The folder as text, made absolute, where one is given.
pub(crate) fn folder(path: Option<PathBuf>) -> PyResult<Option<String>> {
    let Some(absolute) = path.map(std::path::absolute).transpose()? else { return Ok(None) };
    let text = absolute.to_str().map(str::to_owned);
    text.map(Some).ok_or_else(|| PyValueError::new_err("the workspace's path is no text"))
}

/// The format of this name.
pub(crate) fn format_of(name: &str) -> PyResult<Format> {
    match name {
        "toml" => Ok(Format::Toml),
        "yaml" | "yml" => Ok(Format::Yaml),
        "json" => Ok(Format::Json),
        _ => Err(PyValueError::new_err(format!(
            "unknown format `{name}`; known are \"toml\", \"yaml\" and \"json\""
        ))),
    }
}
