//! What a call would do: parts, files, hosts, programs.

pub mod catalogue;
pub mod disk;
pub mod patch;
pub mod programs;
pub mod variables;
pub mod word;
