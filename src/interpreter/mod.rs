//! Policy and call to verdict: the policy decision point. `explain` is the same walk, written down.

mod change;
mod layers;
mod matching;
mod scene;
mod walk;
mod why;

pub use layers::Layers;
pub use scene::Surroundings;
pub use walk::{Outcome, Step};

use std::borrow::Cow;
use std::sync::Arc;

use crate::call::Call;
use crate::facts::catalogue;
use crate::facts::disk::{Disk, MadeUpDisk};
use crate::facts::parts::Facts;
use crate::policy::Policy;
use crate::rule::PartKey;
use crate::verdict::{Answer, Cause, NO_RULE, Verdict};

use scene::Scene;
use walk::{Denials, Walk};

/// A verdict, and the walk that led to it.
#[derive(Debug)]
pub struct Explanation {
    /// The verdict that [`Policy::evaluate`] gives.
    pub verdict: Verdict,
    /// Each rule, in the order in which it was asked.
    pub steps: Vec<Step>,
    /// What the call would do, part by part.
    pub facts: Option<Facts>,
}

/// What is written down on the way; nothing, unless there are steps.
#[derive(Default)]
struct Told {
    steps: Option<Vec<Step>>,
    facts: Option<Facts>,
}

impl Policy {
    /// Judges one call before it runs.
    ///
    /// This cannot fail: a fault is a denial with the cause `error`. A verdict of `ask` leaves the asking to the host, or to
    /// [`Run::decide`](crate::Run::decide).
    ///
    /// ```
    /// use tool_policy::{Answer, Call, Format, NoDisk, Policy, Surroundings};
    /// let policy = Policy::parse("policy.toml", Format::Toml, r#"
    ///     version = 1
    ///     [[rules]]
    ///     deny_by_name = ["delete_*"]
    ///     reason = "Deleting is not allowed."
    ///     [[rules]]
    ///     allow_by_default = true
    /// "#)?;
    /// let verdict = policy.evaluate(&Call::new("delete_file"), &Surroundings::new(&NoDisk));
    /// assert_eq!(verdict.verdict, Answer::Deny);
    /// assert_eq!(verdict.reason.as_deref(), Some("Deleting is not allowed."));
    /// assert_eq!(verdict.decided_by.unwrap().rule, "rule-1");
    /// # Ok::<(), tool_policy::LoadError>(())
    /// ```
    pub fn evaluate(&self, call: &Call, surroundings: &Surroundings<'_>) -> Verdict {
        self.judge(call, surroundings, &mut Told::default())
    }

    /// As [`Self::evaluate`], with the walk: each rule, whether it matched, and why.
    pub fn explain(&self, call: &Call, surroundings: &Surroundings<'_>) -> Explanation {
        let mut told = Told { steps: Some(Vec::new()), facts: None };
        let verdict = self.judge(call, surroundings, &mut told);
        Explanation { verdict, steps: told.steps.unwrap_or_default(), facts: told.facts }
    }

    /// The patterns on parts of a rule that match something in the call: the key, and the pattern as it is written.
    pub(crate) fn reached(
        &self,
        rule: usize,
        call: &Call,
        surroundings: &Surroundings<'_>,
    ) -> Vec<(PartKey, String)> {
        let (Some(rule), Ok(disk)) = (self.inner.rules.get(rule), made_up(call, surroundings)) else {
            return Vec::new();
        };
        let disk: &dyn Disk = disk.as_ref().map_or(surroundings.disk, |d| d);
        let scene = Scene::new(self, call, surroundings, disk);
        let found = scene.with_context(|context| matching::reached(rule, scene.facts(), context));
        found.into_iter().map(|(key, text)| (key, text.to_owned())).collect()
    }

    fn judge(&self, call: &Call, surroundings: &Surroundings<'_>, told: &mut Told) -> Verdict {
        let call = &*scene::with_server(call);
        let mut verdict = match made_up(call, surroundings) {
            Err(message) => Verdict::error_under(message, &self.inner.digest),
            Ok(disk) => {
                let disk: &dyn Disk = disk.as_ref().map_or(surroundings.disk, |d| d);
                self.judge_on(call, surroundings, disk, told)
            }
        };
        verdict.call_id.clone_from(&call.id);
        if verdict.verdict == Answer::Ask {
            verdict.digest = Some(call.digest());
        }
        if verdict.verdict == Answer::Deny && self.inner.denial_stops {
            verdict.stop = true;
        }
        verdict
    }

    fn judge_on(
        &self,
        call: &Call,
        surroundings: &Surroundings<'_>,
        disk: &dyn Disk,
        told: &mut Told,
    ) -> Verdict {
        if let Some(problem) = call.hints.contradiction() {
            return Verdict::error_under(problem, &self.inner.digest);
        }
        let mut doubt = None;
        for above in &self.inner.above {
            let scene = Scene::new(above, call, surroundings, disk);
            match Walk::new(&scene, &mut told.steps).denials() {
                Denials::Denied(verdict) => {
                    let stop = verdict.stop || above.inner.denial_stops;
                    return Verdict { policy: Arc::clone(&self.inner.digest), stop, ..*verdict };
                }
                Denials::Possible(rule) => doubt = doubt.or(Some(rule)),
                Denials::None => {}
            }
        }
        let scene = Scene::new(self, call, surroundings, disk);
        let mut walk = Walk::new(&scene, &mut told.steps);
        let verdict = match walk.denials() {
            Denials::Denied(verdict) => *verdict,
            Denials::Possible(rule) => walk.after_possible_denial(&doubt.unwrap_or(rule)),
            Denials::None => match doubt {
                Some(rule) => walk.after_possible_denial(&rule),
                None => walk.rest(),
            },
        };
        if told.steps.is_some() {
            told.facts = Some(scene.facts().clone());
        }
        let mut verdict = change::applied(verdict, self, call, surroundings, disk);
        if self.inner.speaks_of_parts && scene.tool.is_none() && call.mcp.is_none() {
            verdict.warnings.extend(unknown_tool(call));
        }
        verdict
    }

    /// The denial of a call about which no rule decided.
    fn undecided(&self, call: &Call) -> Verdict {
        let mut verdict = Verdict::new(Answer::Deny, Cause::NoRule, &self.inner.digest);
        if let Some(reason) = &self.inner.undecided {
            verdict.reason = Some(Cow::Owned(reason.to_string()));
        } else {
            verdict.reason = Some(Cow::Borrowed(NO_RULE));
            verdict.warnings.push(format!(
                "no rule decided about `{}`; end the list with a rule that does, or say `undecided = {{ reason = \"…\" }}` if this is meant",
                call.tool
            ));
        }
        verdict
    }
}

/// Why rules about commands, files and hosts cannot speak of the call, where that looks like a mistake.
fn unknown_tool(call: &Call) -> Option<String> {
    let tool = &call.tool;
    match &call.host {
        Some(host) if !catalogue::is_host(host) => Some(format!(
            "the host `{host}` is not known, so nothing is known of what `{tool}` does; describe it in `[tools]` if it is a host of your own"
        )),
        Some(_) => None,
        None => catalogue::host_with(tool).map(|host| {
            format!(
                "the call names no host, so nothing is known of what `{tool}` does, and rules about commands, files and hosts cannot speak of it; say `host` (such as `{host}`), or describe the tool in `[tools]`"
            )
        }),
    }
}

/// The made-up disk of the call, where it has one.
fn made_up(call: &Call, surroundings: &Surroundings<'_>) -> Result<Option<MadeUpDisk>, String> {
    match &call.fs {
        None => Ok(None),
        Some(_) if !surroundings.made_up_fs => {
            Err("the call has `fs`, a made-up file tree, which only tests may use (`--made-up-fs`)"
                .to_owned())
        }
        Some(fs) => MadeUpDisk::from_json(fs).map(Some).map_err(|e| format!("`fs`: {e}")),
    }
}
