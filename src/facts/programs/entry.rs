//! One entry of the tables, parsed.

use std::borrow::Cow;

use super::data;

/// What a value or an operand is. The words of the tables, see [`data`].
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

    fn parse(name: &str) -> Result<Self, String> {
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
    Hook,
}

impl Effect {
    fn parse(name: &str) -> Result<Self, String> {
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

    /// Whether it names or runs a program.
    pub(super) fn runs(&self) -> bool {
        self.has(Effect::Run) || self.values.iter().any(|k| k.runs())
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
    is: u32,
    pub(super) read_only: ReadOnly,
    /// The operands in order; the flag says that this one takes many.
    pub(super) operands: Option<Vec<(Kind, bool)>>,
    /// What is used without operands; the flag says only when recursive.
    pub(super) default: Option<(Kind, &'static str, bool)>,
    pub(super) hook: Option<&'static str>,
    pub(super) options: Vec<Opt>,
    /// Every spelling, sorted, with its option and whether it takes a value.
    names: Vec<(Cow<'static, str>, usize, Arity)>,
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
        let at = self.names.binary_search_by(|(n, _, _)| n.as_ref().cmp(name)).ok()?;
        let (_, option, arity) = self.names.get(at)?;
        Some((self.options.get(*option)?, *arity))
    }

    /// The option that a long spelling abbreviates, where there is just one.
    pub(super) fn abbreviated(&self, start: &str) -> Option<(&Opt, Arity)> {
        if !self.is(Is::Gnu) || !start.starts_with("--") || start.len() < 3 {
            return None;
        }
        let from = self.names.partition_point(|(n, _, _)| n.as_ref() < start);
        let mut found = self.names.get(from..)?.iter().take_while(|(n, _, _)| n.starts_with(start));
        let (_, option, arity) = found.next()?;
        found.all(|(_, other, _)| other == option).then_some(())?;
        Some((self.options.get(*option)?, *arity))
    }
}

/// Parses the body of an entry.
pub(super) fn parse(body: &'static str) -> Result<Entry, String> {
    let mut entry = Entry::default();
    read(&mut entry, body, 0)?;
    for option in &entry.options {
        entry.dangerous |= option.is_dangerous();
        entry.may_run |= option.runs();
    }
    entry.dangerous |= entry.is(Is::Incomplete);
    entry.may_run |= entry.is(Is::Incomplete);
    entry.names.sort_by(|a, b| a.0.cmp(&b.0));
    for pair in entry.names.windows(2) {
        if let [a, b] = pair
            && a.0 == b.0
        {
            return Err(format!("`{}` is listed twice", a.0));
        }
    }
    Ok(entry)
}

fn read(entry: &mut Entry, body: &'static str, depth: usize) -> Result<(), String> {
    if depth > 8 {
        return Err("sets include each other".into());
    }
    for line in body.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut words = line.split(' ').filter(|w| !w.is_empty());
        let Some(first) = words.next() else { continue };
        match first {
            "is" => {
                for word in words {
                    property(entry, word)?;
                }
            }
            "operands" => {
                let kinds = words.map(|w| {
                    let many = w.strip_suffix("...");
                    Kind::parse(many.unwrap_or(w)).map(|k| (k, many.is_some() || k.takes_the_rest()))
                });
                entry.operands = Some(kinds.collect::<Result<_, _>>()?);
            }
            "default" | "default-recursive" => {
                let (Some(kind), Some(path)) = (words.next(), words.next()) else {
                    return Err("`default` needs a kind and a path".into());
                };
                entry.default = Some((Kind::parse(kind)?, path, first == "default-recursive"));
            }
            "read-only-with" => entry.read_only = ReadOnly::With(words.collect()),
            "read-only-bare" => entry.read_only = ReadOnly::Bare(words.collect()),
            "hook" => entry.hook = words.next(),
            "use" => {
                for name in words {
                    let set = data::set(name).ok_or_else(|| format!("there is no set `{name}`"))?;
                    read(entry, set, depth + 1)?;
                }
            }
            _ if !first.starts_with(char::is_alphabetic) || entry.is(Is::KeyValue) => {
                option(entry, first)?;
                for word in words {
                    option(entry, word)?;
                }
            }
            _ => return Err(format!("a line cannot start with `{first}`")),
        }
    }
    Ok(())
}

fn property(entry: &mut Entry, word: &str) -> Result<(), String> {
    let is = match word {
        "read-only" => {
            entry.read_only = ReadOnly::Yes;
            return Ok(());
        }
        "project" => Is::Project,
        "gnu" => Is::Gnu,
        "posix" => Is::Posix,
        "single-dash" => Is::SingleDash,
        "numeric" => Is::Numeric,
        "anywhere" => Is::Anywhere,
        "old-style" => Is::OldStyle,
        "key-value" => Is::KeyValue,
        "assignments" => Is::Assignments,
        "transparent" => Is::Transparent,
        "elsewhere" => Is::Elsewhere,
        "incomplete" => Is::Incomplete,
        "recursive" => Is::Recursive,
        "rebinds" => Is::Rebinds,
        "writes" => Is::Writes,
        "reads" => Is::Reads,
        "network" => Is::Network,
        "runs" => Is::Runs,
        "plain" => Is::Plain,
        _ => return Err(format!("unknown property `{word}`")),
    };
    entry.is |= is as u32;
    Ok(())
}

fn option(entry: &mut Entry, spec: &'static str) -> Result<(), String> {
    let mut parts = spec.split('!');
    let mut head = parts.next().unwrap_or_default();
    let mut effects = Vec::new();
    if head.is_empty() {
        // `!` itself, an operator of find.
        if spec == "!" {
            head = "!";
        } else {
            return Err(format!("`{spec}` has no spelling"));
        }
    } else {
        for effect in parts {
            effects.push(Effect::parse(effect)?);
        }
    }
    // A value's kinds follow the last mark; `=` holds for every spelling, `[=]` for its own.
    let (spellings, required, kinds) = value_of(head);
    let values: Vec<Kind> = match kinds {
        None if head.contains('[') && head.contains("[=]") => vec![Kind::Text],
        None => Vec::new(),
        Some(kinds) => kinds.split('+').map(Kind::parse).collect::<Result<_, _>>()?,
    };
    let index = entry.options.len();
    let mut names = Vec::new();
    // `,` itself is an operator of find.
    let separator = if spellings == "," { '\0' } else { ',' };
    for spelling in spellings.split(separator) {
        let (spelling, optional) = match spelling.strip_suffix("[=]") {
            Some(spelling) => (spelling, true),
            None => (spelling, false),
        };
        if spelling.is_empty() {
            return Err(format!("`{spec}` has an empty spelling"));
        }
        let arity = match (required, optional) {
            (_, true) => Arity::Optional,
            (true, false) => Arity::Required,
            (false, false) => Arity::None,
        };
        entry.bare_words |= !spelling.starts_with('-');
        let both: [Option<Cow<'static, str>>; 2] = match negatable(spelling) {
            Some((dashes, name)) => {
                [Some(format!("{dashes}{name}").into()), Some(format!("{dashes}no-{name}").into())]
            }
            None => [Some(spelling.into()), None],
        };
        for (nth, name) in both.into_iter().flatten().enumerate() {
            // `--no-x` never takes the value of `--x`.
            let arity = if nth == 1 { Arity::None } else { arity };
            entry.names.push((name.clone(), index, arity));
            names.push(name);
        }
    }
    entry.options.push(Opt { names, values, effects });
    Ok(())
}

/// `--[no-]color` is `--` and `color`.
fn negatable(spelling: &'static str) -> Option<(&'static str, &'static str)> {
    if spelling.contains('[') { spelling.split_once("[no-]") } else { None }
}

/// Splits `-o,--output=write` into the spellings, whether a value is required, and the kinds, where there is a value.
fn value_of(head: &'static str) -> (&'static str, bool, Option<&'static str>) {
    if head.contains('[')
        && let Some(at) = head.rfind("[=]")
    {
        let after = at + "[=]".len();
        let (spellings, kinds) = head.split_at_checked(after).unwrap_or((head, ""));
        // A later spelling may stand without a value: `-i[=],--quiet`.
        if !kinds.contains(',') && !kinds.contains('=') {
            return (spellings, false, Some(kinds));
        }
        return (head, false, None);
    }
    match head.split_once('=') {
        Some((spellings, kinds)) => (spellings, true, Some(kinds)),
        None => (head, false, None),
    }
}
