//! Where each entry's text stands: a table made when the project is compiled, so that a look-up costs nothing at start.

use std::sync::OnceLock;

use super::super::entry::Entry;
use super::super::parse::parse;
use super::FAMILIES;

/// A heading and its body.
#[derive(Clone, Copy, Debug)]
struct Block {
    family: usize,
    heading: &'static str,
    body: &'static str,
    /// How long the heading is without other names of its last word: the path of the entry.
    path: usize,
}

#[allow(long_running_const_eval, reason = "it reads all tables")]
const COUNT: usize = count();
static BLOCKS: [Block; COUNT] = blocks();
const SLOTS: usize = 8192;

/// A hash table of names: the number of a block, from 1; 0 is free.
#[allow(long_running_const_eval, reason = "it reads all headings")]
static TABLE: [u16; SLOTS] = table();
static ENTRIES: [OnceLock<Result<Entry, String>>; COUNT] = [const { OnceLock::new() }; COUNT];
static HEADINGS: [Block; COUNT] = BLOCKS;

/// Whether a heading starts at byte `at`.
#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where a fault stops the build")]
const fn starts_heading(text: &[u8], at: usize) -> bool {
    (at == 0 || text[at - 1] == b'\n') && !matches!(text[at], b' ' | b'#' | b'\n')
}

#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where a fault stops the build")]
#[allow(long_running_const_eval, reason = "it reads all tables")]
const fn count() -> usize {
    let mut count = 0;
    let mut family = 0;
    while family < FAMILIES.len() {
        let text = FAMILIES[family].1.as_bytes();
        let mut at = 0;
        while at < text.len() {
            if starts_heading(text, at) {
                count += 1;
            }
            at += 1;
        }
        family += 1;
    }
    count
}

#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where a fault stops the build")]
#[allow(long_running_const_eval, reason = "it reads all tables")]
#[expect(clippy::large_stack_arrays, reason = "it is on the stack of the compiler")]
const fn blocks() -> [Block; COUNT] {
    let mut blocks = [Block { family: 0, heading: "", body: "", path: 0 }; COUNT];
    let mut count = 0;
    let mut family = 0;
    while family < FAMILIES.len() {
        let whole = FAMILIES[family].1;
        let text = whole.as_bytes();
        let mut at = 0;
        while at < text.len() {
            if !starts_heading(text, at) {
                at += 1;
                continue;
            }
            let start = at;
            while at < text.len() && text[at] != b'\n' {
                at += 1;
            }
            let heading = whole.split_at(at).0.split_at(start).1;
            if at < text.len() {
                at += 1;
            }
            let body_start = at;
            while at < text.len() && !starts_heading(text, at) {
                at += 1;
            }
            let body = whole.split_at(at).0.split_at(body_start).1;
            let bytes = heading.as_bytes();
            let mut path = 0;
            while path < bytes.len() && bytes[path] != b',' && bytes[path] != b'|' {
                path += 1;
            }
            blocks[count] = Block { family, heading, body, path };
            count += 1;
        }
        family += 1;
    }
    blocks
}

const SEED: u32 = 0x811c_9dc5;

/// FNV-1a.
const fn step(hash: u32, byte: u8) -> u32 {
    (hash ^ byte as u32).wrapping_mul(0x0100_0193)
}

#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where a fault stops the build")]
const fn hash_part(mut hash: u32, bytes: &[u8], from: usize, to: usize) -> u32 {
    let mut at = from;
    while at < to {
        hash = step(hash, bytes[at]);
        at += 1;
    }
    hash
}

const fn slot(hash: u32) -> usize {
    (hash ^ (hash >> 15)) as usize % SLOTS
}

/// Every name of every block. A sub-command's is its parent's path, a blank, and one of the names of its last word.
#[expect(clippy::indexing_slicing, reason = "runs in the compiler, where a fault stops the build")]
#[expect(clippy::cast_possible_truncation, reason = "there are fewer blocks than slots")]
#[allow(long_running_const_eval, reason = "it reads all headings")]
const fn table() -> [u16; SLOTS] {
    const { assert!(COUNT * 2 < SLOTS, "the table has to grow") };
    let mut table = [0; SLOTS];
    let mut number = 0;
    while number < COUNT {
        let bytes = BLOCKS[number].heading.as_bytes();
        // Where the last word of the path starts.
        let mut last = BLOCKS[number].path;
        while last > 0 && bytes[last - 1] != b' ' {
            last -= 1;
        }
        let mut from = last;
        while from < bytes.len() {
            let mut to = from;
            while to < bytes.len() && bytes[to] != b',' && bytes[to] != b'|' {
                to += 1;
            }
            let mut at = slot(hash_part(hash_part(SEED, bytes, 0, last), bytes, from, to));
            while table[at] != 0 {
                at = (at + 1) % SLOTS;
            }
            table[at] = number as u16 + 1;
            from = if to < bytes.len() && bytes[to] == b',' { to + 2 } else { to + 1 };
        }
        number += 1;
    }
    table
}

/// The program or sub-command of this name below this parent.
fn look_up(parent: &str, name: &str) -> Option<usize> {
    let mut hash = SEED;
    for byte in parent.bytes() {
        hash = step(hash, byte);
    }
    if !parent.is_empty() {
        hash = step(hash, b' ');
    }
    for byte in name.bytes() {
        hash = step(hash, byte);
    }
    let mut at = slot(hash);
    loop {
        let number = usize::from(*TABLE.get(at)?).checked_sub(1)?;
        let block = HEADINGS.get(number)?;
        if block.parent() == parent && block.names().any(|n| n == name) {
            return Some(number);
        }
        at = (at + 1) % SLOTS;
    }
}

impl Block {
    fn path(&self) -> &'static str {
        self.heading.get(..self.path).unwrap_or_default()
    }

    fn parent(&self) -> &'static str {
        self.path().rfind(' ').and_then(|at| self.heading.get(..at)).unwrap_or_default()
    }

    fn names(&self) -> impl Iterator<Item = &'static str> + use<> {
        let last = self.path().rfind(' ').map_or(0, |at| at + 1);
        self.heading.get(last..).unwrap_or_default().split([',', '|']).map(str::trim_start)
    }
}

/// A program or one of its sub-commands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in super::super) struct Node(usize);

impl Node {
    fn block(self) -> Option<&'static Block> {
        HEADINGS.get(self.0)
    }

    /// What its table says; `Err` when the table is malformed, which a test excludes.
    pub(in super::super) fn entry(self) -> Result<&'static Entry, &'static str> {
        let (Some(block), Some(cell)) = (self.block(), ENTRIES.get(self.0)) else {
            return Err("there is no entry");
        };
        cell.get_or_init(|| parse(block.body)).as_ref().map_err(String::as_str)
    }

    /// Its words, the program's own name first.
    pub(in super::super) fn path(self) -> &'static str {
        self.block().map_or("", Block::path)
    }

    /// Other names of its last word.
    pub(in super::super) fn also(self) -> Vec<&'static str> {
        self.block().map(|b| b.names().skip(1).collect()).unwrap_or_default()
    }

    /// The file it stands in.
    pub(in super::super) fn family(self) -> &'static str {
        self.block().and_then(|b| FAMILIES.get(b.family)).map_or("", |(name, _)| name)
    }

    /// Whether it has sub-commands, which directly follow it.
    pub(in super::super) fn has_sub_commands(self) -> bool {
        HEADINGS
            .get(self.0 + 1)
            .is_some_and(|next| next.path().strip_prefix(self.path()).is_some_and(|r| r.starts_with(' ')))
    }

    /// The sub-command of this name.
    pub(in super::super) fn child(self, name: &str) -> Option<Self> {
        look_up(self.path(), name).map(Self)
    }

    /// It and everything below it, in order.
    pub(in super::super) fn all(self) -> impl Iterator<Item = Self> {
        let path = self.path();
        let below = move |node: &Self| {
            node.0 == self.0 || node.path().strip_prefix(path).is_some_and(|r| r.starts_with(' '))
        };
        (self.0..COUNT).map(Self).take_while(below)
    }
}

/// The model of the program with this base name.
pub(in super::super) fn find(name: &str) -> Option<Node> {
    // A name with a blank is no sub-command of anything.
    if name.contains([' ', '@']) {
        return None;
    }
    look_up("", name).map(Node)
}

/// The body of a set of options.
pub(in super::super) fn set(name: &str) -> Option<&'static str> {
    look_up("", name).and_then(|n| HEADINGS.get(n)).map(|b| b.body)
}

/// Every modelled program, in the order of the files.
pub(in super::super) fn names() -> impl Iterator<Item = &'static str> {
    HEADINGS.iter().map(Block::path).filter(|path| !path.contains([' ', '@']))
}
