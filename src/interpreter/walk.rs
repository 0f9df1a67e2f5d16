//! The walk down the list of rules.

use std::borrow::Cow;
use std::sync::Arc;

use smallvec::SmallVec;

use super::matching::{applies, concerns, covers, groups, speaks_of_parts, units};
use super::scene::Scene;
use super::why;
use crate::call::Call;
use crate::facts::parts::{Facts, PartKind};
use crate::facts::programs::Claim;
use crate::pattern::command::CommandContext;
use crate::pattern::{Reading, Tri};
use crate::rule::{Kind, Rule, Trust};
use crate::verdict::{Answer, Cause, PartVerdict, RuleRef, Verdict};

/// A rule that was asked, for a person to read.
#[derive(Clone, Debug)]
pub struct Step {
    /// The rule.
    pub rule: Arc<RuleRef>,
    /// What came of it.
    pub outcome: Outcome,
    /// Why, in words.
    pub why: String,
    /// The indices of the parts that it decided about; empty where it speaks of the whole call.
    pub parts: Vec<usize>,
}

/// What came of asking a rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It does not match.
    NoMatch,
    /// It cannot be ruled out that it matches.
    Possible,
    /// It matches.
    Match,
}

/// What the denials say.
pub(super) enum Denials {
    None,
    Possible(Arc<RuleRef>),
    Denied(Box<Verdict>),
}

pub(super) struct Walk<'w, 'a> {
    scene: &'w Scene<'a>,
    steps: &'w mut Option<Vec<Step>>,
    candidates: SmallVec<[u32; 32]>,
}

/// What is known of a part on the way down the list.
#[derive(Clone)]
enum Fate {
    Open,
    /// Covered, by the rule with this place.
    Allowed(u32),
    /// Asked about, by the rule with this place.
    Asked(u32),
    /// Needs no rule; why.
    Free(&'static str),
}

impl<'w, 'a> Walk<'w, 'a> {
    pub(super) fn new(scene: &'w Scene<'a>, steps: &'w mut Option<Vec<Step>>) -> Self {
        let inner = &scene.policy.inner;
        let mut candidates = SmallVec::new();
        if steps.is_some() {
            candidates.extend((0u32..).take(inner.rules.len()));
        } else {
            inner.index.each(&scene.name, &mut |rule| candidates.push(rule));
            if scene.call.mcp.is_some() && scene.call.tool != *scene.name {
                inner.index.each(&scene.call.tool, &mut |rule| candidates.push(rule));
            }
            for mcp in &scene.readings {
                inner.index.each(&mcp.name(), &mut |rule| candidates.push(rule));
            }
            candidates.extend(inner.nameless.iter().copied());
            candidates.sort_unstable();
            candidates.dedup();
        }
        Self { scene, steps, candidates }
    }

    fn rule(&self, index: u32) -> Option<&'a Rule> {
        let rules: &'a [Rule] = &self.scene.policy.inner.rules;
        rules.get(index as usize)
    }

    fn note(&mut self, rule: &Rule, outcome: Outcome, why: impl FnOnce() -> String, parts: &[usize]) {
        if let Some(steps) = self.steps {
            steps.push(Step { rule: Arc::clone(&rule.me), outcome, why: why(), parts: parts.to_vec() });
        }
    }

    /// Every denial in list order, wherever it stands.
    pub(super) fn denials(&mut self) -> Denials {
        let mut possible = None;
        for index in self.candidates.clone() {
            let Some(rule) = self.rule(index).filter(|r| r.denies()) else { continue };
            match self.applies(rule) {
                Tri::No => {}
                Tri::Possibly => possible = possible.or(Some(Arc::clone(&rule.me))),
                Tri::Yes => {
                    let mut verdict =
                        Verdict::new(Answer::Deny, Cause::Rule, &self.scene.policy.inner.digest);
                    let (reason, stop) = told(rule, self.scene);
                    verdict.reason = Some(reason);
                    verdict.stop = stop;
                    verdict.decided_by = Some(Arc::clone(&rule.me));
                    verdict.parts = self.parts_of_denial(rule);
                    return Denials::Denied(Box::new(verdict));
                }
            }
        }
        possible.map_or(Denials::None, Denials::Possible)
    }

    /// A denial could not be ruled out: only rules that ask are looked at, and when none asks, the call is denied.
    pub(super) fn after_possible_denial(&mut self, doubt: &Arc<RuleRef>) -> Verdict {
        let digest = &self.scene.policy.inner.digest;
        for index in self.candidates.clone() {
            let Some(rule) = self.rule(index).filter(|r| r.asks()) else { continue };
            if self.may_change(rule) && self.applies(rule) != Tri::No {
                let mut verdict = self.question(rule, Cause::PossibleMatch);
                verdict.reason = Some(Cow::Owned(format!(
                    "it could not be ruled out that rule `{}` denies this call",
                    doubt.rule
                )));
                verdict.not_ruled_out = Some(Arc::clone(doubt));
                verdict.parts = self.listed(|_| Some(rule.me.rule.clone()));
                return verdict;
            }
        }
        let mut verdict = Verdict::new(Answer::Deny, Cause::PossibleMatch, digest);
        let told = self.rules_named(doubt).map_or_else(
            || format!("{} is not allowed.", self.scene.call.tool),
            |rule| told(rule, self.scene).0.into_owned(),
        );
        verdict.reason = Some(Cow::Owned(format!(
            "{told} (It could not be ruled out that this rule speaks of the call: write it so that every part is plain.)"
        )));
        verdict.decided_by = Some(Arc::clone(doubt));
        verdict.not_ruled_out = Some(Arc::clone(doubt));
        verdict.parts = self.listed(|_| None);
        verdict
    }

    /// The rule of this policy that a reference names.
    fn rules_named(&self, reference: &Arc<RuleRef>) -> Option<&'a Rule> {
        self.rule(u32::try_from(reference.index).ok()?).filter(|r| Arc::ptr_eq(&r.me, reference))
    }

    /// The other kinds in list order, part by part.
    pub(super) fn rest(&mut self) -> Verdict {
        let mut fates: Option<Vec<Fate>> = None;
        for index in self.candidates.clone() {
            let Some(rule) = self.rule(index).filter(|r| !r.denies()) else { continue };
            if !self.may_change(rule) {
                self.note(
                    rule,
                    Outcome::NoMatch,
                    || "it changes arguments, and the call has several parts".to_owned(),
                    &[],
                );
                continue;
            }
            let by_parts = rule.when.needs_facts() || rule.unless.needs_facts() || self.reads_parts(rule);
            if !by_parts && fates.is_none() {
                // The rule says one thing about the whole call, so its parts need not be known.
                if self.whole(rule) {
                    return self.settled(rule);
                }
                continue;
            }
            // One that the whole of the call rules out says nothing of its parts.
            let ruled_out = if rule.asks() { self.applies(rule) == Tri::No } else { !self.allows(rule) };
            if ruled_out {
                self.note_parts(rule, &[]);
                continue;
            }
            let facts = self.scene.facts();
            let known = fates.get_or_insert_with(|| starting(facts));
            let hit = self.decide_parts(rule, index, facts, known);
            self.note_parts(rule, &hit);
            if known.iter().all(|fate| !matches!(fate, Fate::Open))
                && !known.iter().all(|fate| matches!(fate, Fate::Free(_)))
            {
                break;
            }
        }
        match fates {
            None => self.scene.policy.undecided(self.scene.call),
            Some(fates) => self.sum_up(&fates),
        }
    }

    /// Whether the rule changes nothing, or the call is one part: a rule that changes arguments speaks of such calls only.
    fn may_change(&self, rule: &Rule) -> bool {
        rule.set.is_none() || self.scene.tool.is_none() || self.scene.facts().parts.len() == 1
    }

    /// Whether an allow by read-only has to look at parts: it does, unless the tool's own hint says all there is.
    fn reads_parts(&self, rule: &Rule) -> bool {
        matches!(rule.kind, Kind::AllowByReadOnly { .. })
            && self.scene.tool.as_ref().is_some_and(|tool| !tool.is_opaque())
    }

    /// Whether a rule without conditions on parts decides about the call.
    fn whole(&mut self, rule: &Rule) -> bool {
        let yes = match &rule.kind {
            Kind::DecideByHuman { .. } => self.applies(rule) != Tri::No,
            Kind::AllowByReadOnly { trust } => {
                self.trusted(trust) && self.scene.hints().read_only() && self.allows(rule)
            }
            Kind::AllowByName { .. } | Kind::AllowByDefault | Kind::DenyByName { .. } => self.allows(rule),
        };
        if !rule.asks() {
            let outcome = if yes { Outcome::Match } else { Outcome::NoMatch };
            let (scene, believed) = (self.scene, self.believed(rule));
            self.note(rule, outcome, || why_whole(scene, rule, yes, believed), &[]);
        }
        yes
    }

    /// Whether an allow's name and conditions on the whole call hold.
    fn allows(&self, rule: &Rule) -> bool {
        rule.names().is_none_or(|names| names.iter().any(|n| n.matches(&self.scene.name)))
            && self.scene.holds(&rule.when, Reading::Narrow) == Tri::Yes
            && (rule.unless.is_empty()
                || rule.unless.parts.keys().next().is_some()
                || self.scene.holds(&rule.unless, Reading::Broad) == Tri::No)
    }

    /// Whether what the tool says of itself counts for the rule.
    fn believed(&self, rule: &Rule) -> bool {
        match &rule.kind {
            Kind::AllowByReadOnly { trust } => self.trusted(trust),
            Kind::DenyByName { .. }
            | Kind::AllowByName { .. }
            | Kind::DecideByHuman { .. }
            | Kind::AllowByDefault => true,
        }
    }

    fn trusted(&self, trust: &Trust) -> bool {
        // Whose tool it is cannot be told, so only who believes everybody believes it.
        let unclear = !self.scene.readings.is_empty() && !matches!(trust, Trust::Everybody);
        !unclear && self.scene.call.mcp.as_ref().is_none_or(|mcp| trust.covers(&mcp.server))
    }

    /// Whether a denial or a question applies to the call.
    fn applies(&mut self, rule: &Rule) -> Tri {
        let scene = self.scene;
        let named = rule.names().is_none_or(|names| scene.is_named(names, Reading::Broad));
        if !named {
            self.note(rule, Outcome::NoMatch, || format!("no name of it matches `{}`", scene.name), &[]);
            return Tri::No;
        }
        let mut answer = scene.holds(&rule.when, Reading::Broad);
        let mut why = "a condition on the call does not hold";
        if answer != Tri::No && !rule.unless.is_empty() || rule.when.parts.keys().next().is_some() {
            let unless_call = scene.holds(&rule.unless, Reading::Narrow);
            let by_parts = rule.when.parts.keys().chain(rule.unless.parts.keys()).next().is_some();
            if by_parts && answer != Tri::No {
                let facts = scene.facts();
                let parts = scene.with_context(|context| {
                    units(rule, facts).fold(Tri::No, |t, unit| {
                        if t == Tri::Yes { t } else { t.or(applies(rule, &unit, unless_call, context)) }
                    })
                });
                answer = answer.and(parts);
                why = "no part of the call is one that it speaks of";
            } else if !rule.unless.is_empty() && unless_call == Tri::Yes {
                answer = Tri::No;
                why = "`unless` holds";
            }
        }
        let outcome = match answer {
            Tri::No => Outcome::NoMatch,
            Tri::Possibly => Outcome::Possible,
            Tri::Yes => Outcome::Match,
        };
        self.note(
            rule,
            outcome,
            || match outcome {
                Outcome::NoMatch => why::not(scene, rule, true).unwrap_or_else(|| why.to_owned()),
                Outcome::Possible => "something unknown in the call may match".to_owned(),
                Outcome::Match => "it matches".to_owned(),
            },
            &[],
        );
        answer
    }

    /// Lets one rule that the call as a whole does not rule out decide about the parts that are still open; the indices of those it did decide about.
    fn decide_parts(&mut self, rule: &Rule, index: u32, facts: &Facts, fates: &mut [Fate]) -> Vec<usize> {
        let scene = self.scene;
        if rule.asks() {
            let keyed = rule.when.parts.keys().next().is_some();
            let asks_of =
                scene.with_context(|c| groups(rule, facts, scene.holds(&rule.unless, Reading::Narrow), c));
            let own = |i: usize, context: &CommandContext<'_>| {
                let speaks =
                    |group: usize| asks_of.as_ref().is_none_or(|groups| groups.get(group) == Some(&true));
                !keyed || facts.parts.get(i).is_some_and(|p| speaks(p.group) && concerns(rule, p, context))
            };
            // Where nothing needs covering, a question speaks of the whole.
            let all_free = fates.iter().all(|fate| matches!(fate, Fate::Free(_)));
            let mut asked: Vec<usize> =
                scene.with_context(|c| (0..fates.len()).filter(|i| own(*i, c)).collect());
            if asked.is_empty() {
                asked = (0..fates.len()).collect();
            }
            asked.retain(|i| match fates.get(*i) {
                Some(Fate::Open) => true,
                Some(Fate::Free(_)) => keyed || all_free,
                Some(Fate::Allowed(_) | Fate::Asked(_)) | None => false,
            });
            for i in &asked {
                if let Some(fate) = fates.get_mut(*i) {
                    *fate = Fate::Asked(index);
                }
            }
            return asked;
        }
        let mut hit = Vec::new();
        let unless_call = scene.holds(&rule.unless, Reading::Broad);
        let covers_part = |i: usize| scene.with_context(|c| covers(rule, facts, i, unless_call, c));
        // One that speaks of no kind of part says the same of all of them; asking again for each would be quadratic.
        let whole = (!speaks_of_parts(rule)).then(|| covers_part(0));
        for (i, fate) in fates.iter_mut().enumerate().filter(|(_, f)| matches!(f, Fate::Open | Fate::Free(_)))
        {
            let by_kind = match &rule.kind {
                Kind::AllowByReadOnly { trust } => self.trusted(trust) && self.read_only(facts, i),
                Kind::AllowByName { .. }
                | Kind::AllowByDefault
                | Kind::DenyByName { .. }
                | Kind::DecideByHuman { .. } => true,
            };
            if by_kind && whole.unwrap_or_else(|| covers_part(i)) == Tri::Yes {
                *fate = Fate::Allowed(index);
                hit.push(i);
            }
        }
        hit
    }

    /// Whether one part changes nothing.
    fn read_only(&self, facts: &Facts, index: usize) -> bool {
        let Some(part) = facts.parts.get(index) else { return false };
        if self.scene.tool.is_none() {
            return self.scene.hints().read_only();
        }
        let runs = self.scene.tool.as_ref().is_some_and(|tool| tool.runs());
        match &part.kind {
            PartKind::Run(run) => match &self.scene.policy.inner.read_only {
                None => run.opaque.is_none() && run.read_only == Claim::Yes,
                Some(set) => {
                    let within =
                        self.scene.with_context(|c| set.matches(run, Reading::Narrow, c)) == Tri::Yes;
                    within && run.env.iter().all(|v| v.harmless)
                }
            },
            PartKind::Read(_) => true,
            // What a tool says of itself holds for all of its call; a shell's hint does not speak for the commands it is given.
            PartKind::Write(_) | PartKind::Fetch(_) | PartKind::Call => {
                !runs && self.scene.hints().read_only()
            }
        }
    }

    fn note_parts(&mut self, rule: &Rule, hit: &[usize]) {
        if rule.asks() && hit.is_empty() {
            return;
        }
        let outcome = if hit.is_empty() { Outcome::NoMatch } else { Outcome::Match };
        let (scene, believed) = (self.scene, self.believed(rule));
        self.note(
            rule,
            outcome,
            || match (outcome, rule.asks()) {
                (Outcome::Match, true) => "it asks about these parts".to_owned(),
                (Outcome::Match, false) => "it covers these parts".to_owned(),
                (Outcome::NoMatch | Outcome::Possible, _) => why::not(scene, rule, believed)
                    .unwrap_or_else(|| "it covers no part that is still open".to_owned()),
            },
            hit,
        );
    }

    /// The verdict of a rule that decides about the whole call.
    fn settled(&mut self, rule: &Rule) -> Verdict {
        if rule.asks() {
            return self.question(rule, Cause::Rule);
        }
        let mut verdict = Verdict::new(Answer::Allow, Cause::Rule, &self.scene.policy.inner.digest);
        verdict.decided_by = Some(Arc::clone(&rule.me));
        verdict
    }

    fn question(&self, rule: &Rule, cause: Cause) -> Verdict {
        let mut verdict = Verdict::new(Answer::Ask, cause, &self.scene.policy.inner.digest);
        verdict.decided_by = Some(Arc::clone(&rule.me));
        if let Kind::DecideByHuman { timeout, question } = &rule.kind {
            verdict.question = Some(asked(question.as_deref(), self.scene.call));
            verdict.timeout_s = Some(timeout.as_secs());
        }
        verdict
    }

    /// Every part covered: allowed. Some asked and the rest covered: asked. Else denied.
    fn sum_up(&mut self, fates: &[Fate]) -> Verdict {
        let scene = self.scene;
        let facts = scene.facts();
        let open: Vec<usize> =
            fates.iter().enumerate().filter(|(_, f)| matches!(f, Fate::Open)).map(|(i, _)| i).collect();
        let all_free = fates.iter().all(|f| matches!(f, Fate::Free(_)));
        let by = |fate: &Fate| match fate {
            Fate::Allowed(i) | Fate::Asked(i) => self.rule(*i),
            Fate::Open | Fate::Free(_) => None,
        };
        let mut verdict = if !open.is_empty() || all_free {
            let mut verdict = scene.policy.undecided(scene.call);
            if let (Some(reason), true) = (&verdict.reason, facts.parts.len() > 1) {
                let first = open.first().copied().unwrap_or(0);
                let what = facts
                    .parts
                    .get(first)
                    .map(|p| format!("{} `{}`", p.kind.name(), p.text))
                    .unwrap_or_default();
                let more =
                    if open.len() > 1 { format!(" (and {} more)", open.len() - 1) } else { String::new() };
                verdict.reason =
                    Some(Cow::Owned(format!("{reason} No rule covers this part of it: {what}{more}.")));
            }
            verdict
        } else if let Some(rule) = fates.iter().find(|f| matches!(f, Fate::Asked(_))).and_then(by) {
            self.question(rule, Cause::Rule)
        } else {
            let mut verdict = Verdict::new(Answer::Allow, Cause::Rule, &scene.policy.inner.digest);
            verdict.decided_by = fates.iter().find_map(by).map(|rule| Arc::clone(&rule.me));
            verdict
        };
        verdict.parts = facts
            .parts
            .iter()
            .zip(fates)
            .map(|(part, fate)| PartVerdict {
                kind: part.kind.name(),
                text: part.text.clone(),
                span: part.span,
                decided_by: by(fate).map(|rule| rule.me.rule.clone()),
                note: match fate {
                    Fate::Free(why) => Some((*why).to_owned()),
                    Fate::Open => why_open(&part.kind),
                    Fate::Allowed(_) | Fate::Asked(_) => None,
                },
            })
            .collect();
        verdict
    }

    /// The parts, where they were looked at.
    fn listed(&self, by: impl Fn(usize) -> Option<String>) -> Vec<PartVerdict> {
        let parts = self.scene.facts_if_known().map(|f| f.parts.as_slice()).unwrap_or_default();
        parts
            .iter()
            .enumerate()
            .map(|(i, part)| PartVerdict {
                kind: part.kind.name(),
                text: part.text.clone(),
                span: part.span,
                decided_by: by(i),
                note: None,
            })
            .collect()
    }

    fn parts_of_denial(&self, rule: &Rule) -> Vec<PartVerdict> {
        let Some(facts) = self.scene.facts_if_known() else { return Vec::new() };
        let keyed = rule.when.parts.keys().next().is_some();
        self.scene.with_context(|context| {
            self.listed(|i| {
                let hit = !keyed || facts.parts.get(i).is_some_and(|p| concerns(rule, p, context));
                hit.then(|| rule.me.rule.clone())
            })
        })
    }
}

/// The question about a call, in the rule's own words where it has some.
pub(super) fn asked(question: Option<&str>, call: &Call) -> String {
    let text = question.unwrap_or("Run {call}?");
    text.replace("{tool}", &call.tool).replace("{call}", &call.shown())
}

/// What the model is told, and whether the turn stops.
fn told(rule: &Rule, scene: &Scene<'_>) -> (Cow<'static, str>, bool) {
    let default = || Cow::Owned(format!("{} is not allowed.", scene.call.tool));
    match &rule.kind {
        Kind::DenyByName { reason, stop, .. } => {
            (reason.as_ref().map_or_else(default, |r| Cow::Owned(r.to_string())), *stop)
        }
        Kind::AllowByName { .. }
        | Kind::AllowByReadOnly { .. }
        | Kind::DecideByHuman { .. }
        | Kind::AllowByDefault => (default(), false),
    }
}

fn starting(facts: &Facts) -> Vec<Fate> {
    facts
        .parts
        .iter()
        .map(|part| match &part.kind {
            PartKind::Run(run) => run.neutral.map_or(Fate::Open, Fate::Free),
            PartKind::Read(_) | PartKind::Write(_) | PartKind::Fetch(_) | PartKind::Call => Fate::Open,
        })
        .collect()
}

fn why_open(kind: &PartKind) -> Option<String> {
    match kind {
        PartKind::Run(run) => run.opaque.clone().or_else(|| match &run.read_only {
            Claim::Yes => None,
            Claim::No(why) => Some(why.clone()),
        }),
        PartKind::Read(_) | PartKind::Write(_) | PartKind::Fetch(_) | PartKind::Call => None,
    }
}

fn why_whole(scene: &Scene<'_>, rule: &Rule, yes: bool, believed: bool) -> String {
    match (&rule.kind, yes) {
        (Kind::AllowByReadOnly { .. }, true) => "the tool says that this call is read-only".to_owned(),
        (_, true) => "it matches".to_owned(),
        (_, false) => why::not(scene, rule, believed)
            .unwrap_or_else(|| "a condition on the call does not hold".to_owned()),
    }
}
