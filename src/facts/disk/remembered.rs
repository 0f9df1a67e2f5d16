//! A disk that is asked everything once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::{Disk, Kind, Os};

/// What another disk said, for as long as one call is judged: the same paths are asked for again and again, and all of the call is then
/// judged by one state of the disk.
pub struct Remembered<'a> {
    disk: &'a dyn Disk,
    kinds: Mutex<HashMap<String, Option<Kind>>>,
    links: Mutex<HashMap<String, Option<String>>>,
    lists: Mutex<HashMap<String, Option<Vec<String>>>>,
    texts: Mutex<HashMap<String, Option<String>>>,
}

impl<'a> Remembered<'a> {
    /// A disk that remembers what `disk` says.
    pub fn new(disk: &'a dyn Disk) -> Self {
        Self {
            disk,
            kinds: Mutex::default(),
            links: Mutex::default(),
            lists: Mutex::default(),
            texts: Mutex::default(),
        }
    }
}

fn once<V: Clone>(said: &Mutex<HashMap<String, V>>, path: &str, ask: impl FnOnce() -> V) -> V {
    let mut said = said.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(answer) = said.get(path) {
        return answer.clone();
    }
    let answer = ask();
    said.insert(path.to_owned(), answer.clone());
    answer
}

impl Disk for Remembered<'_> {
    fn kind(&self, path: &str) -> Option<Kind> {
        once(&self.kinds, path, || self.disk.kind(path))
    }
    fn link(&self, path: &str) -> Option<String> {
        once(&self.links, path, || self.disk.link(path))
    }
    fn list(&self, path: &str) -> Option<Vec<String>> {
        once(&self.lists, path, || self.disk.list(path))
    }
    fn read(&self, path: &str) -> Option<String> {
        once(&self.texts, path, || self.disk.read(path))
    }
    fn home(&self) -> Option<String> {
        self.disk.home()
    }
    fn home_of(&self, user: &str) -> Option<String> {
        self.disk.home_of(user)
    }
    fn case_insensitive(&self) -> bool {
        self.disk.case_insensitive()
    }
    fn normalizes_unicode(&self) -> bool {
        self.disk.normalizes_unicode()
    }
    fn os(&self) -> Os {
        self.disk.os()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::facts::disk::NoDisk;

    struct Counting(AtomicUsize);

    impl Disk for Counting {
        fn kind(&self, path: &str) -> Option<Kind> {
            self.0.fetch_add(1, Ordering::Relaxed);
            (path != "/unknown").then_some(Kind::File)
        }
        fn link(&self, path: &str) -> Option<String> {
            NoDisk.link(path)
        }
        fn list(&self, path: &str) -> Option<Vec<String>> {
            NoDisk.list(path)
        }
        fn read(&self, path: &str) -> Option<String> {
            NoDisk.read(path)
        }
        fn home(&self) -> Option<String> {
            None
        }
        fn case_insensitive(&self) -> bool {
            false
        }
        fn normalizes_unicode(&self) -> bool {
            false
        }
        fn os(&self) -> Os {
            Os::Linux
        }
    }

    #[test]
    fn it_asks_once_also_for_what_cannot_be_told() {
        let disk = Counting(AtomicUsize::new(0));
        let remembered = Remembered::new(&disk);
        for _ in 0..3 {
            assert_eq!(remembered.kind("/a"), Some(Kind::File));
            assert_eq!(remembered.kind("/unknown"), None);
        }
        assert_eq!(disk.0.load(Ordering::Relaxed), 2);
    }
}
