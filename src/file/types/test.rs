//! A test of a policy, as written.

use super::{Answer, ExpectedCause, ExpectedOutcome, ExpectedVerdict, List};
use crate::file::tree::Node;
use crate::source::{SourceId, Span, Spanned};

/// One call or several, and what the policy must say.
#[derive(Clone, Debug, PartialEq)]
pub struct TestFile {
    /// What is tested.
    pub calls: TestCalls,
    /// What must come out.
    pub expect: Expect,
    /// Its name.
    pub name: Option<Spanned<String>>,
    /// The id of the rule that must decide.
    pub by: Option<Spanned<String>>,
    /// What the model must be told.
    pub reason: Option<Spanned<String>>,
    /// The cause that the verdict must have.
    pub cause: Option<Spanned<ExpectedCause>>,
    /// What the person must be asked.
    pub question: Option<Spanned<String>>,
    /// The changed arguments that the verdict must have.
    pub updated_args: Option<Node>,
    /// What the person answers, in the order of asking; of a turn only.
    pub answers: Option<List<Spanned<Answer>>>,
    /// The whole test.
    pub span: Span,
}

/// The calls of a test; each is JSON that was not looked at yet, but is a table.
#[derive(Clone, Debug, PartialEq)]
pub enum TestCalls {
    /// `call`: one.
    One(Node),
    /// `each`: several, each by itself with the same expectation.
    Each(List<Node>),
    /// `calls`: one turn.
    Turn(List<Node>),
}

/// What a test expects.
#[derive(Clone, Debug, PartialEq)]
pub enum Expect {
    /// Of one call, or of each.
    Verdict(Spanned<ExpectedVerdict>),
    /// Of the calls of a turn, in order; as many as there are calls.
    Turn(List<Spanned<ExpectedOutcome>>),
}

/// A file of tests beside a policy: `policy.test.toml`.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Tests", deny_unknown_fields))]
pub struct TestsFile {
    /// The text it was read from.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub source: SourceId,
    /// The version of this format: 1.
    #[cfg_attr(feature = "schema", schemars(schema_with = "super::schema::version"))]
    pub version: Spanned<u32>,
    /// Calls, and what the policy must say of them.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub tests: Vec<TestFile>,
}
