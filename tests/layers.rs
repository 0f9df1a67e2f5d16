//! The modules form a line: each uses only those above it.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::format_push_string,
    reason = "a test fails by panicking"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The line, from the top. A module may use itself and what stands above it, in its own group too only what stands before it.
///
/// `policy` holds what `compile` builds, and `rule` what it is made of, so both stand above `compile`.
const ORDER: &[&str] = &[
    "source",
    "diagnostic",
    "logic",
    "call",
    "arg",
    "verdict",
    "facts",
    "pattern",
    "file",
    "rule",
    "policy",
    "compile",
    "interpreter",
    "turn",
    "human",
    "suite",
    "lint",
    "schema",
    "grant",
    "guard",
    "host",
    "install",
    "proxy",
    "cli",
];

/// Uses that the order does not have, each with the reason why it stands.
const EXCEPTIONS: &[(&str, &str, &str)] = &[];

#[test]
fn each_module_uses_only_those_above_it() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut problems = String::new();
    for file in files(&root) {
        let short = file.strip_prefix(&root).unwrap().to_owned();
        let own = module_of(&short);
        if own == "lib" || own == "main" || is_tests(&short) {
            continue;
        }
        let Some(place) = ORDER.iter().position(|m| *m == own) else {
            let _ = writeln!(
                problems,
                "src/{}: module `{own}` has no place; put it into ORDER in tests/layers.rs",
                short.display()
            );
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        for (number, used) in uses(&text) {
            let excepted = EXCEPTIONS.iter().any(|(by, of, _)| *by == own && *of == used);
            let fine = ORDER.iter().position(|m| *m == used).is_some_and(|of| of <= place);
            if !fine && !excepted {
                let _ = writeln!(
                    problems,
                    "src/{}:{number}: `{own}` uses `crate::{used}`, which does not stand above it",
                    short.display()
                );
            }
        }
    }
    assert!(problems.is_empty(), "the modules form a line (see ORDER in tests/layers.rs):\n{problems}");
}

#[test]
fn no_exception_is_left_over() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for (by, of, why) in EXCEPTIONS {
        assert!(!why.is_empty());
        let used = files(&root)
            .iter()
            .filter(|file| module_of(file.strip_prefix(&root).unwrap()) == *by)
            .any(|file| uses(&fs::read_to_string(file).unwrap()).iter().any(|(_, used)| used == of));
        assert!(used, "`{by}` no longer uses `{of}`: take the exception out");
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|e| e == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}

/// Whether the file holds tests only, which may use anything.
fn is_tests(short: &Path) -> bool {
    let named = |name: &str| name == "tests" || name.ends_with("_tests");
    short
        .components()
        .any(|c| c.as_os_str().to_str().is_some_and(|name| named(name.strip_suffix(".rs").unwrap_or(name))))
}

/// The first part of the path, without its extension.
fn module_of(short: &Path) -> String {
    let first = short.components().next().unwrap().as_os_str().to_str().unwrap();
    first.strip_suffix(".rs").unwrap_or(first).to_owned()
}

/// The modules that code names with `crate::`, with the lines. Tests within the sources may use anything, and so may what is only documented.
fn uses(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    for (number, line) in text.lines().enumerate() {
        if line.starts_with("mod tests {") {
            break;
        }
        let code = line.split("//").next().unwrap_or_default();
        for rest in code.split("crate::").skip(1) {
            let name: String = rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            if name.is_empty() {
                // `use crate::{a, b::C}`: each name at the first level.
                for part in first_level(rest) {
                    found.push((number + 1, part));
                }
            } else if name.starts_with(char::is_lowercase) {
                found.push((number + 1, name));
            } else {
                found.push((number + 1, format!("{name} (name its module)")));
            }
        }
    }
    found
}

fn first_level(rest: &str) -> Vec<String> {
    let mut depth = 0;
    let mut names = vec![String::new()];
    for c in rest.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth -= 1,
            ',' if depth == 1 => names.push(String::new()),
            c if depth == 1 => names.last_mut().unwrap().push(c),
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    names
        .iter()
        .map(|n| n.trim().split("::").next().unwrap_or_default().to_owned())
        .filter(|n| !n.is_empty())
        .collect()
}

#[test]
fn imports_are_found() {
    let text = "use crate::a::B;\nuse crate::{c, d::{E, F}};\n// crate::g\nfn x() -> crate::h::I {}\n";
    let found: Vec<_> = uses(text);
    let expected = [(1, "a"), (2, "c"), (2, "d"), (4, "h")];
    assert_eq!(found, expected.map(|(n, m)| (n, m.to_owned())));
}
