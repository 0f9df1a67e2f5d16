//! A rule: exactly one kind, and the keys that go with it.

use super::condition::{KEYS, conditions};
use super::duration::duration;
use super::fields::Fields;
use super::guess::guess;
use super::names::id;
use super::scalar::{flag, names, said, text};
use super::{Decoder, Kind, Node, found};
use crate::diagnostic::{Code, Diagnostic};
use crate::file::tree::Entry;
use crate::file::types::{RuleFile, RuleKindFile, Table, TrustMcp};

const KINDS: [&str; 5] =
    ["deny_by_name", "allow_by_name", "allow_by_read_only", "decide_by_human", "allow_by_default"];

/// Reads one rule.
pub(super) fn rule(d: &mut Decoder<'_>, node: &Node) -> Option<RuleFile> {
    let mut f = d.fields(node, "a rule")?;
    let kinds: Vec<&Entry> = KINDS.iter().filter_map(|key| f.entry(key)).collect();
    let kind = one_kind(d, node, &mut f, &kinds).and_then(|entry| Some((entry, kind(d, entry)?)));
    let entries = ["reason", "stop", "set"].map(|key| f.entry(key));
    if let [entry] = kinds.as_slice() {
        for other in entries.iter().flatten() {
            goes_with(d, other, entry);
        }
    }
    let [reason, stop, set] = entries;
    let reason = reason.and_then(|e| d.under("reason", |d| said(d, &e.value)));
    let stop = stop.and_then(|e| d.under("stop", |d| flag(d, &e.value)));
    let set = set.and_then(|e| d.under("set", |d| changes(d, &e.value)));
    let id = f.take(d, "id", id);
    let description = f.take(d, "description", text);
    let when = f.take(d, "when", conditions);
    let unless = f.take(d, "unless", conditions);
    f.finish_with(d, |_, key| {
        KEYS.contains(&key).then(|| format!("conditions stand under `when`: write `when.{key}`"))
    });
    let (entry, kind) = kind?;
    Some(RuleFile {
        kind,
        kind_span: entry.key.span,
        id,
        description,
        reason,
        stop,
        when: when.map(Box::new),
        unless: unless.map(Box::new),
        set,
        span: node.span,
    })
}

/// The one kind of a rule, or the problem that there is not one.
fn one_kind<'n>(
    d: &mut Decoder<'_>,
    node: &Node,
    f: &mut Fields<'n>,
    kinds: &[&'n Entry],
) -> Option<&'n Entry> {
    let list = || KINDS.map(|kind| format!("`{kind}`")).join(", ");
    match kinds {
        [kind] => return Some(kind),
        [] => {
            let meant = f.left().iter().find_map(|e| Some((*e, guess(&e.key, KINDS)?)));
            d.tell(match meant {
                Some((entry, meant)) => {
                    let span = entry.key.span;
                    f.skip(entry);
                    Diagnostic::error(Code::E0303, format!("there is no kind of rule `{}`", entry.key.value))
                        .at(span, "not a kind")
                        .suggest(format!("did you mean `{meant}`?"), span, d.as_key(span, meant))
                        .note(format!("kinds: {}", KINDS.join(", ")))
                }
                None => Diagnostic::error(Code::E0301, "this rule has no kind")
                    .at(node.span, "says nothing of calls")
                    .help(format!("write one of {}", list())),
            });
        }
        [first, second, ..] => {
            let message = format!("this rule is both `{}` and `{}`", first.key.value, second.key.value);
            let finding = Diagnostic::error(Code::E0302, message).at(second.key.span, "a second kind");
            d.tell(
                finding.also(first.key.span, "the first kind").help("a rule has one kind: write two rules"),
            );
        }
    }
    None
}

fn kind(d: &mut Decoder<'_>, entry: &Entry) -> Option<RuleKindFile> {
    let (key, node) = (entry.key.as_str(), &entry.value);
    if matches!(node.kind, Kind::Bool(false)) {
        let finding = Diagnostic::error(Code::E0304, format!("`{key}` cannot be `false`"));
        d.tell(finding.at(node.span, "a rule is not switched off").help("remove the rule"));
        return None;
    }
    d.under(key, |d| match key {
        "deny_by_name" => by_name(d, node).map(RuleKindFile::DenyByName),
        "allow_by_name" => by_name(d, node).map(RuleKindFile::AllowByName),
        "allow_by_read_only" => read_only(d, node),
        "decide_by_human" => human(d, node),
        _ => default(d, node),
    })
}

fn by_name(d: &mut Decoder<'_>, node: &Node) -> Option<crate::file::types::Names> {
    if matches!(node.kind, Kind::Bool(_) | Kind::Null | Kind::Map(_)) {
        let finding = Diagnostic::error(
            Code::E0305,
            format!("{} takes a list of name patterns, found {}", d.key, found(node)),
        );
        d.tell(
            finding
                .at(node.span, "not a list")
                .help("write names, such as `[\"Bash\"]`; `[\"*\"]` is every tool"),
        );
        return None;
    }
    names(d, node)
}

fn read_only(d: &mut Decoder<'_>, node: &Node) -> Option<RuleKindFile> {
    let table = d.table("trust_mcp", "[\"docs\"]");
    if !d.switched_on(node, &table)? {
        return Some(RuleKindFile::AllowByReadOnly { trust_mcp: TrustMcp::None });
    }
    let mut f = d.fields(node, "`allow_by_read_only`")?;
    let trust_mcp = f.take(d, "trust_mcp", |d, n| match &n.kind {
        Kind::Bool(true) => Some(TrustMcp::All),
        Kind::Bool(false) => Some(TrustMcp::None),
        Kind::Null | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) | Kind::List(_) | Kind::Map(_) => {
            super::scalar::list(d, n, "server patterns", super::scalar::pattern).map(TrustMcp::Servers)
        }
    });
    f.finish(d);
    Some(RuleKindFile::AllowByReadOnly { trust_mcp: trust_mcp.unwrap_or_default() })
}

fn human(d: &mut Decoder<'_>, node: &Node) -> Option<RuleKindFile> {
    let table = d.table("timeout", "\"10m\"");
    if !d.switched_on(node, &table)? {
        return Some(RuleKindFile::DecideByHuman { timeout: None, question: None });
    }
    let mut f = d.fields(node, "`decide_by_human`")?;
    let timeout = f.take(d, "timeout", duration);
    let question = f.take(d, "question", said);
    f.finish(d);
    Some(RuleKindFile::DecideByHuman { timeout, question })
}

fn default(d: &mut Decoder<'_>, node: &Node) -> Option<RuleKindFile> {
    if matches!(node.kind, Kind::Bool(true)) {
        return Some(RuleKindFile::AllowByDefault);
    }
    let finding = Diagnostic::error(Code::E0305, format!("{} takes `true`, found {}", d.key, found(node)));
    d.tell(finding.at(node.span, "not `true`").suggest("write `true`", node.span, "true"));
    None
}

impl Decoder<'_> {
    /// For a kind that is `true` or a table: whether it is a table. `None` when it is neither.
    fn switched_on(&mut self, node: &Node, table: &str) -> Option<bool> {
        match &node.kind {
            Kind::Bool(true) => Some(false),
            Kind::Map(_) => Some(true),
            Kind::Bool(false) | Kind::Null | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) | Kind::List(_) => {
                let message = format!("{} takes `true` or a table, found {}", self.key, found(node));
                let finding = Diagnostic::error(Code::E0305, message).at(node.span, "neither");
                self.tell(finding.help(format!("write `true` or `{table}`")));
                None
            }
        }
    }
}

/// Arguments to change: a table with something in it.
fn changes(d: &mut Decoder<'_>, node: &Node) -> Option<Table<Node>> {
    let entries = d.entries(node, "a table of arguments")?;
    if entries.is_empty() {
        let finding = Diagnostic::error(Code::E0207, "`set` changes nothing").at(node.span, "empty");
        d.tell(finding.help("name an argument, or leave the key out"));
        return None;
    }
    Some(entries.iter().map(|e| (e.key.clone(), e.value.clone())).collect())
}

/// Tells when `entry` does not go with the kind of the rule.
fn goes_with(d: &mut Decoder<'_>, entry: &Entry, kind: &Entry) {
    let deny = kind.key.value == "deny_by_name";
    let (key, kind_name) = (entry.key.as_str(), kind.key.as_str());
    let help = match (key, deny) {
        ("reason" | "stop", true) | ("set", false) => return,
        ("set", true) => "a call that is denied does not run: leave it out",
        ("reason", false) if kind_name == "decide_by_human" => {
            "what the person is asked is `question`, in the table of `decide_by_human`"
        }
        ("reason", false) => {
            "the model is told nothing when a call is allowed; notes for people go into `description`"
        }
        (_, _) => "only a denial stops the turn: leave it out",
    };
    let finding = Diagnostic::error(Code::E0306, format!("`{key}` does not go with `{kind_name}`"));
    d.tell(finding.at(entry.key.span, "").also(kind.key.span, "the kind of the rule").help(help));
}
