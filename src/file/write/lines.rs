//! Lines of tokens, written with the spaces that belong between them.

/// What a token is to its neighbours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// `[`
    OpenList,
    /// `]`
    CloseList,
    /// `{`
    OpenTable,
    /// `}`
    CloseTable,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `=`
    Equals,
    /// `.`
    Dot,
    /// A comment, up to the end of its line.
    Comment,
    /// A key or a value.
    Text,
}

/// A token and the blanks before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Token<'t> {
    pub(super) piece: Piece,
    pub(super) text: &'t str,
    pub(super) blanks: &'t str,
}

/// Writes one line, `indent` blanks in.
pub(super) fn write_line(out: &mut String, tokens: &[Token<'_>], indent: usize) {
    if tokens.is_empty() {
        out.push('\n');
        return;
    }
    out.extend(std::iter::repeat_n(' ', indent));
    let mut before: Option<Piece> = None;
    for token in tokens {
        match before {
            // A comment behind a value stays where it was put, perhaps under its neighbours.
            Some(_) if token.piece == Piece::Comment => {
                out.push_str(if token.blanks.is_empty() { " " } else { token.blanks });
            }
            Some(before) if spaced(before, token.piece) => out.push(' '),
            Some(_) | None => {}
        }
        out.push_str(if token.piece == Piece::Comment { token.text.trim_end() } else { token.text });
        before = Some(token.piece);
    }
    out.push('\n');
}

/// Whether a blank belongs between two tokens.
fn spaced(before: Piece, after: Piece) -> bool {
    match (before, after) {
        (Piece::OpenTable, Piece::CloseTable)
        | (_, Piece::Comma | Piece::Colon | Piece::Dot)
        | (Piece::Dot, _) => false,
        (Piece::Comma | Piece::Colon | Piece::Equals | Piece::OpenTable, _)
        | (_, Piece::Equals | Piece::CloseTable) => true,
        _ => false,
    }
}

/// How much deeper what follows a line is than the line itself, and how many brackets close at its start.
pub(super) fn depth_change(tokens: &[Token<'_>]) -> (isize, usize) {
    let closes = |piece: Piece| matches!(piece, Piece::CloseList | Piece::CloseTable);
    let leading = tokens.iter().take_while(|t| closes(t.piece)).count();
    let change = tokens.iter().fold(0, |depth, token| match token.piece {
        Piece::OpenList | Piece::OpenTable => depth + 1,
        piece if closes(piece) => depth - 1,
        _ => depth,
    });
    (change, leading)
}

/// How far in a line stands: its depth without the brackets that it closes first.
pub(super) fn indent(depth: isize, leading: usize, width: usize) -> usize {
    usize::try_from(depth).unwrap_or(0).saturating_sub(leading) * width
}
