//! A permission engine for AI agents.
//!
//! A policy is a file: an ordered list of rules. Tool calls are judged against it before they run, and the answer says what decided.
//! A host needs what stands at the root of this crate: [`Policy`] and [`Layers`] judge a [`Call`] and give a [`Verdict`]; a [`Run`] decides
//! the turns of an agent and asks a [`Human`] where a rule says so.
//!
//! Deny matches any part of a call; allow must cover all of it; what lies between goes to a person. A fault is never an allowance.
//!
//! # How it is built
//!
//! ```text
//! policy file -> file -> compile -> Policy (rule, pattern)
//!                                      \
//! call -> facts (parts) ------------> interpreter -> Verdict -> turn (human) -> what runs
//! ```
//!
//! The modules form a line, each using only those before it; a test holds the order.
//!
//! - [`source`]: text with a name, and places in it
//! - [`diagnostic`]: something to tell the author: code, message, labels, help
//! - [`logic`]: yes, no and possibly; the broad reading and the narrow one
//! - [`call`]: one tool call, and [`arg`]: the path to an argument of it
//! - [`verdict`]: what the interpreter answers
//! - [`facts`]: what a call would do: parts, shell, programs, paths, URLs, the catalogue of tools
//! - [`pattern`]: compiled conditions: names, commands, paths, URLs, values
//! - [`file`](mod@file): the policy as written in TOML, YAML or JSON, every value with its place
//! - [`rule`]: the five kinds, compiled
//! - [`policy`]: the ordered list of rules
//! - [`compile`]: from files to the policy, or every reason why not
//! - [`interpreter`]: policy and call to verdict; explaining is the same walk, written down
//! - [`turn`]: the calls of one turn, people included
//! - [`human`]: asking a person
//! - [`suite`]: the tests in a policy
//! - [`lint`]: findings about a policy that loads
//! - [`grant`]: one-time approvals of a person
//! - [`guard`]: what an agent never does, whatever the policy says
//! - [`host`]: what each host program sends to a hook, and what it obeys
//!
//! With the feature `schema` there are JSON Schemas, with `proxy` a proxy in front of MCP servers, with `cli` the `policy` program.

#[doc(hidden)]
pub mod arg;
pub mod call;
#[cfg(feature = "cli")]
pub mod cli;
pub mod compile;
pub mod diagnostic;
pub mod facts;
pub mod file;
pub mod grant;
pub mod guard;
pub mod host;
pub mod human;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod install;
pub mod interpreter;
pub mod lint;
#[doc(hidden)]
pub mod logic;
#[doc(hidden)]
pub mod pattern;
pub mod policy;
#[cfg(feature = "proxy")]
pub mod proxy;
pub mod rule;
#[cfg(feature = "schema")]
pub mod schema;
pub mod source;
pub mod suite;
pub mod turn;
pub mod verdict;

pub use call::{AskReason, Call, CallError, Confirmation, Hints, McpTool, Mode};
pub use compile::{LoadError, folder_of};
pub use facts::disk::{Disk, NoDisk, RealDisk};
pub use file::Format;
pub use human::{Prepared, Terminal};
pub use interpreter::{Explanation, Layers, Outcome, Step, Surroundings};
pub use policy::Policy;
pub use turn::{
    AskError, Asking, AsyncHuman, CallOutcome, CodeKind, CodeRule, CodeVerdict, Fallible, Human, Person,
    Question, Run, TurnOutcome,
};
pub use verdict::{Answer, Cause, PartVerdict, Reply, RuleRef, Verdict};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
