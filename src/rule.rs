//! The five kinds of rules, compiled.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use serde_json::{Map, Value};

use crate::arg::ArgPath;
use crate::call::AskReason;
use crate::pattern::command::CommandPattern;
use crate::pattern::name::NameGlob;
use crate::pattern::path::PathPattern;
use crate::pattern::url::UrlPattern;
use crate::pattern::value::ValueCondition;
use crate::source::Span;
use crate::verdict::RuleRef;

/// A rule, ready to be asked.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its id, kind and place.
    pub me: Arc<RuleRef>,
    /// What it may answer.
    pub kind: Kind,
    /// What must hold.
    pub when: Arc<Conditions>,
    /// What must not hold.
    pub unless: Arc<Conditions>,
    /// Arguments that change when it allows.
    pub set: Option<Map<String, Value>>,
    /// Where it is written.
    pub span: Span,
}

/// The kinds of rules.
#[derive(Clone, Debug)]
pub enum Kind {
    /// Denies the tools with these names, or has no opinion.
    DenyByName {
        /// The names.
        names: Vec<NameGlob>,
        /// What the model is told; else `{tool} is not allowed.`
        reason: Option<Arc<str>>,
        /// The denial also stops the turn.
        stop: bool,
    },
    /// Allows the tools with these names, or has no opinion.
    AllowByName {
        /// The names.
        names: Vec<NameGlob>,
    },
    /// Allows a call that is read-only, or has no opinion.
    AllowByReadOnly {
        /// The MCP servers whose word is taken for it.
        trust: Trust,
    },
    /// Asks a person.
    DecideByHuman {
        /// How long to wait for the answer.
        timeout: Duration,
        /// The question, in place of `Run {call}?`.
        question: Option<String>,
    },
    /// Allows.
    AllowByDefault,
}

/// Which MCP servers are believed about their own tools.
#[derive(Clone, Debug, Default)]
pub enum Trust {
    /// None.
    #[default]
    Nobody,
    /// All.
    Everybody,
    /// Those with these names.
    Servers(Vec<NameGlob>),
}

impl Trust {
    /// Whether this server is believed.
    pub fn covers(&self, server: &str) -> bool {
        match self {
            Self::Nobody => false,
            Self::Everybody => true,
            Self::Servers(names) => names.iter().any(|n| n.matches(server)),
        }
    }
}

/// How long a person has to answer where the rule does not say.
pub const DEFAULT_TIMEOUT: Duration = Duration::from_secs(30);

/// The conditions of one table, all of which must hold.
#[derive(Clone, Debug, Default)]
pub struct Conditions {
    /// `tool`
    pub tool: Option<Vec<NameGlob>>,
    /// `mcp_server`
    pub mcp_server: Option<Vec<NameGlob>>,
    /// `agent`
    pub agent: Option<Vec<NameGlob>>,
    /// `mode`
    pub mode: Option<Vec<NameGlob>>,
    /// `args.NAME`
    pub args: Vec<(ArgPath, ValueCondition)>,
    /// `only_args`
    pub only_args: Option<Vec<String>>,
    /// `hints.*`: which hint, and what it must be.
    pub hints: Vec<(Hint, bool)>,
    /// `requires_human`
    pub requires_human: Option<bool>,
    /// `reason`
    pub reason: Option<AskReason>,
    /// `confirmation.*`
    pub confirmation: Vec<(Preview, ValueCondition)>,
    /// What the parts of the call do.
    pub parts: PartConditions,
}

/// A hint of a tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// `read_only`
    ReadOnly,
    /// `destructive`
    Destructive,
    /// `idempotent`
    Idempotent,
    /// `open_world`
    OpenWorld,
}

/// A field of the preview that a person would see.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preview {
    /// `file_name`
    FileName,
    /// `file_diff`
    FileDiff,
    /// `title`
    Title,
}

/// The conditions on the parts of a call.
#[derive(Clone, Debug, Default)]
pub struct PartConditions {
    /// `runs`
    pub runs: Option<Vec<CommandPattern>>,
    /// `reads`
    pub reads: Option<Vec<PathPattern>>,
    /// `writes`
    pub writes: Option<Vec<PathPattern>>,
    /// `touches`
    pub touches: Option<Vec<PathPattern>>,
    /// `fetches`
    pub fetches: Option<Vec<UrlPattern>>,
    /// `env`
    pub env: Option<Vec<NameGlob>>,
    /// Each pattern under each key as it is written, in the order of the patterns.
    pub written: Vec<(PartKey, Vec<String>)>,
}

/// A key of [`PartConditions`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PartKey {
    /// `runs`
    Runs,
    /// `reads`
    Reads,
    /// `writes`
    Writes,
    /// `touches`
    Touches,
    /// `fetches`
    Fetches,
    /// `env`
    Env,
}

impl PartKey {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Runs, Self::Reads, Self::Writes, Self::Touches, Self::Fetches, Self::Env];

    /// Its name in policies.
    pub fn name(self) -> &'static str {
        match self {
            Self::Runs => "runs",
            Self::Reads => "reads",
            Self::Writes => "writes",
            Self::Touches => "touches",
            Self::Fetches => "fetches",
            Self::Env => "env",
        }
    }
}

impl PartConditions {
    /// Whether the table has this key.
    pub fn has(&self, key: PartKey) -> bool {
        match key {
            PartKey::Runs => self.runs.is_some(),
            PartKey::Reads => self.reads.is_some(),
            PartKey::Writes => self.writes.is_some(),
            PartKey::Touches => self.touches.is_some(),
            PartKey::Fetches => self.fetches.is_some(),
            PartKey::Env => self.env.is_some(),
        }
    }

    /// How many patterns stand under the key.
    pub fn count(&self, key: PartKey) -> usize {
        let len = match key {
            PartKey::Runs => self.runs.as_ref().map(Vec::len),
            PartKey::Reads => self.reads.as_ref().map(Vec::len),
            PartKey::Writes => self.writes.as_ref().map(Vec::len),
            PartKey::Touches => self.touches.as_ref().map(Vec::len),
            PartKey::Fetches => self.fetches.as_ref().map(Vec::len),
            PartKey::Env => self.env.as_ref().map(Vec::len),
        };
        len.unwrap_or(0)
    }

    /// The keys that the table has.
    pub fn keys(&self) -> impl Iterator<Item = PartKey> + '_ {
        PartKey::ALL.into_iter().filter(|key| self.has(*key))
    }
}

impl Conditions {
    /// Those of a rule without a table.
    pub(crate) fn none() -> Arc<Self> {
        static NONE: LazyLock<Arc<Conditions>> = LazyLock::new(Arc::default);
        Arc::clone(&NONE)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        !self.speaks_of_call() && self.parts.keys().next().is_none()
    }

    /// Whether some condition is on the call as a whole.
    pub fn speaks_of_call(&self) -> bool {
        self.tool.is_some()
            || self.mcp_server.is_some()
            || self.agent.is_some()
            || self.mode.is_some()
            || !self.args.is_empty()
            || self.only_args.is_some()
            || !self.hints.is_empty()
            || self.requires_human.is_some()
            || self.reason.is_some()
            || !self.confirmation.is_empty()
    }

    /// Whether some condition needs the parts of the call.
    pub fn needs_facts(&self) -> bool {
        self.parts.keys().next().is_some() || self.requires_human.is_some() || self.reason.is_some()
    }
}

impl Rule {
    /// The names that the rule speaks of; `None` when it speaks of every tool.
    pub fn names(&self) -> Option<&[NameGlob]> {
        match &self.kind {
            Kind::DenyByName { names, .. } | Kind::AllowByName { names } => Some(names),
            Kind::AllowByReadOnly { .. } | Kind::DecideByHuman { .. } | Kind::AllowByDefault => None,
        }
    }

    /// Whether it may only deny.
    pub fn denies(&self) -> bool {
        matches!(self.kind, Kind::DenyByName { .. })
    }

    /// Whether it asks a person.
    pub fn asks(&self) -> bool {
        matches!(self.kind, Kind::DecideByHuman { .. })
    }

    /// Whether either table has this key.
    pub fn names_part(&self, key: PartKey) -> bool {
        self.when.parts.has(key) || self.unless.parts.has(key)
    }
}

impl Kind {
    /// Its key in a policy.
    pub fn name(&self) -> &'static str {
        match self {
            Self::DenyByName { .. } => "deny_by_name",
            Self::AllowByName { .. } => "allow_by_name",
            Self::AllowByReadOnly { .. } => "allow_by_read_only",
            Self::DecideByHuman { .. } => "decide_by_human",
            Self::AllowByDefault => "allow_by_default",
        }
    }
}
