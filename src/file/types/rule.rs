//! A rule as written.

use std::time::Duration;

use super::{ConditionsFile, Names, Table};
use crate::file::tree::Node;
use crate::source::{Span, Spanned};

/// A rule: one kind, and what narrows it.
#[derive(Clone, Debug, PartialEq)]
pub struct RuleFile {
    /// Which of the five kinds, with its value.
    pub kind: RuleKindFile,
    /// Where the kind's key stands.
    pub kind_span: Span,
    /// Its name, unique in the list; `rule-N` without one, N from 1 over the whole list.
    pub id: Option<Spanned<String>>,
    /// What the rule is for.
    pub description: Option<Spanned<String>>,
    /// What the model is told; of `deny_by_name` only.
    pub reason: Option<Spanned<String>>,
    /// Whether a denial also stops the turn; of `deny_by_name` only.
    pub stop: Option<Spanned<bool>>,
    /// What must hold.
    pub when: Option<Box<ConditionsFile>>,
    /// What must not hold.
    pub unless: Option<Box<ConditionsFile>>,
    /// Arguments to change in a call that this rule allows; not of `deny_by_name`.
    pub set: Option<Table<Node>>,
    /// The whole rule, from its first key to its last value.
    pub span: Span,
}

/// The five kinds of rules, as written.
#[derive(Clone, Debug, PartialEq)]
pub enum RuleKindFile {
    /// Denies the tools with these names.
    DenyByName(Names),
    /// Allows the tools with these names.
    AllowByName(Names),
    /// Allows a call that is read-only.
    AllowByReadOnly {
        /// The MCP servers whose own word is taken for it.
        trust_mcp: TrustMcp,
    },
    /// Asks a person.
    DecideByHuman {
        /// How long to wait for an answer.
        timeout: Option<Spanned<Duration>>,
        /// What the person is asked.
        question: Option<Spanned<String>>,
    },
    /// Allows what is left.
    AllowByDefault,
}

impl RuleKindFile {
    /// The key that it is written as.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::DenyByName(_) => "deny_by_name",
            Self::AllowByName(_) => "allow_by_name",
            Self::AllowByReadOnly { .. } => "allow_by_read_only",
            Self::DecideByHuman { .. } => "decide_by_human",
            Self::AllowByDefault => "allow_by_default",
        }
    }
}

/// Which MCP servers are believed when they say that a tool is read-only.
#[derive(Clone, Debug, PartialEq, Default)]
pub enum TrustMcp {
    /// None of them.
    #[default]
    None,
    /// Every one.
    All,
    /// Those whose names match.
    Servers(Names),
}
