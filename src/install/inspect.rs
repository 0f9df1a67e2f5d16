//! What stands in the configuration of a host, and what undermines it.

use std::path::{Path, PathBuf};
use std::time::Duration;

use serde_json::Value;

use super::Refused;
use super::codex;
use super::entry;
use super::hosts::{File, Form, Host};
use super::jsonc;
use super::line::{Line, NAME};
use super::place::{Place, Scope, may_run};
use super::plan::{read, value_of};
use super::script::Script;
use super::settings::Settings;
use super::trust;

/// What a hook needs at most, in seconds: what it gives itself, and a second to start.
const NEEDED: f64 = 6.0;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// As it should be.
    Fine,
    /// To be known.
    Note,
    /// Something to mend.
    Problem,
}

/// Something that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Remark {
    /// How bad it is.
    pub level: Level,
    /// What it is.
    pub what: String,
    /// What to do.
    pub todo: Option<String>,
}

impl Remark {
    /// As it should be.
    pub fn fine(what: impl Into<String>) -> Self {
        Self { level: Level::Fine, what: what.into(), todo: None }
    }

    /// To be known.
    pub fn note(what: impl Into<String>) -> Self {
        Self { level: Level::Note, what: what.into(), todo: None }
    }

    /// Something to mend, and how.
    pub fn problem(what: impl Into<String>, todo: impl Into<String>) -> Self {
        Self { level: Level::Problem, what: what.into(), todo: Some(todo.into()) }
    }
}

/// A hook of ours that is registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// Whose configuration it is in.
    pub scope: Scope,
    /// The file.
    pub path: PathBuf,
    /// The event.
    pub event: Option<String>,
    /// What it runs.
    pub line: Line,
    /// The command as it stands there; for a host that starts the file itself, its path.
    pub command: String,
    /// What follows the command, where no shell is in between.
    pub args: Option<Vec<String>>,
    /// How long the host waits for it, where that is told.
    pub limit: Option<Duration>,
    /// The number of its entry in the list, and its own in the entry.
    pub(super) number: (usize, usize),
}

/// What was found of one host.
#[derive(Clone, Debug, Default)]
pub struct Found {
    /// The hooks of ours.
    pub registered: Vec<Registered>,
    /// What is to be said of the configuration.
    pub remarks: Vec<Remark>,
}

/// What is said of a hook that is there for the project and for the user: most hosts run both.
pub(super) const TWICE: &str = "the hook is in the configuration of the project and in that of the user: calls are judged twice, and what `policy \
                                approve` lets through for one is asked about by the other";

/// The hooks of ours that a host has.
pub fn registered(host: &Host, place: &Place) -> Vec<Registered> {
    inspect(host, place).registered
}

/// Looks at everything that a host reads.
pub fn inspect(host: &Host, place: &Place) -> Found {
    let mut found = Found::default();
    let nobody = Line { program: String::new(), host: host.name.to_owned(), options: Vec::new() };
    for scope in Scope::ALL {
        for file in (host.files)(place, scope, &nobody) {
            // A project in the home folder itself.
            let seen = found.registered.iter().any(|hook| hook.path == file.path);
            if seen {
                continue;
            }
            let mut looking = Looking { host, place, scope, file: &file, nobody: &nobody, found: &mut found };
            if let Err(refused) = looking.look() {
                let todo = refused.help().unwrap_or_else(|| "make it readable".to_owned());
                found.remarks.push(Remark::problem(refused.to_string(), todo));
            }
        }
    }
    if !found.registered.is_empty() {
        found.remarks.extend(switches(host, place));
    }
    if Scope::ALL.iter().all(|scope| found.registered.iter().any(|hook| hook.scope == *scope)) {
        let name = host.name;
        found.remarks.push(Remark::problem(
            TWICE,
            format!("`policy install {name} --uninstall`, or `policy install {name} --uninstall --user`"),
        ));
    }
    let trust = trust::remarks(host, place, &found.registered);
    found.remarks.extend(trust);
    found
}

struct Looking<'a> {
    host: &'a Host,
    place: &'a Place,
    scope: Scope,
    file: &'a File,
    nobody: &'a Line,
    found: &'a mut Found,
}

impl Looking<'_> {
    fn name(&self) -> String {
        self.place.short(&self.file.path)
    }

    fn again(&self) -> String {
        format!("`policy install {} --{}` writes it anew", self.host.name, self.scope.name())
    }

    fn problem(&mut self, what: &str) {
        let remark = Remark::problem(format!("{}: {what}", self.name()), self.again());
        self.found.remarks.push(remark);
    }

    fn look(&mut self) -> Result<(), Refused> {
        match &self.file.form {
            Form::Script(script) => self.script(script),
            Form::Settings(settings) => {
                let Some(root) = value_of(&self.file.path)? else { return Ok(()) };
                self.wrapper(&root);
                let expected: Vec<_> = settings.entries.iter().map(|(event, _)| *event).collect();
                self.entries(&settings.all(&root), &expected);
                self.beside(settings, &root);
                Ok(())
            }
            Form::Tables(tables) => {
                let Some(root) = value_of(&self.file.path)? else { return Ok(()) };
                let entries: Vec<_> =
                    codex::all(&root).into_iter().map(|(event, group)| (Some(event), group)).collect();
                let expected: Vec<_> = tables.events.iter().map(|event| Some(*event)).collect();
                self.entries(&entries, &expected);
                Ok(())
            }
        }
    }

    fn script(&mut self, script: &Script) -> Result<(), Refused> {
        let Some(text) = read(&self.file.path)? else { return Ok(()) };
        if !Script::is_ours(&text) {
            self.found.remarks.push(Remark::note(format!("{} is somebody else's", self.name())));
            return Ok(());
        }
        let Some(line) = Script::line(&text) else { return Ok(()) };
        let as_written = (self.host.files)(self.place, self.scope, &line).into_iter().any(|file| {
            file.path == self.file.path && matches!(&file.form, Form::Script(script) if script.text == text)
        });
        if as_written {
            self.found.remarks.push(Remark::fine(format!("{} is what this version writes", self.name())));
        } else {
            self.problem("it is not what this version writes");
        }
        if script.executable && self.file.path.metadata().is_ok_and(|meta| !may_run(&meta)) {
            self.problem("it is not executable, so it never runs");
        }
        let command = if self.host.starts == super::Starts::Itself {
            self.file.path.display().to_string()
        } else {
            line.shell()
        };
        let hook = Registered { line, command, ..self.hook() };
        self.found.registered.push(hook);
        Ok(())
    }

    fn hook(&self) -> Registered {
        Registered {
            scope: self.scope,
            path: self.file.path.clone(),
            event: None,
            line: self.nobody.clone(),
            command: String::new(),
            args: None,
            limit: None,
            number: (0, 0),
        }
    }

    /// Looks at all entries of a file, and for those that should be there.
    fn entries(&mut self, all: &[(Option<&str>, &Value)], expected: &[Option<&'static str>]) {
        let mut seen: Vec<Option<String>> = Vec::new();
        let mut numbers: Vec<(Option<&str>, usize)> = Vec::new();
        for (event, entry) in all {
            let number = numbers.iter().filter(|(of, _)| of == event).count();
            numbers.push((*event, number));
            for (at, handler) in entry::handlers(entry).into_iter().enumerate() {
                let Some(line) = entry::line(handler) else {
                    if entry::command(handler).is_some_and(|command| command.contains("policy hook")) {
                        let what = format!(
                            "{}: an entry that asks in a way of its own is not looked at",
                            self.name()
                        );
                        self.found.remarks.push(Remark::note(what));
                    }
                    continue;
                };
                let named = event.map_or_else(String::new, |event| format!("`{event}`: "));
                for what in self.faults(*event, entry, handler) {
                    self.problem(&format!("{named}{what}"));
                }
                if line.host != self.host.name && line.host != "auto" {
                    self.problem(&format!("{named}it asks as `{}`", line.host));
                }
                let limit = self.seconds(handler).and_then(|n| Duration::try_from_secs_f64(n).ok());
                if let (Some(deadline), Some(limit)) = (line.deadline(), limit)
                    && deadline >= limit
                {
                    self.problem(&format!("{named}its `--deadline` is not below the host's own limit"));
                }
                let hook = Registered {
                    event: event.map(str::to_owned),
                    command: entry::command(handler).unwrap_or_default().to_owned(),
                    args: entry::args(handler),
                    limit,
                    number: (number, at),
                    line,
                    ..self.hook()
                };
                if self.is_known(&hook) {
                    self.found.registered.push(hook);
                } else {
                    self.problem(&format!(
                        "{named}`{}` is not what this program writes, so it was not started",
                        hook.command
                    ));
                }
                seen.push(event.map(str::to_owned));
            }
        }
        if seen.is_empty() {
            return;
        }
        for event in expected {
            if !seen.iter().any(|there| there.as_deref() == *event) {
                self.problem(&format!("no hook for `{}`", event.unwrap_or("tool calls")));
            }
        }
        let events: Vec<_> = seen.iter().flatten().map(String::as_str).collect();
        let what = if events.is_empty() {
            "registered".to_owned()
        } else {
            format!("registered for {}", events.join(", "))
        };
        let line = self.found.registered.last().map_or_else(String::new, |hook| hook.line.shell());
        if !line.is_empty() {
            self.found.remarks.push(Remark::fine(format!("{}: `{line}` is {what}", self.name())));
        }
    }

    /// Whether the whole of a command is one of ours, and starts this very program: only such a one is started. A repository may have
    /// written anything behind the words that look like ours.
    fn is_known(&self, hook: &Registered) -> bool {
        let of_this = hook.line.program == NAME
            || std::env::current_exe().is_ok_and(|own| {
                let named = Path::new(&hook.line.program);
                let same = matches!((own.canonicalize(), named.canonicalize()), (Ok(a), Ok(b)) if a == b);
                named.is_absolute() && same
            });
        let written = || {
            let files = (self.host.files)(self.place, self.scope, &hook.line);
            files.iter().flat_map(|file| file.form.commands()).any(|command| command == hook.command)
        };
        of_this && (hook.args.is_some() || hook.command == hook.line.shell() || written())
    }

    /// How long the host waits for a hook.
    fn seconds(&self, handler: &Value) -> Option<f64> {
        let (key, second) = self.host.timeout?;
        Some(handler.get(key)?.as_f64()? / f64::from(second))
    }

    /// What is wrong with an entry of ours.
    fn faults(&self, event: Option<&str>, entry: &Value, handler: &Value) -> Vec<String> {
        let mut found = Vec::new();
        let host = self.host;
        match entry.get("matcher") {
            Some(Value::String(matcher)) if host.matches_all.contains(&matcher.as_str()) => {}
            None | Some(Value::Null) => {}
            // A host without matchers passes them over.
            Some(_) if host.matches_all.is_empty() => {}
            Some(matcher) => found.push(format!("its matcher `{matcher}` does not match every tool")),
        }
        if let Some(condition) = handler.get("if") {
            found.push(format!("it has the condition `if: {condition}`, so it is not asked for every call"));
        }
        if [entry, handler].iter().any(|v| v.get("enabled") == Some(&Value::Bool(false))) {
            found.push("it is switched off".to_owned());
        }
        if let Some((key, value, events)) = host.switch
            && event.is_some_and(|event| events.contains(&event))
            && !handler.get(key).is_some_and(|there| value.is(there))
        {
            found.push(format!("without `{key}: {}` the tool runs when the hook fails", value.written()));
        }
        if let Some((key, _)) = host.timeout
            && let Some(timeout) = handler.get(key)
            && self.seconds(handler).is_none_or(|seconds| seconds < NEEDED)
        {
            found.push(format!(
                "`{key}: {timeout}` is too short: the host goes on before the hook has given up"
            ));
        }
        found
    }

    /// Entries where droid does not look for them.
    fn wrapper(&mut self, root: &Value) {
        if self.host.name == "factory-droid" && root.get("hooks").is_some_and(Value::is_object) {
            let what = format!("{}: what stands below `hooks` is passed over", self.name());
            self.found.remarks.push(Remark::problem(what, "put the events at the top of the file"));
        }
    }

    /// Keys that have to stand beside the entries.
    fn beside(&mut self, settings: &Settings, root: &Value) {
        if !self.found.registered.iter().any(|hook| hook.path == self.file.path) {
            return;
        }
        for beside in &settings.beside {
            let path: Vec<_> = beside.path.iter().map(|key| jsonc::Step::Key(key)).collect();
            if jsonc::get(root, &path) != Some(&beside.value) {
                self.problem(&format!("`{}` is not {}", beside.path.join("."), beside.value));
            }
        }
    }
}

/// Switches of a host that turn hooks off, wherever they stand.
fn switches(host: &Host, place: &Place) -> Vec<Remark> {
    let (files, keys): (Vec<PathBuf>, &[(&str, bool)]) = match host.name {
        "claude-code" => (
            vec![
                place.project.join(".claude/settings.json"),
                place.project.join(".claude/settings.local.json"),
                place.of_claude().join("settings.json"),
                PathBuf::from("/etc/claude-code/managed-settings.json"),
                PathBuf::from("/Library/Application Support/ClaudeCode/managed-settings.json"),
            ],
            &[("/disableAllHooks", true), ("/allowManagedHooksOnly", true)],
        ),
        "gemini-cli" => (
            vec![
                place.project.join(".gemini/settings.json"),
                place.home.join(".gemini/settings.json"),
                PathBuf::from("/etc/gemini-cli/settings.json"),
            ],
            &[("/hooksConfig/enabled", false)],
        ),
        "codex" => (
            vec![
                place.project.join(".codex/config.toml"),
                place.of_codex().join("config.toml"),
                PathBuf::from("/etc/codex/requirements.toml"),
            ],
            &[
                ("/features/hooks", false),
                ("/features/codex_hooks", false),
                ("/allow_managed_hooks_only", true),
            ],
        ),
        _ => return Vec::new(),
    };
    let mut found = Vec::new();
    for file in &files {
        let Ok(Some(root)) = value_of(file) else { continue };
        for (pointer, off) in keys {
            if root.pointer(pointer) == Some(&Value::Bool(*off)) {
                let key = pointer.trim_start_matches('/').replace('/', ".");
                let what = format!("{}: `{key}` is {off}, so the hook never runs", place.short(file));
                found.push(Remark::problem(
                    what,
                    format!("set `{key}` to {}, or ask who manages the file", !off),
                ));
            }
        }
        if let Some(remark) = disabled_by_name(&root, place, file) {
            found.push(remark);
        }
    }
    found
}

/// Gemini keeps a list of names of hooks that are off.
fn disabled_by_name(root: &Value, place: &Place, file: &Path) -> Option<Remark> {
    let list =
        root.pointer("/hooksConfig/disabled").or_else(|| root.pointer("/hooks/disabled"))?.as_array()?;
    list.iter().any(|name| name == "policy").then(|| {
        let what = format!("{}: the hook `policy` is in the list of those that are off", place.short(file));
        Remark::problem(what, "take it out of the list: `/hooks enable policy` in Gemini")
    })
}
