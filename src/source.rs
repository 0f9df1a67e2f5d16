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
        self.0.push(Source { name: name.into(), text: text.into() });
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
        self.get(span.source).map_or((1, 1), |s| line_column(&s.text, span.start as usize))
    }

    /// What is written at `span`.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.source).and_then(|s| s.text.get(span.range())).unwrap_or_default()
    }
}

/// Line and column of a byte position, both from 1; a column counts characters.
pub fn line_column(text: &str, at: usize) -> (usize, usize) {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    let before = text.get(..at).unwrap_or_default();
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    let line = before.bytes().filter(|b| *b == b'\n').count() + 1;
    (line, before.get(line_start..).unwrap_or_default().chars().count() + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_lines_from_one_and_characters_not_bytes() {
        assert_eq!(line_column("ab\nçd", 0), (1, 1));
        assert_eq!(line_column("ab\nçd", 3), (2, 1));
        assert_eq!(line_column("ab\nçd", 5), (2, 2));
        assert_eq!(line_column("ab\nçd", 4), (2, 1), "inside a character is that character");
        assert_eq!(line_column("ab", 99), (1, 3));
    }
}
