//! What loads, what does not, and what is said of it.

mod accepted;
mod codes;

use super::tree::Format;
use super::{Loaded, load_text};

/// Loads a TOML policy that must be good; the version is added.
#[track_caller]
fn good(text: &str) -> Loaded {
    load_text("policy.toml", &format!("version = 1\n{text}"), Format::Toml).unwrap_or_else(|report| panic!("{report}"))
}
