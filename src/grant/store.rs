//! Small JSON files that only their owner reads, each written whole or not at all.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;
use serde::de::DeserializeOwned;

use super::StateError;

/// More than any file here is long.
const LONGEST: u64 = 1 << 20;

/// A folder below the folder of approvals.
pub(super) struct Folder {
    /// The folder of approvals.
    pub(super) root: PathBuf,
    /// This one.
    pub(super) path: PathBuf,
}

impl Folder {
    fn file(&self, id: &str) -> PathBuf {
        self.path.join(format!("{id}.json"))
    }

    /// Makes it, and sees that it is the owner's alone.
    fn made(&self) -> Result<(), StateError> {
        let mut builder = DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder.create(&self.path).map_err(|e| StateError::Io(self.path.clone(), e))?;
        self.checked().map(|_| ())
    }

    /// Whether it is there. One that others may read or write is an error: they could approve.
    fn checked(&self) -> Result<bool, StateError> {
        for path in [&self.root, &self.path] {
            match fs::metadata(path) {
                Ok(found) if found.is_dir() && owners_alone(&found) => {}
                Ok(found) if found.is_dir() => return Err(StateError::Open(path.clone())),
                Ok(_) => return Err(StateError::Io(path.clone(), io::ErrorKind::NotADirectory.into())),
                Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(false),
                Err(e) => return Err(StateError::Io(path.clone(), e)),
            }
        }
        Ok(true)
    }
}

#[cfg(unix)]
fn owners_alone(found: &fs::Metadata) -> bool {
    std::os::unix::fs::MetadataExt::mode(found).trailing_zeros() >= 6
}

#[cfg(not(unix))]
fn owners_alone(_: &fs::Metadata) -> bool {
    true
}

/// A name beside the file that nobody else has.
fn beside(path: &Path) -> PathBuf {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    path.with_extension(format!("{}-{number}.part", std::process::id()))
}

pub(super) fn write(folder: &Folder, id: &str, value: &impl Serialize) -> Result<(), StateError> {
    folder.made()?;
    let path = folder.file(id);
    let text = serde_json::to_vec(value).map_err(|e| StateError::Io(path.clone(), e.into()))?;
    if text.len() as u64 > LONGEST {
        // It could not be read again.
        return Err(StateError::Io(path, io::ErrorKind::FileTooLarge.into()));
    }
    let part = beside(&path);
    let written = || -> io::Result<()> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(&part)?;
        file.write_all(&text)?;
        file.sync_data()?;
        fs::rename(&part, &path)
    };
    written().map_err(|e| {
        let _ = fs::remove_file(&part);
        StateError::Io(path.clone(), e)
    })
}

/// The value of a file, which is then gone: of several who take it at once, one gets it.
pub(super) fn take<T: DeserializeOwned>(folder: &Folder, id: &str) -> Result<Option<T>, StateError> {
    if !folder.checked()? {
        return Ok(None);
    }
    let path = folder.file(id);
    let part = beside(&path);
    match fs::rename(&path, &part) {
        Ok(()) => {}
        Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(e) => return Err(StateError::Io(path, e)),
    }
    let value = read(&part);
    fs::remove_file(&part).map_err(|e| StateError::Io(part, e))?;
    Ok(value)
}

/// The value of a file, which stays.
#[cfg(feature = "proxy")]
pub(super) fn one<T: DeserializeOwned>(folder: &Folder, id: &str) -> Result<Option<T>, StateError> {
    let path = folder.file(id);
    if !folder.checked()? || !path.exists() {
        return Ok(None);
    }
    read(&path).map(Some).ok_or_else(|| StateError::Io(path, io::ErrorKind::InvalidData.into()))
}

/// Removes what was written so many seconds ago or earlier.
pub(super) fn forget_older(folder: &Folder, seconds: u64) {
    // What stays behind holds no longer anyway.
    for entry in fs::read_dir(&folder.path).into_iter().flatten().flatten() {
        let age = entry.metadata().and_then(|m| m.modified()).ok().and_then(|t| t.elapsed().ok());
        if age.is_some_and(|age| age.as_secs() > seconds) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The values of all files. One that is none of ours says nothing.
pub(super) fn all<T: DeserializeOwned>(folder: &Folder) -> Result<Vec<T>, StateError> {
    if !folder.checked()? {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(&folder.path).map_err(|e| StateError::Io(folder.path.clone(), e))?;
    Ok(entries.flatten().filter_map(|entry| read(&entry.path())).collect())
}

pub(super) fn remove(folder: &Folder, id: &str) {
    // It may have been taken meanwhile.
    let _ = fs::remove_file(folder.file(id));
}

/// Removes all files but these, and what an interrupted write left.
pub(super) fn keep_only(folder: &Folder, ids: &[&str]) -> Result<(), StateError> {
    let entries = fs::read_dir(&folder.path).map_err(|e| StateError::Io(folder.path.clone(), e))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let kept = name.strip_suffix(".json").is_some_and(|id| ids.contains(&id));
        // Another process is about to rename a fresh part.
        let fresh = path.extension().is_some_and(|e| e == "part")
            && path
                .metadata()
                .and_then(|m| m.modified())
                .is_ok_and(|t| t.elapsed().is_ok_and(|e| e.as_secs() < 60));
        if !kept && !fresh {
            let _ = fs::remove_file(&path);
        }
    }
    Ok(())
}

fn read<T: DeserializeOwned>(path: &Path) -> Option<T> {
    let mut text = String::new();
    let file = File::open(path).ok()?;
    if !file.metadata().is_ok_and(|m| m.is_file()) {
        return None;
    }
    file.take(LONGEST).read_to_string(&mut text).ok()?;
    serde_json::from_str(&text).ok()
}
