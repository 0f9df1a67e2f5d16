//! The `policy` program.
fn main() {}
