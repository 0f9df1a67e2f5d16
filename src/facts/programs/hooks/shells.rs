//! Shells and interpreters: where their script is.

use super::super::words::{is_literal, start};
use super::super::work::{Work, inner};
use super::super::{Access, Inner, InnerKind};
use crate::facts::word::Word;

/// `bash -c TEXT`, `bash FILE`, `bash -s`, `bash`.
pub(super) fn shell(work: &mut Work<'_>) {
    let operands = work.operand_words();
    let first = operands.first().cloned();
    let unknown_option = work.sorted.used.iter().any(|u| u.option.is_none());
    if work.used("-c") {
        let Some(script) = first else {
            work.runs(InnerKind::Unknown, "there is no script");
            return;
        };
        let mut found = inner(InnerKind::Script(script.clone()));
        found.transparent = is_literal(&script)
            && !unknown_option
            && !work.tables.opaque()
            && work.sorted.doubtful.is_empty();
        if !found.transparent {
            work.object("it runs a script");
        }
        work.u.inner.push(found);
    } else if work.used("-s") || first.is_none() {
        // `bash --version` runs nothing.
        if !work.tables.asks_only() {
            work.runs(InnerKind::Stdin, "it runs what it reads");
        }
    } else if let Some(file) = first {
        if file.literal().as_deref() == Some("-") {
            work.runs(InnerKind::Stdin, "it runs what it reads");
        } else {
            work.file(&file, Access::Read, false, false);
            for word in operands.iter().skip(1) {
                super::super::understand::guess_literal(&mut work.u, word);
            }
            work.runs(InnerKind::ScriptFile(file), "it runs a script");
        }
    }
    let doubtful = work.sorted.doubtful.iter().any(|i| Some(i) <= work.sorted.parsed.operands.first());
    if unknown_option || doubtful {
        work.runs(InnerKind::Unknown, "an option may be a script");
    }
}

/// Modules that are the same as the program of their name.
const RUNNERS: &[&str] = &["black", "coverage", "flake8", "isort", "mypy", "pylint", "pytest", "ruff"];

/// `python -m MODULE ARGS` runs a program of that name.
pub(super) fn python(work: &mut Work<'_>) {
    let Some(module) = work.value("-m").cloned() else {
        let quiet = work.operand_words().is_empty() && work.u.inner.is_empty() && !work.tables.asks_only();
        if quiet {
            work.runs(InnerKind::Stdin, "it runs what it reads");
        }
        return;
    };
    let mut argv = vec![module.clone()];
    argv.extend(work.operand_words());
    // Test and lint runners of the project are commands of their own; what else has the name of a program need not be it.
    if module.literal().is_some_and(|name| RUNNERS.contains(&&*name)) {
        work.u.inner.push(Inner { transparent: true, ..inner(InnerKind::Argv(argv)) });
        return;
    }
    // The standard library's own: what they do is known by the name that follows.
    let text = start(&module);
    if !text.is_empty() || !is_literal(&module) {
        work.runs(InnerKind::Argv(argv), "it runs a module");
    }
    let mut unknown: Vec<Word> = Vec::new();
    unknown.extend((!is_literal(&module)).then_some(module));
    if !unknown.is_empty() {
        work.runs(InnerKind::Unknown, "it runs a module");
    }
}

/// `ssh -o ProxyCommand=…` runs a command here.
pub(super) fn ssh(work: &mut Work<'_>) {
    let settings: Vec<Word> = work
        .sorted
        .used
        .iter()
        .filter(|u| u.name == "-o")
        .filter_map(|u| u.values.first().cloned())
        .collect();
    for setting in settings {
        let text = start(&setting).into_owned();
        let Some(at) = text.find(['=', ' ']) else {
            if !is_literal(&setting) {
                work.runs(InnerKind::Unknown, "a setting may run a command");
            }
            continue;
        };
        let name = text.get(..at).unwrap_or_default().to_ascii_lowercase();
        let value = super::super::words::after(&setting, at + 1);
        match name.as_str() {
            "proxycommand" | "localcommand" | "knownhostscommand" => {
                work.runs(InnerKind::Script(value), "a setting runs a command");
            }
            "pkcs11provider" | "securitykeyprovider" | "include" | "xauthlocation" => {
                work.runs(InnerKind::Unknown, "a setting may run a command");
            }
            "proxyjump" | "hostname" => work.fetch(&value, "ssh", false),
            _ => {}
        }
    }
    // What is asked through the other machine.
    for option in ["-W", "-L", "-R"] {
        let Some(value) = work.value(option).cloned() else { continue };
        let Some(text) = value.literal().map(std::borrow::Cow::into_owned) else {
            work.u.unknown_fetches = true;
            continue;
        };
        let fields: Vec<&str> = text.split(':').collect();
        let host = match fields.as_slice() {
            [host, _] | [_, host, _] | [_, _, host, _] => *host,
            _ => continue,
        };
        work.fetch(&Word::text(host), "", option != "-W");
    }
    // Somebody logs in; what is typed there is not known.
    for fetch in &mut work.u.fetches {
        if fetch.default_scheme.is_empty() {
            fetch.default_scheme = "ssh";
        }
    }
}

/// `mise exec TOOL… -- PROGRAM …`: what follows `--` is run.
pub(super) fn dashes(work: &mut Work<'_>) {
    let Some(end) = work.sorted.parsed.end_of_options else {
        work.u.inner.push(inner(InnerKind::Unknown));
        return;
    };
    let argv: Vec<Word> = work.words.get(end + 1..).unwrap_or_default().to_vec();
    if !argv.is_empty() {
        work.runs(InnerKind::Argv(argv), "it runs a program");
    }
}
