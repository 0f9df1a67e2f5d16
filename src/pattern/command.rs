//! Command patterns: which programs a rule speaks of.

use std::borrow::Cow;
use std::sync::OnceLock;

use regex_lite::Regex;
use smallvec::{SmallVec, smallvec};

use super::path::{PathContext, PathPattern};
use super::{PatternError, Reading, Tri};
use crate::facts::parts::Run;
use crate::facts::programs::{self, Claim, Flag, Parsed};
use crate::facts::word::{Piece, Word};

/// A command pattern: words, a table over them, or the name of a set.
#[derive(Clone, Debug)]
pub enum CommandPattern {
    /// Words, each a glob over one word; a lone `*` stands for any number.
    Words(WordsPattern),
    /// Words, and what else must hold.
    Table(Box<TablePattern>),
    /// `@read-only`.
    ReadOnly,
    /// `@project`.
    Project,
    /// A set of the policy's own, by name, with its patterns.
    Set(String, Vec<CommandPattern>),
    /// A built-in set, with what the policy adds and takes away.
    Changed {
        /// The built-in set.
        set: Box<CommandPattern>,
        /// Commands that belong to it, too.
        add: Vec<CommandPattern>,
        /// Commands that do not.
        remove: Vec<CommandPattern>,
    },
}

/// The words of a pattern.
#[derive(Clone, Debug)]
pub struct WordsPattern {
    items: Vec<Item>,
    /// The words once more, as words of a command with globs, so that the program's model can sort them.
    as_words: Vec<Word>,
    /// The program, where it is a bare name without globs.
    name: Option<String>,
    /// The words sorted, as the program with that name sorts them.
    sorted: OnceLock<Box<Parsed>>,
}

/// A table: every key must hold.
#[derive(Clone, Debug)]
pub struct TablePattern {
    /// `command`.
    pub words: Option<WordsPattern>,
    /// `flags_all`: one spelling of each must be used.
    pub flags_all: Vec<Vec<String>>,
    /// `flags_any`: one of these must be used.
    pub flags_any: Vec<String>,
    /// `only_flags`: no flag but these.
    pub only_flags: Option<Vec<String>>,
    /// `operands`: path patterns.
    pub operands: Vec<PathPattern>,
    /// `regex` over the words joined by one space.
    pub regex: Vec<CommandRegex>,
}

/// A regex, once to find it anywhere and once for the whole.
#[derive(Clone, Debug)]
pub struct CommandRegex {
    anywhere: Regex,
    whole: Regex,
}

#[derive(Clone, Debug)]
enum Item {
    /// A lone `*`.
    AnyWords,
    Word(Vec<Atom>),
}

/// A piece of a glob over one word.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Atom {
    Char(char),
    One,
    Any,
    Class { negated: bool, ranges: Vec<(char, char)> },
}

impl CommandRegex {
    /// Compiles `text`.
    pub fn new(text: &str) -> Result<Self, PatternError> {
        let compile = |text: &str| {
            Regex::new(text).map_err(|e| PatternError {
                message: format!("not a regex: {e}"),
                help: Some("look-around and back-references are not part of it; `.`, `[a-z]`, `(a|b)`, `+`, `^`, `$`, `(?i)` are".to_owned()),
                at: 0..text.len(),
            })
        };
        Ok(Self { anywhere: compile(text)?, whole: compile(&format!("^(?:{text})$"))? })
    }
}

/// What matching a command has to know beside the command.
pub struct CommandContext<'a> {
    /// For operands.
    pub paths: &'a PathContext<'a>,
    /// Programs that differ in case only are one.
    pub fold_case: bool,
}

impl WordsPattern {
    /// Reads the words of a pattern.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let words = split(text)?;
        if words.is_empty() {
            return Err(PatternError {
                message: "an empty command pattern matches no command".to_owned(),
                help: Some(
                    "write the program and its words, such as `git status *`; `*` alone is every command"
                        .to_owned(),
                ),
                at: 0..text.len(),
            });
        }
        let as_words: Vec<Word> = words.iter().map(|atoms| as_word(atoms)).collect();
        let name = as_words
            .first()
            .and_then(Word::literal)
            .filter(|name| !name.contains(['/', '\\']))
            .map(Cow::into_owned);
        let items = words
            .into_iter()
            .map(|atoms| if atoms == [Atom::Any] { Item::AnyWords } else { Item::Word(atoms) })
            .collect();
        Ok(Self { items, as_words, name, sorted: OnceLock::new() })
    }

    /// The program's name, where the pattern has one without globs.
    pub fn program(&self) -> Option<String> {
        self.as_words.first().and_then(Word::literal).map(Cow::into_owned)
    }

    fn narrow(&self, run: &Run) -> Tri {
        if matches!(self.items.as_slice(), [Item::AnyWords]) {
            return Tri::from(run.understood.unknown_word_may_run.is_empty());
        }
        if run.rebound {
            return Tri::No;
        }
        let Some(first) = run.words.first().and_then(Word::literal) else {
            return Tri::No;
        };
        let names_path = match self.items.first() {
            Some(Item::Word(atoms)) => atoms.contains(&Atom::Char('/')),
            Some(Item::AnyWords) | None => true,
        };
        if first.contains('/') && !names_path {
            return Tri::No;
        }
        if self.name.as_ref().is_some_and(|name| **name != *first) {
            return Tri::No;
        }
        let words: Vec<(usize, &Word)> =
            run.words.iter().enumerate().filter(|(i, _)| !run.passed_over.contains(i)).collect();
        let risky = |index: usize| run.understood.unknown_word_may_run.contains(&index);
        sequence(
            &self.items,
            &words,
            |item, index, word| match item {
                None => Tri::from(!risky(index)),
                Some(atoms) => Tri::from(word.literal().is_some_and(|text| glob(atoms, &text, false))),
            },
            false,
        )
    }

    /// As written, or with the options taken out of the order.
    fn broad(&self, run: &Run, fold: bool) -> Tri {
        if run.opaque.is_some() {
            return Tri::Possibly;
        }
        if matches!(self.items.as_slice(), [Item::AnyWords]) {
            return Tri::Yes;
        }
        let program = self.program_tri(run, fold);
        let rest = match program {
            Tri::No if run.rebound => Tri::No,
            Tri::No => return Tri::No,
            Tri::Possibly | Tri::Yes => self.rest_broad(run, fold),
        };
        if run.rebound { rest.and(Tri::Possibly).or(Tri::Possibly) } else { program.and(rest) }
    }

    fn program_tri(&self, run: &Run, fold: bool) -> Tri {
        let (Some(item), Some(word)) = (self.items.first(), run.words.first()) else {
            return Tri::No;
        };
        let atoms = match item {
            Item::AnyWords => return Tri::Yes,
            Item::Word(atoms) => atoms,
        };
        let Some(text) = word.literal() else {
            let base = base_of(atoms);
            return if word.splits()
                || intersects(atoms, &pieces(word), fold)
                || intersects_base(base, word, fold)
            {
                Tri::Possibly
            } else {
                Tri::No
            };
        };
        if let (Some(name), false) = (&self.name, fold) {
            return Tri::from(
                text.strip_suffix(&**name).is_some_and(|head| head.is_empty() || head.ends_with('/')),
            );
        }
        if glob(atoms, &text, fold) {
            return Tri::Yes;
        }
        let text_base = programs::program_name(&text, fold);
        let base = base_of(atoms);
        if !atoms.contains(&Atom::Char('/')) {
            return Tri::from(glob(base, &text_base, fold));
        }
        // The pattern names a path: the same name found through `PATH`, or another way to write the path, may be that program.
        Tri::from(glob(base, &text_base, fold) && !(text.starts_with('/') && starts_with_root(atoms)))
            .and(Tri::Possibly)
    }

    fn rest_broad(&self, run: &Run, fold: bool) -> Tri {
        let as_written: SmallVec<[(usize, &Word); 16]> = run.words.iter().enumerate().skip(1).collect();
        let items = self.items.get(1..).unwrap_or_default();
        let literally = if matches!(self.items.first(), Some(Item::AnyWords)) {
            let all: Vec<(usize, &Word)> = run.words.iter().enumerate().collect();
            sequence(&self.items, &all, |item, _, word| word_tri(item, word, fold), true)
        } else {
            sequence(items, &as_written, |item, _, word| word_tri(item, word, fold), true)
        };
        if literally == Tri::Yes {
            return Tri::Yes;
        }
        literally.or(self.sorted(run, fold))
    }

    /// Options in any order and bundling, global options passed over, the other words in order.
    fn sorted(&self, run: &Run, fold: bool) -> Tri {
        // The pattern's words are sorted by the model of the program that the call runs, so that both mean the same by an option.
        let program = run.words.first();
        let sorted_here;
        let wanted =
            if self.name.is_some() && program.and_then(Word::literal).as_deref() == self.name.as_deref() {
                &**self.sorted.get_or_init(|| Box::new(programs::sort_words(&self.as_words)))
            } else {
                let mut own = self.as_words.clone();
                if let (Some(first), Some(program)) = (own.first_mut(), program) {
                    *first = program.clone();
                }
                sorted_here = programs::sort_words(&own);
                &sorted_here
            };
        let given = &run.understood.parsed;
        let open_ended = self.items.iter().any(|i| matches!(i, Item::AnyWords));
        let mut answer = Tri::Yes;
        for flag in &wanted.flags {
            answer = answer.and(used(flag, given, run, fold));
            if answer == Tri::No {
                return Tri::No;
            }
        }
        if !open_ended {
            let extra = given
                .flags
                .iter()
                .any(|f| !given.global.contains(&f.word) && !wanted.flags.iter().any(|w| same_flag(w, f)));
            if extra {
                return Tri::No;
            }
        }
        let flag_words = words_of_flags(wanted, self.as_words.len());
        let items: Vec<Item> = self
            .items
            .iter()
            .enumerate()
            .skip(1)
            .filter(|(i, item)| matches!(item, Item::AnyWords) || !flag_words.contains(i))
            .map(|(_, item)| item.clone())
            .collect();
        let mut indices: Vec<usize> = given.subcommand.iter().chain(&given.operands).copied().collect();
        indices.sort_unstable();
        let words = |skipped: &dyn Fn(usize) -> bool| -> Vec<(usize, &Word)> {
            indices.iter().filter(|i| !skipped(**i)).filter_map(|&i| Some((i, run.words.get(i)?))).collect()
        };
        let match_of = |words: &[(usize, &Word)]| {
            sequence(&items, words, |item, _, word| word_tri(item, word, fold), true)
        };
        let sure = match_of(&words(&|_| false));
        if sure == Tri::Yes {
            return answer;
        }
        // An option that the model does not know may take the word behind it.
        let after_unknown =
            |index: usize| given.flags.iter().any(|f| !f.known && f.value.is_none() && f.word + 1 == index);
        answer.and(sure.or(match_of(&words(&after_unknown)).and(Tri::Possibly)))
    }
}

/// The indices of pattern words that are options or their values.
fn words_of_flags(parsed: &Parsed, len: usize) -> Vec<usize> {
    (1..len).filter(|i| !parsed.operands.contains(i) && !parsed.subcommand.contains(i)).collect()
}

fn spellings(flag: &Flag) -> impl Iterator<Item = &str> {
    std::iter::once(flag.name.as_str()).chain(flag.aliases.iter().map(String::as_str))
}

fn same_flag(a: &Flag, b: &Flag) -> bool {
    spellings(a).any(|x| spellings(b).any(|y| x == y))
}

/// Whether the option of a pattern is used in the command, with a value that fits.
fn used(wanted: &Flag, given: &Parsed, run: &Run, fold: bool) -> Tri {
    let mut answer = Tri::No;
    for flag in given.flags.iter().filter(|f| same_flag(wanted, f)) {
        answer = answer.or(match (&wanted.value, &flag.value) {
            (None, _) => Tri::Yes,
            (Some(want), Some(have)) => word_tri(Some(&pieces(want)), have, fold),
            (Some(want), None) => Tri::from(pieces(want) == [Atom::Any]),
        });
    }
    answer.or(flag_may_hide(run))
}

/// An unknown word may be any option.
fn flag_may_hide(run: &Run) -> Tri {
    let end = run.understood.parsed.end_of_options.unwrap_or(usize::MAX);
    let hides = run
        .words
        .iter()
        .enumerate()
        .skip(1)
        .any(|(i, w)| i < end && w.literal().is_none() && w.may_be_option());
    Tri::from(hides).and(Tri::Possibly)
}

impl CommandPattern {
    /// Whether the pattern means this command.
    pub fn matches(&self, run: &Run, reading: Reading, context: &CommandContext<'_>) -> Tri {
        match (self, reading) {
            (Self::Words(words), Reading::Broad) => {
                let sure = words.broad(run, context.fold_case);
                sure.or_else(|| behind(words, run, |tail| words.broad(tail, context.fold_case)))
            }
            (Self::Words(words), Reading::Narrow) => not_opaque(run).and(words.narrow(run)),
            (Self::Table(table), Reading::Broad) => {
                let sure = table.broad(run, context);
                let words = table.words.as_ref();
                sure.or_else(|| words.map_or(Tri::No, |w| behind(w, run, |tail| table.broad(tail, context))))
            }
            (Self::Table(table), Reading::Narrow) => not_opaque(run).and(table.narrow(run, context)),
            (Self::ReadOnly, _) => claimed(&run.read_only, run, reading),
            (Self::Project, _) => claimed(&run.project, run, reading),
            (Self::Set(_, patterns), _) => any_of(patterns, run, reading, context),
            (Self::Changed { set, add, remove }, _) => {
                let within = set.matches(run, reading, context).or(any_of(add, run, reading, context));
                let opposite = match reading {
                    Reading::Broad => Reading::Narrow,
                    Reading::Narrow => Reading::Broad,
                };
                within.and(!any_of(remove, run, opposite, context))
            }
        }
    }
}

/// A program without a model may run the words behind it, as wrappers do: whether these possibly are the command that is meant.
fn behind(pattern: &WordsPattern, run: &Run, test: impl Fn(&Run) -> Tri) -> Tri {
    if run.understood.modelled || run.opaque.is_some() {
        return Tri::No;
    }
    let Some(program) = pattern.program() else { return Tri::No };
    let starts = run.words.iter().enumerate().skip(1).take(MOST_STARTS);
    let named = starts.filter(|(_, word)| {
        word.literal().is_some_and(|text| programs::program_name(&text, false) == program)
    });
    let mut answer = Tri::No;
    for (index, _) in named {
        let words = run.words.get(index..).unwrap_or_default().to_vec();
        let mut understood = programs::understand(&words);
        // Where its files are depends on what is in front of it.
        (understood.unknown_reads, understood.unknown_writes) = (true, true);
        let tail =
            Run { words, understood, files: Vec::new(), fetches: Vec::new(), env: Vec::new(), ..run.clone() };
        answer = answer.or(test(&tail).and(Tri::Possibly));
    }
    answer
}

/// More words than this are not looked at as the start of a command behind a program without a model.
const MOST_STARTS: usize = 32;

fn any_of(patterns: &[CommandPattern], run: &Run, reading: Reading, context: &CommandContext<'_>) -> Tri {
    patterns.iter().fold(Tri::No, |answer, p| {
        if answer == Tri::Yes { answer } else { answer.or(p.matches(run, reading, context)) }
    })
}

fn not_opaque(run: &Run) -> Tri {
    Tri::from(run.opaque.is_none())
}

fn claimed(claim: &Claim, run: &Run, reading: Reading) -> Tri {
    match (claim, reading) {
        (Claim::Yes, _) => Tri::Yes,
        (Claim::No(_), Reading::Narrow) => Tri::No,
        (Claim::No(_), Reading::Broad) => {
            Tri::from(run.opaque.is_some() || run.words.iter().any(|w| w.literal().is_none()))
                .and(Tri::Possibly)
        }
    }
}

impl TablePattern {
    fn broad(&self, run: &Run, context: &CommandContext<'_>) -> Tri {
        if run.opaque.is_some() {
            return Tri::Possibly;
        }
        let parsed = &run.understood.parsed;
        let any_of = |spelled: &[String]| {
            Tri::from(parsed.flags.iter().any(|f| spellings(f).any(|s| spelled.iter().any(|x| x == s))))
                .or(flag_may_hide(run))
        };
        let mut answer = self.words.as_ref().map_or(Tri::Yes, |w| w.broad(run, context.fold_case));
        if answer == Tri::No {
            return answer;
        }
        for one in &self.flags_all {
            answer = answer.and(any_of(one));
        }
        if !self.flags_any.is_empty() {
            answer = answer.and(any_of(&self.flags_any));
        }
        if let Some(only) = &self.only_flags {
            answer = answer.and(Tri::from(self.only(only, parsed)));
        }
        if answer != Tri::No && !self.operands.is_empty() {
            let any = run.files.iter().fold(Tri::No, |t, file| {
                let hit = self.operands.iter().fold(Tri::No, |t, p| {
                    t.or(p.matches(&file.path, file.extent, Reading::Broad, context.paths))
                });
                t.or(if file.possible { hit.and(Tri::Possibly) } else { hit })
            });
            answer = answer.and(any.or(
                Tri::from(run.understood.unknown_reads || run.understood.unknown_writes).and(Tri::Possibly),
            ));
        }
        if !self.regex.is_empty() {
            let known = run.words.iter().all(|w| w.literal().is_some());
            let text = joined(run);
            let found = Tri::from(self.regex.iter().any(|regex| regex.anywhere.is_match(&text)));
            answer = answer.and(if known { found } else { found.or(Tri::Possibly).and(Tri::Possibly) });
        }
        answer
    }

    fn narrow(&self, run: &Run, context: &CommandContext<'_>) -> Tri {
        let parsed = &run.understood.parsed;
        let known = run.words.iter().all(|w| w.literal().is_some());
        let bare = self.flags_all.is_empty()
            && self.flags_any.is_empty()
            && self.only_flags.is_none()
            && self.operands.is_empty()
            && self.regex.is_empty();
        if run.rebound || (!known && !bare) {
            return Tri::No;
        }
        let uses = |spelled: &[String]| {
            parsed.flags.iter().any(|f| spellings(f).any(|s| spelled.iter().any(|x| x == s)))
        };
        let holds = self.words.as_ref().is_none_or(|w| w.narrow(run) == Tri::Yes)
            && self.flags_all.iter().all(|one| uses(one))
            && (self.flags_any.is_empty() || uses(&self.flags_any))
            && self.only_flags.as_ref().is_none_or(|only| self.only(only, parsed))
            && (self.regex.is_empty() || self.regex.iter().any(|r| r.whole.is_match(&joined(run))))
            && (self.operands.is_empty() || self.operands_covered(run, context));
        Tri::from(holds)
    }

    fn only(&self, only: &[String], parsed: &Parsed) -> bool {
        parsed.flags.iter().all(|f| {
            spellings(f).any(|s| {
                only.iter().any(|x| x == s)
                    || self.flags_all.iter().flatten().chain(&self.flags_any).any(|x| x == s)
            })
        })
    }

    fn operands_covered(&self, run: &Run, context: &CommandContext<'_>) -> bool {
        let files = &run.files;
        // Without a model nobody knows which words are files, so an allow cannot say that all of them are covered.
        run.understood.modelled
            && !run.understood.unknown_reads
            && !run.understood.unknown_writes
            && !files.is_empty()
            && files.iter().all(|file| {
                self.operands
                    .iter()
                    .any(|p| p.matches(&file.path, file.extent, Reading::Narrow, context.paths) == Tri::Yes)
            })
    }
}

fn joined(run: &Run) -> String {
    let mut out = String::new();
    for (i, word) in run.words.iter().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        match (i, word.literal()) {
            (_, Some(text)) => out.push_str(&text),
            (_, None) => out.push_str(&word.shown()),
        }
    }
    out
}

/// Matches words in order against items. `test` gets `None` for a lone `*`.
///
/// With `loose`, a word that may turn out as none or several possibly matches so.
fn sequence(
    items: &[Item],
    words: &[(usize, &Word)],
    test: impl Fn(Option<&[Atom]>, usize, &Word) -> Tri,
    loose: bool,
) -> Tri {
    let splits = |word: &Word| loose && word.splits();
    // after[j]: how the items from the current one on match the words from j on.
    let mut after: SmallVec<[Tri; 16]> = smallvec![Tri::No; words.len() + 1];
    if let Some(last) = after.last_mut() {
        *last = Tri::Yes;
    }
    for j in (0..words.len()).rev() {
        let rest = after.get(j + 1).copied().unwrap_or(Tri::No);
        if let (Some((_, word)), Some(slot)) = (words.get(j), after.get_mut(j)) {
            *slot = if splits(word) { rest.and(Tri::Possibly) } else { Tri::No };
        }
    }
    for item in items.iter().rev() {
        let mut now: SmallVec<[Tri; 16]> = smallvec![Tri::No; words.len() + 1];
        for j in (0..=words.len()).rev() {
            let here = after.get(j).copied().unwrap_or(Tri::No);
            let next = after.get(j + 1).copied().unwrap_or(Tri::No);
            let stay = now.get(j + 1).copied().unwrap_or(Tri::No);
            let answer = match (item, words.get(j)) {
                (Item::AnyWords, None) => here,
                (Item::AnyWords, Some((index, word))) => here.or(stay.and(test(None, *index, word))),
                (Item::Word(_), None) => Tri::No,
                (Item::Word(atoms), Some((index, word))) => {
                    let one = next.and(test(Some(atoms), *index, word));
                    if splits(word) { one.or(stay.or(here).and(Tri::Possibly)) } else { one }
                }
            };
            if let Some(slot) = now.get_mut(j) {
                *slot = answer;
            }
        }
        after = now;
    }
    after.first().copied().unwrap_or(Tri::No)
}

fn word_tri(atoms: Option<&[Atom]>, word: &Word, fold: bool) -> Tri {
    let Some(atoms) = atoms else { return Tri::Yes };
    match word.literal() {
        Some(text) => Tri::from(glob(atoms, &text, fold)),
        None if atoms == [Atom::Any] => Tri::Yes,
        None => Tri::from(word.splits() || intersects(atoms, &pieces(word), fold)).and(Tri::Possibly),
    }
}

/// A word as atoms: what is not known is `*`.
fn pieces(word: &Word) -> Vec<Atom> {
    let mut atoms = Vec::new();
    for piece in &word.pieces {
        match piece {
            Piece::Text(text) => atoms.extend(text.chars().map(Atom::Char)),
            // A glob gives names that fit it, or stays as it is; `?` and classes are one character either way only as long as they match something.
            Piece::Glob(_) | Piece::Unknown { .. } => {
                if atoms.last() != Some(&Atom::Any) {
                    atoms.push(Atom::Any);
                }
            }
        }
    }
    atoms
}

fn as_word(atoms: &[Atom]) -> Word {
    let mut pieces: Vec<Piece> = Vec::new();
    for atom in atoms {
        match (atom, pieces.last_mut()) {
            (Atom::Char(c), Some(Piece::Text(text))) => text.push(*c),
            (Atom::Char(c), _) => pieces.push(Piece::Text(c.to_string())),
            (Atom::One | Atom::Any | Atom::Class { .. }, _) => pieces.push(Piece::Unknown { splits: false }),
        }
    }
    Word { pieces, span: (0, 0) }
}

fn base_of(atoms: &[Atom]) -> &[Atom] {
    let start = atoms.iter().rposition(|a| *a == Atom::Char('/')).map_or(0, |i| i + 1);
    atoms.get(start..).unwrap_or_default()
}

fn starts_with_root(atoms: &[Atom]) -> bool {
    atoms.first() == Some(&Atom::Char('/'))
}

fn intersects_base(base: &[Atom], word: &Word, fold: bool) -> bool {
    intersects(base, base_of(&pieces(word)), fold)
}

fn folded(c: char, fold: bool) -> char {
    if fold { c.to_lowercase().next().unwrap_or(c) } else { c }
}

fn atom_is(atom: &Atom, c: char, fold: bool) -> bool {
    match atom {
        Atom::Char(a) => folded(*a, fold) == folded(c, fold),
        Atom::One | Atom::Any => true,
        Atom::Class { negated, ranges } => {
            let within = |c: char| ranges.iter().any(|(a, b)| (*a..=*b).contains(&c));
            let inside =
                within(c) || (fold && (c.to_lowercase().any(within) || c.to_uppercase().any(within)));
            inside != *negated
        }
    }
}

/// Whether the glob is the whole of `text`.
fn glob(atoms: &[Atom], text: &str, fold: bool) -> bool {
    let mut chars = text.chars();
    let mut a = 0;
    // Where the last `*` ends, and the text that it has not taken.
    let mut retry: Option<(usize, std::str::Chars<'_>)> = None;
    loop {
        let here = atoms.get(a);
        let mut after = chars.clone();
        let Some(c) = after.next() else { break };
        if here == Some(&Atom::Any) {
            a += 1;
            retry = Some((a, chars.clone()));
        } else if here.is_some_and(|atom| atom_is(atom, c, fold)) {
            a += 1;
            chars = after;
        } else if let Some((star, rest)) = &mut retry {
            rest.next();
            a = *star;
            chars = rest.clone();
        } else {
            return false;
        }
    }
    atoms.get(a..).unwrap_or_default().iter().all(|atom| *atom == Atom::Any)
}

/// Whether some text fits both globs.
fn intersects(a: &[Atom], b: &[Atom], fold: bool) -> bool {
    let width = b.len() + 1;
    let mut row = vec![false; width];
    let mut next_row = vec![false; width];
    // row[j] for position i in a: the rest of both can still meet. From the ends backwards.
    for i in (0..=a.len()).rev() {
        for j in (0..=b.len()).rev() {
            let below = next_row.get(j).copied().unwrap_or(false);
            let right = row.get(j + 1).copied().unwrap_or(false);
            let diagonal = next_row.get(j + 1).copied().unwrap_or(false);
            let meet = match (a.get(i), b.get(j)) {
                (None, None) => true,
                (Some(Atom::Any), _) if below => true,
                (_, Some(Atom::Any)) if right => true,
                (Some(Atom::Any), Some(_)) => right || diagonal,
                (Some(_), Some(Atom::Any)) => below || diagonal,
                (Some(x), Some(y)) => diagonal && atoms_meet(x, y, fold),
                (None, Some(_)) | (Some(_), None) => false,
            };
            if let Some(slot) = row.get_mut(j) {
                *slot = meet;
            }
        }
        std::mem::swap(&mut row, &mut next_row);
    }
    next_row.first().copied().unwrap_or(false)
}

fn atoms_meet(a: &Atom, b: &Atom, fold: bool) -> bool {
    match (a, b) {
        (Atom::Char(c), other) | (other, Atom::Char(c)) => atom_is(other, *c, fold),
        (Atom::One | Atom::Any | Atom::Class { .. }, Atom::One | Atom::Any | Atom::Class { .. }) => true,
    }
}

/// Splits a pattern into words; quotes take a glob's meaning away.
fn split(text: &str) -> Result<Vec<Vec<Atom>>, PatternError> {
    let chars: Vec<(usize, char)> = text.char_indices().collect();
    let mut words = Vec::new();
    let mut word: Option<Vec<Atom>> = None;
    let mut i = 0;
    let unclosed = |at: usize, c: char| PatternError {
        message: format!("the quote `{c}` is not closed"),
        help: Some(format!("close it, or write `\\{c}` for the character itself")),
        at: at..text.len(),
    };
    while let Some(&(at, c)) = chars.get(i) {
        i += 1;
        match c {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '\'' | '"' => {
                let atoms = word.get_or_insert_default();
                loop {
                    match chars.get(i) {
                        None => return Err(unclosed(at, c)),
                        Some(&(_, d)) if d == c => break,
                        Some(&(_, '\\')) if c == '"' && matches!(chars.get(i + 1), Some((_, '"' | '\\'))) => {
                            atoms.extend(chars.get(i + 1).map(|&(_, d)| Atom::Char(d)));
                            i += 2;
                        }
                        Some(&(_, d)) => {
                            atoms.push(Atom::Char(d));
                            i += 1;
                        }
                    }
                }
                i += 1;
            }
            '\\' => {
                let atoms = word.get_or_insert_default();
                atoms.push(Atom::Char(chars.get(i).map_or('\\', |&(_, d)| d)));
                i += 1;
            }
            '*' => {
                let atoms = word.get_or_insert_default();
                if atoms.last() != Some(&Atom::Any) {
                    atoms.push(Atom::Any);
                }
            }
            '?' => word.get_or_insert_default().push(Atom::One),
            '[' => {
                let (atom, after) = class(&chars, i);
                word.get_or_insert_default().push(atom);
                i = after;
            }
            c => word.get_or_insert_default().push(Atom::Char(c)),
        }
    }
    words.extend(word);
    Ok(words)
}

/// A class whose `[` is before `start`; an unclosed one is the character itself.
fn class(chars: &[(usize, char)], start: usize) -> (Atom, usize) {
    let negated = matches!(chars.get(start), Some((_, '!')));
    let first = start + usize::from(negated);
    let mut end = first + 1;
    while chars.get(end).is_some_and(|&(_, c)| c != ']') {
        end += 1;
    }
    if chars.get(end).is_none() {
        return (Atom::Char('['), start);
    }
    let inside: Vec<char> = chars.get(first..end).unwrap_or_default().iter().map(|&(_, c)| c).collect();
    let mut ranges = Vec::new();
    let mut i = 0;
    while let Some(&a) = inside.get(i) {
        if let (Some('-'), Some(&b)) = (inside.get(i + 1), inside.get(i + 2)) {
            ranges.push((a, b));
            i += 3;
        } else {
            ranges.push((a, a));
            i += 1;
        }
    }
    (Atom::Class { negated, ranges }, end + 1)
}
