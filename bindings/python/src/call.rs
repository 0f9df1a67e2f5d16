//! A tool call, before it runs.

use std::borrow::Cow;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::{Map, Value};
use tool_policy as engine;

use crate::json;
use crate::safe::safely;

/// A tool call as a host hands it over, before it runs.
///
/// Whatever can be wrong with a call is told when it is made, as a `CallError`.
#[pyclass(frozen, module = "tool_policy", eq)]
#[derive(PartialEq)]
pub(crate) struct Call {
    pub(crate) call: engine::Call,
}

#[pymethods]
impl Call {
    #[new]
    #[pyo3(signature = (tool, args=None, *, id=None, hints=None, mcp=None, host=None, cwd=None, workspace=None, mode=None, agent=None, env=None, confirmation=None, reason=None))]
    #[expect(clippy::too_many_arguments, reason = "a call has these keys, and Python names each")]
    fn new(
        py: Python<'_>,
        tool: &Bound<'_, PyAny>,
        args: Option<&Bound<'_, PyAny>>,
        id: Option<&Bound<'_, PyAny>>,
        hints: Option<&Bound<'_, PyAny>>,
        mcp: Option<&Bound<'_, PyAny>>,
        host: Option<&Bound<'_, PyAny>>,
        cwd: Option<PathBuf>,
        workspace: Option<PathBuf>,
        mode: Option<&Bound<'_, PyAny>>,
        agent: Option<&Bound<'_, PyAny>>,
        env: Option<&Bound<'_, PyAny>>,
        confirmation: Option<&Bound<'_, PyAny>>,
        reason: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let mut map = Map::new();
        let values = [
            ("tool", Some(tool)),
            ("args", args),
            ("id", id),
            ("hints", hints),
            ("mcp", mcp),
            ("host", host),
            ("mode", mode),
            ("agent", agent),
            ("env", env),
            ("confirmation", confirmation),
            ("reason", reason),
        ];
        for (key, value) in values {
            if let Some(value) = value {
                map.insert(key.to_owned(), read(value, key).map_err(|message| error(py, message))?);
            }
        }
        for (key, path) in [("cwd", cwd), ("workspace", workspace)] {
            if let Some(path) = path {
                let text = path.to_str().ok_or_else(|| error(py, format!("`{key}` is no text")))?;
                map.insert(key.to_owned(), Value::String(text.to_owned()));
            }
        }
        let call = engine::Call::from_json(Value::Object(map)).map_err(|e| error(py, e.message))?;
        Ok(Self { call })
    }

    /// The call that a dict says, with the keys of the call's JSON: `{"tool": ..., "args": {...}, ...}`.
    #[staticmethod]
    fn from_dict(py: Python<'_>, value: &Bound<'_, PyAny>) -> PyResult<Self> {
        let call = from_dict(value).map_err(|e| error(py, e.message))?;
        Ok(Self { call })
    }

    /// The tool's name as the model calls it.
    #[getter]
    fn tool(&self) -> &str {
        &self.call.tool
    }

    /// The name that rules match: `{server}__{tool}` for a tool of an MCP server, else the tool's own.
    #[getter]
    fn name(&self) -> Cow<'_, str> {
        self.call.name()
    }

    /// The arguments; a new dict each time.
    #[getter]
    fn args<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        json::write_map(py, &self.call.args)
    }

    /// The call's id in the host.
    #[getter]
    fn id(&self) -> Option<&str> {
        self.call.id.as_deref()
    }

    /// The host program whose tool names and modes these are.
    #[getter]
    fn host(&self) -> Option<&str> {
        self.call.host.as_deref()
    }

    /// The folder that relative paths start from.
    #[getter]
    fn cwd(&self) -> Option<&str> {
        self.call.cwd.as_deref()
    }

    /// The root folder of the project.
    #[getter]
    fn workspace(&self) -> Option<&str> {
        self.call.workspace.as_deref()
    }

    /// How freely the host is set to run: `default`, `accept_edits` or `yolo`.
    #[getter]
    fn mode(&self) -> Option<&str> {
        self.call.mode.map(engine::Mode::name)
    }

    /// The name of the agent that makes the call.
    #[getter]
    fn agent(&self) -> Option<&str> {
        self.call.agent.as_deref()
    }

    /// A hash of tool, server, arguments and cwd: it binds an answer to this call and no other.
    #[getter]
    fn digest(&self) -> String {
        self.call.digest()
    }

    /// The call as one line of code, `tool(key=json, ...)`, as questions show it.
    fn __str__(&self) -> String {
        self.call.shown()
    }

    fn __repr__(&self) -> String {
        format!("Call[{}]", self.call.shown())
    }
}

/// The value as JSON; what panics on the way is an error, too.
fn read(value: &Bound<'_, PyAny>, name: &str) -> Result<Value, String> {
    safely(|| json::read(value, name)).and_then(|read| read)
}

/// A `CallError` of the package.
fn error(py: Python<'_>, message: String) -> PyErr {
    let made = py.import("tool_policy._errors").and_then(|m| m.getattr("CallError")?.call1((message,)));
    made.map_or_else(|e| e, PyErr::from_value)
}

/// What was handed over for a call: one that was made before, or a dict.
pub(crate) enum Given<'a> {
    Made(&'a Call),
    Read(Box<engine::Call>),
}

impl<'a> Given<'a> {
    /// The call in `value`, or what is wrong with it.
    pub(crate) fn read(value: &'a Bound<'_, PyAny>) -> Result<Self, engine::CallError> {
        match value.cast::<Call>() {
            Ok(made) => Ok(Self::Made(made.get())),
            Err(_) => from_dict(value).map(|call| Self::Read(Box::new(call))),
        }
    }

    pub(crate) fn call(&self) -> &engine::Call {
        match self {
            Self::Made(call) => &call.call,
            Self::Read(call) => call,
        }
    }

    pub(crate) fn owned(self) -> engine::Call {
        match self {
            Self::Made(call) => call.call.clone(),
            Self::Read(call) => *call,
        }
    }
}

fn from_dict(value: &Bound<'_, PyAny>) -> Result<engine::Call, engine::CallError> {
    match read(value, "call") {
        Ok(json) => engine::Call::from_json(json),
        Err(message) => {
            Err(engine::CallError { message: format!("not a call: {message}"), id: id_in(value) })
        }
    }
}

/// The id in what is no call, where it can be told.
fn id_in(value: &Bound<'_, PyAny>) -> Option<String> {
    let id = value.cast::<PyDict>().ok()?.get_item("id").ok()??;
    id.extract().ok()
}
