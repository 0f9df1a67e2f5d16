//! Which rules no call reaches, and which rules decide before them.

use super::lintable::RuleView;
use crate::pattern::coverage::{BUDGET, Coverage, Overlap, covered, intersects};
use crate::pattern::name::NameGlob;
use crate::rule::{Kind, Trust};

/// In a longer list only rules without conditions are compared with every other: comparing all pairs would take seconds.
const MANY: usize = 2000;

/// A rule that no call reaches.
pub(super) struct Dead {
    /// Its place in the list.
    pub(super) rule: usize,
    /// The places of the rules that decide first, in list order.
    pub(super) by: Vec<usize>,
}

/// The rules that no call reaches: those whose every name is decided about by earlier rules under conditions that hold whenever theirs do.
pub(super) fn dead(rules: &[RuleView<'_>]) -> Vec<Dead> {
    let everything = NameGlob::new("*");
    let globs = |rule: &RuleView<'_>| -> Vec<NameGlob> {
        rule.rule.names().map_or_else(|| vec![everything.clone()], <[NameGlob]>::to_vec)
    };
    let all: Vec<Vec<NameGlob>> = rules.iter().map(globs).collect();
    let budget = BUDGET / rules.len().clamp(10, 1000);
    // A call that a denial only may speak of passes over every allow on its way to a rule that asks.
    let may_doubt = rules.iter().any(|rule| rule.rule.denies() && rule.is_conditional());
    let mut found = Vec::new();
    for (index, later) in rules.iter().enumerate() {
        let Some(own) = all.get(index).filter(|own| own.iter().any(|glob| !glob.can_match_nothing())) else {
            continue;
        };
        // Every denial comes before every other rule, wherever it stands.
        let before = |other: usize, rule: &RuleView<'_>| {
            if rule.rule.denies() == later.rule.denies() { other < index } else { rule.rule.denies() }
        };
        let by: Vec<usize> = rules
            .iter()
            .enumerate()
            .filter(|(_, rule)| rules.len() <= MANY || !rule.is_conditional())
            .filter(|(_, rule)| !(may_doubt && later.rule.asks() && rule.allows()))
            .filter(|(other, rule)| before(*other, rule) && decides_first(rule, later))
            .map(|(other, _)| other)
            .collect();
        let covers = |by: &[usize]| {
            let theirs: Vec<&NameGlob> = by.iter().filter_map(|i| all.get(*i)).flatten().collect();
            own.iter().all(|glob| covered(glob, &theirs, budget) == Coverage::Yes)
        };
        if by.is_empty() || !covers(&by) {
            continue;
        }
        let alone = by.iter().find(|i| covers(&[**i])).map(|i| vec![*i]);
        let by = alone.unwrap_or_else(|| {
            by.into_iter().filter(|i| all.get(*i).is_some_and(|g| meet(g, own))).collect()
        });
        found.push(Dead { rule: index, by });
    }
    found
}

/// Whether some name is matched by both lists; when that takes too long to say, no.
pub(super) fn meet(a: &[NameGlob], b: &[NameGlob]) -> bool {
    a.iter().any(|a| b.iter().any(|b| matches!(intersects(a, b, BUDGET / 100), Overlap::Yes { .. })))
}

/// Whether `first` decides every call that `later` would, as far as conditions go.
fn decides_first(first: &RuleView<'_>, later: &RuleView<'_>) -> bool {
    // A rule that changes arguments passes over calls of several parts.
    if first.rule.set.is_some() {
        return false;
    }
    let decides = match (&first.rule.kind, &later.rule.kind) {
        (Kind::AllowByReadOnly { trust }, Kind::AllowByReadOnly { trust: other }) => {
            trusts_no_less(trust, other)
        }
        (Kind::AllowByReadOnly { .. }, _) => false,
        (
            Kind::DenyByName { .. }
            | Kind::AllowByName { .. }
            | Kind::DecideByHuman { .. }
            | Kind::AllowByDefault,
            _,
        ) => true,
    };
    let when = first.when.asks_no_more_than(&later.when);
    let unless = first.unless.is_empty() || first.unless == later.unless && first.when == later.when;
    decides && when && unless
}

fn trusts_no_less(trust: &Trust, other: &Trust) -> bool {
    match (trust, other) {
        (Trust::Everybody, _) | (_, Trust::Nobody) => true,
        (Trust::Servers(_) | Trust::Nobody, Trust::Everybody) | (Trust::Nobody, Trust::Servers(_)) => false,
        (Trust::Servers(mine), Trust::Servers(theirs)) => {
            let mine: Vec<&NameGlob> = mine.iter().collect();
            theirs.iter().all(|glob| covered(glob, &mine, BUDGET / 100) == Coverage::Yes)
        }
    }
}
