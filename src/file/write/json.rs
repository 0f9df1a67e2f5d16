//! Spacing of JSON.

use super::lines::{Piece, Token, depth_change, indent, write_line};

const INDENT: usize = 2;

/// Writes a text that is known to be JSON.
pub(super) fn format(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let (mut depth, mut blank) = (0, false);
    for line in lines(text) {
        if line.is_empty() {
            blank = true;
            continue;
        }
        let (change, leading) = depth_change(&line);
        // A blank line stays one, but not beside a bracket.
        if std::mem::take(&mut blank) && leading == 0 && !out.is_empty() && !opens(&out) {
            out.push('\n');
        }
        write_line(&mut out, &line, indent(depth, leading, INDENT));
        depth += change;
    }
    out
}

/// Whether the last line ends with an open bracket.
fn opens(text: &str) -> bool {
    text.trim_end().ends_with(['{', '['])
}

fn lines(text: &str) -> Vec<Vec<Token<'_>>> {
    let mut lines = vec![Vec::new()];
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let (piece, len) = match first {
            '\n' => {
                lines.push(Vec::new());
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            ' ' | '\t' | '\r' => {
                rest = rest.get(1..).unwrap_or_default();
                continue;
            }
            '{' => (Piece::OpenTable, 1),
            '}' => (Piece::CloseTable, 1),
            '[' => (Piece::OpenList, 1),
            ']' => (Piece::CloseList, 1),
            ',' => (Piece::Comma, 1),
            ':' => (Piece::Colon, 1),
            '"' => (Piece::Text, string_len(rest)),
            _ => {
                let end = |c: char| matches!(c, ',' | ':' | '{' | '}' | '[' | ']' | '"') || c.is_whitespace();
                (Piece::Text, rest.find(end).unwrap_or(rest.len()).max(first.len_utf8()))
            }
        };
        let (written, tail) = rest.split_at_checked(len).unwrap_or((rest, ""));
        if let Some(line) = lines.last_mut() {
            line.push(Token { piece, text: written, blanks: "" });
        }
        rest = tail;
    }
    lines
}

/// How long the string at the start of `text` is, quotes included.
fn string_len(text: &str) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}
