//! Downloads: methods, and the files they are kept in.

use super::super::Access;
use super::super::words::{is_literal, start};
use super::super::work::Work;
use super::name_of_download;
use crate::facts::word::Word;

/// The method of a `curl`, and what `-O` writes.
pub(super) fn curl(work: &mut Work<'_>) {
    let has = |work: &Work<'_>, names: &[&str]| names.iter().any(|n| work.used(n));
    let data = [
        "-d",
        "--data-raw",
        "--data-binary",
        "--data-urlencode",
        "--json",
        "-F",
        "--form-string",
        "--data-ascii",
    ];
    let method = if let Some(method) = work.value("-X") {
        method.literal().map(|m| m.to_string())
    } else if has(work, &["-T"]) {
        Some("PUT".to_owned())
    } else if has(work, &["-I"]) {
        Some("HEAD".to_owned())
    } else if has(work, &data) && !has(work, &["-G"]) {
        Some("POST".to_owned())
    } else {
        Some("GET".to_owned())
    };
    // What a configuration file adds is not known, nor what an unknown option does.
    let unsure = has(work, &["-K", "-:"])
        || work.sorted.used.iter().any(|u| u.option.is_none())
        || !work.sorted.doubtful.is_empty();
    let method = method.filter(|_| !unsure);
    let follows = has(work, &["-L", "--location-trusted"]);
    let keeps = has(work, &["-O", "--remote-name-all"]);
    let urls: Vec<Word> =
        work.u.fetches.iter().filter(|f| f.default_scheme == "http").map(|f| f.target.clone()).collect();
    for fetch in &mut work.u.fetches {
        fetch.method.clone_from(&method);
        fetch.follows_redirects = follows;
    }
    for url in &urls {
        // `file:` reads this disk.
        let text = start(url).into_owned();
        if let Some(path) = text.strip_prefix("file://") {
            let path = super::super::words::after(url, text.len() - path.len());
            work.file(&path, Access::Read, false, false);
        }
        if keeps {
            let name = if has(work, &["-J"]) { Word::unknown(false) } else { name_of_download(url) };
            let path = in_folder(work, "--output-dir", name);
            work.file(&path, Access::Write, false, false);
            work.writes("it keeps what it fetches");
        }
    }
    // Both name the host that is asked instead of the one in the address.
    for option in ["--connect-to", "--resolve"] {
        redirected(work, option);
    }
    form_files(work);
    if unsure {
        work.u.unknown_fetches = true;
        work.u.unknown_writes = true;
        work.u.unknown_reads = true;
    }
}

/// `--connect-to HOST:PORT:OTHER:PORT`, `--resolve HOST:PORT:ADDRESS,ADDRESS`.
fn redirected(work: &mut Work<'_>, option: &str) {
    let given =
        work.sorted.used.iter().filter(|u| u.option.is_some_and(|o| o.names.iter().any(|n| n == option)));
    let values: Vec<Word> = given.filter_map(|u| u.values.first().cloned()).collect();
    for value in values {
        let Some(text) = value.literal().map(std::borrow::Cow::into_owned) else {
            work.u.unknown_fetches = true;
            continue;
        };
        for address in text.splitn(3, ':').nth(2).unwrap_or_default().split(',').filter(|a| !a.is_empty()) {
            work.fetch(&Word::text(address), "http", false);
        }
    }
}

/// `-F name=@file`, `-F name=<file`, `--data-urlencode name@file`.
fn form_files(work: &mut Work<'_>) {
    let used = std::mem::take(&mut work.sorted.used);
    for option in &used {
        let Some(value) = option.values.first() else { continue };
        let text = start(value).into_owned();
        let at = match option.name.as_str() {
            "-F" | "--form" => text.find("=@").or_else(|| text.find("=<")).map(|at| at + 2),
            "--data-urlencode" => text.find('@').map(|at| at + 1),
            _ => None,
        };
        if let Some(at) = at {
            let path = super::super::words::after(value, at);
            let end = start(&path).find(';');
            let path = match (end, is_literal(&path)) {
                (Some(end), true) => Word::text(start(&path).get(..end).unwrap_or_default()),
                _ => path,
            };
            work.file(&path, Access::Read, false, false);
        } else if !is_literal(value) && matches!(option.name.as_str(), "-F" | "--form" | "--data-urlencode") {
            work.u.unknown_reads = true;
        }
    }
    work.sorted.used = used;
}

/// `wget` keeps what it fetches, unless it goes to standard output.
pub(super) fn wget(work: &mut Work<'_>) {
    let has = |work: &Work<'_>, names: &[&str]| names.iter().any(|n| work.used(n));
    let method = if let Some(method) = work.value("--method") {
        method.literal().map(|m| m.to_string())
    } else if has(work, &["--post-data", "--post-file"]) {
        Some("POST".to_owned())
    } else if has(work, &["--spider"]) {
        Some("HEAD".to_owned())
    } else {
        Some("GET".to_owned())
    };
    let urls: Vec<Word> = work.u.fetches.iter().map(|f| f.target.clone()).collect();
    for fetch in &mut work.u.fetches {
        fetch.method.clone_from(&method);
        fetch.follows_redirects = work.sorted.used.iter().all(|u| u.name != "--max-redirect");
    }
    if has(work, &["-r", "-m", "-p", "-i"]) {
        work.u.unknown_fetches = true;
        work.u.unknown_writes = true;
    }
    if has(work, &["--spider", "-O"]) {
        // A file for `-O` is in the table; `-` is standard output.
        work.u.files.retain(|f| !(f.access == Access::Write && f.path.literal().as_deref() == Some("-")));
        return;
    }
    for url in &urls {
        let name = name_of_download(url);
        let path = in_folder(work, "-P", name);
        work.file(&path, Access::Write, false, false);
    }
    work.writes("it keeps what it fetches");
}

/// The name, in the folder that the option names where it is used.
fn in_folder(work: &Work<'_>, option: &str, name: Word) -> Word {
    match work.value(option).cloned() {
        Some(mut folder) => {
            super::super::words::push_text(&mut folder, "/");
            super::super::words::with_suffix(&folder, &name)
        }
        None => name,
    }
}
