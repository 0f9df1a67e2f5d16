//! The letters that globs tell apart, each shown by the friendliest of its characters.

use std::collections::{BTreeMap, BTreeSet};

use super::super::name::{NameGlob, Step, after, before};

/// The character that stands for any.
pub(super) const FAVOURITE: &str = "x";

/// One character for each letter, the friendliest first.
pub(super) struct Alphabet {
    letters: Vec<char>,
}

impl Alphabet {
    /// The letters of `globs`, and what is left of the budget, if it lasts.
    pub(super) fn new<'g>(globs: impl Iterator<Item = &'g NameGlob>, budget: usize) -> Option<(Self, usize)> {
        let mut chars = BTreeSet::new();
        let mut sets = BTreeSet::new();
        for glob in globs {
            chars.extend(glob.literal_prefix().chars().chain(glob.tail().chars()));
            for step in glob.middle() {
                match step {
                    Step::Char(c) => {
                        chars.insert(*c);
                    }
                    Step::Set(set) => {
                        sets.insert(set);
                    }
                    Step::Any | Step::Star => {}
                }
            }
        }
        let mut cuts = BTreeSet::from(['\0']);
        cuts.extend(chars.iter().copied().chain(chars.iter().filter_map(|c| after(*c))));
        for (low, high) in sets.iter().flat_map(|set| set.ranges()) {
            cuts.insert(*low);
            cuts.extend(after(*high));
        }
        // What is no character of its own is told apart only by the sets it is in.
        let mut shared: BTreeMap<Vec<bool>, char> = BTreeMap::new();
        let mut letters: Vec<char> = chars.iter().copied().collect();
        let mut ends = cuts.iter().skip(1).filter_map(|cut| before(*cut)).chain([char::MAX]);
        let left = budget.checked_sub(cuts.len().saturating_mul(sets.len() + 1))?;
        for (&low, high) in cuts.iter().zip(ends.by_ref()) {
            if chars.contains(&low) {
                continue;
            }
            let sets: Vec<bool> = sets.iter().map(|set| set.contains(low)).collect();
            let best = friendliest(low, high);
            let kept = shared.entry(sets).or_insert(best);
            if rank(best) < rank(*kept) {
                *kept = best;
            }
        }
        letters.extend(shared.into_values());
        letters.sort_unstable_by_key(|c| rank(*c));
        Some((Self { letters }, left))
    }

    pub(super) fn len(&self) -> usize {
        self.letters.len()
    }

    /// The character that stands for a letter.
    pub(super) fn letter(&self, number: usize) -> char {
        self.letters.get(number).copied().unwrap_or('\0')
    }
}

/// The friendliest character that `step` takes.
pub(super) fn least_char(step: &Step) -> Option<char> {
    common_char(step, &Step::Any)
}

/// The friendliest character that both steps take.
pub(super) fn common_char(a: &Step, b: &Step) -> Option<char> {
    match (a, b) {
        (Step::Char(c), other) | (other, Step::Char(c)) => other.accepts(*c).then_some(*c),
        (Step::Any | Step::Star, Step::Any | Step::Star) => Some(friendliest('\0', char::MAX)),
        (Step::Set(set), Step::Any | Step::Star) | (Step::Any | Step::Star, Step::Set(set)) => {
            best(set.ranges().iter().copied())
        }
        (Step::Set(a), Step::Set(b)) => {
            let (mut a, mut b) = (a.ranges(), b.ranges());
            let mut both = Vec::new();
            while let (Some((first_a, rest_a)), Some((first_b, rest_b))) = (a.split_first(), b.split_first())
            {
                both.push((first_a.0.max(first_b.0), first_a.1.min(first_b.1)));
                if first_a.1 < first_b.1 { a = rest_a } else { b = rest_b }
            }
            best(both.into_iter().filter(|(low, high)| low <= high))
        }
    }
}

fn best(ranges: impl Iterator<Item = (char, char)>) -> Option<char> {
    ranges.map(|(low, high)| friendliest(low, high)).min_by_key(|c| rank(*c))
}

/// Friendly ranges, the friendliest first.
const FRIENDLY: [(char, char); 7] =
    [('x', 'z'), ('a', 'w'), ('0', '9'), ('A', 'Z'), ('_', '_'), ('-', '-'), ('!', '~')];

fn friendliest(low: char, high: char) -> char {
    FRIENDLY
        .iter()
        .map(|(first, last)| (low.max(*first), high.min(*last)))
        .find(|(low, high)| low <= high)
        .map(|(low, _)| low)
        .or_else(|| (low..=high).take(1_000).find(|c| c.is_alphanumeric()))
        .or_else(|| (low..=high).take(1_000).find(|c| !c.is_control() && !c.is_whitespace()))
        .unwrap_or(low)
}

/// Lower is friendlier.
fn rank(c: char) -> (usize, char) {
    let class = FRIENDLY.iter().position(|(first, last)| (*first..=*last).contains(&c));
    let other = || match c {
        _ if c.is_alphanumeric() => FRIENDLY.len(),
        _ if c.is_control() => FRIENDLY.len() + 2,
        _ => FRIENDLY.len() + 1,
    };
    (class.unwrap_or_else(other), c)
}
