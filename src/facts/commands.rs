//! From the commands of a call to its parts: each program, what its words name, and what it runs in turn.

use super::disk::{Disk, Kind, Os};
use super::git;
use super::parts::{EnvVar, FileTouch, NetTouch, Part, PartKind, Run, Unnamed};
use super::path::{self, Extent, FilePath, Roots};
use super::programs::{self, Access, Claim, Inner, InnerKind, Understood};
use super::rebound::Rebound;
use super::shell::{self, Assignment, Cwd, RedirectionKind, Script, SimpleCommand, Start, Stdin};
use super::url::Target;
use super::variables::{self, Effect};
use super::word::{Piece, Word};

/// Commands inside commands deeper than this are unknown.
const MAX_DEPTH: usize = 12;
/// More parts than this are one unknown part.
const MAX_PARTS: usize = 65_536;

/// Gathers the parts of the commands of one call.
pub(super) struct Commands<'a> {
    roots: &'a Roots,
    disk: &'a dyn Disk,
    start: Vec<Option<String>>,
    env: Vec<String>,
    parts: Vec<Part>,
    /// Paths that a part before made, moved or unpacked: what is at and below them is unknown.
    rebound: Rebound,
    /// A part before may make files or folders.
    makes_files: bool,
    /// The shell's options may let globs give names with a dot in front.
    dot_globs: bool,
}

/// A command as it is written, and what it reads from standard input, where that is literal.
struct Written<'w> {
    command: &'w SimpleCommand,
    stdin: Option<Word>,
}

/// How a command is run.
#[derive(Clone)]
struct Around {
    cwds: Vec<Option<String>>,
    env: Vec<EnvVar>,
    /// The bytes of the outermost text that it is written at; for commands inside strings, those of the string's command.
    span: Option<(usize, usize)>,
    depth: usize,
    /// On another machine or in a container.
    elsewhere: bool,
}

impl<'a> Commands<'a> {
    pub(super) fn new(
        roots: &'a Roots,
        start: Vec<Option<String>>,
        env: Vec<String>,
        disk: &'a dyn Disk,
    ) -> Self {
        Self {
            roots,
            disk,
            start,
            env,
            parts: Vec::new(),
            rebound: Rebound::default(),
            makes_files: false,
            dot_globs: false,
        }
    }

    pub(super) fn finish(self) -> Vec<Part> {
        self.parts
    }

    fn push(&mut self, part: Part) {
        self.makes_files |= match &part.kind {
            PartKind::Run(run) => {
                run.opaque.is_some()
                    || run.understood.unknown_writes
                    || !run.understood.modelled
                    || run.files.iter().any(|f| f.access.writes())
            }
            PartKind::Write(_) => true,
            PartKind::Read(_) | PartKind::Fetch(_) | PartKind::Call => false,
        };
        self.parts.push(part);
    }

    fn outermost(&self) -> Around {
        let env = self.env.iter().map(|name| variable(name, None)).collect();
        Around { cwds: self.start.clone(), env, span: None, depth: 0, elsewhere: false }
    }

    /// Takes in the text of a script.
    pub(super) fn script(&mut self, text: &str) {
        let around = self.outermost();
        self.text(text, &around, None);
    }

    /// Takes in words that are run as they are.
    pub(super) fn words(&mut self, words: &[&str]) {
        if !words.is_empty() {
            let words = words.iter().map(|w| Word::text(*w)).collect();
            let around = self.outermost();
            self.command(words, &around, None, None);
        }
    }

    /// Takes in something that runs and that nobody can tell.
    pub(super) fn opaque(&mut self, text: String, why: &str) {
        let around = self.outermost();
        self.unknown(text, why, &around, None);
    }

    fn shell_start(&self, around: &Around) -> Start {
        let mut start = Start { depth: around.depth, ..Start::default() };
        if let Some(home) = self.roots.home.as_ref().filter(|_| !around.elsewhere) {
            start.variables.push(("HOME".to_owned(), home.clone()));
        }
        if let [Some(cwd)] = around.cwds.as_slice()
            && !around.elsewhere
        {
            start.variables.push(("PWD".to_owned(), cwd.clone()));
        }
        start
    }

    /// The commands of a text, and their parts. `inside` is the span to use for a text inside another.
    fn text(&mut self, text: &str, around: &Around, inside: Option<(usize, usize)>) {
        if around.depth > MAX_DEPTH || self.parts.len() > MAX_PARTS {
            self.unknown(
                text.to_owned(),
                "commands are nested too deeply, or there are too many",
                around,
                None,
            );
            return;
        }
        self.dot_globs |= ["shopt", "setopt", "GLOBIGNORE", "set -o", "dotglob", "globdots"]
            .iter()
            .any(|word| text.contains(word));
        let script = shell::read(text, &self.shell_start(around));
        let Script { commands, unknown, .. } = &script;
        for command in commands {
            let span = inside.or(Some(command.span));
            let cwds = match &command.cwd {
                Cwd::Known(chains) => self.folders(&around.cwds, chains),
                Cwd::Unknown => vec![None],
            };
            let around = Around { cwds, span, ..around.clone() };
            self.simple(command, commands, text, &around);
        }
        for gap in unknown {
            let shown = text.get(gap.span.0..gap.span.1).unwrap_or(text).to_owned();
            let around = Around { span: inside.or(Some(gap.span)), ..around.clone() };
            self.unknown(shown, gap.why, &around, None);
        }
    }

    /// The folders that chains of `cd` lead to.
    fn folders(&self, from: &[Option<String>], chains: &[Vec<Word>]) -> Vec<Option<String>> {
        let mut all = Vec::new();
        for chain in chains {
            let end = chain
                .iter()
                .fold(from.to_vec(), |cwds, target| path::change_folder(&cwds, target, self.disk));
            all.extend(end);
        }
        all.sort();
        all.dedup();
        all
    }

    fn simple(&mut self, command: &SimpleCommand, all: &[SimpleCommand], text: &str, around: &Around) {
        let mut around = around.clone();
        for assignment in &command.assignments {
            around.env.push(variable(&assignment.name, Some(&assignment.value)));
        }
        for set in command.env.iter() {
            // What is set and not exported reaches a program only where it was in its environment before.
            if set.exported
                || (variables::effect(&set.name) == Effect::ChangesWhatRuns && self.is_special(&set.name))
            {
                around.env.push(variable(&set.name, set.value.as_ref()));
            }
        }
        let first = self.parts.len();
        if !command.words.is_empty() {
            let stdin = literal_stdin(command, all);
            let neutral = command
                .function_call
                .then_some("a function of the script, whose commands are parts of their own");
            self.command(command.words.clone(), &around, Some(&Written { command, stdin }), neutral);
        }
        let group = self.innermost(first);
        for assignment in &command.assignments {
            self.variable_command(assignment, &around);
        }
        for redirection in command.redirections.iter().filter(|r| !r.free) {
            let shown = text.get(redirection.span.0..redirection.span.1).unwrap_or_default().to_owned();
            let own = self.parts.len();
            let group = if own == first { own } else { group };
            if let Some(net) = dev_tcp(&redirection.target) {
                self.push(Part { kind: PartKind::Fetch(net), text: shown, span: around.span, group });
                continue;
            }
            let access = match redirection.kind {
                RedirectionKind::Read => Access::Read,
                // Of what is duplicated, a number is a descriptor and free; what is left may be a file.
                RedirectionKind::Write | RedirectionKind::Append | RedirectionKind::Duplicate => {
                    Access::Write
                }
                RedirectionKind::ReadWrite => Access::ReadWrite,
                RedirectionKind::Heredoc | RedirectionKind::HereString | RedirectionKind::Close => continue,
            };
            let touch = self.touch(&redirection.target, access, Extent::Itself, false, &around.cwds, &around);
            let kind = if access.writes() { PartKind::Write(touch) } else { PartKind::Read(touch) };
            self.push(Part { kind, text: shown, span: around.span, group });
        }
    }

    /// A variable whose text is a command for the program under it: denials see what it runs; for an allow the variable stands for it.
    fn variable_command(&mut self, assignment: &Assignment, around: &Around) {
        let Some(text) = assignment.value.literal().filter(|_| variables::is_command(&assignment.name))
        else {
            return;
        };
        let first = self.parts.len();
        let around = Around { depth: around.depth + 1, env: Vec::new(), ..around.clone() };
        self.text(&text, &around, Some(around.span.unwrap_or((0, 0))));
        for part in self.parts.iter_mut().skip(first) {
            if let PartKind::Run(run) = &mut part.kind {
                run.neutral.get_or_insert("a command in a variable");
            }
        }
    }

    /// The command that redirections of the part at `index` belong to: through wrappers that change nothing, the one inside.
    fn innermost(&self, index: usize) -> usize {
        let mut at = index;
        while let Some(Part { kind: PartKind::Run(run), .. }) = self.parts.get(at) {
            if run.neutral != Some(TRANSPARENT)
                || !matches!(self.parts.get(at + 1), Some(Part { kind: PartKind::Run(_), .. }))
            {
                break;
            }
            at += 1;
        }
        at
    }

    /// One program with its words, and what it runs in turn.
    fn command(
        &mut self,
        words: Vec<Word>,
        around: &Around,
        written: Option<&Written<'_>>,
        neutral: Option<&'static str>,
    ) {
        if around.depth > MAX_DEPTH || self.parts.len() > MAX_PARTS {
            self.unknown(
                shown(&words),
                "commands are nested too deeply, or there are too many",
                around,
                None,
            );
            return;
        }
        let understood = programs::understand_as(&words, self.disk.case_insensitive());
        let settled = self.settled(&understood, &words, &around.cwds);
        let rebound = written.is_some_and(|written| written.command.program_rebound)
            || around.env.iter().any(|var| variables::replaces_programs(&var.name));
        let own_cwds = match &understood.cwd {
            Some(target) => path::change_folder(&around.cwds, target, self.disk),
            None => around.cwds.clone(),
        };
        let files: Vec<FileTouch> = understood
            .files
            .iter()
            .filter(|file| file.if_folder.as_ref().is_none_or(|folder| self.names_folder(folder, &own_cwds)))
            .map(|file| {
                let extent = match (file.recursive, file.access.writes()) {
                    (false, _) => Extent::Itself,
                    (true, true) => Extent::ReachesBelow,
                    (true, false) => Extent::MayReachBelow,
                };
                self.touch(&file.path, file.access, extent, file.possible, &own_cwds, around)
            })
            .collect();
        let mut files = files;
        if !understood.modelled {
            files.extend(self.operands_there(&understood, &words, &own_cwds, around));
        }
        let mut fetches = Vec::new();
        for fetch in &understood.fetches {
            let target = Target::from_word(&fetch.target, fetch.default_scheme);
            if let Target::File(file) = &target {
                let path = file.as_ref().map_or_else(FilePath::unknown, |file| {
                    FilePath::from_argument(file, &own_cwds, self.roots, self.disk)
                });
                files.push(FileTouch {
                    path,
                    access: Access::Read,
                    extent: Extent::Itself,
                    refined: None,
                    possible: fetch.possible,
                });
            }
            fetches.push(NetTouch {
                target,
                method: fetch.method.clone(),
                follows_redirects: fetch.follows_redirects,
                possible: fetch.possible,
            });
        }
        let neutral = neutral.or_else(|| self.free(&understood, &words, around, rebound));
        let read_only = Self::claim(&understood.read_only, around, rebound, || {
            git_claim(&understood, &own_cwds, self.disk)
        });
        let project = Self::claim(&understood.project, around, rebound, || {
            self.inside_claim(&understood, &own_cwds, &files)
        });
        let passed_over = self.passed_over(&understood, around);
        let index = self.parts.len();
        let inner = understood.inner.clone();
        let rebinds: Vec<FilePath> =
            understood.rebinds.iter().map(|word| FilePath::from_word(word, &own_cwds, self.disk)).collect();
        let text = shown(&words);
        let run = Run {
            unnamed: settled
                .unwrap_or(Unnamed { reads: understood.unknown_reads, writes: understood.unknown_writes }),
            words,
            understood,
            rebound,
            opaque: None,
            env: around.env.clone(),
            files,
            fetches,
            neutral,
            passed_over,
            read_only,
            project,
        };
        self.push(Part { kind: PartKind::Run(Box::new(run)), text, span: around.span, group: index });
        for one in &inner {
            self.inner(one, around, &own_cwds, written.and_then(|written| written.stdin.as_ref()), index);
        }
        for path in &rebinds {
            self.rebound.add(path);
        }
    }

    /// What a program runs in turn.
    fn inner(
        &mut self,
        inner: &Inner,
        outer: &Around,
        own_cwds: &[Option<String>],
        stdin: Option<&Word>,
        group: usize,
    ) {
        let mut around = outer.clone();
        around.depth += 1;
        around.elsewhere |= inner.elsewhere;
        around.env.extend(inner.env.iter().map(|(name, value)| variable(name, Some(value))));
        // What it runs in a folder of its own is said below the outer cwd, as the folder that it works in itself is.
        around.cwds = match &inner.cwd {
            Some(target) => path::change_folder(&outer.cwds, target, self.disk),
            None => own_cwds.to_vec(),
        };
        if inner.elsewhere {
            around.cwds = vec![None];
        }
        let by_name = |word: &Word| word.literal().is_some_and(|path| STANDARD_INPUT.contains(&&*path));
        let what = match &inner.what {
            InnerKind::ScriptFile(word) if by_name(word) => &InnerKind::Stdin,
            what => what,
        };
        match what {
            InnerKind::Argv(words) if !words.is_empty() => self.command(words.clone(), &around, None, None),
            InnerKind::ArgvAndMore(words) if !words.is_empty() => {
                let mut words = words.clone();
                words.push(Word::unknown(true));
                self.command(words, &around, None, None);
            }
            InnerKind::Argv(_) | InnerKind::ArgvAndMore(_) => {}
            InnerKind::Script(word) => match word.literal() {
                Some(text) => self.text(&text, &around, Some(around.span.unwrap_or((0, 0)))),
                None => self.unknown(
                    word.shown(),
                    "what the shell is given to run is not known beforehand",
                    &around,
                    None,
                ),
            },
            InnerKind::Stdin => match stdin.and_then(Word::literal) {
                Some(text) => self.text(&text, &around, Some(around.span.unwrap_or((0, 0)))),
                None => self.unknown(
                    "(standard input)".to_owned(),
                    "the shell runs what it reads from standard input",
                    &around,
                    None,
                ),
            },
            // Known by its path and nothing more: denials of that program see it, an allow of the command that runs it covers it.
            InnerKind::ScriptFile(word) => {
                let touch = self.touch(word, Access::Read, Extent::Itself, false, &around.cwds, &around);
                if let Some(Part { kind: PartKind::Run(run), .. }) = self.parts.get_mut(group) {
                    run.files.push(touch);
                }
                self.script_file(word, &around);
            }
            InnerKind::Code(word) => {
                self.unknown(
                    word.shown(),
                    "code that may run, read and write anything",
                    &around,
                    Some(group),
                );
            }
            InnerKind::Unknown => self.unknown(
                "(unknown)".to_owned(),
                "something runs that the words do not tell",
                &around,
                None,
            ),
        }
    }

    /// A script or program file that a command runs, as a program of its own for denials and questions.
    fn script_file(&mut self, word: &Word, around: &Around) {
        let words = vec![word.clone(), Word::unknown(true)];
        let understood = Understood {
            inner: Vec::new(),
            files: Vec::new(),
            unknown_reads: false,
            unknown_writes: false,
            unknown_fetches: false,
            fetches: Vec::new(),
            ..programs::understand(&words)
        };
        let index = self.parts.len();
        let run = Run {
            unnamed: Unnamed::default(),
            understood,
            rebound: false,
            opaque: None,
            env: around.env.clone(),
            files: Vec::new(),
            fetches: Vec::new(),
            neutral: Some("the file that the command before it runs"),
            passed_over: Vec::new(),
            read_only: Claim::No("a file that is run".to_owned()),
            project: Claim::No("a file that is run".to_owned()),
            words,
        };
        self.push(Part {
            kind: PartKind::Run(Box::new(run)),
            text: word.shown(),
            span: around.span,
            group: index,
        });
    }

    /// Something runs, and nobody can tell what. With `by`, an allow of that command covers it, since its words spell it out.
    fn unknown(&mut self, text: String, why: &str, around: &Around, by: Option<usize>) {
        let claim = || Claim::No(why.to_owned());
        let index = self.parts.len();
        let run = Run {
            unnamed: Unnamed { reads: true, writes: true },
            words: Vec::new(),
            understood: programs::understand(&[]),
            rebound: false,
            opaque: Some(why.to_owned()),
            env: around.env.clone(),
            files: Vec::new(),
            fetches: Vec::new(),
            neutral: by.map(|_| "code of the command before it"),
            passed_over: Vec::new(),
            read_only: claim(),
            project: claim(),
        };
        self.push(Part {
            kind: PartKind::Run(Box::new(run)),
            text,
            span: around.span,
            group: by.unwrap_or(index),
        });
    }

    fn touch(
        &self,
        word: &Word,
        access: Access,
        extent: Extent,
        possible: bool,
        cwds: &[Option<String>],
        around: &Around,
    ) -> FileTouch {
        let mut path = if self.dot_globs {
            FilePath::from_word(&loosened(word), cwds, self.disk)
        } else {
            FilePath::from_word(word, cwds, self.disk)
        };
        let mut extent = extent;
        if extent != Extent::Itself {
            let kind = path.resolved().and_then(|place| self.disk.kind(&place));
            // What is no folder has nothing below it, unless a part before this one makes it one. A guess is not taken further than the disk bears it out.
            let bare = match kind {
                Some(Kind::File) => !self.makes_files,
                // A copy makes what is below the folder that it makes; what is read or moved has to be there.
                Some(Kind::Missing) => !self.makes_files && (possible || access.reads()),
                None => possible,
                Some(Kind::Folder | Kind::Link) => false,
            };
            if bare {
                extent = Extent::Itself;
            }
        }
        if around.elsewhere {
            path = path.elsewhere();
        }
        if self.rebound.may_hold(&path) {
            path = FilePath::unknown();
        }
        FileTouch { path, access, extent, refined: None, possible }
    }

    /// Why a command needs no covering: it changes nothing by itself.
    fn free(
        &self,
        understood: &Understood,
        words: &[Word],
        around: &Around,
        rebound: bool,
    ) -> Option<&'static str> {
        if rebound || around.env.iter().any(|v| !v.harmless) {
            return None;
        }
        if !understood.inner.is_empty() && understood.inner.iter().all(|inner| inner.transparent) {
            return Some(TRANSPARENT);
        }
        let moves = matches!(understood.program.as_deref(), Some("cd" | "pushd" | "popd"));
        let operand = understood.parsed.operands.as_slice();
        if let (true, [one]) = (moves && understood.parsed.flags.is_empty(), operand)
            && let Some(target) = words.get(*one).filter(|w| w.literal().is_some())
            && self.is_inside(target, &around.cwds)
        {
            return Some("moves to a folder of the workspace");
        }
        None
    }

    /// What the words say when globs give what they give now: no options where the disk lists no name with a dash in front, themselves
    /// where they match nothing.
    ///
    /// This is for denials and questions. For an allow a glob still may give options: the folder can have other names by the time the command runs.
    fn settled(&self, understood: &Understood, words: &[Word], cwds: &[Option<String>]) -> Option<Unnamed> {
        let globs = |word: &Word| {
            word.pieces.iter().all(|p| matches!(p, Piece::Text(_) | Piece::Glob(_)))
                && word.literal().is_none()
        };
        if !(understood.unknown_reads || understood.unknown_writes)
            || !words.iter().any(globs)
            || self.makes_files
        {
            return None;
        }
        let [Some(cwd)] = cwds else { return None };
        let dashes = self.disk.list(cwd)?.iter().any(|name| name.starts_with('-'));
        let in_place = words.iter().map(|word| match word.pieces.first() {
            Some(_) if globs(word) && path::matches_nothing(word, cwd, self.disk) => {
                Word { span: word.span, ..Word::text(word.shown()) }
            }
            Some(Piece::Glob(_)) if globs(word) && !dashes => {
                let mut word = word.clone();
                word.pieces.insert(0, Piece::Text("./".to_owned()));
                word
            }
            Some(_) | None => word.clone(),
        });
        let settled = programs::understand_as(&in_place.collect::<Vec<_>>(), self.disk.case_insensitive());
        Some(Unnamed { reads: settled.unknown_reads, writes: settled.unknown_writes })
    }

    /// The operands of a program without a model that name something on the disk: it touches what is there, whatever the words look like.
    fn operands_there(
        &self,
        understood: &Understood,
        words: &[Word],
        cwds: &[Option<String>],
        around: &Around,
    ) -> Vec<FileTouch> {
        let operands = understood.parsed.operands.iter().filter_map(|index| words.get(*index));
        let named = operands.filter(|word| word.literal().is_some_and(|text| !text.is_empty()));
        let mut found = Vec::new();
        for (word, cwd) in named.flat_map(|word| cwds.iter().map(move |cwd| (word, cwd))) {
            let mut touch = self.touch(
                word,
                Access::ReadWrite,
                Extent::ReachesBelow,
                cwds.len() > 1,
                std::slice::from_ref(cwd),
                around,
            );
            let there = match (touch.path.written(), touch.path.resolved()) {
                // In a folder that cannot be told, anything may be there.
                (None, _) => {
                    touch.possible = true;
                    true
                }
                (Some(_), resolved) => matches!(
                    resolved.and_then(|path| self.disk.kind(&path)),
                    Some(Kind::File | Kind::Folder | Kind::Link)
                ),
            };
            if there {
                found.push(touch);
            }
        }
        found
    }

    /// Whether the word names a folder that is there.
    fn names_folder(&self, word: &Word, cwds: &[Option<String>]) -> bool {
        cwds.iter().any(|cwd| {
            let path = FilePath::from_word(word, std::slice::from_ref(cwd), self.disk).resolved();
            path.is_some_and(|path| self.disk.kind(&path) == Some(Kind::Folder))
        })
    }

    /// Whether the shell that runs here may take the variable for one of its own: zsh has lists of folders in small letters, and is the usual shell of macOS.
    fn is_special(&self, name: &str) -> bool {
        self.disk.os() == Os::Macos || !matches!(name, "path" | "fpath" | "cdpath")
    }

    fn is_inside(&self, word: &Word, cwds: &[Option<String>]) -> bool {
        FilePath::from_word(word, cwds, self.disk).is_inside(&self.roots.workspace, self.disk)
    }

    /// The model's claim, as far as the surroundings let it stand.
    fn claim(claim: &Claim, around: &Around, rebound: bool, more: impl FnOnce() -> Option<String>) -> Claim {
        if let Claim::No(why) = claim {
            return Claim::No(why.clone());
        }
        if rebound {
            return Claim::No("an alias, a function or a variable may make it another program".to_owned());
        }
        if let Some(var) = around.env.iter().find(|v| !v.harmless) {
            return Claim::No(format!("the variable `{}` may change what it does", var.name));
        }
        more().map_or(Claim::Yes, Claim::No)
    }

    fn inside_claim(
        &self,
        understood: &Understood,
        cwds: &[Option<String>],
        files: &[FileTouch],
    ) -> Option<String> {
        let outside = understood.project_inside.iter().find(|word| !self.is_inside(word, cwds));
        if let Some(outside) = outside {
            return Some(format!("`{}` is not surely inside the workspace", outside.shown()));
        }
        let workspace = self.roots.workspace.trim_end_matches('/');
        let guarded = files.iter().filter(|file| file.access.writes()).find_map(|file| {
            let path = file.path.written().unwrap_or_else(|| file.path.shown().to_owned());
            let below = path.strip_prefix(workspace).unwrap_or(&path);
            below.split(['/', '\\']).any(is_guarded).then(|| below.trim_start_matches('/').to_owned())
        })?;
        Some(format!("`{guarded}` is where hooks, settings or policies of agents and tools stand"))
    }

    /// The global options that an allow pattern passes over: those that change nothing, and moves inside the workspace.
    fn passed_over(&self, understood: &Understood, around: &Around) -> Vec<usize> {
        let mut indices = understood.parsed.neutral_global.clone();
        for (words, target) in &understood.parsed.moves {
            if target.literal().is_some() && self.is_inside(target, &around.cwds) {
                indices.extend(words);
            }
        }
        indices
    }
}

/// Names of files and folders in which a change changes what git, agents or editors run or allow.
fn is_guarded(name: &str) -> bool {
    const NAMES: &[&str] = &[
        ".agents",
        ".claude",
        ".claude-plugin",
        ".cline",
        ".clinerules",
        ".codex",
        ".copilot",
        ".cursor",
        ".devcontainer",
        ".envrc",
        ".factory",
        ".gemini",
        ".git",
        ".gitattributes",
        ".gitmodules",
        ".husky",
        ".idea",
        ".kiro",
        ".mcp.json",
        ".opencode",
        ".vscode",
        ".windsurf",
        "opencode.json",
    ];
    let name = name.to_lowercase();
    NAMES.contains(&name.as_str())
        || name.strip_prefix("policy.").is_some_and(|rest| matches!(rest, "toml" | "yaml" | "yml" | "json"))
}

/// Names of the standard input.
const STANDARD_INPUT: &[&str] = &["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0", "/proc/thread-self/fd/0"];

/// Why a transparent wrapper needs no covering.
const TRANSPARENT: &str = "changes nothing about what it runs";

/// A variable, and its value where that is known.
fn variable(name: &str, value: Option<&Word>) -> EnvVar {
    let value = value.and_then(Word::literal);
    let effect =
        value.map_or_else(|| variables::effect(name), |value| variables::effect_of_value(name, &value));
    EnvVar { name: name.to_owned(), harmless: effect == Effect::Harmless }
}

fn git_claim(understood: &Understood, cwds: &[Option<String>], disk: &dyn Disk) -> Option<String> {
    if !understood.depends_on_git_config {
        return None;
    }
    cwds.iter().flatten().find_map(|cwd| git::runs_programs(cwd, disk))
}

/// What a command reads from standard input, where that is literal.
fn literal_stdin(command: &SimpleCommand, all: &[SimpleCommand]) -> Option<Word> {
    match &command.stdin {
        Stdin::Inherited | Stdin::File(_) => None,
        Stdin::Text(word) => Some((**word).clone()),
        Stdin::Pipe(_) => command.literal_stdin(all),
    }
}

/// The host behind `/dev/tcp/host/port`.
fn dev_tcp(target: &Word) -> Option<NetTouch> {
    let start = target.known_start();
    let rest = start.strip_prefix("/dev/tcp/").or_else(|| start.strip_prefix("/dev/udp/"))?;
    let target = match (target.literal(), rest.split_once('/')) {
        (Some(_), Some((host, port))) => Target::parse(&format!("{host}:{port}"), ""),
        _ => Target::Unknown,
    };
    Some(NetTouch { target, method: None, follows_redirects: false, possible: false })
}

/// The word with nothing known of what its globs give.
fn loosened(word: &Word) -> Word {
    let pieces = word.pieces.iter().map(|piece| match piece {
        Piece::Glob(_) => Piece::Unknown { splits: false },
        Piece::Text(_) | Piece::Unknown { .. } => piece.clone(),
    });
    Word { pieces: pieces.collect(), span: word.span }
}

/// The words as one line.
fn shown(words: &[Word]) -> String {
    let mut out = String::new();
    for (i, word) in words.iter().enumerate() {
        if i > 0 {
            out.push(' ');
        }
        let text = word.shown();
        let plain =
            !text.is_empty() && !text.contains(|c: char| c.is_whitespace() || "\"'$`\\|&;<>()".contains(c));
        let only_glob = word.pieces.iter().any(|p| matches!(p, Piece::Glob(_)));
        if plain || only_glob {
            out.push_str(&text);
        } else {
            out.push('\'');
            out.push_str(&text.replace('\'', "'\\''"));
            out.push('\'');
        }
    }
    out
}
