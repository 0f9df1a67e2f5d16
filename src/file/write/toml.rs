//! Spacing of TOML.

use toml_parser::Source;
use toml_parser::lexer::TokenKind;

use super::lines::{Piece, Token, depth_change, indent, write_line};

const INDENT: usize = 4;

/// Writes a text that is known to be TOML.
pub(super) fn format(text: &str) -> String {
    let mut out = Output::default();
    let mut depth = 0;
    for line in lines(text) {
        let header = depth == 0 && line.first().is_some_and(|t| t.piece == Piece::OpenList);
        let (change, leading) = if header { (0, 0) } else { depth_change(&line) };
        out.line(&line, indent(depth, leading, INDENT), header);
        depth += change;
    }
    out.finish()
}

fn lines(text: &str) -> Vec<Vec<Token<'_>>> {
    let mut lines = Vec::new();
    let (mut line, mut blanks) = (Vec::new(), "");
    for token in Source::new(text).lex() {
        let written = text.get(token.span().start()..token.span().end()).unwrap_or_default();
        let piece = match token.kind() {
            TokenKind::Newline => {
                lines.push(std::mem::take(&mut line));
                blanks = "";
                continue;
            }
            TokenKind::Whitespace => {
                blanks = written;
                continue;
            }
            TokenKind::Eof => continue,
            TokenKind::Dot => Piece::Dot,
            TokenKind::Equals => Piece::Equals,
            TokenKind::Comma => Piece::Comma,
            TokenKind::LeftSquareBracket => Piece::OpenList,
            TokenKind::RightSquareBracket => Piece::CloseList,
            TokenKind::LeftCurlyBracket => Piece::OpenTable,
            TokenKind::RightCurlyBracket => Piece::CloseTable,
            TokenKind::Comment => Piece::Comment,
            TokenKind::LiteralString
            | TokenKind::BasicString
            | TokenKind::MlLiteralString
            | TokenKind::MlBasicString
            | TokenKind::Atom => Piece::Text,
        };
        line.push(Token { piece, text: written, blanks });
        blanks = "";
    }
    lines.push(line);
    lines
}

/// The lines written so far, and where a blank one belongs.
#[derive(Default)]
struct Output {
    text: String,
    /// Comment lines that may belong to a header that follows.
    comments: String,
    /// A blank line was read and not yet written.
    blank: bool,
    /// The last line is a header.
    after_header: bool,
}

impl Output {
    fn line(&mut self, tokens: &[Token<'_>], indent: usize, header: bool) {
        match tokens {
            [] => {
                self.flush_comments(false);
                self.blank = true;
            }
            [comment] if comment.piece == Piece::Comment && indent == 0 => {
                write_line(&mut self.comments, tokens, indent);
            }
            _ => {
                self.flush_comments(header);
                self.put(|text| write_line(text, tokens, indent));
                self.after_header = header;
            }
        }
    }

    /// Writes the comments kept back; before a header a blank line goes ahead of them.
    fn flush_comments(&mut self, before_header: bool) {
        if before_header {
            self.blank = true;
            self.after_header = false;
        }
        if self.comments.is_empty() {
            return;
        }
        let comments = std::mem::take(&mut self.comments);
        self.put(|text| text.push_str(&comments));
        self.after_header = false;
    }

    fn put(&mut self, write: impl FnOnce(&mut String)) {
        if self.blank && !self.after_header && !self.text.is_empty() {
            self.text.push('\n');
        }
        self.blank = false;
        write(&mut self.text);
    }

    fn finish(mut self) -> String {
        self.flush_comments(false);
        self.text
    }
}
