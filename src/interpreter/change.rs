//! Arguments that a rule changes when it allows.

use serde_json::{Map, Value};

use super::scene::{Scene, Surroundings};
use super::walk::{Denials, Walk, asked};
use crate::call::Call;
use crate::facts::disk::Disk;
use crate::policy::Policy;
use crate::rule::Kind;
use crate::verdict::{Answer, Verdict};

/// The verdict with the deciding rule's `set` in it. The changed call is judged again, and a denial there wins.
pub(super) fn applied(
    verdict: Verdict,
    policy: &Policy,
    call: &Call,
    surroundings: &Surroundings<'_>,
    disk: &dyn Disk,
) -> Verdict {
    if verdict.verdict == Answer::Deny {
        return verdict;
    }
    let Some(rule) = verdict.decided_by.as_ref().and_then(|by| policy.inner.rules.get(by.index)) else {
        return verdict;
    };
    let Some(set) = &rule.set else { return verdict };
    let mut changed = call.clone();
    merge(&mut changed.args, set);
    let mut nothing = None;
    for list in policy.inner.above.iter().chain([policy]) {
        let scene = Scene::new(list, &changed, surroundings, disk);
        let mut walk = Walk::new(&scene, &mut nothing);
        match walk.denials() {
            Denials::Denied(denial) => {
                let mut denial = *denial;
                denial.policy = verdict.policy;
                denial.warnings.push(format!(
                    "rule `{}` changed the arguments, and the changed call is denied",
                    rule.me.rule
                ));
                return denial;
            }
            Denials::Possible(doubt) => {
                let mut doubtful = walk.after_possible_denial(&doubt);
                if doubtful.verdict == Answer::Ask {
                    // The person says yes to the changed call, so that is what runs.
                    doubtful.model_note = Some(note(&call.args, set));
                    doubtful.updated_args = Some(changed.args);
                }
                return doubtful;
            }
            Denials::None => {}
        }
    }
    let mut verdict = verdict;
    if let Kind::DecideByHuman { question, .. } = &rule.kind {
        // A person is shown what would run.
        verdict.question = Some(asked(question.as_deref(), &changed));
    }
    verdict.model_note = Some(note(&call.args, set));
    verdict.updated_args = Some(changed.args);
    verdict
}

/// Objects are merged key by key, everything else is replaced.
fn merge(args: &mut Map<String, Value>, set: &Map<String, Value>) {
    for (key, value) in set {
        match (args.get_mut(key), value) {
            (Some(Value::Object(old)), Value::Object(new)) => merge(old, new),
            _ => drop(args.insert(key.clone(), value.clone())),
        }
    }
}

fn note(before: &Map<String, Value>, set: &Map<String, Value>) -> String {
    let changes: Vec<String> = set
        .iter()
        .filter(|(key, value)| before.get(*key) != Some(value))
        .map(|(key, value)| format!("{key}={value}"))
        .collect();
    if changes.is_empty() {
        return "The policy left the arguments as they are.".to_owned();
    }
    format!("The policy changed the arguments of this call: {}.", changes.join(", "))
}
