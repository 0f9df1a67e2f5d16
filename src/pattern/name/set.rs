//! The sets of a glob: what stands in brackets.

use super::Step;

/// Characters as sorted ranges that neither overlap nor touch, both ends included.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(in super::super) struct CharSet(Box<[(char, char)]>);

/// A character of a set, or the hyphen of a range.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Member {
    Char(char),
    To,
}

/// The step that a bracket is, from what stands inside.
pub(super) fn step(inside: &str) -> Step {
    let members = members(inside);
    let (negated, members) = match members.split_first() {
        Some((Member::Char('!'), rest)) => (true, rest),
        Some(_) | None => (false, members.as_slice()),
    };
    let set = CharSet::new(ranges(members));
    let set = if negated { set.complement() } else { set };
    match &*set.0 {
        [('\0', char::MAX)] => Step::Any,
        [(low, high)] if low == high => Step::Char(*low),
        _ => Step::Set(set),
    }
}

/// The inside of a bracket, cut at the hyphens that make ranges: the last character of one piece and the
/// first of the next are the ends. The ends of an empty range vanish before anything else is read, so that
/// `[z-a!b]` is `[!b]`: so Python has it.
fn members(inside: &str) -> Vec<Member> {
    let chars: Vec<char> = inside.chars().collect();
    let mut pieces = Vec::new();
    let mut rest = chars.as_slice();
    // A hyphen that stands first is itself, and so is one right after the end of a range.
    let mut skip = if rest.first() == Some(&'!') { 2 } else { 1 };
    while let Some(hyphen) = rest.iter().skip(skip).position(|&c| c == '-').map(|at| at + skip) {
        let (piece, after) = rest.split_at(hyphen);
        pieces.push(piece);
        rest = after.get(1..).unwrap_or_default();
        skip = 2;
    }
    let mut reversed = Vec::with_capacity(chars.len());
    if rest.is_empty() {
        // The last hyphen has no end: it is itself.
        reversed.push(Member::Char('-'));
    } else {
        pieces.push(rest);
    }
    let mut is_last = true;
    for piece in pieces.into_iter().rev() {
        let own = match (piece.split_last(), reversed.last()) {
            _ if is_last => piece,
            (Some((low, before)), Some(Member::Char(high))) if low > high => {
                reversed.pop();
                before
            }
            (Some(_) | None, Some(_) | None) => {
                reversed.push(Member::To);
                piece
            }
        };
        is_last = false;
        reversed.extend(own.iter().rev().map(|&c| Member::Char(c)));
    }
    reversed.reverse();
    reversed
}

fn ranges(members: &[Member]) -> Vec<(char, char)> {
    let mut ranges = Vec::with_capacity(members.len());
    let mut rest = members;
    loop {
        rest = match rest {
            [] => return ranges,
            [Member::Char(low), Member::To, Member::Char(high), after @ ..] => {
                ranges.push((*low, *high));
                after
            }
            [Member::Char(c), after @ ..] => {
                ranges.push((*c, *c));
                after
            }
            [Member::To, after @ ..] => {
                ranges.push(('-', '-'));
                after
            }
        };
    }
}

impl CharSet {
    /// The union of `ranges`; one whose ends are the wrong way round is empty.
    pub(in super::super) fn new(mut ranges: Vec<(char, char)>) -> Self {
        ranges.retain(|(low, high)| low <= high);
        ranges.sort_unstable();
        let mut merged: Vec<(char, char)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match merged.last_mut() {
                Some(last) if low <= last.1 || after(last.1) == Some(low) => last.1 = last.1.max(high),
                Some(_) | None => merged.push((low, high)),
            }
        }
        Self(merged.into())
    }

    fn complement(&self) -> Self {
        let mut ranges = Vec::with_capacity(self.0.len() + 1);
        let mut next = Some('\0');
        for &(low, high) in &self.0 {
            if let (Some(start), Some(end)) = (next, before(low))
                && start <= end
            {
                ranges.push((start, end));
            }
            next = after(high);
        }
        ranges.extend(next.map(|start| (start, char::MAX)));
        Self(ranges.into())
    }

    /// Whether no character is in it.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `c` is in it.
    pub(in super::super) fn contains(&self, c: char) -> bool {
        match &*self.0 {
            few if few.len() <= 8 => few.iter().any(|&(low, high)| low <= c && c <= high),
            many => many.get(many.partition_point(|&(_, high)| high < c)).is_some_and(|&(low, _)| low <= c),
        }
    }

    /// Its ranges, in order.
    pub(in super::super) fn ranges(&self) -> &[(char, char)] {
        &self.0
    }
}

/// The character after `c`.
pub(in super::super) fn after(c: char) -> Option<char> {
    (c..=char::MAX).nth(1)
}

/// The character before `c`.
pub(in super::super) fn before(c: char) -> Option<char> {
    ('\0'..c).next_back()
}
