//! Layers of authority: each decides with its own list, and the strictest verdict wins.

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
        for policy in &self.others {
            let next = policy.evaluate(call, surroundings);
            verdict = stricter(verdict, next);
        }
        match &verdict.updated_args {
            Some(args) if !self.others.is_empty() => {
                let changed = Call { args: args.clone(), ..call.clone() };
                let worst = self
                    .iter()
                    .map(|p| p.evaluate(&changed, surroundings))
                    .find(|v| v.verdict == Answer::Deny && v.cause != Cause::NoRule);
                worst.unwrap_or(verdict)
            }
            _ => verdict,
        }
    }
}

/// The stricter of two layers' verdicts, the first where they are alike. One that decides nothing does not count.
fn stricter(first: Verdict, second: Verdict) -> Verdict {
    let undecided = |v: &Verdict| v.cause == Cause::NoRule;
    match (undecided(&first), undecided(&second)) {
        (true, false) => second,
        (false, false) if second.verdict.strictness() > first.verdict.strictness() => second,
        // Both allow, and one of them only in a changed form.
        (false, false)
            if second.verdict.strictness() == first.verdict.strictness()
                && first.updated_args.is_none()
                && second.updated_args.is_some() =>
        {
            second
        }
        (_, true) | (false, false) => first,
    }
}
