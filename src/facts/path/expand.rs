//! What a disk says of a glob, and of what is below a folder.

use std::collections::VecDeque;

use super::super::disk::{Disk, Kind, Place, resolve_place};
use super::parts::Part;
use super::shape::{Component, Fold, Shape, glob_matches};
use super::{Spot, place_of, shape_of};

/// More names than this are not gone through for a glob.
const MOST_NAMES: usize = 1000;
/// More names than this are not listed for a glob.
const MOST_LISTED: usize = 10_000;
/// More entries than this are not gone through below a folder.
const MOST_ENTRIES: usize = 2000;

/// The names that a glob gives.
#[derive(Clone, Debug)]
pub(crate) enum Expansion {
    /// There is no glob.
    None,
    /// The disk cannot say. These it may give beside the names that its shape tells: `.*` may be `..`.
    Unlisted(Vec<Spot>),
    /// These, or some of them, now.
    Listed(Vec<Spot>),
    /// Too many to look at, so that where they lead is unknown.
    TooMany,
}

/// Something below a folder.
#[derive(Clone, Debug)]
pub(crate) struct Found {
    pub(crate) spot: Spot,
    /// It is a link, so that a walk may or may not follow it.
    pub(crate) link: bool,
}

/// What is below a folder.
#[derive(Clone, Debug, Default)]
pub(crate) struct Below {
    pub(crate) found: Vec<Found>,
    /// There is nothing else.
    pub(crate) complete: bool,
}

/// Asks the disk which names a glob gives.
pub(super) fn expand(root: &str, parts: &[Part], odd: bool, disk: &dyn Disk) -> Expansion {
    match names(root, parts, disk) {
        Ok(all) => {
            let spot = |names: &Vec<String>| Spot::of_names(root, names, odd, disk);
            let mut spots: Vec<Spot> = all.iter().map(spot).collect();
            if spots.is_empty() {
                // A shell leaves a glob that matches nothing as it is.
                spots.push(spot(&as_written(parts)));
            }
            Expansion::Listed(spots)
        }
        Err(Stop::TooMany) => Expansion::TooMany,
        Err(Stop::CannotTell) => Expansion::Unlisted(others(root, parts, odd, disk)),
    }
}

/// Whether a shell lets a glob give the name: one with a dot in front only to a glob that has the dot, too.
fn shown_by(glob: &str, name: &str) -> bool {
    !name.starts_with('.') || glob.starts_with('.')
}

/// Whether the disk says that a glob gives no name.
pub(super) fn gives_nothing(root: &str, parts: &[Part], disk: &dyn Disk) -> bool {
    names(root, parts, disk).is_ok_and(|all| all.is_empty())
}

/// The places that an unlisted glob may give beside its names: those with `.` or `..` for the one part that may be so, and the
/// glob itself where it is none of its own names.
fn others(root: &str, parts: &[Part], odd: bool, disk: &dyn Disk) -> Vec<Spot> {
    let mut spots = Vec::new();
    if let Some(at) = parts.iter().position(Part::may_climb) {
        let (front, after) = (parts.iter().take(at), parts.iter().skip(at + 1));
        let up = Part::Name("..".into());
        let climbed: Vec<Part> = front.clone().chain([&up]).chain(after.clone()).cloned().collect();
        let stayed: Vec<Part> = front.chain(after).cloned().collect();
        spots.extend([climbed, stayed].map(|parts| super::spot_of(root, &parts, odd, disk)));
    }
    let own_name = |part: &Part| match part {
        Part::Glob { atoms, source } => glob_matches(atoms, source),
        Part::Name(_) | Part::Deep | Part::Short => true,
    };
    if !parts.iter().all(own_name) {
        spots.push(Spot::of_names(root, &as_written(parts), odd, disk));
    }
    spots
}

fn as_written(parts: &[Part]) -> Vec<String> {
    parts
        .iter()
        .map(|part| match part {
            Part::Name(name) | Part::Glob { source: name, .. } => name.clone(),
            Part::Deep => "**".into(),
            Part::Short => "*".into(),
        })
        .collect()
}

enum Stop {
    CannotTell,
    TooMany,
}

fn names(root: &str, parts: &[Part], disk: &dyn Disk) -> Result<Vec<Vec<String>>, Stop> {
    let fold = Fold { case: disk.case_insensitive(), unicode: disk.normalizes_unicode(), coarse: true };
    let mut budget = MOST_LISTED;
    let mut all: Vec<Vec<String>> = vec![Vec::new()];
    let mut globbed = false;
    for part in parts {
        let mut next = Vec::new();
        match part {
            Part::Name(name) => {
                for names in &mut all {
                    names.push(name.clone());
                }
                if globbed && name != ".." {
                    all.retain(|names| exists(root, names, disk));
                }
                continue;
            }
            Part::Glob { atoms, source } => {
                globbed = true;
                let glob = Component::Glob(atoms.clone());
                let glob = fold.component(&glob);
                let Component::Glob(atoms) = &*glob else { return Err(Stop::CannotTell) };
                for names in &all {
                    let listed = list(root, names, disk, &mut budget)?;
                    let dots = [".".to_owned(), "..".to_owned()].into_iter().filter(|_| part.may_climb());
                    for name in listed
                        .into_iter()
                        .chain(dots)
                        .filter(|n| shown_by(source, n) && glob_matches(atoms, &fold.text(n)))
                    {
                        let keep = name != ".";
                        next.push(names.iter().cloned().chain(keep.then_some(name)).collect());
                    }
                    within_bounds(&next)?;
                }
            }
            Part::Deep => {
                globbed = true;
                let mut left: VecDeque<Vec<String>> = all.drain(..).collect();
                while let Some(names) = left.pop_front() {
                    if is_folder(root, &names, disk)? {
                        for name in list(root, &names, disk, &mut budget)? {
                            left.push_back(names.iter().cloned().chain([name]).collect());
                        }
                    }
                    next.push(names);
                    within_bounds(&next)?;
                    if left.len() > MOST_ENTRIES {
                        return Err(Stop::TooMany);
                    }
                }
            }
            Part::Short => return Err(Stop::CannotTell),
        }
        all = next;
    }
    Ok(all)
}

fn within_bounds(names: &[Vec<String>]) -> Result<(), Stop> {
    if names.len() > MOST_NAMES { Err(Stop::TooMany) } else { Ok(()) }
}

fn place(root: &str, names: &[String], disk: &dyn Disk) -> Result<Place, Stop> {
    resolve_place(disk, root, names).ok_or(Stop::TooMany)
}

fn list(root: &str, names: &[String], disk: &dyn Disk, budget: &mut usize) -> Result<Vec<String>, Stop> {
    let path = place(root, names, disk)?.path();
    let listed = disk.list(&path).ok_or(Stop::CannotTell)?;
    *budget = budget.checked_sub(listed.len()).ok_or(Stop::TooMany)?;
    // A folder that is not there may come to be before the glob is expanded.
    if listed.is_empty() && disk.kind(&path) == Some(Kind::Missing) {
        return Err(Stop::CannotTell);
    }
    Ok(listed)
}

/// Whether `**` goes down here: not through links.
fn is_folder(root: &str, names: &[String], disk: &dyn Disk) -> Result<bool, Stop> {
    let path = Place { root: root.to_owned(), names: names.to_vec() }.path();
    match disk.kind(&path).ok_or(Stop::CannotTell)? {
        Kind::Folder => Ok(true),
        Kind::File | Kind::Link | Kind::Missing => Ok(false),
    }
}

/// As a shell looks: a link is there, wherever it leads.
fn exists(root: &str, names: &[String], disk: &dyn Disk) -> bool {
    let Some((name, folder)) = names.split_last() else { return true };
    let Some(mut place) = resolve_place(disk, root, folder) else { return true };
    place.names.push(name.clone());
    disk.kind(&place.path()) != Some(Kind::Missing)
}

/// Goes through what is below some places, the nearest first.
pub(super) fn below(spots: &[Spot], disk: &dyn Disk) -> Below {
    let mut below = Below { found: Vec::new(), complete: true };
    let mut left: VecDeque<(Shape, Place)> = VecDeque::new();
    for spot in spots {
        let Some(place) = place_of(&spot.resolved, disk.os()) else {
            below.complete = false;
            continue;
        };
        match disk.kind(&place.path()) {
            Some(Kind::File) => {}
            Some(Kind::Folder) | None => left.push_back((spot.written.clone(), place)),
            // What is not there yet may come to be before it is used.
            Some(Kind::Missing | Kind::Link) => below.complete = false,
        }
    }
    while let Some((written, place)) = left.pop_front() {
        let Some(names) = disk.list(&place.path()) else {
            below.complete = false;
            continue;
        };
        for name in names {
            if below.found.len() >= MOST_ENTRIES {
                below.complete = false;
                return below;
            }
            let mut written = written.clone();
            written.push(Component::Text(name.clone()));
            let mut entry = place.clone();
            entry.names.push(name);
            let kind = disk.kind(&entry.path());
            let text = !written
                .last()
                .and_then(Component::text)
                .is_some_and(|n| n.contains(char::REPLACEMENT_CHARACTER));
            let link = kind == Some(Kind::Link) || !text;
            let spot = if link {
                Spot { written, ..Spot::of_names(&entry.root, &entry.names, false, disk) }
            } else {
                Spot { written, resolved: shape_of(entry.clone()), odd: false }
            };
            match kind {
                Some(Kind::Folder) => left.push_back((spot.written.clone(), entry)),
                Some(Kind::File | Kind::Link | Kind::Missing) => {}
                None => below.complete = false,
            }
            below.found.push(Found { spot, link });
        }
    }
    below
}
