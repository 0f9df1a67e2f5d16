//! What a value or an operand means, by its kind.

use super::entry::{Is, Kind};
use super::hooks;
use super::words::{base, is_literal, join, looks_like_url, push_text, start, with_suffix};
use super::work::{Work, inner};
use super::{Access, FileUse, InnerKind};
use crate::facts::word::Word;

impl Work<'_> {
    /// `dest` is written, or a file in it for each source when it is a folder.
    pub(super) fn write_into(&mut self, dest: &Word, sources: &[Word], folder: bool) {
        self.writes("it writes files");
        let recursive = self.tables.recursive;
        self.file(dest, Access::Write, recursive, false);
        if self.tables.rebinds {
            self.u.rebinds.push(dest.clone());
        }
        let end = dest.literal();
        let folder = folder
            || end.is_some_and(|d| d.ends_with('/') || matches!(&*d, "." | "..") || d.ends_with("/.."));
        for source in sources {
            let Some(name) = base(source) else { continue };
            let mut path = dest.clone();
            if !dest.literal().is_some_and(|d| d.ends_with('/')) {
                push_text(&mut path, "/");
            }
            let path = with_suffix(&path, &name);
            let if_folder = (!folder).then(|| dest.clone());
            self.u.files.push(FileUse { path, access: Access::Write, recursive, possible: false, if_folder });
        }
    }

    /// What a value or operand means.
    pub(super) fn apply(&mut self, kind: Kind, word: &Word, option: &str, after_dashes: bool) {
        let whose =
            |what: &str| if option.is_empty() { format!("it {what}") } else { format!("`{option}` {what}") };
        let recursive = self.tables.recursive && option.is_empty();
        match kind {
            Kind::Text | Kind::Method | Kind::Pattern => {}
            Kind::Read | Kind::Tree => {
                let standard_input =
                    option.is_empty() && !after_dashes && word.literal().as_deref() == Some("-");
                if standard_input {
                    return;
                }
                let access =
                    if self.tables.in_place && option.is_empty() { Access::ReadWrite } else { Access::Read };
                self.file(word, access, recursive || kind == Kind::Tree, false);
            }
            Kind::Write | Kind::WriteTree | Kind::ReadWrite => {
                let access = if kind == Kind::ReadWrite { Access::ReadWrite } else { Access::Write };
                self.writes(&whose("writes a file"));
                self.file(word, access, recursive || kind == Kind::WriteTree, false);
                if self.tables.rebinds {
                    self.u.rebinds.push(word.clone());
                }
            }
            Kind::ReadMaybe => self.file(word, Access::Read, true, true),
            Kind::WriteMaybe => {
                self.writes(&whose("may write a file"));
                self.file(word, Access::ReadWrite, true, true);
            }
            Kind::PathSpec => {
                let access = if self.entry.is(Is::Writes) { Access::ReadWrite } else { Access::Read };
                self.file(word, access, true, !after_dashes);
                // `HEAD:path` is the content of a file.
                if !after_dashes && let Some(colon) = start(word).find(':') {
                    self.file(&super::words::after(word, colon + 1), Access::Read, true, true);
                }
            }
            Kind::AtRead => {
                let text = start(word);
                if text.starts_with('@') {
                    let path = super::words::after(word, 1);
                    if path.literal().as_deref() != Some("-") {
                        self.file(&path, Access::Read, false, false);
                    }
                } else if text.is_empty() && !is_literal(word) {
                    self.u.unknown_reads = true;
                }
            }
            Kind::Config => {
                self.file(word, Access::Read, false, false);
                self.runs(InnerKind::Unknown, &whose("reads a configuration that may run programs"));
            }
            Kind::Dest => {
                // A second one is an error.
                let sources = if self.tables.dest { Vec::new() } else { self.operand_words() };
                self.tables.dest = true;
                self.write_into(word, &sources, true);
            }
            Kind::Cwd => {
                self.u.cwd = Some(match self.u.cwd.take() {
                    Some(outer) if !start(word).starts_with('/') => {
                        let mut path = outer;
                        push_text(&mut path, "/");
                        with_suffix(&path, word)
                    }
                    _ => word.clone(),
                });
            }
            Kind::Url | Kind::Host => {
                self.object(&whose("talks to the network"));
                self.fetch(word, if kind == Kind::Url { "http" } else { "" }, false);
            }
            Kind::Remote | Kind::RemoteDest => self.remote(kind, word),
            Kind::Script => {
                // `trap - EXIT`, `trap '' INT`.
                if option.is_empty() && word.literal().is_some_and(|l| matches!(&*l, "" | "-")) {
                    return;
                }
                self.runs(InnerKind::Script(word.clone()), &whose("runs a command"));
            }
            Kind::Code => self.runs(InnerKind::Code(word.clone()), &whose("runs code")),
            Kind::ScriptFile => {
                if word.literal().as_deref() == Some("-") {
                    self.runs(InnerKind::Stdin, "it runs what it reads");
                } else {
                    self.file(word, Access::Read, false, false);
                    self.runs(InnerKind::ScriptFile(word.clone()), &whose("runs a script"));
                }
            }
            Kind::Program => {
                self.runs(InnerKind::ArgvAndMore(vec![word.clone()]), &whose("runs a program"));
            }
            Kind::Words => hooks::split_words(self, word, &whose("runs a program")),
            Kind::Exec | Kind::Until | Kind::ScriptWords | Kind::Package => {
                self.run_words(kind, std::slice::from_ref(word), option);
            }
            Kind::SedScript => hooks::sed(self, word),
            Kind::AwkProgram => hooks::awk(self, word),
        }
    }

    pub(super) fn remote(&mut self, kind: Kind, word: &Word) {
        let text = start(word);
        let colon = text.find(':').filter(|at| !text.get(..*at).is_some_and(|t| t.contains('/')));
        if looks_like_url(&text) || colon.is_some() {
            self.object("it talks to the network");
            self.fetch(word, "ssh", false);
        } else if kind == Kind::RemoteDest {
            self.writes("it writes files");
            self.file(word, Access::Write, self.tables.recursive, false);
        } else {
            self.file(word, Access::Read, self.tables.recursive, false);
        }
        if !is_literal(word) && colon.is_none() {
            self.u.unknown_fetches = true;
        }
    }

    /// A program that the words name, with its words.
    pub(super) fn run_words(&mut self, kind: Kind, words: &[Word], option: &str) {
        let opaque = self.tables.opaque || self.sorted.options_after_assignments;
        let plain =
            option.is_empty() && self.entry.is(Is::Transparent) && !opaque && self.sorted.doubtful.is_empty();
        if hooks::takes_words(self, words) {
            return;
        }
        let what = match kind {
            _ if self.entry.hook == Some("xargs") => hooks::xargs(self, words),
            Kind::ScriptWords => InnerKind::Script(join(words)),
            Kind::Until => InnerKind::ArgvAndMore(words.iter().map(|w| fill(w, "{}")).collect()),
            _ => InnerKind::Argv(words.to_vec()),
        };
        let mut found = inner(what);
        found.transparent = plain;
        found.elsewhere = self.tables.elsewhere;
        found.cwd.clone_from(&self.u.cwd);
        found.env.clone_from(&self.sorted.assignments);
        if option.ends_with("dir") {
            found.cwd = Some(Word::unknown(false));
        }
        if found.cwd.is_some() {
            found.transparent = false;
        }
        if kind == Kind::Package {
            self.u.unknown_fetches = true;
        }
        if !found.transparent {
            self.object("it runs a program");
        }
        self.u.inner.push(found);
        let doubtful = self.sorted.doubtful.iter().any(|i| self.sorted.exec.is_some_and(|exec| *i < exec));
        let unknown_option = self.sorted.used.iter().any(|u| u.option.is_none());
        if option.is_empty() && (doubtful || unknown_option) {
            self.u.inner.push(inner(InnerKind::Unknown));
        }
    }
}

/// `word` with every `mark` replaced by something unknown.
pub(super) fn fill(word: &Word, mark: &str) -> Word {
    use crate::facts::word::Piece;
    if mark.is_empty() {
        return word.clone();
    }
    let mut out = Word { pieces: Vec::new(), span: word.span };
    for piece in &word.pieces {
        match piece {
            Piece::Text(text) => {
                for (nth, part) in text.split(mark).enumerate() {
                    if nth > 0 {
                        out.pieces.push(Piece::Unknown { splits: false });
                    }
                    if !part.is_empty() {
                        out.pieces.push(Piece::Text(part.to_owned()));
                    }
                }
            }
            Piece::Glob(_) | Piece::Unknown { .. } => out.pieces.push(piece.clone()),
        }
    }
    out
}
