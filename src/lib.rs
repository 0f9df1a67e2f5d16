//! A permission engine for AI agents.

pub mod arg;
pub mod call;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compile;
pub mod diagnostic;
pub mod facts;
pub mod file;
pub mod human;
pub mod interpreter;
pub mod lint;
pub mod logic;
pub mod pattern;
pub mod policy;
pub mod rule;
#[cfg(feature = "schema")]
pub mod schema;
pub mod source;
pub mod suite;
pub mod turn;
pub mod verdict;

pub use call::{AskReason, Call, CallError, Confirmation, Hints, McpTool, Mode};
pub use compile::{LoadError, folder_of};
pub use facts::disk::{Disk, NoDisk};
pub use file::Format;
pub use human::{Prepared, Terminal};
pub use interpreter::{Explanation, Layers, Outcome, Step, Surroundings};
pub use policy::Policy;
pub use turn::{
    AskError, Asking, AsyncHuman, CodeKind, CodeRule, CodeVerdict, Fallible, Human, Person, Question, Run,
    TurnOutcome,
};
pub use verdict::{Answer, Cause, PartVerdict, Reply, RuleRef, Verdict};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
