//! Writing a change to the disk: wholly or not at all, and never over what somebody else wrote meanwhile.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use super::Refused;
use super::plan::{Change, read};

/// Folders that stay when they are empty: they belong to more than one program.
const SHARED: [&str; 3] = [".config", "Documents", ".github"];

/// Carries a change out.
///
/// # Errors
///
/// When it cannot be written, or the file is no longer what the change was made for. The file is then as it was.
pub fn apply(change: &Change) -> Result<(), Refused> {
    if !change.changes() {
        return Ok(());
    }
    let result = match &change.after {
        Some(text) => write(change, text),
        None => unchanged(change).and_then(|()| Ok(fs::remove_file(&change.path)?)),
    };
    match result {
        Ok(()) => {
            if change.after.is_none() {
                sweep(&change.path, &change.root);
            }
            Ok(())
        }
        Err(Failed::Refused(refused)) => Err(refused),
        Err(Failed::Io(e)) => {
            Err(Refused::File { path: change.path.display().to_string(), why: e.to_string() })
        }
    }
}

enum Failed {
    Refused(Refused),
    Io(io::Error),
}

impl From<io::Error> for Failed {
    fn from(e: io::Error) -> Self {
        Self::Io(e)
    }
}

fn unchanged(change: &Change) -> Result<(), Failed> {
    match read(&change.path) {
        Ok(now) if now == change.before => Ok(()),
        Ok(_) => Err(Failed::Refused(Refused::Changed { path: change.path.display().to_string() })),
        Err(refused) => Err(Failed::Refused(refused)),
    }
}

/// Writes a file beside it and puts that in its place. Where a link leads elsewhere, the file there is meant.
fn write(change: &Change, text: &str) -> Result<(), Failed> {
    let path = if change.before.is_some() { change.path.canonicalize()? } else { change.path.clone() };
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let (temporary, mut file) = beside(&path)?;
    let done = (|| {
        file.write_all(text.as_bytes())?;
        rights(change, &path, &file)?;
        file.sync_all()?;
        drop(file);
        unchanged(change)?;
        Ok(fs::rename(&temporary, &path)?)
    })();
    if done.is_err() {
        // What is left over is no use to anybody; that it cannot be removed is no news.
        let _ = fs::remove_file(&temporary);
    }
    done
}

/// A new file in the same folder.
fn beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let mut n = 0;
    loop {
        let temporary = path.with_file_name(format!(".{name}.{}.{n}.new", std::process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&temporary) {
            Ok(file) => return Ok((temporary, file)),
            Err(e) if e.kind() == io::ErrorKind::AlreadyExists && n < 100 => n += 1,
            Err(e) => return Err(e),
        }
    }
}

/// The rights that the file has, or those of a new one; executable where it has to be.
#[cfg(unix)]
fn rights(change: &Change, path: &Path, file: &File) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut permissions = match fs::metadata(path) {
        Ok(meta) => meta.permissions(),
        Err(_) => file.metadata()?.permissions(),
    };
    if change.executable {
        // Who may read it may run it.
        let mode = permissions.mode();
        permissions.set_mode(mode | (mode & 0o444) >> 2);
    }
    file.set_permissions(permissions)
}

#[cfg(not(unix))]
fn rights(_: &Change, _: &Path, _: &File) -> io::Result<()> {
    Ok(())
}

/// Removes the folders that are empty now, up to the root.
fn sweep(path: &Path, root: &Path) {
    for folder in path.ancestors().skip(1) {
        let shared = folder.file_name().is_none_or(|name| SHARED.iter().any(|shared| name == *shared));
        // A folder with something in it stays, as it cannot be removed.
        if folder == root || shared || !folder.starts_with(root) || fs::remove_dir(folder).is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn change(path: &Path, before: Option<&str>, after: Option<&str>) -> Change {
        let own = |text: Option<&str>| text.map(str::to_owned);
        let root = path.parent().unwrap().to_owned();
        Change { path: path.to_owned(), before: own(before), after: own(after), executable: false, root }
    }

    #[test]
    fn what_somebody_else_wrote_meanwhile_stays() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        let told = Err(Refused::Changed { path: path.display().to_string() });
        fs::write(&path, "theirs").unwrap();
        for (before, after) in [(Some("old"), Some("new")), (None, Some("new")), (Some("old"), None)] {
            assert_eq!(apply(&change(&path, before, after)), told);
            assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
        }
        fs::remove_file(&path).unwrap();
        assert!(apply(&change(&path, Some("old"), Some("new"))).is_err());
        // Nothing is left beside it.
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        assert_eq!(apply(&change(&path, None, Some("new"))), Ok(()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
