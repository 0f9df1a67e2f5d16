//! What narrows a rule.

use super::args::{args, value_test};
use super::scalar::{flag, list, names, number, one_or_many, pattern, patterns, word};
use super::{Decoder, Kind, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::file::types::{
    CommandFile, CommandTable, ConditionsFile, ConfirmationTests, FetchFile, FetchTable, HintTests, List,
    Names, PathFile,
};
use crate::source::Spanned;

/// The keys of conditions, for whoever finds one in the wrong place.
pub(super) const KEYS: [&str; 16] = [
    "tool",
    "mcp_server",
    "agent",
    "mode",
    "args",
    "only_args",
    "hints",
    "requires_human",
    "reason",
    "confirmation",
    "runs",
    "reads",
    "writes",
    "touches",
    "fetches",
    "env",
];

/// `when` or `unless`.
pub(super) fn conditions(d: &mut Decoder<'_>, node: &Node) -> Option<ConditionsFile> {
    let mut f = d.fields(node, "conditions")?;
    if f.is_empty() {
        d.empty(node, "leave the key out");
        return None;
    }
    let conditions = ConditionsFile {
        span: node.span,
        tool: f.take(d, "tool", names),
        mcp_server: f.take(d, "mcp_server", names),
        agent: f.take(d, "agent", names),
        mode: f.take(d, "mode", names),
        args: f.take(d, "args", args).unwrap_or_default(),
        only_args: f.take(d, "only_args", |d, n| list(d, n, "names of arguments", pattern)),
        hints: f.take(d, "hints", hints).unwrap_or_default(),
        requires_human: f.take(d, "requires_human", flag),
        reason: f.take(d, "reason", word),
        confirmation: f.take(d, "confirmation", confirmation).unwrap_or_default(),
        runs: f.take(d, "runs", |d, n| items(d, n, "command patterns", command)),
        reads: f.take(d, "reads", paths),
        writes: f.take(d, "writes", paths),
        touches: f.take(d, "touches", paths),
        fetches: f.take(d, "fetches", |d, n| items(d, n, "network targets", fetch)),
        env: f.take(d, "env", names),
    };
    f.finish(d);
    Some(conditions)
}

impl Decoder<'_> {
    /// Tells of a table with nothing in it.
    pub(super) fn empty(&mut self, node: &Node, help: &str) {
        let finding = Diagnostic::error(Code::E0401, format!("{} has nothing in it", self.key));
        self.tell(finding.at(node.span, "empty").help(help));
    }
}

fn hints(d: &mut Decoder<'_>, node: &Node) -> Option<HintTests> {
    let mut f = d.fields(node, "hints")?;
    if f.is_empty() {
        d.empty(node, "leave the key out");
        return None;
    }
    let hints = HintTests {
        read_only: f.take(d, "read_only", flag),
        destructive: f.take(d, "destructive", flag),
        idempotent: f.take(d, "idempotent", flag),
        open_world: f.take(d, "open_world", flag),
    };
    f.finish(d);
    Some(hints)
}

fn confirmation(d: &mut Decoder<'_>, node: &Node) -> Option<ConfirmationTests> {
    let mut f = d.fields(node, "the preview")?;
    if f.is_empty() {
        d.empty(node, "leave the key out");
        return None;
    }
    let tests = ConfirmationTests {
        file_name: f.take(d, "file_name", value_test).map(Box::new),
        file_diff: f.take(d, "file_diff", value_test).map(Box::new),
        title: f.take(d, "title", value_test).map(Box::new),
    };
    f.finish(d);
    Some(tests)
}

/// A list of items, or one item that is a table.
fn items<'n, T>(
    d: &mut Decoder<'_>,
    node: &'n Node,
    what: &str,
    read: impl Fn(&mut Decoder<'_>, &'n Node) -> Option<T>,
) -> Option<List<T>> {
    match &node.kind {
        Kind::Map(_) => Some(Spanned::new(vec![read(d, node)?], node.span)),
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) | Kind::List(_) => {
            list(d, node, what, read)
        }
    }
}

/// One command pattern.
pub(super) fn command(d: &mut Decoder<'_>, node: &Node) -> Option<CommandFile> {
    if !matches!(node.kind, Kind::Map(_)) {
        return pattern(d, node).map(CommandFile::Pattern);
    }
    let flags = |d: &mut Decoder<'_>, n| list(d, n, "flags", pattern);
    let mut f = d.fields(node, "a command pattern")?;
    if f.is_empty() {
        d.empty(node, "write `command`, flags, `operands` or `regex`");
        return None;
    }
    let table = CommandTable {
        span: node.span,
        command: f.take(d, "command", pattern),
        flags_all: f.take(d, "flags_all", |d, n| list(d, n, "flags", spellings)),
        flags_any: f.take(d, "flags_any", flags),
        only_flags: f.take(d, "only_flags", flags),
        operands: f.take(d, "operands", paths),
        regex: f.take(d, "regex", patterns),
    };
    f.finish(d);
    Some(CommandFile::Table(table))
}

/// The spellings of one flag: a list, or the only one.
fn spellings(d: &mut Decoder<'_>, node: &Node) -> Option<Names> {
    if matches!(&node.kind, Kind::List(items) if items.is_empty()) {
        d.empty(node, "write how the flag is spelled, such as `[\"-f\", \"--force\"]`");
        return None;
    }
    patterns(d, node)
}

/// Path patterns.
pub(super) fn paths(d: &mut Decoder<'_>, node: &Node) -> Option<List<PathFile>> {
    items(d, node, "path patterns", path)
}

fn path(d: &mut Decoder<'_>, node: &Node) -> Option<PathFile> {
    if !matches!(node.kind, Kind::Map(_)) {
        return pattern(d, node).map(PathFile::Pattern);
    }
    let mut f = d.fields(node, "a place of files")?;
    let outside = f.entry("outside");
    let inside = f.entry("inside");
    if outside.is_some() == inside.is_some() {
        let message = if outside.is_some() {
            "`outside` and `inside` in one table"
        } else {
            "neither `outside` nor `inside`"
        };
        let written = d.table("outside", "\".\"");
        let finding =
            Diagnostic::error(Code::E0404, message).at(node.span, "exactly one of them stands here");
        d.tell(finding.help(format!("write `{written}`; what narrows it further goes into `unless`")));
    }
    f.finish(d);
    match (outside, inside) {
        (Some(dir), None) => d.under("outside", |d| pattern(d, &dir.value)).map(PathFile::Outside),
        (None, Some(dir)) => d.under("inside", |d| pattern(d, &dir.value)).map(PathFile::Inside),
        (None, None) | (Some(_), Some(_)) => None,
    }
}

fn fetch(d: &mut Decoder<'_>, node: &Node) -> Option<FetchFile> {
    if !matches!(node.kind, Kind::Map(_)) {
        return pattern(d, node).map(FetchFile::Pattern);
    }
    let mut f = d.fields(node, "a network target")?;
    if f.is_empty() {
        d.empty(node, "write `host`, `method`, `scheme`, `port` or `path`");
        return None;
    }
    let table = FetchTable {
        span: node.span,
        host: f.take(d, "host", patterns),
        method: f.take(d, "method", patterns),
        scheme: f.take(d, "scheme", patterns),
        port: f.take(d, "port", |d, n| one_or_many(d, n, port)),
        path: f.take(d, "path", patterns),
    };
    f.finish(d);
    Some(FetchFile::Table(table))
}

fn port(d: &mut Decoder<'_>, node: &Node) -> Option<Spanned<u16>> {
    let number = number(d, node)?;
    let port = number.as_u64().and_then(|n| u16::try_from(n).ok()).filter(|n| *n > 0);
    if port.is_none() {
        let finding = Diagnostic::error(Code::E0209, format!("`{}` is not a port", number.value));
        d.tell(finding.at(node.span, "").help("ports go from 1 to 65535"));
    }
    port.map(|port| Spanned::new(port, node.span))
}
