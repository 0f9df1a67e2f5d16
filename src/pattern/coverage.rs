//! Which names globs have in common: exact answers for `policy check`, each with a name that shows it.
//!
//! A glob is an automaton whose positions are its steps: at a position it stays where a star stands, or goes
//! on by a character that the step takes. Characters that no step tells apart are one letter. A search over
//! what may be read next finds the shortest name that shows a difference, within a budget.

mod alphabet;
mod automaton;

use std::collections::{HashSet, VecDeque};
use std::rc::Rc;

use self::alphabet::{Alphabet, common_char, least_char};
use self::automaton::{Automaton, Union};
use super::name::NameGlob;

/// Whether some globs cover another.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Coverage {
    /// Every name that the one matches is matched by one of the others.
    Yes,
    /// Not this name.
    No {
        /// A name that the one matches and none of the others. Empty only when nothing else shows it.
        witness: String,
    },
    /// The budget was used up.
    GaveUp,
}

/// Whether two globs have a name in common.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub enum Overlap {
    /// They do.
    Yes {
        /// A name that both match.
        witness: String,
    },
    /// No name matches both.
    No,
    /// The budget was used up.
    GaveUp,
}

/// A budget that ends a search within some tens of milliseconds; few policies need a hundredth of it. It
/// counts the positions that are looked at.
pub const BUDGET: usize = 10_000_000;

/// Whether every name that `pattern` matches is matched by at least one of `by`.
pub fn covered(pattern: &NameGlob, by: &[&NameGlob], budget: usize) -> Coverage {
    if pattern.can_match_nothing() {
        return Coverage::Yes;
    }
    if let Some(name) = pattern.literal() {
        return if by.iter().any(|glob| glob.matches(name)) {
            Coverage::Yes
        } else {
            Coverage::No { witness: name.to_owned() }
        };
    }
    if by.iter().any(|glob| glob.matches_everything() || *glob == pattern) {
        return Coverage::Yes;
    }
    let related: Vec<&NameGlob> = by.iter().copied().filter(|glob| may_overlap(pattern, glob)).collect();
    let Some(left) = budget.checked_sub(related.iter().map(|glob| glob.as_str().len()).sum()) else {
        return Coverage::GaveUp;
    };
    let all = std::iter::once(pattern).chain(related.iter().copied());
    let Some((alphabet, left)) = Alphabet::new(all, left) else { return Coverage::GaveUp };
    Search::new(Automaton::new(pattern), Union::new(&related), alphabet, left).run()
}

/// Whether `a` and `b` match the same names; the witness of a no is matched by one of them only.
pub fn equivalent(a: &NameGlob, b: &NameGlob, budget: usize) -> Coverage {
    match covered(a, &[b], budget) {
        Coverage::Yes => covered(b, &[a], budget),
        no @ Coverage::No { .. } => no,
        // A difference the other way is still an answer.
        Coverage::GaveUp => match covered(b, &[a], budget) {
            no @ Coverage::No { .. } => no,
            Coverage::Yes | Coverage::GaveUp => Coverage::GaveUp,
        },
    }
}

/// Whether a name matches both `a` and `b`, and which.
pub fn intersects(a: &NameGlob, b: &NameGlob, budget: usize) -> Overlap {
    if !may_overlap(a, b) {
        return Overlap::No;
    }
    if a.matches_everything() && b.matches_everything() {
        return Overlap::Yes { witness: alphabet::FAVOURITE.into() };
    }
    let (a, b) = (Automaton::new(a), Automaton::new(b));
    let width = b.len();
    let Some(places) = a.len().checked_mul(width).filter(|places| *places <= budget) else {
        return Overlap::GaveUp;
    };
    // For each pair of positions, the pair before it and the character between them.
    let mut from: Vec<Option<(usize, char)>> = vec![None; places];
    let mut queue = vec![0];
    let mut done = 0;
    while let Some(&place) = queue.get(done) {
        done += 1;
        let (at_a, at_b) = (place / width, place % width);
        if a.is_end(at_a) && b.is_end(at_b) {
            let mut witness: Vec<char> = Vec::new();
            let mut place = place;
            while let Some((before, c)) = from.get(place).copied().flatten().filter(|_| place != 0) {
                witness.push(c);
                place = before;
            }
            return Overlap::Yes { witness: witness.into_iter().rev().collect() };
        }
        let mut go = |to: usize, c: Option<char>| {
            if let (Some(c), Some(slot)) = (c, from.get_mut(to))
                && slot.is_none()
                && to != 0
            {
                *slot = Some((place, c));
                queue.push(to);
            }
        };
        let (step_a, step_b) = (a.step(at_a), b.step(at_b));
        if let (Some(step_a), Some(step_b)) = (step_a, step_b) {
            go(place + width + 1, common_char(step_a, step_b));
        }
        if a.stays(at_a) {
            go(place + 1, step_b.and_then(least_char));
        }
        if b.stays(at_b) {
            go(place + width, step_a.and_then(least_char));
        }
    }
    Overlap::No
}

/// Whether their literal ends allow a name that matches both.
fn may_overlap(a: &NameGlob, b: &NameGlob) -> bool {
    if a.can_match_nothing() || b.can_match_nothing() {
        return false;
    }
    if let Some(name) = a.literal() {
        return b.matches(name);
    }
    if let Some(name) = b.literal() {
        return a.matches(name);
    }
    let (head_a, head_b) = (a.literal_prefix(), b.literal_prefix());
    let (tail_a, tail_b) = (a.literal_suffix(), b.literal_suffix());
    (head_a.starts_with(head_b) || head_b.starts_with(head_a))
        && (tail_a.ends_with(tail_b) || tail_b.ends_with(tail_a))
}

/// Reads names letter by letter until one ends where the pattern matches and none of the others does. What a
/// name must have to reach the end of the pattern counts, so the first one found is the shortest.
struct Search {
    pattern: Automaton,
    others: Union,
    alphabet: Alphabet,
    left: usize,
    nodes: Vec<Node>,
    /// The nodes to look at; those of the second list have a character more that a star takes.
    now: VecDeque<usize>,
    later: VecDeque<usize>,
    seen: HashSet<(usize, Rc<[u32]>)>,
    /// The nodes of each position of the pattern that were looked at.
    by_position: Vec<Vec<usize>>,
}

struct Node {
    position: usize,
    /// Where the others may be, ascending.
    others: Rc<[u32]>,
    /// The node before it and the letter between them.
    from: Option<(usize, usize)>,
}

/// The budget is used up.
struct GaveUp;

impl Search {
    fn new(pattern: Automaton, others: Union, alphabet: Alphabet, left: usize) -> Self {
        let by_position = vec![Vec::new(); pattern.len()];
        let root = Node { position: 0, others: others.starts(), from: None };
        Self {
            pattern,
            others,
            alphabet,
            left,
            nodes: vec![root],
            now: VecDeque::from([0]),
            later: VecDeque::new(),
            seen: HashSet::new(),
            by_position,
        }
    }

    fn run(mut self) -> Coverage {
        // The empty name is a poor example: another is looked for first.
        let empty = self.pattern.is_end(0) && !self.others.match_here(&self.others.starts());
        match self.search() {
            Ok(Some(witness)) => Coverage::No { witness },
            Ok(None) | Err(GaveUp) if empty => Coverage::No { witness: String::new() },
            Ok(None) => Coverage::Yes,
            Err(GaveUp) => Coverage::GaveUp,
        }
    }

    fn search(&mut self) -> Result<Option<String>, GaveUp> {
        while let Some(number) = self.next() {
            let Some(node) = self.nodes.get(number) else { break };
            let (position, others) = (node.position, Rc::clone(&node.others));
            if self.others.match_whatever_follows(&others) || self.is_known(number, position, &others)? {
                continue;
            }
            if number > 0 && self.shows_difference(position, &others) {
                let rest = self.pattern.shortest_from(position);
                return Ok(Some(self.path(number).into_iter().chain(rest).collect()));
            }
            for letter in 0..self.alphabet.len() {
                self.read(number, position, &others, letter)?;
            }
        }
        Ok(None)
    }

    fn next(&mut self) -> Option<usize> {
        if self.now.is_empty() {
            std::mem::swap(&mut self.now, &mut self.later);
        }
        self.now.pop_front()
    }

    /// Adds the nodes that a letter leads to.
    fn read(&mut self, from: usize, position: usize, others: &[u32], letter: usize) -> Result<(), GaveUp> {
        let c = self.alphabet.letter(letter);
        let goes = self.pattern.step(position).is_some_and(|step| step.accepts(c));
        let stays = self.pattern.stays(position);
        if !goes && !stays {
            return self.spend(1);
        }
        self.spend(others.len() + 1)?;
        let others: Rc<[u32]> = self.others.after(others, c).into();
        let from = Some((from, letter));
        if goes {
            self.now.push_back(self.nodes.len());
            self.nodes.push(Node { position: position + 1, others: Rc::clone(&others), from });
        }
        if stays {
            self.later.push_back(self.nodes.len());
            self.nodes.push(Node { position, others, from });
        }
        Ok(())
    }

    /// Whether a name that ends here, or any that goes on from here, is matched by none of the others.
    fn shows_difference(&self, position: usize, others: &[u32]) -> bool {
        others.is_empty() || self.pattern.is_end(position) && !self.others.match_here(others)
    }

    /// Whether a node at the same position leaves the others no more places: what that cannot show, this
    /// cannot.
    fn is_known(&mut self, number: usize, position: usize, others: &Rc<[u32]>) -> Result<bool, GaveUp> {
        // The start shows only the empty name; a node that has read something may show more.
        if number == 0 {
            return Ok(false);
        }
        if !self.seen.insert((position, Rc::clone(others))) {
            return Ok(true);
        }
        let mut spent = 0;
        let known = self.by_position.get(position).into_iter().flatten().any(|&earlier| {
            self.nodes.get(earlier).is_some_and(|node| {
                // Lists of other lengths cost next to nothing.
                spent += if node.others.len() < others.len() { others.len() } else { 1 };
                spent <= self.left && node.others.len() < others.len() && is_subset(&node.others, others)
            })
        });
        self.spend(spent)?;
        if !known && let Some(nodes) = self.by_position.get_mut(position) {
            nodes.push(number);
        }
        Ok(known)
    }

    fn spend(&mut self, cost: usize) -> Result<(), GaveUp> {
        self.left = self.left.checked_sub(cost).ok_or(GaveUp)?;
        Ok(())
    }

    /// What was read up to a node.
    fn path(&self, node: usize) -> Vec<char> {
        let mut letters = Vec::new();
        let mut at = self.nodes.get(node);
        while let Some((before, letter)) = at.and_then(|node| node.from) {
            letters.push(self.alphabet.letter(letter));
            at = self.nodes.get(before);
        }
        letters.reverse();
        letters
    }
}

/// Whether each of `few` is among `many`; both ascend.
fn is_subset(few: &[u32], many: &[u32]) -> bool {
    let mut many = many.iter();
    few.iter().all(|one| many.by_ref().find(|other| *other >= one) == Some(one))
}

#[cfg(test)]
mod tests;
