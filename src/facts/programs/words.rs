//! Taking words apart without losing what is unknown in them.

use std::borrow::Cow;

use crate::facts::word::{Piece, Word};

/// The text that `word` surely starts with.
pub(super) fn start(word: &Word) -> Cow<'_, str> {
    match word.pieces.as_slice() {
        [Piece::Text(text)] => text.as_str().into(),
        [Piece::Text(text), next, ..] if !matches!(next, Piece::Text(_)) => text.as_str().into(),
        [] | [Piece::Glob(_) | Piece::Unknown { .. }, ..] => "".into(),
        _ => word.known_start().into(),
    }
}

/// Whether every part of it is certain.
pub(super) fn is_literal(word: &Word) -> bool {
    word.pieces.iter().all(|p| matches!(p, Piece::Text(_)))
}

/// `word` without the first `bytes` of its certain start.
pub(super) fn after(word: &Word, bytes: usize) -> Word {
    let mut left = bytes;
    let mut pieces = Vec::with_capacity(word.pieces.len());
    for piece in &word.pieces {
        match piece {
            Piece::Text(text) if left > 0 => {
                if let Some(rest) = text.get(left.min(text.len())..)
                    && !rest.is_empty()
                {
                    pieces.push(Piece::Text(rest.to_owned()));
                }
                left = left.saturating_sub(text.len());
            }
            Piece::Text(_) | Piece::Glob(_) | Piece::Unknown { .. } => pieces.push(piece.clone()),
        }
    }
    Word { pieces, span: word.span }
}

/// The words joined with blanks between.
pub(super) fn join<'a>(words: impl IntoIterator<Item = &'a Word>) -> Word {
    let mut joined = Word::default();
    for (nth, word) in words.into_iter().enumerate() {
        if nth > 0 {
            push_text(&mut joined, " ");
        } else {
            joined.span.0 = word.span.0;
        }
        joined.span.1 = word.span.1;
        for piece in &word.pieces {
            match piece {
                Piece::Text(text) => push_text(&mut joined, text),
                Piece::Glob(_) | Piece::Unknown { .. } => joined.pieces.push(piece.clone()),
            }
        }
    }
    joined
}

/// `word` with certain text at its end.
pub(super) fn with_suffix(word: &Word, suffix: &Word) -> Word {
    let mut out = word.clone();
    for piece in &suffix.pieces {
        match piece {
            Piece::Text(text) => push_text(&mut out, text),
            Piece::Glob(_) | Piece::Unknown { .. } => out.pieces.push(piece.clone()),
        }
    }
    out
}

/// Text at the end of a word.
pub(super) fn push_text(word: &mut Word, text: &str) {
    if let Some(Piece::Text(last)) = word.pieces.last_mut() {
        last.push_str(text);
    } else if !text.is_empty() {
        word.pieces.push(Piece::Text(text.to_owned()));
    }
}

/// The last component of a path, as far as it is known. `None`: it ends in `/`, `.` or `..`, or its end is unknown.
pub(super) fn base(path: &Word) -> Option<Word> {
    let literal = path.literal()?;
    let base = literal.trim_end_matches('/').rsplit('/').next()?;
    (!matches!(base, "" | "." | "..")).then(|| Word { span: path.span, ..Word::text(base) })
}

/// Whether a word looks like a path: it has a `/`, or starts with `.` or `~`.
pub(super) fn looks_like_path(text: &str) -> bool {
    text.contains('/') || text.starts_with('.') || text.starts_with('~') || text.contains('\\')
}

/// Whether a word looks like a URL: a scheme, then `://`.
pub(super) fn looks_like_url(text: &str) -> bool {
    text.split_once("://").is_some_and(|(scheme, rest)| {
        !rest.is_empty()
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
    })
}
