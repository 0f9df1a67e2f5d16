//! The block from `*** Begin Patch` to `*** End Patch`, alone or fed to `apply_patch` by a heredoc.

use super::{Found, lines};

const BEGIN: &str = "*** Begin Patch";
const END: &str = "*** End Patch";
const ADD: &str = "*** Add File:";
const UPDATE: &str = "*** Update File:";
const DELETE: &str = "*** Delete File:";
const MOVE: &str = "*** Move to:";
const END_OF_FILE: &str = "*** End of File";

/// Whether some line belongs to this family and to no diff. A line of a diff's hunk cannot: `*` stands at the start of none.
pub(super) fn is_one(text: &str) -> bool {
    let marks = [BEGIN, ADD, UPDATE, DELETE];
    lines(text).any(|line| {
        let line = line.trim_start();
        line.starts_with("***") && marks.iter().any(|mark| line.starts_with(mark))
    })
}

/// Where in the text a line stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// Before the block.
    Before,
    /// In the block, after a line that content cannot follow.
    Between,
    /// Right after `*** Update File:`, where `*** Move to:` may stand.
    UpdateHead,
    /// In the changes of a file.
    Update,
    /// In the content of a new file.
    Add,
    /// After the block.
    After,
}

pub(super) fn read(text: &str, found: &mut Found) {
    let mut place = Place::Before;
    let mut heredoc: Option<Heredoc> = None;
    for line in lines(text) {
        place = match place {
            Place::Before => before(line, &mut heredoc, found),
            Place::After => after(line, &mut heredoc, found),
            Place::Between | Place::UpdateHead | Place::Update | Place::Add => inside(line, place, found),
        };
    }
    if place != Place::After {
        found.doubt();
    }
    match heredoc {
        None => {}
        Some(heredoc) if heredoc.closed && (heredoc.quoted || !text.contains(['$', '`', '\\'])) => {}
        // Without its end the shell and the program may not agree on where the patch ends; unquoted, the shell changes the text first.
        Some(_) => found.doubt(),
    }
}

fn before(line: &str, heredoc: &mut Option<Heredoc>, found: &mut Found) -> Place {
    if line.trim() == BEGIN {
        if line != BEGIN {
            found.doubt();
        }
        return Place::Between;
    }
    if line.trim().is_empty() {
        return Place::Before;
    }
    match Heredoc::parse(line) {
        Some(new) if heredoc.is_none() => *heredoc = Some(new),
        Some(_) | None => {
            found.doubt();
            header(line.trim_start(), found);
        }
    }
    Place::Before
}

fn after(line: &str, heredoc: &mut Option<Heredoc>, found: &mut Found) -> Place {
    match heredoc {
        Some(open) if !open.closed && line == open.end => open.closed = true,
        Some(_) | None if line.trim().is_empty() => {}
        Some(_) | None => {
            // More text, or another block: some programs read on, some stop here, some refuse.
            found.doubt();
            if line.trim() == BEGIN {
                return Place::Between;
            }
            header(line.trim_start(), found);
        }
    }
    Place::After
}

fn inside(line: &str, place: Place, found: &mut Found) -> Place {
    let content = match place {
        Place::Add => line.starts_with('+'),
        Place::Update => line.starts_with([' ', '+', '-']) || line.starts_with("@@") || line == END_OF_FILE,
        Place::UpdateHead => line.starts_with([' ', '+', '-']) || line.starts_with("@@"),
        Place::Before | Place::Between | Place::After => false,
    };
    if content {
        return if place == Place::UpdateHead { Place::Update } else { place };
    }
    let trimmed = line.trim();
    if trimmed.is_empty() {
        return place;
    }
    if line.starts_with(char::is_whitespace) {
        // A header for those that trim lines, content or an error for others.
        found.doubt();
    }
    if trimmed == END {
        return Place::After;
    }
    let line = line.trim_start();
    if let Some(name) = line.strip_prefix(MOVE) {
        if place != Place::UpdateHead {
            found.doubt();
        }
        let name = spaced(name, found);
        found.write(name);
        return Place::Update;
    }
    if let Some(next) = header(line, found) {
        return next;
    }
    found.doubt();
    place
}

/// A line that names a file, and what follows it.
fn header(line: &str, found: &mut Found) -> Option<Place> {
    if let Some(name) = line.strip_prefix(ADD) {
        let name = spaced(name, found);
        found.write(name);
        Some(Place::Add)
    } else if let Some(name) = line.strip_prefix(UPDATE) {
        let name = spaced(name, found);
        found.read(name);
        found.write(name);
        Some(Place::UpdateHead)
    } else if let Some(name) = line.strip_prefix(DELETE) {
        let name = spaced(name, found);
        found.write(name);
        Some(Place::Between)
    } else {
        None
    }
}

/// The name after the mark's colon, without the one blank that belongs to the mark.
fn spaced<'a>(name: &'a str, found: &mut Found) -> &'a str {
    name.strip_prefix(' ').unwrap_or_else(|| {
        found.doubt();
        name
    })
}

/// `apply_patch <<'EOF'`, which feeds the block to the program.
struct Heredoc {
    end: String,
    quoted: bool,
    closed: bool,
}

impl Heredoc {
    /// The line must be that and nothing else: another command in front of it may change the folder.
    fn parse(line: &str) -> Option<Self> {
        let line = line.trim();
        let line =
            line.strip_prefix("apply_patch").or_else(|| line.strip_prefix("applypatch")).unwrap_or(line);
        let word = line.trim_start().strip_prefix("<<")?.trim_start();
        let unquoted = ['\'', '"'].iter().find_map(|quote| word.strip_prefix(*quote)?.strip_suffix(*quote));
        let end = unquoted.unwrap_or(word);
        let plain = !end.is_empty() && end.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        plain.then(|| Self { end: end.to_owned(), quoted: unquoted.is_some(), closed: false })
    }
}
