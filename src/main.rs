//! The `policy` program.

fn main() -> std::process::ExitCode {
    tool_policy::cli::run()
}
