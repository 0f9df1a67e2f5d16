//! What the documents show is true: policies load, commands print what stands there.
#![cfg(feature = "cli")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::format_push_string,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use tool_policy::{Format, Policy};

/// Set to write the output of commands anew.
const UPDATE: &str = "UPDATE_DOCS";

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

fn documents() -> Vec<PathBuf> {
    ["README.md", "CONTRIBUTING.md", "docs/language.md", "docs/mcp.md", "docs/verdicts.md"]
        .iter()
        .map(|name| root().join(name))
        .collect()
}

/// A block of code.
struct Block {
    language: String,
    /// The line of its first line, from 1.
    line: usize,
    text: String,
}

fn blocks(path: &Path) -> Vec<Block> {
    let mut found = Vec::new();
    let mut open: Option<Block> = None;
    for (number, line) in fs::read_to_string(path).unwrap().lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                open = Some(Block {
                    language: language.trim().to_owned(),
                    line: number + 2,
                    text: String::new(),
                });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "{}: a block is not closed", path.display());
    found
}

#[test]
fn policies_in_documents_load() {
    let mut count = 0;
    for path in documents() {
        for block in blocks(&path) {
            let format = match block.language.as_str() {
                "toml" => Format::Toml,
                "yaml" => Format::Yaml,
                "json" if block.text.contains("\"version\"") => Format::Json,
                _ => continue,
            };
            count += 1;
            // A part of a policy is shown without the version.
            let text = match format {
                Format::Toml if !block.text.contains("version =") => format!("version = 1\n{}", block.text),
                Format::Toml | Format::Yaml | Format::Json => block.text,
            };
            let name = format!("{}:{}", path.display(), block.line);
            if let Err(report) = Policy::parse(&name, format, &text) {
                panic!("{report}\n{text}");
            }
        }
    }
    assert!(count > 12, "only {count} policies");
}

/// Runs the commands of a block: lines after `$ `, each with the output that it should have, and `? N` for a status that is not 0.
fn session(text: &str) -> String {
    let mut out = String::new();
    for line in text.lines().filter(|line| line.starts_with("$ ")) {
        out.push_str(line);
        out.push('\n');
        let command = line.trim_start_matches("$ ").replace("cargo run -q -- ", "policy ");
        let bin = Path::new(env!("CARGO_BIN_EXE_policy")).parent().unwrap().to_owned();
        let path = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap_or_default());
        let done = Command::new("sh")
            .args(["-c", &command])
            .env("PATH", path)
            .env("NO_COLOR", "1")
            .current_dir(root())
            .stdin(Stdio::null())
            .output()
            .unwrap();
        out.push_str(&String::from_utf8(done.stdout).unwrap());
        out.push_str(&String::from_utf8(done.stderr).unwrap());
        match done.status.code() {
            Some(0) => {}
            Some(code) => out.push_str(&format!("? {code}\n")),
            None => out.push_str("? killed\n"),
        }
    }
    // Where the repository stands is nobody's business.
    out.replace(root().to_str().unwrap(), "/repo")
}

#[cfg(unix)]
#[test]
fn commands_in_documents_print_what_stands_there() {
    let mut wrong = String::new();
    let mut count = 0;
    for path in documents() {
        let mut text = fs::read_to_string(&path).unwrap();
        for block in blocks(&path).into_iter().filter(|block| block.language == "console") {
            count += 1;
            let got = session(&block.text);
            if got != block.text {
                wrong.push_str(&format!(
                    "{}:{}\n--- shown\n{}--- printed\n{got}",
                    path.display(),
                    block.line,
                    block.text
                ));
                text = text.replacen(
                    &format!("```console\n{}```", block.text),
                    &format!("```console\n{got}```"),
                    1,
                );
            }
        }
        if std::env::var_os(UPDATE).is_some() {
            fs::write(&path, text).unwrap();
        }
    }
    assert!(count >= 5, "only {count} blocks");
    assert!(
        wrong.is_empty() || std::env::var_os(UPDATE).is_some(),
        "run `{UPDATE}=1 cargo test --test docs` and read the difference\n{wrong}"
    );
}

#[test]
fn links_between_documents_lead_somewhere() {
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        for rest in text.split("](").skip(1) {
            let target = rest.split(')').next().unwrap().split('#').next().unwrap();
            if target.is_empty() || target.contains("://") {
                continue;
            }
            assert!(
                path.parent().unwrap().join(target).exists(),
                "{}: `{target}` is not there",
                path.display()
            );
        }
    }
}

#[test]
fn the_page_of_the_lints_has_all_of_them_in_their_own_words() {
    let mut page = String::from(
        "# Lints\n\n`policy check` finds these in policies that load. `policy explain NAME` prints one of them. Their levels are set under `lints`;\n`# policy: allow(NAME)` in a comment takes one finding away.\n",
    );
    for lint in tool_policy::lint::all() {
        page.push('\n');
        for line in lint.page().lines() {
            // Headings one step down, but for comments in blocks.
            let heading = line.starts_with("# ") && line[2..] == *lint.name || line.starts_with("## ");
            page.push_str(if heading { "#" } else { "" });
            page.push_str(line);
            page.push('\n');
        }
    }
    let path = root().join("docs/lints.md");
    if std::env::var_os(UPDATE).is_some() {
        fs::write(&path, &page).unwrap();
    }
    assert_eq!(
        fs::read_to_string(&path).unwrap_or_default(),
        page,
        "run with {UPDATE}=1 and read the difference"
    );
}
