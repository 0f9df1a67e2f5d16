//! Text with a name, and places in it.

use std::sync::Arc;

/// Which text a [`Span`] speaks of: the index of a [`Source`] in its [`Sources`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct SourceId(pub u32);

/// A place: bytes `start..end` of one source.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Span {
    /// The text it is in.
    pub source: SourceId,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// Bytes `range` of `source`. Files are at most 4 MiB, so a position past `u32::MAX` is clamped.
    pub fn new(source: SourceId, range: std::ops::Range<usize>) -> Self {
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Self { source, start: clamp(range.start), end: clamp(range.end) }
    }

    /// The byte range.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// From the start of `self` to the end of `other`, which is in the same source.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { source: self.source, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A value with the place it was written at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it stands.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// `value`, written at `span`.
    pub fn new(value: T, span: Span) -> Self {
        Self { value, span }
    }
}

impl<T> std::ops::Deref for Spanned<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

/// In a schema a value stands for itself: places are not written.
#[cfg(feature = "schema")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for Spanned<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }
    fn schema_name() -> std::borrow::Cow<'static, str> {
        T::schema_name()
    }
    fn schema_id() -> std::borrow::Cow<'static, str> {
        T::schema_id()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        T::json_schema(generator)
    }
}

/// A text and the name it is shown under.
#[derive(Clone, Debug)]
pub struct Source {
    /// The file's path as given, or `<stdin>` and the like.
    pub name: Arc<str>,
    /// The whole text.
    pub text: Arc<str>,
    /// Where each line starts, so that a place is found without reading the text again.
    line_starts: Arc<[u32]>,
}

impl Source {
    /// Line and column of a byte position, both from 1; a column counts characters.
    pub fn line_column(&self, at: usize) -> (usize, usize) {
        let at = floor_boundary(&self.text, at);
        let line = self.line_starts.partition_point(|start| *start as usize <= at).max(1);
        let start = self.line_starts.get(line - 1).map_or(0, |start| *start as usize);
        (line, self.text.get(start..at).unwrap_or_default().chars().count() + 1)
    }

    /// The bytes of line `line`, from 1, without its end; `None` past the last.
    pub fn line(&self, line: usize) -> Option<std::ops::Range<usize>> {
        let start = *self.line_starts.get(line.checked_sub(1)?)? as usize;
        let end = self.line_starts.get(line).map_or(self.text.len(), |next| *next as usize);
        let text = self.text.get(start..end).unwrap_or_default();
        Some(start..start + text.trim_end_matches(['\n', '\r']).len())
    }

    /// How many lines there are; at least one.
    pub fn line_count(&self) -> usize {
        self.line_starts.len()
    }
}

/// The texts that a policy was read from.
#[derive(Clone, Debug, Default)]
pub struct Sources(Vec<Source>);

impl Sources {
    /// No text yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes in a text; the answer names it in spans.
    pub fn add(&mut self, name: impl Into<Arc<str>>, text: impl Into<Arc<str>>) -> SourceId {
        let text: Arc<str> = text.into();
        let after_newlines =
            text.bytes().zip(1u32..).filter(|(byte, _)| *byte == b'\n').map(|(_, next)| next);
        let line_starts = std::iter::once(0).chain(after_newlines).collect();
        self.0.push(Source { name: name.into(), text, line_starts });
        SourceId(u32::try_from(self.0.len() - 1).unwrap_or(u32::MAX))
    }

    /// The text with this id.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.0.get(id.0 as usize)
    }

    /// All texts, with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (SourceId, &Source)> {
        self.0.iter().enumerate().map(|(i, s)| (SourceId(u32::try_from(i).unwrap_or(u32::MAX)), s))
    }

    /// The name of the text that `span` is in.
    pub fn name(&self, span: Span) -> &str {
        self.get(span.source).map_or("<unknown>", |s| &s.name)
    }

    /// Line and column of the first byte of `span`, both from 1; a column counts characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        self.get(span.source).map_or((1, 1), |s| s.line_column(span.start as usize))
    }

    /// Line and column just behind the last byte of `span`.
    pub fn end_line_column(&self, span: Span) -> (usize, usize) {
        self.get(span.source).map_or((1, 1), |s| s.line_column(span.end as usize))
    }

    /// What is written at `span`.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.source).and_then(|s| s.text.get(span.range())).unwrap_or_default()
    }
}

/// `at`, moved back to the start of the character that it is in.
pub(crate) fn floor_boundary(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_from_one_and_characters_not_bytes() {
        assert_eq!(place("ab\nçd", 0), (1, 1));
        assert_eq!(place("ab\nçd", 3), (2, 1));
        assert_eq!(place("ab\nçd", 5), (2, 2));
        assert_eq!(place("ab\nçd", 4), (2, 1), "inside a character is that character");
        assert_eq!(place("ab", 99), (1, 3));
        assert_eq!(place("", 0), (1, 1));
        assert_eq!(place("a\n", 2), (2, 1));
    }

    #[test]
    fn a_line_is_found_without_its_end() {
        let mut sources = Sources::new();
        let id = sources.add("x", "ab\r\n\ncd");
        let source = sources.get(id).unwrap();
        assert_eq!(
            [0, 1, 2, 3, 4].map(|n| source.line(n).map(|r| &source.text[r])),
            [None, Some("ab"), Some(""), Some("cd"), None]
        );
        assert_eq!(source.line_count(), 3);
    }

    fn place(text: &str, at: usize) -> (usize, usize) {
        let mut sources = Sources::new();
        let id = sources.add("x", text);
        sources.get(id).unwrap().line_column(at)
    }
}
