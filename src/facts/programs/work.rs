//! A command that is being understood.

use super::entry::Entry;
use super::sort::Sorted;
use super::{Access, FetchUse, FileUse, Inner, InnerKind, Understood};
use crate::facts::word::Word;

/// Something that is run as it is.
pub(super) fn inner(what: InnerKind) -> Inner {
    Inner { what, transparent: false, cwd: None, env: Vec::new(), elsewhere: false }
}

/// What options change of the reading of operands.
#[derive(Default)]
pub(super) struct Tables {
    pub(super) in_place: bool,
    pub(super) recursive: bool,
    pub(super) rebinds: bool,
    pub(super) no_pattern: bool,
    pub(super) opaque: bool,
    pub(super) elsewhere: bool,
    pub(super) dest: bool,
    pub(super) asks_only: bool,
    /// The operands belong to something that an option started.
    pub(super) operands_taken: bool,
}

impl Tables {
    pub(super) fn opaque(&self) -> bool {
        self.opaque
    }

    pub(super) fn asks_only(&self) -> bool {
        self.asks_only
    }
}

/// A command that is being understood.
pub(super) struct Work<'a> {
    pub(super) words: &'a [Word],
    pub(super) u: Understood,
    pub(super) sorted: Sorted,
    pub(super) entry: &'static Entry,
    pub(super) not_read_only: Option<String>,
    pub(super) not_project: Option<String>,
    pub(super) tables: Tables,
}

impl Work<'_> {
    /// Neither read-only nor a project command.
    pub(super) fn object(&mut self, reason: &str) {
        self.not_read_only.get_or_insert_with(|| reason.to_owned());
        self.not_project.get_or_insert_with(|| reason.to_owned());
    }

    /// Not read-only.
    pub(super) fn writes(&mut self, reason: &str) {
        self.not_read_only.get_or_insert_with(|| reason.to_owned());
    }

    /// A file that its words name.
    pub(super) fn file(&mut self, path: &Word, access: Access, recursive: bool, possible: bool) {
        self.u.files.push(FileUse { path: path.clone(), access, recursive, possible, if_folder: None });
    }

    /// A network target.
    pub(super) fn fetch(&mut self, target: &Word, default_scheme: &'static str, possible: bool) {
        let fetch = FetchUse {
            target: target.clone(),
            default_scheme,
            method: None,
            follows_redirects: false,
            possible,
        };
        self.u.fetches.push(fetch);
    }

    /// Something that it runs.
    pub(super) fn runs(&mut self, what: InnerKind, reason: &str) {
        self.u.inner.push(inner(what));
        self.object(reason);
    }

    /// Whether an option with this spelling was used.
    pub(super) fn used(&self, name: &str) -> bool {
        self.sorted
            .used
            .iter()
            .any(|u| u.option.map_or(u.name == name, |o| o.names.iter().any(|n| n == name)))
    }

    /// The first value of the last use of an option.
    pub(super) fn value(&self, name: &str) -> Option<&Word> {
        let used = self.sorted.used.iter().rev();
        used.filter(|u| u.option.is_some_and(|o| o.names.iter().any(|n| n == name)))
            .find_map(|u| u.values.first())
    }

    /// The operands, in order.
    pub(super) fn operand_words(&self) -> Vec<Word> {
        self.sorted.parsed.operands.iter().filter_map(|i| self.words.get(*i)).cloned().collect()
    }
}
