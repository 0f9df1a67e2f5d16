//! Compiled conditions: names, commands, paths, network targets, values.

pub mod command;
pub mod coverage;
pub mod index;
pub mod name;
pub mod path;
pub mod url;
pub mod value;

pub use crate::logic::{PatternError, Reading, Tri};
