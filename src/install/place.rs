//! Where hosts keep their configuration: in the project and in the home folder.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Whose configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// That of the project: for everybody who works on it.
    Project,
    /// That of the user: for all projects.
    User,
}

impl Scope {
    /// Both.
    pub const ALL: [Self; 2] = [Self::Project, Self::User];

    /// Its name, as it is written as an option.
    pub fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
        }
    }
}

/// The folders of a project and of its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The project's root.
    pub project: PathBuf,
    /// The home folder.
    pub home: PathBuf,
    /// Where Claude Code keeps what is the user's, when that is not `~/.claude`.
    pub claude: Option<PathBuf>,
    /// Where Codex keeps what is the user's, when that is not `~/.codex`.
    pub codex: Option<PathBuf>,
    /// Where programs that follow the XDG rules keep their configuration, when that is not `~/.config`.
    pub config: Option<PathBuf>,
}

impl Place {
    /// These two folders, and what belongs to them.
    pub fn new(project: impl Into<PathBuf>, home: impl Into<PathBuf>) -> Self {
        Self { project: project.into(), home: home.into(), claude: None, codex: None, config: None }
    }

    /// With the folders that these variables name; `variable` gives their values.
    #[must_use]
    pub fn with_variables(mut self, variable: impl Fn(&str) -> Option<PathBuf>) -> Self {
        let folder = |name: &str| variable(name).filter(|path| path.is_absolute());
        self.claude = folder("CLAUDE_CONFIG_DIR");
        self.codex = folder("CODEX_HOME");
        self.config = folder("XDG_CONFIG_HOME");
        self
    }

    /// `relative` in the folder of that scope.
    pub(super) fn at(&self, scope: Scope, project: &str, user: &str) -> PathBuf {
        match scope {
            Scope::Project => self.project.join(project),
            Scope::User => self.home.join(user),
        }
    }

    /// Where Claude Code keeps what is the user's.
    pub(super) fn of_claude(&self) -> PathBuf {
        self.claude.clone().unwrap_or_else(|| self.home.join(".claude"))
    }

    /// Where Codex keeps what is the user's.
    pub(super) fn of_codex(&self) -> PathBuf {
        self.codex.clone().unwrap_or_else(|| self.home.join(".codex"))
    }

    /// The path as people write it: from the project, or from `~`.
    pub fn short(&self, path: &Path) -> String {
        if let Ok(rest) = path.strip_prefix(&self.project) {
            return rest.display().to_string();
        }
        match path.strip_prefix(&self.home) {
            Ok(rest) => format!("~/{}", rest.display()),
            Err(_) => path.display().to_string(),
        }
    }
}

/// The program with this name in the folders of `path`, as a shell would find it.
pub fn on_path(name: &str, path: Option<&OsStr>) -> Option<PathBuf> {
    std::env::split_paths(path?)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| is_program(file))
}

/// Whether it is a file that may be run.
pub(super) fn is_program(path: &Path) -> bool {
    let Ok(meta) = path.metadata() else { return false };
    meta.is_file() && may_run(&meta)
}

#[cfg(unix)]
pub(super) fn may_run(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::PermissionsExt as _;
    meta.permissions().mode() & 0o111 != 0
}

#[cfg(not(unix))]
pub(super) fn may_run(_: &std::fs::Metadata) -> bool {
    true
}
