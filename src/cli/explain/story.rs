//! What is told of a call: the walk of every layer, the parts, the nearest miss.

use std::sync::Arc;

use serde::Serialize;

use super::super::policies::Judge;
use crate::call::Call;
use crate::facts::parts::Facts;
use crate::interpreter::{Outcome, Step};
use crate::policy::Policy;
use crate::rule::Rule;
use crate::verdict::{Answer, Cause, RuleRef, Verdict};

/// Everything that is told of one call.
#[derive(Serialize)]
pub(super) struct Story {
    /// The call as questions show it.
    pub(super) call: String,
    /// What comes of it; the same as `eval` gives.
    pub(super) verdict: Verdict,
    /// The policies that were asked, in order.
    pub(super) layers: Vec<Layer>,
    /// What the call would do.
    pub(super) parts: Vec<Told>,
    /// For a denial, what came nearest to letting it pass.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) nearest_miss: Option<String>,
}

/// The walk down one policy.
#[derive(Serialize)]
pub(super) struct Layer {
    /// Its name, where it has one.
    pub(super) name: Option<String>,
    /// Its file.
    pub(super) file: Option<String>,
    /// What it says by itself.
    pub(super) verdict: Answer,
    /// Each rule that was asked, in that order.
    pub(super) steps: Vec<Asked>,
    /// The rules that nobody had to ask, as the verdict was clear before.
    pub(super) not_asked: Vec<Arc<RuleRef>>,
}

/// A rule that was asked.
#[derive(Serialize)]
pub(super) struct Asked {
    pub(super) rule: Arc<RuleRef>,
    /// `match`, `possible` or `no_match`.
    pub(super) outcome: &'static str,
    pub(super) why: String,
    /// The numbers of the parts that it decided about, from 1.
    pub(super) parts: Vec<usize>,
}

/// A part of the call, and what it names.
#[derive(Serialize)]
pub(super) struct Told {
    pub(super) kind: &'static str,
    pub(super) text: String,
    /// What is known of it, a line each.
    pub(super) facts: Vec<String>,
    /// The rule that covers or asks about it.
    pub(super) decided_by: Option<String>,
    /// Why it needs no rule, or why none covers it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) note: Option<String>,
}

impl Story {
    /// The story of this call.
    pub(super) fn of(judge: &Judge, call: &Call) -> Self {
        let surroundings = judge.surroundings();
        let verdict = judge.layers.evaluate(call, &surroundings);
        let mut layers = Vec::new();
        let mut facts = None;
        let mut nearest_miss = None;
        for policy in judge.layers.iter() {
            let explanation = policy.explain(call, &surroundings);
            if explanation.verdict.verdict == Answer::Deny && nearest_miss.is_none() {
                nearest_miss = miss(policy, call, &explanation.verdict, &explanation.steps);
            }
            layers.push(Layer::of(policy, &explanation.verdict, explanation.steps));
            facts = facts.or(explanation.facts);
        }
        let nearest_miss = nearest_miss.filter(|_| verdict.verdict == Answer::Deny);
        let parts = facts.map(|facts| parts(&facts, &verdict)).unwrap_or_default();
        Self { call: call.shown(), verdict, layers, parts, nearest_miss }
    }
}

impl Layer {
    fn of(policy: &Policy, verdict: &Verdict, steps: Vec<Step>) -> Self {
        let was_asked = |rule: &Rule| steps.iter().any(|step| Arc::ptr_eq(&step.rule, &rule.me));
        let not_asked =
            policy.rules().iter().filter(|rule| !was_asked(rule)).map(|rule| Arc::clone(&rule.me)).collect();
        Self {
            name: policy.layer().map(str::to_owned),
            file: policy.sources().iter().next().map(|(_, source)| source.name.to_string()),
            verdict: verdict.verdict,
            not_asked,
            steps: asked(steps),
        }
    }
}

/// The steps, one a rule: where a rule says twice why it matches, the second time names the parts.
fn asked(steps: Vec<Step>) -> Vec<Asked> {
    let mut found: Vec<Asked> = Vec::new();
    for step in steps.into_iter().map(Asked::of) {
        match found.last_mut() {
            Some(last) if Arc::ptr_eq(&last.rule, &step.rule) => *last = step,
            Some(_) | None => found.push(step),
        }
    }
    found
}

impl Asked {
    fn of(step: Step) -> Self {
        let outcome = match step.outcome {
            Outcome::NoMatch => "no_match",
            Outcome::Possible => "possible",
            Outcome::Match => "match",
        };
        Self { rule: step.rule, outcome, why: step.why, parts: step.parts.iter().map(|i| i + 1).collect() }
    }
}

fn parts(facts: &Facts, verdict: &Verdict) -> Vec<Told> {
    let told = |(i, part): (usize, &crate::facts::parts::Part)| {
        let judged = verdict.parts.get(i).filter(|judged| judged.text == part.text);
        Told {
            kind: part.kind.name(),
            text: part.text.clone(),
            facts: super::facts::of(part),
            decided_by: judged.and_then(|p| p.decided_by.clone()),
            note: judged.and_then(|p| p.note.clone()),
        }
    };
    facts.parts.iter().enumerate().map(told).collect()
}

/// What came nearest to letting a denied call pass.
fn miss(policy: &Policy, call: &Call, verdict: &Verdict, steps: &[Step]) -> Option<String> {
    match verdict.cause {
        Cause::Rule => {
            let by = verdict.decided_by.as_ref()?;
            Some(format!("rule `{}` denies it, and no other rule can change that", by.rule))
        }
        Cause::PossibleMatch => {
            let by = verdict.not_ruled_out.as_ref()?;
            Some(format!(
                "a `decide_by_human` rule would ask about it; only what could match rule `{}` is in the way",
                by.rule
            ))
        }
        Cause::NoRule => Some(undecided(policy, call, verdict, steps)),
        Cause::HumanYes | Cause::HumanNo | Cause::HumanTimeout | Cause::NoHuman | Cause::Error => None,
    }
}

/// Of a call that no rule decided about: the rule that covers most of it, else one that speaks of the tool, else the nearest name.
fn undecided(policy: &Policy, call: &Call, verdict: &Verdict, steps: &[Step]) -> String {
    let most = steps.iter().filter(|step| step.outcome == Outcome::Match).max_by_key(|step| step.parts.len());
    if let Some(step) = most.filter(|step| !step.parts.is_empty()) {
        let open: Vec<String> = verdict
            .parts
            .iter()
            .filter(|p| p.decided_by.is_none())
            .map(|p| format!("{} `{}`", p.kind, p.text))
            .collect();
        return format!(
            "rule `{}` covers {} of {} parts; covered by no rule: {}",
            step.rule.rule,
            step.parts.len(),
            verdict.parts.len(),
            open.join(", ")
        );
    }
    let name = call.name();
    let names = |rule: &&Rule| {
        !rule.denies() && rule.names().is_some_and(|names| names.iter().any(|n| n.matches(&name)))
    };
    if let Some(rule) = policy.rules().iter().find(names) {
        let why = steps.iter().find(|step| Arc::ptr_eq(&step.rule, &rule.me)).map_or("", |step| &step.why);
        return format!("rule `{}` speaks of this tool, but: {why}", rule.me.rule);
    }
    let near = policy
        .rules()
        .iter()
        .filter(|rule| !rule.denies())
        .flat_map(|rule| rule.names().unwrap_or_default().iter().map(move |glob| (rule, glob)))
        .map(|(rule, glob)| (strsim::jaro_winkler(&name, glob.as_str()), rule, glob))
        .filter(|(score, _, _)| *score > 0.8)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    match near {
        Some((_, rule, glob)) => format!(
            "no rule that allows names this tool; the nearest name is `{}` in rule `{}`",
            glob.as_str(),
            rule.me.rule
        ),
        None => "no rule speaks of this tool".to_owned(),
    }
}
