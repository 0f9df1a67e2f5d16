//! Everything that is to be said of a policy: what is wrong, what the lints find, what its tests say.

use std::path::PathBuf;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyTuple;
use tool_policy as engine;
use tool_policy::diagnostic::{Report, Severity, human};
use tool_policy::file::{self, Loaded};
use tool_policy::folder_of;
use tool_policy::lint::lints;
use tool_policy::suite::{Suite, test_files_beside};

use crate::policy::{folder, format_of};
use crate::safe::safely;

/// Something to tell the author of a policy. As text, it is shown with its place, as at a terminal.
#[pyclass(frozen, module = "tool_policy")]
pub(crate) struct Diagnostic {
    code: &'static str,
    severity: &'static str,
    message: String,
    file: Option<String>,
    place: Option<(usize, usize)>,
    help: Vec<String>,
    rendered: String,
}

#[pymethods]
impl Diagnostic {
    /// A stable code such as `E0204`, or the name of a lint.
    #[getter]
    fn code(&self) -> &'static str {
        self.code
    }

    /// `"error"`, `"warning"` or `"note"`.
    #[getter]
    fn severity(&self) -> &'static str {
        self.severity
    }

    /// What is wrong.
    #[getter]
    fn message(&self) -> &str {
        &self.message
    }

    /// The file.
    #[getter]
    fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The line, from 1.
    #[getter]
    fn line(&self) -> Option<usize> {
        self.place.map(|(line, _)| line)
    }

    /// The column, from 1.
    #[getter]
    fn column(&self) -> Option<usize> {
        self.place.map(|(_, column)| column)
    }

    /// What to do about it.
    #[getter]
    fn help<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, &self.help)
    }

    fn __str__(&self) -> &str {
        &self.rendered
    }

    fn __repr__(&self) -> String {
        format!("Diagnostic[{} {}: {}]", self.severity, self.code, self.message)
    }
}

/// What came of checking a policy. It is true where nothing is wrong: no error, and no failed test.
#[pyclass(frozen, module = "tool_policy")]
pub(crate) struct CheckReport {
    reports: Vec<Report>,
    rules: usize,
    passed: usize,
    failed: usize,
}

#[pymethods]
impl CheckReport {
    /// Everything that was found, warnings and failed tests too.
    #[getter]
    fn diagnostics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyTuple>> {
        PyTuple::new(py, self.reports.iter().flat_map(diagnostics).collect::<Vec<_>>())
    }

    /// Whether there is no error, and no failed test.
    #[getter]
    fn ok(&self) -> bool {
        self.failed == 0 && self.reports.iter().all(|report| report.count(Severity::Error) == 0)
    }

    /// How many rules the policy has; 0 when it does not load.
    #[getter]
    fn rules(&self) -> usize {
        self.rules
    }

    /// How many of its tests passed.
    #[getter]
    fn tests_passed(&self) -> usize {
        self.passed
    }

    /// How many of its tests failed.
    #[getter]
    fn tests_failed(&self) -> usize {
        self.failed
    }

    fn __bool__(&self) -> bool {
        self.ok()
    }

    fn __str__(&self) -> String {
        self.reports.iter().map(rendered).collect()
    }

    fn __repr__(&self) -> String {
        let count = |severity| self.reports.iter().map(|report| report.count(severity)).sum::<usize>();
        let (errors, warnings) = (count(Severity::Error), count(Severity::Warning));
        format!(
            "CheckReport[{errors} errors, {warnings} warnings, {} tests passed, {} failed]",
            self.passed, self.failed
        )
    }
}

/// Loads, lints and tests the policy at `path`, with the tests in files beside it.
#[pyfunction]
#[pyo3(signature = (path, *, workspace=None))]
#[expect(clippy::needless_pass_by_value, reason = "pyo3 hands over what it made")]
pub(crate) fn check(py: Python<'_>, path: PathBuf, workspace: Option<PathBuf>) -> PyResult<CheckReport> {
    let workspace = folder(workspace)?.or_else(|| folder_of(&path));
    let checked = py.detach(|| {
        safely(|| {
            let mut reports = Vec::new();
            let mut tests = Vec::new();
            for path in test_files_beside(&path) {
                match file::load_tests(&path) {
                    Ok(loaded) => tests.push(loaded),
                    Err(report) => reports.push(report),
                }
            }
            // Loaded twice where something is wrong: this way says all that is.
            if let Err(report) = engine::Policy::load(&path) {
                return CheckReport::refused(report);
            }
            match file::load(&path) {
                Ok(loaded) => CheckReport::of(loaded, workspace, &tests, reports),
                Err(report) => CheckReport::refused(report),
            }
        })
    });
    checked.map_err(PyValueError::new_err)
}

/// As `check`, for a policy in a text of the format `"toml"`, `"yaml"` or `"json"`.
#[pyfunction]
#[pyo3(signature = (text, format="toml", *, name=None))]
pub(crate) fn check_text(
    py: Python<'_>,
    text: &str,
    format: &str,
    name: Option<&str>,
) -> PyResult<CheckReport> {
    let known = format_of(format)?;
    let name = name.map_or_else(|| format!("policy.{format}"), str::to_owned);
    let checked = py.detach(|| {
        safely(|| {
            if let Err(report) = engine::Policy::parse(&name, known, text) {
                return CheckReport::refused(report);
            }
            match file::load_text(&name, text, known) {
                Ok(loaded) => CheckReport::of(loaded, None, &[], Vec::new()),
                Err(report) => CheckReport::refused(report),
            }
        })
    });
    checked.map_err(PyValueError::new_err)
}

impl CheckReport {
    fn of(
        loaded: Loaded,
        folder: Option<String>,
        beside: &[file::LoadedTests],
        mut reports: Vec<Report>,
    ) -> Self {
        let files = loaded.files.clone();
        let policy = match engine::Policy::compile(loaded, folder) {
            Ok(policy) => policy,
            Err(report) => return Self::refused(report),
        };
        let suite = beside.iter().fold(Suite::new(&policy, &files), Suite::and).run();
        reports.insert(0, Report::new(lints(&files, &policy, Some(&suite)), policy.sources().clone()));
        // That there are no tests is for a lint to say.
        let any = !beside.is_empty() || files.first().is_some_and(|file| !file.tests.is_empty());
        let problems = suite.cases.iter().flat_map(|case| &case.problems);
        let about_tests =
            problems.chain(if any { suite.problems.as_slice() } else { &[] }).cloned().collect();
        reports.push(Report::new(about_tests, suite.sources.clone()));
        Self { reports, rules: policy.rules().len(), passed: suite.passed(), failed: suite.failed() }
    }

    fn refused(report: Report) -> Self {
        Self { reports: vec![report], rules: 0, passed: 0, failed: 0 }
    }
}

fn rendered(report: &Report) -> String {
    human(&report.diagnostics, &report.sources, false)
}

fn diagnostics(report: &Report) -> Vec<Diagnostic> {
    let Report { diagnostics, sources } = report;
    let one = |found: &engine::diagnostic::Diagnostic| Diagnostic {
        code: found.code.as_str(),
        severity: found.severity.as_str(),
        message: found.message.clone(),
        file: found.span().map(|span| sources.name(span).to_owned()),
        place: found.span().map(|span| sources.line_column(span)),
        help: found.help.iter().map(|help| help.text.clone()).collect(),
        rendered: human(std::slice::from_ref(found), sources, false),
    };
    diagnostics.iter().map(one).collect()
}

/// The `PolicyError` of the package, with all that is wrong.
pub(crate) fn policy_error(py: Python<'_>, report: &Report) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let found = PyTuple::new(py, diagnostics(report))?;
        let class = py.import("tool_policy._errors")?.getattr("PolicyError")?;
        Ok(PyErr::from_value(class.call1((rendered(report).trim_end(), found))?))
    };
    made().unwrap_or_else(|e| e)
}
