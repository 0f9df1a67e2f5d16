//! Layers of authority: each decides with its own list, and the strictest verdict wins.

use serde_json::{Map, Value};

use super::scene::Surroundings;
use crate::call::Call;
use crate::policy::Policy;
use crate::verdict::{Answer, Cause, Verdict};

/// Policies in order of authority: managed, user, project. A layer can tighten what another allows and never loosen it.
///
/// A layer that decides nothing does not count; when none decides, the call is denied.
#[derive(Clone, Debug)]
pub struct Layers {
    first: Policy,
    others: Vec<Policy>,
}

impl From<Policy> for Layers {
    fn from(first: Policy) -> Self {
        Self { first, others: Vec::new() }
    }
}

impl Layers {
    /// One more layer, of less authority than those before.
    #[must_use]
    pub fn and(mut self, policy: Policy) -> Self {
        self.others.push(policy);
        self
    }

    /// The policies, the one with the most authority first.
    pub fn iter(&self) -> impl Iterator<Item = &Policy> {
        std::iter::once(&self.first).chain(&self.others)
    }

    /// The digest of the layer with the most authority.
    pub(crate) fn digest(&self) -> std::sync::Arc<str> {
        std::sync::Arc::clone(&self.first.inner.digest)
    }

    /// The layers of a run below this one: see [`Policy::for_subagent`].
    #[must_use]
    pub fn for_subagent(&self, own: Option<&Policy>) -> Self {
        let Some(own) = own else { return self.clone() };
        let policy = self
            .iter()
            .collect::<Vec<_>>()
            .into_iter()
            .rev()
            .fold(own.clone(), |below, above| above.for_subagent(Some(&below)));
        Self::from(policy)
    }

    /// Judges one call: see [`Policy::evaluate`].
    pub fn evaluate(&self, call: &Call, surroundings: &Surroundings<'_>) -> Verdict {
        let mut verdict = self.first.evaluate(call, surroundings);
        let mut by = 0;
        for (number, policy) in self.others.iter().enumerate() {
            let next = policy.evaluate(call, surroundings);
            if wins(&next, &verdict) {
                verdict = next;
                by = number + 1;
            }
        }
        match verdict.updated_args.clone() {
            Some(args) if !self.others.is_empty() => self.changed(verdict, by, args, call, surroundings),
            _ => verdict,
        }
    }

    /// The verdict of the layer `by`, which changes arguments, after the other layers were asked about the changed call.
    fn changed(
        &self,
        verdict: Verdict,
        by: usize,
        args: Map<String, Value>,
        call: &Call,
        surroundings: &Surroundings<'_>,
    ) -> Verdict {
        let changed = Call { args, ..call.clone() };
        let others = self.iter().enumerate().filter(|(number, _)| *number != by);
        let asked = others.map(|(_, policy)| policy.evaluate(&changed, surroundings));
        let strictest = asked.filter(|v| v.cause != Cause::NoRule).max_by_key(|v| v.verdict.strictness());
        match strictest {
            Some(other) if other.verdict.strictness() > verdict.verdict.strictness() => {
                let keeps = other.verdict == Answer::Ask && other.updated_args.is_none();
                Verdict {
                    // What a person says yes to is the changed call.
                    updated_args: if keeps { verdict.updated_args } else { other.updated_args },
                    model_note: if keeps { verdict.model_note } else { other.model_note },
                    ..other
                }
            }
            _ => verdict,
        }
    }
}

/// Whether another layer's verdict counts for more than that found so far: the stricter one does, the first where they are alike. One that
/// decides nothing does not count.
fn wins(next: &Verdict, sofar: &Verdict) -> bool {
    let undecided = |v: &Verdict| v.cause == Cause::NoRule;
    let (stricter, before) = (next.verdict.strictness(), sofar.verdict.strictness());
    // Where both allow, the one that does so only in a changed form.
    let changes = stricter == before && sofar.updated_args.is_none() && next.updated_args.is_some();
    !undecided(next) && (undecided(sofar) || stricter > before || changes)
}
