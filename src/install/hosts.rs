//! What each host wants to have written where.

use std::path::PathBuf;

use serde_json::{Value, json};

use super::codex::Tables;
use super::entry;
use super::line::Line;
use super::place::{Place, Scope};
use super::run::Starts;
use super::script::Script;
use super::settings::{Beside, Settings};

/// How long a host waits for a hook, in seconds. The hook itself gives up earlier.
const TIMEOUT: u32 = 10;

/// A host, and how a hook is registered with it.
#[derive(Debug)]
pub struct Host {
    /// Its name, as `policy hook` takes it.
    pub name: &'static str,
    /// What people call it.
    pub title: &'static str,
    /// Its programs.
    pub programs: &'static [&'static str],
    /// The version that all this was tried with; none where it is known from its documentation alone.
    pub tried: Option<&'static str>,
    /// How it starts a command.
    pub starts: Starts,
    /// How it tells how long to wait: the key of an entry, and how many of its units are a second.
    pub(super) timeout: Option<(&'static str, u32)>,
    /// The key of an entry that makes the failure of a hook a refusal, what it has to be, and the events that it is for.
    pub(super) switch: Option<(&'static str, Setting, &'static [&'static str])>,
    /// Whether entries have a matcher, and what matches all.
    pub(super) matches_all: &'static [&'static str],
    pub(super) files: fn(&Place, Scope, &Line) -> Vec<File>,
    /// Only one of the files takes the entries.
    pub(super) one_of: bool,
    /// What a person has to do, which no program may do for them.
    pub duty: &'static str,
    /// What no hook sees there.
    pub holes: &'static str,
}

/// A value that can stand in a table of constants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Setting {
    True,
    Text(&'static str),
}

impl Setting {
    pub(super) fn is(self, value: &Value) -> bool {
        match self {
            Self::True => value == &Value::Bool(true),
            Self::Text(text) => value == text,
        }
    }

    pub(super) fn written(self) -> String {
        match self {
            Self::True => "true".to_owned(),
            Self::Text(text) => format!("\"{text}\""),
        }
    }
}

/// A file that a host reads.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) path: PathBuf,
    pub(super) form: Form,
}

/// What is to be in a file.
#[derive(Clone, Debug)]
pub(super) enum Form {
    /// Entries among others, in JSON.
    Settings(Settings),
    /// Entries among others, in TOML.
    Tables(Tables),
    /// All of it.
    Script(Script),
}

impl Form {
    /// The commands that its entries have.
    pub(super) fn commands(&self) -> Vec<String> {
        match self {
            Self::Settings(settings) => {
                let handlers = settings.entries.iter().flat_map(|(_, entry)| entry::handlers(entry));
                handlers.filter_map(entry::command).map(str::to_owned).collect()
            }
            Self::Tables(tables) => vec![tables.command.clone()],
            Self::Script(_) => Vec::new(),
        }
    }
}

/// The hosts, sorted by name.
pub static HOSTS: [Host; 13] = [
    Host {
        name: "adal",
        title: "AdaL",
        programs: &["adal"],
        tried: None,
        starts: Starts::Nothing,
        timeout: None,
        switch: None,
        matches_all: &[],
        files: |_, _, _| Vec::new(),
        one_of: false,
        duty: "AdaL reads no file that registers a hook: a program that runs it by its SDK answers each `can_use_tool` request with what \
               `policy hook adal` prints for it",
        holes: "calls that AdaL decides itself, unless `policy_consults_every_tool` is on",
    },
    Host {
        name: "claude-code",
        title: "Claude Code",
        programs: &["claude"],
        tried: Some("2.1.332"),
        starts: Starts::Sh,
        timeout: Some(("timeout", 1)),
        switch: Some(("onFailure", Setting::Text("block"), &["PreToolUse", "PreSkillShellCommand"])),
        matches_all: &["", "*", ".*"],
        files: claude_code,
        one_of: false,
        duty: "open the project in Claude Code once and trust its folder; `claude -p` runs the hooks without that",
        holes: "files that a person mentions with `@`, and web searches that the model's provider runs",
    },
    Host {
        name: "cline",
        title: "Cline",
        programs: &["cline"],
        tried: Some("3.0.65"),
        starts: Starts::Itself,
        timeout: None,
        switch: None,
        matches_all: &[],
        files: cline,
        one_of: true,
        duty: "turn hooks on in the settings of the extension, where it is used",
        holes: "a hook that takes longer than the host waits: the tool runs then",
    },
    Host {
        name: "codex",
        title: "Codex",
        programs: &["codex"],
        tried: Some("0.171.0"),
        starts: Starts::UserShell,
        timeout: Some(("timeout", 1)),
        switch: None,
        matches_all: &["", "*", ".*"],
        files: codex,
        one_of: true,
        duty: "start `codex`, open `/hooks` and trust the hook: until then it never runs, and nobody is told. A change of the entry has to \
               be trusted again",
        holes: "input that is typed into a shell which is running already (`write_stdin`), hosted web searches, and plans",
    },
    Host {
        name: "copilot-cli",
        title: "GitHub Copilot CLI",
        programs: &["copilot"],
        tried: Some("1.0.102"),
        starts: Starts::BareBash,
        timeout: Some(("timeoutSec", 1)),
        switch: None,
        matches_all: &["", "*", ".*"],
        files: copilot_cli,
        one_of: false,
        duty: "trust the folder when Copilot asks for it; without that it passes over the hooks of a project, and tools run. With `-p` it takes \
               `--trust-folder`",
        holes: "what is typed into a shell that runs on in the background (`bash` with `mode: \"async\"`)",
    },
    Host {
        name: "cursor",
        title: "Cursor",
        programs: &["cursor-agent", "cursor"],
        tried: None,
        starts: Starts::Sh,
        timeout: Some(("timeout", 1)),
        switch: Some(("failClosed", Setting::True, CURSOR_EVENTS)),
        matches_all: &["", "*", ".*"],
        files: cursor,
        one_of: false,
        duty: "open the project in Cursor and trust the workspace; Settings, Hooks shows whether the hooks were taken",
        holes: "MCP calls of cloud agents",
    },
    Host {
        name: "factory-droid",
        title: "Factory droid",
        programs: &["droid"],
        tried: Some("0.215.0"),
        starts: Starts::Sh,
        timeout: Some(("timeout", 1)),
        switch: None,
        matches_all: &["", "*", ".*"],
        files: factory_droid,
        one_of: false,
        duty: "trust the folder when droid asks for it",
        holes: "perhaps the tools that a `Script` calls",
    },
    Host {
        name: "gemini-cli",
        title: "Gemini CLI",
        programs: &["gemini"],
        tried: Some("0.61.0"),
        starts: Starts::Bash,
        timeout: Some(("timeout", 1000)),
        switch: None,
        matches_all: &["", "*", ".*"],
        files: gemini_cli,
        one_of: false,
        duty: "trust the folder when Gemini asks for it. Where there is a terminal and nobody at it, Gemini hangs on a question: install \
               with `--ask deny` for such runs",
        holes: "addresses that are hidden in the prose of `web_fetch` in ways that no pattern finds",
    },
    Host {
        name: "goose",
        title: "Goose",
        programs: &["goose"],
        tried: None,
        starts: Starts::Sh,
        timeout: Some(("timeout", 1)),
        switch: Some(("on_failure", Setting::Text("block"), &["PreToolUse"])),
        matches_all: &["", ".*"],
        files: goose,
        one_of: false,
        duty: "start a new session: plugins are read at its beginning",
        holes: "what older versions than 1.38 do: they know no hooks",
    },
    Host {
        name: "kiro",
        title: "Kiro",
        programs: &["kiro-cli", "kiro"],
        tried: None,
        starts: Starts::Sh,
        timeout: Some(("timeout", 1)),
        switch: None,
        matches_all: &["", ".*"],
        files: kiro,
        one_of: false,
        duty: "start Kiro anew",
        holes: "versions of the editor before 1.0, whose hooks are told nothing of the tool",
    },
    Host {
        name: "opencode",
        title: "opencode",
        programs: &["opencode"],
        tried: Some("1.18.33"),
        starts: Starts::Sh,
        timeout: None,
        switch: None,
        matches_all: &[],
        files: opencode,
        one_of: false,
        duty: "start opencode anew: plugins are read at its beginning",
        holes: "questions that opencode asks by rules of its own",
    },
    Host {
        name: "vscode",
        title: "VS Code",
        programs: &["code"],
        tried: None,
        starts: Starts::Sh,
        timeout: Some(("timeout", 1)),
        switch: None,
        matches_all: &[],
        files: vscode,
        one_of: false,
        duty: "trust the workspace. Sessions with the harness of Copilot, Claude or Codex run the hooks of those: install them, too",
        holes: "tools of extensions that ask for no confirmation and fire no hook",
    },
    Host {
        name: "windsurf",
        title: "Windsurf",
        programs: &["windsurf"],
        tried: None,
        starts: Starts::Sh,
        timeout: None,
        switch: None,
        matches_all: &[],
        files: windsurf,
        one_of: false,
        duty: "open the project anew",
        holes: "everything but commands, file reads, file writes and MCP tools, such as its own web search",
    },
];

/// The hosts' names, sorted.
pub fn names() -> Vec<&'static str> {
    HOSTS.iter().map(|host| host.name).collect()
}

/// The host with this name.
pub fn by_name(name: &str) -> Option<&'static Host> {
    HOSTS.iter().find(|host| host.name == name)
}

/// An entry that is a group: a matcher and the commands.
fn group(matcher: Option<&str>, handler: &Value) -> Value {
    match matcher {
        Some(matcher) => json!({"matcher": matcher, "hooks": [handler]}),
        None => json!({"hooks": [handler]}),
    }
}

fn events(entries: Vec<(Option<&'static str>, Value)>) -> Settings {
    Settings { beside: Vec::new(), at: vec!["hooks"], entries }
}

/// With the version of the file.
fn versioned(version: Value, settings: Settings) -> Settings {
    let version = Beside { path: vec!["version"], value: version, of_file: true };
    Settings { beside: vec![version], ..settings }
}

fn one(path: PathBuf, settings: Settings) -> Vec<File> {
    vec![File { path, form: Form::Settings(settings) }]
}

fn claude_code(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    let path = match scope {
        Scope::Project => place.project.join(".claude/settings.json"),
        Scope::User => place.of_claude().join("settings.json"),
    };
    // Other hosts run what stands in this file, and know no list of arguments: the command has to be whole.
    let handler = |blocks: bool| {
        let mut handler = json!({"type": "command", "command": line.shell_or_refuse(), "timeout": TIMEOUT});
        if blocks && let Value::Object(map) = &mut handler {
            map.insert("onFailure".to_owned(), json!("block"));
        }
        handler
    };
    one(
        path,
        events(vec![
            (Some("PreToolUse"), group(Some("*"), &handler(true))),
            (Some("PermissionRequest"), group(Some("*"), &handler(false))),
            (Some("PreSkillShellCommand"), group(None, &handler(true))),
        ]),
    )
}

fn cline(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    let file = |path| File { path, form: Form::Script(Script::cline(line)) };
    // The extension runs the first, the command line both: with two of them, an approval would be used up by one and asked for by the other.
    vec![
        file(place.at(scope, ".clinerules/hooks/PreToolUse", "Documents/Cline/Hooks/PreToolUse")),
        file(place.at(scope, ".cline/hooks/PreToolUse.sh", ".cline/hooks/PreToolUse.sh")),
    ]
}

fn codex(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    const EVENTS: [&str; 2] = ["PreToolUse", "PermissionRequest"];
    let folder = match scope {
        Scope::Project => place.project.join(".codex"),
        Scope::User => place.of_codex(),
    };
    let command = line.shell_or_refuse_aloud();
    let handler = json!({"type": "command", "command": command, "timeout": TIMEOUT});
    let entries = EVENTS.map(|event| (Some(event), group(Some("*"), &handler))).to_vec();
    let tables = Tables { events: EVENTS.to_vec(), command, timeout: TIMEOUT };
    vec![
        File { path: folder.join("config.toml"), form: Form::Tables(tables) },
        File { path: folder.join("hooks.json"), form: Form::Settings(events(entries)) },
    ]
}

fn copilot_cli(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    // It refuses by itself when a hook fails.
    let entry = || {
        json!({
            "type": "command", "bash": line.shell(), "powershell": line.powershell(), "timeoutSec": TIMEOUT,
        })
    };
    let entries = vec![(Some("preToolUse"), entry()), (Some("permissionRequest"), entry())];
    one(
        place.at(scope, ".github/hooks/policy.json", ".copilot/hooks/policy.json"),
        versioned(json!(1), events(entries)),
    )
}

const CURSOR_EVENTS: &[&str] =
    &["beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "preToolUse"];

fn cursor(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    let entry = json!({"command": line.shell(), "timeout": TIMEOUT, "failClosed": true});
    let entries = CURSOR_EVENTS.iter().map(|event| (Some(*event), entry.clone())).collect();
    one(place.at(scope, ".cursor/hooks.json", ".cursor/hooks.json"), versioned(json!(1), events(entries)))
}

fn factory_droid(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    let handler = json!({"type": "command", "command": line.shell_or_refuse(), "timeout": TIMEOUT});
    let settings = Settings {
        beside: Vec::new(),
        // The events stand at the top: below `hooks` they would be passed over.
        at: Vec::new(),
        entries: vec![(Some("PreToolUse"), group(Some("*"), &handler))],
    };
    one(place.at(scope, ".factory/hooks.json", ".factory/hooks.json"), settings)
}

fn gemini_cli(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    let handler = json!({
        "type": "command", "name": "policy", "command": line.shell_or_refuse_aloud(), "timeout": TIMEOUT * 1000,
    });
    let on = Beside { path: vec!["hooksConfig", "enabled"], value: json!(true), of_file: false };
    let settings =
        Settings { beside: vec![on], ..events(vec![(Some("BeforeTool"), group(Some("*"), &handler))]) };
    one(place.at(scope, ".gemini/settings.json", ".gemini/settings.json"), settings)
}

fn goose(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    let folder = place.at(scope, ".agents/plugins/policy", ".agents/plugins/policy");
    let handler =
        json!({"type": "command", "command": line.shell(), "timeout": TIMEOUT, "on_failure": "block"});
    // `*` is no regular expression: such an entry is passed over.
    let settings = events(vec![(Some("PreToolUse"), group(Some(".*"), &handler))]);
    vec![
        File { path: folder.join("hooks/hooks.json"), form: Form::Settings(settings) },
        File { path: folder.join("plugin.json"), form: Form::Script(Script::goose()) },
    ]
}

fn kiro(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    let entry = json!({
        "name": "policy",
        "trigger": "PreToolUse",
        "action": {"type": "command", "command": line.shell_or_refuse()},
        "timeout": TIMEOUT,
        "enabled": true,
    });
    let path = place.at(scope, ".kiro/hooks/policy.json", ".kiro/hooks/policy.json");
    one(path, versioned(json!("v1"), events(vec![(None, entry)])))
}

fn opencode(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    let path = match scope {
        Scope::Project => place.project.join(".opencode/plugin/policy.js"),
        Scope::User => {
            let config = place.config.clone().unwrap_or_else(|| place.home.join(".config"));
            config.join("opencode/plugin/policy.js")
        }
    };
    vec![File { path, form: Form::Script(Script::opencode(line)) }]
}

fn vscode(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    let entry = json!({"type": "command", "command": line.shell_or_refuse(), "timeout": TIMEOUT});
    // Copilot reads every file of this folder, by the same version.
    let settings = versioned(json!(1), events(vec![(Some("PreToolUse"), entry)]));
    one(place.at(scope, ".github/hooks/policy-vscode.json", ".copilot/hooks/policy-vscode.json"), settings)
}

fn windsurf(place: &Place, scope: Scope, line: &Line) -> Vec<File> {
    let entry = || json!({"command": line.shell_or_refuse(), "show_output": true});
    let entries = ["pre_run_command", "pre_write_code", "pre_read_code", "pre_mcp_tool_use"];
    let entries = entries.map(|event| (Some(event), entry())).to_vec();
    one(place.at(scope, ".windsurf/hooks.json", ".codeium/windsurf/hooks.json"), events(entries))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hosts_are_sorted_and_those_that_can_be_hooked() {
        let names = names();
        assert!(names.is_sorted());
        assert_eq!(names.len(), HOSTS.len());
    }
}
