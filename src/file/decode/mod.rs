//! From the tree to the policy as written: every problem is told, and nothing is guessed.

mod args;
mod condition;
mod duration;
mod fields;
mod guess;
mod names;
mod policy;
mod rule;
mod scalar;
mod test;
mod tool;

use super::tree::{Format, Kind, Node};
use super::{PolicyFile, TestsFile};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{Source, SourceId, Span};

/// How many problems of a file are told.
pub(super) const MAX_PROBLEMS: usize = 1000;

/// What was read of a file, and everything wrong with it. With any problem the file is only good for being looked at.
pub(super) struct Decoded<T> {
    pub(super) file: T,
    pub(super) problems: Vec<Diagnostic>,
}

/// Reads a policy.
pub(super) fn policy(tree: &Node, source: &Source, id: SourceId, format: Format) -> Decoded<PolicyFile> {
    let mut decoder =
        Decoder { text: &source.text, format, problems: Vec::new(), key: "the file".to_owned() };
    let file = policy::policy(&mut decoder, tree, id);
    Decoded { file, problems: decoder.problems }
}

/// Reads a file of tests.
pub(super) fn tests(tree: &Node, source: &Source, id: SourceId, format: Format) -> Decoded<TestsFile> {
    let mut decoder =
        Decoder { text: &source.text, format, problems: Vec::new(), key: "the file".to_owned() };
    let file = policy::tests_file(&mut decoder, tree, id);
    Decoded { file, problems: decoder.problems }
}

/// Collects the problems of one file.
///
/// A reader is `fn(&mut Decoder, &Node) -> Option<T>`; `None` means that it told a problem.
pub(super) struct Decoder<'t> {
    text: &'t str,
    format: Format,
    problems: Vec<Diagnostic>,
    /// The key whose value is being read, as messages call it.
    key: String,
}

impl Decoder<'_> {
    fn tell(&mut self, problem: Diagnostic) {
        if !self.is_full() {
            self.problems.push(problem);
        }
    }

    /// Whether nothing more is told: there is one more than is shown, so that it is seen that there are more.
    fn is_full(&self) -> bool {
        self.problems.len() > MAX_PROBLEMS
    }

    /// Tells that the value is of the wrong type. `expected` is what the key takes, in the author's words.
    fn wrong_type(&mut self, node: &Node, expected: &str) {
        self.wrong_type_but(node, expected, |finding| finding);
    }

    fn wrong_type_but(&mut self, node: &Node, expected: &str, more: impl FnOnce(Diagnostic) -> Diagnostic) {
        let found = found(node);
        let message = format!("{} takes {expected}, found {found}", self.key);
        self.tell(more(Diagnostic::error(Code::E0203, message).at(node.span, format!("this is {found}"))));
    }

    /// Tells that a single value stands where a list is expected, and shows the list.
    fn not_a_list(&mut self, node: &Node, items: &str) {
        let found = found(node);
        let list = format!("[{}]", self.written(node));
        let message = format!("{} takes a list of {items}, found {found}", self.key);
        let finding = Diagnostic::error(Code::E0204, message).at(node.span, format!("this is {found}"));
        self.tell(finding.suggest(format!("write `{list}`"), node.span, list));
    }

    /// The value as it may stand in a list of all three formats.
    fn written(&self, node: &Node) -> String {
        match node.as_str() {
            Some(text) => quoted(text),
            None => self.text.get(node.span.range()).unwrap_or_default().to_owned(),
        }
    }

    /// What to write in place of the key at `span`: quotes stay.
    fn as_key(&self, span: Span, key: &str) -> String {
        let quoted = self.text.get(span.range()).is_some_and(|t| t.starts_with(['"', '\'']));
        if quoted { format!("\"{key}\"") } else { key.to_owned() }
    }

    /// `key = value` as the file's format has it, for help lines.
    fn entry(&self, key: &str, value: &str) -> String {
        match self.format {
            Format::Toml => format!("{key} = {value}"),
            Format::Yaml => format!("{key}: {value}"),
            Format::Json => format!("\"{key}\": {value}"),
        }
    }

    /// A one-entry table as the file's format has it, for help lines.
    fn table(&self, key: &str, value: &str) -> String {
        format!("{{ {} }}", self.entry(key, value))
    }
}

/// A text in double quotes, good in all three formats.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// What a value is, in the author's words.
fn found(node: &Node) -> &'static str {
    match &node.kind {
        Kind::Null => "nothing",
        Kind::Bool(true) => "`true`",
        Kind::Bool(false) => "`false`",
        Kind::Int(_) | Kind::Float(_) => "a number",
        Kind::Str(_) => "a string",
        Kind::List(_) => "a list",
        Kind::Map(_) => "a table",
    }
}
