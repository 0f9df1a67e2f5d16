//! The native half of the Python package `tool-policy`.
//!
//! What Python hands over becomes Rust's own before anything is judged, judging runs without the interpreter's lock, and nothing that goes
//! wrong in between is an allowance: where a verdict is to be given, it is a denial with the cause `error`.

mod call;
mod check;
mod explain;
mod json;
mod judge;
mod policy;
mod question;
mod safe;
mod turn;
mod verdict;

use pyo3::prelude::*;

/// The native half of `tool_policy`.
#[pymodule]
mod _native {
    #[pymodule_export]
    use crate::call::Call;
    #[pymodule_export]
    use crate::check::{CheckReport, Diagnostic, check, check_text};
    #[pymodule_export]
    use crate::explain::{Explanation, Fact, Step};
    #[pymodule_export]
    use crate::policy::{Layers, Policy};
    #[pymodule_export]
    use crate::question::{Question, Terminal};
    #[pymodule_export]
    use crate::turn::{Asked, CallOutcome, TurnOutcome, TurnSteps};
    #[pymodule_export]
    use crate::verdict::{Part, RuleRef, Verdict};
}
