//! What a policy says of tools and of sets of commands.

use super::{CommandFile, List};
use crate::source::Spanned;

/// The path to an argument: `path`, `options.force`, `edits[].path`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct ArgPath {
    /// As written; the steps joined by dots.
    pub text: String,
    /// Its steps from the arguments inwards; never empty, the first is a key.
    pub steps: Vec<Step>,
}

/// One step of an [`ArgPath`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into the value under this name.
    Key(String),
    /// Into every element of a list: `[]`.
    Each,
}

/// What the arguments of one tool mean, and what the tool says of itself.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Tool", deny_unknown_fields))]
pub struct ToolFile {
    /// The arguments that are a shell command: a text for bash, or a list of words taken as they are.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::one_or_many"))]
    pub command: Option<List<Spanned<ArgPath>>>,
    /// The arguments that name a file that is read.
    pub reads: Option<List<Spanned<ArgPath>>>,
    /// The arguments that name a file that is written.
    pub writes: Option<List<Spanned<ArgPath>>>,
    /// The arguments that are a URL which is fetched.
    pub fetches: Option<List<Spanned<ArgPath>>>,
    /// The arguments that are the text of a patch: every file it names is written.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::one_or_many"))]
    pub patch: Option<List<Spanned<ArgPath>>>,
    /// The tool changes nothing.
    pub read_only: Option<Spanned<bool>>,
    /// The tool may destroy something.
    pub destructive: Option<Spanned<bool>>,
    /// Calling twice is as calling once.
    pub idempotent: Option<Spanned<bool>>,
    /// The tool reaches things outside this machine.
    pub open_world: Option<Spanned<bool>>,
}

/// A named set of command patterns: a list, or for the built-in sets `read-only` and `project` what to add and remove.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CommandSet", untagged))]
pub enum CommandSetFile {
    /// A new set: these patterns.
    List(List<CommandFile>),
    /// A change to a built-in set.
    Change(CommandSetChange),
}

/// What is added to a built-in set of commands, and what is taken from it.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(deny_unknown_fields))]
pub struct CommandSetChange {
    /// Patterns that belong to the set as well.
    pub add: Option<List<CommandFile>>,
    /// Patterns that do not belong to the set, whatever it says itself.
    pub remove: Option<List<CommandFile>>,
}
