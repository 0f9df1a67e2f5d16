//! Containers, clouds, build tools: what stands inside their values.

use super::super::words::{after, is_literal, looks_like_path, start};
use super::super::work::Work;
use super::super::{Access, FetchUse, InnerKind};
use crate::facts::word::Word;

/// `docker run -v /here:/there`, `--mount type=bind,source=/here,target=/there`.
pub(super) fn docker(work: &mut Work<'_>) {
    for volume in values(work, &["--volume", "--mount"]) {
        let (is_mount, value) = volume;
        let Some(text) = value.literal().map(std::borrow::Cow::into_owned) else {
            // A folder whose start alone is known.
            work.file(&value, Access::ReadWrite, true, true);
            continue;
        };
        let here = if is_mount {
            let keys = ["source=", "src="];
            text.split(',')
                .find_map(|part| keys.iter().find_map(|k| part.trim().strip_prefix(k)))
                .map(str::to_owned)
        } else {
            text.contains(':').then(|| text.split(':').next().unwrap_or_default().to_owned())
        };
        // A bare name is a volume, not a folder.
        if let Some(here) = here.filter(|h| looks_like_path(h)) {
            work.file(&Word::text(here), Access::ReadWrite, true, false);
        }
    }
}

/// Whether each value is that of the last of `names`, and the value.
fn values(work: &Work<'_>, names: &[&str; 2]) -> Vec<(bool, Word)> {
    let has = |u: &super::super::sort::Used, name: &str| {
        u.option.is_some_and(|o| o.names.iter().any(|n| n == name))
    };
    let [first, second] = names;
    let found = work.sorted.used.iter().filter(|u| has(u, first) || has(u, second));
    found.filter_map(|u| u.values.first().map(|v| (has(u, second), v.clone()))).collect()
}

/// `kubectl get`: secrets are shown by most formats, and formats may be files.
pub(super) fn kubectl(work: &mut Work<'_>) {
    if let Some(format) = work.value("--output").cloned()
        && let Some(at) = start(&format).find("-file=")
    {
        work.file(&after(&format, at + "-file=".len()), Access::Read, false, false);
    }
    let raw = work.value("--raw").cloned();
    let named = work.operand_words().into_iter().chain(raw.clone());
    let secret = named.into_iter().any(|w| w.shown().contains("secret") || !is_literal(&w));
    let quiet = |w: &Word| w.literal().is_some_and(|l| matches!(&*l, "name" | "wide"));
    let shown = work.value("--output").is_some_and(|o| !quiet(o)) || work.used("--template") || raw.is_some();
    if secret && shown {
        work.object("it may show secrets");
    }
    if raw.is_some_and(|r| r.shown().contains("proxy")) {
        work.object("it asks a service behind a proxy");
    }
}

/// `aws`: a value that starts with `file://` is the content of that file, which is sent.
pub(super) fn aws(work: &mut Work<'_>) {
    let words: Vec<Word> = work.words.iter().skip(1).cloned().collect();
    let mut endpoint = false;
    for word in words {
        let text = start(&word).into_owned();
        let value_at = if text.starts_with('-') { text.find('=').map_or(text.len(), |at| at + 1) } else { 0 };
        let value = text.get(value_at..).unwrap_or_default();
        let scheme =
            ["file://", "fileb://", "http://", "https://"].into_iter().find(|s| value.starts_with(s));
        match scheme {
            Some(scheme) if scheme.starts_with("file") => {
                work.file(&after(&word, value_at + scheme.len()), Access::Read, false, false);
                work.object("it sends the content of a file");
            }
            Some(_) if text.starts_with("--endpoint-url") || endpoint => {}
            Some(_) => {
                work.fetch(&after(&word, value_at), "https", false);
                work.object("it fetches a value");
            }
            None if !is_literal(&word) && (value.is_empty() || value.starts_with("file")) => {
                work.u.unknown_reads = true;
                work.object("a value may be the content of a file");
            }
            None => {}
        }
        // Its value is a target already.
        endpoint = text == "--endpoint-url";
    }
}

/// `gh pr view URL`, `-R HOST/OWNER/NAME`: another host, which may be sent the token of an enterprise.
pub(super) fn gh(work: &mut Work<'_>) {
    let repo = work.value("--repo").cloned();
    let named = work.operand_words().into_iter().map(|w| (w, false)).chain(repo.map(|w| (w, true)));
    for (word, is_repo) in named.collect::<Vec<_>>() {
        let Some(text) = word.literal().map(std::borrow::Cow::into_owned) else {
            work.object(&format!("`{}` may name another host", word.shown()));
            continue;
        };
        let own =
            ["https://github.com/", "https://gitlab.com/", "github.com/"].iter().any(|h| text.starts_with(h));
        if !own && (text.contains("://") || text.contains('@') || (is_repo && text.matches('/').count() > 1))
        {
            work.fetch(&word, "https", false);
            work.object(&format!("`{text}` names another host"));
        }
    }
}

/// `gh api`: the address and the method. Fields make it a POST.
pub(super) fn gh_api(work: &mut Work<'_>) {
    work.object("it sends a request");
    let has_fields = ["--raw-field", "--field", "--input"].iter().any(|o| work.used(o));
    let method = match work.value("--method") {
        Some(method) => method.literal().map(|m| m.to_uppercase()),
        None if has_fields => Some("POST".to_owned()),
        None => Some("GET".to_owned()),
    };
    // Where words may turn into options, the method is not known.
    let method = method.filter(|_| work.sorted.doubtful.is_empty());
    for (typed, field) in values(work, &["--raw-field", "--field"]) {
        if let Some(at) = start(&field).find("=@").filter(|_| typed) {
            let file = after(&field, at + "=@".len());
            if file.literal().as_deref() != Some("-") {
                work.file(&file, Access::Read, false, false);
            }
        } else if typed && !is_literal(&field) {
            work.u.unknown_reads = true;
        }
    }
    let host = work.value("--hostname").map_or_else(|| "api.github.com".to_owned(), Word::shown);
    work.u.fetches.clear();
    for endpoint in work.operand_words().into_iter().take(1) {
        let text = start(&endpoint).into_owned();
        let whole = text.contains("://") || text.is_empty();
        let target = if whole {
            endpoint
        } else {
            let mut target = Word::text(format!("https://{host}/"));
            target.span = endpoint.span;
            super::super::words::with_suffix(&target, &after(&endpoint, usize::from(text.starts_with('/'))))
        };
        work.u.fetches.push(FetchUse {
            target,
            default_scheme: "https",
            method: method.clone(),
            follows_redirects: false,
            possible: false,
        });
    }
}

/// Options of test runners, linters and compilers that may be handed on without changing what runs.
const HARMLESS: &[&str] = &[
    "--bail",
    "--cap-lints",
    "--check",
    "--ci",
    "--color",
    "--coverage",
    "--exact",
    "--fix",
    "--ignored",
    "--include-ignored",
    "--list",
    "--no-capture",
    "--no-coverage",
    "--nocapture",
    "--noEmit",
    "--passWithNoTests",
    "--quiet",
    "--quick",
    "--run",
    "--runInBand",
    "--show-output",
    "--silent",
    "--skip",
    "--test-threads",
    "--testNamePattern",
    "--updateSnapshot",
    "--verbose",
    "--watch",
    "--watchAll",
    "--write",
    "-A",
    "-D",
    "-F",
    "-W",
    "-i",
    "-j",
    "-k",
    "-q",
    "-t",
    "-u",
    "-v",
    "-x",
];

/// Words that a runner hands on to the project's own task: `cargo test -- --nocapture`, `npm run lint -- --fix`.
pub(super) fn handed_on(work: &mut Work<'_>) {
    let words = work.operand_words();
    for word in &words {
        let text = start(word);
        let (name, value) = text.split_once('=').map_or((&*text, None), |(name, value)| (name, Some(value)));
        if name.starts_with('-') {
            let cluster = name.get(..2).is_some_and(|s| s != "--" && HARMLESS.contains(&s));
            let known = HARMLESS.contains(&name) || matches!(name, "--" | "-") || (cluster && lint(name));
            if !known || !is_literal(word) {
                work.object(&format!("nothing is known of the option `{}`", word.shown()));
            }
        }
        if (text.is_empty() && !is_literal(word)) || (value.is_some() && !name.starts_with('-')) {
            work.object(&format!("`{}` may change what is run", word.shown()));
        }
        let path = value.unwrap_or(name);
        if looks_like_path(path) && (value.is_some() || !name.starts_with('-')) {
            let at = if value.is_some() { name.len() + 1 } else { 0 };
            work.file(&after(word, at), Access::ReadWrite, true, true);
        }
    }
}

/// `cmake --build DIR -- -j4`: words for the build program, among which may be targets.
pub(super) fn cmake(work: &mut Work<'_>) {
    let Some(end) = work.sorted.parsed.end_of_options else { return };
    let words: Vec<Word> = work.words.iter().skip(end + 1).cloned().collect();
    for word in words {
        if !word.literal().is_some_and(|l| l == "-v" || (l.starts_with("-j") && lint(&l))) {
            work.object(&format!("`{}` may change what is run", word.shown()));
        }
    }
}

/// `-Dwarnings`, `-j4`: a letter with a name or a number.
fn lint(name: &str) -> bool {
    let mut rest = name.chars().skip(2);
    rest.all(|c| c.is_alphanumeric() || matches!(c, '_' | ':' | '-'))
}

/// `black`, `rustfmt`: files are written in place, unless it only checks.
pub(super) fn formatter(work: &mut Work<'_>) {
    let only_checks = ["--check", "--diff", "-check", "--emit"].iter().any(|o| work.used(o));
    if only_checks || work.tables.asks_only() {
        return;
    }
    work.writes("it writes files");
    for file in &mut work.u.files {
        file.access = Access::ReadWrite;
    }
}

/// `gcc -Wl,…`: options for the linker and others; `@file`: options from a file.
pub(super) fn compiler(work: &mut Work<'_>) {
    let words: Vec<Word> = work.words.iter().skip(1).cloned().collect();
    for word in words {
        let text = start(&word);
        if ["-Wl,", "-Wa,", "-Wp,"].iter().any(|p| text.starts_with(p)) || text.starts_with('@') {
            work.runs(InnerKind::Unknown, &format!("`{}` may name a program", word.shown()));
        }
    }
}

/// `eslint -f NAME` loads a module, unless it is one of its own.
pub(super) fn eslint(work: &mut Work<'_>) {
    let own =
        ["stylish", "json", "json-with-metadata", "html", "compact", "unix", "junit", "tap", "checkstyle"];
    if work.value("--format").is_some_and(|f| !f.literal().is_some_and(|l| own.contains(&&*l))) {
        work.runs(InnerKind::Unknown, "a format may be a module");
    }
}

/// `pytest --cov-report html:DIR`.
pub(super) fn pytest(work: &mut Work<'_>) {
    let Some(report) = work.value("--cov-report").cloned() else { return };
    if let Some(at) = start(&report).find(':') {
        work.writes("it writes a report");
        work.file(&after(&report, at + 1), Access::Write, true, false);
    }
}
