//! What commands really do, against what they are said to do: programs started under bash, and files opened under strace.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::format_push_string,
    clippy::format_collect,
    clippy::print_stderr,
    clippy::print_stdout,
    reason = "a test fails by panicking"
)]
#![cfg(unix)]

mod started;
mod touched;

use serde_json::json;
use tool_policy::Call;

/// A call of the shell in a folder that is the workspace.
fn shell_call(command: &str, folder: &str) -> Call {
    let call = json!({"tool": "Bash", "host": "claude-code", "cwd": folder, "workspace": folder, "args": {"command": command}});
    Call::from_json(call).unwrap()
}
