//! The tables as a person reads them.

use super::data;
use super::entry::{Is, ReadOnly};

/// One line of the tables: a program or sub-command, and when it is read-only or a project command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Described {
    /// `git log`.
    pub command: String,
    /// Other names of its last word.
    pub also: Vec<&'static str>,
    /// The family of programs that it stands with.
    pub family: &'static str,
    /// When it is read-only, in words; `None`: never.
    pub read_only: Option<String>,
    /// Whether it is in `@project`.
    pub project: bool,
    /// Options that make it something else, or that name a program, as they are written.
    pub except: Vec<String>,
    /// The options that change nothing about the claim.
    pub harmless: Vec<String>,
}

/// Every modelled program, in the order of the tables.
pub fn names() -> impl Iterator<Item = &'static str> {
    data::names()
}

/// What the tables say of a program and its sub-commands; empty when there is no model of it.
pub fn describe(name: &str) -> Vec<Described> {
    let Some(program) = data::find(name) else { return Vec::new() };
    let mut lines = Vec::new();
    for node in program.all() {
        let Ok(entry) = node.entry() else { continue };
        let read_only = match &entry.read_only {
            ReadOnly::Never => None,
            ReadOnly::Yes => Some("always".to_owned()),
            ReadOnly::With(names) => Some(format!("with {}", names.join(", "))),
            ReadOnly::Bare(names) if names.is_empty() => Some("without operands".to_owned()),
            ReadOnly::Bare(names) => Some(format!("without operands, or with {}", names.join(", "))),
        };
        let (except, harmless): (Vec<_>, Vec<_>) = entry.options.iter().partition(|o| o.is_dangerous());
        let shown = |o: &&super::entry::Opt| o.names.join(", ");
        lines.push(Described {
            command: node.path().to_owned(),
            also: node.also(),
            family: node.family(),
            read_only,
            project: entry.is(Is::Project),
            except: except.iter().map(shown).collect(),
            harmless: harmless.iter().map(shown).collect(),
        });
    }
    lines
}
