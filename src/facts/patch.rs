//! Every file that a patch names.
//!
//! Two families are read: the block from `*** Begin Patch` to `*** End Patch`, and unified diffs with or without git's headers. What is
//! listed is what any of the programs that apply such a text could touch; whatever they would not read alike makes the list incomplete.

use std::collections::HashSet;

mod block;
mod diff;

/// The files that a patch names, as they are written in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Patch {
    /// Made, changed, moved or deleted. A diff's `a/x` is listed as `x` too, since it depends on the program which of them is meant.
    pub writes: Vec<String>,
    /// Read on the way: what is changed, and where something is moved or copied from.
    pub reads: Vec<String>,
    /// The text was understood to its end. If not, other files may be written too.
    pub complete: bool,
}

/// Reads a patch. A text that is none names nothing and is not complete.
pub fn files(text: &str) -> Patch {
    let mut found = Found { complete: !breaks_lines_oddly(text), ..Found::default() };
    if block::is_one(text) {
        block::read(text, &mut found);
    } else {
        diff::read(text, &mut found);
    }
    let patch =
        Patch { writes: distinct(found.writes), reads: distinct(found.reads), complete: found.complete };
    let names_something = !patch.writes.is_empty();
    Patch { complete: patch.complete && names_something, ..patch }
}

/// What was found so far.
#[derive(Default)]
struct Found {
    writes: Vec<String>,
    reads: Vec<String>,
    complete: bool,
}

impl Found {
    /// Something is not as it should be, or not read alike by all.
    fn doubt(&mut self) {
        self.complete = false;
    }

    /// Checks a name. `None` when it cannot be one; a strange one is kept, with what else it may be.
    fn names(&mut self, written: &str) -> Vec<String> {
        let trimmed = written.trim();
        if trimmed.is_empty() {
            self.doubt();
            return Vec::new();
        }
        if written.chars().any(char::is_control) {
            self.doubt();
        }
        if trimmed == written {
            return vec![written.to_owned()];
        }
        self.doubt();
        vec![written.to_owned(), trimmed.to_owned()]
    }

    fn write(&mut self, written: &str) {
        let names = self.names(written);
        self.writes.extend(names);
    }

    fn read(&mut self, written: &str) {
        let names = self.names(written);
        self.reads.extend(names);
    }
}

/// Whether some programs see lines here where others see none, so that a header may hide in a line, or be none.
fn breaks_lines_oddly(text: &str) -> bool {
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match c {
            '\r' if rest.peek() != Some(&'\n') => return true,
            '\0' | '\u{b}' | '\u{c}' | '\u{1c}'..='\u{1e}' | '\u{85}' | '\u{2028}' | '\u{2029}' => {
                return true;
            }
            _ => {}
        }
    }
    false
}

/// The lines, without what ends them.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line))
}

fn distinct(names: Vec<String>) -> Vec<String> {
    let mut seen = HashSet::new();
    names.into_iter().filter(|name| seen.insert(name.clone())).collect()
}

#[cfg(test)]
mod tests;
