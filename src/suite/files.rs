//! The files of tests that belong to a policy.

use std::path::{Path, PathBuf};

use crate::file::tree::Format;

/// The files of tests beside the policy at `policy`, by name.
///
/// `policy.test.toml` and `policy.shell.test.yaml` belong to `policy.toml`. A policy that is alone in its folder has
/// every `*.test.*` there.
pub fn test_files_beside(policy: &Path) -> Vec<PathBuf> {
    let folder = policy.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let (Some(stem), Ok(entries)) = (policy.file_stem().and_then(|s| s.to_str()), std::fs::read_dir(folder))
    else {
        return Vec::new();
    };
    let files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| policy.with_file_name(entry.file_name()))
        .filter(|path| Format::of_path(path).is_some() && path.is_file())
        .collect();
    let policies = files.iter().filter(|path| !is_tests(path)).filter(|path| is_policy(path)).count();
    let own = format!("{stem}.");
    let mut tests: Vec<PathBuf> = files
        .into_iter()
        .filter(|path| is_tests(path))
        .filter(|path| policies == 1 || name(path).is_some_and(|name| name.starts_with(&own)))
        .collect();
    tests.sort();
    tests
}

fn name(path: &Path) -> Option<&str> {
    path.file_name()?.to_str()
}

/// Whether a file is one of tests by its name: `x.test.toml`.
fn is_tests(path: &Path) -> bool {
    path.file_stem().and_then(|s| s.to_str()).is_some_and(|stem| stem.to_ascii_lowercase().ends_with(".test"))
}

/// Whether a file may be a policy: other JSON and YAML stands in many folders, so it must say `version`.
fn is_policy(path: &Path) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.contains("version") && text.contains("rules"))
}
