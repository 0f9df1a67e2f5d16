//! What a tool's arguments name: the built-in catalogue, and what a policy says of its own tools.

use std::collections::HashMap;

use crate::arg::ArgPath;
use crate::call::Hints;

use serde_json::{Map, Value};

use super::catalogue;
use super::disk::Disk;
use super::path::{Extent, FilePath, Roots};

/// What is known of one tool.
#[derive(Clone, Debug, Default)]
pub struct Tool {
    /// Arguments that are a shell command, or a list of words.
    pub command: Vec<ArgPath>,
    /// Arguments that are paths read.
    pub reads: Vec<ArgPath>,
    /// Arguments that are paths written.
    pub writes: Vec<ArgPath>,
    /// Arguments that are URLs.
    pub fetches: Vec<ArgPath>,
    /// Arguments that are patch texts.
    pub patch: Vec<ArgPath>,
    /// The argument with the folder that a command runs in.
    pub cwd: Option<ArgPath>,
    /// It searches below a folder.
    pub search: Option<Search>,
    /// What the tool says of all its calls.
    pub hints: Hints,
}

/// A tool that reads files below a folder.
#[derive(Clone, Debug)]
pub struct Search {
    /// The folder; the cwd where the argument is missing.
    pub path: Option<ArgPath>,
    /// A glob that picks the files.
    pub include: Vec<ArgPath>,
}

impl Search {
    /// The files that a search may read: those that its glob picks below the folder, or all of them.
    pub fn files(&self, args: &Map<String, Value>, cwds: &[Option<String>], roots: &Roots, disk: &dyn Disk) -> Vec<(FilePath, Extent, String)> {
        let folders: Vec<String> = match self.path.as_ref().map(|path| path.find(args)) {
            Some(found) if !found.values.is_empty() => {
                let all: Option<Vec<String>> = found.values.iter().map(|v| v.as_str().map(str::to_owned)).collect();
                match all {
                    Some(all) => all,
                    None => return vec![(FilePath::unknown(), Extent::MayReachBelow, "(unknown)".to_owned())],
                }
            }
            Some(_) | None => vec![".".to_owned()],
        };
        folders
            .into_iter()
            .map(|folder| (FilePath::from_argument(&folder, cwds, roots, disk), Extent::MayReachBelow, folder))
            .collect()
    }
}

impl Tool {
    /// Whether its calls run a command.
    pub fn runs(&self) -> bool {
        !self.command.is_empty()
    }

    /// Whether it says nothing of what its arguments name.
    pub fn is_opaque(&self) -> bool {
        self.command.is_empty()
            && self.reads.is_empty()
            && self.writes.is_empty()
            && self.fetches.is_empty()
            && self.patch.is_empty()
            && self.search.is_none()
    }
}

/// The tools that a policy describes itself, over the catalogue.
#[derive(Clone, Debug, Default)]
pub struct ToolTable(pub(crate) HashMap<String, Tool>);

impl ToolTable {
    /// What is known of the tool: the policy's own word first, by the name that rules match or that the model calls, then the catalogue's.
    pub fn find(&self, host: Option<&str>, name: &str, called: &str) -> Option<std::borrow::Cow<'_, Tool>> {
        if let Some(tool) = self.0.get(name).or_else(|| self.0.get(called)) {
            return Some(std::borrow::Cow::Borrowed(tool));
        }
        // The catalogue speaks of the host's own tools only: a server's tool of the same name is another one.
        (name == called).then(|| catalogue::builtin(host?, name)).flatten().map(|entry| std::borrow::Cow::Owned(from_entry(entry)))
    }
}

fn from_entry(entry: &catalogue::ToolEntry) -> Tool {
    let paths = |list: &[&str]| list.iter().filter_map(|text| ArgPath::parse(text).ok()).collect::<Vec<_>>();
    let one = |text: Option<&str>| text.and_then(|t| ArgPath::parse(t).ok());
    Tool {
        command: paths(entry.command),
        reads: paths(entry.reads),
        writes: paths(entry.writes),
        fetches: paths(entry.fetches),
        patch: paths(entry.patch),
        cwd: one(entry.cwd),
        search: None,
        hints: Hints {
            read_only: entry.read_only,
            destructive: entry.destructive,
            idempotent: entry.idempotent,
            open_world: entry.open_world,
        },
    }
}
