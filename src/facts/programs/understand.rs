//! From sorted words to what they say that the command does.

use super::data;
use super::entry::{Effect, Entry, Is, Kind, ReadOnly};
use super::hooks;
use super::sort::sort;
use super::words::{base, is_literal, looks_like_path, looks_like_url, start};
use super::work::{Tables, Work, inner};
use super::{Access, Claim, FetchUse, FileUse, InnerKind, Parsed, Understood, program_name};
use crate::facts::word::{Piece, Word};

/// What the words of one command say that it does; the first word is the program.
///
/// A claim speaks of the command itself: what it runs in turn ([`Understood::inner`]) has to be judged apart, and so have the files it names.
pub fn understand(words: &[Word]) -> Understood {
    understand_as(words, false)
}

/// As [`understand`]; with `fold`, case and `.exe` in the program's name do not count (for deny: such a command never has a claim).
pub fn understand_as(words: &[Word], fold: bool) -> Understood {
    let Some(first) = words.first() else {
        return blank("there is no program");
    };
    let Some(name) = first.literal().filter(|n| !n.is_empty()) else {
        let mut u = blank("the program's name is not known");
        u.unknown_reads = true;
        u.unknown_writes = true;
        u.unknown_fetches = true;
        u.inner.push(inner(InnerKind::Unknown));
        u.parsed = sort(words, None).parsed;
        return u;
    };
    let program = program_name(&name, fold);
    let model = data::find(&program);
    let sorted = sort(words, model);
    let Some(entry) = sorted.entry else {
        return unmodelled(words, program, sorted.parsed);
    };
    let mut work = Work {
        words,
        u: blank(""),
        sorted,
        entry,
        not_read_only: None,
        not_project: None,
        tables: Tables::default(),
    };
    if !well_known(&name, &program) {
        work.object(&format!("`{name}` is not the well-known program of that name"));
    }
    work.options();
    work.operands();
    work.properties();
    work.doubts();
    if let Some(hook) = work.entry.hook {
        hooks::run(hook, &mut work);
    }
    work.finish(program)
}

/// The words of a command, sorted into options and operands, with a model of the program or without.
pub fn sort_words(words: &[Word]) -> Parsed {
    let name = words.first().and_then(Word::literal).map(|n| program_name(&n, false));
    sort(words, name.and_then(|n| data::find(&n))).parsed
}

/// The bare name, or one in a folder that only the system writes.
fn well_known(written: &str, program: &str) -> bool {
    let folder = written.strip_suffix(program);
    matches!(folder, Some("" | "/bin/" | "/usr/bin/" | "/sbin/" | "/usr/sbin/"))
}

fn blank(reason: &str) -> Understood {
    Understood {
        program: None,
        modelled: false,
        parsed: Parsed::default(),
        files: Vec::new(),
        unknown_reads: false,
        unknown_writes: false,
        fetches: Vec::new(),
        unknown_fetches: false,
        inner: Vec::new(),
        cwd: None,
        read_only: Claim::No(reason.to_owned()),
        project: Claim::No(reason.to_owned()),
        project_inside: Vec::new(),
        depends_on_git_config: false,
        unknown_word_may_run: Vec::new(),
        rebinds: Vec::new(),
    }
}

fn unmodelled(words: &[Word], program: String, parsed: Parsed) -> Understood {
    let mut u = blank(&format!("nothing is known of `{program}`"));
    u.program = Some(program);
    for word in words.iter().skip(1) {
        guess(&mut u, word);
    }
    u.parsed = parsed;
    u
}

/// Files and hosts that a word may name, by its look.
pub(super) fn guess(u: &mut Understood, word: &Word) {
    let text = start(word);
    // `--x=VALUE`, `-xVALUE`, `@FILE`, `name=@FILE`, `name=FILE`.
    let value_at = if text.starts_with("--") {
        text.find('=').map(|at| at + 1)
    } else if text.starts_with('-') {
        text.find('=')
            .map(|at| at + 1)
            .or_else(|| is_literal(word).then_some(2).filter(|at| text.is_char_boundary(*at)))
    } else {
        Some(0)
    };
    let Some(value_at) = value_at else { return };
    let mut value = super::words::after(word, value_at);
    if is_literal(word) && !looks_like_url(&start(&value)) {
        let text = start(&value).into_owned();
        let named = text.split_once('=').map_or(&*text, |(_, value)| value);
        let named = named.strip_prefix('@').unwrap_or(named);
        let named = named.strip_prefix("file:").filter(|rest| !rest.starts_with("//")).unwrap_or(named);
        value = Word { span: word.span, ..Word::text(named) };
    }
    let text = start(&value);
    let unknown = !is_literal(&value);
    if looks_like_url(&text) && !text.starts_with("file:") {
        u.fetches.push(FetchUse {
            target: value,
            default_scheme: "",
            method: None,
            follows_redirects: false,
            possible: true,
        });
    } else if looks_like_path(&text) || unknown {
        u.files.push(FileUse {
            path: value.clone(),
            access: Access::ReadWrite,
            recursive: true,
            possible: true,
            if_folder: None,
        });
        // What is not known of it may also make it a URL, but not of the name of a file.
        if unknown
            && !looks_like_path(&text)
            && !value.pieces.iter().all(|p| matches!(p, Piece::Text(_) | Piece::Glob(_)))
        {
            u.fetches.push(FetchUse {
                target: Word::unknown(true),
                default_scheme: "",
                method: None,
                follows_redirects: false,
                possible: true,
            });
        }
    }
}

/// As [`guess`], of words that are certain.
pub(super) fn guess_literal(u: &mut Understood, word: &Word) {
    if is_literal(word) {
        guess(u, word);
    }
}

impl Work<'_> {
    fn options(&mut self) {
        self.tables.recursive = self.entry.is(Is::Recursive);
        self.tables.rebinds = self.entry.is(Is::Rebinds);
        self.tables.elsewhere = self.entry.is(Is::Elsewhere);
        self.tables.asks_only = !self.sorted.used.is_empty() && self.sorted.parsed.operands.is_empty();
        let used = std::mem::take(&mut self.sorted.used);
        // `git --no-pager gc` asks nothing.
        self.tables.asks_only &= used.iter().any(|u| u.option.is_some_and(|o| o.has(Effect::Query)));
        for use_ in &used {
            let Some(option) = use_.option else {
                self.object(&format!("nothing is known of the option `{}`", use_.name));
                self.tables.opaque = true;
                self.tables.asks_only = false;
                self.u.unknown_reads = true;
                self.u.unknown_writes = true;
                for value in &use_.values {
                    guess(&mut self.u, value);
                }
                continue;
            };
            self.tables.asks_only &= option.has(Effect::Query) || option.has(Effect::Neutral);
            for effect in &option.effects {
                self.effect(*effect, &use_.name);
            }
        }
        for use_ in &used {
            let Some(option) = use_.option else { continue };
            if option.values.first() == Some(&Kind::Until) {
                self.run_words(Kind::Until, &use_.values, &use_.name);
                continue;
            }
            for (kind, value) in option.values.iter().zip(&use_.values) {
                if kind.takes_the_rest() {
                    self.run_words(*kind, &use_.values, &use_.name);
                    break;
                }
                self.apply(*kind, value, &use_.name, false);
            }
        }
        self.sorted.used = used;
    }

    fn effect(&mut self, effect: Effect, name: &str) {
        match effect {
            Effect::No => self.object(&format!("`{name}` is not harmless")),
            Effect::Write => {
                self.u.unknown_writes = true;
                self.object(&format!("`{name}` changes something"));
            }
            Effect::Read => self.u.unknown_reads = true,
            Effect::Run => {
                self.tables.opaque = true;
                self.runs(InnerKind::Unknown, &format!("`{name}` runs a program"));
            }
            Effect::Net => {
                self.u.unknown_fetches = true;
                self.object(&format!("`{name}` talks to the network"));
            }
            Effect::InPlace => {
                self.tables.in_place = true;
                self.writes(&format!("`{name}` writes files"));
            }
            Effect::Recursive => self.tables.recursive = true,
            Effect::Rebinds => self.tables.rebinds = true,
            Effect::NoPattern => self.tables.no_pattern = true,
            Effect::Opaque => self.tables.opaque = true,
            Effect::Elsewhere => self.tables.elsewhere = true,
            Effect::Query | Effect::Neutral | Effect::Last | Effect::Number | Effect::Hook => {}
        }
    }

    fn operands(&mut self) {
        let indices = std::mem::take(&mut self.sorted.parsed.operands);
        if self.tables.operands_taken {
            self.sorted.parsed.operands = indices;
            return;
        }
        if self.sorted.lost_sub_command {
            self.lost(&indices);
            self.sorted.parsed.operands = indices;
            return;
        }
        let text = [(Kind::Text, true)];
        let mut kinds: &[(Kind, bool)] = self.entry.operands.as_deref().unwrap_or(&text);
        let leading = kinds.iter().take_while(|(k, many)| !many && is_leading(*k)).count();
        let mut given: &[usize] = &indices;
        if self.tables.no_pattern {
            kinds = kinds.get(1..).unwrap_or_default();
        }
        let skipped = if self.tables.no_pattern { leading.saturating_sub(1) } else { leading };
        if given.len() <= skipped {
            self.default_operand();
        }
        let dest = kinds.last().is_some_and(|(k, _)| matches!(k, Kind::Dest | Kind::RemoteDest));
        if dest {
            kinds = kinds.get(..kinds.len() - 1).unwrap_or_default();
            if !self.tables.dest {
                given = self.destination(
                    given,
                    self.entry.operands.as_deref().and_then(|k| k.last()).map(|(k, _)| *k),
                );
            }
        }
        let mut at = 0;
        for (nth, index) in given.iter().enumerate() {
            let Some(word) = self.words.get(*index) else { continue };
            let Some((kind, many)) = kinds.get(at) else {
                // More operands than the table knows of.
                if !matches!(kinds.last(), None | Some((Kind::Text, _))) || self.entry.operands.is_some() {
                    self.object(&format!("`{}` is one word too many", word.shown()));
                    guess(&mut self.u, word);
                }
                continue;
            };
            if kind.takes_the_rest() {
                let rest: Vec<Word> = given
                    .get(nth..)
                    .unwrap_or_default()
                    .iter()
                    .filter_map(|i| self.words.get(*i))
                    .cloned()
                    .collect();
                self.run_words(*kind, &rest, "");
                break;
            }
            let after_dashes = self.sorted.parsed.end_of_options.is_some_and(|end| *index > end);
            self.apply(*kind, word, "", after_dashes);
            // What such a table calls text may be a file all the same.
            let for_a_script = self.u.inner.iter().any(|i| matches!(i.what, InnerKind::ScriptFile(_)));
            if *kind == Kind::Text && (self.entry.is(Is::Incomplete) || for_a_script) {
                guess_literal(&mut self.u, word);
            }
            if word.splits()
                && !is_literal(word)
                && kinds.get(at + 1..).unwrap_or_default().iter().any(|(k, _)| !k.only_reads())
            {
                self.object(&format!("`{}` may be several words", word.shown()));
                self.u.unknown_writes = true;
            }
            if !many {
                at += 1;
            }
        }
        self.sorted.parsed.operands = indices;
    }

    /// The sub-command is not in the table, or unknown.
    fn lost(&mut self, indices: &[usize]) {
        let first = indices.first().and_then(|i| self.words.get(*i));
        self.object(&format!(
            "nothing is known of the sub-command `{}`",
            first.map(Word::shown).unwrap_or_default()
        ));
        if first.is_some_and(|w| !is_literal(w)) {
            self.u.unknown_reads = true;
            self.u.unknown_writes = true;
            self.u.unknown_fetches = true;
            self.u.inner.push(inner(InnerKind::Unknown));
        }
        for index in indices.iter().skip(1) {
            if let Some(word) = self.words.get(*index) {
                guess(&mut self.u, word);
            }
        }
    }

    fn default_operand(&mut self) {
        if let Some((kind, path, only_recursive)) = self.entry.default
            && (!only_recursive || self.tables.recursive)
            && !self.tables.asks_only
        {
            self.apply(kind, &Word::text(path), "", true);
        }
    }

    /// Splits the destination off, the last operand.
    fn destination<'i>(&mut self, given: &'i [usize], kind: Option<Kind>) -> &'i [usize] {
        match given {
            [] => given,
            [only] => {
                // `ln -s target` makes a link of the same name here.
                if self.tables.rebinds
                    && let Some(word) = self.words.get(*only)
                {
                    let here = base(word).unwrap_or_else(|| Word::unknown(false));
                    self.u.rebinds.push(here.clone());
                    self.file(&here, Access::Write, false, false);
                    self.writes("it writes a file");
                }
                given
            }
            [sources @ .., last] => {
                if let Some(dest) = self.words.get(*last) {
                    if kind == Some(Kind::RemoteDest) {
                        self.apply(Kind::RemoteDest, dest, "", false);
                    } else {
                        let names: Vec<Word> =
                            sources.iter().filter_map(|i| self.words.get(*i)).cloned().collect();
                        self.write_into(dest, &names, sources.len() > 1);
                    }
                }
                sources
            }
        }
    }

    fn properties(&mut self) {
        let path = self.sorted.path.clone();
        for entry in path {
            if entry.is(Is::Network) {
                self.u.unknown_fetches = true;
                // Asking a server is no writing: `kubectl get` says `read-only` beside `network`.
                self.not_project.get_or_insert_with(|| "it talks to the network".into());
            }
        }
        // `npm install --help` installs nothing.
        if self.tables.asks_only {
            return;
        }
        if self.entry.is(Is::Runs) {
            self.runs(InnerKind::Unknown, "it runs something that its words do not tell");
        }
        if self.entry.is(Is::Writes) {
            self.u.unknown_writes = true;
            self.writes("it changes files");
        }
        self.u.unknown_reads |= self.entry.is(Is::Reads);
    }

    /// What unknown words may turn out to be.
    fn doubts(&mut self) {
        if let Some(word) = self.sorted.ambiguous.first().and_then(|i| self.words.get(*i)) {
            self.object(&format!("`{}` may be an option", word.shown()));
        }
        if self.sorted.doubtful.is_empty() {
            return;
        }
        self.u.unknown_reads = true;
        let sub_commands = self.sorted.parsed.subcommand.clone();
        let mut may_run = false;
        for index in self.sorted.doubtful.clone() {
            let Some(word) = self.words.get(index) else { continue };
            // The tables whose options are understood at this place.
            let level = sub_commands.iter().filter(|at| **at < index).count();
            let here = |(nth, entry): &(usize, &&'static Entry)| {
                *nth == level || (*nth < level && entry.is(Is::Anywhere))
            };
            let tables = || self.sorted.path.iter().enumerate().filter(here);
            let may_be_another = word.splits() && level < sub_commands.len();
            let dangerous = tables().any(|(_, e)| e.dangerous) || may_be_another;
            if may_be_another || tables().any(|(_, e)| e.may_run) {
                self.u.unknown_word_may_run.push(index);
                may_run = true;
            }
            if dangerous {
                self.object(&format!("`{}` may be an option", word.shown()));
                self.u.unknown_writes = true;
            }
        }
        if may_run {
            self.u.inner.push(inner(InnerKind::Unknown));
        }
    }

    fn finish(mut self, program: String) -> Understood {
        let operands = self.sorted.parsed.operands.len();
        let with = |names: &[&str], work: &Self| names.iter().any(|n| work.used(n));
        // As the user writes it: `podman ps`, not `docker ps`.
        let shown = || {
            let subs = self.sorted.parsed.subcommand.iter().filter_map(|i| self.words.get(*i));
            subs.fold(program.clone(), |all, word| format!("{all} {}", word.shown()))
        };
        let refused = match &self.entry.read_only {
            ReadOnly::Yes => None,
            _ if self.tables.asks_only => None,
            ReadOnly::Never => Some(format!("`{}` is not in the table of read-only commands", shown())),
            ReadOnly::With(names) => {
                (!with(names, &self)).then(|| format!("`{}` is read-only only with {}", shown(), list(names)))
            }
            ReadOnly::Bare(names) => (operands > 0 && !with(names, &self))
                .then(|| format!("`{}` with operands is read-only only with {}", shown(), list(names))),
        };
        let claim = |objection: Option<String>, refused: Option<String>| match objection.or(refused) {
            None => Claim::Yes,
            Some(reason) => Claim::No(reason),
        };
        // Wrappers are judged by what they run.
        let wraps = self.u.inner.iter().any(|i| i.transparent);
        let refused = if wraps { None } else { refused };
        let project = if self.entry.is(Is::Project) || wraps {
            None
        } else {
            Some(format!("`{}` is not in the table of project commands", shown()))
        };
        self.u.read_only = claim(self.not_read_only.take(), refused);
        self.u.project = claim(self.not_project.take(), project);
        if self.u.project == Claim::Yes {
            self.u.project_inside = self.u.files.iter().map(|f| f.path.clone()).collect();
            self.u.project_inside.extend(self.u.cwd.clone());
        }
        self.u.program = Some(program);
        self.u.modelled = true;
        self.u.parsed = self.sorted.parsed;
        self.u
    }
}

fn list(names: &[&str]) -> String {
    if names.is_empty() {
        return "no words at all".into();
    }
    names.iter().map(|n| format!("`{n}`")).collect::<Vec<_>>().join(", ")
}

fn is_leading(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Pattern | Kind::Text | Kind::Code | Kind::SedScript | Kind::AwkProgram | Kind::Script
    )
}
