//! The native half of the Node package: JSON texts in, JSON texts out.
//!
//! `index.js` is the half that people call. It turns what JavaScript hands over into JSON text, or says why that cannot be done, so that nothing
//! is changed on the way; here, such a text is read as strictly as everywhere else. A panic becomes an exception of JavaScript, which
//! `index.js` answers with a denial.

mod checked;
mod told;
mod turn;

use std::path::Path;
use std::sync::Arc;

use napi::{Error, Result};
use napi_derive::napi;
use serde::Serialize;
use serde_json::{Value, json};
use tool_policy::call::json as strict;
use tool_policy::{Call, CallError, Format, LoadError, Policy, RealDisk, Surroundings, Verdict, diagnostic};

use turn::Turn;

/// A policy, as JavaScript holds it.
#[napi]
pub struct NativePolicy {
    judge: Judge,
}

/// A policy and the disk of this machine.
#[derive(Clone)]
struct Judge {
    policy: Policy,
    disk: RealDisk,
}

#[napi]
impl NativePolicy {
    /// Reads a policy from a file. The message of the error is JSON: `message` and `findings`.
    #[napi(catch_unwind)]
    pub fn load(path: String) -> Result<Self> {
        Policy::load(Path::new(&path)).map(Self::of).map_err(|e| not_loaded(&e))
    }

    /// Reads a policy from a text. The message of the error is JSON: `message` and `findings`.
    #[napi(catch_unwind)]
    pub fn parse(name: String, format: String, text: String) -> Result<Self> {
        let format = match format.as_str() {
            "toml" => Format::Toml,
            "yaml" => Format::Yaml,
            "json" => Format::Json,
            other => return Err(Error::from_reason(format!("no format `{other}`"))),
        };
        Policy::parse(&name, format, &text).map(Self::of).map_err(|e| not_loaded(&e))
    }

    /// `sha256:…` over the texts that it was read from.
    #[napi(getter, catch_unwind)]
    pub fn digest(&self) -> String {
        self.judge.policy.digest().to_owned()
    }

    /// What it is for, in its own words.
    #[napi(getter, catch_unwind)]
    pub fn description(&self) -> Option<String> {
        self.judge.policy.description().map(str::to_owned)
    }

    /// The verdict on a call.
    #[napi(catch_unwind)]
    pub fn evaluate(&self, call: String) -> Result<String> {
        written(&match read(&call) {
            Ok(call) => self.judge.evaluate(&call),
            Err(e) => self.judge.refused(e),
        })
    }

    /// The verdict on a call, with the walk that led to it.
    #[napi(catch_unwind)]
    pub fn explain(&self, call: String) -> Result<String> {
        match read(&call) {
            Ok(call) => {
                let explained = self.judge.policy.explain(&call, &Surroundings::new(&self.judge.disk));
                written(&told::Told::new(&call, explained, exact))
            }
            Err(e) => written(&told::Told::refused(self.judge.refused(e))),
        }
    }

    /// The calls of a turn, to be decided step by step; `calls` as [`turn::Given`] says.
    #[napi(catch_unwind)]
    pub fn turn(&self, calls: String, anybody: bool) -> Result<Turn> {
        Turn::new(self.judge.clone(), &calls, anybody).map_err(Error::from_reason)
    }

    fn of(policy: Policy) -> Self {
        let home = std::env::var("HOME").or_else(|_| std::env::var("USERPROFILE")).ok();
        Self { judge: Judge { policy, disk: RealDisk::new(home) } }
    }
}

fn read(text: &str) -> std::result::Result<Call, CallError> {
    let value = strict::read(text).map_err(|e| CallError { message: format!("not JSON: {e}"), id: None })?;
    Call::from_json(value)
}

impl Judge {
    fn evaluate(&self, call: &Call) -> Verdict {
        exact(self.policy.evaluate(call, &Surroundings::new(&self.disk)))
    }

    /// The denial of what is no call.
    fn refused(&self, error: CallError) -> Verdict {
        Verdict {
            call_id: error.id,
            policy: Arc::from(self.policy.digest()),
            ..Verdict::error(error.message)
        }
    }
}

/// The verdict, unless it sets a number that JavaScript would round.
fn exact(verdict: Verdict) -> Verdict {
    match verdict.updated_args.as_ref().map(|args| args.values().all(is_exact)) {
        Some(false) => Verdict {
            call_id: verdict.call_id,
            decided_by: verdict.decided_by,
            policy: verdict.policy,
            ..Verdict::error("the policy sets an argument to a number that JavaScript cannot hold exactly")
        },
        Some(true) | None => verdict,
    }
}

fn is_exact(value: &Value) -> bool {
    match value {
        Value::Number(number) if number.is_f64() => true,
        Value::Number(number) => {
            let whole = number.as_u64().or_else(|| number.as_i64().map(i64::unsigned_abs));
            // A double holds 53 binary digits.
            whole.is_some_and(|n| n == 0 || 64 - n.leading_zeros() - n.trailing_zeros() <= 53)
        }
        Value::Array(items) => items.iter().all(is_exact),
        Value::Object(map) => map.values().all(is_exact),
        Value::Null | Value::Bool(_) | Value::String(_) => true,
    }
}

/// Loads, lints and tests the policy in a file.
#[napi(catch_unwind)]
pub fn check(path: String) -> Result<String> {
    written(&checked::check(Path::new(&path)))
}

/// What `policy hook HOST` answers to this payload, when a host starts it in this folder.
#[napi(catch_unwind)]
pub fn hook(host: String, options: Vec<String>, payload: String, folder: String) -> Result<String> {
    let answer = tool_policy::cli::answer_here(&host, &options, payload, Path::new(&folder));
    written(&json!({ "stdout": answer.stdout, "stderr": answer.stderr, "exit": answer.exit }))
}

/// For the tests: what becomes of a panic.
#[cfg(feature = "panics")]
#[napi(catch_unwind)]
#[expect(clippy::panic, reason = "what it is for")]
pub fn panics() {
    panic!("on purpose");
}

/// The findings of a report as [`diagnostic::json`] writes them.
fn findings(report: &LoadError) -> Value {
    let text = diagnostic::json(&report.diagnostics, &report.sources);
    serde_json::from_str(&text).unwrap_or_else(|_| json!([]))
}

fn not_loaded(report: &LoadError) -> Error {
    Error::from_reason(json!({ "message": report.to_string(), "findings": findings(report) }).to_string())
}

fn written(value: &impl Serialize) -> Result<String> {
    serde_json::to_string(value).map_err(|e| Error::from_reason(e.to_string()))
}
