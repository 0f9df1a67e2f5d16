//! What a call would do: parts, files, hosts, programs.

pub mod disk;
pub mod programs;
pub mod shell;
pub mod word;
