//! Asking a person, and what their answer means.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyString};
use tool_policy as engine;
use tool_policy::human::parse_reply;
use tool_policy::{AskError, Reply};

use crate::json::kind_of;

/// Something to ask a person.
#[pyclass(frozen, module = "tool_policy", eq)]
#[derive(PartialEq)]
pub(crate) struct Question {
    question: engine::Question,
}

impl From<engine::Question> for Question {
    fn from(question: engine::Question) -> Self {
        Self { question }
    }
}

#[pymethods]
impl Question {
    /// The text.
    #[getter]
    fn text(&self) -> &str {
        &self.question.text
    }

    /// The id of the call that it is about.
    #[getter]
    fn call_id(&self) -> Option<&str> {
        self.question.call_id.as_deref()
    }

    /// How many seconds to wait for the answer. A yes that comes later is none.
    #[getter]
    fn timeout_s(&self) -> u64 {
        self.question.timeout.as_secs()
    }

    /// Binds the answer to this call and no other.
    #[getter]
    fn digest(&self) -> &str {
        &self.question.digest
    }

    /// Why it is asked, where the question alone does not say.
    #[getter]
    fn why(&self) -> Option<&str> {
        self.question.why.as_deref()
    }

    fn __str__(&self) -> &str {
        &self.question.text
    }

    fn __repr__(&self) -> String {
        format!("Question[{}]", self.question.text)
    }
}

/// The person at the terminal: `policy.turn(calls, Terminal())`.
///
/// Asks on `/dev/tty` where the standard streams are taken, again where the answer is neither yes nor no, and waits as long as the rule says.
#[pyclass(frozen, module = "tool_policy")]
pub(crate) struct Terminal;

#[pymethods]
impl Terminal {
    #[new]
    fn new() -> Self {
        Self
    }

    #[expect(clippy::unused_self, reason = "a method of Python's")]
    fn __repr__(&self) -> &'static str {
        "Terminal()"
    }
}

/// What an answer of Python's means: a bool, or a string such as "yes", "no", "timeout". Anything else is no answer, which denies.
pub(crate) fn reply(answer: &Bound<'_, PyAny>) -> Result<Reply, AskError> {
    if let Ok(yes) = answer.cast::<PyBool>() {
        return Ok(if yes.is_true() { Reply::Yes } else { Reply::No });
    }
    let known = match answer.cast::<PyString>().map(|text| text.to_str()) {
        Ok(Ok("timeout")) => Some(Reply::Timeout),
        Ok(Ok(text)) => parse_reply(text),
        _ => None,
    };
    known.ok_or_else(|| {
        let given = match answer.cast::<PyString>() {
            Ok(_) => "another string".to_owned(),
            Err(_) => format!("something {}", kind_of(answer)),
        };
        AskError::Failed(format!(
            "the answer was {given}; answers are True, False, \"yes\", \"no\" and \"timeout\""
        ))
    })
}
