//! What some programs' words say that a table cannot.

mod awk;
mod curl;
mod git;
mod sed;
mod shells;
mod tools;

use super::Access;
use super::InnerKind;
use super::meaning::fill;
use super::words::{base, is_literal, start};
use super::work::{Work, inner};
use crate::facts::word::Word;

pub(super) use awk::awk;
pub(super) use sed::sed;

/// The hooks that entries may name; a test holds that they name no other.
#[cfg(test)]
pub(super) const NAMES: &[&str] = &[
    "awk",
    "aws",
    "cmake",
    "command",
    "compiler",
    "curl",
    "dashes",
    "date",
    "docker",
    "eslint",
    "flock",
    "flock",
    "formatter",
    "gh",
    "gh-api",
    "git",
    "git-config",
    "gzip",
    "handed-on",
    "jq",
    "kubectl",
    "make",
    "printf",
    "pytest",
    "python",
    "set",
    "shell",
    "ssh",
    "sudo",
    "tar",
    "test",
    "variables",
    "wget",
    "xargs",
];

/// Runs the hook of an entry, after options and operands were read.
pub(super) fn run(name: &str, work: &mut Work<'_>) {
    match name {
        "awk" => network_files(work),
        "aws" => tools::aws(work),
        "cmake" => tools::cmake(work),
        "compiler" => tools::compiler(work),
        "curl" => curl::curl(work),
        "docker" => tools::docker(work),
        "eslint" => tools::eslint(work),
        "flock" => flock(work),
        "formatter" => tools::formatter(work),
        "gh" => tools::gh(work),
        "gh-api" => tools::gh_api(work),
        "handed-on" => tools::handed_on(work),
        "kubectl" => tools::kubectl(work),
        "pytest" => tools::pytest(work),
        "jq" => jq(work),
        "date" => date(work),
        "git" => git::git(work),
        "git-config" => git::config(work),
        "gzip" => gzip(work),
        "python" => shells::python(work),
        "shell" => shells::shell(work),
        "tar" => tar(work),
        "test" => test(work),
        "make" => make(work),
        "printf" => printf(work),
        "set" => set(work),
        "ssh" => shells::ssh(work),
        "dashes" => shells::dashes(work),
        "variables" => variables(work),
        "wget" => curl::wget(work),
        // These speak where words are handed on.
        _ => {}
    }
}

/// Whether a hook makes something else of the words that a wrapper would run.
pub(super) fn takes_words(work: &mut Work<'_>, words: &[Word]) -> bool {
    match work.entry.hook {
        Some("command") if work.used("-v") || work.used("-V") => true,
        // `flock FILE -c TEXT`: an option behind the file.
        Some("flock")
            if words.first().and_then(Word::literal).is_some_and(|w| matches!(&*w, "-c" | "--command")) =>
        {
            let script = words.get(1).cloned().unwrap_or_default();
            work.runs(InnerKind::Script(script), "it runs a script");
            true
        }
        Some("sudo") if work.used("-e") => {
            for word in words {
                work.file(word, Access::ReadWrite, false, false);
            }
            work.object("it edits files");
            true
        }
        Some("sudo") if work.used("-s") || work.used("-i") => {
            let script = super::words::join(words);
            work.runs(InnerKind::Script(script), "it runs a program");
            true
        }
        _ => false,
    }
}

/// The words that `xargs` runs: more are appended, or filled in for a mark.
pub(super) fn xargs(work: &Work<'_>, words: &[Word]) -> InnerKind {
    let mut mark = None;
    for used in &work.sorted.used {
        match used.name.as_str() {
            "-I" => mark = used.values.first().cloned(),
            "-i" | "--replace" => {
                mark = Some(used.values.first().cloned().unwrap_or_else(|| Word::text("{}")));
            }
            _ => {}
        }
    }
    let Some(mark) = mark else { return InnerKind::ArgvAndMore(words.to_vec()) };
    match mark.literal() {
        Some(mark) => InnerKind::ArgvAndMore(words.iter().map(|w| fill(w, &mark)).collect()),
        None => InnerKind::Unknown,
    }
}

/// `env -S 'A=b cmd x' y`: what `env` would see instead.
pub(super) fn split_words(work: &mut Work<'_>, string: &Word, reason: &str) {
    work.tables.operands_taken = true;
    let Some(split) = string.literal().and_then(|text| split(&text)) else {
        work.runs(InnerKind::Unknown, reason);
        return;
    };
    let mut argv = vec![Word::text("env")];
    argv.extend(split.into_iter().map(Word::text));
    argv.extend(work.operand_words());
    let mut found = inner(InnerKind::Argv(argv));
    found.env.clone_from(&work.sorted.assignments);
    found.cwd.clone_from(&work.u.cwd);
    work.u.inner.push(found);
    work.object(reason);
}

/// Blanks part words; quotes hold. `None` where an escape or a variable makes it harder than that.
fn split(text: &str) -> Option<Vec<String>> {
    if text.contains(['\\', '$', '#']) {
        return None;
    }
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in text.chars() {
        match (quote, c) {
            (Some(q), _) if q == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ' | '\t' | '\n') => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

/// A file `/inet/tcp/0/host/80` of `gawk` is a connection.
fn network_files(work: &mut Work<'_>) {
    if work.operand_words().iter().any(|w| start(w).starts_with("/inet")) {
        work.u.unknown_fetches = true;
        work.object("it talks to the network");
    }
}

/// A filter may import a file.
fn jq(work: &mut Work<'_>) {
    let mut filters = work.operand_words().into_iter().take(1);
    if filters.any(|w| !is_literal(&w) || w.shown().contains("import") || w.shown().contains("include")) {
        work.u.unknown_reads = true;
    }
}

/// `date +%F` shows the time; `date 0101…` sets it.
fn date(work: &mut Work<'_>) {
    for word in work.operand_words() {
        if !start(&word).starts_with('+') {
            work.object(&format!("`{}` may set the clock", word.shown()));
        }
    }
}

/// `gzip f` makes `f.gz` and deletes `f`; `-c`, `-l` and `-t` only read.
fn gzip(work: &mut Work<'_>) {
    let reads = ["-c", "-l", "-t", "-h", "-V", "-L"].iter().any(|o| work.used(o));
    if !reads && !work.operand_words().is_empty() {
        work.writes("it writes files");
        work.u.unknown_writes = true;
        for file in &mut work.u.files {
            file.access = Access::ReadWrite;
        }
    }
}

/// `tar`: what `-f` is depends on the mode.
fn tar(work: &mut Work<'_>) {
    let any = |work: &Work<'_>, names: &[&str]| names.iter().any(|n| work.used(n));
    let creates = any(work, &["-c", "-r", "-u", "-A", "--delete"]);
    let extracts = any(work, &["-x"]);
    let operands = work.operand_words();
    if let Some(archive) = work.value("-f").cloned() {
        let text = start(&archive).into_owned();
        let anywhere = !is_literal(&archive) && !text.contains('/');
        if anywhere && !work.used("--force-local") {
            work.u.unknown_fetches = true;
            work.object("the archive may be on another machine");
        }
        if text.contains(':') && !work.used("--force-local") {
            work.fetch(&archive, "ssh", false);
            work.object("the archive is on another machine");
        } else if text != "-" {
            work.file(&archive, if creates { Access::ReadWrite } else { Access::Read }, false, false);
        }
    }
    // The archive's own name is not below `-C`.
    let folder = work.value("-C").cloned();
    let below = |name: &Word| match &folder {
        Some(folder) if !start(name).starts_with('/') => {
            let mut path = folder.clone();
            super::words::push_text(&mut path, "/");
            super::words::with_suffix(&path, name)
        }
        _ => name.clone(),
    };
    if creates {
        work.writes("it writes an archive");
        for operand in &operands {
            work.file(&below(operand), Access::Read, true, false);
        }
    }
    if extracts && !work.used("-O") {
        work.writes("it unpacks files");
        work.u.unknown_writes = true;
        let folder = folder.clone().unwrap_or_else(|| Word::text("."));
        work.file(&folder, Access::Write, true, false);
        work.u.rebinds.push(folder);
    }
    if !creates && !extracts && !work.used("-t") && !work.used("-d") {
        work.u.unknown_writes = true;
    }
}

/// `[ -v 'a[$(cmd)]' ]` runs `cmd`; so may unquoted words.
fn test(work: &mut Work<'_>) {
    let risky = |w: &Word| !is_literal(w) || w.shown().contains('[');
    if work.value("-v").is_some_and(risky) {
        work.runs(InnerKind::Unknown, "an index may run a command");
    }
    let last = work.words.last().is_some_and(|w| w.literal().as_deref() == Some("]"));
    let arguments = work.words.len().saturating_sub(1 + usize::from(last));
    let compares = |at: usize| {
        let text = work.words.get(at).and_then(Word::literal);
        text.is_some_and(|w| {
            let joins = arguments == 3 && matches!(&*w, "-a" | "-o");
            joins
                || matches!(&*w, "=" | "==" | "!=" | "<" | ">" | "=~")
                || matches!(&*w, "-eq" | "-ne" | "-lt" | "-le" | "-gt" | "-ge" | "-nt" | "-ot" | "-ef")
        })
    };
    // Beside a comparison, or alone, a word is no option.
    let unsure = work.sorted.doubtful.iter().any(|at| {
        work.words.get(*at).is_some_and(Word::splits)
            || !(arguments == 1 || compares(at + 1) || compares(at - 1))
    });
    if unsure {
        work.writes("an unknown word may be an option");
    }
}

/// `make SHELL=x` runs something else than the project says.
fn make(work: &mut Work<'_>) {
    for word in work.operand_words() {
        if start(&word).contains('=') || !is_literal(&word) {
            work.object(&format!("`{}` may change what is run", word.shown()));
        }
        let text = start(&word);
        if let Some((name, _)) = text.split_once('=')
            && matches!(
                name.trim_end_matches([':', '+', '?', '!']),
                "SHELL" | "MAKE" | "CC" | "CXX" | "LD" | "AR"
            )
        {
            let value = super::words::after(&word, text.find('=').map_or(0, |at| at + 1));
            work.runs(InnerKind::Script(value), "a variable names a program");
        }
    }
}

/// `flock FILE -c TEXT`.
fn flock(work: &mut Work<'_>) {
    let words = work.operand_words();
    let mut given = words.iter().skip(1);
    if given.next().and_then(Word::literal).is_some_and(|w| matches!(&*w, "-c" | "--command"))
        && let Some(script) = given.next()
    {
        work.runs(InnerKind::Script(script.clone()), "it runs a script");
    }
}

/// `printf -v 'a[$(cmd)]'` runs `cmd`.
fn printf(work: &mut Work<'_>) {
    let index = work.value("-v").is_some_and(|w| !is_literal(w) || w.shown().contains('['));
    if index || !work.sorted.doubtful.is_empty() {
        work.runs(InnerKind::Unknown, "an index may run a command");
    }
}

/// `set -o` with what changes the meaning of later commands.
fn set(work: &mut Work<'_>) {
    let harmless = [
        "errexit",
        "nounset",
        "pipefail",
        "xtrace",
        "verbose",
        "noglob",
        "noclobber",
        "errtrace",
        "functrace",
    ];
    if work.value("-o").is_some_and(|w| !w.literal().is_some_and(|l| harmless.contains(&&*l))) {
        work.object("the setting is not known as harmless");
    }
}

/// Names of variables: an index in one is evaluated, and may run a command.
fn variables(work: &mut Work<'_>) {
    let words = work.operand_words();
    let values: Vec<Word> =
        ["-v", "-a", "-u", "-i"].iter().filter_map(|o| work.value(o).cloned()).chain(words).collect();
    for word in &values {
        let text = start(word);
        let name = text.split_once('=').map_or(&*text, |(name, _)| name);
        let known = is_literal(word) || text.contains('=');
        if !known || name.contains('[') {
            work.runs(InnerKind::Unknown, &format!("`{}` may run a command", word.shown()));
        }
        // Setting one of these by `read` is seen nowhere else.
        if !text.contains('=') && CHANGE_WHAT_RUNS.contains(&name) {
            work.object(&format!("`{name}` changes what runs"));
        }
    }
}

const CHANGE_WHAT_RUNS: &[&str] = &[
    "PATH",
    "IFS",
    "BASH_ENV",
    "ENV",
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "PROMPT_COMMAND",
    "PS4",
    "SHELLOPTS",
    "BASHOPTS",
    "CDPATH",
    "EDITOR",
    "PAGER",
];

/// The file that a download of `url` is kept in.
fn name_of_download(url: &Word) -> Word {
    let path = url.literal().and_then(|l| l.split(['?', '#']).next().map(str::to_owned));
    path.and_then(|p| base(&Word::text(p))).unwrap_or_else(|| Word::unknown(false))
}
