//! From the arguments of a tool to the files and hosts that they name.

use serde_json::Value;

use super::catalogue::Unnamed;
use super::disk::{Disk, Kind};
use super::parts::{FileTouch, NetTouch, Part, PartKind};
use super::path::{Extent, FilePath, Roots};
use super::programs::Access;
use super::tool::{Search, Tool};
use super::url::Target;
use super::word::{Piece, Word};
use super::{patch, texts};
use crate::arg::ArgPath;
use crate::call::Call;

/// A search below a folder with more than this is not listed.
const MOST_LISTED: usize = 2000;

/// Gathers the files and hosts that a call names.
pub(super) struct Arguments<'a> {
    pub(super) call: &'a Call,
    pub(super) roots: &'a Roots,
    pub(super) cwds: Vec<Option<String>>,
    pub(super) disk: &'a dyn Disk,
    pub(super) parts: Vec<Part>,
}

impl Arguments<'_> {
    /// Everything that the tool's arguments name, commands left out.
    pub(super) fn gather(&mut self, tool: &Tool) {
        for path in &tool.reads {
            self.files(path, Access::Read);
        }
        let access = if tool.overwrites { Access::Write } else { Access::ReadWrite };
        for path in &tool.writes {
            self.files(path, access);
        }
        for path in &tool.patch {
            self.patches(path);
        }
        for path in &tool.fetches {
            self.hosts(path);
        }
        for path in &tool.fetches_in_text {
            self.hosts_in_text(path);
        }
        if let Some(search) = &tool.search {
            self.search(search);
        }
        let none_given = || {
            tool.arguments().all(|path| path.find(&self.call.args).values.iter().all(|value| value.is_null()))
        };
        let mut unnamed = tool.unnamed;
        if !tool.optional && tool.search.is_none() && tool.arguments().next().is_some() && none_given() {
            // The host may call the argument something else, so what it is for happens to something unknown.
            unnamed = Unnamed {
                runs: unnamed.runs,
                reads: unnamed.reads || !tool.reads.is_empty() || tool.edits(),
                writes: unnamed.writes || tool.edits(),
                fetches: unnamed.fetches || !tool.fetches.is_empty() || !tool.fetches_in_text.is_empty(),
            };
        }
        self.unnamed(unnamed);
    }

    /// Things that the tool does to what no argument names.
    pub(super) fn unnamed(&mut self, unnamed: Unnamed) {
        let text = || "something that no argument names".to_owned();
        match (unnamed.reads, unnamed.writes) {
            (_, true) => self.push(
                FilePath::unknown().elsewhere(),
                if unnamed.reads { Access::ReadWrite } else { Access::Write },
                Extent::Itself,
                None,
                text(),
            ),
            (true, false) => {
                self.push(FilePath::unknown().elsewhere(), Access::Read, Extent::Itself, None, text());
            }
            (false, false) => {}
        }
        if unnamed.fetches {
            self.host(Target::Unknown, text());
        }
    }

    fn push(
        &mut self,
        path: FilePath,
        access: Access,
        extent: Extent,
        refined: Option<FilePath>,
        text: String,
    ) {
        let touch = FileTouch { path, access, extent, refined, possible: false };
        let kind = if access.writes() { PartKind::Write(touch) } else { PartKind::Read(touch) };
        self.part(kind, text);
    }

    fn part(&mut self, kind: PartKind, text: String) {
        let group = self.parts.len();
        self.parts.push(Part { kind, text, span: None, group });
    }

    fn named(&self, text: &str) -> FilePath {
        FilePath::from_argument(text, &self.cwds, self.roots, self.disk)
    }

    fn files(&mut self, path: &ArgPath, access: Access) {
        let call = self.call;
        let found = path.find(&call.args);
        let named = found.values.iter().flat_map(|value| texts(value));
        for text in named.chain(found.wrong_shape.then_some(None)) {
            match text {
                Some(text) => self.push(self.named(text), access, Extent::Itself, None, text.to_owned()),
                None => self.push(
                    FilePath::unknown(),
                    access,
                    Extent::Itself,
                    None,
                    format!("{path} (not a text)"),
                ),
            }
        }
    }

    fn patches(&mut self, path: &ArgPath) {
        let call = self.call;
        let found = path.find(&call.args);
        let named = found.values.iter().flat_map(|value| texts(value));
        for text in named.chain(found.wrong_shape.then_some(None)) {
            let read = text.map(patch::files);
            for name in read.iter().flat_map(|p| &p.writes) {
                self.push(self.named(name), Access::ReadWrite, Extent::Itself, None, name.clone());
            }
            for name in read.iter().flat_map(|p| &p.reads) {
                self.push(self.named(name), Access::Read, Extent::Itself, None, name.clone());
            }
            if !read.is_some_and(|p| p.complete) {
                self.push(
                    FilePath::unknown(),
                    Access::ReadWrite,
                    Extent::Itself,
                    None,
                    "files that the patch does not surely name".to_owned(),
                );
            }
        }
    }

    fn host(&mut self, target: Target, text: String) {
        // A tool that fetches asks with GET, and says so itself when it is sent elsewhere.
        let net =
            NetTouch { target, method: Some("GET".to_owned()), follows_redirects: false, possible: false };
        self.part(PartKind::Fetch(net), text);
    }

    fn hosts(&mut self, path: &ArgPath) {
        let call = self.call;
        let found = path.find(&call.args);
        let named = found.values.iter().flat_map(|value| texts(value));
        for text in named.chain(found.wrong_shape.then_some(None)) {
            let target = text.map_or(Target::Unknown, |text| Target::parse(text, "https"));
            match target {
                Target::File(file) => {
                    let path = file.map_or_else(FilePath::unknown, |file| self.named(&file));
                    self.push(path, Access::Read, Extent::Itself, None, text.unwrap_or_default().to_owned());
                }
                Target::Place(_) | Target::Nothing | Target::Unknown => {
                    self.host(target, text.unwrap_or("(not a text)").to_owned());
                }
            }
        }
    }

    fn hosts_in_text(&mut self, path: &ArgPath) {
        let call = self.call;
        let mut any = false;
        for value in path.find(&call.args).values {
            any = true;
            for token in value.as_str().unwrap_or_default().split_whitespace().filter(|t| t.contains("://")) {
                let url = token.trim_matches(|c: char| "<>()[]{}\"'`,;.!".contains(c));
                self.host(Target::parse(url, "https"), url.to_owned());
            }
        }
        if any {
            self.host(Target::Unknown, "hosts that the text may mean".to_owned());
        }
    }

    fn search(&mut self, search: &Search) {
        let call = self.call;
        let strings = |paths: &[ArgPath]| -> Vec<Option<String>> {
            paths
                .iter()
                .flat_map(|p| p.find(&call.args).values)
                .flat_map(texts)
                .map(|t| t.map(str::to_owned))
                .collect()
        };
        let mut folders = strings(&search.path);
        if folders.is_empty() {
            folders.push(Some(".".to_owned()));
        }
        let (patterns, includes) = (strings(&search.pattern), strings(&search.include));
        let extent = if search.recursive { Extent::MayReachBelow } else { Extent::Itself };
        for folder in folders {
            let Some(folder) = folder else {
                self.push(FilePath::unknown(), Access::Read, extent, None, "(not a text)".to_owned());
                continue;
            };
            let base = self.named(&folder);
            if patterns.is_empty() {
                let refined = match includes.as_slice() {
                    [Some(include)] if search.recursive => self.refined(&base, include),
                    _ => None,
                };
                if search.recursive {
                    // `include` is what the argument is called elsewhere: good for denials, and nothing is left out for it.
                    let named = call.args.get("include").and_then(Value::as_str);
                    for include in includes.iter().flatten().map(String::as_str).chain(named) {
                        self.picked(&base, include);
                    }
                }
                self.push(base, Access::Read, extent, refined, folder);
                continue;
            }
            for pattern in &patterns {
                let Some(pattern) = pattern else {
                    self.push(FilePath::unknown(), Access::Read, extent, None, "(not a text)".to_owned());
                    continue;
                };
                // The folder that the pattern surely stays in: what is in front of its first glob.
                let head = pattern.split(['*', '?', '[', '{']).next().unwrap_or_default();
                let literal = head.len() == pattern.len();
                let head = if literal {
                    head
                } else {
                    head.rsplit_once('/').map_or("", |(h, _)| if h.is_empty() { "/" } else { h })
                };
                let climbs = pattern.split('/').any(|name| name == "..");
                let place = match head {
                    "" => folder.clone(),
                    head if head.starts_with(['/', '~']) => head.to_owned(),
                    head => format!("{}/{head}", folder.trim_end_matches('/')),
                };
                let within = if climbs { FilePath::unknown() } else { self.named(&place) };
                let stays = !climbs && !head.starts_with(['/', '~']);
                if literal && search.recursive && !pattern.contains('/') {
                    // Some look for a plain name in every folder below.
                    let base = self.named(&folder);
                    self.picked(&base, pattern);
                    let refined = self.refined(&base, pattern);
                    self.push(base, Access::Read, extent, refined, format!("{folder}: {pattern}"));
                }
                // A plain path is that file, or what is below it.
                let refined = if stays && !literal { self.refined(&within, pattern) } else { None };
                if let (true, Some(last)) =
                    (stays && !literal && search.recursive, pattern.rsplit('/').next())
                {
                    self.picked(&within, last);
                }
                let no_folder = || {
                    let kind = within.written().and_then(|path| self.disk.kind(&path));
                    matches!(kind, Some(Kind::File | Kind::Missing))
                };
                let extent = if literal && no_folder() { Extent::Itself } else { extent };
                self.push(within, Access::Read, extent, refined, format!("{folder}: {pattern}"));
            }
        }
    }

    /// The files below the folder that the glob picks, where the disk lists them: these are surely read.
    fn picked(&mut self, base: &FilePath, include: &str) {
        let Some(root) = base.resolved() else { return };
        let suffix = include.strip_prefix('*');
        if !plain_ending(include) {
            return;
        }
        let mut folders = vec![root];
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for name in self.disk.list(&folder).unwrap_or_default() {
                seen += 1;
                if seen > MOST_LISTED {
                    return;
                }
                let path = format!("{}/{name}", folder.trim_end_matches('/'));
                match self.disk.kind(&path) {
                    Some(Kind::Folder) => folders.push(path),
                    Some(Kind::File) if suffix.map_or(name == include, |s| name.ends_with(s)) => {
                        self.push(self.named(&path), Access::Read, Extent::Itself, None, path);
                    }
                    Some(Kind::File | Kind::Link | Kind::Missing) | None => {}
                }
            }
        }
    }

    /// The files below a folder whose names end as a glob says: what a denial has to look at in place of all of them.
    fn refined(&self, base: &FilePath, glob: &str) -> Option<FilePath> {
        let last = glob.rsplit('/').next()?;
        if last.is_empty()
            || last.contains(['{', '}', '!', '\\', '(', ')', ','])
            || last.starts_with("**")
            || glob.starts_with('!')
        {
            return None;
        }
        // Only of such globs the disk is asked for the files with a dot in front, too: see `picked`.
        if !plain_ending(last) {
            return None;
        }
        let root = base.written()?;
        let below = vec![
            Piece::Text(format!("{}/", root.trim_end_matches('/'))),
            Piece::Glob("**".to_owned()),
            Piece::Text("/".to_owned()),
        ];
        let name =
            if last.contains('*') { Piece::Glob(last.to_owned()) } else { Piece::Text(last.to_owned()) };
        let pieces = below.into_iter().chain([name]).collect();
        Some(FilePath::from_word(&Word { pieces, span: (0, 0) }, &self.cwds, self.disk))
    }
}

/// Whether the glob is a name, or `*` and the end of one.
fn plain_ending(glob: &str) -> bool {
    !glob.strip_prefix('*').unwrap_or(glob).contains(['*', '?', '[', '{', '!', '\\', '/'])
}

/// What an argument is that should be a command.
pub(super) enum Given<'v> {
    Text(&'v str),
    Words(Vec<&'v str>),
    Nothing,
    Unknown(String),
}

/// Reads the value of a command argument.
pub(super) fn command(value: &Value) -> Given<'_> {
    match value {
        Value::String(text) => Given::Text(text),
        Value::Null => Given::Nothing,
        Value::Array(words) => match words.iter().map(Value::as_str).collect::<Option<Vec<_>>>() {
            Some(words) => Given::Words(words),
            None => Given::Unknown(value.to_string()),
        },
        Value::Bool(_) | Value::Number(_) | Value::Object(_) => Given::Unknown(value.to_string()),
    }
}
