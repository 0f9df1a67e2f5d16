//! The types of a policy as written. Patterns are still text: compiling reads them.

mod condition;
mod rule;
#[cfg(feature = "schema")]
mod schema;
mod table;
mod test;
mod tool;
mod word;

pub use condition::{
    ArgTest, CommandFile, CommandTable, ConditionsFile, ConfirmationTests, FetchFile, FetchTable, HintTests,
    PathFile, ValueTest,
};
pub use rule::{RuleFile, RuleKindFile, TrustMcp};
#[cfg(feature = "schema")]
pub use schema::{policy_schema, tests_schema};
pub use table::{List, Names, Table};
pub use test::{Expect, TestCalls, TestFile, TestsFile};
pub use tool::{ArgPath, CommandSetChange, CommandSetFile, Step, ToolFile};
pub(super) use word::Word;
pub use word::{
    ActionOnDeny, Answer, AskReason, ExpectedCause, ExpectedOutcome, ExpectedVerdict, LintLevel, TypeName,
};

use crate::source::{SourceId, Spanned};

/// A policy: what an agent's tool calls may do.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Policy", deny_unknown_fields)
)]
pub struct PolicyFile {
    /// The text it was read from.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub source: SourceId,
    /// The version of this format: 1.
    #[cfg_attr(feature = "schema", schemars(schema_with = "schema::version"))]
    pub version: Spanned<u32>,
    /// What the policy is for.
    pub description: Option<Spanned<String>>,
    /// Files whose rules come after this file's own; paths relative to this file.
    pub extends: Option<List<Spanned<String>>>,
    /// What is answered when no rule decides. Without it such a call is denied with a warning.
    pub undecided: Option<UndecidedFile>,
    /// What a denial does to the turn.
    pub on_deny: Option<Spanned<ActionOnDeny>>,
    /// What the arguments of tools mean, by the tool's name; adds to the built-in catalogue, or overrides it.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub tools: Table<ToolFile>,
    /// Named lists of command patterns. `@name` stands for one wherever a command pattern may stand.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub command_sets: Table<CommandSetFile>,
    /// How seriously a finding is taken, by the lint's name.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub lints: Table<Spanned<LintLevel>>,
    /// The rules. Every `deny_by_name` is looked at first, then the others in order; the first that answers decides.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub rules: Vec<RuleFile>,
    /// Calls, and what the policy must say of them.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub tests: Vec<TestFile>,
}

/// What is answered when no rule decides a call.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Undecided", deny_unknown_fields)
)]
pub struct UndecidedFile {
    /// What the model is told.
    pub reason: Spanned<String>,
}
