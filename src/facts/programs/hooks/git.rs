//! Git: configuration on the command line, and what names a program in it.

use super::super::InnerKind;
use super::super::words::{after, is_literal, start};
use super::super::work::Work;
use crate::facts::word::Word;

/// What holds for every git command.
pub(super) fn git(work: &mut Work<'_>) {
    work.u.depends_on_git_config = true;
    let used = std::mem::take(&mut work.sorted.used);
    let end_of_globals = work.sorted.parsed.subcommand.first().copied().unwrap_or(usize::MAX);
    for option in used.iter().filter(|u| u.word < end_of_globals && u.name == "-c") {
        if let Some(setting) = option.values.first() {
            set(work, setting);
        }
    }
    work.sorted.used = used;
    // `ext::command` is an address that names a program.
    for word in work.operand_words() {
        if let Some((at, _)) = start(&word).match_indices("ext::").next().filter(|(at, _)| *at == 0) {
            let text = after(&word, at + "ext::".len());
            let script = text.literal().map(|t| Word::text(t.replace("% ", "\\ ").replace('%', "")));
            work.runs(script.map_or(InnerKind::Unknown, InnerKind::Script), "the address names a program");
        }
    }
    let checkout = work
        .sorted
        .parsed
        .subcommand
        .first()
        .and_then(|at| work.words.get(*at))
        .is_some_and(|w| w.literal().as_deref() == Some("checkout"));
    if checkout && !work.used("-b") {
        work.not_project.get_or_insert_with(|| {
            "it may put back files, and what was changed in them is lost (`git switch` does not)".to_owned()
        });
    }
    if work.sorted.lost_sub_command {
        // An alias, or a program `git-x`.
        work.runs(InnerKind::Unknown, "it may be an alias");
    }
}

/// `key=value` as `git -c` takes it.
fn set(work: &mut Work<'_>, setting: &Word) {
    let text = start(setting).into_owned();
    work.object("a setting on the command line may run a program");
    let Some((key, _)) = text.split_once('=') else {
        if !is_literal(setting) {
            work.runs(InnerKind::Unknown, "a setting on the command line may run a program");
        }
        return;
    };
    let value = after(setting, key.len() + 1);
    if let Some(what) = run_by(key, &value) {
        work.runs(what, "a setting on the command line may run a program");
    }
}

/// `git config`, read or written.
pub(super) fn config(work: &mut Work<'_>) {
    git(work);
    let operands = work.operand_words();
    let reads = [
        "--get",
        "--get-all",
        "--get-regexp",
        "--get-urlmatch",
        "-l",
        "--get-color",
        "--get-colorbool",
        "--name-only",
    ];
    let verb = operands.first().and_then(|w| w.literal().map(std::borrow::Cow::into_owned));
    let writes =
        ["--add", "--replace-all", "--unset", "--unset-all", "--rename-section", "--remove-section", "-e"];
    let asks = reads.iter().any(|o| work.used(o)) || matches!(verb.as_deref(), Some("get" | "list"));
    let sets = writes.iter().any(|o| work.used(o)) || (!asks && operands.len() != 1);
    if sets {
        work.object("it changes the configuration");
        work.u.unknown_writes = true;
        let skipped = usize::from(matches!(verb.as_deref(), Some("set")));
        let mut given = operands.iter().skip(skipped);
        if let (Some(key), Some(value)) = (given.next().and_then(Word::literal), given.next())
            && let Some(what) = run_by(&key, value)
        {
            work.runs(what, "the setting names a program");
        }
    }
    if work.sorted.used.iter().any(|u| matches!(u.name.as_str(), "-f" | "--file")) && sets {
        for file in &mut work.u.files {
            file.access = super::super::Access::ReadWrite;
        }
    }
}

/// What a setting makes git run.
fn run_by(key: &str, value: &Word) -> Option<InnerKind> {
    let key = key.to_ascii_lowercase();
    let (section, name) = (key.split('.').next()?, key.rsplit('.').next()?);
    let script = || Some(InnerKind::Script(value.clone()));
    match (section, name) {
        ("alias", _) => {
            let text = start(value);
            if text.starts_with('!') {
                return Some(InnerKind::Script(after(value, 1)));
            }
            (!is_literal(value)).then_some(InnerKind::Unknown)
        }
        ("core", "hookspath" | "worktree" | "attributesfile") | ("include" | "includeif", _) => {
            Some(InnerKind::Unknown)
        }
        ("core", "fsmonitor") if value.literal().is_some_and(|v| matches!(&*v, "true" | "false" | "")) => {
            None
        }
        (
            "core",
            "pager" | "editor" | "sshcommand" | "fsmonitor" | "askpass" | "gitproxy" | "alternaterefscommand",
        )
        | ("sequence", "editor")
        | ("diff", "external" | "command" | "textconv")
        | ("difftool" | "mergetool" | "browser" | "man", "cmd" | "path")
        | ("filter", "clean" | "smudge" | "process")
        | ("merge", "driver")
        | ("gpg", "program" | "defaultkeycommand")
        | ("credential", "helper")
        | ("pager" | "interactive" | "instaweb", _)
        | ("uploadpack", "packobjectshook")
        | ("remote", "uploadpack" | "receivepack" | "vcs")
        | ("sendemail", "smtpserver" | "sendmailcmd" | "tocmd" | "cccmd" | "headercmd")
        | ("trailer", "cmd" | "command")
        | ("tar", "command")
        | ("submodule", "update")
        | ("ssh", "variant") => script(),
        (
            "protocol" | "url" | "http" | "core" | "init" | "commit" | "remote",
            "allow" | "insteadof" | "templatedir" | "template" | "url",
        ) => Some(InnerKind::Unknown),
        _ => None,
    }
}
