//! Asking a person: at the terminal, or from answers prepared beforehand.

mod prepared;
mod terminal;

pub use prepared::Prepared;
pub use terminal::Terminal;

use crate::verdict::Reply;

/// What a person's words mean: yes, no, or nothing that can be told.
pub fn parse_reply(text: &str) -> Option<Reply> {
    match text.trim().to_lowercase().as_str() {
        "y" | "yes" | "true" | "1" => Some(Reply::Yes),
        "n" | "no" | "false" | "0" => Some(Reply::No),
        _ => None,
    }
}
