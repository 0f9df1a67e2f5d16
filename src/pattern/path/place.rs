//! Patterns put on the disk of a call.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

use super::{Base, Branch, Form, Reading};
use crate::facts::disk::{self, Disk, Os, Place};
use crate::facts::path::{Component, Fold, Roots, Shape, everything, shape_of};

/// What matching needs to know of the call: its folders and the disk.
pub struct PathContext<'a> {
    pub(super) disk: &'a dyn Disk,
    roots: Roots,
    workspace: OnceCell<Option<Ground>>,
    home: OnceCell<Option<Ground>>,
    /// Where the literal heads of patterns lead, asked once.
    heads: RefCell<HashMap<Place, Option<Place>>>,
    /// Patterns that were put on the disk, by their text.
    placed: RefCell<HashMap<(Form, Reading), Placed>>,
}

/// What patterns are on the disk, by their text.
type Placed = HashMap<String, Rc<[Target]>>;

/// A folder as it is written and as its links resolve.
struct Ground {
    written: Place,
    resolved: Option<Place>,
}

impl Ground {
    fn new(path: &str, disk: &dyn Disk) -> Option<Self> {
        let written = Place::absolute(path, disk.os())?;
        let resolved = disk::resolve_place(disk, &written.root, &written.names);
        Some(Self { written, resolved })
    }
}

impl<'a> PathContext<'a> {
    /// The context of one call.
    pub fn new(roots: &Roots, disk: &'a dyn Disk) -> Self {
        Self {
            disk,
            roots: roots.clone(),
            workspace: OnceCell::new(),
            home: OnceCell::new(),
            heads: RefCell::default(),
            placed: RefCell::default(),
        }
    }

    fn workspace(&self) -> Option<&Ground> {
        self.workspace.get_or_init(|| Ground::new(&self.roots.workspace, self.disk)).as_ref()
    }

    fn home(&self) -> Option<&Ground> {
        let home = || self.roots.home.as_deref().and_then(|home| Ground::new(home, self.disk));
        self.home.get_or_init(home).as_ref()
    }

    /// The targets of a pattern with this form and text, read so; `place` finds them the first time.
    pub(super) fn placed(
        &self,
        how: (Form, Reading),
        text: &str,
        place: impl FnOnce() -> Vec<Target>,
    ) -> Rc<[Target]> {
        if let Some(known) = self.placed.borrow().get(&how).and_then(|of| of.get(text)) {
            return Rc::clone(known);
        }
        let targets: Rc<[Target]> = place().into();
        self.placed.borrow_mut().entry(how).or_default().insert(text.to_owned(), Rc::clone(&targets));
        targets
    }

    pub(super) fn fold(&self, reading: Reading) -> Fold {
        Fold {
            case: self.disk.case_insensitive(),
            unicode: self.disk.normalizes_unicode(),
            coarse: reading == Reading::Broad,
        }
    }

    fn resolve(&self, place: &Place) -> Option<Place> {
        if let Some(known) = self.heads.borrow().get(place) {
            return known.clone();
        }
        let resolved = disk::resolve_place(self.disk, &place.root, &place.names);
        self.heads.borrow_mut().insert(place.clone(), resolved.clone());
        resolved
    }
}

/// A pattern placed on the disk.
pub(super) struct Target {
    pub(super) shape: Shape,
    /// Where it stands is not known, so that it matches at most possibly.
    pub(super) unsure: bool,
}

/// Puts a branch on the disk: as written, and where its head leads.
pub(super) fn place_branch(
    branch: &Branch,
    form: Form,
    reading: Reading,
    fold: Fold,
    context: &PathContext<'_>,
    targets: &mut Vec<Target>,
) {
    let os = context.disk.os();
    let names = branch.names(fold);
    let windows = os == Os::Windows;
    let needs_name = form == Form::Glob && reading == Reading::Narrow && branch.ends_deep;
    let mut add = |shape: Shape, unsure: bool| targets.push(Target { shape, unsure });
    match (&branch.base, reading) {
        // `**/x` is at any depth of the whole disk, and `/**` is all of it.
        (Base::Workspace, Reading::Broad) if branch.starts_deep && form == Form::Glob => {
            return add(everything().into_iter().chain(names.iter().cloned()).collect(), false);
        }
        (Base::Root, _) if names == [Component::Any] => return add(everything(), false),
        (Base::Root, _) if branch.starts_deep => {
            let names = trailing(names, needs_name);
            return add(everything().into_iter().chain(names).collect(), false);
        }
        (Base::Root, Reading::Broad) if windows => {
            let any_drive = [Component::any_name()];
            add(any_drive.into_iter().chain(trailing(names, needs_name)).collect(), false);
        }
        _ => {}
    }
    let root = |root: &str| Ground {
        written: Place { root: root.to_owned(), names: Vec::new() },
        resolved: Some(Place { root: root.to_owned(), names: Vec::new() }),
    };
    let made;
    // Where there are no drives and shares, their names are folders.
    let mut folders: Vec<String> = Vec::new();
    let ground = match &branch.base {
        Base::Root if windows => {
            made = context.workspace().map(|w| root(&w.written.root));
            made.as_ref()
        }
        Base::Root => {
            made = Some(root(""));
            made.as_ref()
        }
        Base::Drive(drive) if windows => {
            made = Some(root(drive));
            made.as_ref()
        }
        Base::Drive(drive) => {
            folders.push(drive.clone());
            context.workspace()
        }
        Base::Share(server, share) if windows => {
            made = Some(root(&format!("//{}/{}", server.to_lowercase(), share.to_lowercase())));
            made.as_ref()
        }
        Base::Share(server, share) => {
            folders.extend([server.clone(), share.clone()]);
            made = Some(root(""));
            made.as_ref()
        }
        Base::Home => context.home(),
        Base::Workspace => context.workspace(),
    };
    let Some(ground) = ground else {
        let tail = trailing(names, needs_name);
        return add(everything().into_iter().chain(tail).collect(), true);
    };
    let head: Vec<String> = folders
        .into_iter()
        .chain(branch.names.iter().map_while(|name| name.text().map(str::to_owned)))
        .collect();
    let literal = branch.names.iter().take_while(|name| name.text().is_some()).count();
    let rest = trailing(names.get(literal..).unwrap_or_default(), needs_name);
    // The pattern `**` alone is the workspace, itself too; a folder's `dir/**` is that only in deny and ask.
    let rest = if head.is_empty() && branch.base == Base::Workspace && names == [Component::Any] {
        everything()
    } else {
        rest
    };
    let fixed = matches!(branch.base, Base::Workspace | Base::Drive(_)) && reading == Reading::Narrow;
    let mut places: Vec<Place> = Vec::new();
    let mut unsure_place = false;
    for from in [Some(&ground.written), ground.resolved.as_ref()].into_iter().flatten() {
        let all = from.names.iter().chain(&head).cloned();
        let written = Place { root: from.root.clone(), names: disk::normalise(all.clone()) };
        if !fixed {
            match resolve_head(
                &Place { root: from.root.clone(), names: all.collect() },
                &rest,
                reading,
                context,
            ) {
                Some(resolved) => push_new(&mut places, resolved),
                // A head that leads nobody knows where: it may be anywhere.
                None => unsure_place = true,
            }
        }
        push_new(&mut places, written);
    }
    for place in places {
        let shape = fold.shape(&shape_of(place)).iter().cloned().chain(rest.iter().cloned()).collect();
        add(shape, false);
    }
    if unsure_place {
        add(everything().into_iter().chain(rest).collect(), true);
    }
}

fn push_new(places: &mut Vec<Place>, place: Place) {
    if !places.contains(&place) {
        places.push(place);
    }
}

/// Where the literal head of a pattern leads. In allow the last name of a pattern without globs stays as written: it is the file.
fn resolve_head(
    head: &Place,
    rest: &[Component],
    reading: Reading,
    context: &PathContext<'_>,
) -> Option<Place> {
    let file = if rest.is_empty() && reading == Reading::Narrow { head.names.last() } else { None };
    match file {
        Some(file) if file != ".." => {
            let folder = head.names.iter().take(head.names.len() - 1).cloned().collect();
            let mut place = context.resolve(&Place { root: head.root.clone(), names: folder })?;
            place.names.push(file.clone());
            Some(place)
        }
        Some(_) | None => context.resolve(head),
    }
}

/// What stands after the head: in allow a last `**` is one name at least.
fn trailing(names: &[Component], needs_name: bool) -> Vec<Component> {
    let mut names = names.to_vec();
    if needs_name {
        let at = names.len().saturating_sub(1);
        names.insert(at, Component::any_name());
    }
    names
}
