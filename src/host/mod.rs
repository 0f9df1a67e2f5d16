//! Host programs that start a hook before a tool call: what each sends, and what it obeys.
//!
//! One file a host. There is no answer that all of them obey, and what one does not know it passes over and runs the tool; so each has
//! its own reader and its own writer, and who is calling is told by what it sends, since several hosts run the hooks of one settings file.

mod answer;
mod payload;

mod adal;
mod claude_code;
mod cline;
mod codex;
mod copilot_cli;
mod cursor;
mod factory_droid;
mod gemini_cli;
mod goose;
mod kiro;
mod opencode;
mod vscode;
mod windsurf;

pub use answer::{Answer, Decision, needs_approval, refuse_anybody};
pub use payload::{Payload, Unfit};

use crate::call::Call;
use crate::facts::catalogue::builtin;

/// When in the life of a call a hook is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Moment {
    /// Before the call runs.
    Before,
    /// When the host would ask a person about it.
    Permission,
    /// After it ran: there is nothing to decide.
    After,
}

/// What a host asks a hook.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// The event's name as the host spells it: hosts with several dialects answer in that of the event.
    pub name: String,
    /// When in the life of the call it is.
    pub moment: Moment,
    /// The call.
    pub call: Call,
    /// The root of the project, where the host says it.
    pub project: Option<String>,
    /// What the answer refers to, where the host numbers its requests.
    pub reply_to: Option<String>,
}

/// Whether a question reaches a person through the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asks {
    /// It does, or is refused where nobody is there.
    Yes,
    /// It does where a person sits at a terminal; else the host waits for ever.
    AtTerminal,
    /// It does in another event of the same call, which follows: this one lets the call through to it.
    Later,
    /// It does not.
    No,
}

/// What a host can do with an answer to this event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abilities {
    /// Whether it asks a person.
    pub asks: Asks,
    /// Whether it takes changed arguments.
    pub changes: bool,
    /// Whether it ends the turn.
    pub stops: bool,
}

impl Abilities {
    const NONE: Self = Self { asks: Asks::No, changes: false, stops: false };
    const CHANGES: Self = Self { asks: Asks::No, changes: true, stops: false };
}

/// How surely a payload is of a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Nothing says so.
    None,
    /// Other hosts may send the like.
    Weak,
    /// No other host sends such a payload.
    Sure,
}

impl Mark {
    fn sure(yes: bool) -> Self {
        if yes { Self::Sure } else { Self::None }
    }

    fn weak(yes: bool) -> Self {
        if yes { Self::Weak } else { Self::None }
    }
}

/// A host program.
pub trait Host: Sync {
    /// Its name, such as `claude-code`.
    fn name(&self) -> &'static str;

    /// How surely it sent the payload.
    fn mark(&self, payload: &Payload) -> Mark;

    /// Reads what it sends.
    ///
    /// # Errors
    ///
    /// When the payload is none of its, or the event is none that is about a tool call.
    fn read(&self, payload: &Payload) -> Result<Event, Unfit>;

    /// What it can do with an answer to this event.
    fn abilities(&self, event: &Event) -> Abilities;

    /// Says the decision in the form that it obeys.
    fn answer(&self, event: &Event, decision: &Decision) -> Answer;

    /// Refuses, whatever is being asked, because something failed. The payload is there where it could be read.
    fn refuse(&self, payload: Option<&Payload>, why: &str) -> Answer;
}

/// The hosts, in the order in which their marks are looked for.
static HOSTS: [&dyn Host; 13] = [
    &adal::Adal,
    &opencode::Opencode,
    &cursor::Cursor,
    &cline::Cline,
    &windsurf::Windsurf,
    &goose::Goose,
    &codex::Codex,
    &gemini_cli::GeminiCli,
    &factory_droid::FactoryDroid,
    &vscode::VsCode,
    &copilot_cli::CopilotCli,
    &claude_code::ClaudeCode,
    &kiro::Kiro,
];

/// The hosts that start hooks, sorted by name.
pub fn names() -> Vec<&'static str> {
    let mut names: Vec<_> = HOSTS.iter().map(|host| host.name()).collect();
    names.sort_unstable();
    names
}

/// The host with this name.
pub fn by_name(name: &str) -> Option<&'static dyn Host> {
    HOSTS.into_iter().find(|host| host.name() == name)
}

/// The hosts that run the hooks of Claude Code's settings file.
const OF_ONE_FILE: [&str; 4] = ["claude-code", "copilot-cli", "cursor", "vscode"];

/// The host whose marks the payload bears.
pub fn recognise(payload: &Payload) -> Option<&'static dyn Host> {
    let with = |mark| HOSTS.into_iter().find(move |host| host.mark(payload) == mark);
    with(Mark::Sure).or_else(|| with(Mark::Weak))
}

/// Who listens to the answer. A payload that bears the marks of one host is that host's, whichever the hook was registered for: what
/// listens is the program that sent it. One without marks is the named host's, and so is one with marks that are weak, unless both run
/// the hooks of one file, or the tool is one that only the other has.
pub fn caller(named: Option<&'static dyn Host>, payload: &Payload) -> Option<&'static dyn Host> {
    let (Some(found), Some(named)) = (recognise(payload), named) else {
        return recognise(payload).or(named);
    };
    let one_file = OF_ONE_FILE.contains(&found.name()) && OF_ONE_FILE.contains(&named.name());
    let has =
        |host: &dyn Host| payload.text("tool_name").is_some_and(|tool| builtin(host.name(), tool).is_some());
    let believed = found.mark(payload) == Mark::Sure || one_file || (has(found) && !has(named));
    Some(if believed { found } else { named })
}

/// Who asks, and what.
///
/// # Errors
///
/// When the payload is of no host that is known, or is not what its [`caller`] sends.
pub fn read(
    named: Option<&'static dyn Host>,
    payload: &Payload,
) -> Result<(&'static dyn Host, Event), Unfit> {
    match caller(named, payload) {
        Some(host) => host.read(payload).map(|event| (host, event)),
        None => Err(Unfit::new("it has the form of no host that is known")),
    }
}
