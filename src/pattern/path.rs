//! Path patterns, and folders that a path is inside or outside of.

mod parse;
mod place;

use std::rc::Rc;
use std::sync::OnceLock;

use super::{PatternError, Reading, Tri};
use crate::facts::disk::Disk;
use crate::facts::path::{Alternative, Component, Expansion, Extent, FilePath, Fold, Spot, covers, meets};
pub use place::PathContext;
use place::{Target, place_branch};

/// A compiled path pattern.
#[derive(Clone, Debug)]
pub struct PathPattern {
    text: String,
    form: Form,
    branches: Vec<Branch>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Form {
    /// What the text matches.
    Glob,
    /// The folder and everything in it.
    Inside,
    /// Everything else.
    Outside,
}

/// What a pattern is relative to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Base {
    Root,
    /// `C:` and the like; a folder of the workspace where there are no drives.
    Drive(String),
    /// `//server/share` of Windows; folders at the root where there are no shares.
    Share(String, String),
    Home,
    Workspace,
}

/// A pattern without braces.
#[derive(Clone, Debug)]
struct Branch {
    base: Base,
    /// The names below the base. `..` stands only at the front, where it goes up from the base.
    names: Vec<Component>,
    /// Written with `**` in front.
    starts_deep: bool,
    /// Written with `**` at the end.
    ends_deep: bool,
    folded: [OnceLock<Vec<Component>>; 8],
}

impl Branch {
    fn new(base: Base, names: Vec<Component>) -> Self {
        let starts_deep = names.first() == Some(&Component::Any);
        let ends_deep = names.last() == Some(&Component::Any);
        Self { base, names: canonical(names), starts_deep, ends_deep, folded: Default::default() }
    }

    fn names(&self, fold: Fold) -> &[Component] {
        match self.folded.get(fold.index()) {
            Some(cell) if !fold.is_none() => cell.get_or_init(|| fold.shape(&self.names).into_owned()),
            Some(_) | None => &self.names,
        }
    }
}

impl PathPattern {
    /// Compiles `text`. The error's place is in bytes of `text`.
    pub fn parse(text: &str) -> Result<Self, PatternError> {
        let branches = parse::parse(text)?;
        Ok(Self { text: text.to_owned(), form: Form::Glob, branches })
    }

    /// The folder `dir` and everything in it; `.` is the workspace.
    pub fn inside(dir: &str) -> Result<Self, PatternError> {
        Self::folder(dir, Form::Inside)
    }

    /// Everything but the folder `dir` and what is in it.
    pub fn outside(dir: &str) -> Result<Self, PatternError> {
        Self::folder(dir, Form::Outside)
    }

    fn folder(dir: &str, form: Form) -> Result<Self, PatternError> {
        let mut branches = parse::parse_folder(dir)?;
        for branch in &mut branches {
            *branch =
                Branch { starts_deep: false, ..Branch::new(branch.base.clone(), with_any(&branch.names)) };
        }
        Ok(Self { text: dir.to_owned(), form, branches })
    }

    /// As it was written.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether it matches a file that a call uses.
    ///
    /// Broad: the written or the resolved path, any place that it may be. Narrow: both, and every place.
    pub fn matches(
        &self,
        path: &FilePath,
        extent: Extent,
        reading: Reading,
        context: &PathContext<'_>,
    ) -> Tri {
        let matcher = Matcher::new(self, reading, context);
        let answers = path.alternatives().iter().map(|alternative| matcher.alternative(alternative, extent));
        match reading {
            Reading::Broad => answers.max().unwrap_or(Tri::Possibly),
            Reading::Narrow => answers.min().unwrap_or(Tri::Possibly),
        }
    }
}

/// One pattern, placed for one reading.
struct Matcher<'a> {
    reading: Reading,
    /// For [`Form::Outside`]: the targets are what is inside, read the other way, and the answer is turned round.
    outside: bool,
    fold: Fold,
    targets: Rc<[Target]>,
    disk: &'a dyn Disk,
}

impl<'a> Matcher<'a> {
    fn new(pattern: &PathPattern, reading: Reading, context: &PathContext<'a>) -> Self {
        let outside = pattern.form == Form::Outside;
        let placed = if outside { opposite(reading) } else { reading };
        let fold = context.fold(placed);
        let targets = context.placed((pattern.form, placed), &pattern.text, || {
            let mut targets = Vec::new();
            for branch in &pattern.branches {
                place_branch(branch, pattern.form, placed, fold, context, &mut targets);
            }
            targets
        });
        Self { reading, outside, fold, targets, disk: context.disk }
    }

    /// How a set of paths stands to the pattern.
    fn shape(&self, shape: &[Component]) -> Tri {
        let shape = self.fold.shape(shape);
        let mut tri = Tri::No;
        for target in self.targets.iter() {
            if tri == Tri::Yes {
                break;
            }
            tri = tri.or(if !target.unsure && covers_either_way(&target.shape, &shape) {
                Tri::Yes
            } else if meets(&target.shape, &shape) {
                Tri::Possibly
            } else {
                Tri::No
            });
        }
        if self.outside { !tri } else { tri }
    }

    fn spot(&self, spot: &Spot) -> Tri {
        let written = self.shape(&spot.written);
        let both = if spot.resolved == spot.written {
            written
        } else {
            let resolved = self.shape(&spot.resolved);
            match self.reading {
                Reading::Broad => written.or(resolved),
                Reading::Narrow => written.and(resolved),
            }
        };
        self.unless_odd(both, spot.odd)
    }

    /// What is no plain path is never surely covered, and so it may always be outside.
    fn unless_odd(&self, tri: Tri, odd: bool) -> Tri {
        match self.reading {
            Reading::Narrow if odd => tri.and(Tri::Possibly),
            Reading::Broad if odd && self.outside => tri.or(Tri::Possibly),
            Reading::Broad | Reading::Narrow => tri,
        }
    }

    fn alternative(&self, alternative: &Alternative, extent: Extent) -> Tri {
        let itself = self.expanded(alternative, |spot| self.spot(spot));
        match (extent, self.reading) {
            (Extent::Itself, _) => itself,
            (Extent::MayReachBelow | Extent::ReachesBelow, Reading::Broad) => {
                if itself == Tri::Yes {
                    itself
                } else {
                    itself.or(self.below_broad(alternative, extent))
                }
            }
            (Extent::MayReachBelow | Extent::ReachesBelow, Reading::Narrow) => {
                let all = itself.and(self.expanded(alternative, |spot| self.spot(&with_below(spot))));
                if all == Tri::Yes { self.below_narrow(alternative) } else { all }
            }
        }
    }

    /// The answer over all names that a glob gives.
    fn expanded(&self, alternative: &Alternative, spot: impl Fn(&Spot) -> Tri) -> Tri {
        let by_shape = spot(&alternative.spot);
        let names = match &alternative.expansion {
            Expansion::None => return by_shape,
            Expansion::TooMany if self.reading == Reading::Broad => return by_shape.or(Tri::Possibly),
            Expansion::TooMany => return by_shape.and(Tri::Possibly),
            Expansion::Unlisted(spots) if spots.is_empty() => return by_shape,
            Expansion::Unlisted(spots) => group(spots.iter().map(&spot).chain([by_shape])),
            Expansion::Listed(spots) => group(spots.iter().map(&spot)),
        };
        let listed = matches!(alternative.expansion, Expansion::Listed(_));
        match (by_shape, names, self.reading) {
            // Every name that there may be is denied, whatever it links to.
            (Tri::Yes, _, Reading::Broad) if listed => Tri::Yes,
            (Tri::Yes, Tri::Yes, _) => Tri::Yes,
            (_, Tri::No, Reading::Broad) | (Tri::No, Tri::No, Reading::Narrow) => Tri::No,
            _ => Tri::Possibly,
        }
    }

    fn below_broad(&self, alternative: &Alternative, extent: Extent) -> Tri {
        let by_shape = self.expanded(alternative, |spot| self.spot(&with_below(spot)));
        let below = alternative.below(self.disk);
        let mut seen = Tri::No;
        for found in &below.found {
            // Only a link leads out of what the shape says of everything below.
            if by_shape == Tri::No && !found.link {
                continue;
            }
            // Whether a walk follows a link that it meets is not known.
            let hit = if found.link {
                self.shape(&found.spot.written).or(self.shape(&found.spot.resolved).and(Tri::Possibly))
            } else {
                self.spot(&found.spot)
            };
            let sure = extent == Extent::ReachesBelow && !globbed(alternative);
            seen = seen.or(if sure { hit } else { hit.and(Tri::Possibly) });
            if seen == Tri::Yes {
                return seen;
            }
        }
        if below.complete { seen } else { seen.or(by_shape.and(Tri::Possibly)) }
    }

    /// Everything is covered by the text; a link below may yet lead elsewhere.
    fn below_narrow(&self, alternative: &Alternative) -> Tri {
        let below = alternative.below(self.disk);
        let leads_out = |spot: &Spot| self.spot(spot) != Tri::Yes;
        if below.found.iter().any(|f| f.link && leads_out(&f.spot)) { Tri::Possibly } else { Tri::Yes }
    }
}

fn globbed(alternative: &Alternative) -> bool {
    !matches!(alternative.expansion, Expansion::None)
}

fn with_below(spot: &Spot) -> Spot {
    let mut spot = spot.clone();
    spot.written.push(Component::Any);
    spot.resolved.push(Component::Any);
    spot
}

/// Some of these, nobody knows which: sure only where they agree.
fn group(answers: impl Iterator<Item = Tri>) -> Tri {
    answers.reduce(|a, b| if a == b { a } else { Tri::Possibly }).unwrap_or(Tri::Possibly)
}

fn opposite(reading: Reading) -> Reading {
    match reading {
        Reading::Broad => Reading::Narrow,
        Reading::Narrow => Reading::Broad,
    }
}

fn with_any(names: &[Component]) -> Vec<Component> {
    names.iter().cloned().chain([Component::Any]).collect()
}

/// Puts the `*` of a run of `*` and `**` in front, and leaves one `**`: the run matches the same.
fn canonical(names: Vec<Component>) -> Vec<Component> {
    let mut out: Vec<Component> = Vec::new();
    let mut deep = false;
    for name in names {
        if name == Component::Any {
            deep = true;
            continue;
        }
        if deep && name != Component::any_name() {
            out.push(Component::Any);
            deep = false;
        }
        out.push(name);
    }
    if deep {
        out.push(Component::Any);
    }
    out
}

/// [`covers`], whichever way round the pattern's last `*` and `**` stand.
fn covers_either_way(pattern: &[Component], shape: &[Component]) -> bool {
    if covers(pattern, shape) {
        return true;
    }
    let [front @ .., name, Component::Any] = pattern else { return false };
    let plain = |c: &Component| c.text().is_some();
    if *name != Component::any_name() || shape.iter().all(plain) {
        return false;
    }
    let turned: Vec<Component> = front.iter().chain([&Component::Any, name]).cloned().collect();
    covers(&turned, shape)
}

#[cfg(test)]
mod tests;
