//! A call before a policy: what is looked up once, when first needed.

use std::borrow::Cow;
use std::cell::OnceCell;

use crate::call::{AskReason, Call, Hints, McpTool, Mode};
use crate::facts;
use crate::facts::catalogue::{self, McpName};
use crate::facts::disk::Disk;
use crate::facts::parts::{Facts, PartKind};
use crate::facts::path::Roots;
use crate::facts::programs::Claim;
use crate::facts::tool::Tool;
use crate::pattern::command::CommandContext;
use crate::pattern::name::NameGlob;
use crate::pattern::path::PathContext;
use crate::pattern::{Reading, Tri};
use crate::policy::Policy;
use crate::rule::{Conditions, Hint, Preview};

/// Where calls are judged: the disk, and the workspace of calls that name none.
#[derive(Clone, Copy)]
pub struct Surroundings<'a> {
    /// What may be asked of the file system.
    pub disk: &'a dyn Disk,
    /// The root of the project, where neither the call nor the policy says otherwise.
    pub workspace: Option<&'a str>,
    /// A call's `fs` stands for the disk. Without this a call with `fs` is an error.
    pub made_up_fs: bool,
}

impl<'a> Surroundings<'a> {
    /// Judging by this disk.
    pub fn new(disk: &'a dyn Disk) -> Self {
        Self { disk, workspace: None, made_up_fs: false }
    }
}

/// The call with the server and tool that the host's form of its name says, where there is only one way to read it.
pub(super) fn with_server(call: &Call) -> Cow<'_, Call> {
    let read = match (&call.mcp, &call.host) {
        (None, Some(host)) => catalogue::mcp_name(host, &call.tool).map(owned),
        _ => None,
    };
    match read {
        Some(mcp) => Cow::Owned(Call { mcp: Some(mcp), ..call.clone() }),
        None => Cow::Borrowed(call),
    }
}

fn owned(name: McpName<'_>) -> McpTool {
    McpTool { server: name.server.to_owned(), tool: name.tool.to_owned() }
}

/// A call, and what is known of it.
pub(super) struct Scene<'a> {
    pub(super) policy: &'a Policy,
    pub(super) call: &'a Call,
    pub(super) name: Cow<'a, str>,
    pub(super) tool: Option<Cow<'a, Tool>>,
    /// The MCP tools that the name may stand for, where the host's form can be split in several ways.
    pub(super) readings: Vec<McpTool>,
    disk: &'a dyn Disk,
    workspace: Option<&'a str>,
    roots: OnceCell<Roots>,
    facts: OnceCell<Facts>,
    paths: OnceCell<PathContext<'a>>,
    requires_human: OnceCell<Tri>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(
        policy: &'a Policy,
        call: &'a Call,
        surroundings: &Surroundings<'a>,
        disk: &'a dyn Disk,
    ) -> Self {
        let name = call.name();
        let tool = policy.inner.tools.find(call.host.as_deref(), &name, &call.tool);
        let workspace =
            call.workspace.as_deref().or(surroundings.workspace).or(policy.inner.folder.as_deref());
        let readings = match (&call.mcp, &call.host, &tool) {
            (None, Some(host), None) => catalogue::mcp_readings(host, &call.tool).map(owned).collect(),
            _ => Vec::new(),
        };
        Self {
            policy,
            call,
            name,
            tool,
            readings,
            disk,
            workspace,
            roots: OnceCell::new(),
            facts: OnceCell::new(),
            paths: OnceCell::new(),
            requires_human: OnceCell::new(),
        }
    }

    /// The folders of the call, which only rules about its parts need.
    fn roots(&self) -> &Roots {
        self.roots.get_or_init(|| facts::roots(self.workspace, self.call.cwd.as_deref(), self.disk))
    }

    /// Whether one of the globs matches the name of the call; broadly, whatever it is called by whom.
    pub(super) fn is_named(&self, globs: &[NameGlob], reading: Reading) -> bool {
        let any = |name: &str| globs.iter().any(|g| g.matches(name));
        let otherwise = || any(&self.call.tool) || self.readings.iter().any(|mcp| any(&mcp.name()));
        any(&self.name) || (reading == Reading::Broad && otherwise())
    }

    /// The parts of the call.
    pub(super) fn facts(&self) -> &Facts {
        self.facts.get_or_init(|| facts::of(self.call, self.tool.as_deref(), self.roots(), self.disk))
    }

    /// The parts, where something needed them.
    pub(super) fn facts_if_known(&self) -> Option<&Facts> {
        self.facts.get()
    }

    /// What the tool says of this call: the call's own hints first.
    pub(super) fn hints(&self) -> Hints {
        match &self.tool {
            Some(tool) => self.call.hints.or(tool.hints),
            None => self.call.hints,
        }
    }

    pub(super) fn with_context<T>(&self, f: impl FnOnce(&CommandContext<'_>) -> T) -> T {
        let paths = self.paths.get_or_init(|| PathContext::new(self.roots(), self.disk));
        f(&CommandContext { paths, fold_case: self.disk.case_insensitive() })
    }

    /// Whether an interactive host would ask a person.
    fn requires_human(&self) -> Tri {
        *self.requires_human.get_or_init(|| {
            let Some(tool) = &self.tool else { return Tri::No };
            let asked = match self.call.mode.unwrap_or(Mode::Default) {
                Mode::Yolo => false,
                Mode::AcceptEdits => tool.runs(),
                Mode::Default => tool.runs() || tool.edits(),
            };
            if !asked {
                return Tri::No;
            }
            if !tool.runs() {
                return Tri::Yes;
            }
            let free = self.facts().parts.iter().all(|part| match &part.kind {
                PartKind::Run(run) => {
                    run.neutral.is_some() || run.read_only == Claim::Yes || run.project == Claim::Yes
                }
                PartKind::Read(_) => true,
                PartKind::Write(_) | PartKind::Fetch(_) | PartKind::Call => false,
            });
            Tri::from(!free)
        })
    }

    /// Why an interactive host would ask: the call's own word, else derived.
    fn reason(&self) -> AskReason {
        self.call.reason.unwrap_or(match self.requires_human() {
            Tri::No => AskReason::Policy,
            Tri::Possibly | Tri::Yes => AskReason::Prompt,
        })
    }

    /// Whether the conditions on the call as a whole hold.
    pub(super) fn holds(&self, conditions: &Conditions, reading: Reading) -> Tri {
        let call = self.call;
        let mut answer = Tri::Yes;
        if let Some(globs) = &conditions.tool {
            answer = answer.and(Tri::from(self.is_named(globs, reading)));
        }
        if let Some(globs) = &conditions.mcp_server {
            let any = |mcp: &McpTool| globs.iter().any(|g| g.matches(&mcp.server));
            let perhaps = reading == Reading::Broad && self.readings.iter().any(any);
            answer = answer.and(Tri::from(perhaps || call.mcp.as_ref().is_some_and(any)));
        }
        if let Some(globs) = &conditions.agent {
            answer = answer.and(Tri::from(
                call.agent.as_ref().is_some_and(|agent| globs.iter().any(|g| g.matches(agent))),
            ));
        }
        if let Some(globs) = &conditions.mode {
            let mode = call.mode.unwrap_or(Mode::Default).name();
            answer = answer.and(Tri::from(globs.iter().any(|g| g.matches(mode))));
        }
        if let Some(names) = &conditions.only_args {
            answer = answer.and(Tri::from(call.args.keys().all(|key| names.contains(key))));
        }
        let hints = self.hints();
        for (hint, wanted) in &conditions.hints {
            let have = match hint {
                Hint::ReadOnly => hints.read_only(),
                Hint::Destructive => hints.destructive(),
                Hint::Idempotent => hints.idempotent(),
                Hint::OpenWorld => hints.open_world(),
            };
            answer = answer.and(Tri::from(have == *wanted));
        }
        if answer == Tri::No {
            return Tri::No;
        }
        for (path, test) in &conditions.args {
            answer = answer.and(test.matches_found(&path.find(&call.args), reading));
        }
        for (field, test) in &conditions.confirmation {
            let preview = call.confirmation.as_ref().and_then(|c| match field {
                Preview::FileName => c.file_name.clone(),
                Preview::FileDiff => c.file_diff.clone(),
                Preview::Title => c.title.clone(),
            });
            answer = answer.and(test.matches(preview.map(serde_json::Value::String).as_ref(), reading));
        }
        if answer == Tri::No {
            return Tri::No;
        }
        if let Some(wanted) = conditions.requires_human {
            let have = self.requires_human();
            answer = answer.and(if wanted { have } else { !have });
        }
        if let Some(wanted) = conditions.reason {
            answer = answer.and(Tri::from(self.reason() == wanted));
        }
        answer
    }
}
