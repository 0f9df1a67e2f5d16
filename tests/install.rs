//! `policy install` from outside: what it writes for each host, and that it leaves all else as it was.
#![cfg(all(feature = "cli", unix))]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::format_push_string,
    reason = "a test fails by panicking"
)]

mod machine;

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use machine::{Done, HOSTS, Machine, done};

/// Set to write the golden files anew.
const UPDATE: &str = "UPDATE_INSTALL";

impl Machine {
    fn text(&self, path: &str) -> String {
        fs::read_to_string(self.at(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
    }

    fn install(&self, args: &[&str]) -> Done {
        let words: Vec<_> = ["install"].iter().chain(args).copied().collect();
        self.run(&words)
    }

    /// Every file of project and home with its text, and whether it may be run.
    fn files(&self) -> BTreeMap<String, (String, bool)> {
        let mut found = BTreeMap::new();
        let mut folders = vec![self.at("project"), self.at("home")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                    continue;
                }
                let name = path.strip_prefix(self.root.path()).unwrap().display().to_string();
                let runs = path.metadata().unwrap().permissions().mode() & 0o111 != 0;
                found.insert(name, (fs::read_to_string(&path).unwrap(), runs));
            }
        }
        found
    }

    /// Every folder of project and home.
    fn folders(&self) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut open = vec![self.at("project"), self.at("home")];
        while let Some(folder) = open.pop() {
            open.extend(
                fs::read_dir(&folder).unwrap().map(|e| e.unwrap().path()).filter(|path| path.is_dir()),
            );
            found.push(folder);
        }
        found.sort();
        found
    }
}

impl Done {
    #[track_caller]
    fn err(self, part: &str) -> Self {
        assert!(self.err.contains(part), "`{part}` is not in:\n{}\n{}", self.err, self.out);
        self
    }
}

/// Compares with `tests/install/NAME.txt`.
#[track_caller]
fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/install").join(format!("{name}.txt"));
    if std::env::var_os(UPDATE).is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert_eq!(text, expected, "{} differs; `{UPDATE}=1` writes it anew", path.display());
}

#[test]
fn each_host_gets_what_it_reads() {
    for host in HOSTS {
        let mut shown = String::new();
        for scope in ["--project", "--user"] {
            let machine = Machine::new();
            let done = machine.install(&[host, scope]).status(0).out("wrote ");
            shown.push_str(&format!("$ policy install {host} {scope}\n{}", done.out));
            for (name, (text, runs)) in machine.files() {
                let runs = if runs { ", executable" } else { "" };
                // The plugin is a file of its own; that the command is in it is tested beside it.
                let text = if name.contains("plugin/policy.js") {
                    text.split_inclusive('\n').take_while(|l| !l.starts_with("import")).collect()
                } else {
                    text
                };
                shown.push_str(&format!("-- {name}{runs}\n{text}"));
            }
            shown.push('\n');
        }
        golden(host, &shown.replace(env!("CARGO_BIN_EXE_policy"), "/where/it/was/built/policy"));
    }
}

#[test]
fn a_second_install_changes_nothing() {
    for host in HOSTS {
        for scope in ["--project", "--user"] {
            let machine = Machine::new();
            machine.install(&[host, scope]).status(0);
            let files = machine.files();
            machine.install(&[host, scope]).status(0).out("already installed: ");
            assert_eq!(machine.files(), files, "{host} {scope}");
        }
    }
}

#[test]
fn uninstall_leaves_nothing_behind() {
    for host in HOSTS {
        for scope in ["--project", "--user"] {
            let machine = Machine::new();
            machine.install(&[host, scope, "--allow", "grant"]).status(0);
            machine.install(&[host, scope, "--uninstall"]).status(0).out("removed ");
            assert_eq!(machine.files(), BTreeMap::new(), "{host} {scope}");
            let left: Vec<_> = machine.folders();
            let shared = ["project", "home", "Documents", ".config", ".github"];
            let all_shared = left.iter().all(|path| shared.iter().any(|name| path.ends_with(name)));
            assert!(all_shared, "{host} {scope}: {left:?}");
            machine.install(&[host, scope, "--uninstall"]).status(0).out("nothing of ours");
        }
    }
}

#[test]
fn a_dry_run_shows_the_difference_and_writes_nothing() {
    for host in HOSTS {
        let machine = Machine::new();
        let done = machine.install(&[host, "--dry-run"]).status(0).out("--- /dev/null\n+++ b/").out("\n+");
        assert_eq!(machine.files(), BTreeMap::new(), "{host}: {}", done.out);
        machine.install(&[host]).status(0);
        let files = machine.files();
        machine.install(&[host, "--uninstall", "--dry-run"]).status(0).out("+++ /dev/null");
        assert_eq!(machine.files(), files, "{host}");
    }
}

/// Files as people have them: with hooks of others, remarks, and layouts of their own.
const THERE: &[(&str, &str, &str)] = &[
    ("claude-code", "project/.claude/settings.json", "{\"permissions\":{\"allow\":[\"Bash(ls)\"]}}"),
    (
        "claude-code",
        "project/.claude/settings.json",
        "{\n\t// mine\n\t\"hooks\": {\n\t\t\"PreToolUse\": [\n\t\t\t{ \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"audit\" }] }, // why\n\t\t],\n\t\t\"Stop\": []\n\t},\n\t\"model\": \"m\" /* end */\n}\n",
    ),
    ("claude-code", "project/.claude/settings.json", "{}"),
    ("claude-code", "project/.claude/settings.json", "\u{feff}{\r\n  \"a\": [1, 2]\r\n}\r\n"),
    (
        "codex",
        "project/.codex/config.toml",
        "# mine\nmodel = \"m\" # why\n\n[tools]\nweb = true\nsince = 2026-01-01\n",
    ),
    (
        "codex",
        "project/.codex/config.toml",
        "[[hooks.PreToolUse]]\nmatcher = \"Bash\"\n[[hooks.PreToolUse.hooks]]\ntype = \"command\"\ncommand = \"audit\"",
    ),
    (
        "codex",
        "project/.codex/hooks.json",
        "{\"hooks\": {\"PreToolUse\": [{\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"audit\"}]}]}}\n",
    ),
    (
        "gemini-cli",
        "project/.gemini/settings.json",
        "{\n  \"hooksConfig\": { \"enabled\": true },\n  \"hooks\": {\n    \"AfterTool\": [\n      {\"hooks\": [{\"command\": \"log\"}]}\n    ]\n  }\n}\n",
    ),
    ("gemini-cli", "project/.gemini/settings.json", "{\n  // theme\n  \"ui\": {\"theme\": \"x\"}\n}\n"),
    (
        "cursor",
        "project/.cursor/hooks.json",
        "{\n    \"version\": 1,\n    \"hooks\": {\n        \"preToolUse\": [\n            { \"command\": \"./audit.sh\" }\n        ]\n    }\n}\n",
    ),
    (
        "factory-droid",
        "project/.factory/hooks.json",
        "{\n  \"PreToolUse\": [\n    {\n      \"matcher\": \"Execute\",\n      \"hooks\": [{\"type\": \"command\", \"command\": \"audit\"}]\n    }\n  ]\n}\n",
    ),
    (
        "windsurf",
        "project/.windsurf/hooks.json",
        "{\"hooks\":{\"pre_run_command\":[{\"command\":\"audit\"}]}}\n",
    ),
    ("copilot-cli", "project/.github/hooks/other.json", "{\"version\": 1}\n"),
    ("cline", "project/.cline/hooks/PostToolUse.sh", "#!/bin/sh\n"),
    ("goose", "project/.agents/plugins/other/plugin.json", "{}\n"),
];

#[test]
fn what_was_there_stays_and_comes_back_byte_for_byte() {
    for (host, path, text) in THERE {
        let machine = Machine::new().file(path, text);
        let before = machine.files();
        machine.install(&[host]).status(0);
        let installed = machine.files();
        assert_ne!(installed, before, "{host} {path}");
        machine.install(&[host]).status(0).out("already installed: ");
        assert_eq!(machine.files(), installed, "{host} {path}");
        machine.install(&[host, "--no-policy", "deny", "--policy", "/etc/hostname"]).status(0);
        let other = machine.files();
        assert_ne!(other, installed, "{host} {path}");
        machine.install(&[host]).status(0).out("changed ");
        assert_eq!(machine.files(), installed, "{host} {path}");
        machine.install(&[host, "--uninstall"]).status(0);
        assert_eq!(machine.files(), before, "{host} {path}: {installed:?}");
    }
}

#[test]
fn others_and_their_remarks_stay_where_they_are() {
    let (host, path, text) = THERE[1];
    let machine = Machine::new().file(path, text);
    machine.install(&[host]).status(0);
    golden("merged-claude-code", &machine.text(path));
    let (host, path, text) = THERE[4];
    let machine = Machine::new().file(path, text);
    machine.install(&[host]).status(0);
    golden("merged-codex", &machine.text(path));
    golden("dry-run-codex", &Machine::new().file(path, text).install(&[host, "--dry-run"]).status(0).out);
}

#[test]
fn the_entry_of_an_older_version_is_replaced_where_it_stands() {
    let old = "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"matcher\": \"Bash\", \"hooks\": [{\"type\": \"command\", \"command\": \"policy\", \"args\": [\"hook\", \"claude-code\"]}]},\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"other\"}, {\"type\": \"command\", \"command\": \"/old/policy hook claude-code\"}]}\n    ]\n  }\n}\n";
    let machine = Machine::new().file("project/.claude/settings.json", old);
    machine.install(&["claude-code"]).status(0);
    golden("replaced-claude-code", &machine.text("project/.claude/settings.json"));
    machine.install(&["claude-code", "--uninstall"]).status(0);
    let left = "{\n  \"hooks\": {\n    \"PreToolUse\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"other\"}]}\n    ]\n  }\n}\n";
    assert_eq!(machine.text("project/.claude/settings.json"), left);
}

#[test]
fn what_cannot_be_understood_is_told_with_its_place_and_stays() {
    for (host, path, text, told) in [
        (
            "claude-code",
            "project/.claude/settings.json",
            "{\n  \"a\": 1,,\n}\n",
            "settings.json:2:10` cannot be understood",
        ),
        ("claude-code", "project/.claude/settings.json", "[]\n", "it holds no JSON object"),
        ("claude-code", "project/.claude/settings.json", "{\"hooks\": []}\n", "`hooks` is no object"),
        (
            "claude-code",
            "project/.claude/settings.json",
            "{\"hooks\": {\"PreToolUse\": {}}}\n",
            "`hooks.PreToolUse` is no list",
        ),
        ("codex", "project/.codex/config.toml", "a = 1\nb = = 2\n", "config.toml:2:"),
        ("codex", "project/.codex/config.toml", "hooks = { PreToolUse = [] }\n", "within brackets or braces"),
        ("gemini-cli", "project/.gemini/settings.json", "{'a': 1}", "settings.json:1:2`"),
        ("cline", "project/.clinerules/hooks/PreToolUse", "#!/bin/sh\nexec mine\n", "it is somebody else's"),
        ("opencode", "project/.opencode/plugin/policy.js", "export default 1\n", "it is somebody else's"),
        (
            "goose",
            "project/.agents/plugins/policy/plugin.json",
            "{\"name\": \"mine\"}\n",
            "it is somebody else's",
        ),
    ] {
        let machine = Machine::new().file(path, text);
        let before = machine.files();
        machine.install(&[host]).status(2).err(told).err("help: ");
        assert_eq!(machine.files(), before, "{host} {path}");
        let _ = machine.install(&[host, "--uninstall"]);
        assert_eq!(machine.files(), before, "{host} {path}");
    }
}

#[test]
fn rights_and_links_stay() {
    let machine = Machine::new().file("home/dotfiles/settings.json", "{\"a\": 1}\n");
    let real = machine.at("home/dotfiles/settings.json");
    fs::set_permissions(&real, fs::Permissions::from_mode(0o600)).unwrap();
    fs::create_dir(machine.at("home/.claude")).unwrap();
    symlink(&real, machine.at("home/.claude/settings.json")).unwrap();
    machine.install(&["claude-code", "--user"]).status(0);
    assert!(machine.at("home/.claude/settings.json").is_symlink());
    assert!(machine.text("home/dotfiles/settings.json").contains("policy hook claude-code"));
    assert_eq!(real.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    machine.install(&["claude-code", "--user", "--uninstall"]).status(0);
    assert_eq!(machine.text("home/dotfiles/settings.json"), "{\"a\": 1}\n");

    let machine = Machine::new();
    fs::create_dir(machine.at("project/.claude")).unwrap();
    symlink("/nowhere/at/all", machine.at("project/.claude/settings.json")).unwrap();
    machine.install(&["claude-code"]).status(2).err("it is a link to nowhere");
}

#[test]
fn folders_that_variables_name_are_those_of_the_host() {
    for (host, variable, file) in [
        ("claude-code", "CLAUDE_CONFIG_DIR", "elsewhere/settings.json"),
        ("codex", "CODEX_HOME", "elsewhere/config.toml"),
        ("opencode", "XDG_CONFIG_HOME", "elsewhere/opencode/plugin/policy.js"),
    ] {
        let machine = Machine::new();
        let mut command = machine.command(&["install", host, "--user"]);
        done(command.env(variable, machine.at("elsewhere"))).status(0);
        assert!(machine.at(file).is_file(), "{host}");
        assert_eq!(machine.files(), BTreeMap::new(), "{host}");
    }
}

#[test]
fn the_program_is_named_so_that_the_host_finds_it() {
    let machine = Machine::new().file("project/p/policy.toml", "version = 1\n");
    // On the path as `policy`: by that name, and it stays so when a newer one takes its place.
    machine.install(&["windsurf"]).status(0);
    assert!(machine.text("project/.windsurf/hooks.json").contains("\"policy hook windsurf || exit 2\""));
    // Another `policy` on the path is not this one.
    let mut command = machine.command(&["install", "windsurf", "--policy", "p/policy.toml"]);
    done(command.env("PATH", "/usr/bin:/bin")).status(0).out("is the path on this machine");
    let path = machine.at("bin/policy").canonicalize().unwrap();
    let told = format!("{} hook windsurf --policy p/policy.toml || exit 2", path.display());
    assert!(
        machine.text("project/.windsurf/hooks.json").contains(&told),
        "{}",
        machine.text("project/.windsurf/hooks.json")
    );
    // For all projects a policy is named by its whole path.
    machine
        .install(&["windsurf", "--user", "--policy", "p/policy.toml", "--command", "/opt/a b/policy"])
        .status(0);
    let text = machine.text("home/.codeium/windsurf/hooks.json");
    let policy = machine.at("project/p/policy.toml").canonicalize().unwrap();
    assert!(
        text.contains(&format!("'/opt/a b/policy' hook windsurf --policy {} || exit 2", policy.display())),
        "{text}"
    );

    machine.install(&["windsurf", "--command", "/opt/rules"]).status(2).err("is not called `policy`");
    machine.install(&["windsurf", "--policy", "none.toml"]).status(2).err("there is no policy `none.toml`");
    machine.install(&["emacs"]).status(2).err("unknown host");
    machine.install(&["codex", "--uninstall", "--allow", "pass"]).status(2);
}

#[test]
fn rules_of_cline_in_a_file_leave_the_place_of_the_command_line() {
    let machine = Machine::new().file("project/.clinerules", "be kind\n");
    machine.install(&["cline"]).status(0).out("`.clinerules` is a file here");
    assert!(machine.at("project/.cline/hooks/PreToolUse.sh").is_file());
    machine.install(&["cline", "--uninstall"]).status(0);
    assert_eq!(machine.files().keys().collect::<Vec<_>>(), ["project/.clinerules"]);
}

/// The command line runs the files of both places, so that two would judge each call twice, and use up an approval before the second.
#[test]
fn cline_has_one_hook() {
    let machine = Machine::new().file("project/.cline/hooks/PreToolUse.sh", "#!/bin/sh\nexec mine\n");
    machine.install(&["cline"]).status(0);
    assert!(machine.at("project/.clinerules/hooks/PreToolUse").is_file());
    machine.install(&["cline", "--uninstall"]).status(0);
    assert_eq!(machine.files().keys().collect::<Vec<_>>(), ["project/.cline/hooks/PreToolUse.sh"]);
}

#[test]
fn what_a_person_must_know_is_said() {
    let machine = Machine::new().file("project/.kiro/agents/a.json", "{}");
    machine.install(&["kiro"]).status(0).out("`.kiro/agents/a.json`").out("\"cache_ttl_seconds\":0");
    machine.install(&["codex"]).status(0).out("open `/hooks` and trust the hook");
    machine.install(&["codex", "--user"]).status(0).out("calls are judged twice");
    machine.install(&["copilot-cli"]).status(0).out("trust the folder");
    machine.install(&["claude-code"]).status(0).out("Copilot runs the hooks of both files");
    machine.install(&["adal"]).status(0).out("policy hook adal");
    machine.install(&[]).status(0).out("installed for the project").out("windsurf");
    let machine =
        Machine::new().file("project/.gemini/settings.json", "{\"hooksConfig\": {\"enabled\": false}}");
    machine.install(&["gemini-cli"]).status(0).out("`hooksConfig.enabled` is false");
}
