//! Conditions without their places, to be compared: which say the same, and which hold whenever others do.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Value, json};

use crate::file::{
    CommandFile, CommandTable, ConditionsFile, FetchFile, List, Names, Node, PathFile, ValueTest,
};
use crate::rule::PartKey;
use crate::source::Spanned;

/// A table of conditions: every key must hold.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Table(BTreeMap<String, Test>);

/// What a key asks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Test {
    /// One of these; more of them ask less.
    AnyOf(BTreeSet<String>),
    /// Exactly this.
    This(String),
}

impl Table {
    pub(super) fn of(written: Option<&ConditionsFile>) -> Self {
        let mut table = Self::default();
        let Some(written) = written else { return table };
        let names = [
            ("tool", &written.tool),
            ("mcp_server", &written.mcp_server),
            ("agent", &written.agent),
            ("mode", &written.mode),
            ("only_args", &written.only_args),
            ("env", &written.env),
        ];
        for (key, names) in names {
            table.any_of(key, names.as_ref(), |name| json!(name.value));
        }
        table.any_of("runs", written.runs.as_ref(), command);
        table.any_of("reads", written.reads.as_ref(), path);
        table.any_of("writes", written.writes.as_ref(), path);
        table.any_of("touches", written.touches.as_ref(), path);
        table.any_of("fetches", written.fetches.as_ref(), fetch);
        for test in &written.args {
            table.this(format!("args.{}", test.path.value.text), Some(value(&test.test)));
        }
        let hints = &written.hints;
        for (key, hint) in [
            ("hints.read_only", &hints.read_only),
            ("hints.destructive", &hints.destructive),
            ("hints.idempotent", &hints.idempotent),
            ("hints.open_world", &hints.open_world),
            ("requires_human", &written.requires_human),
        ] {
            table.this(key, hint.as_ref().map(|hint| json!(hint.value)));
        }
        table.this("reason", written.reason.as_ref().map(|reason| json!(reason.value.as_str())));
        let preview = &written.confirmation;
        table.this("confirmation.file_name", preview.file_name.as_deref().map(value));
        table.this("confirmation.file_diff", preview.file_diff.as_deref().map(value));
        table.this("confirmation.title", preview.title.as_deref().map(value));
        table
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether it holds whenever `other` does, read alike. A rule that has a key for parts covers other parts than one that has not,
    /// so these keys must be the same, or this table has none of them.
    pub(super) fn asks_no_more_than(&self, other: &Self) -> bool {
        let all = self.0.iter().all(|(key, test)| match (test, other.0.get(key)) {
            (Test::AnyOf(mine), Some(Test::AnyOf(theirs))) => mine.is_superset(theirs),
            (mine, Some(theirs)) => mine == theirs,
            (_, None) => false,
        });
        all && (self.part_keys().next().is_none() || self.part_keys().eq(other.part_keys()))
    }

    fn part_keys(&self) -> impl Iterator<Item = &'static str> + '_ {
        PartKey::ALL.into_iter().map(PartKey::name).filter(|key| self.0.contains_key(*key))
    }

    fn this(&mut self, key: impl Into<String>, test: Option<Value>) {
        if let Some(test) = test {
            self.0.insert(key.into(), Test::This(test.to_string()));
        }
    }

    fn any_of<T>(&mut self, key: &str, list: Option<&List<T>>, each: impl Fn(&T) -> Value) {
        if let Some(list) = list {
            let tests = list.iter().map(|item| each(item).to_string()).collect();
            self.0.insert(key.to_owned(), Test::AnyOf(tests));
        }
    }
}

fn texts(list: Option<&List<Spanned<String>>>) -> Value {
    list.map_or(Value::Null, |list| list.iter().map(|text| json!(text.value)).collect())
}

fn nodes(list: Option<&List<Node>>) -> Value {
    list.map_or(Value::Null, |list| list.iter().map(Node::to_json).collect())
}

/// A test of a value, without its places.
fn value(test: &ValueTest) -> Value {
    json!({
        "equals": test.equals.as_ref().map(|node| vec![node.to_json()]),
        "one_of": nodes(test.one_of.as_ref()),
        "glob": texts(test.glob.as_ref()),
        "regex": texts(test.regex.as_ref()),
        "contains": nodes(test.contains.as_ref()),
        "starts_with": texts(test.starts_with.as_ref()),
        "less_than": test.less_than.as_ref().map(|n| n.value.clone()),
        "greater_than": test.greater_than.as_ref().map(|n| n.value.clone()),
        "exists": test.exists.as_ref().map(|b| b.value),
        "type": test.type_name.as_ref().map(|list| list.iter().map(|t| t.as_str()).collect::<Vec<_>>()),
    })
}

fn command(written: &CommandFile) -> Value {
    match written {
        CommandFile::Pattern(text) => json!(text.value),
        CommandFile::Table(table) => command_table(table),
    }
}

fn command_table(table: &CommandTable) -> Value {
    let lists = |list: &List<Names>| list.iter().map(|names| texts(Some(names))).collect::<Vec<_>>();
    json!({
        "command": table.command.as_ref().map(|text| &text.value),
        "flags_all": table.flags_all.as_ref().map(lists),
        "flags_any": texts(table.flags_any.as_ref()),
        "only_flags": texts(table.only_flags.as_ref()),
        "operands": table.operands.as_ref().map(|list| list.iter().map(path).collect::<Vec<_>>()),
        "regex": texts(table.regex.as_ref()),
    })
}

fn path(written: &PathFile) -> Value {
    match written {
        PathFile::Pattern(text) => json!(text.value),
        PathFile::Outside(text) => json!({ "outside": text.value }),
        PathFile::Inside(text) => json!({ "inside": text.value }),
    }
}

fn fetch(written: &FetchFile) -> Value {
    match written {
        FetchFile::Pattern(text) => json!(text.value),
        FetchFile::Table(table) => json!({
            "host": texts(table.host.as_ref()),
            "method": texts(table.method.as_ref()),
            "scheme": texts(table.scheme.as_ref()),
            "port": table.port.as_ref().map(|list| list.iter().map(|port| port.value).collect::<Vec<_>>()),
            "path": texts(table.path.as_ref()),
        }),
    }
}
