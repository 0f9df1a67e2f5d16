//! One entry of the tables, parsed.

use std::borrow::Cow;

/// What a value or an operand is. The words of the tables, see [`super::data`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Text,
    Pattern,
    Read,
    Write,
    ReadWrite,
    Tree,
    WriteTree,
    ReadMaybe,
    WriteMaybe,
    PathSpec,
    AtRead,
    Config,
    Dest,
    Cwd,
    Url,
    Host,
    Remote,
    RemoteDest,
    Method,
    Script,
    ScriptWords,
    Code,
    ScriptFile,
    Program,
    Words,
    Exec,
    Until,
    Package,
    SedScript,
    AwkProgram,
}

impl Kind {
    const ALL: &'static [(&'static str, Self)] = &[
        ("text", Self::Text),
        ("pattern", Self::Pattern),
        ("read", Self::Read),
        ("write", Self::Write),
        ("read-write", Self::ReadWrite),
        ("tree", Self::Tree),
        ("write-tree", Self::WriteTree),
        ("read-maybe", Self::ReadMaybe),
        ("write-maybe", Self::WriteMaybe),
        ("pathspec", Self::PathSpec),
        ("at-read", Self::AtRead),
        ("config", Self::Config),
        ("dest", Self::Dest),
        ("cwd", Self::Cwd),
        ("url", Self::Url),
        ("host", Self::Host),
        ("remote", Self::Remote),
        ("remote-dest", Self::RemoteDest),
        ("method", Self::Method),
        ("script", Self::Script),
        ("script-words", Self::ScriptWords),
        ("code", Self::Code),
        ("script-file", Self::ScriptFile),
        ("program", Self::Program),
        ("words", Self::Words),
        ("exec", Self::Exec),
        ("until", Self::Until),
        ("package", Self::Package),
        ("sed-script", Self::SedScript),
        ("awk-program", Self::AwkProgram),
    ];

    pub(super) fn parse(name: &str) -> Result<Self, String> {
        if name.is_empty() {
            return Ok(Self::Text);
        }
        Self::ALL
            .iter()
            .find(|(n, _)| *n == name)
            .map(|(_, k)| *k)
            .ok_or_else(|| format!("unknown kind `{name}`"))
    }

    /// Whether it takes this word and those after it.
    pub(super) fn takes_the_rest(self) -> bool {
        matches!(self, Self::Exec | Self::ScriptWords | Self::Package)
    }

    /// Whether something of this kind is run.
    pub(super) fn runs(self) -> bool {
        match self {
            Self::Config
            | Self::Script
            | Self::ScriptWords
            | Self::Code
            | Self::ScriptFile
            | Self::Program
            | Self::Words
            | Self::Exec
            | Self::Until
            | Self::Package
            | Self::SedScript
            | Self::AwkProgram => true,
            Self::Text
            | Self::Pattern
            | Self::Read
            | Self::Write
            | Self::ReadWrite
            | Self::Tree
            | Self::WriteTree
            | Self::ReadMaybe
            | Self::WriteMaybe
            | Self::PathSpec
            | Self::AtRead
            | Self::Dest
            | Self::Cwd
            | Self::Url
            | Self::Host
            | Self::Remote
            | Self::RemoteDest
            | Self::Method => false,
        }
    }

    /// Whether nothing but reading is done with it.
    pub(super) fn only_reads(self) -> bool {
        matches!(
            self,
            Self::Text
                | Self::Pattern
                | Self::Read
                | Self::Tree
                | Self::ReadMaybe
                | Self::PathSpec
                | Self::AtRead
                | Self::Cwd
        )
    }
}

/// What an option does besides its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    No,
    Write,
    Read,
    Run,
    Net,
    InPlace,
    Recursive,
    Rebinds,
    NoPattern,
    Opaque,
    Elsewhere,
    Neutral,
    Query,
    Last,
    Number,
    Hook,
}

impl Effect {
    pub(super) fn parse(name: &str) -> Result<Self, String> {
        Ok(match name {
            "no" => Self::No,
            "write" => Self::Write,
            "read" => Self::Read,
            "run" => Self::Run,
            "net" => Self::Net,
            "in-place" => Self::InPlace,
            "recursive" => Self::Recursive,
            "rebinds" => Self::Rebinds,
            "no-pattern" => Self::NoPattern,
            "opaque" => Self::Opaque,
            "elsewhere" => Self::Elsewhere,
            "neutral" => Self::Neutral,
            "query" => Self::Query,
            "last" => Self::Last,
            "number" => Self::Number,
            "hook" => Self::Hook,
            _ => return Err(format!("unknown effect `{name}`")),
        })
    }

    /// Whether a command with it is no longer read-only.
    pub(super) fn is_dangerous(self) -> bool {
        matches!(self, Self::No | Self::Write | Self::Run | Self::Net | Self::InPlace | Self::Rebinds)
    }
}

/// Whether a spelling takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arity {
    None,
    Required,
    Optional,
}

/// One option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Opt {
    /// Its spellings, dashes included.
    pub(super) names: Vec<Cow<'static, str>>,
    /// What its values are; one where it takes one, or may take one.
    pub(super) values: Vec<Kind>,
    /// What it does besides.
    pub(super) effects: Vec<Effect>,
}

impl Opt {
    /// Whether it does this.
    pub(super) fn has(&self, effect: Effect) -> bool {
        self.effects.contains(&effect)
    }

    /// Whether a command with it is no longer read-only.
    pub(super) fn is_dangerous(&self) -> bool {
        self.effects.iter().any(|e| e.is_dangerous()) || self.values.iter().any(|k| !k.only_reads())
    }

    /// Whether its value names a program, or is code.
    pub(super) fn names_program(&self) -> bool {
        self.values.iter().any(|k| k.runs())
    }
}

/// What stands between the words `read-only` and not.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub(super) enum ReadOnly {
    /// Never, but for `!query` options.
    #[default]
    Never,
    /// As long as nothing says otherwise.
    Yes,
    /// Only with one of these options.
    With(Vec<&'static str>),
    /// Without operands, or with one of these options.
    Bare(Vec<&'static str>),
}

/// A property (`is`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Is {
    Project = 1,
    Gnu = 1 << 1,
    Posix = 1 << 2,
    SingleDash = 1 << 3,
    Numeric = 1 << 4,
    Anywhere = 1 << 5,
    OldStyle = 1 << 6,
    KeyValue = 1 << 7,
    Assignments = 1 << 8,
    Transparent = 1 << 9,
    Elsewhere = 1 << 10,
    Incomplete = 1 << 11,
    Recursive = 1 << 12,
    Rebinds = 1 << 13,
    Writes = 1 << 14,
    Reads = 1 << 15,
    Network = 1 << 16,
    Runs = 1 << 17,
    Plain = 1 << 18,
}

/// A program or sub-command.
#[derive(Clone, Debug, Default)]
pub(super) struct Entry {
    pub(super) is: u32,
    pub(super) read_only: ReadOnly,
    /// The operands in order; the flag says that this one takes many.
    pub(super) operands: Option<Vec<(Kind, bool)>>,
    /// What is used without operands; the flag says only when recursive.
    pub(super) default: Option<(Kind, &'static str, bool)>,
    pub(super) hook: Option<&'static str>,
    pub(super) options: Vec<Opt>,
    /// Every spelling, with its option and whether it takes a value.
    pub(super) names: Vec<(Cow<'static, str>, usize, Arity)>,
    /// A hash table of `names`: positions, from 1; 0 is free.
    pub(super) slots: Vec<u16>,
    /// Some options have no dash.
    pub(super) bare_words: bool,
    /// Some option writes, sends or runs.
    pub(super) dangerous: bool,
    /// Some option names or runs a program.
    pub(super) may_run: bool,
}

impl Entry {
    /// Whether it has this property.
    pub(super) fn is(&self, property: Is) -> bool {
        self.is & property as u32 != 0
    }

    /// The options that its lines `read-only-with` and `read-only-bare` name.
    #[cfg(test)]
    pub(super) fn named(&self) -> &[&'static str] {
        match &self.read_only {
            ReadOnly::With(names) | ReadOnly::Bare(names) => names,
            ReadOnly::Yes | ReadOnly::Never => &[],
        }
    }

    /// The option with exactly this spelling.
    pub(super) fn option(&self, name: &str) -> Option<(&Opt, Arity)> {
        let mask = self.slots.len().checked_sub(1)?;
        let mut at = hash(name) & mask;
        loop {
            let position = usize::from(*self.slots.get(at)?).checked_sub(1)?;
            let (found, option, arity) = self.names.get(position)?;
            if found == name {
                return Some((self.options.get(*option)?, *arity));
            }
            at = (at + 1) & mask;
        }
    }

    /// The option that a long spelling abbreviates, where there is just one.
    pub(super) fn abbreviated(&self, start: &str) -> Option<(&Opt, Arity)> {
        if !self.is(Is::Gnu) || !start.starts_with("--") || start.len() < 3 {
            return None;
        }
        let mut found = self.names.iter().filter(|(n, _, _)| n.starts_with(start));
        let (_, option, arity) = found.next()?;
        found.all(|(_, other, _)| other == option).then_some(())?;
        Some((self.options.get(*option)?, *arity))
    }
}

/// FNV-1a.
pub(super) fn hash(name: &str) -> usize {
    let hash =
        name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    (hash ^ (hash >> 15)) as usize
}
