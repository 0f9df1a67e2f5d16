//! What would change on the disk.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::Refused;
use super::codex::{self, Tables};
use super::hosts::{File, Form, Host};
use super::jsonc;
use super::line::Line;
use super::place::{Place, Scope, may_run};
use super::script::Script;
use super::settings::Trouble;

/// How large a configuration may be.
const MAX_BYTES: u64 = 8 << 20;

/// What becomes of one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// What is in it; none where it is not there.
    pub before: Option<String>,
    /// What is to be in it; none where it is to go.
    pub after: Option<String>,
    /// It has to be executable.
    pub executable: bool,
    /// The folder above which empty folders stay.
    pub(super) root: PathBuf,
}

impl Change {
    /// Whether there is anything to do.
    pub fn changes(&self) -> bool {
        self.before != self.after || (self.after.is_some() && self.lacks_right())
    }

    /// It has to be executable and is not.
    pub(super) fn lacks_right(&self) -> bool {
        self.executable && self.path.metadata().is_ok_and(|meta| !may_run(&meta))
    }
}

/// The text of a file; none where there is no file.
pub(super) fn read(path: &Path) -> Result<Option<String>, Refused> {
    let refused = |why: String| Refused::File { path: path.display().to_string(), why };
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        // A link to nowhere would be written over.
        Err(e) if e.kind() == io::ErrorKind::NotFound && path.symlink_metadata().is_ok() => {
            return Err(refused("it is a link to nowhere".to_owned()));
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(refused(e.to_string())),
    };
    if !meta.is_file() {
        return Err(refused("it is no file".to_owned()));
    }
    if meta.len() > MAX_BYTES {
        return Err(refused(format!("it has more than {MAX_BYTES} bytes")));
    }
    match fs::read(path).map(String::from_utf8) {
        Ok(Ok(text)) => Ok(Some(text)),
        Ok(Err(_)) => Err(refused("it is not UTF-8".to_owned())),
        Err(e) => Err(refused(e.to_string())),
    }
}

/// What is to be done so that the host runs the line.
///
/// # Errors
///
/// When a file cannot be read, is broken, or has no place for the entries.
pub fn install(host: &Host, place: &Place, scope: Scope, line: &Line) -> Result<Vec<Change>, Refused> {
    let mut changes = Vec::new();
    for file in chosen(host, (host.files)(place, scope, line), root(place, scope))? {
        let before = read(&file.path)?;
        let text = before.as_deref().unwrap_or_default();
        let (after, executable) = match &file.form {
            Form::Settings(settings) => {
                let by_hand = jsonc::fresh(&settings.alone());
                (settings.install(text).map_err(|trouble| refused(&file.path, trouble, &by_hand))?, false)
            }
            Form::Tables(tables) => {
                let by_hand = tables.install("").unwrap_or_default();
                (tables.install(text).map_err(|trouble| refused(&file.path, trouble, &by_hand))?, false)
            }
            Form::Script(script) => {
                if before.as_ref().is_some_and(|text| !Script::is_ours(text)) {
                    return Err(Refused::NoPlace {
                        path: file.path.display().to_string(),
                        why: "it is somebody else's, and a host runs one such file".to_owned(),
                        by_hand: format!(
                            "let it ask, too: it gets the call on standard input, and `{}` answers",
                            line.shell()
                        ),
                    });
                }
                (script.text.clone(), script.executable)
            }
        };
        let root = root(place, scope).to_owned();
        changes.push(Change { path: file.path, before, after: Some(after), executable, root });
    }
    Ok(changes)
}

/// What is to be done so that nothing of ours is left.
///
/// # Errors
///
/// When a file cannot be read or is broken.
pub fn uninstall(host: &Host, place: &Place, scope: Scope) -> Result<Vec<Change>, Refused> {
    let line = Line { program: String::new(), host: host.name.to_owned(), options: Vec::new() };
    let mut changes = Vec::new();
    for file in (host.files)(place, scope, &line) {
        if file_in_the_way(&file.path, root(place, scope)).is_some() {
            continue;
        }
        let Some(before) = read(&file.path)? else { continue };
        let by_hand = "take the entries out by hand";
        let after = match &file.form {
            Form::Settings(settings) => {
                settings.uninstall(&before).map_err(|trouble| refused(&file.path, trouble, by_hand))?
            }
            Form::Tables(_) => {
                let left =
                    Tables::uninstall(&before).map_err(|trouble| refused(&file.path, trouble, by_hand))?;
                (left == before || !left.is_empty()).then_some(left)
            }
            Form::Script(_) if Script::is_ours(&before) => None,
            Form::Script(_) => Some(before.clone()),
        };
        let root = root(place, scope).to_owned();
        changes.push(Change { path: file.path, before: Some(before), after, executable: false, root });
    }
    Ok(changes)
}

fn root(place: &Place, scope: Scope) -> &Path {
    match scope {
        Scope::Project => &place.project,
        Scope::User => &place.home,
    }
}

/// A file that stands where a folder on the way to `path` would.
fn file_in_the_way<'a>(path: &'a Path, root: &Path) -> Option<&'a Path> {
    path.ancestors().skip(1).take_while(|folder| *folder != root).find(|folder| folder.is_file())
}

/// Of the files of a host that reads several but wants the entries once, the one that has them, or should.
fn chosen(host: &Host, files: Vec<File>, root: &Path) -> Result<Vec<File>, Refused> {
    if !host.one_of {
        return Ok(files);
    }
    // Cline's rules may stand in a file that has the name of the folder.
    let (free, blocked): (Vec<_>, Vec<_>) =
        files.into_iter().partition(|file| file_in_the_way(&file.path, root).is_none());
    let files = if free.is_empty() { blocked } else { free };
    let mut there = None;
    for file in &files {
        let Some(text) = read(&file.path)? else { continue };
        if has_ours(file, &text) {
            there = Some(file.clone());
            break;
        }
        // The entries go where others are.
        if matches!(file.form, Form::Settings(_)) && there.is_none() {
            there = Some(file.clone());
        }
    }
    Ok(there.or_else(|| files.first().cloned()).into_iter().collect())
}

fn has_ours(file: &File, text: &str) -> bool {
    match &file.form {
        Form::Settings(settings) => settings.uninstall(text).is_ok_and(|left| left.as_deref() != Some(text)),
        Form::Tables(_) => Tables::uninstall(text).is_ok_and(|left| left != text),
        Form::Script(_) => Script::is_ours(text),
    }
}

pub(super) fn refused(path: &Path, trouble: Trouble, by_hand: &str) -> Refused {
    let path = path.display().to_string();
    match trouble {
        Trouble::Broken(broken) => {
            Refused::Broken { path, line: broken.line, column: broken.column, why: broken.why }
        }
        Trouble::NoPlace(why) => Refused::NoPlace { path, why, by_hand: by_hand.to_owned() },
    }
}

/// What is to be said after an install: what a person has to do, and what else runs the hook.
pub fn remarks(host: &Host, place: &Place, scope: Scope, line: &Line) -> Vec<String> {
    let mut found = vec![host.duty.to_owned()];
    if host.name == "claude-code" {
        found.push("GitHub Copilot CLI, VS Code and, where third-party hooks are on, Cursor run the hooks of this file, too".to_owned());
    }
    let both = |one: &str, other: &str| {
        (host.name == one || host.name == other)
            && [one, other].iter().all(|name| {
                super::hosts::by_name(name)
                    .is_some_and(|host| !super::inspect::registered(host, place).is_empty())
            })
    };
    if both("claude-code", "copilot-cli") || both("vscode", "copilot-cli") {
        found.push(
            "Copilot runs the hooks of both files: calls are judged twice, with the same verdict, and a person may be asked twice".to_owned(),
        );
    }
    let other = super::inspect::registered(host, place).iter().any(|hook| hook.scope != scope);
    if other {
        found.push(format!("{}; uninstall one of them", super::inspect::TWICE));
    }
    if host.name == "codex" && scope == Scope::Project {
        found.push("Codex reads the configuration of a project only where the project is trusted".to_owned());
    }
    if host.name != "cline" && line.options.iter().any(|option| option == "--soft-deny") {
        found.push("`--soft-deny` does nothing here: only Cline ends the run on a denial".to_owned());
    }
    if host.name == "kiro" {
        found.extend(kiro_agents(place, line));
    }
    if host.name == "gemini-cli" && switched_off(host, place, scope, line) {
        found.push("`hooksConfig.enabled` is false there, so no hook runs: set it to true".to_owned());
    }
    if host.name == "cline" && scope == Scope::Project && place.project.join(".clinerules").is_file() {
        found.push("`.clinerules` is a file here, so the hook stands in `.cline`, where the command line alone runs it. For the extension, move the rules into a folder of that name, or install with `--user`".to_owned());
    }
    if scope == Scope::Project && Path::new(&line.program).is_absolute() {
        let instead = if host.name == "opencode" {
            "`--command policy`"
        } else {
            "`policy` on their `PATH` and the hook installed anew"
        };
        found.push(format!(
            "`{}` is the path on this machine: others who use the project need the program in the same place, or {instead}",
            line.program
        ));
    }
    found
}

fn switched_off(host: &Host, place: &Place, scope: Scope, line: &Line) -> bool {
    (host.files)(place, scope, line).iter().any(|file| {
        let text = read(&file.path).ok().flatten().unwrap_or_default();
        let value = jsonc::value(&text).ok().flatten().unwrap_or_default();
        value.get("hooksConfig").and_then(|config| config.get("enabled"))
            == Some(&serde_json::Value::Bool(false))
    })
}

/// Agents of Kiro have hooks of their own, in files that somebody wrote by hand.
fn kiro_agents(place: &Place, line: &Line) -> Option<String> {
    let folders = [place.project.join(".kiro/agents"), place.home.join(".kiro/agents")];
    let agents: Vec<_> = folders
        .iter()
        .filter_map(|folder| fs::read_dir(folder).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "json"))
        .map(|path| format!("`{}`", place.short(&path)))
        .collect();
    if agents.is_empty() {
        return None;
    }
    let entry = serde_json::json!([{
        "matcher": "*", "command": line.shell_or_refuse(), "timeout_ms": 10000, "cache_ttl_seconds": 0,
    }]);
    Some(format!(
        "agents have hooks of their own: put `\"preToolUse\": {entry}` below `hooks` of {}",
        agents.join(", ")
    ))
}

/// The value of a TOML or JSON file, for who only looks at it.
pub(super) fn value_of(path: &Path) -> Result<Option<serde_json::Value>, Refused> {
    let Some(text) = read(path)? else { return Ok(None) };
    let toml = path.extension().is_some_and(|e| e == "toml");
    let broken = |broken| refused(path, Trouble::Broken(broken), "");
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    if toml { codex::value(text).map(Some).map_err(broken) } else { jsonc::value(text).map_err(broken) }
}
