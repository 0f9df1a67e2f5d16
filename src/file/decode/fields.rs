//! A table with known keys: each is taken in one line, and what is left over is unknown.

use super::guess::guess;
use super::{Decoder, Kind, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::file::tree::Entry;

/// A table whose keys are being taken.
pub(super) struct Fields<'n> {
    /// What the table is, as messages call it: `a rule`.
    what: &'static str,
    node: &'n Node,
    left: Vec<&'n Entry>,
    known: Vec<&'static str>,
}

impl Decoder<'_> {
    /// The value as a table with known keys.
    pub(super) fn fields<'n>(&mut self, node: &'n Node, what: &'static str) -> Option<Fields<'n>> {
        let entries = self.entries(node, "a table")?;
        Some(Fields { what, node, left: entries.iter().collect(), known: Vec::new() })
    }

    /// The value as a table with free keys. `expected` says what it holds.
    pub(super) fn entries<'n>(&mut self, node: &'n Node, expected: &str) -> Option<&'n [Entry]> {
        if let Kind::Map(entries) = &node.kind {
            return Some(entries);
        }
        self.wrong_type(node, expected);
        None
    }
}

impl<'n> Fields<'n> {
    /// Whether nothing stands in the table.
    pub(super) fn is_empty(&self) -> bool {
        matches!(&self.node.kind, Kind::Map(entries) if entries.is_empty())
    }

    /// Takes the value under `key`, unread.
    pub(super) fn entry(&mut self, key: &'static str) -> Option<&'n Entry> {
        self.known.push(key);
        let at = self.left.iter().position(|e| e.key.value == key)?;
        Some(self.left.remove(at))
    }

    /// Takes and reads the value under `key`, if it is there.
    pub(super) fn take<T>(
        &mut self,
        decoder: &mut Decoder<'_>,
        key: &'static str,
        read: impl FnOnce(&mut Decoder<'_>, &'n Node) -> Option<T>,
    ) -> Option<T> {
        let entry = self.entry(key)?;
        decoder.under(key, |decoder| read(decoder, &entry.value))
    }

    /// As [`Self::take`], but its absence is a problem.
    pub(super) fn need<T>(
        &mut self,
        decoder: &mut Decoder<'_>,
        key: &'static str,
        read: impl FnOnce(&mut Decoder<'_>, &'n Node) -> Option<T>,
    ) -> Option<T> {
        if !self.left.iter().any(|e| e.key.value == key) {
            self.known.push(key);
            let finding = Diagnostic::error(Code::E0205, format!("`{key}` is missing in {}", self.what));
            decoder.tell(finding.at(self.node.span, format!("{} without `{key}`", self.what)));
            return None;
        }
        self.take(decoder, key, read)
    }

    /// Passes over `entry`, which was told of already.
    pub(super) fn skip(&mut self, entry: &Entry) {
        self.left.retain(|e| !std::ptr::eq(*e, entry));
    }

    /// What has not been taken.
    pub(super) fn left(&self) -> &[&'n Entry] {
        &self.left
    }

    /// Tells of every key that was not taken.
    pub(super) fn finish(self, decoder: &mut Decoder<'_>) {
        self.finish_with(decoder, |_, _| None);
    }

    /// As [`Self::finish`]; `help` knows better what to do about some keys.
    pub(super) fn finish_with(
        self,
        decoder: &mut Decoder<'_>,
        help: impl Fn(&Decoder<'_>, &str) -> Option<String>,
    ) {
        for entry in &self.left {
            if decoder.is_full() {
                return;
            }
            let (key, span) = (entry.key.value.as_str(), entry.key.span);
            let message = format!("unknown key `{key}` in {}", self.what);
            let mut finding =
                Diagnostic::error(Code::E0202, message).at(span, format!("not a key of {}", self.what));
            if let Some(help) = help(decoder, key) {
                finding = finding.help(help);
            } else if let Some(meant) = guess(key, self.known.iter().copied()) {
                finding =
                    finding.suggest(format!("did you mean `{meant}`?"), span, decoder.as_key(span, meant));
            } else if let Some((first, rest)) =
                key.split_once('.').filter(|(first, _)| self.known.contains(first))
            {
                finding = finding.help(format!("`{rest}` stands in a table of its own, under `{first}`"));
            }
            decoder.tell(finding.note(format!("known keys: {}", self.known.join(", "))));
        }
    }
}

impl Decoder<'_> {
    /// Reads with messages that call the value by its key.
    pub(super) fn under<T>(&mut self, key: &str, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = std::mem::replace(&mut self.key, format!("`{key}`"));
        let value = read(self);
        self.key = before;
        value
    }
}
