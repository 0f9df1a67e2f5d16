//! A policy as lints look at it: as written, and compiled.

use std::cell::OnceCell;

use super::dead::{Dead, dead};
use super::same::Table;
use crate::file::{ConditionsFile, Names, PolicyFile, RuleFile, RuleKindFile};
use crate::pattern::name::NameGlob;
use crate::policy::Policy;
use crate::rule::{Conditions, Rule};
use crate::source::{Sources, Span, Spanned};
use crate::suite::SuiteReport;

/// A policy that loads.
pub(super) struct Lintable<'a> {
    pub(super) files: &'a [PolicyFile],
    pub(super) policy: &'a Policy,
    pub(super) suite: Option<&'a SuiteReport>,
    /// The rules, in list order.
    pub(super) rules: Vec<RuleView<'a>>,
    dead: OnceCell<Vec<Dead>>,
}

/// A rule as written and compiled.
pub(super) struct RuleView<'a> {
    pub(super) file: &'a PolicyFile,
    pub(super) written: &'a RuleFile,
    pub(super) rule: &'a Rule,
    pub(super) when: Table,
    pub(super) unless: Table,
}

impl<'a> Lintable<'a> {
    pub(super) fn new(files: &'a [PolicyFile], policy: &'a Policy, suite: Option<&'a SuiteReport>) -> Self {
        let written = files.iter().flat_map(|file| file.rules.iter().map(move |rule| (file, rule)));
        let rules = written.zip(policy.rules()).map(|((file, written), rule)| RuleView {
            file,
            written,
            rule,
            when: Table::of(written.when.as_deref()),
            unless: Table::of(written.unless.as_deref()),
        });
        Self { files, policy, suite, rules: rules.collect(), dead: OnceCell::new() }
    }

    pub(super) fn sources(&self) -> &'a Sources {
        self.policy.sources()
    }

    /// The rules that no call reaches.
    pub(super) fn dead(&self) -> &[Dead] {
        self.dead.get_or_init(|| dead(&self.rules))
    }

    /// Where the policy's own file says its version.
    pub(super) fn version(&self) -> Option<Span> {
        self.files.first().map(|file| file.version.span)
    }

    /// `text` as a value in place of what stands at `span`, in the same quotes.
    pub(super) fn quoted(&self, span: Span, text: &str) -> String {
        match self.sources().text(span).chars().next() {
            Some(quote @ ('"' | '\'')) => format!("{quote}{text}{quote}"),
            Some(_) | None => text.to_owned(),
        }
    }
}

impl<'a> RuleView<'a> {
    pub(super) fn id(&self) -> &str {
        &self.rule.me.rule
    }

    /// The list of names, as written.
    pub(super) fn names(&self) -> Option<&'a Names> {
        match &self.written.kind {
            RuleKindFile::DenyByName(names) | RuleKindFile::AllowByName(names) => Some(names),
            RuleKindFile::AllowByReadOnly { .. }
            | RuleKindFile::DecideByHuman { .. }
            | RuleKindFile::AllowByDefault => None,
        }
    }

    /// Each name with its glob.
    pub(super) fn globs(&self) -> impl Iterator<Item = (&'a Spanned<String>, &'a NameGlob)> {
        let names = self.names().map(|names| names.value.as_slice()).unwrap_or_default();
        names.iter().zip(self.rule.names().unwrap_or_default())
    }

    /// Whether it has any condition.
    pub(super) fn is_conditional(&self) -> bool {
        self.written.when.is_some() || self.written.unless.is_some()
    }

    /// Whether it may allow without asking.
    pub(super) fn allows(&self) -> bool {
        match &self.written.kind {
            RuleKindFile::AllowByName(_)
            | RuleKindFile::AllowByReadOnly { .. }
            | RuleKindFile::AllowByDefault => true,
            RuleKindFile::DenyByName(_) | RuleKindFile::DecideByHuman { .. } => false,
        }
    }

    /// Its tables of conditions: what they are called, as written, compiled.
    pub(super) fn tables(&self) -> impl Iterator<Item = (&'static str, &'a ConditionsFile, &'a Conditions)> {
        let when = self.written.when.as_deref().map(|table| ("when", table, &*self.rule.when));
        let unless = self.written.unless.as_deref().map(|table| ("unless", table, &*self.rule.unless));
        when.into_iter().chain(unless)
    }

    /// Every list of names in it and its conditions, with what it is called.
    pub(super) fn name_lists(&self) -> Vec<(&'static str, &'a Names)> {
        let kind = self.names().map(|names| (self.written.kind.as_str(), names));
        let tables = self.tables().flat_map(|(_, table, _)| {
            [
                ("tool", &table.tool),
                ("mcp_server", &table.mcp_server),
                ("agent", &table.agent),
                ("mode", &table.mode),
                ("env", &table.env),
            ]
            .into_iter()
            .filter_map(|(key, names)| Some((key, names.as_ref()?)))
        });
        kind.into_iter().chain(tables).collect()
    }

    /// Every tool name in it: those of its kind, and those under `tool`.
    pub(super) fn tool_names(&self) -> impl Iterator<Item = &'a Spanned<String>> {
        let lists =
            self.name_lists().into_iter().filter(|(key, _)| key.ends_with("_by_name") || *key == "tool");
        lists.flat_map(|(_, names)| names.iter())
    }
}
