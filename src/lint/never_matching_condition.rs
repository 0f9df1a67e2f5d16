//! Conditions that no call satisfies.

mod values;

use super::lintable::{Lintable, RuleView};
use super::{Sink, lint, nearest};
use crate::call::Mode;
use crate::diagnostic::Diagnostic;
use crate::file::{ConditionsFile, Names};
use crate::pattern::coverage::{BUDGET, Overlap, intersects};
use crate::pattern::name::NameGlob;
use crate::source::Span;

lint! {
    /// ## What it does
    ///
    /// Finds names and conditions that nothing can match: a set without characters (`[z-a]`), an empty list, a number below 1 and above 2,
    /// a value that its own other operators refuse, a mode that does not exist, hints that contradict each other, a `tool` outside the names of the
    /// rule, an argument that `only_args` leaves out, and an `unless` that holds whenever `when` does.
    ///
    /// ## Why this is bad
    ///
    /// The rule never decides, or its exception never holds.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["transfer"]
    /// when.args.amount = { less_than = 10, greater_than = 100 }  # here
    /// reason = "Too much."
    /// [[rules]]
    /// allow_by_name = ["read_file"]
    /// when.mode = ["acceptEdits"]  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["transfer"]
    /// when.args.amount = { greater_than = 100 }
    /// reason = "Too much."
    /// [[rules]]
    /// allow_by_name = ["read_file"]
    /// when.mode = ["accept_edits"]
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    NEVER_MATCHING_CONDITION = Warn "never-matching-condition": "a condition that no call satisfies"
}

const MODES: [Mode; 3] = [Mode::Default, Mode::AcceptEdits, Mode::Yolo];

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for rule in &lintable.rules {
        names(rule, sink);
        outside_names(rule, sink);
        for (key, table, compiled) in rule.tables() {
            let effect = Effect(key);
            empty_lists(table, rule.rule.denies() || rule.rule.asks(), effect, sink);
            modes(lintable, table, effect, sink);
            contradictions(table, effect, sink);
            values::check(table, compiled, effect, sink);
        }
        let excepted = !rule.unless.is_empty() && rule.unless.asks_no_more_than(&rule.when);
        if let Some(unless) = rule.written.unless.as_ref().filter(|_| excepted) {
            let when = rule.written.when.as_ref().map(|when| when.span);
            let mut finding = NEVER_MATCHING_CONDITION
                .finding(format!("`unless` of rule `{}` holds whenever `when` does", rule.id()))
                .at(first_line(lintable, unless.span), "excepts all that the rule speaks of");
            if let Some(when) = when {
                finding = finding.also(first_line(lintable, when), "");
            }
            sink.push(finding.help("narrow `unless`, or remove the rule"));
        }
    }
}

/// What follows when a condition of this table never holds.
#[derive(Clone, Copy)]
struct Effect(&'static str);

impl Effect {
    fn text(self) -> &'static str {
        if self.0 == "when" { "so the rule never decides" } else { "so the exception never holds" }
    }

    fn finding(self, what: impl std::fmt::Display, span: Span) -> Diagnostic {
        NEVER_MATCHING_CONDITION.finding(format!("{what}, {}", self.text())).at(span, "never holds")
    }
}

fn first_line(lintable: &Lintable<'_>, span: Span) -> Span {
    let length = lintable.sources().text(span).lines().next().map_or(0, str::len);
    Span::new(span.source, span.start as usize..span.start as usize + length)
}

/// Globs that match nothing.
fn names(rule: &RuleView<'_>, sink: &mut Sink) {
    for name in rule.name_lists().into_iter().flat_map(|(_, names)| names.iter()) {
        if NameGlob::new(&name.value).can_match_nothing() {
            sink.push(
                NEVER_MATCHING_CONDITION
                    .finding(format!("`{}` matches no name", name.value))
                    .at(name.span, "has a set without characters")
                    .help("a range goes from the lower character to the higher, such as `[a-z]`"),
            );
        }
    }
}

/// Lists with nothing in them. What an allow says of variables is a permission, so none is fine there.
fn empty_lists(table: &ConditionsFile, env: bool, effect: Effect, sink: &mut Sink) {
    let names =
        |names: &Option<Names>| names.as_ref().filter(|names| names.is_empty()).map(|names| names.span);
    let lists = [
        ("tool", names(&table.tool)),
        ("mcp_server", names(&table.mcp_server)),
        ("agent", names(&table.agent)),
        ("mode", names(&table.mode)),
        ("env", names(&table.env).filter(|_| env)),
        ("runs", table.runs.as_ref().filter(|list| list.is_empty()).map(|list| list.span)),
        ("reads", table.reads.as_ref().filter(|list| list.is_empty()).map(|list| list.span)),
        ("writes", table.writes.as_ref().filter(|list| list.is_empty()).map(|list| list.span)),
        ("touches", table.touches.as_ref().filter(|list| list.is_empty()).map(|list| list.span)),
        ("fetches", table.fetches.as_ref().filter(|list| list.is_empty()).map(|list| list.span)),
    ];
    for (key, span) in lists {
        if let Some(span) = span {
            let finding = effect.finding(format!("`{key}` is an empty list"), span);
            sink.push(finding.help("write a pattern, or leave the key out"));
        }
    }
}

/// Modes that no call is in.
fn modes(lintable: &Lintable<'_>, table: &ConditionsFile, effect: Effect, sink: &mut Sink) {
    let known = MODES.map(Mode::name);
    let matches = |glob: &str, mode: &str| NameGlob::new(glob).matches(mode);
    let Some(names) = &table.mode else { return };
    for name in names.iter().filter(|name| !name.value.is_empty()) {
        if known.iter().any(|mode| matches(&name.value, mode))
            || NameGlob::new(&name.value).can_match_nothing()
        {
            continue;
        }
        let finding = NEVER_MATCHING_CONDITION
            .finding(format!("there is no mode `{}`", name.value))
            .at(name.span, "no call is in this mode");
        let plain = name.value.to_lowercase();
        let near =
            known.into_iter().find(|mode| mode.replace('_', "") == plain).or_else(|| nearest(&plain, known));
        sink.push(match near {
            Some(near) => finding.suggest(
                format!("did you mean `{near}`?"),
                name.span,
                lintable.quoted(name.span, near),
            ),
            None => finding
                .help("modes are `default`, `accept_edits` and `yolo`; those of hosts are mapped to them"),
        });
    }
    let only_yolo = !names.is_empty()
        && names.iter().all(|name| known.iter().all(|m| *m == "yolo" || !matches(&name.value, m)));
    let yolo = names.iter().any(|name| matches(&name.value, "yolo"));
    if let Some(asks) = table.requires_human.as_ref().filter(|asks| asks.value && only_yolo && yolo) {
        let finding = effect.finding("nobody is asked in the mode `yolo`", asks.span);
        sink.push(finding.also(names.span, "this mode only").help("leave one of the two out"));
    }
}

/// Conditions that cannot hold together.
fn contradictions(table: &ConditionsFile, effect: Effect, sink: &mut Sink) {
    let hints = &table.hints;
    if let Some(read_only) = hints.read_only.as_ref().filter(|hint| hint.value) {
        let destructive = hints.destructive.as_ref().filter(|hint| hint.value);
        let again = hints.idempotent.as_ref().filter(|hint| !hint.value);
        for (what, other) in [("destructive", destructive), ("not idempotent", again)] {
            if let Some(other) = other {
                let finding = effect.finding(format!("no call is both read-only and {what}"), other.span);
                sink.push(
                    finding.also(read_only.span, "wants a read-only call").help("leave one of the two out"),
                );
            }
        }
    }
    if let Some(only) = &table.only_args {
        for test in &table.args {
            let absent = test.test.exists.as_ref().is_some_and(|exists| !exists.value);
            let path = test.path.text.as_str();
            let first = path.split(['.', '[']).next().unwrap_or(path);
            let left = only
                .iter()
                .any(|name| name.value == path || name.value == first || path.starts_with(name.as_str()));
            if !absent && !left {
                let finding =
                    effect.finding(format!("`only_args` leaves out the argument `{path}`"), only.span);
                sink.push(
                    finding
                        .also(test.path.span, "this argument is needed")
                        .help(format!("add `{first}` to `only_args`")),
                );
            }
        }
    }
}

/// Conditions on the tool or the server that fit none of the rule's names. A denial also matches the host's own spelling of a name, of
/// which nothing is known here.
fn outside_names(rule: &RuleView<'_>, sink: &mut Sink) {
    let (Some(names), Some(when)) = (rule.rule.names(), &rule.written.when) else { return };
    if rule.rule.denies() || names.is_empty() {
        return;
    }
    let outside = |globs: &[NameGlob]| {
        let apart = |a: &NameGlob, b: &NameGlob| matches!(intersects(a, b, BUDGET / 100), Overlap::No);
        !globs.is_empty() && names.iter().all(|name| globs.iter().all(|glob| apart(name, glob)))
    };
    if let (Some(tools), Some(written)) = (&rule.rule.when.tool, &when.tool)
        && outside(tools)
    {
        let finding = Effect("when").finding("`tool` fits none of the names of this rule", written.span);
        sink.push(
            finding
                .also(rule.written.kind_span, "these names")
                .help("leave `tool` out: the rule has its names"),
        );
    }
    if let (Some(servers), Some(written)) = (&rule.rule.when.mcp_server, &when.mcp_server) {
        let tools: Vec<NameGlob> =
            servers.iter().map(|glob| NameGlob::new(&format!("{}__*", glob.as_str()))).collect();
        if outside(&tools) {
            let finding =
                Effect("when").finding("no name of this rule is one of a tool of this server", written.span);
            sink.push(
                finding
                    .also(rule.written.kind_span, "these names")
                    .help("a tool of a server is `server__tool`"),
            );
        }
    }
}
