//! The parts that a call breaks into.

use smallvec::SmallVec;

use super::path::{Extent, FilePath};
use super::programs::{Access, Claim, Understood};
use super::url::Target;
use super::word::Word;

/// What a call would do.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// The parts; never empty.
    pub parts: Vec<Part>,
    /// For each part, the others that belong to it.
    members: Vec<Vec<usize>>,
}

impl Facts {
    /// What these parts say.
    pub fn new(parts: Vec<Part>) -> Self {
        let mut members = vec![Vec::new(); parts.len()];
        for (index, part) in parts.iter().enumerate().filter(|(index, part)| part.group != *index) {
            if let Some(list) = members.get_mut(part.group) {
                list.push(index);
            }
        }
        Self { parts, members }
    }

    /// The part at `index`, and the redirections and the like that belong to it.
    pub fn group(&self, index: usize) -> SmallVec<[&Part; 4]> {
        let others = self.members.get(index).into_iter().flatten();
        std::iter::once(&index).chain(others).filter_map(|i| self.parts.get(*i)).collect()
    }
}

/// One part of a call.
#[derive(Clone, Debug)]
pub struct Part {
    /// What it does.
    pub kind: PartKind,
    /// As it is written, or what it names.
    pub text: String,
    /// The bytes of the command's text that it is written at.
    pub span: Option<(usize, usize)>,
    /// The index of the run part that a redirection belongs to; else its own.
    pub group: usize,
}

/// The kinds of [`Part`].
#[derive(Clone, Debug)]
pub enum PartKind {
    /// A program and its words.
    Run(Box<Run>),
    /// A file that is read.
    Read(FileTouch),
    /// A file that is made, changed or deleted.
    Write(FileTouch),
    /// A network target.
    Fetch(NetTouch),
    /// All of a call that nothing more is known about.
    Call,
}

impl PartKind {
    /// `run`, `read`, `write`, `fetch` or `call`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Run(_) => "run",
            Self::Read(_) => "read",
            Self::Write(_) => "write",
            Self::Fetch(_) => "fetch",
            Self::Call => "call",
        }
    }
}

/// A program that a call runs.
#[derive(Clone, Debug)]
pub struct Run {
    /// The program and its words.
    pub words: Vec<Word>,
    /// What the words say that it does.
    pub understood: Understood,
    /// The word no longer means the program of that name: an alias, a function, a hash.
    pub rebound: bool,
    /// Something runs that nobody can tell; why.
    pub opaque: Option<String>,
    /// Variables set for it.
    pub env: Vec<EnvVar>,
    /// Files that its words name.
    pub files: Vec<FileTouch>,
    /// Files that they do not name.
    pub unnamed: Unnamed,
    /// Hosts that its words name.
    pub fetches: Vec<NetTouch>,
    /// It changes nothing by itself (a transparent wrapper, a `cd` inside the workspace), so an allow need not cover it; why.
    pub neutral: Option<&'static str>,
    /// The indices of words that an allow pattern passes over: global options that change nothing here.
    pub passed_over: Vec<usize>,
    /// Read-only, and if not, why: the model's claim, and what the surroundings add (variables, git configuration).
    pub read_only: Claim,
    /// A project command, and if not, why.
    pub project: Claim,
}

/// What a program may do to files that its words do not name, as far as denials and questions have to look.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unnamed {
    /// It may read some.
    pub reads: bool,
    /// It may write some.
    pub writes: bool,
}

/// A variable set for a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EnvVar {
    /// Its name.
    pub name: String,
    /// It changes nothing about what runs or what is touched.
    pub harmless: bool,
}

/// A file that is touched.
#[derive(Clone, Debug)]
pub struct FileTouch {
    /// Where it is.
    pub path: FilePath,
    /// What is done.
    pub access: Access,
    /// How far below it the use goes.
    pub extent: Extent,
    /// What a denial or question looks at in place of all below `path`, where a search says which files it picks.
    pub refined: Option<FilePath>,
    /// Only guessed: for deny and ask.
    pub possible: bool,
}

/// A network target that is asked.
#[derive(Clone, Debug)]
pub struct NetTouch {
    /// Which.
    pub target: Target,
    /// The HTTP method, where it is known.
    pub method: Option<String>,
    /// Other hosts may be asked, too.
    pub follows_redirects: bool,
    /// Only guessed: for deny and ask.
    pub possible: bool,
}
