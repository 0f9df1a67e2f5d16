//! Sets of paths: names, globs over a name, and `**`.

use std::borrow::Cow;

use smallvec::{SmallVec, smallvec};
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// One element of a glob over a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Atom {
    /// This character.
    Char(char),
    /// Any one character.
    One,
    /// Any characters, none included.
    Many,
    /// A character of a set.
    Set(Set),
}

/// A set of characters.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(crate) struct Set {
    /// Every other character instead.
    pub(crate) negated: bool,
    /// First and last of each range.
    pub(crate) ranges: Vec<(char, char)>,
    /// Compared without regard to case.
    pub(crate) folded: bool,
}

impl Set {
    fn contains(&self, c: char) -> bool {
        let within = |c: char| self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&c));
        let folded = || c.to_lowercase().any(within) || c.to_uppercase().any(within);
        (within(c) || self.folded && folded()) != self.negated
    }
}

/// One step of a [`Shape`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    /// This name.
    Text(String),
    /// A name that the glob matches.
    Glob(Vec<Atom>),
    /// Any number of names, none included.
    Any,
}

impl Component {
    /// A single name that can be any.
    pub(crate) fn any_name() -> Self {
        Self::Glob(vec![Atom::Many])
    }

    /// A glob, as text where it holds nothing else.
    pub(crate) fn from_atoms(atoms: Vec<Atom>) -> Self {
        let text: Option<String> = atoms
            .iter()
            .map(|atom| match atom {
                Atom::Char(c) => Some(*c),
                Atom::One | Atom::Many | Atom::Set(_) => None,
            })
            .collect();
        text.map_or(Self::Glob(atoms), Self::Text)
    }

    /// The name, where it is one.
    pub(crate) fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Glob(_) | Self::Any => None,
        }
    }
}

/// A set of absolute paths: their names from the root on.
pub(crate) type Shape = Vec<Component>;

/// The shape of every path.
pub(crate) fn everything() -> Shape {
    vec![Component::Any]
}

/// What two names must have in common to be one name on a disk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fold {
    /// Case does not tell names apart.
    pub(crate) case: bool,
    /// Nor does composition.
    pub(crate) unicode: bool,
    /// The coarser comparison: what some file systems of the kind take for one name, too.
    pub(crate) coarse: bool,
}

impl Fold {
    /// Whether names are compared as they are.
    pub(crate) fn is_none(self) -> bool {
        !self.case && !self.unicode
    }

    /// A number below 8 for this fold.
    pub(crate) fn index(self) -> usize {
        usize::from(self.case) | usize::from(self.unicode) << 1 | usize::from(self.coarse) << 2
    }

    /// The name that stands for all that are the same.
    pub(crate) fn text(self, text: &str) -> Cow<'_, str> {
        if self.is_none() {
            return text.into();
        }
        if text.is_ascii() {
            let upper = self.case && text.bytes().any(|b| b.is_ascii_uppercase());
            return if upper { text.to_ascii_lowercase().into() } else { text.into() };
        }
        let mut out: String =
            if self.unicode && !is_nfc(text) { text.nfc().collect() } else { text.to_owned() };
        if self.unicode && self.coarse {
            let kept: String = out.chars().filter(|c| !is_ignorable(*c)).collect();
            if !kept.is_empty() {
                out = kept.nfc().collect();
            }
        }
        if self.case {
            out = out.chars().flat_map(char::to_lowercase).collect();
            if self.coarse {
                // `ſ` is an `s` to a disk that folds fully.
                out = out.chars().flat_map(char::to_uppercase).collect();
                out = out.chars().flat_map(char::to_lowercase).collect();
            }
            if self.unicode {
                out = out.nfc().collect();
            }
        }
        out.into()
    }

    /// The same for what may stand in a shape.
    pub(crate) fn component(self, component: &Component) -> Cow<'_, Component> {
        if self.is_none() {
            return Cow::Borrowed(component);
        }
        match component {
            Component::Any => Cow::Borrowed(component),
            Component::Text(text) => match self.text(text) {
                Cow::Borrowed(_) => Cow::Borrowed(component),
                Cow::Owned(text) => Cow::Owned(Component::Text(text)),
            },
            Component::Glob(atoms) => Cow::Owned(Component::Glob(self.atoms(atoms))),
        }
    }

    fn atoms(self, atoms: &[Atom]) -> Vec<Atom> {
        let mut out = Vec::with_capacity(atoms.len());
        let mut run = String::new();
        for atom in atoms {
            let atom = match atom {
                Atom::Char(c) => {
                    run.push(*c);
                    continue;
                }
                Atom::One | Atom::Many => atom.clone(),
                Atom::Set(set) => Atom::Set(Set { folded: self.case, ..set.clone() }),
            };
            out.extend(self.text(&run).chars().map(Atom::Char));
            run.clear();
            out.push(atom);
        }
        out.extend(self.text(&run).chars().map(Atom::Char));
        out
    }

    /// The same for a whole shape.
    pub(crate) fn shape(self, shape: &[Component]) -> Cow<'_, [Component]> {
        if self.is_none() {
            return Cow::Borrowed(shape);
        }
        Cow::Owned(shape.iter().map(|c| self.component(c).into_owned()).collect())
    }
}

/// Characters that HFS+ leaves out when it compares names.
fn is_ignorable(c: char) -> bool {
    matches!(c, '\u{200c}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{206a}'..='\u{206f}' | '\u{feff}')
}

/// What a pair of elements does when the one meets the other.
#[derive(Clone, Copy)]
struct Take {
    /// Both are used up.
    both: bool,
    /// The second is used up, and the first may take more.
    second: bool,
    /// The first is used up, and the second may take more.
    first: bool,
}

impl Take {
    const NOTHING: Self = Self { both: false, second: false, first: false };
    const BOTH: Self = Self { both: true, ..Self::NOTHING };
    const SECOND: Self = Self { second: true, ..Self::NOTHING };
    const FIRST: Self = Self { first: true, ..Self::NOTHING };
    const EITHER: Self = Self { second: true, first: true, ..Self::NOTHING };

    fn both_if(fit: bool) -> Self {
        Self { both: fit, ..Self::NOTHING }
    }
}

/// Whether the ends of two sequences can be reached together, in time of the product of their lengths.
fn walk<A, B>(
    a: &[A],
    b: &[B],
    may_skip_a: impl Fn(&A) -> bool,
    may_skip_b: impl Fn(&B) -> bool,
    mut take: impl FnMut(&A, &B) -> Take,
) -> bool {
    let mut row: SmallVec<[bool; 32]> = smallvec![false; b.len() + 1];
    let mark = |row: &mut [bool], at: usize| {
        if let Some(cell) = row.get_mut(at) {
            *cell = true;
        }
    };
    mark(&mut row, 0);
    for i in 0..=a.len() {
        let from_a = a.get(i);
        let mut next: SmallVec<[bool; 32]> = smallvec![false; b.len() + 1];
        let mut reached = false;
        for j in 0..=b.len() {
            if row.get(j) != Some(&true) {
                continue;
            }
            reached = true;
            let from_b = b.get(j);
            if from_a.is_some_and(&may_skip_a) {
                mark(&mut next, j);
            }
            if from_b.is_some_and(&may_skip_b) {
                mark(&mut row, j + 1);
            }
            let (Some(from_a), Some(from_b)) = (from_a, from_b) else { continue };
            let take = take(from_a, from_b);
            if take.both {
                mark(&mut next, j + 1);
            }
            if take.second {
                mark(&mut row, j + 1);
            }
            if take.first {
                mark(&mut next, j);
            }
        }
        if from_a.is_none() {
            return row.last() == Some(&true);
        }
        if !reached {
            return false;
        }
        row = next;
    }
    false
}

/// Whether the first or the last names are two, so that no path is in both shapes.
fn ends_differ(a: &[Component], b: &[Component]) -> bool {
    let two = |a: Option<&Component>, b: Option<&Component>| match (a, b) {
        (Some(Component::Text(a)), Some(Component::Text(b))) => a != b,
        _ => false,
    };
    two(a.last(), b.last()) || two(a.first(), b.first())
}

/// Whether some path may be in both shapes. May say yes too often, never no.
pub(crate) fn meets(a: &[Component], b: &[Component]) -> bool {
    if ends_differ(a, b) {
        return false;
    }
    let any = |c: &Component| matches!(c, Component::Any);
    walk(a, b, any, any, |a, b| match (a, b) {
        (Component::Any, Component::Any) => Take::EITHER,
        (Component::Any, Component::Text(_) | Component::Glob(_)) => Take::SECOND,
        (Component::Text(_) | Component::Glob(_), Component::Any) => Take::FIRST,
        (Component::Text(a), Component::Text(b)) => Take::both_if(a == b),
        (Component::Glob(glob), Component::Text(text)) | (Component::Text(text), Component::Glob(glob)) => {
            Take::both_if(glob_matches(glob, text))
        }
        (Component::Glob(a), Component::Glob(b)) => Take::both_if(globs_meet(a, b)),
    })
}

/// Whether every path of `shape` is surely one of `pattern`. May say no too often, never yes.
pub(crate) fn covers(pattern: &[Component], shape: &[Component]) -> bool {
    if ends_differ(pattern, shape) {
        return false;
    }
    let any = |c: &Component| matches!(c, Component::Any);
    walk(
        pattern,
        shape,
        any,
        |_| false,
        |pattern, shape| match (pattern, shape) {
            (Component::Any, _) => Take::SECOND,
            (Component::Text(_) | Component::Glob(_), Component::Any)
            | (Component::Text(_), Component::Glob(_)) => Take::NOTHING,
            (Component::Text(pattern), Component::Text(text)) => Take::both_if(pattern == text),
            (Component::Glob(pattern), Component::Text(text)) => Take::both_if(glob_matches(pattern, text)),
            (Component::Glob(pattern), Component::Glob(glob)) => Take::both_if(glob_covers(pattern, glob)),
        },
    )
}

/// Whether a glob matches a name.
pub(crate) fn glob_matches(glob: &[Atom], name: &str) -> bool {
    let mut rest = name.chars();
    let mut at = 0;
    // Where the last `*` stands, and what it has left over: on a mismatch it takes one character more.
    let mut star: Option<(usize, std::str::Chars<'_>)> = None;
    loop {
        let before = rest.clone();
        let fits = match (glob.get(at), rest.next()) {
            (Some(Atom::Many), _) => {
                rest = before.clone();
                star = Some((at, before));
                true
            }
            (None, None) => return true,
            (Some(Atom::Char(want)), Some(c)) => *want == c,
            (Some(Atom::One), Some(_)) => true,
            (Some(Atom::Set(set)), Some(c)) => set.contains(c),
            (None, Some(_)) | (Some(Atom::Char(_) | Atom::One | Atom::Set(_)), None) => false,
        };
        if fits {
            at += 1;
            continue;
        }
        let Some((star_at, left)) = &mut star else { return false };
        if left.next().is_none() {
            return false;
        }
        at = *star_at + 1;
        rest = left.clone();
    }
}

fn globs_meet(a: &[Atom], b: &[Atom]) -> bool {
    let many = |atom: &Atom| matches!(atom, Atom::Many);
    walk(a, b, many, many, |a, b| match (a, b) {
        (Atom::Many, Atom::Many) => Take::EITHER,
        (Atom::Many, _) => Take::SECOND,
        (_, Atom::Many) => Take::FIRST,
        (Atom::One, _) | (_, Atom::One) | (Atom::Set(_), Atom::Set(_)) => Take::BOTH,
        (Atom::Char(a), Atom::Char(b)) => Take::both_if(a == b),
        (Atom::Char(c), Atom::Set(set)) | (Atom::Set(set), Atom::Char(c)) => Take::both_if(set.contains(*c)),
    })
}

fn glob_covers(pattern: &[Atom], glob: &[Atom]) -> bool {
    let many = |atom: &Atom| matches!(atom, Atom::Many);
    walk(
        pattern,
        glob,
        many,
        |_| false,
        |pattern, glob| match (pattern, glob) {
            (Atom::Many, _) => Take::SECOND,
            (Atom::One | Atom::Char(_) | Atom::Set(_), Atom::Many)
            | (Atom::Char(_), Atom::One | Atom::Set(_))
            | (Atom::Set(_), Atom::One) => Take::NOTHING,
            (Atom::One, Atom::Char(_) | Atom::One | Atom::Set(_)) => Take::BOTH,
            (Atom::Char(a), Atom::Char(b)) => Take::both_if(a == b),
            (Atom::Set(set), Atom::Char(c)) => Take::both_if(set.contains(*c)),
            (Atom::Set(a), Atom::Set(b)) => Take::both_if(a == b),
        },
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn atoms(text: &str) -> Vec<Atom> {
        text.chars()
            .map(|c| match c {
                '*' => Atom::Many,
                '?' => Atom::One,
                '#' => Atom::Set(Set { negated: true, ranges: vec![('a', 'a')], folded: false }),
                c => Atom::Char(c),
            })
            .collect()
    }

    fn shape(text: &str) -> Shape {
        text.split('/')
            .filter(|n| !n.is_empty())
            .map(|name| if name == "**" { Component::Any } else { Component::from_atoms(atoms(name)) })
            .collect()
    }

    fn naive(glob: &[Atom], name: &[char]) -> bool {
        match (glob.split_first(), name.split_first()) {
            (None, None) => true,
            (Some((Atom::Many, more)), _) => {
                naive(more, name) || name.split_first().is_some_and(|(_, rest)| naive(glob, rest))
            }
            (None, Some(_)) | (Some(_), None) => false,
            (Some((atom, more)), Some((c, rest))) => {
                let fits = match atom {
                    Atom::Char(want) => want == c,
                    Atom::One | Atom::Many => true,
                    Atom::Set(set) => set.contains(*c),
                };
                fits && naive(more, rest)
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2000))]
        #[test]
        fn a_glob_matches_as_the_naive_reference(glob in "[ab*?#]{0,8}", name in "[abc]{0,8}") {
            let chars: Vec<char> = name.chars().collect();
            prop_assert_eq!(glob_matches(&atoms(&glob), &name), naive(&atoms(&glob), &chars));
        }

        #[test]
        fn meeting_and_covering_agree_with_matching(
            a in "[ab*?#]{0,6}", b in "[ab*?]{0,6}", name in "[abc]{0,6}"
        ) {
            let (a, b) = (atoms(&a), atoms(&b));
            if glob_matches(&a, &name) && glob_matches(&b, &name) {
                prop_assert!(globs_meet(&a, &b));
            }
            if glob_covers(&a, &b) && glob_matches(&b, &name) {
                prop_assert!(glob_matches(&a, &name));
            }
        }

        #[test]
        fn shapes_meet_and_cover_as_their_paths_do(
            a in "(/(a|b|[*]|[*][*]|a[*])){0,4}", b in "(/(a|b|[*]|[*][*]|a[*])){0,4}", path in "(/(a|b|ab)){0,4}"
        ) {
            let (a, b, path) = (shape(&a), shape(&b), shape(&path));
            prop_assert_eq!(covers(&a, &path), meets(&a, &path));
            if covers(&a, &path) && covers(&b, &path) {
                prop_assert!(meets(&a, &b));
            }
            if covers(&a, &b) && covers(&b, &path) {
                prop_assert!(covers(&a, &path));
            }
        }

        #[test]
        fn the_coarse_fold_tells_nothing_apart_that_the_fine_one_takes_for_one(a in "\\PC{0,4}", b in "\\PC{0,4}") {
            let fine = Fold { case: true, unicode: true, coarse: false };
            let coarse = Fold { coarse: true, ..fine };
            let folded = fine.text(&a);
            prop_assert_eq!(coarse.text(&folded), coarse.text(&a));
            if fine.text(&a) == fine.text(&b) {
                prop_assert_eq!(coarse.text(&a), coarse.text(&b));
            }
        }
    }

    #[test]
    fn shapes() {
        #[track_caller]
        fn check(pattern: &str, path: &str, meet: bool, cover: bool) {
            assert_eq!(
                (meets(&shape(pattern), &shape(path)), covers(&shape(pattern), &shape(path))),
                (meet, cover)
            );
        }
        check("a/**", "a", true, true);
        check("a/*/**", "a", false, false);
        check("a/*/**", "a/b/**", true, true);
        check("a/*/**", "a/**", true, false);
        check("**/.env", "**/.env", true, true);
        check("**/.env", "**", true, false);
        check("**/.env", "**/*.md", false, false);
        check("**/.env", "**/*nv", true, false);
        check("src/*.rs", "src/*", true, false);
        check("src/*", "src/*.rs", true, true);
        check("src/?*", "src/a*", true, true);
        check("src/**/x", "src/x/y", false, false);
    }

    #[test]
    fn names_fold() {
        let mac = Fold { case: true, unicode: true, coarse: true };
        for (a, b) in
            [(".ENV", ".env"), ("Caf\u{c9}", "cafe\u{301}"), (".e\u{200c}nv", ".env"), (".\u{17f}sh", ".ssh")]
        {
            assert_eq!(mac.text(a), mac.text(b), "{a} {b}");
        }
        let fine = Fold { coarse: false, ..mac };
        assert_ne!(fine.text(".\u{17f}sh"), fine.text(".ssh"));
        assert_eq!(Fold::default().text("A"), "A");
    }
}
