//! The machine's own disk.

use std::io::{ErrorKind, Read};

use super::{Disk, Kind, Os};

/// Files longer than this are not read.
const LONGEST_READ: u64 = 1024 * 1024;
/// More names than this of one folder are not listed. Nobody goes through so many; a caller sees that they are too many.
const LONGEST_LIST: usize = 20_000;

/// The file system of this machine.
#[derive(Clone, Debug)]
pub struct RealDisk {
    home: Option<String>,
    case_insensitive: bool,
}

impl RealDisk {
    /// The disk of this machine, for a user whose home folder (the variable `HOME`) is `home`.
    pub fn new(home: Option<String>) -> Self {
        let home = home.filter(|home| !home.is_empty()).map(|home| with_slashes(&home));
        Self { home, case_insensitive: cfg!(any(target_os = "macos", target_os = "windows")) }
    }

    /// The same, where it is known whether names that differ in case only are one name.
    #[must_use]
    pub fn with_case_insensitive(self, case_insensitive: bool) -> Self {
        Self { case_insensitive, ..self }
    }
}

fn with_slashes(path: &str) -> String {
    if cfg!(target_os = "windows") { path.replace('\\', "/") } else { path.to_owned() }
}

impl Disk for RealDisk {
    fn kind(&self, path: &str) -> Option<Kind> {
        match std::fs::symlink_metadata(path) {
            Ok(data) if data.is_symlink() => Some(Kind::Link),
            Ok(data) if data.is_dir() => Some(Kind::Folder),
            Ok(_) => Some(Kind::File),
            Err(error) => match error.kind() {
                ErrorKind::NotFound | ErrorKind::NotADirectory => Some(Kind::Missing),
                _ => None,
            },
        }
    }

    fn link(&self, path: &str) -> Option<String> {
        std::fs::read_link(path).ok()?.to_str().map(with_slashes)
    }

    fn list(&self, path: &str) -> Option<Vec<String>> {
        let entries = match std::fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) => {
                return match error.kind() {
                    ErrorKind::NotFound | ErrorKind::NotADirectory => Some(Vec::new()),
                    _ => None,
                };
            }
        };
        let mut names = Vec::new();
        for entry in entries {
            if names.len() >= LONGEST_LIST {
                break;
            }
            // A name that is no text gets replacement characters, which tell that it cannot be asked for.
            names.push(entry.ok()?.file_name().to_string_lossy().into_owned());
        }
        names.sort_unstable();
        Some(names)
    }

    fn read(&self, path: &str) -> Option<String> {
        // A pipe or device would block, so only files are opened.
        let data = std::fs::metadata(path).ok()?;
        if !data.is_file() {
            return None;
        }
        // Room for all of it, and for the look whether there is more.
        let mut text = String::with_capacity(usize::try_from(data.len().min(LONGEST_READ)).ok()? + 64);
        let read = std::fs::File::open(path).ok()?.take(LONGEST_READ + 1).read_to_string(&mut text).ok()?;
        (read as u64 <= LONGEST_READ).then_some(text)
    }

    fn home(&self) -> Option<String> {
        self.home.clone()
    }

    fn case_insensitive(&self) -> bool {
        self.case_insensitive
    }

    fn normalizes_unicode(&self) -> bool {
        cfg!(target_os = "macos")
    }

    fn os(&self) -> Os {
        if cfg!(target_os = "macos") {
            Os::Macos
        } else if cfg!(target_os = "windows") {
            Os::Windows
        } else {
            Os::Linux
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::super::resolve;
    use super::*;

    #[test]
    fn the_real_disk_answers() {
        let folder = tempfile::tempdir().unwrap();
        let base = folder.path().canonicalize().unwrap().to_str().unwrap().to_owned();
        let at = |rest: &str| format!("{base}/{rest}");
        std::fs::write(at("file"), "text").unwrap();
        std::fs::create_dir(at("folder")).unwrap();
        std::os::unix::fs::symlink("folder", at("link")).unwrap();
        std::os::unix::fs::symlink(at("self"), at("self")).unwrap();
        let disk = RealDisk::new(Some("/home/dev".into()));

        assert_eq!(disk.kind(&at("file")), Some(Kind::File));
        assert_eq!(disk.kind(&at("folder")), Some(Kind::Folder));
        assert_eq!(disk.kind(&at("link")), Some(Kind::Link));
        assert_eq!(disk.kind(&at("none")), Some(Kind::Missing));
        assert_eq!(disk.kind(&at("file/below")), Some(Kind::Missing));
        assert_eq!(disk.link(&at("link")).as_deref(), Some("folder"));
        assert_eq!(disk.list(&base).unwrap(), ["file", "folder", "link", "self"]);
        assert_eq!(disk.list(&at("none")), Some(vec![]));
        assert_eq!(disk.read(&at("file")).as_deref(), Some("text"));
        assert_eq!(disk.read(&at("folder")), None);
        assert_eq!(disk.home().as_deref(), Some("/home/dev"));
        assert_eq!(resolve(&disk, &at("link/new")), Some(at("folder/new")));
        assert_eq!(resolve(&disk, &at("self/x")), None);
    }
}
