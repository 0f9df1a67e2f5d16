//! The files that a call names.

mod argument;
mod expand;
mod parts;
mod shape;

use std::sync::OnceLock;

use super::disk::{Disk, Os, Place};
use super::word::Word;
pub(crate) use argument::decode;
pub(crate) use expand::{Below, Expansion};
use parts::{Part, Parts};
pub(crate) use shape::{Atom, Component, Fold, Set, Shape, covers, everything, glob_matches, meets};

/// Longer paths than this are unknown; no system opens them.
const LONGEST: usize = 8192;
/// More cwds than this are one unknown cwd.
const MOST_CWDS: usize = 16;

/// Where a call stands on the disk.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roots {
    /// The folder that relative paths of the call start at.
    pub cwd: String,
    /// The folder of the policy's repository.
    pub workspace: String,
    /// The user's home folder, where it is known.
    pub home: Option<String>,
}

/// How far the use of a path goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extent {
    /// The file or folder itself.
    Itself,
    /// Also what is below it, perhaps (a recursive read: a search leaves files out).
    MayReachBelow,
    /// Also everything below it (a recursive write).
    ReachesBelow,
}

/// A file that a call names, as far as it is known: every place that it may be.
#[derive(Clone, Debug)]
pub struct FilePath {
    shown: String,
    alternatives: Vec<Alternative>,
    os: Os,
}

/// One of the places that a path may be; each is as likely to a reader as the others (a `cd` that may not have run).
#[derive(Clone, Debug)]
pub(crate) struct Alternative {
    pub(crate) spot: Spot,
    pub(crate) expansion: Expansion,
    below: OnceLock<Below>,
}

/// A path as written and as resolved through links. Both are sets of one, unless something is unknown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) written: Shape,
    pub(crate) resolved: Shape,
    /// The path is more than a plain name (a stream of a file), so that an allow never covers it.
    pub(crate) odd: bool,
}

impl Spot {
    fn unknown() -> Self {
        Self { written: everything(), resolved: everything(), odd: false }
    }

    /// Names from the root on, `..` among them: as written they go back lexically, on the disk they follow links.
    fn of_names(root: &str, names: &[String], odd: bool, disk: &dyn Disk) -> Self {
        let written = Place { root: root.to_owned(), names: super::disk::normalise(names.iter().cloned()) };
        let resolved = super::disk::resolve_place(disk, root, names);
        Self { written: shape_of(written), resolved: resolved.map_or_else(everything, shape_of), odd }
    }
}

/// The shapes of `parts` below a root: links are followed up to the first glob.
fn spot_of(root: &str, parts: &[Part], odd: bool, disk: &dyn Disk) -> Spot {
    let head: Vec<String> = parts.iter().map_while(|p| p.name().map(str::to_owned)).collect();
    let tail = parts.get(head.len()..).unwrap_or_default();
    let head = Spot::of_names(root, &head, odd, disk);
    Spot { written: parts::lexical(head.written, tail), resolved: parts::lexical(head.resolved, tail), odd }
}

/// The shape of one place; the root of a drive or share is its first name.
pub(crate) fn shape_of(place: Place) -> Shape {
    let root = (!place.root.is_empty()).then_some(Component::Text(place.root));
    root.into_iter().chain(place.names.into_iter().map(Component::Text)).collect()
}

/// The one place of a shape, where it is one.
pub(crate) fn place_of(shape: &[Component], os: Os) -> Option<Place> {
    let mut names = shape.iter().map(|c| c.text().map(str::to_owned)).collect::<Option<Vec<_>>>()?;
    let root = if os == Os::Windows && !names.is_empty() { names.remove(0) } else { String::new() };
    Some(Place { root, names })
}

impl Alternative {
    fn sure(spot: Spot) -> Self {
        Self { spot, expansion: Expansion::None, below: OnceLock::new() }
    }

    /// Builds the place from a root and what stands below it. `root` is `None` where anything may stand in front.
    fn new(root: Option<&str>, parts: &[Part], odd: bool, disk: &dyn Disk) -> Self {
        let Some(root) = root else {
            // Names in an unknown folder may be links, so nothing is known of where they lead.
            let climbs = parts.iter().any(Part::may_climb);
            let written = if climbs { everything() } else { parts::lexical(everything(), parts) };
            return Self::sure(Spot { written, resolved: everything(), odd });
        };
        let names: Option<Vec<String>> = parts.iter().map(|p| p.name().map(str::to_owned)).collect();
        match names {
            Some(names) => Self::sure(Spot::of_names(root, &names, odd, disk)),
            None => Self::globbed(root, parts, odd, disk),
        }
    }

    fn globbed(root: &str, parts: &[Part], odd: bool, disk: &dyn Disk) -> Self {
        let spot = spot_of(root, parts, odd, disk);
        Self { spot, expansion: expand::expand(root, parts, odd, disk), below: OnceLock::new() }
    }

    /// What is below the place, asked of the disk once.
    pub(crate) fn below(&self, disk: &dyn Disk) -> &Below {
        self.below.get_or_init(|| match &self.expansion {
            Expansion::None => expand::below(std::slice::from_ref(&self.spot), disk),
            Expansion::Listed(spots) => expand::below(spots, disk),
            Expansion::Unlisted(_) | Expansion::TooMany => Below::default(),
        })
    }
}

impl FilePath {
    /// A path of which nothing is known.
    pub fn unknown() -> Self {
        Self { shown: "…".into(), alternatives: vec![Alternative::sure(Spot::unknown())], os: Os::Linux }
    }

    /// A path that a word of a command names. `cwds` are the folders that the command may run in; `None` is one that cannot be told.
    pub fn from_word(word: &Word, cwds: &[Option<String>], disk: &dyn Disk) -> Self {
        let mut path = Self { shown: word.shown(), alternatives: Vec::new(), os: disk.os() };
        path.add(&Parts::of_word(word, disk.os()), cwds, disk);
        path
    }

    /// A path that an argument of a tool names: `~`, `$HOME` and `file:` are understood at its start.
    pub fn from_argument(text: &str, cwds: &[Option<String>], roots: &Roots, disk: &dyn Disk) -> Self {
        let mut path = Self { shown: text.to_owned(), alternatives: Vec::new(), os: disk.os() };
        path.add(&argument::parts(text, roots, disk), cwds, disk);
        // Some tools strip blanks, and others take them as part of the name.
        let trimmed = text.trim();
        if trimmed != text {
            path.add(&argument::parts(trimmed, roots, disk), cwds, disk);
        }
        path
    }

    fn add(&mut self, parts: &Parts, cwds: &[Option<String>], disk: &dyn Disk) {
        let Parts::Below { start, parts, odd } = parts else {
            self.alternatives.push(Alternative::sure(Spot::unknown()));
            return;
        };
        let os = disk.os();
        match start {
            parts::Start::Root(root) => {
                self.alternatives.push(Alternative::new(Some(root), parts, *odd, disk));
            }
            parts::Start::Anywhere => self.alternatives.push(Alternative::new(None, parts, *odd, disk)),
            parts::Start::Cwd | parts::Start::ThisDrive => {
                let unknown = [None];
                for cwd in if cwds.is_empty() { unknown.as_slice() } else { cwds } {
                    let cwd = cwd.as_deref().map(|cwd| super::disk::split(cwd, os));
                    let (root, mut all) = match (cwd, start) {
                        (Some((super::disk::Start::Root(root), _)), parts::Start::ThisDrive) => {
                            (Some(root), Vec::new())
                        }
                        (Some((super::disk::Start::Root(root), names)), _) => {
                            (Some(root), names.into_iter().map(Part::Name).collect())
                        }
                        _ => (None, Vec::new()),
                    };
                    all.extend(parts.iter().cloned());
                    self.alternatives.push(Alternative::new(root.as_deref(), &all, *odd, disk));
                }
            }
        }
    }

    /// The same path on another machine or in a container: an allow never covers it.
    #[must_use]
    pub fn elsewhere(mut self) -> Self {
        for alternative in &mut self.alternatives {
            alternative.spot.odd = true;
        }
        self
    }

    /// Whether it is surely `folder` or below it, as written and as resolved.
    pub fn is_inside(&self, folder: &str, disk: &dyn Disk) -> bool {
        let within = |path: Option<String>, folder: &str| {
            let folder = folder.trim_end_matches('/');
            path.is_some_and(|path| {
                path == folder || path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
            })
        };
        let real = super::disk::resolve(disk, folder).unwrap_or_else(|| folder.to_owned());
        !folder.is_empty()
            && !self.alternatives.is_empty()
            && self.alternatives.iter().all(|alternative| {
                let place = |shape: &Shape| place_of(shape, self.os).map(|place| place.path());
                !alternative.spot.odd
                    && within(place(&alternative.spot.written), folder)
                    && within(place(&alternative.spot.resolved), &real)
            })
    }

    /// The places that it may be.
    pub(crate) fn alternatives(&self) -> &[Alternative] {
        &self.alternatives
    }

    /// For messages: as it was written, with `…` for what is not known.
    pub fn shown(&self) -> &str {
        &self.shown
    }

    /// The absolute path as written, normalised, where it is certain.
    pub fn written(&self) -> Option<String> {
        self.single(|spot| &spot.written)
    }

    /// The path that its links lead to, where it is certain.
    pub fn resolved(&self) -> Option<String> {
        self.single(|spot| &spot.resolved)
    }

    fn single(&self, which: impl Fn(&Spot) -> &Shape) -> Option<String> {
        let [one] = self.alternatives.as_slice() else { return None };
        place_of(which(&one.spot), self.os).map(|place| place.path())
    }
}

/// The folders that a command may run in after a `cd` to `target` (also `git -C`, `env -C`), from those that it may run in before.
///
/// A shell takes `..` back by the text and other programs by the disk; where the two differ, both are given.
pub fn change_folder(cwds: &[Option<String>], target: &Word, disk: &dyn Disk) -> Vec<Option<String>> {
    let mut after: Vec<Option<String>> = Vec::new();
    let mut add = |cwd: Option<String>| {
        if !after.contains(&cwd) {
            after.push(cwd);
        }
    };
    if target.pieces.is_empty() {
        cwds.iter().cloned().for_each(&mut add);
    } else {
        for cwd in cwds {
            let path = FilePath::from_word(target, std::slice::from_ref(cwd), disk);
            let written = path.written();
            if target.literal().is_some_and(|t| t.split(['/', '\\']).any(|n| n == "..")) {
                let resolved = path.resolved();
                let same = written.as_ref().and_then(|w| super::disk::resolve(disk, w)) == resolved;
                if !same {
                    add(resolved);
                }
            }
            add(written);
        }
    }
    if after.is_empty() || after.len() > MOST_CWDS { vec![None] } else { after }
}

/// Whether the disk says that a word's globs match nothing in `cwd`, so that a shell leaves the word as it is.
pub fn matches_nothing(word: &Word, cwd: &str, disk: &dyn Disk) -> bool {
    let Parts::Below { start: parts::Start::Cwd, parts, .. } = Parts::of_word(word, disk.os()) else {
        return false;
    };
    let (super::disk::Start::Root(root), names) = super::disk::split(cwd, disk.os()) else { return false };
    let all: Vec<Part> = names.into_iter().map(Part::Name).chain(parts).collect();
    expand::gives_nothing(&root, &all, disk)
}

/// Whether names of the system are separated at this character.
pub(crate) fn is_separator(c: char, os: Os) -> bool {
    c == '/' || os == Os::Windows && c == '\\'
}
