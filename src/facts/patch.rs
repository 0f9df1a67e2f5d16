//! stub
#![allow(missing_docs)]
pub struct Patch { pub writes: Vec<String>, pub reads: Vec<String>, pub complete: bool }
pub fn files(_: &str) -> Patch { Patch { writes: vec![], reads: vec![], complete: false } }
