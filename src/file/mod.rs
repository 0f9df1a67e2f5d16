//! The policy as written: TOML, YAML or JSON, every value with its place.

pub mod tree;
mod types;

pub use tree::Node;
pub use types::{
    ActionOnDeny, Answer, ArgPath, ArgTest, AskReason, CommandFile, CommandSetChange, CommandSetFile,
    CommandTable, ConditionsFile, ConfirmationTests, Expect, ExpectedCause, ExpectedOutcome, ExpectedVerdict,
    FetchFile, FetchTable, HintTests, LintLevel, List, Names, PathFile, PolicyFile, RuleFile, RuleKindFile,
    Step, Table, TestCalls, TestFile, TestsFile, ToolFile, TrustMcp, TypeName, UndecidedFile, ValueTest,
};

/// stub
#[derive(Debug)]
pub struct Loaded { /// files
pub files: Vec<PolicyFile>, /// sources
pub sources: crate::source::Sources }
/// stub
pub fn load(_: &std::path::Path) -> Result<Loaded, crate::diagnostic::Report> { Err(crate::diagnostic::Report::new(Vec::new(), crate::source::Sources::new())) }
/// stub
pub fn load_text(_: &str, _: &str, _: Format) -> Result<Loaded, crate::diagnostic::Report> { Err(crate::diagnostic::Report::new(Vec::new(), crate::source::Sources::new())) }
/// stub
#[derive(Clone, Copy, Debug)]
pub enum Format { /// TOML
Toml, /// YAML
Yaml, /// JSON
Json }
