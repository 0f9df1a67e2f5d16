//! Conditions and command sets, from text to matchers.

use std::collections::HashMap;

use crate::arg::ArgPath;
use crate::call::AskReason;
use crate::diagnostic::{Code, Diagnostic};
use crate::file::{
    self, CommandFile, CommandSetFile, CommandTable, ConditionsFile, FetchFile, FetchTable, Names, PathFile,
    PolicyFile, ValueTest,
};
use crate::logic::PatternError;
use crate::pattern::command::{CommandPattern, CommandRegex, TablePattern, WordsPattern};
use crate::pattern::name::NameGlob;
use crate::pattern::path::PathPattern;
use crate::pattern::url::UrlPattern;
use crate::pattern::value::{Operator, ValueCondition, ValueRegex, ValueType};
use crate::rule::{Conditions, Hint, PartConditions, PartKey, Preview};
use crate::source::{Span, Spanned};

/// A regex or pattern of more characters is an error.
const MAX_PATTERN: usize = 4096;

/// A pattern that is none, with the place inside it where the text stands as it is written.
pub(super) fn bad_pattern(code: Code, error: &PatternError, span: Span, text: &str) -> Diagnostic {
    // Quotes make the text one byte longer on either side; with escapes in it the place inside is not known.
    let plain = span.end.saturating_sub(span.start) as usize == text.len() + 2;
    let inside = error.at.start < error.at.end && error.at.end <= text.len();
    let at = if plain && inside && error.at != (0..text.len()) {
        let start = span.start as usize + 1;
        Span::new(span.source, start + error.at.start..start + error.at.end)
    } else {
        span
    };
    let found = Diagnostic::error(code, error.message.clone()).at(at, "here");
    match &error.help {
        Some(help) => found.help(help.clone()),
        None => found,
    }
}

/// The command sets of a policy, and what it adds to the built-in ones.
pub(super) struct Sets(HashMap<String, Vec<CommandPattern>>);

impl Sets {
    pub(super) fn of(files: &[PolicyFile], problems: &mut Vec<Diagnostic>) -> Self {
        let mut sets = Self(HashMap::new());
        let written: Vec<_> = files.iter().flat_map(|file| file.command_sets.iter()).collect();
        // A set may use another that is written before it, so that none can hold itself.
        for (name, set) in written {
            if sets.0.contains_key(&name.value) {
                continue;
            }
            match set {
                CommandSetFile::List(list) => {
                    let patterns = list.iter().filter_map(|item| command(item, &sets, problems)).collect();
                    sets.0.insert(name.value.clone(), patterns);
                }
                CommandSetFile::Change(change) => {
                    for (list, key) in [(&change.add, "add"), (&change.remove, "remove")] {
                        let patterns: Vec<_> = list
                            .iter()
                            .flat_map(|l| l.iter())
                            .filter_map(|item| command(item, &sets, problems))
                            .collect();
                        sets.0.insert(format!("{}/{key}", name.value), patterns);
                    }
                }
            }
        }
        sets
    }

    fn named(&self, name: &str) -> Option<CommandPattern> {
        let changed = |built_in: CommandPattern| {
            let list = |key: &str| self.0.get(&format!("{name}/{key}")).cloned().unwrap_or_default();
            let (add, remove) = (list("add"), list("remove"));
            if add.is_empty() && remove.is_empty() {
                return built_in;
            }
            CommandPattern::Changed { set: Box::new(built_in), add, remove }
        };
        match name {
            "read-only" => Some(changed(CommandPattern::ReadOnly)),
            "project" => Some(changed(CommandPattern::Project)),
            _ => self.0.get(name).map(|patterns| CommandPattern::Set(name.to_owned(), patterns.clone())),
        }
    }

    /// What `[command_sets]` says of the built-in read-only set, where it says something.
    pub(super) fn read_only(&self) -> Option<CommandPattern> {
        self.named("read-only").filter(|p| !matches!(p, CommandPattern::ReadOnly))
    }

    fn known(&self) -> String {
        let mut names: Vec<&str> = self.0.keys().map(String::as_str).filter(|n| !n.contains('/')).collect();
        names.extend(["read-only", "project"]);
        names.sort_unstable();
        names.iter().map(|n| format!("`@{n}`")).collect::<Vec<_>>().join(", ")
    }
}

fn globs(names: Option<&Names>) -> Option<Vec<NameGlob>> {
    Some(names?.iter().map(|name| NameGlob::new(&name.value)).collect())
}

/// Compiles one table.
pub(super) fn compile(written: &ConditionsFile, sets: &Sets, problems: &mut Vec<Diagnostic>) -> Conditions {
    let mut args = Vec::new();
    for test in &written.args {
        match ArgPath::parse(&test.path.value.text) {
            Ok(path) => args.push((path, value(&test.test, problems))),
            Err(e) => problems.push(bad_pattern(Code::E0211, &e, test.path.span, &test.path.value.text)),
        }
    }
    let hints = [
        (Hint::ReadOnly, &written.hints.read_only),
        (Hint::Destructive, &written.hints.destructive),
        (Hint::Idempotent, &written.hints.idempotent),
        (Hint::OpenWorld, &written.hints.open_world),
    ];
    let previews = [
        (Preview::FileName, &written.confirmation.file_name),
        (Preview::FileDiff, &written.confirmation.file_diff),
        (Preview::Title, &written.confirmation.title),
    ];
    Conditions {
        tool: globs(written.tool.as_ref()),
        mcp_server: globs(written.mcp_server.as_ref()),
        agent: globs(written.agent.as_ref()),
        mode: globs(written.mode.as_ref()),
        args,
        only_args: written.only_args.as_ref().map(|names| names.iter().map(|n| n.value.clone()).collect()),
        hints: hints.into_iter().filter_map(|(hint, wanted)| Some((hint, wanted.as_ref()?.value))).collect(),
        requires_human: written.requires_human.as_ref().map(|r| r.value),
        reason: written.reason.as_ref().map(|r| match r.value {
            file::AskReason::Prompt => AskReason::Prompt,
            file::AskReason::Policy => AskReason::Policy,
        }),
        confirmation: previews
            .into_iter()
            .filter_map(|(field, test)| Some((field, value(test.as_ref()?, problems))))
            .collect(),
        parts: parts(written, sets, problems),
    }
}

fn parts(written: &ConditionsFile, sets: &Sets, problems: &mut Vec<Diagnostic>) -> PartConditions {
    let mut texts = Vec::new();
    let mut files = |key: PartKey, list: Option<&file::List<PathFile>>| {
        let list = list?;
        let (shown, patterns) = list
            .iter()
            .filter_map(|item| Some((shown_path(item), path(item, problems)?)))
            .unzip::<_, _, Vec<_>, Vec<_>>();
        texts.push((key, shown));
        Some(patterns)
    };
    let reads = files(PartKey::Reads, written.reads.as_ref());
    let writes = files(PartKey::Writes, written.writes.as_ref());
    let touches = files(PartKey::Touches, written.touches.as_ref());
    let mut runs = None;
    if let Some(list) = &written.runs {
        let (shown, patterns) = list
            .iter()
            .filter_map(|item| Some((shown_command(item), command(item, sets, problems)?)))
            .unzip::<_, _, Vec<_>, Vec<_>>();
        texts.push((PartKey::Runs, shown));
        runs = Some(patterns);
    }
    let mut fetches = None;
    if let Some(list) = &written.fetches {
        let (shown, patterns) = list
            .iter()
            .flat_map(|item| fetch(item, problems).into_iter().map(|pattern| (shown_fetch(item), pattern)))
            .unzip::<_, _, Vec<_>, Vec<_>>();
        texts.push((PartKey::Fetches, shown));
        fetches = Some(patterns);
    }
    PartConditions { runs, reads, writes, touches, fetches, env: globs(written.env.as_ref()), written: texts }
}

fn shown_path(item: &PathFile) -> String {
    match item {
        PathFile::Pattern(text) => text.value.clone(),
        PathFile::Outside(text) => format!("outside {}", text.value),
        PathFile::Inside(text) => format!("inside {}", text.value),
    }
}

/// A table in words, the same in every format.
fn shown_command(item: &CommandFile) -> String {
    let table = match item {
        CommandFile::Pattern(text) => return text.value.clone(),
        CommandFile::Table(table) => table,
    };
    let keys = [
        ("flags_all", table.flags_all.is_some()),
        ("flags_any", table.flags_any.is_some()),
        ("only_flags", table.only_flags.is_some()),
        ("operands", table.operands.is_some()),
        ("regex", table.regex.is_some()),
    ];
    let keys: Vec<&str> = keys.into_iter().filter(|(_, there)| *there).map(|(key, _)| key).collect();
    let command = table.command.as_ref().map_or("*", |text| text.value.as_str());
    if keys.is_empty() { command.to_owned() } else { format!("{command} with {}", keys.join(", ")) }
}

/// See [`shown_command`].
fn shown_fetch(item: &FetchFile) -> String {
    let table = match item {
        FetchFile::Pattern(text) => return text.value.clone(),
        FetchFile::Table(table) => table,
    };
    let names = |names: &Option<Names>| -> Option<String> {
        Some(names.as_ref()?.iter().map(|n| n.value.as_str()).collect::<Vec<_>>().join("|"))
    };
    let port =
        table.port.as_ref().map(|p| p.iter().map(|p| p.value.to_string()).collect::<Vec<_>>().join("|"));
    let keys = [
        ("host", names(&table.host)),
        ("scheme", names(&table.scheme)),
        ("method", names(&table.method)),
        ("port", port),
        ("path", names(&table.path)),
    ];
    let said = keys.into_iter().filter_map(|(key, value)| Some(format!("{key} {}", value?)));
    said.collect::<Vec<_>>().join(", ")
}

fn path(written: &PathFile, problems: &mut Vec<Diagnostic>) -> Option<PathPattern> {
    let (text, parsed) = match written {
        PathFile::Pattern(text) => (text, PathPattern::parse(&text.value)),
        PathFile::Outside(text) => (text, PathPattern::outside(&text.value)),
        PathFile::Inside(text) => (text, PathPattern::inside(&text.value)),
    };
    parsed.map_err(|e| problems.push(bad_pattern(Code::E0410, &e, text.span, &text.value))).ok()
}

fn fetch(written: &FetchFile, problems: &mut Vec<Diagnostic>) -> Vec<UrlPattern> {
    match written {
        FetchFile::Pattern(text) => {
            let parsed = UrlPattern::parse(&text.value);
            parsed
                .map_err(|e| problems.push(bad_pattern(Code::E0411, &e, text.span, &text.value)))
                .into_iter()
                .collect()
        }
        FetchFile::Table(table) => fetch_table(table, problems),
    }
}

/// A key of a table put into a pattern.
type With = fn(UrlPattern, &str) -> Result<UrlPattern, PatternError>;

/// A table as patterns, one for each way to combine the alternatives of its keys.
fn fetch_table(table: &FetchTable, problems: &mut Vec<Diagnostic>) -> Vec<UrlPattern> {
    let mut patterns = vec![UrlPattern::every()];
    let keys: [(&Option<Names>, With); 4] = [
        (&table.host, UrlPattern::with_host),
        (&table.scheme, UrlPattern::with_scheme),
        (&table.method, UrlPattern::with_method),
        (&table.path, UrlPattern::with_path),
    ];
    for (names, with) in keys {
        let Some(names) = names else { continue };
        let mut next = Vec::new();
        for name in names.iter() {
            for pattern in &patterns {
                match with(pattern.clone(), &name.value) {
                    Ok(pattern) => next.push(pattern),
                    Err(e) => {
                        problems.push(bad_pattern(Code::E0411, &e, name.span, &name.value));
                        break;
                    }
                }
            }
        }
        patterns = next;
    }
    if let Some(ports) = &table.port {
        patterns =
            patterns.iter().flat_map(|p| ports.iter().map(|port| p.clone().with_port(port.value))).collect();
    }
    patterns
}

fn command(written: &CommandFile, sets: &Sets, problems: &mut Vec<Diagnostic>) -> Option<CommandPattern> {
    match written {
        CommandFile::Pattern(text) => match text.value.strip_prefix('@') {
            Some(name) => {
                let found = sets.named(name);
                if found.is_none() {
                    problems.push(
                        Diagnostic::error(Code::E0413, format!("there is no set of commands `@{name}`"))
                            .at(text.span, "not a set")
                            .help(format!("known are {}; a set of your own stands in `[command_sets]`, before the sets that use it", sets.known())),
                    );
                }
                found
            }
            None => words(text, problems).map(CommandPattern::Words),
        },
        CommandFile::Table(table) => Some(CommandPattern::Table(Box::new(table_pattern(table, problems)))),
    }
}

fn words(text: &Spanned<String>, problems: &mut Vec<Diagnostic>) -> Option<WordsPattern> {
    WordsPattern::parse(&text.value)
        .map_err(|e| problems.push(bad_pattern(Code::E0412, &e, text.span, &text.value)))
        .ok()
}

fn table_pattern(table: &CommandTable, problems: &mut Vec<Diagnostic>) -> TablePattern {
    let texts = |names: &Names| -> Vec<String> { names.iter().map(|n| n.value.clone()).collect() };
    let mut regexes = Vec::new();
    for text in table.regex.iter().flat_map(|r| r.iter()) {
        if text.value.len() > MAX_PATTERN {
            problems.push(
                Diagnostic::error(Code::E0414, "the regex is too long")
                    .at(text.span, format!("{} bytes, at most {MAX_PATTERN}", text.value.len())),
            );
            continue;
        }
        match CommandRegex::new(&text.value) {
            Ok(regex) => regexes.push(regex),
            Err(e) => problems.push(bad_pattern(Code::E0414, &e, text.span, &text.value)),
        }
    }
    TablePattern {
        words: table.command.as_ref().and_then(|text| words(text, problems)),
        flags_all: table.flags_all.iter().flat_map(|l| l.iter()).map(texts).collect(),
        flags_any: table.flags_any.as_ref().map(texts).unwrap_or_default(),
        only_flags: table.only_flags.as_ref().map(texts),
        operands: table
            .operands
            .iter()
            .flat_map(|l| l.iter())
            .filter_map(|item| path(item, problems))
            .collect(),
        regex: regexes,
    }
}

fn value(test: &ValueTest, problems: &mut Vec<Diagnostic>) -> ValueCondition {
    let mut operators = Vec::new();
    let texts = |list: &file::List<Spanned<String>>| -> Vec<String> {
        list.iter().map(|t| t.value.clone()).collect()
    };
    operators.extend(test.equals.as_ref().map(|node| Operator::Equals(node.to_json())));
    operators.extend(
        test.one_of.as_ref().map(|list| Operator::OneOf(list.iter().map(file::Node::to_json).collect())),
    );
    operators.extend(
        test.glob.as_ref().map(|list| Operator::Glob(list.iter().map(|t| NameGlob::new(&t.value)).collect())),
    );
    if let Some(list) = &test.regex {
        let mut regexes = Vec::new();
        for text in list.iter() {
            if text.value.len() > MAX_PATTERN {
                problems.push(
                    Diagnostic::error(Code::E0414, "the regex is too long")
                        .at(text.span, format!("{} bytes, at most {MAX_PATTERN}", text.value.len())),
                );
                continue;
            }
            match ValueRegex::new(&text.value) {
                Ok(regex) => regexes.push(regex),
                Err(e) => problems.push(bad_pattern(Code::E0414, &e, text.span, &text.value)),
            }
        }
        operators.push(Operator::Regex(regexes));
    }
    operators.extend(
        test.contains.as_ref().map(|list| Operator::Contains(list.iter().map(file::Node::to_json).collect())),
    );
    operators.extend(test.starts_with.as_ref().map(|list| Operator::StartsWith(texts(list))));
    operators.extend(test.less_than.as_ref().map(|n| Operator::LessThan(n.value.clone())));
    operators.extend(test.greater_than.as_ref().map(|n| Operator::GreaterThan(n.value.clone())));
    operators.extend(test.exists.as_ref().map(|b| Operator::Exists(b.value)));
    operators.extend(test.type_name.as_ref().map(|list| {
        Operator::Type(list.iter().filter_map(|t| ValueType::from_name(t.value.as_str())).collect())
    }));
    ValueCondition::new(operators)
}
