//! Globs as automata: positions, and what leads from one to the next.

use super::super::name::{NameGlob, Step};
use super::alphabet::least_char;

/// One glob. Position `n` is after `n` steps that take a character; a star makes its position one that stays.
pub(super) struct Automaton {
    positions: Vec<Position>,
}

struct Position {
    stays: bool,
    /// `None` at the end.
    step: Option<Step>,
}

impl Automaton {
    pub(super) fn new(glob: &NameGlob) -> Self {
        let mut positions = Vec::with_capacity(glob.as_str().len() + 1);
        let mut stays = false;
        for step in glob.steps() {
            match step {
                Step::Star => stays = true,
                Step::Char(_) | Step::Any | Step::Set(_) => {
                    positions.push(Position { stays, step: Some(step) });
                    stays = false;
                }
            }
        }
        positions.push(Position { stays, step: None });
        Self { positions }
    }

    /// How many positions there are, the end included.
    pub(super) fn len(&self) -> usize {
        self.positions.len()
    }

    pub(super) fn stays(&self, position: usize) -> bool {
        self.positions.get(position).is_some_and(|position| position.stays)
    }

    pub(super) fn step(&self, position: usize) -> Option<&Step> {
        self.positions.get(position).and_then(|position| position.step.as_ref())
    }

    pub(super) fn is_end(&self, position: usize) -> bool {
        position + 1 == self.positions.len()
    }

    /// The shortest text that leads from `position` to the end.
    pub(super) fn shortest_from(&self, position: usize) -> impl Iterator<Item = char> {
        self.positions
            .iter()
            .skip(position)
            .filter_map(|position| position.step.as_ref())
            .filter_map(least_char)
    }
}

/// Several globs side by side, their positions numbered through.
pub(super) struct Union {
    positions: Vec<Position>,
    starts: Vec<u32>,
}

impl Union {
    pub(super) fn new(globs: &[&NameGlob]) -> Self {
        let mut union = Self { positions: Vec::new(), starts: Vec::with_capacity(globs.len()) };
        for glob in globs {
            union.starts.push(u32::try_from(union.positions.len()).unwrap_or(u32::MAX));
            union.positions.extend(Automaton::new(glob).positions);
        }
        union
    }

    /// The first position of each glob.
    pub(super) fn starts(&self) -> std::rc::Rc<[u32]> {
        self.starts.as_slice().into()
    }

    /// Where `c` leads from `at`. Both ascend.
    pub(super) fn after(&self, at: &[u32], c: char) -> Vec<u32> {
        let mut next = Vec::with_capacity(at.len() * 2);
        for &number in at {
            let Some(position) = self.positions.get(number as usize) else { continue };
            if position.stays && next.last() != Some(&number) {
                next.push(number);
            }
            if position.step.as_ref().is_some_and(|step| step.accepts(c)) {
                next.push(number + 1);
            }
        }
        next
    }

    /// Whether a glob may end at one of `at`.
    pub(super) fn match_here(&self, at: &[u32]) -> bool {
        self.ends(at).any(|_| true)
    }

    /// Whether a glob ends in a star at one of `at`.
    pub(super) fn match_whatever_follows(&self, at: &[u32]) -> bool {
        self.ends(at).any(|position| position.stays)
    }

    fn ends(&self, at: &[u32]) -> impl Iterator<Item = &Position> {
        at.iter()
            .filter_map(|&number| self.positions.get(number as usize))
            .filter(|position| position.step.is_none())
    }
}
