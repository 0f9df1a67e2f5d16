//! From the files of a policy to the policy, or every reason why not.

mod conditions;

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};

use crate::arg::ArgPath;
use crate::call::{Hints, sha256};
use crate::diagnostic::{Code, Diagnostic, Report};
use crate::facts::tool::{Tool, ToolTable};
use crate::file::{
    self, ActionOnDeny, ConditionsFile, Format, Loaded, Names, PolicyFile, RuleFile, RuleKindFile, ToolFile,
    TrustMcp,
};
use crate::pattern::index::NameIndex;
use crate::pattern::name::NameGlob;
use crate::policy::{Inner, Policy};
use crate::rule::{Conditions, DEFAULT_TIMEOUT, Kind, Rule, Trust};
use crate::source::Sources;
use crate::verdict::RuleRef;

use conditions::Sets;

/// Why there is no policy: everything that is wrong with its files.
pub type LoadError = Report;

impl Policy {
    /// Reads the policy in the file at `path`, and the files that it extends.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with it, each with its place. A policy that does not load is never an empty one.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        Self::load_in(path, folder_of(path)).map(|(policy, _)| policy)
    }

    /// As [`Self::load`] with the folder where the patterns of the workspace start, and with the files as they are written.
    pub(crate) fn load_in(path: &Path, folder: Option<String>) -> Result<(Self, Vec<PolicyFile>), LoadError> {
        let read = file::read(path);
        let files = read.loaded.files.clone();
        Ok((whole(read, folder)?, files))
    }

    /// Reads a policy from text. It cannot extend files, and its patterns start in the workspace that the host or the call names.
    ///
    /// # Errors
    ///
    /// As [`Self::load`].
    pub fn parse(name: &str, format: Format, text: &str) -> Result<Self, LoadError> {
        whole(file::read_text(name, text, format), None)
    }

    /// Compiles what was read. `folder` is where the patterns of the workspace start.
    ///
    /// # Errors
    ///
    /// As [`Self::load`].
    pub fn compile(loaded: Loaded, folder: Option<String>) -> Result<Self, LoadError> {
        compile(loaded, folder).map_err(|(problems, sources)| Report::new(problems, sources))
    }
}

/// The folder of the repository that the policy file at `path` belongs to: its own, or that above `.agents`.
pub fn folder_of(path: &Path) -> Option<String> {
    let absolute = std::path::absolute(path).ok()?;
    let folder = absolute.parent()?;
    let folder =
        if folder.file_name().is_some_and(|name| name == ".agents") { folder.parent()? } else { folder };
    folder.to_str().map(str::to_owned)
}

/// Compiles what was read whole. What was not is compiled, too, so that all that is wrong is told at once.
fn whole(read: file::Read, folder: Option<String>) -> Result<Policy, LoadError> {
    let file::Read { loaded, mut problems } = read;
    let sources = loaded.sources.clone();
    match compile(loaded, folder) {
        Ok(policy) if problems.is_empty() => return Ok(policy),
        Ok(_) => {}
        Err((more, _)) => {
            // A set that was not read whole is missing, and its uses are not to blame.
            let known = |p: &Diagnostic| p.code != Code::E0413 || problems.is_empty();
            let more: Vec<_> = more.into_iter().filter(known).collect();
            problems.extend(more);
        }
    }
    Err(file::Read::refused(problems, sources))
}

/// Compiles what was read. `folder` is where the patterns of the workspace start.
fn compile(loaded: Loaded, folder: Option<String>) -> Result<Policy, (Vec<Diagnostic>, Sources)> {
    let Loaded { files, sources } = loaded;
    let mut problems = Vec::new();
    let sets = Sets::of(&files, &mut problems);
    let mut rules = Vec::new();
    for written in files.iter().flat_map(|file| &file.rules) {
        let index = rules.len();
        if let Some(rule) = rule(written, index, &sets, &sources, &mut problems) {
            rules.push(rule);
        }
    }
    let tools = tools(&files, &mut problems);
    if !problems.is_empty() {
        return Err((problems, sources));
    }
    let own = files.first();
    let index = Arc::new(NameIndex::new(rules.iter().enumerate().flat_map(|(i, rule)| {
        let number = u32::try_from(i).unwrap_or(u32::MAX);
        rule.names().unwrap_or_default().iter().map(move |glob| (number, glob.clone()))
    })));
    let nameless = (0u32..).zip(&rules).filter(|(_, rule)| rule.names().is_none()).map(|(i, _)| i).collect();
    let inner = Inner {
        index,
        nameless,
        tools,
        undecided: files
            .iter()
            .find_map(|f| f.undecided.as_ref())
            .map(|u| Arc::from(u.reason.value.as_str())),
        denial_stops: files
            .iter()
            .find_map(|f| f.on_deny.as_ref())
            .is_some_and(|action| action.value == ActionOnDeny::StopTurn),
        digest: digest(&sources),
        folder,
        description: own.and_then(|f| f.description.as_ref()).map(|d| d.value.clone()),
        above: Vec::new(),
        layer: None,
        read_only: sets.read_only(),
        speaks_of_parts: rules.iter().any(|rule| rule.when.needs_facts() || rule.unless.needs_facts()),
        rules,
        sources,
    };
    Ok(Policy { inner: Arc::new(inner) })
}

fn digest(sources: &Sources) -> Arc<str> {
    let mut text = String::new();
    for (_, source) in sources.iter() {
        text.push_str(&source.text.len().to_string());
        text.push('\n');
        text.push_str(&source.text);
    }
    Arc::from(sha256(text.as_bytes()))
}

fn globs(names: &Names) -> Vec<NameGlob> {
    names.iter().map(|name| NameGlob::new(&name.value)).collect()
}

fn rule(
    written: &RuleFile,
    index: usize,
    sets: &Sets,
    sources: &Sources,
    problems: &mut Vec<Diagnostic>,
) -> Option<Rule> {
    let before = problems.len();
    let mut conditions = |table: Option<&ConditionsFile>| {
        table.map_or_else(Conditions::none, |table| Arc::new(conditions::compile(table, sets, problems)))
    };
    let (when, unless) = (conditions(written.when.as_deref()), conditions(written.unless.as_deref()));
    let kind = match &written.kind {
        RuleKindFile::DenyByName(names) => Kind::DenyByName {
            names: globs(names),
            reason: written.reason.as_ref().map(|r| Arc::from(r.value.as_str())),
            stop: written.stop.as_ref().is_some_and(|s| s.value),
        },
        RuleKindFile::AllowByName(names) => Kind::AllowByName { names: globs(names) },
        RuleKindFile::AllowByReadOnly { trust_mcp } => Kind::AllowByReadOnly {
            trust: match trust_mcp {
                TrustMcp::None => Trust::Nobody,
                TrustMcp::All => Trust::Everybody,
                TrustMcp::Servers(names) => Trust::Servers(globs(names)),
            },
        },
        RuleKindFile::DecideByHuman { timeout, question } => Kind::DecideByHuman {
            timeout: timeout.as_ref().map_or(DEFAULT_TIMEOUT, |t| t.value),
            question: question.as_ref().map(|q| q.value.clone()),
        },
        RuleKindFile::AllowByDefault => Kind::AllowByDefault,
    };
    let me = RuleRef {
        rule: written.id.as_ref().map_or_else(|| format!("rule-{}", index + 1), |id| id.value.clone()),
        kind: kind.name(),
        index,
        file: Some(sources.name(written.span).to_owned()),
        line: Some(sources.line_column(written.span).0),
        layer: None,
    };
    let set: Option<Map<String, Value>> = written
        .set
        .as_ref()
        .map(|set| set.iter().map(|(key, node)| (key.value.clone(), node.to_json())).collect());
    (problems.len() == before).then(|| Rule { me: Arc::new(me), kind, when, unless, set, span: written.span })
}

/// The tools of all files; a file's own word comes before that of the files it extends.
fn tools(files: &[PolicyFile], problems: &mut Vec<Diagnostic>) -> ToolTable {
    let mut table = HashMap::new();
    for (name, written) in files.iter().flat_map(|file| file.tools.iter()) {
        let tool = tool(written, problems);
        table.entry(name.value.clone()).or_insert(tool);
    }
    ToolTable(table)
}

fn tool(written: &ToolFile, problems: &mut Vec<Diagnostic>) -> Tool {
    let mut paths = |list: Option<&crate::file::List<crate::source::Spanned<crate::file::ArgPath>>>| {
        let mut found = Vec::new();
        for path in list.into_iter().flat_map(|list| list.iter()) {
            match ArgPath::parse(&path.text) {
                Ok(parsed) => found.push(parsed),
                Err(e) => problems.push(conditions::bad_pattern(Code::E0211, &e, path.span, &path.text)),
            }
        }
        found
    };
    Tool {
        command: paths(written.command.as_ref()),
        reads: paths(written.reads.as_ref()),
        writes: paths(written.writes.as_ref()),
        fetches: paths(written.fetches.as_ref()),
        patch: paths(written.patch.as_ref()),
        hints: Hints {
            read_only: written.read_only.as_ref().map(|h| h.value),
            destructive: written.destructive.as_ref().map(|h| h.value),
            idempotent: written.idempotent.as_ref().map(|h| h.value),
            open_world: written.open_world.as_ref().map(|h| h.value),
        },
        // The policy knows its tool: an argument that a call leaves out names nothing.
        optional: true,
        ..Tool::default()
    }
}
