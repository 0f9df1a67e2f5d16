//! Models of programs: what the words of a command say that it does.

mod data;
mod entry;
mod hooks;
mod meaning;
mod parse;
mod sort;
mod tables;
#[cfg(test)]
mod tests;
mod understand;
mod words;
mod work;

pub use tables::{Described, describe, names};
pub use understand::{sort_words, understand, understand_as};

use super::word::Word;

/// The base name of a program as the models call it. With `fold`, as where the disk does so: case and `.exe` do not count, and a backslash parts
/// folders too.
pub fn program_name(word0: &str, fold: bool) -> String {
    let base = word0.rsplit(|c| c == '/' || (fold && c == '\\')).next().unwrap_or_default();
    if !fold {
        return base.to_owned();
    }
    let lower = base.to_lowercase();
    let known = [".exe", ".com", ".bat", ".cmd"];
    known.iter().find_map(|end| lower.strip_suffix(end)).unwrap_or(&lower).to_owned()
}

/// What a program does with a file that its words name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Access {
    /// Reads it.
    Read,
    /// Makes, changes or deletes it.
    Write,
    /// Reads and writes it.
    ReadWrite,
}

impl Access {
    /// Whether it reads.
    pub fn reads(self) -> bool {
        matches!(self, Self::Read | Self::ReadWrite)
    }
    /// Whether it writes.
    pub fn writes(self) -> bool {
        matches!(self, Self::Write | Self::ReadWrite)
    }
}

/// A file that a program's words name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileUse {
    /// The path as written; relative to the program's cwd ([`Understood::cwd`] below the shell's).
    pub path: Word,
    /// What is done with it.
    pub access: Access,
    /// Everything below it, when it is a folder (`rm -r`, `grep -r`, `cp -r`).
    pub recursive: bool,
    /// Only guessed from the look of a word, so good for deny and ask only: it may be no path, or may not be touched.
    pub possible: bool,
    /// Touched only where this names a folder (`cp a dir` writes `dir/a`); where the disk cannot tell, it is taken for none.
    pub if_folder: Option<Word>,
}

/// A network target that a program's words name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FetchUse {
    /// URL, `host`, `host:port`, `user@host:path`, as written.
    pub target: Word,
    /// The scheme where the target has none (`http` for curl, `ssh` for ssh); empty where nothing is known.
    pub default_scheme: &'static str,
    /// The HTTP method, where the words tell it.
    pub method: Option<String>,
    /// The program follows redirections, so other hosts may be asked too.
    pub follows_redirects: bool,
    /// Only guessed from the look of a word, so good for deny and ask only.
    pub possible: bool,
}

/// Code or a program that a program's words name, to be understood in turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inner {
    /// What is run.
    pub what: InnerKind,
    /// The outer program changes nothing of how it runs (`timeout 5`, `nice`, `bash -c`), so that an allow sees through it.
    pub transparent: bool,
    /// It runs in this folder (`env -C`, `make -C`), below the outer cwd. `Some(unknown word)` when it cannot be told.
    pub cwd: Option<Word>,
    /// Variables set for it (`env A=b cmd`): name and value.
    pub env: Vec<(String, Word)>,
    /// It runs elsewhere (`ssh host cmd`, `docker exec c cmd`, `chroot`): its files are not this disk's; deny still sees them as written.
    pub elsewhere: bool,
}

/// The kinds of [`Inner`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InnerKind {
    /// Words that are run as they are, no shell between.
    Argv(Vec<Word>),
    /// As `Argv`, with words appended or filled in that nobody knows before (`xargs`, `find -exec … {}`).
    ArgvAndMore(Vec<Word>),
    /// Text for a shell.
    Script(Word),
    /// The shell reads its script from standard input.
    Stdin,
    /// A file with a script or program, known by its path and nothing more.
    ScriptFile(Word),
    /// Code in another language (`python -c`): runs, reads and writes unknown things.
    Code(Word),
    /// Something runs, and nobody can tell what.
    Unknown,
}

/// Whether a table (read-only, project) covers a command, and if not, why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Claim {
    /// It does.
    Yes,
    /// It does not; the reason in words for a person ("`-o` writes a file").
    No(String),
}

/// An option as it was used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// The option's own full name: `-r`, `--recursive`; an abbreviated `--recurs` is given in full where the model knows it.
    pub name: String,
    /// The other spellings of the same option (`-r`, `-R`, `--recursive`), where the model knows them.
    pub aliases: Vec<String>,
    /// The value, where it takes one.
    pub value: Option<Word>,
    /// The index in the words of the (first) word it was written in.
    pub word: usize,
    /// Whether the model knows it. Without a model every cluster is split into letters, and nothing takes a value.
    pub known: bool,
}

/// The words of a command, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Parsed {
    /// The options, in order, those in front of a sub-command too.
    pub flags: Vec<Flag>,
    /// The indices of the words that are neither options, nor values of options, nor the program and its sub-commands.
    pub operands: Vec<usize>,
    /// The indices of the words that name the sub-command (`git` **`remote`** **`add`** x), in order.
    pub subcommand: Vec<usize>,
    /// The indices of the words in front of the sub-command that are global options and their values.
    pub global: Vec<usize>,
    /// Those of `global` that change nothing but display (`--no-pager`): an allow pattern passes over them.
    pub neutral_global: Vec<usize>,
    /// A global option that moves the cwd and nothing else (`git -C DIR`): its indices and the folder.
    pub moves: Vec<(Vec<usize>, Word)>,
    /// Index of `--`, where there is one that ends the options.
    pub end_of_options: Option<usize>,
}

/// What the words of one command say that it does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Understood {
    /// The program's base name as the models call it (`/bin/rm`, `rm.exe` and `RM` on Windows are `rm`), where it is known.
    pub program: Option<String>,
    /// Whether there is a model of the program. Without one, files and hosts are guessed (`possible`).
    pub modelled: bool,
    /// The words, sorted into options and operands.
    pub parsed: Parsed,
    /// Files that its words name.
    pub files: Vec<FileUse>,
    /// It may read, or write, files that nobody can tell from its words (an unmodelled option, `tar -x`, `git checkout`).
    /// For deny and ask: such a rule *possibly* applies.
    pub unknown_reads: bool,
    /// See `unknown_reads`.
    pub unknown_writes: bool,
    /// Network targets.
    pub fetches: Vec<FetchUse>,
    /// It talks to the network, to targets that its words do not name (`git fetch`, `npm install`).
    pub unknown_fetches: bool,
    /// What it runs in turn.
    pub inner: Vec<Inner>,
    /// The folder it works in (`git -C`, `make -C`, `tar -C`), below the shell's cwd.
    pub cwd: Option<Word>,
    /// Read-only, by its words. Files it names are judged by path rules apart from this, and so is what it runs: a transparent wrapper
    /// (`timeout 5 rm x`) is read-only in itself, and its [`Self::inner`] is not.
    pub read_only: Claim,
    /// A project command (`@project`), by its words, and as `read_only` without what it runs. Paths that must be inside the workspace are in [`Self::project_inside`].
    pub project: Claim,
    /// For `project`: only when all these paths are inside the workspace.
    pub project_inside: Vec<Word>,
    /// It is a `git` whose repository's configuration decides whether it runs programs: the caller has to look.
    pub depends_on_git_config: bool,
    /// Indices of words at which the model has an option that names a program to run, if the (unknown) word should be that option.
    /// Empty unless some word is unknown.
    pub unknown_word_may_run: Vec<usize>,
    /// It makes a link, moves or unpacks something, so that paths at and below these are unknown afterwards. An unknown word: all are.
    /// Relative to the program's cwd, as [`FileUse::path`].
    pub rebinds: Vec<Word>,
}
