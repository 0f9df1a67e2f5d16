//! What is known of one tool: which arguments are commands, files and URLs, and what the tool says of itself.

/// One tool of a host.
///
/// Arguments are named by dotted paths; `[]` after a name goes through a list (`edits[].path`). At the end of a path, text and a list
/// of texts are both taken where a file or a URL is meant; for [`Self::command`] text is a command and a list is its words. A value of
/// another type is unknown, never nothing.
///
/// An argument that is absent names nothing. But a call that gives none of the arguments its entry lists does unknown things of the
/// listed kinds, since the host may call the argument something else; unless the entry is `optional` or has a [`Self::search`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ToolEntry {
    /// The name that the host gives to a hook.
    pub tool: &'static str,
    /// What sort of tool it is, for grouping and messages.
    pub kind: ToolKind,
    /// Commands for [`Self::language`].
    pub command: &'static [&'static str],
    /// What reads the commands.
    pub language: Language,
    /// The folder that the commands run in, and that relative files are below; the call's cwd where absent.
    pub cwd: Option<&'static str>,
    /// The program that reads the commands instead of the usual one, where the model may choose it.
    pub shell: Option<&'static str>,
    /// Files that are read.
    pub reads: &'static [&'static str],
    /// Files that are made, changed or deleted.
    pub writes: &'static [&'static str],
    /// What is written is read too, so that a deny on reads sees it.
    pub edits: bool,
    /// URLs that are asked.
    pub fetches: &'static [&'static str],
    /// Prose in which the URLs to ask stand. What is found in it may be less than the host finds.
    pub fetches_in_text: &'static [&'static str],
    /// Patch texts: every file that they name is written ([`crate::facts::patch`]).
    pub patch: &'static [&'static str],
    /// It reads files below a folder.
    pub search: Option<Search>,
    /// The tool works without any of the listed arguments, and then does none of the listed things.
    pub optional: bool,
    /// What it does besides, to things that no argument names.
    pub unnamed: Unnamed,
    /// It asks the person something, so that it needs one.
    pub asks_person: bool,
    /// It changes nothing outside of the session.
    pub read_only: Option<bool>,
    /// What it changes may be lost.
    pub destructive: Option<bool>,
    /// A second call with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// It deals with the world outside of this machine.
    pub open_world: Option<bool>,
}

/// What sort of tool it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ToolKind {
    /// Runs commands.
    Shell,
    /// Reads files that it is told.
    Read,
    /// Makes, changes or deletes files.
    Write,
    /// Lists or searches folders.
    Search,
    /// Asks a URL.
    Fetch,
    /// Asks a search engine.
    WebSearch,
    /// Starts or steers another agent, whose own calls are judged when they come.
    Agent,
    /// Reaches an MCP server beside its own tools.
    Mcp,
    /// Asks the person.
    Person,
    /// Keeps the session's own books: plans, lists, background jobs.
    Session,
}

/// What reads a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// bash, or a shell that reads what bash reads.
    Bash,
    /// bash or the user's shell, except on Windows, where it is PowerShell or cmd.
    BashUnlessWindows,
    /// PowerShell or cmd, wherever it runs.
    PowerShell,
    /// Input for a program that runs already, or code of the host's own: nobody can tell what runs.
    Unknown,
}

/// How a searching tool picks the files that it reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The folders (or single files) to search; the call's cwd where all are absent.
    pub path: &'static [&'static str],
    /// Globs on the names of what is found below. They only take away.
    pub include: &'static [&'static str],
    /// Globs that pick the files by themselves, relative to the folder; they may be absolute or climb out of it by `..`.
    pub pattern: &'static [&'static str],
    /// It goes into the folders below.
    pub recursive: bool,
    /// It shows what is in the files, not only their names.
    pub contents: bool,
}

/// What a tool does to things that no argument names. A rule about them possibly applies.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Unnamed {
    /// It runs something.
    pub runs: bool,
    /// It reads files.
    pub reads: bool,
    /// It writes files.
    pub writes: bool,
    /// It asks hosts.
    pub fetches: bool,
}

impl Unnamed {
    pub(super) const NOTHING: Self = Self { runs: false, reads: false, writes: false, fetches: false };
    pub(super) const ANYTHING: Self = Self { runs: true, reads: true, writes: true, fetches: true };
    pub(super) const READS: Self = Self { reads: true, ..Self::NOTHING };
    pub(super) const WRITES: Self = Self { writes: true, ..Self::NOTHING };
    pub(super) const FETCHES: Self = Self { fetches: true, ..Self::NOTHING };
}

impl Search {
    /// A search of what is in the files below a folder.
    const fn in_files() -> Self {
        Self { path: &[], include: &[], pattern: &[], recursive: true, contents: true }
    }
}

type Paths = &'static [&'static str];

/// The kinds of entries, each with the hints that hold for all of its kind; what differs is said in the host's table.
impl ToolEntry {
    const fn new(tool: &'static str, kind: ToolKind) -> Self {
        Self {
            tool,
            kind,
            command: &[],
            language: Language::Bash,
            cwd: None,
            shell: None,
            reads: &[],
            writes: &[],
            edits: false,
            fetches: &[],
            fetches_in_text: &[],
            patch: &[],
            search: None,
            optional: false,
            unnamed: Unnamed::NOTHING,
            asks_person: false,
            read_only: None,
            destructive: None,
            idempotent: None,
            open_world: None,
        }
    }

    #[expect(clippy::fn_params_excessive_bools, reason = "the four hints, in the order of the fields")]
    const fn hints(mut self, read_only: bool, destructive: bool, idempotent: bool, open_world: bool) -> Self {
        self.read_only = Some(read_only);
        self.destructive = Some(destructive);
        self.idempotent = Some(idempotent);
        self.open_world = Some(open_world);
        self
    }

    /// Runs the commands in `command`.
    pub(super) const fn shell(tool: &'static str, command: Paths, language: Language) -> Self {
        Self { command, language, ..Self::new(tool, ToolKind::Shell).hints(false, true, false, true) }
    }

    /// Sends input to something that runs, or code to the host: what runs is unknown.
    pub(super) const fn runs_unknown(tool: &'static str) -> Self {
        let entry = Self { language: Language::Unknown, ..Self::new(tool, ToolKind::Shell) };
        entry.hints(false, true, false, true).unnamed(Unnamed::ANYTHING)
    }

    /// Reads the files in `reads`.
    pub(super) const fn read(tool: &'static str, reads: Paths) -> Self {
        Self { reads, ..Self::new(tool, ToolKind::Read).hints(true, false, true, false) }
    }

    /// Writes the files in `writes` whole, or deletes them.
    pub(super) const fn write(tool: &'static str, writes: Paths) -> Self {
        Self { writes, ..Self::new(tool, ToolKind::Write).hints(false, true, true, false) }
    }

    /// Changes parts of the files in `writes`.
    pub(super) const fn edit(tool: &'static str, writes: Paths) -> Self {
        let entry = Self { writes, edits: true, ..Self::new(tool, ToolKind::Write) };
        entry.hints(false, true, false, false)
    }

    /// Applies the patch in `patch`.
    pub(super) const fn patches(tool: &'static str, patch: Paths) -> Self {
        let entry = Self { patch, edits: true, ..Self::new(tool, ToolKind::Write) };
        entry.hints(false, true, false, false)
    }

    /// Searches the text of the files below `path`, those whose names match `include`.
    pub(super) const fn grep(tool: &'static str, path: Paths, include: Paths) -> Self {
        Self::searches(tool, Search { path, include, ..Search::in_files() })
    }

    /// Gives the names of the files below `path` that match `pattern`.
    pub(super) const fn glob(tool: &'static str, path: Paths, pattern: Paths) -> Self {
        Self::searches(tool, Search { path, pattern, contents: false, ..Search::in_files() })
    }

    /// Gives the names in the folder `path`.
    pub(super) const fn list(tool: &'static str, path: Paths) -> Self {
        Self::searches(tool, Search { path, recursive: false, contents: false, ..Search::in_files() })
    }

    /// Gives the names below the folder `path`.
    pub(super) const fn tree(tool: &'static str, path: Paths) -> Self {
        Self::searches(tool, Search { path, contents: false, ..Search::in_files() })
    }

    /// Reads the files below `path` that match `pattern`.
    pub(super) const fn read_many(tool: &'static str, path: Paths, pattern: Paths) -> Self {
        Self::searches(tool, Search { path, pattern, ..Search::in_files() })
    }

    const fn searches(tool: &'static str, search: Search) -> Self {
        Self { search: Some(search), ..Self::new(tool, ToolKind::Search).hints(true, false, true, false) }
    }

    /// Asks the URLs in `fetches`. Sending is not reading, and what a request sets off is not known.
    pub(super) const fn fetch(tool: &'static str, fetches: Paths) -> Self {
        let mut entry = Self { fetches, ..Self::new(tool, ToolKind::Fetch) };
        entry.read_only = Some(false);
        entry.open_world = Some(true);
        entry
    }

    /// Asks a search engine, which the arguments do not name.
    pub(super) const fn web_search(tool: &'static str) -> Self {
        Self::new(tool, ToolKind::WebSearch).hints(false, false, true, true).unnamed(Unnamed::FETCHES)
    }

    /// Starts or steers an agent. Its own calls are judged when they come; the hints are the worst, since nobody knows what it will do.
    pub(super) const fn agent(tool: &'static str) -> Self {
        Self::new(tool, ToolKind::Agent).hints(false, true, false, true)
    }

    /// Reaches an MCP server: a claim about what it does would be the server's, not the host's.
    pub(super) const fn mcp(tool: &'static str) -> Self {
        let mut entry = Self::new(tool, ToolKind::Mcp);
        entry.read_only = Some(false);
        entry.open_world = Some(true);
        entry
    }

    /// Asks the person.
    pub(super) const fn person(tool: &'static str) -> Self {
        Self { asks_person: true, ..Self::new(tool, ToolKind::Person).hints(true, false, false, false) }
    }

    /// Looks something up in the session's own books.
    pub(super) const fn looks(tool: &'static str) -> Self {
        Self::new(tool, ToolKind::Session).hints(true, false, true, false)
    }

    /// Changes the session's own books.
    pub(super) const fn keeps(tool: &'static str) -> Self {
        Self::new(tool, ToolKind::Session).hints(false, false, false, false)
    }

    /// Ends or removes something of the session: a job, a plan, the conversation.
    pub(super) const fn ends(tool: &'static str) -> Self {
        Self::new(tool, ToolKind::Session).hints(false, true, true, false)
    }
}

/// What an entry has besides.
impl ToolEntry {
    pub(super) const fn in_folder(self, cwd: &'static str) -> Self {
        Self { cwd: Some(cwd), ..self }
    }

    pub(super) const fn with_shell(self, shell: &'static str) -> Self {
        Self { shell: Some(shell), ..self }
    }

    pub(super) const fn reading(self, reads: Paths) -> Self {
        Self { reads, ..self }
    }

    /// It is no read-only tool then: sending is not reading.
    pub(super) const fn fetching(self, fetches: Paths) -> Self {
        Self { fetches, read_only: Some(false), open_world: Some(true), ..self }
    }

    /// As [`Self::fetching`], to a host that no argument names.
    pub(super) const fn sends(self) -> Self {
        let unnamed = Unnamed { fetches: true, ..self.unnamed };
        Self { unnamed, read_only: Some(false), open_world: Some(true), ..self }
    }

    pub(super) const fn fetching_in_text(self, fetches_in_text: Paths) -> Self {
        Self { fetches_in_text, ..self }
    }

    pub(super) const fn optional(self) -> Self {
        Self { optional: true, ..self }
    }

    pub(super) const fn unnamed(self, unnamed: Unnamed) -> Self {
        Self { unnamed, ..self }
    }

    pub(super) const fn of_kind(self, kind: ToolKind) -> Self {
        Self { kind, ..self }
    }
}
