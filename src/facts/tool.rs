//! What a tool's arguments name: the built-in catalogue, and what a policy says of its own tools.

use std::borrow::Cow;
use std::collections::HashMap;

use super::catalogue::{self, Language, ToolEntry, Unnamed};
use super::disk::Os;
use crate::arg::ArgPath;
use crate::call::Hints;

/// What is known of one tool.
#[derive(Clone, Debug, Default)]
pub struct Tool {
    /// Arguments that are a shell command, or a list of words.
    pub command: Vec<ArgPath>,
    /// The argument that picks another shell.
    pub shell: Option<ArgPath>,
    /// Commands are not for bash, so nobody can tell what they run: always, or on Windows.
    pub foreign: Foreign,
    /// The argument with the folder that a command runs in, and that relative files are below.
    pub cwd: Option<ArgPath>,
    /// Arguments that are paths read.
    pub reads: Vec<ArgPath>,
    /// Arguments that are paths written.
    pub writes: Vec<ArgPath>,
    /// What is written whole is not read.
    pub overwrites: bool,
    /// Arguments that are URLs.
    pub fetches: Vec<ArgPath>,
    /// Arguments in whose text URLs stand.
    pub fetches_in_text: Vec<ArgPath>,
    /// Arguments that are patch texts.
    pub patch: Vec<ArgPath>,
    /// It reads below folders.
    pub search: Option<Search>,
    /// A call that gives none of the arguments above does nothing of what they are for.
    pub optional: bool,
    /// What it does besides, to things that no argument names.
    pub unnamed: Unnamed,
    /// What the tool says of all its calls.
    pub hints: Hints,
}

/// When the commands of a tool are not for bash.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Foreign {
    /// Never.
    #[default]
    Never,
    /// On Windows.
    OnWindows,
    /// Always.
    Always,
}

/// How a tool searches.
#[derive(Clone, Debug)]
pub struct Search {
    /// The folders; the cwd where the arguments are absent.
    pub path: Vec<ArgPath>,
    /// Globs on the names of what is found.
    pub include: Vec<ArgPath>,
    /// Globs that pick the files by themselves.
    pub pattern: Vec<ArgPath>,
    /// It goes into the folders below.
    pub recursive: bool,
}

impl Tool {
    /// Whether its calls run a command.
    pub fn runs(&self) -> bool {
        !self.command.is_empty()
    }

    /// Whether its calls change files.
    pub fn edits(&self) -> bool {
        !self.writes.is_empty() || !self.patch.is_empty()
    }

    /// Whether nothing is said of what its arguments name.
    pub fn is_opaque(&self) -> bool {
        !self.runs()
            && !self.edits()
            && self.reads.is_empty()
            && self.fetches.is_empty()
            && self.fetches_in_text.is_empty()
            && self.search.is_none()
            && self.unnamed == Unnamed::default()
    }

    /// Whether bash does not read its commands here.
    pub fn is_foreign(&self, os: Os) -> bool {
        match self.foreign {
            Foreign::Never => false,
            Foreign::OnWindows => os == Os::Windows,
            Foreign::Always => true,
        }
    }

    /// All arguments that name something.
    pub fn arguments(&self) -> impl Iterator<Item = &ArgPath> {
        [&self.command, &self.reads, &self.writes, &self.fetches, &self.fetches_in_text, &self.patch]
            .into_iter()
            .flatten()
    }
}

/// The tools that a policy describes itself, over the catalogue.
#[derive(Clone, Debug, Default)]
pub struct ToolTable(pub(crate) HashMap<String, Tool>);

impl ToolTable {
    /// What is known of the tool: the policy's own word first, by the name that rules match or that the model calls, then the catalogue's.
    pub fn find(&self, host: Option<&str>, name: &str, called: &str) -> Option<Cow<'_, Tool>> {
        if !self.0.is_empty()
            && let Some(tool) = self.0.get(name).or_else(|| self.0.get(called))
        {
            return Some(Cow::Borrowed(tool));
        }
        // The catalogue speaks of the host's own tools only: a server's tool of the same name is another one.
        (name == called)
            .then(|| catalogue::builtin(host?, name))
            .flatten()
            .map(|entry| Cow::Owned(from_entry(entry)))
    }

    /// The names of the tools that the policy describes.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }
}

fn from_entry(entry: &ToolEntry) -> Tool {
    let paths = |list: &[&str]| list.iter().filter_map(|text| ArgPath::parse(text).ok()).collect::<Vec<_>>();
    let one = |text: Option<&str>| text.and_then(|t| ArgPath::parse(t).ok());
    Tool {
        command: paths(entry.command),
        shell: one(entry.shell),
        foreign: match entry.language {
            Language::Bash => Foreign::Never,
            Language::BashUnlessWindows => Foreign::OnWindows,
            Language::PowerShell | Language::Unknown => Foreign::Always,
        },
        cwd: one(entry.cwd),
        reads: paths(entry.reads),
        writes: paths(entry.writes),
        overwrites: !entry.edits,
        fetches: paths(entry.fetches),
        fetches_in_text: paths(entry.fetches_in_text),
        patch: paths(entry.patch),
        search: entry.search.map(|search| Search {
            path: paths(search.path),
            include: paths(search.include),
            pattern: paths(search.pattern),
            recursive: search.recursive,
        }),
        optional: entry.optional,
        unnamed: entry.unnamed,
        hints: Hints {
            read_only: entry.read_only,
            destructive: entry.destructive,
            idempotent: entry.idempotent,
            open_world: entry.open_world,
        },
    }
}
