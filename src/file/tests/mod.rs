//! What loads, what does not, and what is said of it.

mod accepted;
mod codes;
mod files;
mod oracle;
mod rejected;
#[cfg(feature = "schema")]
mod schema;
mod trees;

use super::tree::Format;
use super::{Loaded, load_text};

/// Loads a TOML policy that must be good; the version is added.
#[track_caller]
fn good(text: &str) -> Loaded {
    load_text("policy.toml", &format!("version = 1\n{text}"), Format::Toml)
        .unwrap_or_else(|report| panic!("{report}"))
}

/// What is said of a bad policy, one finding a line, without the name of the file.
#[track_caller]
fn bad(text: &str, format: Format) -> Vec<String> {
    match load_text("p", text, format) {
        Ok(_) => panic!("this loads: {text}"),
        Err(report) => report.to_string().lines().map(|l| l.trim_start_matches("p:").to_owned()).collect(),
    }
}
