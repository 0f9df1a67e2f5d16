//! A permission engine for AI agents.

pub mod diagnostic;
pub mod facts;
pub mod file;
pub mod pattern;
pub mod source;
