//! The policy as written: TOML, YAML or JSON, every value with its place.

mod decode;
mod load;
pub mod tree;
mod types;
#[cfg(feature = "cli")]
mod write;

pub use load::{Loaded, LoadedTests, load, load_tests, load_tests_text, load_text, test_files};
pub(crate) use load::{Read, read, read_text};
#[cfg(feature = "schema")]
pub use types::{policy_schema, tests_schema};
#[cfg(feature = "cli")]
pub use write::{CannotFormat, format};

pub use tree::{Format, Node};
pub use types::{
    ActionOnDeny, Answer, ArgPath, ArgTest, AskReason, CommandFile, CommandSetChange, CommandSetFile,
    CommandTable, ConditionsFile, ConfirmationTests, Expect, ExpectedCause, ExpectedOutcome, ExpectedVerdict,
    FetchFile, FetchTable, HintTests, LintLevel, List, Names, PathFile, PolicyFile, RuleFile, RuleKindFile,
    Step, Table, TestCalls, TestFile, TestsFile, ToolFile, TrustMcp, TypeName, UndecidedFile, ValueTest,
};

#[cfg(test)]
mod tests;
