//! Which policy files are meant.

use std::path::{Path, PathBuf};

use super::output::Failure;

pub(super) const EXTENSIONS: [&str; 4] = ["toml", "yaml", "yml", "json"];

/// The policy of the folder that the program runs in.
pub(super) fn here() -> Result<PathBuf, Failure> {
    let current = current_folder()?;
    let found = nearest(&current)?;
    // What is in this very folder is shown by its short name.
    Ok(found.strip_prefix(&current).map_or_else(|_| found.clone(), Path::to_owned))
}

/// The policy of the nearest folder, from `start` upwards, that has one.
pub(super) fn above(start: &Path) -> Result<Option<PathBuf>, Failure> {
    for folder in start.ancestors() {
        if let Some(found) = of_folder(folder)? {
            return Ok(Some(found));
        }
    }
    Ok(None)
}

/// As [`above`], where there has to be one.
fn nearest(start: &Path) -> Result<PathBuf, Failure> {
    if let Some(found) = above(start)? {
        return Ok(found);
    }
    Err(Failure::told(format!("no policy in `{}` or any folder above it", start.display()))
        .with_help("`policy init` writes one here; a policy elsewhere is named by its path"))
}

/// The policy of this very folder: `policy.*`, else `.agents/policy.*`.
pub(super) fn of_folder(folder: &Path) -> Result<Option<PathBuf>, Failure> {
    match only(&folder.join("policy"))? {
        Some(found) => Ok(Some(found)),
        None => only(&folder.join(".agents").join("policy")),
    }
}

/// The file with this stem and an extension of a policy. Where there are two, nobody could tell which one counts.
fn only(stem: &Path) -> Result<Option<PathBuf>, Failure> {
    let mut found = EXTENSIONS.iter().map(|ext| stem.with_extension(ext)).filter(|path| is_there(path));
    match (found.next(), found.next()) {
        (Some(one), Some(two)) => Err(Failure::told(format!(
            "two policies in one place: `{}` and `{}`",
            one.display(),
            two.display()
        ))
        .with_help("keep one of them, or name one with `--policy`")),
        (found, _) => Ok(found),
    }
}

/// Whether something stands at the path. A link to nowhere is there, too: it is an error to tell, not a policy to pass over.
fn is_there(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(_) => true,
        Err(e) => !matches!(e.kind(), std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory),
    }
}

/// The policies that the arguments of a command name: files as they are, folders with what is in them, the nearest policy for none.
pub(super) fn named(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    if paths.is_empty() {
        return Ok(vec![here()?]);
    }
    let mut found = Vec::new();
    for path in paths {
        if path.is_dir() {
            found.extend(in_folder(path)?);
        } else {
            found.push(path.clone());
        }
    }
    Ok(found)
}

/// The policy of the folder; for a folder of policies, such as `policies/`, every file in it that could be one.
fn in_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    if let Some(found) = of_folder(folder)? {
        return Ok(vec![found]);
    }
    let unreadable = |e: std::io::Error| Failure::told(format!("`{}` cannot be read: {e}", folder.display()));
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(unreadable)? {
        let path = entry.map_err(unreadable)?.path();
        let named_so = path.extension().and_then(|e| e.to_str()).is_some_and(|e| EXTENSIONS.contains(&e));
        let tests = is_tests(&path);
        if named_so && !tests && !path.is_dir() {
            found.push(path);
        }
    }
    if found.is_empty() {
        return Err(Failure::told(format!("no policy in `{}`", folder.display())));
    }
    found.sort();
    Ok(found)
}

/// Whether the name is that of a file of tests: `policy.test.toml`.
pub(super) fn is_tests(path: &Path) -> bool {
    path.file_stem()
        .is_some_and(|stem| Path::new(stem).extension().is_some_and(|e| e.eq_ignore_ascii_case("test")))
}

/// The folder that the program runs in.
pub(super) fn current_folder() -> Result<PathBuf, Failure> {
    std::env::current_dir().map_err(|e| Failure::told(format!("the current folder cannot be told: {e}")))
}

/// The path made absolute, as text; a folder that should be there and is not is an error, as every pattern would start from it.
pub(super) fn folder_text(path: &Path, made_up: bool) -> Result<String, Failure> {
    if !made_up && !path.is_dir() {
        return Err(Failure::told(format!("`{}` is not a folder", path.display())));
    }
    let absolute =
        std::path::absolute(path).map_err(|e| Failure::told(format!("`{}`: {e}", path.display())))?;
    match absolute.to_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(Failure::told(format!("`{}` is not UTF-8", path.display()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn told(result: Result<PathBuf, Failure>) -> String {
        match result {
            Err(Failure::Told { message, .. }) => message,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn the_nearest_folder_upwards_decides_and_its_own_file_comes_first() {
        let root = tempfile::tempdir().unwrap();
        let deep = root.path().join("a/b/c");
        fs::create_dir_all(&deep).unwrap();
        fs::create_dir(root.path().join(".agents")).unwrap();
        let agents = root.path().join(".agents/policy.yaml");
        fs::write(&agents, "").unwrap();
        assert_eq!(nearest(&deep).unwrap(), agents);
        let own = root.path().join("policy.toml");
        fs::write(&own, "").unwrap();
        assert_eq!(nearest(&deep).unwrap(), own);
        let near = root.path().join("a/b/policy.json");
        fs::write(&near, "").unwrap();
        assert_eq!(nearest(&deep).unwrap(), near);
    }

    #[test]
    fn two_policies_in_one_place_are_an_error_that_names_both() {
        let root = tempfile::tempdir().unwrap();
        fs::write(root.path().join("policy.toml"), "").unwrap();
        fs::write(root.path().join("policy.yml"), "").unwrap();
        let message = told(nearest(root.path()));
        assert!(message.contains("policy.toml") && message.contains("policy.yml"), "{message}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_nowhere_is_not_passed_over() {
        let root = tempfile::tempdir().unwrap();
        let inner = root.path().join("inner");
        fs::create_dir(&inner).unwrap();
        fs::write(root.path().join("policy.toml"), "").unwrap();
        std::os::unix::fs::symlink("nowhere", inner.join("policy.toml")).unwrap();
        assert_eq!(nearest(&inner).unwrap(), inner.join("policy.toml"));
    }

    #[test]
    fn a_folder_of_policies_gives_all_of_them_but_not_their_tests() {
        let root = tempfile::tempdir().unwrap();
        for name in ["b.toml", "a.yaml", "a.test.yaml", "notes.md"] {
            fs::write(root.path().join(name), "").unwrap();
        }
        let found = named(&[root.path().to_owned()]).unwrap();
        assert_eq!(found, [root.path().join("a.yaml"), root.path().join("b.toml")]);
    }
}
