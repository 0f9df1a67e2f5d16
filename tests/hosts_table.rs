//! The tables of the hosts say what their data says, and what came out of the hosts is what is expected of them.
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::process::Command;

#[test]
fn the_tables_of_the_hosts_are_up_to_date() {
    let root = env!("CARGO_MANIFEST_DIR");
    // The data is TOML and JSON, the writer is Python's.
    let able = Command::new("python3").args(["-c", "import tomllib"]).output();
    if !able.is_ok_and(|done| done.status.success()) {
        return;
    }
    let done = Command::new("python3").args(["e2e/table", "--check"]).current_dir(root).output().unwrap();
    assert!(
        done.status.success(),
        "{}{}",
        String::from_utf8_lossy(&done.stdout),
        String::from_utf8_lossy(&done.stderr)
    );
}
