//! A name glob: Python's `fnmatch.fnmatchcase`, exactly.
//!
//! `*` is any text, `?` one character, `[seq]` and `[!seq]` one character in or out of a set. Nothing else is
//! special: no braces, no escapes, and an unclosed `[` is itself. A match is of the whole name and
//! case-sensitive.

mod set;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::str::Chars;

pub(super) use self::set::{CharSet, after, before};

/// A glob over whole names. Every text is one.
///
/// Two globs are equal when they are written alike; whether they match the same names is a question for
/// the coverage analysis.
#[derive(Clone)]
pub struct NameGlob {
    text: Box<str>,
    /// The characters that every match starts with.
    head: Box<str>,
    /// The characters that every match ends with, after the head.
    tail: Box<str>,
    shape: Shape,
}

/// What stands between head and tail: the cheapest correct way to match comes first.
#[derive(Clone, Debug)]
enum Shape {
    /// Nothing: one name only.
    Exact,
    /// One star.
    Wrapped,
    /// Steps of which the first and the last are not a plain character.
    Steps(Box<[Step]>),
    /// A set without characters, such as `[z-a]`: no name at all. The steps are kept for no one.
    Never,
}

/// One element of a glob.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    /// This character.
    Char(char),
    /// Any character: `?`.
    Any,
    /// Any text: `*`.
    Star,
    /// One character of a set.
    Set(CharSet),
}

impl NameGlob {
    /// The glob that `text` is.
    pub fn new(text: &str) -> Self {
        let written = || Box::from(text);
        if !text.contains(['*', '?', '[']) {
            return Self { text: written(), head: written(), tail: Box::default(), shape: Shape::Exact };
        }
        if let Some(head) = text.strip_suffix('*')
            && !head.contains(['*', '?', '['])
        {
            return Self { text: written(), head: head.into(), tail: Box::default(), shape: Shape::Wrapped };
        }
        Self::from_steps(text, parse(text))
    }

    fn from_steps(text: &str, mut steps: Vec<Step>) -> Self {
        let text = Box::from(text);
        if steps.iter().any(|step| matches!(step, Step::Set(set) if set.is_empty())) {
            return Self { text, head: Box::default(), tail: Box::default(), shape: Shape::Never };
        }
        let mut head = String::new();
        head.extend(steps.iter().map_while(Step::as_char));
        let plain = steps.iter().take_while(|step| step.as_char().is_some()).count();
        let tail_len = steps.iter().skip(plain).rev().take_while(|step| step.as_char().is_some()).count();
        let tail: String = steps.iter().skip(steps.len() - tail_len).filter_map(Step::as_char).collect();
        steps.truncate(steps.len() - tail_len);
        steps.drain(..plain);
        let shape = match steps.as_slice() {
            [] => Shape::Exact,
            [Step::Star] => Shape::Wrapped,
            _ => Shape::Steps(steps.into()),
        };
        Self { text, head: head.into(), tail: tail.into(), shape }
    }

    /// Whether the whole of `name` matches.
    pub fn matches(&self, name: &str) -> bool {
        let Some(rest) = name.strip_prefix(&*self.head).and_then(|rest| rest.strip_suffix(&*self.tail))
        else {
            return false;
        };
        match &self.shape {
            Shape::Exact => rest.is_empty(),
            Shape::Wrapped => true,
            Shape::Steps(steps) => walk(steps, rest),
            Shape::Never => false,
        }
    }

    /// The glob as written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The one name that the glob matches, when it matches just one: `a[*]b` is the name `a*b`.
    pub fn literal(&self) -> Option<&str> {
        matches!(self.shape, Shape::Exact).then_some(&*self.head)
    }

    /// Whether it matches exactly one name.
    pub fn is_literal(&self) -> bool {
        self.literal().is_some()
    }

    /// The characters that every name it matches starts with.
    pub fn literal_prefix(&self) -> &str {
        &self.head
    }

    /// The characters that every name it matches ends with; of a literal, all of them.
    pub fn literal_suffix(&self) -> &str {
        self.literal().unwrap_or(&self.tail)
    }

    /// Whether it matches every name, the empty one too: `*`.
    pub fn matches_everything(&self) -> bool {
        matches!(self.shape, Shape::Wrapped) && self.head.is_empty() && self.tail.is_empty()
    }

    /// Whether no name can match: a set without characters, such as `[z-a]`.
    pub fn can_match_nothing(&self) -> bool {
        matches!(self.shape, Shape::Never)
    }

    /// The characters after the head, of a glob that is not a literal.
    pub(super) fn tail(&self) -> &str {
        &self.tail
    }

    /// Every step.
    pub(super) fn steps(&self) -> impl Iterator<Item = Step> {
        let plain = |text: &'_ str| text.chars().map(Step::Char).collect::<Vec<_>>();
        plain(&self.head).into_iter().chain(self.middle().iter().cloned()).chain(plain(&self.tail))
    }

    /// What stands between head and tail.
    pub(super) fn middle(&self) -> &[Step] {
        match &self.shape {
            Shape::Exact | Shape::Never => &[],
            Shape::Wrapped => &[Step::Star],
            Shape::Steps(steps) => steps,
        }
    }
}

impl fmt::Display for NameGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for NameGlob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("NameGlob").field(&self.text).finish()
    }
}

impl PartialEq for NameGlob {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for NameGlob {}

impl Hash for NameGlob {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl From<&str> for NameGlob {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl Step {
    fn as_char(&self) -> Option<char> {
        match self {
            Self::Char(c) => Some(*c),
            Self::Any | Self::Star | Self::Set(_) => None,
        }
    }

    /// Whether the step takes `c`.
    pub(super) fn accepts(&self, c: char) -> bool {
        match self {
            Self::Char(own) => *own == c,
            Self::Any | Self::Star => true,
            Self::Set(set) => set.contains(c),
        }
    }
}

/// The last star is the only one worth going back to: what an earlier one could take more of, it can take
/// too.
fn walk(steps: &[Step], text: &str) -> bool {
    let (mut steps, mut rest) = (steps, text.chars());
    let mut back: Option<(&[Step], Chars<'_>)> = None;
    loop {
        match steps.split_first() {
            Some((Step::Star, [])) => return true,
            Some((Step::Star, after)) => {
                back = Some((after, rest.clone()));
                steps = after;
                continue;
            }
            Some((step, after)) => {
                let mut ahead = rest.clone();
                let Some(c) = ahead.next() else { return false };
                if step.accepts(c) {
                    (steps, rest) = (after, ahead);
                    continue;
                }
            }
            None if rest.as_str().is_empty() => return true,
            None => {}
        }
        let Some((after, from)) = &mut back else { return false };
        if from.next().is_none() {
            return false;
        }
        (steps, rest) = (after, from.clone());
    }
}

fn parse(text: &str) -> Vec<Step> {
    let mut steps = Vec::with_capacity(text.len().min(64));
    let mut rest = text;
    // Once a bracket finds no end, no later one does: it is not looked for again.
    let mut unclosed = false;
    while let Some(c) = rest.chars().next() {
        rest = rest.strip_prefix(c).unwrap_or_default();
        let step = match c {
            '*' if steps.last() == Some(&Step::Star) => continue,
            '*' => Step::Star,
            '?' => Step::Any,
            '[' if !unclosed => {
                if let Some((inside, after)) = bracket(rest) {
                    rest = after;
                    set::step(inside)
                } else {
                    unclosed = true;
                    Step::Char('[')
                }
            }
            _ => Step::Char(c),
        };
        steps.push(step);
    }
    steps
}

/// What stands between a `[` and its `]`, and what follows. A `]` that stands first is a member of the set.
fn bracket(after: &str) -> Option<(&str, &str)> {
    let body = after.strip_prefix('!').unwrap_or(after);
    let body = body.strip_prefix(']').unwrap_or(body);
    let skipped = after.len() - body.len();
    let end = skipped + body.find(']')?;
    let (inside, rest) = after.split_at_checked(end)?;
    Some((inside, rest.strip_prefix(']').unwrap_or(rest)))
}

#[cfg(test)]
mod tests;
