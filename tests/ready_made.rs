//! The ready-made policies load, pass their own tests, and lints find nothing in them.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::format_push_string,
    reason = "a test fails by panicking"
)]

use std::path::{Path, PathBuf};

use tool_policy::diagnostic::{Diagnostic, plain};
use tool_policy::suite::{Suite, test_files_beside};
use tool_policy::{Policy, file, folder_of, lint};

fn policies() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("policies");
    let mut found: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| !path.to_str().unwrap().contains(".test."))
        .collect();
    found.sort();
    found
}

#[test]
fn every_ready_made_policy_loads_passes_its_tests_and_is_clean() {
    let policies = policies();
    assert!(policies.len() >= 6, "{policies:?}");
    for path in policies {
        let loaded = file::load(&path).unwrap_or_else(|report| panic!("{report}"));
        let files = loaded.files.clone();
        let policy = Policy::compile(loaded, folder_of(&path)).unwrap_or_else(|report| panic!("{report}"));
        let beside: Vec<_> =
            test_files_beside(&path).iter().map(|path| file::load_tests(path).unwrap()).collect();
        let suite = beside.iter().fold(Suite::new(&policy, &files), Suite::and).run();
        let failures: Vec<Diagnostic> = suite.diagnostics().cloned().collect();
        assert!(suite.is_ok(), "{}\n{}", path.display(), plain(&failures, &suite.sources));
        let found = lint::lints(&files, &policy, Some(&suite));
        assert!(found.is_empty(), "{}\n{}", path.display(), plain(&found, policy.sources()));
    }
}

#[test]
fn every_ready_made_policy_says_what_it_is_for_and_names_the_schema() {
    for path in policies() {
        let text = std::fs::read_to_string(&path).unwrap();
        let first = text.lines().next().unwrap();
        let schema = first.rsplit([' ', '=']).next().unwrap();
        assert!(
            first.starts_with('#') && path.with_file_name(schema).is_file(),
            "{}: `{first}`",
            path.display()
        );
        let policy = Policy::load(&path).unwrap();
        assert!(policy.description().is_some_and(|d| !d.is_empty()), "{}", path.display());
    }
}
