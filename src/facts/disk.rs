//! What evaluation may ask of a file system.

mod follow;
mod made_up;
mod real;
mod remembered;

pub use follow::resolve;
pub use made_up::{MadeUpDisk, MadeUpDiskError};
pub use real::RealDisk;
pub use remembered::Remembered;

pub(crate) use follow::{Place, Start, normalise, resolve_place, split};

/// What stands at a path, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A file, or anything that is neither folder nor link.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// Nothing.
    Missing,
}

/// The operating system whose rules for paths hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Os {
    /// Linux and its like.
    #[default]
    Linux,
    /// macOS.
    Macos,
    /// Windows: drive letters, backslashes, UNC names.
    Windows,
}

/// The file system as far as evaluation needs it. `None` always means that it cannot be told, which is never the same as "no".
///
/// Paths are absolute and normalised, with `/` between components (on Windows `C:/x` and `//server/share/x`).
pub trait Disk: Send + Sync {
    /// What stands at `path`, links not followed.
    fn kind(&self, path: &str) -> Option<Kind>;
    /// Where the link at `path` points, as written in it.
    fn link(&self, path: &str) -> Option<String>;
    /// The names in the folder at `path`.
    fn list(&self, path: &str) -> Option<Vec<String>>;
    /// The text of the file at `path`, where it is at most 1 MiB; `Some("")` is an empty file.
    fn read(&self, path: &str) -> Option<String>;
    /// The home folder of the user that the call runs as.
    fn home(&self) -> Option<String>;
    /// The home folder of another user (`~name`).
    fn home_of(&self, _user: &str) -> Option<String> {
        None
    }
    /// Whether names that differ in case only are one name here.
    fn case_insensitive(&self) -> bool;
    /// Whether composed and decomposed letters are one name here.
    fn normalizes_unicode(&self) -> bool;
    /// Whose rules for paths hold.
    fn os(&self) -> Os;
}

/// A disk that cannot be asked anything; its paths are Linux's.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoDisk;

impl Disk for NoDisk {
    fn kind(&self, _path: &str) -> Option<Kind> {
        None
    }
    fn link(&self, _path: &str) -> Option<String> {
        None
    }
    fn list(&self, _path: &str) -> Option<Vec<String>> {
        None
    }
    fn read(&self, _path: &str) -> Option<String> {
        None
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
