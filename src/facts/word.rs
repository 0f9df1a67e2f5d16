//! One word of a command, as far as it is known before the command runs.

/// A word of a command after every expansion that can be told beforehand.
///
/// A word with only [`Piece::Text`] is exactly that text. Anything else stands for the words that the expansion may give.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Word {
    /// What it is made of, in order. No piece: the empty word (`''`).
    pub pieces: Vec<Piece>,
    /// The bytes of the command's text that it was written at.
    pub span: (usize, usize),
}

/// A piece of a [`Word`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Text that is certain.
    Text(String),
    /// An unquoted glob (`*`, `?`, `[a-z]`, an extended glob) as it is written: it gives the names of files, or stays as it is where none matches.
    Glob(String),
    /// Text that nobody knows before the command runs.
    Unknown {
        /// Unquoted: it may give several words, or none.
        splits: bool,
    },
}

impl Word {
    /// A word that is certain.
    pub fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        Self { pieces: if text.is_empty() { Vec::new() } else { vec![Piece::Text(text)] }, span: (0, 0) }
    }

    /// A word of which nothing is known; `splits` when it may be several words, or none.
    pub fn unknown(splits: bool) -> Self {
        Self { pieces: vec![Piece::Unknown { splits }], span: (0, 0) }
    }

    /// The whole word, where it is certain.
    pub fn literal(&self) -> Option<std::borrow::Cow<'_, str>> {
        match self.pieces.as_slice() {
            [] => Some("".into()),
            [Piece::Text(text)] => Some(text.as_str().into()),
            pieces => pieces
                .iter()
                .map(|p| match p {
                    Piece::Text(t) => Some(t.as_str()),
                    Piece::Glob(_) | Piece::Unknown { .. } => None,
                })
                .collect::<Option<String>>()
                .map(Into::into),
        }
    }

    /// The text that it surely starts with.
    pub fn known_start(&self) -> String {
        let mut start = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => start.push_str(text),
                Piece::Glob(_) | Piece::Unknown { .. } => break,
            }
        }
        start
    }

    /// Whether it may turn out as several words, or none.
    pub fn splits(&self) -> bool {
        self.pieces.iter().any(|p| matches!(p, Piece::Unknown { splits: true } | Piece::Glob(_)))
    }

    /// Whether one of the words that it gives may be an option: it starts with `-`, or may do so.
    ///
    /// A pure glob with a known start that is no `-` cannot: every name it gives has that start. An unquoted expansion can, since it may split.
    pub fn may_be_option(&self) -> bool {
        if self.pieces.iter().any(|p| matches!(p, Piece::Unknown { splits: true })) {
            return true;
        }
        match self.pieces.iter().find(|p| !matches!(p, Piece::Text(t) if t.is_empty())) {
            None => false,
            Some(Piece::Text(text)) => text.starts_with('-'),
            Some(Piece::Glob(_) | Piece::Unknown { .. }) => true,
        }
    }

    /// For messages: the known text, with `…` for what is not known.
    pub fn shown(&self) -> String {
        let mut out = String::new();
        for piece in &self.pieces {
            match piece {
                Piece::Text(t) | Piece::Glob(t) => out.push_str(t),
                Piece::Unknown { .. } => out.push('…'),
            }
        }
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(pieces: &[Piece]) -> Word {
        Word { pieces: pieces.to_vec(), span: (0, 0) }
    }

    #[test]
    fn what_is_known_of_a_word() {
        let text = |t: &str| Piece::Text(t.into());
        assert_eq!(word(&[text("a"), text("b")]).literal().as_deref(), Some("ab"));
        assert_eq!(word(&[]).literal().as_deref(), Some(""));
        assert_eq!(word(&[text("a"), Piece::Unknown { splits: false }]).literal(), None);
        assert!(word(&[Piece::Glob("*".into())]).may_be_option());
        assert!(!word(&[text("src/"), Piece::Glob("*".into())]).may_be_option());
        assert!(!word(&[text("src/"), Piece::Unknown { splits: false }]).may_be_option());
        assert!(word(&[text("src/"), Piece::Unknown { splits: true }]).may_be_option());
        assert!(word(&[text("--x")]).may_be_option());
    }
}
