//! What a call would do: parts, files, hosts, programs.

pub mod disk;
pub mod path;
pub mod programs;
pub mod url;
pub mod word;
