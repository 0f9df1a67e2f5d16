//! Lists and tables that remember where they stand.

use crate::source::Spanned;

/// A list, with the place of the whole list.
pub type List<T> = Spanned<Vec<T>>;

/// A list of names or name globs.
pub type Names = List<Spanned<String>>;

/// A table with free keys, in the order written.
#[derive(Clone, Debug, PartialEq)]
pub struct Table<T>(Vec<(Spanned<String>, T)>);

impl<T> Table<T> {
    /// The value under `key`.
    pub fn get(&self, key: &str) -> Option<&T> {
        self.0.iter().find(|(k, _)| k.value == key).map(|(_, v)| v)
    }

    /// Every key and its value, in the order written.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &(Spanned<String>, T)> {
        self.0.iter()
    }

    /// How many entries there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> FromIterator<(Spanned<String>, T)> for Table<T> {
    fn from_iter<I: IntoIterator<Item = (Spanned<String>, T)>>(entries: I) -> Self {
        Self(entries.into_iter().collect())
    }
}
