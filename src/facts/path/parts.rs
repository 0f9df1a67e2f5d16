//! A word taken apart into the names of a path.

use super::super::disk::{self, Os};
use super::super::word::{Piece, Word};
use super::shape::{Atom, Component, Set, Shape, glob_matches};
use super::{LONGEST, everything, is_separator};

/// Where a path starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// At this root.
    Root(String),
    /// At the cwd.
    Cwd,
    /// At the root of the cwd's drive.
    ThisDrive,
    /// Anything may stand in front.
    Anywhere,
}

/// One name of a path, `..` among them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// This name.
    Name(String),
    /// A name that a shell's glob matches.
    Glob {
        /// What it matches, at least.
        atoms: Vec<Atom>,
        /// As written; the name itself where nothing matches.
        source: String,
    },
    /// `**`, which a shell may take for any number of folders.
    Deep,
    /// A short name (`PROGRA~1`): another name that the text does not tell.
    Short,
}

impl Part {
    /// The name, where it is one.
    pub(super) fn name(&self) -> Option<&str> {
        match self {
            Self::Name(name) => Some(name),
            Self::Glob { .. } | Self::Deep | Self::Short => None,
        }
    }

    /// Whether a shell may give `..` for it: older ones do for `.*`.
    pub(super) fn may_climb(&self) -> bool {
        match self {
            Self::Glob { atoms, .. } => {
                matches!(atoms.first(), Some(Atom::Char('.'))) && glob_matches(atoms, "..")
            }
            Self::Name(_) | Self::Deep | Self::Short => false,
        }
    }
}

/// A path in its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parts {
    /// Nothing is known of it.
    Unknown,
    /// It is below a start.
    Below {
        /// Where it starts.
        start: Start,
        /// The names below that.
        parts: Vec<Part>,
        /// See [`super::Spot::odd`].
        odd: bool,
    },
}

impl Parts {
    /// A path that is known as text.
    pub(super) fn of_text(text: &str, os: Os) -> Self {
        if text.len() > LONGEST || text.contains('\0') {
            return Self::Unknown;
        }
        let (start, names) = disk::split(text, os);
        let start = match start {
            disk::Start::Root(root) => Start::Root(root),
            disk::Start::Relative => Start::Cwd,
            disk::Start::ThisDrive => Start::ThisDrive,
            disk::Start::Unknown => return Self::Unknown,
        };
        // Some programs take an empty path for the cwd, and others for an error.
        let mut odd = text.is_empty() || os == Os::Windows && text.replace('\\', "/").starts_with("//?/");
        match own_names(names, os, &mut odd) {
            Some(parts) => Self::Below { start, parts, odd },
            None => Self::Unknown,
        }
    }

    /// A path that stands below something unknown.
    pub(super) fn below_unknown(tail: &str, os: Os) -> Self {
        match Self::of_text(tail.trim_start_matches(|c| is_separator(c, os)), os) {
            Self::Below { parts, odd, .. } => Self::Below { start: Start::Anywhere, parts, odd },
            Self::Unknown => Self::Unknown,
        }
    }

    /// A path that is a word of a command.
    pub(super) fn of_word(word: &Word, os: Os) -> Self {
        if let Some(text) = word.literal() {
            return Self::of_text(&text, os);
        }
        let splits = |p: &Piece| matches!(p, Piece::Unknown { splits: true });
        if word.pieces.iter().any(splits) || word.shown().len() > LONGEST {
            return Self::Unknown;
        }
        let last_unknown = word.pieces.iter().rposition(|p| matches!(p, Piece::Unknown { .. }));
        if let Some(at) = last_unknown {
            return after_unknown(word.pieces.get(at + 1..).unwrap_or_default(), os);
        }
        let head_text = word.known_start();
        let head_len = head_text.rfind(|c| is_separator(c, os)).map_or(0, |i| i + 1);
        let (head, glued) = head_text.split_at(head_len);
        if os == Os::Windows && glued.contains(':') {
            return Self::Unknown;
        }
        let first_glob = word.pieces.iter().position(|p| matches!(p, Piece::Glob(_))).unwrap_or_default();
        let mut names = Names::new(os);
        names.text(glued);
        if !names.pieces(word.pieces.get(first_glob..).unwrap_or_default()) {
            return Self::Unknown;
        }
        let tail = names.finish();
        if head.is_empty() {
            return Self::Below { start: Start::Cwd, parts: tail, odd: false };
        }
        match Self::of_text(head, os) {
            Self::Below { start, mut parts, odd } => {
                parts.extend(tail);
                Self::Below { start, parts, odd }
            }
            Self::Unknown => Self::Unknown,
        }
    }
}

/// What stands after the last unknown piece: a name that it may begin, and names below.
fn after_unknown(pieces: &[Piece], os: Os) -> Parts {
    let mut names = Names::new(os);
    names.many();
    if !names.pieces(pieces) {
        return Parts::Unknown;
    }
    let mut parts = names.finish();
    let first_ends = match parts.first() {
        Some(Part::Glob { atoms, .. }) => glob_matches(atoms, ".") || glob_matches(atoms, ".."),
        Some(Part::Name(_) | Part::Deep | Part::Short) | None => false,
    };
    if first_ends {
        // It may be `..`, or nothing but the unknown itself: anything in front says as much.
        parts.remove(0);
    }
    Parts::Below { start: Start::Anywhere, parts, odd: false }
}

/// Collects names out of text and globs.
struct Names {
    os: Os,
    done: Vec<Part>,
    atoms: Vec<Atom>,
    source: String,
    globs: bool,
}

impl Names {
    fn new(os: Os) -> Self {
        Self { os, done: Vec::new(), atoms: Vec::new(), source: String::new(), globs: false }
    }

    fn many(&mut self) {
        self.atoms.push(Atom::Many);
        self.globs = true;
    }

    fn text(&mut self, text: &str) {
        for c in text.chars() {
            if is_separator(c, self.os) {
                self.end_name();
            } else {
                self.atoms.push(Atom::Char(c));
                self.source.push(c);
            }
        }
    }

    /// `false` where a glob is not understood.
    fn pieces(&mut self, pieces: &[Piece]) -> bool {
        for piece in pieces {
            match piece {
                Piece::Text(text) if text.contains('\0') => return false,
                Piece::Text(text) => self.text(text),
                Piece::Glob(glob) => {
                    let Some(atoms) = shell_glob(glob) else { return false };
                    self.atoms.extend(atoms);
                    self.source.push_str(glob);
                    self.globs = true;
                }
                Piece::Unknown { .. } => return false,
            }
        }
        true
    }

    fn end_name(&mut self) {
        let atoms = std::mem::take(&mut self.atoms);
        let source = std::mem::take(&mut self.source);
        let globs = std::mem::take(&mut self.globs);
        if globs && source == "**" {
            self.done.push(Part::Deep);
        } else if globs {
            self.done.push(Part::Glob { atoms, source });
        } else if !source.is_empty() && source != "." {
            self.done.push(Part::Name(source));
        }
    }

    fn finish(mut self) -> Vec<Part> {
        self.end_name();
        self.done
    }
}

/// What a shell's glob matches, or more; `None` where it may match a `/`.
fn shell_glob(glob: &str) -> Option<Vec<Atom>> {
    if glob.contains('/') {
        return None;
    }
    if glob.contains('(') {
        return Some(vec![Atom::Many]);
    }
    let mut atoms = Vec::new();
    let mut rest = glob.chars();
    while let Some(c) = rest.next() {
        atoms.push(match c {
            '*' => Atom::Many,
            '?' => Atom::One,
            '\\' => Atom::Char(rest.next().unwrap_or('\\')),
            '[' => match shell_set(rest.as_str()) {
                Some((atom, more)) => {
                    rest = more.chars();
                    atom
                }
                // A class by name, or a bracket that goes on elsewhere.
                None => return Some(vec![Atom::Many]),
            },
            c => Atom::Char(c),
        });
    }
    Some(atoms)
}

/// A bracket expression, after its `[`. A range depends on the locale, so any character will do for it.
fn shell_set(text: &str) -> Option<(Atom, &str)> {
    let (negated, body) = match text.strip_prefix(['!', '^']) {
        Some(body) => (true, body),
        None => (false, text),
    };
    let close = body.char_indices().skip(1).find(|(_, c)| *c == ']')?.0;
    let (inside, rest) = (body.get(..close)?, body.get(close + 1..)?);
    if inside.contains(['[', '\\']) {
        return None;
    }
    if inside.contains('-') {
        return Some((Atom::One, rest));
    }
    let ranges = inside.chars().map(|c| (c, c)).collect();
    Some((Atom::Set(Set { negated, ranges, folded: false }), rest))
}

/// Names as the system takes them; `None` where they tell nothing.
fn own_names(names: Vec<String>, os: Os, odd: &mut bool) -> Option<Vec<Part>> {
    match os {
        Os::Linux => Some(names.into_iter().map(Part::Name).collect()),
        Os::Macos => {
            // The forks of a file are below it as `..namedfork/data` and `rsrc`.
            let fork = names.iter().position(|n| n.eq_ignore_ascii_case("..namedfork"));
            *odd |= fork.is_some();
            Some(names.into_iter().take(fork.unwrap_or(usize::MAX)).map(Part::Name).collect())
        }
        Os::Windows => names.into_iter().map(|name| windows_name(&name, odd)).collect(),
    }
}

fn windows_name(name: &str, odd: &mut bool) -> Option<Part> {
    if name == ".." {
        return Some(Part::Name(name.to_owned()));
    }
    let base = match name.split_once(':') {
        Some((base, _stream)) => {
            *odd = true;
            base
        }
        None => name,
    };
    let base = base.trim_end_matches(['.', ' ']);
    if base.is_empty() {
        return None;
    }
    let mut after_tilde = base.rsplit_once('~').map(|(_, rest)| rest.chars());
    if after_tilde.as_mut().and_then(Iterator::next).is_some_and(|c| c.is_ascii_digit()) {
        *odd = true;
        return Some(Part::Short);
    }
    Some(Part::Name(base.to_owned()))
}

/// The shape of `parts` below `front`, `..` taken back by the text alone.
pub(super) fn lexical(front: Shape, parts: &[Part]) -> Shape {
    if parts.iter().filter(|p| p.may_climb()).count() > 1 {
        return everything();
    }
    let mut shape = front;
    for part in parts {
        match part {
            Part::Name(name) if name == ".." => match shape.last() {
                // How much `**` stands for is not known, so neither is what is left.
                Some(Component::Any) => shape = everything(),
                Some(Component::Text(_) | Component::Glob(_)) | None => drop(shape.pop()),
            },
            Part::Name(name) => shape.push(Component::Text(name.clone())),
            Part::Glob { atoms, .. } => shape.push(Component::Glob(atoms.clone())),
            Part::Deep => shape.push(Component::Any),
            Part::Short => shape.push(Component::any_name()),
        }
    }
    shape
}
