//! A machine of its own for a test: a project, a home, and `policy` on the path.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;

use tempfile::TempDir;

/// The hosts that have something to install.
pub(crate) const HOSTS: [&str; 12] = [
    "claude-code",
    "cline",
    "codex",
    "copilot-cli",
    "cursor",
    "factory-droid",
    "gemini-cli",
    "goose",
    "kiro",
    "opencode",
    "vscode",
    "windsurf",
];

/// A project and a home of its own, with `policy` on the path.
pub(crate) struct Machine {
    pub(crate) root: TempDir,
}

/// What came of a run.
pub(crate) struct Done {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Machine {
    pub(crate) fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        for folder in ["project", "home", "bin"] {
            fs::create_dir(root.path().join(folder)).unwrap();
        }
        let machine = Self { root };
        symlink(env!("CARGO_BIN_EXE_policy"), machine.at("bin/policy")).unwrap();
        machine
    }

    pub(crate) fn at(&self, path: &str) -> PathBuf {
        self.root.path().join(path)
    }

    pub(crate) fn file(self, path: &str, text: &str) -> Self {
        let path = self.at(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(self.at("bin/policy"));
        command
            .args(args)
            .current_dir(self.at("project"))
            .env_clear()
            .env("HOME", self.at("home"))
            .env("PATH", format!("{}:/usr/bin:/bin", self.at("bin").display()));
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Done {
        done(&mut self.command(args))
    }
}

pub(crate) fn done(command: &mut Command) -> Done {
    let output = command.output().unwrap();
    Done {
        status: output.status.code().unwrap(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

impl Done {
    #[track_caller]
    pub(crate) fn status(self, expected: i32) -> Self {
        assert_eq!(self.status, expected, "\n{}\n{}", self.out, self.err);
        self
    }

    #[track_caller]
    pub(crate) fn out(self, part: &str) -> Self {
        assert!(self.out.contains(part), "`{part}` is not in:\n{}\n{}", self.out, self.err);
        self
    }
}
