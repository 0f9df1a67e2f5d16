//! Tables of commands, and what is understood of them.

mod claims;
mod files;
mod inner;
mod laws;
mod registry;
mod sorting;
mod tools;

use super::*;
use crate::facts::word::{Piece, Word};

/// Splits a command line as a shell would in simple cases: blanks, both quotes, a backslash; `$x` is unknown (and splits outside quotes), `*`, `?` are
/// globs outside quotes.
fn words(line: &str) -> Vec<Word> {
    let mut words = Vec::new();
    let mut word: Option<Word> = None;
    let mut chars = line.chars().peekable();
    let mut quote = None;
    let push = |word: &mut Option<Word>, c: char| {
        let word = word.get_or_insert_default();
        if let Some(Piece::Text(text)) = word.pieces.last_mut() {
            text.push(c);
        } else {
            word.pieces.push(Piece::Text(c.to_string()));
        }
    };
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(q), _) if q == c => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, ' ') => words.extend(word.take()),
            (None | Some('"'), '\\') => push(&mut word, chars.next().unwrap_or('\\')),
            (None | Some('"'), '$') if chars.peek().is_some_and(char::is_ascii_lowercase) => {
                while chars.next_if(char::is_ascii_lowercase).is_some() {}
                word.get_or_insert_default().pieces.push(Piece::Unknown { splits: quote.is_none() });
            }
            (None, '*' | '?') => word.get_or_insert_default().pieces.push(Piece::Glob(c.to_string())),
            _ => push(&mut word, c),
        }
    }
    words.extend(word);
    words
}

fn of(line: &str) -> Understood {
    understand(&words(line))
}
