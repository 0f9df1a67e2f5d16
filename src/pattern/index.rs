//! An index of many name globs: which rules' globs match a name, without trying them all.
//!
//! Each glob is filed under one literal part that every name it matches must have: the whole name, the start,
//! the end, or a few bytes from its middle, whichever the fewest other globs share. A lookup hashes the parts
//! of the name that are in use and tries only the globs found there; globs without a literal part are always
//! tried. A glob is an answer only when it matches.

mod table;

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

use smallvec::SmallVec;

use self::table::{Lengths, Table, prefix_hash, rolling, step, whole_hash, windows};
use super::name::{NameGlob, Step};

/// The numbers of the rules that match, ascending, each once.
pub type Matches = SmallVec<[u32; 16]>;

/// Globs, each with the number of its rule, filed for lookup by name.
#[derive(Clone, Debug, Default)]
pub struct NameIndex {
    globs: Box<[(u32, NameGlob)]>,
    exact: Table,
    heads: Table,
    /// Bit `n` says that a head of `n` bytes is filed.
    head_lengths: Lengths,
    tails: Table,
    tail_lengths: Lengths,
    /// One table for each of [`WINDOWS`].
    windows: [Table; WINDOWS.len()],
    /// Globs without a literal part.
    always: Box<[u32]>,
}

/// How many bytes of its middle a glob may be filed under.
const WINDOWS: [usize; 4] = [1, 2, 4, 8];

/// A part that this few globs share needs no rarer one.
const RARE: u32 = 4;

/// Where a glob may be filed.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Place {
    Exact(u64),
    Head {
        len: usize,
        hash: u64,
    },
    Tail {
        len: usize,
        hash: u64,
    },
    /// The index into [`WINDOWS`], and the hash.
    Window {
        size: usize,
        hash: u64,
    },
}

impl NameIndex {
    /// Files `globs`, each with the number of its rule. A rule may have any number of globs.
    pub fn new(globs: impl IntoIterator<Item = (u32, NameGlob)>) -> Self {
        let globs: Box<[_]> = globs.into_iter().filter(|(_, glob)| !glob.can_match_nothing()).collect();
        let mut filed = Filed::default();
        for (number, place) in (0u32..).zip(places(&globs)) {
            filed.add(number, place);
        }
        Self {
            globs,
            exact: Table::new(filed.exact),
            heads: Table::new(filed.heads),
            head_lengths: filed.head_lengths,
            tails: Table::new(filed.tails),
            tail_lengths: filed.tail_lengths,
            windows: filed.windows.map(Table::new),
            always: filed.always.into(),
        }
    }

    /// The rules of which a glob matches `name`.
    pub fn matching(&self, name: &str) -> Matches {
        let mut rules = Matches::new();
        self.each(name, &mut |rule| rules.push(rule));
        rules.sort_unstable();
        rules.dedup();
        rules
    }

    /// Calls `found` with each rule of which a glob matches `name`: in no order, and a rule once for each of
    /// its globs.
    pub fn each(&self, name: &str, found: &mut impl FnMut(u32)) {
        let mut verify = |number: u32| {
            if let Some((rule, glob)) = self.globs.get(number as usize)
                && glob.matches(name)
            {
                found(*rule);
            }
        };
        let bytes = name.as_bytes();
        if !self.exact.is_empty() {
            self.exact.each(whole_hash(bytes), &mut verify);
        }
        rolling(bytes.iter(), &self.head_lengths, |hash| self.heads.each(hash, &mut verify));
        rolling(bytes.iter().rev(), &self.tail_lengths, |hash| self.tails.each(hash, &mut verify));
        for (table, size) in self.windows.iter().zip(WINDOWS) {
            if !table.is_empty() {
                // A name may hold a window many times; its globs are tried once.
                let mut hashes = SmallVec::<[u64; 16]>::new();
                windows(bytes, size, |hash| {
                    if table.may_hold(hash) {
                        hashes.push(hash);
                    }
                });
                hashes.sort_unstable();
                hashes.dedup();
                hashes.into_iter().for_each(|hash| table.find(hash, &mut verify));
            }
        }
        for &number in &self.always {
            verify(number);
        }
    }

    /// How many globs are filed, those that match nothing left out.
    pub fn len(&self) -> usize {
        self.globs.len()
    }

    /// Whether no glob is filed.
    pub fn is_empty(&self) -> bool {
        self.globs.is_empty()
    }
}

/// Where each glob is filed; `None` where it has no literal part.
fn places(globs: &[(u32, NameGlob)]) -> Vec<Option<Place>> {
    let mut counts: HashMap<Place, u32, BuildHasherDefault<Mix>> =
        HashMap::with_capacity_and_hasher(globs.len() * 2, BuildHasherDefault::default());
    let ends: Vec<[Option<Place>; 2]> = globs
        .iter()
        .map(|(_, glob)| {
            let ends = ends(glob);
            for place in ends.into_iter().flatten() {
                *counts.entry(place).or_default() += 1;
            }
            ends
        })
        .collect();
    let rarest = |places: &mut dyn Iterator<Item = Place>, counts: &HashMap<Place, u32, _>| {
        places.map(|place| (counts.get(&place).copied().unwrap_or(0), place)).min_by_key(|(count, _)| *count)
    };
    let best: Vec<_> =
        ends.into_iter().map(|ends| rarest(&mut ends.into_iter().flatten(), &counts)).collect();
    let common = |best: &Option<(u32, Place)>| match best {
        Some((_, Place::Exact(_))) => false,
        Some((count, _)) => *count > RARE,
        None => true,
    };
    for ((_, glob), _) in globs.iter().zip(&best).filter(|(_, best)| common(best)) {
        for_each_window(glob, &mut |place| *counts.entry(place).or_default() += 1);
    }
    globs
        .iter()
        .zip(best)
        .map(|((_, glob), best)| {
            let mut chosen = best;
            if common(&best) {
                for_each_window(glob, &mut |place| {
                    let count = counts.get(&place).copied().unwrap_or(0);
                    if chosen.is_none_or(|(fewest, _)| count < fewest) {
                        chosen = Some((count, place));
                    }
                });
            }
            chosen.map(|(_, place)| place)
        })
        .collect()
}

/// The whole of a literal, or the start and the end.
fn ends(glob: &NameGlob) -> [Option<Place>; 2] {
    if let Some(name) = glob.literal() {
        return [Some(Place::Exact(whole_hash(name.as_bytes()))), None];
    }
    let (head, tail) = (glob.literal_prefix(), glob.tail());
    [
        (!head.is_empty()).then(|| Place::Head { len: head.len(), hash: prefix_hash(head.bytes()) }),
        (!tail.is_empty()).then(|| Place::Tail { len: tail.len(), hash: prefix_hash(tail.bytes().rev()) }),
    ]
}

/// The places in its literal middles, each under the longest window that fits.
fn for_each_window(glob: &NameGlob, found: &mut impl FnMut(Place)) {
    let mut run = String::new();
    let mut flush = |run: &mut String| {
        if let Some((size, len)) = WINDOWS.into_iter().enumerate().rfind(|(_, len)| *len <= run.len()) {
            windows(run.as_bytes(), len, |hash| found(Place::Window { size, hash }));
        }
        run.clear();
    };
    for step in glob.middle() {
        match step {
            Step::Char(c) => run.push(*c),
            Step::Any | Step::Star | Step::Set(_) => flush(&mut run),
        }
    }
    flush(&mut run);
}

/// What will be filed where.
#[derive(Default)]
struct Filed {
    exact: Vec<(u64, u32)>,
    heads: Vec<(u64, u32)>,
    head_lengths: Lengths,
    tails: Vec<(u64, u32)>,
    tail_lengths: Lengths,
    windows: [Vec<(u64, u32)>; WINDOWS.len()],
    always: Vec<u32>,
}

impl Filed {
    fn add(&mut self, number: u32, place: Option<Place>) {
        match place {
            Some(Place::Exact(hash)) => self.exact.push((hash, number)),
            Some(Place::Head { len, hash }) => {
                self.head_lengths.set(len);
                self.heads.push((hash, number));
            }
            Some(Place::Tail { len, hash }) => {
                self.tail_lengths.set(len);
                self.tails.push((hash, number));
            }
            Some(Place::Window { size, hash }) => {
                if let Some(window) = self.windows.get_mut(size) {
                    window.push((hash, number));
                }
            }
            None => self.always.push(number),
        }
    }
}

/// A hasher for keys that are hashes already.
#[derive(Default)]
struct Mix(u64);

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().map(|&byte| u64::from(byte)).fold(self.0, step);
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = step(self.0, number);
    }

    fn write_usize(&mut self, number: usize) {
        self.write_u64(number as u64);
    }

    fn write_isize(&mut self, number: isize) {
        self.write_u64(number.cast_unsigned() as u64);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[track_caller]
    fn finds(globs: &[&str], name: &str, expected: &[u32]) {
        let index = NameIndex::new((0..).zip(globs.iter().map(|glob| NameGlob::new(glob))));
        assert_eq!(index.matching(name).as_slice(), expected, "{name:?} in {globs:?}");
    }

    #[test]
    fn finds_each_kind_of_glob() {
        let globs =
            ["Bash", "git_*", "*_delete", "*prod*", "*", "?[ab]*", "git_*_delete", "a[*]b", "[z-a]", ""];
        finds(&globs, "Bash", &[0, 4, 5]);
        finds(&globs, "git_x_delete", &[1, 2, 4, 6]);
        finds(&globs, "git_delete", &[1, 2, 4]);
        finds(&globs, "my_prod_db", &[3, 4]);
        finds(&globs, "a*b", &[4, 7]);
        finds(&globs, "", &[4, 9]);
        finds(&globs, "Bash2", &[4, 5]);
    }

    #[test]
    fn names_a_rule_once() {
        let index = NameIndex::new(["a*", "*a", "*a*", "a"].map(|glob| (7, NameGlob::new(glob))));
        assert_eq!(index.matching("a").as_slice(), [7]);
        assert_eq!(NameIndex::default().matching("a").as_slice(), [0u32; 0]);
    }

    #[test]
    fn many_globs_with_the_same_ends_are_told_apart_by_their_middle() {
        let globs = (0..2_000).map(|n| (n, NameGlob::new(&format!("mcp__*_{n:04}_*_tool"))));
        let index = NameIndex::new(globs);
        let mut tried = 0;
        for (table, size) in index.windows.iter().zip(WINDOWS) {
            windows(b"mcp__x_1234_y_tool", size, |hash| table.each(hash, &mut |_| tried += 1));
        }
        assert_eq!(index.matching("mcp__x_1234_y_tool").as_slice(), [1234]);
        assert!(tried <= 25, "{tried} globs tried");
    }

    #[test]
    fn a_long_name_that_repeats_itself_takes_no_long_time() {
        let index = NameIndex::new((0..500).map(|n| (n, NameGlob::new(&format!("*ab*{n}?")))));
        assert_eq!(index.matching(&"ab".repeat(50_000)).as_slice(), [0u32; 0]);
    }

    fn glob() -> impl Strategy<Value = String> {
        prop_oneof![
            "[ab_*?]{0,6}",
            "[ab]{1,4}\\*[ab_]{0,3}",
            "\\*(ab|ba|a_b|aabb_aab)\\*",
            "[ab]{0,2}\\*(ab|é|bbb)\\*?[?ab]{0,2}",
            "[ab*]{0,2}\\[!?[ab-]{1,2}\\][ab*]{0,2}",
            "[abé_]{1,12}",
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]
        #[test]
        fn equals_a_naive_walk(
            globs in prop::collection::vec(glob(), 0..60),
            names in prop::collection::vec("[abé_]{0,12}", 1..20),
        ) {
            // Every third glob belongs to the rule before it.
            let globs: Vec<(u32, NameGlob)> =
                (0u32..).zip(&globs).map(|(n, glob)| (n - n / 3, NameGlob::new(glob))).collect();
            let index = NameIndex::new(globs.clone());
            for name in names {
                let found = index.matching(&name);
                let mut naive: Vec<u32> =
                    globs.iter().filter(|(_, glob)| glob.matches(&name)).map(|(rule, _)| *rule).collect();
                naive.dedup();
                prop_assert_eq!(found.as_slice(), naive.as_slice(), "{}", name);
            }
        }
    }
}
