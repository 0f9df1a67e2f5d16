//! Where each program's text stands, and its parsed entries.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::super::entry::{Entry, parse};
use super::FAMILIES;

/// A program or one of its sub-commands.
#[derive(Debug)]
pub(in super::super) struct Node {
    /// Its names; the first is its own. Of a sub-command, the last word only.
    pub(in super::super) names: Vec<&'static str>,
    parent: Option<usize>,
    body: &'static str,
    entry: OnceLock<Result<Entry, String>>,
    has_children: bool,
}

impl Node {
    /// What its table says; `Err` when the table is malformed, which a test excludes.
    pub(in super::super) fn entry(&'static self) -> Result<&'static Entry, &'static str> {
        self.entry.get_or_init(|| parse(self.body)).as_ref().map_err(String::as_str)
    }

    /// Whether it has sub-commands.
    pub(in super::super) fn has_sub_commands(&self) -> bool {
        self.has_children
    }
}

/// A program with its sub-commands.
#[derive(Debug)]
pub(in super::super) struct Program {
    text: &'static str,
    nodes: OnceLock<Vec<Node>>,
    /// The file it stands in.
    pub(in super::super) family: &'static str,
}

impl Program {
    /// The program's own node, then those of its sub-commands, each with its index.
    pub(in super::super) fn nodes(&'static self) -> &'static [Node] {
        self.nodes.get_or_init(|| split(self.text))
    }

    /// The program's own node.
    pub(in super::super) fn root(&'static self) -> Option<&'static Node> {
        self.nodes().first()
    }

    /// The sub-command `name` of node `parent`.
    pub(in super::super) fn child(
        &'static self,
        parent: usize,
        name: &str,
    ) -> Option<(usize, &'static Node)> {
        self.nodes()
            .iter()
            .enumerate()
            .find(|(_, node)| node.parent == Some(parent) && node.names.contains(&name))
    }

    /// The words of a node, the program's name first.
    pub(in super::super) fn path(&'static self, index: usize) -> Vec<&'static str> {
        let mut path = Vec::new();
        let mut at = Some(index);
        while let Some(node) = at.and_then(|i| self.nodes().get(i)) {
            path.extend(node.names.first());
            at = node.parent;
        }
        path.reverse();
        path
    }
}

fn split(text: &'static str) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    let mut paths: Vec<Vec<&'static str>> = Vec::new();
    for (heading, body) in blocks(text) {
        let words: Vec<&str> = heading.split(' ').collect();
        let (names, parent) = if nodes.is_empty() {
            (heading.split(", ").collect::<Vec<_>>(), None)
        } else {
            let Some((last, front)) = words.split_last() else { continue };
            let parent = paths.iter().position(|p| p == front);
            (last.split('|').collect(), parent)
        };
        if let Some(parent) = parent.and_then(|p| nodes.get_mut(p)) {
            parent.has_children = true;
        }
        let own = names.first().copied().unwrap_or_default();
        let mut path =
            if nodes.is_empty() { Vec::new() } else { words.iter().take(words.len() - 1).copied().collect() };
        path.push(own);
        paths.push(path);
        nodes.push(Node { names, parent, body, entry: OnceLock::new(), has_children: false });
    }
    nodes
}

/// The headings of `text`, each with its body.
pub(in super::super) fn blocks(text: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let (line, after) = rest.split_once('\n').unwrap_or((rest, ""));
            if line.is_empty() || line.starts_with([' ', '#']) {
                rest = after;
                continue;
            }
            let mut end = 0;
            for line in after.split_inclusive('\n') {
                if !line.starts_with([' ', '#', '\n']) {
                    break;
                }
                end += line.len();
            }
            let (body, next) = after.split_at_checked(end).unwrap_or((after, ""));
            rest = next;
            return Some((line.trim_end(), body));
        }
    })
}

#[derive(Default)]
struct Index {
    programs: Vec<Program>,
    by_name: HashMap<&'static str, usize>,
    sets: HashMap<&'static str, &'static str>,
}

fn index() -> &'static Index {
    static INDEX: OnceLock<Index> = OnceLock::new();
    INDEX.get_or_init(|| {
        let mut index = Index::default();
        for (family, text) in FAMILIES {
            take_in(&mut index, family, text);
        }
        index
    })
}

fn take_in(index: &mut Index, family: &'static str, text: &'static str) {
    let mut start: Option<(usize, &'static str)> = None;
    let close = |index: &mut Index, start: &mut Option<(usize, &'static str)>, end: usize| {
        let Some((from, heading)) = start.take() else { return };
        let Some(block) = text.get(from..end) else { return };
        if heading.starts_with('@') {
            let body = block.split_once('\n').map_or("", |(_, body)| body);
            index.sets.insert(heading, body);
            return;
        }
        for name in heading.split(", ") {
            index.by_name.insert(name, index.programs.len());
        }
        index.programs.push(Program { text: block, nodes: OnceLock::new(), family });
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let heading = !line.starts_with([' ', '#', '\n']);
        if heading {
            let name = line.trim_end();
            let sub_command = start.is_some_and(|(_, open): (usize, &str)| {
                let own = open.split_once(", ").map_or(open, |(own, _)| own);
                name.strip_prefix(own).is_some_and(|rest| rest.starts_with(' '))
            });
            if !sub_command {
                close(index, &mut start, at);
                start = Some((at, name));
            }
        }
        at += line.len();
    }
    close(index, &mut start, at);
}

/// The model of the program with this base name.
pub(in super::super) fn find(name: &str) -> Option<&'static Program> {
    let index = index();
    index.programs.get(*index.by_name.get(name)?)
}

/// The body of a set of options.
pub(in super::super) fn set(name: &str) -> Option<&'static str> {
    index().sets.get(name).copied()
}

/// Every modelled program, in the order of the files.
pub(in super::super) fn names() -> impl Iterator<Item = &'static str> {
    index().programs.iter().filter_map(|p| p.root().and_then(|n| n.names.first().copied()))
}
