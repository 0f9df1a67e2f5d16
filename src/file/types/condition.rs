//! The conditions of a rule, as written.

use super::{ArgPath, AskReason, List, Names, TypeName};
use crate::file::tree::Node;
use crate::source::{Span, Spanned};

/// Conditions: all keys must hold; in a list, one of its values.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Conditions", deny_unknown_fields, extend("minProperties" = 1))
)]
pub struct ConditionsFile {
    /// The whole table.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub span: Span,
    /// The tool's whole name.
    pub tool: Option<Names>,
    /// The MCP server that the tool is of.
    pub mcp_server: Option<Names>,
    /// The agent that calls.
    pub agent: Option<Names>,
    /// The mode that the agent runs in.
    pub mode: Option<Names>,
    /// Arguments of the call, in the order written; nested ones are flattened to their dotted paths.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::args"))]
    pub args: Vec<ArgTest>,
    /// No argument outside this list.
    pub only_args: Option<Names>,
    /// What the tool says of this call.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub hints: HintTests,
    /// Whether an interactive host would have asked a person.
    pub requires_human: Option<Spanned<bool>>,
    /// Why the call came to be judged.
    pub reason: Option<Spanned<AskReason>>,
    /// The preview that a person would see.
    #[cfg_attr(feature = "schema", schemars(default))]
    pub confirmation: ConfirmationTests,
    /// The programs that the call runs.
    #[cfg_attr(
        feature = "schema",
        schemars(default, schema_with = "super::schema::items::<CommandFile, CommandTable>")
    )]
    pub runs: Option<List<CommandFile>>,
    /// The files that it reads.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::paths"))]
    pub reads: Option<List<PathFile>>,
    /// The files that it writes.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::paths"))]
    pub writes: Option<List<PathFile>>,
    /// The files that it reads or writes.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::paths"))]
    pub touches: Option<List<PathFile>>,
    /// The network targets that it reaches.
    #[cfg_attr(
        feature = "schema",
        schemars(default, schema_with = "super::schema::items::<FetchFile, FetchTable>")
    )]
    pub fetches: Option<List<FetchFile>>,
    /// The variables that are set for a program.
    pub env: Option<Names>,
}

/// A test of one argument.
#[derive(Clone, Debug, PartialEq)]
pub struct ArgTest {
    /// Which argument.
    pub path: Spanned<ArgPath>,
    /// What it must be.
    pub test: ValueTest,
}

/// What a value must be: every operator that is there must hold.
///
/// A bare value is `equals`; a bare list is `one_of`.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Operators", deny_unknown_fields, extend("minProperties" = 1))
)]
pub struct ValueTest {
    /// The whole test.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub span: Span,
    /// It is this value.
    pub equals: Option<Node>,
    /// It is one of these values.
    pub one_of: Option<List<Node>>,
    /// The whole text matches one of these globs.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::one_or_many"))]
    pub glob: Option<List<Spanned<String>>>,
    /// The text matches one of these regular expressions.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::one_or_many"))]
    pub regex: Option<List<Spanned<String>>>,
    /// The text has one of these in it, or the list one of these as an element.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::anything"))]
    pub contains: Option<List<Node>>,
    /// The text starts with one of these.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::one_or_many"))]
    pub starts_with: Option<List<Spanned<String>>>,
    /// The number is less than this.
    pub less_than: Option<Spanned<serde_json::Number>>,
    /// The number is greater than this.
    pub greater_than: Option<Spanned<serde_json::Number>>,
    /// Whether the argument is there.
    pub exists: Option<Spanned<bool>>,
    /// The value has one of these types.
    #[cfg_attr(
        feature = "schema",
        schemars(rename = "type", default, schema_with = "super::schema::type_names")
    )]
    pub type_name: Option<List<Spanned<TypeName>>>,
}

/// What the tool says of this call.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Hints", deny_unknown_fields, extend("minProperties" = 1)))]
pub struct HintTests {
    /// It changes nothing.
    pub read_only: Option<Spanned<bool>>,
    /// It may destroy something.
    pub destructive: Option<Spanned<bool>>,
    /// Twice is as once.
    pub idempotent: Option<Spanned<bool>>,
    /// It reaches things outside this machine.
    pub open_world: Option<Spanned<bool>>,
}

/// The preview that a person would see.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "Confirmation", deny_unknown_fields, extend("minProperties" = 1))
)]
pub struct ConfirmationTests {
    /// The file that would change.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::value_test"))]
    pub file_name: Option<Box<ValueTest>>,
    /// The change.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::value_test"))]
    pub file_diff: Option<Box<ValueTest>>,
    /// The title of the question.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::value_test"))]
    pub title: Option<Box<ValueTest>>,
}

/// One command pattern.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Command", untagged))]
#[expect(clippy::large_enum_variant, reason = "few of them live at once, and only while loading")]
pub enum CommandFile {
    /// Words, each a glob; or `@set`.
    Pattern(Spanned<String>),
    /// A table, which says more.
    Table(CommandTable),
}

/// A command pattern with flags and operands.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "CommandTable", deny_unknown_fields, extend("minProperties" = 1))
)]
pub struct CommandTable {
    /// The whole table.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub span: Span,
    /// The words.
    pub command: Option<Spanned<String>>,
    /// All of these flags; each is a list of the spellings of one flag, or its only spelling.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::flags_all"))]
    pub flags_all: Option<List<Names>>,
    /// Any of these flags.
    pub flags_any: Option<Names>,
    /// No flag outside this list.
    pub only_flags: Option<Names>,
    /// What every operand must match.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::paths"))]
    pub operands: Option<List<PathFile>>,
    /// Regular expressions over the words joined by one space; one must match.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::one_or_many"))]
    pub regex: Option<List<Spanned<String>>>,
}

/// One path pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum PathFile {
    /// A glob.
    Pattern(Spanned<String>),
    /// `{ outside = "DIR" }`.
    Outside(Spanned<String>),
    /// `{ inside = "DIR" }`.
    Inside(Spanned<String>),
}

/// One network target.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Fetch", untagged))]
pub enum FetchFile {
    /// `host`, `*.host`, `scheme://host/path*`.
    Pattern(Spanned<String>),
    /// A table, which says more.
    Table(FetchTable),
}

/// A network target by its parts: all that are there must hold.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(
    feature = "schema",
    derive(schemars::JsonSchema),
    schemars(rename = "FetchTable", deny_unknown_fields, extend("minProperties" = 1))
)]
pub struct FetchTable {
    /// The whole table.
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub span: Span,
    /// The host: `example.com`, `*.example.com`, `*`.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::one_or_many"))]
    pub host: Option<Names>,
    /// The method: `GET`.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::one_or_many"))]
    pub method: Option<Names>,
    /// The scheme: `https`.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::one_or_many"))]
    pub scheme: Option<Names>,
    /// The port.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::ports"))]
    pub port: Option<List<Spanned<u16>>>,
    /// The path: `/api/*`.
    #[cfg_attr(feature = "schema", schemars(default, schema_with = "super::schema::one_or_many"))]
    pub path: Option<Names>,
}
