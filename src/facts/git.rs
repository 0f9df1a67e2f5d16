//! Whether the configuration of a git repository runs programs.

use super::disk::{Disk, Kind};

/// Why git is not to be trusted in `folder`; `None` where its repository's configuration runs nothing, or there is none.
pub(super) fn runs_programs(folder: &str, disk: &dyn Disk) -> Option<String> {
    let (git_dir, worktree) = find(folder, disk)?;
    let mut files = vec![format!("{git_dir}/config"), format!("{git_dir}/config.worktree")];
    if worktree && let Some(common) = disk.read(&format!("{git_dir}/commondir")) {
        files.push(format!("{}/config", join(&git_dir, common.trim())));
    }
    files.iter().find_map(|file| {
        disk.read(file)
            .and_then(|text| culprit(&text))
            .map(|key| format!("the repository's configuration ({file}) sets `{key}`, which runs programs"))
    })
}

/// The `.git` folder of the repository around `folder`, and whether it was found through a file.
fn find(folder: &str, disk: &dyn Disk) -> Option<(String, bool)> {
    let mut at = folder;
    for _ in 0..64 {
        let candidate = format!("{}/.git", at.trim_end_matches('/'));
        match disk.kind(&candidate) {
            Some(Kind::Folder | Kind::Link) => return Some((candidate, false)),
            Some(Kind::File) => {
                let text = disk.read(&candidate)?;
                let target = text.trim().strip_prefix("gitdir:")?.trim();
                return Some((join(at, target), true));
            }
            Some(Kind::Missing) | None => {}
        }
        // A bare repository: its folder is the `.git`.
        if disk.kind(&format!("{at}/HEAD")) == Some(Kind::File)
            && disk.kind(&format!("{at}/config")) == Some(Kind::File)
        {
            return Some((at.to_owned(), false));
        }
        at = at.rsplit_once('/').map(|(parent, _)| parent).filter(|parent| !parent.is_empty())?;
    }
    None
}

fn join(base: &str, path: &str) -> String {
    if path.starts_with('/') { path.to_owned() } else { format!("{base}/{path}") }
}

/// The first key that makes git run a program, or that brings in configuration from elsewhere.
fn culprit(text: &str) -> Option<String> {
    let mut section = String::new();
    let mut continued = false;
    for line in text.lines() {
        let line = line.trim();
        if continued {
            continued = line.ends_with('\\');
            continue;
        }
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let mut rest = line;
        if let Some(header) = line.strip_prefix('[') {
            let (name, after) = header.split_once(']')?;
            section = name.split(['"', ' ', '\t']).next().unwrap_or_default().to_lowercase();
            rest = after.trim();
            if rest.is_empty() || rest.starts_with(['#', ';']) {
                continue;
            }
        }
        continued = rest.ends_with('\\');
        let (key, value) = rest.split_once('=').map_or((rest, "true"), |(k, v)| (k.trim(), v.trim()));
        let key = key.to_lowercase();
        if runs(&section, &key, value) {
            return Some(format!("{section}.{key}"));
        }
    }
    None
}

fn runs(section: &str, key: &str, value: &str) -> bool {
    let off = matches!(value.trim_matches('"').to_lowercase().as_str(), "" | "false" | "no" | "off" | "0");
    match (section.split('.').next().unwrap_or_default(), key) {
        // `true` is git's own daemon.
        ("core", "fsmonitor") => {
            !off && !matches!(value.to_lowercase().as_str(), "true" | "yes" | "on" | "1")
        }
        ("pager", _) => !off,
        ("submodule", "update") => value.starts_with('!'),
        ("alias", _)
        | (
            "core",
            "pager"
            | "sshcommand"
            | "askpass"
            | "gitproxy"
            | "alternaterefscommand"
            | "hookspath"
            | "worktree",
        )
        | ("diff", "external" | "command" | "textconv")
        | ("filter", "clean" | "smudge" | "process")
        | ("gpg", "program" | "defaultkeycommand")
        | ("include" | "includeif", "path")
        | ("interactive", "difffilter")
        | ("merge", "driver")
        | ("remote", "uploadpack" | "receivepack" | "vcs")
        | ("tar", "command")
        | ("uploadpack", "packobjectshook") => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_that_run_programs_are_found_whatever_their_case_and_place() {
        assert_eq!(
            culprit("[core]\n\tbare = false\n\tfsmonitor = .git/evil\n").as_deref(),
            Some("core.fsmonitor")
        );
        assert_eq!(culprit("[Core] FSMonitor=./x").as_deref(), Some("core.fsmonitor"));
        assert_eq!(culprit("[diff \"pdf\"]\n textconv = ./x\n").as_deref(), Some("diff.textconv"));
        assert_eq!(culprit("[include]\n path = ../x\n").as_deref(), Some("include.path"));
        assert_eq!(culprit("[alias]\n st = status\n").as_deref(), Some("alias.st"));
        assert_eq!(
            culprit("[core]\n bare = false\n fsmonitor = true\n[remote \"origin\"]\n url = x\n fetch = y\n"),
            None
        );
        assert_eq!(culprit("# [core]\n; fsmonitor = x\n"), None);
    }
}
