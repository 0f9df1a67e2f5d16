//! Sorting the words of a command into options, sub-commands and operands.

use std::borrow::Cow;

use super::data::Node;
use super::entry::{Arity, Effect, Entry, Is, Kind, Opt};
use super::words::{after, is_literal, start};
use super::{Flag, Parsed};
use crate::facts::word::{Piece, Word};

/// An option as it was used; the values are those that its table asks for.
#[derive(Debug)]
pub(super) struct Used {
    pub(super) option: Option<&'static Opt>,
    /// As written, without a value.
    pub(super) name: String,
    pub(super) values: Vec<Word>,
    /// The index of the word that the last value stands in.
    pub(super) value_at: usize,
    pub(super) word: usize,
}

/// The words of a command, sorted by the table of its program.
#[derive(Debug, Default)]
pub(super) struct Sorted {
    /// The program, or its sub-command that `entry` belongs to.
    pub(super) node: Option<Node>,
    /// The table of the deepest sub-command.
    pub(super) entry: Option<&'static Entry>,
    /// The tables from the program down to `entry`.
    pub(super) path: Vec<&'static Entry>,
    pub(super) used: Vec<Used>,
    pub(super) parsed: Parsed,
    /// A sub-command was looked for and is unknown, or not in the table.
    pub(super) lost_sub_command: bool,
    /// Unknown words that may be options.
    pub(super) doubtful: Vec<usize>,
    /// Values that look like options that write or run.
    pub(super) ambiguous: Vec<usize>,
    /// The index at which the words of another program start (`exec`), where there is one.
    pub(super) exec: Option<usize>,
    /// Variables set in front of it.
    pub(super) assignments: Vec<(String, Word)>,
    /// Options stood behind such variables.
    pub(super) options_after_assignments: bool,
}

impl Sorted {
    fn option(&self, name: &str) -> Option<(&'static Opt, Arity)> {
        let entry = self.entry?;
        let found = entry.option(name).or_else(|| {
            let outer = self.path.iter().rev().skip(1);
            outer.filter(|e| e.is(Is::Anywhere)).find_map(|e| e.option(name))
        });
        found.or_else(|| entry.abbreviated(name))
    }

    /// Whether one of the tables that hold here has this property.
    pub(super) fn is(&self, property: Is) -> bool {
        self.entry.is_some_and(|e| e.is(property))
    }
}

/// Sorts by the table of `name`; without one, every cluster is split into letters and nothing takes a value.
pub(super) fn sort(words: &[Word], root: Option<Node>) -> Sorted {
    let mut sorted = Sorted { node: root, ..Sorted::default() };
    match root.and_then(|node| node.entry().ok()) {
        Some(entry) => {
            sorted.entry = Some(entry);
            sorted.path.push(entry);
            let ended = entry.is(Is::Plain);
            Walk { words, at: 1, ended, sorted: &mut sorted }.run(root.is_some_and(Node::has_sub_commands));
        }
        None => plain(words, &mut sorted.parsed),
    }
    sorted
}

/// Sorting without a table.
fn plain(words: &[Word], parsed: &mut Parsed) {
    for (index, word) in words.iter().enumerate().skip(1) {
        let text = start(word);
        let flag = |name: String, value: Option<Word>| Flag {
            name,
            aliases: Vec::new(),
            value,
            word: index,
            known: false,
        };
        if parsed.end_of_options.is_some() || text.len() < 2 || !text.starts_with('-') {
            parsed.operands.push(index);
        } else if text == "--" && is_literal(word) {
            parsed.end_of_options = Some(index);
        } else if let Some(long) = text.strip_prefix("--") {
            let name = long.split_once('=').map_or(long, |(name, _)| name);
            let value = long.contains('=').then(|| after(word, name.len() + 3));
            parsed.flags.push(flag(format!("--{name}"), value));
        } else {
            for letter in text.chars().skip(1) {
                parsed.flags.push(flag(format!("-{letter}"), None));
            }
        }
    }
}

struct Walk<'a> {
    words: &'a [Word],
    at: usize,
    ended: bool,
    sorted: &'a mut Sorted,
}

impl Walk<'_> {
    fn run(mut self, mut sub_commands: bool) {
        if self.sorted.is(Is::OldStyle) {
            self.old_style();
        }
        while let Some(word) = self.words.get(self.at) {
            let index = self.at;
            self.at += 1;
            if self.ended {
                self.operand(index);
                continue;
            }
            if self.splits_into_options(word) {
                self.sorted.doubtful.push(index);
            }
            let text = start(word);
            if text == "--" && is_literal(word) && self.sorted.option("--").is_none() {
                self.sorted.parsed.end_of_options.get_or_insert(index);
                self.ended = true;
            } else if self.is_option(word, &text) {
                self.option(index, word, &text);
                if !self.sorted.assignments.is_empty() {
                    self.sorted.options_after_assignments = true;
                }
            } else if sub_commands && self.sorted.parsed.operands.is_empty() {
                sub_commands = self.sub_command(index, word);
            } else {
                self.operand(index);
            }
        }
    }

    /// Whether an unknown word may turn into options, other than the one that it surely is.
    fn splits_into_options(&self, word: &Word) -> bool {
        if is_literal(word) {
            return false;
        }
        if word.pieces.iter().any(|p| matches!(p, Piece::Unknown { splits: true })) {
            return true;
        }
        let text = start(word);
        if self.sorted.is(Is::KeyValue) && !text.contains('=') {
            return true;
        }
        match text.strip_prefix('-') {
            None => word.may_be_option() && text.is_empty(),
            // `--include=*.ts` gives nothing but that option; what an unknown rest of `-…` or `--…` names is not known.
            Some(rest) if rest.starts_with('-') => !text.contains('='),
            Some(_) => !self.ends_in_a_value(&text),
        }
    }

    /// Whether a cluster ends in a letter that takes what follows as its value.
    fn ends_in_a_value(&self, text: &str) -> bool {
        if let Some((name, _)) = text.split_once('=')
            && self.sorted.option(name).is_some()
        {
            return true;
        }
        text.chars()
            .skip(1)
            .any(|c| self.sorted.option(short(c).as_ref()).is_some_and(|(_, arity)| arity != Arity::None))
    }

    fn is_option(&self, word: &Word, text: &str) -> bool {
        if text.starts_with('-') {
            return text.len() > 1 || !is_literal(word) || self.sorted.option("-").is_some();
        }
        let Some(entry) = self.sorted.entry else { return false };
        entry.bare_words && {
            let name = if entry.is(Is::KeyValue) {
                text.split_once('=').map_or(text, |(name, _)| name)
            } else {
                text
            };
            entry.option(name).is_some() || (text.starts_with('+') && entry.option("+").is_some())
        }
    }

    fn option(&mut self, index: usize, word: &Word, text: &str) {
        let single = self.sorted.is(Is::SingleDash);
        let (name, attached) = match text.split_once('=') {
            Some((name, _)) => (name, Some(name.len() + 1)),
            None => (text, None),
        };
        // `cargo +nightly`: whatever stands behind the `+`.
        if text.starts_with('+')
            && let Some((option, arity)) = self.sorted.option("+")
        {
            self.take(index, "+", Some(option), arity, Some(after(word, 1)));
            return;
        }
        // The whole word first: `-exec`, `-name=value`, `--long`, `if=file`, `!`.
        let whole =
            if name.len() != 2 || !name.starts_with('-') || single { self.sorted.option(name) } else { None };
        let whole = whole.or_else(|| {
            let one_dash = single.then(|| name.strip_prefix('-')).flatten().filter(|n| n.starts_with('-'));
            one_dash.and_then(|n| self.sorted.option(n))
        });
        // Without its end, a name is not known: `--out$x`.
        let whole = whole.filter(|_| attached.is_some() || is_literal(word));
        if let Some((option, arity)) = whole {
            let value = attached.map(|at| after(word, at));
            // A value where none belongs: an error, or something that the table does not know.
            let option = (value.is_none() || arity != Arity::None).then_some(option);
            self.take(index, name, option, arity, value);
        } else if name.starts_with("--") || single || !name.starts_with('-') {
            let value = attached.map(|at| after(word, at));
            self.take(index, name, None, Arity::None, value);
        } else {
            self.cluster(index, word, text, 1);
        }
    }

    /// The letters of `text` from byte `from`.
    fn cluster(&mut self, index: usize, word: &Word, text: &str, from: usize) {
        let rest = text.get(from..).unwrap_or_default();
        for (offset, letter) in rest.char_indices() {
            let next = from + offset + letter.len_utf8();
            let name = short(letter);
            let Some((option, arity)) = self.sorted.option(&name) else {
                if letter.is_ascii_digit() && self.sorted.is(Is::Numeric) {
                    let digits = text.get(from + offset..).unwrap_or_default();
                    let end = digits.find(|c: char| !c.is_ascii_digit()).unwrap_or(digits.len());
                    let (number, tail) = digits.split_at_checked(end).unwrap_or((digits, ""));
                    self.known_number(index, number);
                    if !tail.is_empty() {
                        self.cluster(index, word, text, from + offset + end);
                    }
                    return;
                }
                let tail = after(word, next);
                let value = (!tail.pieces.is_empty()).then_some(tail);
                self.take(index, &name, None, Arity::None, value);
                continue;
            };
            if arity == Arity::None {
                self.take(index, &name, Some(option), arity, None);
                continue;
            }
            let tail = after(word, next);
            let value = (!tail.pieces.is_empty()).then_some(tail);
            self.take(index, &name, Some(option), arity, value);
            return;
        }
        if !is_literal(word) {
            // `-x$y`: more letters, nobody knows which.
            self.take(index, "-", None, Arity::None, None);
        }
    }

    fn known_number(&mut self, index: usize, number: &str) {
        let flag =
            Flag { name: format!("-{number}"), aliases: Vec::new(), value: None, word: index, known: true };
        self.sorted.parsed.flags.push(flag);
    }

    /// Notes an option and takes its values.
    fn take(
        &mut self,
        index: usize,
        name: &str,
        option: Option<&'static Opt>,
        arity: Arity,
        attached: Option<Word>,
    ) {
        let mut values = Vec::new();
        let mut value_at = index;
        match (option, arity) {
            (Some(option), Arity::Required) => {
                let count = option.values.len();
                if attached.is_some() && count == 1 {
                    values.extend(attached.clone());
                } else {
                    values.extend(attached.clone());
                    for nth in values.len()..count {
                        if option.values.get(nth) == Some(&Kind::Until) {
                            self.until(&mut values);
                            break;
                        }
                        let Some(value) = self.words.get(self.at) else { break };
                        if value.splits() && value.may_be_option() && !is_literal(value) {
                            self.sorted.doubtful.push(self.at);
                        }
                        if self.reads_as_danger(value) {
                            self.sorted.ambiguous.push(self.at);
                        }
                        value_at = self.at;
                        values.push(value.clone());
                        self.at += 1;
                    }
                }
            }
            (Some(option), Arity::Optional) if attached.is_none() && option.has(Effect::Number) => {
                let next = self.words.get(self.at);
                let number =
                    |w: &&Word| w.literal().is_some_and(|l| l.starts_with(|c: char| c.is_ascii_digit()));
                if let Some(value) = next.filter(number) {
                    value_at = self.at;
                    values.push(value.clone());
                    self.at += 1;
                }
            }
            (Some(_), Arity::Optional) | (None, _) => values.extend(attached.clone()),
            (Some(_), Arity::None) => {}
        }
        self.ended |= option.is_some_and(|o| o.has(Effect::Last));
        if option.is_some_and(|o| o.values.iter().any(|k| k.takes_the_rest()))
            && let Some(rest) = self.words.get(self.at..)
        {
            values.extend(rest.iter().cloned());
            self.at = self.words.len();
        }
        let full = option.and_then(|o| full_name(o, name));
        self.sorted.parsed.flags.push(Flag {
            name: full.map_or_else(|| name.to_owned(), str::to_owned),
            aliases: option
                .map(|o| {
                    o.names
                        .iter()
                        .filter(|n| Some(n.as_ref()) != full)
                        .map(std::string::ToString::to_string)
                        .collect()
                })
                .unwrap_or_default(),
            value: values.first().cloned().or(attached),
            word: index,
            known: option.is_some(),
        });
        self.sorted.used.push(Used {
            option,
            name: full.unwrap_or(name).to_owned(),
            values,
            value_at,
            word: index,
        });
    }

    /// Whether a value would be an option that writes or runs, if the option in front of it took none, as in another version of the program.
    fn reads_as_danger(&self, value: &Word) -> bool {
        let text = start(value);
        if text.len() < 2 || !text.starts_with('-') {
            return false;
        }
        let dangerous = |name: &str| self.sorted.option(name).is_some_and(|(o, _)| o.is_dangerous());
        let name = text.split_once('=').map_or(&*text, |(name, _)| name);
        if dangerous(name) {
            return true;
        }
        let cluster = !name.starts_with("--") && !self.sorted.is(Is::SingleDash);
        cluster && name.chars().skip(1).any(|letter| dangerous(&short(letter)))
    }

    /// The words of `-exec … ;`. The end is not among them.
    fn until(&mut self, values: &mut Vec<Word>) {
        while let Some(word) = self.words.get(self.at) {
            self.at += 1;
            match word.literal().as_deref() {
                Some(";") => return,
                Some("+") if values.last().and_then(|w| w.literal().map(|l| l == "{}")) == Some(true) => {
                    return;
                }
                _ => values.push(word.clone()),
            }
        }
    }

    /// Takes a word for a sub-command; says whether to look for another one.
    fn sub_command(&mut self, index: usize, word: &Word) -> bool {
        let found = self.sorted.node.zip(word.literal()).and_then(|(node, name)| node.child(&name));
        if let Some(sub) = found
            && let Ok(entry) = sub.entry()
        {
            if self.sorted.parsed.subcommand.is_empty() {
                self.note_globals(index);
            }
            self.sorted.parsed.subcommand.push(index);
            self.sorted.entry = Some(entry);
            self.sorted.path.push(entry);
            self.sorted.node = Some(sub);
            return sub.has_sub_commands();
        }
        // The word may be the value of the unknown option in front of it.
        if let Some(used) = self.sorted.used.last()
            && used.option.is_none()
            && used.values.is_empty()
            && used.word + 1 == index
        {
            if let Some(flag) = self.sorted.parsed.flags.last_mut() {
                flag.value = Some(word.clone());
            }
            return true;
        }
        // With a line about operands, this is one: `git stash`, `git branch`.
        if !is_literal(word) || self.sorted.entry.is_some_and(|e| e.operands.is_none()) {
            self.sorted.lost_sub_command = true;
            if self.sorted.parsed.subcommand.is_empty() {
                self.note_globals(index);
            }
        }
        self.operand(index);
        false
    }

    /// The options in front of the sub-command at `end`.
    fn note_globals(&mut self, end: usize) {
        let sorted = &mut *self.sorted;
        sorted.parsed.global = (1..end).collect();
        for used in &sorted.used {
            let Some(option) = used.option else { continue };
            let indices: Vec<usize> = (used.word..=used.value_at).collect();
            if option.has(Effect::Neutral) {
                sorted.parsed.neutral_global.extend(&indices);
            }
            if option.values.first() == Some(&Kind::Cwd)
                && let Some(folder) = used.values.first()
            {
                sorted.parsed.moves.push((indices, folder.clone()));
            }
        }
    }

    fn operand(&mut self, index: usize) {
        let sorted = &mut *self.sorted;
        if sorted.is(Is::Assignments)
            && let Some(word) = self.words.get(index)
            && let Some((name, _)) = start(word).split_once('=')
            && !name.is_empty()
        {
            sorted.assignments.push((name.to_owned(), after(word, name.len() + 1)));
            return;
        }
        let nth = sorted.parsed.operands.len();
        let kind =
            sorted.entry.and_then(|e| e.operands.as_ref()).and_then(|kinds| kinds.get(nth)).map(|(k, _)| *k);
        sorted.parsed.operands.push(index);
        if sorted.is(Is::Posix) {
            self.ended = true;
        }
        if kind.is_some_and(Kind::takes_the_rest) {
            sorted.exec = Some(index);
            for rest in self.at..self.words.len() {
                sorted.parsed.operands.push(rest);
            }
            self.at = self.words.len();
        }
    }

    /// `tar xf a`: the first word is a cluster, whose values follow in order.
    fn old_style(&mut self) {
        let Some(word) = self.words.get(1) else { return };
        let text = start(word);
        if text.is_empty() || text.starts_with('-') || !is_literal(word) {
            return;
        }
        if text.chars().any(|c| self.sorted.option(&short(c)).is_none()) {
            return;
        }
        self.at = 2;
        for letter in text.chars() {
            let name = short(letter);
            if let Some((option, arity)) = self.sorted.option(&name) {
                self.take(1, &name, Some(option), arity, None);
            }
        }
    }
}

fn short(letter: char) -> Cow<'static, str> {
    let mut name = String::with_capacity(2);
    name.push('-');
    name.push(letter);
    name.into()
}

/// The spelling of `option` that `written` is, or abbreviates.
fn full_name(option: &'static Opt, written: &str) -> Option<&'static str> {
    let exact = option.names.iter().find(|n| n.as_ref() == written);
    let dashed = || option.names.iter().find(|n| written.strip_prefix('-') == Some(n.as_ref()));
    let start = || option.names.iter().find(|n| n.starts_with(written));
    exact.or_else(dashed).or_else(start).map(AsRef::as_ref)
}
