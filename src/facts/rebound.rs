//! Paths that a command made, moved or unpacked: what is at and below them is unknown afterwards.

use std::collections::HashSet;

use super::path::FilePath;

/// Such paths, to ask whether another one may be at or below one of them.
#[derive(Debug, Default)]
pub(super) struct Rebound {
    /// Those that are certain, as written, without a slash at the end.
    paths: HashSet<String>,
    /// One of them could not be told.
    anywhere: bool,
}

impl Rebound {
    /// One more.
    pub(super) fn add(&mut self, path: &FilePath) {
        match path.written() {
            Some(path) => drop(self.paths.insert(path.trim_end_matches('/').to_owned())),
            None => self.anywhere = true,
        }
    }

    /// Whether `path` may be at or below one of them.
    pub(super) fn may_hold(&self, path: &FilePath) -> bool {
        if self.anywhere || self.paths.is_empty() {
            return self.anywhere;
        }
        let Some(path) = path.written() else { return true };
        let heads = path.match_indices('/').filter_map(|(at, _)| path.get(..at));
        heads.chain([path.as_str()]).any(|head| self.paths.contains(head))
    }
}

#[cfg(test)]
mod tests {
    use super::super::disk::NoDisk;
    use super::super::word::Word;
    use super::*;

    #[track_caller]
    fn holds(made: &[&str], path: &str, expected: bool) {
        let place = |text: &str| FilePath::from_word(&Word::text(text), &[Some("/w".to_owned())], &NoDisk);
        let mut rebound = Rebound::default();
        for made in made {
            rebound.add(&place(made));
        }
        assert_eq!(rebound.may_hold(&place(path)), expected, "{path} below {made:?}");
    }

    #[test]
    fn a_path_is_below_itself_and_the_folders_above_it() {
        holds(&["a"], "a", true);
        holds(&["a"], "a/b/c", true);
        holds(&["a", "b"], "/w/b/c", true);
        holds(&["/"], "/x", true);
        holds(&["/"], "/", true);
        holds(&["a"], "ab", false);
        holds(&["a/b"], "a", false);
        holds(&[], "a", false);
    }

    #[test]
    fn what_cannot_be_told_may_be_anywhere() {
        let mut rebound = Rebound::default();
        assert!(!rebound.may_hold(&FilePath::unknown()));
        rebound.add(&FilePath::from_word(&Word::text("/a"), &[], &NoDisk));
        assert!(rebound.may_hold(&FilePath::unknown()));
        rebound.add(&FilePath::unknown());
        assert!(rebound.may_hold(&FilePath::from_word(&Word::text("/b"), &[], &NoDisk)));
    }
}
