//! The arguments of the program.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

use super::output::Color;
use super::point::{NoPolicy, PointArgs};
use crate::facts::catalogue;

/// Judges the tool calls of AI agents by a policy.
#[derive(Debug, Parser)]
#[command(name = "policy", version, about, max_term_width = 100, propagate_version = true)]
pub(super) struct Arguments {
    /// When to colour what is printed.
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub(super) color: Color,
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, Subcommand)]
pub(super) enum Command {
    /// Load, lint and test policies.
    #[command(
        after_help = "Exit status: 0 nothing found, 1 findings or failed tests, 2 it could not be done."
    )]
    Check(CheckArgs),
    /// Run the tests of a policy, and say which rules and patterns none of them reaches.
    #[command(after_help = "Exit status: 0 all passed, 1 some failed, 2 it could not be done.")]
    Test(TestArgs),
    /// Judge calls or whole turns, given as JSON, and print verdicts, one a line.
    #[command(after_help = EVAL_HELP)]
    Eval(EvalArgs),
    /// Tell how a call is judged, rule by rule; or what a code such as `E0104` or a lint means.
    Explain(ExplainArgs),
    /// Write a ready-made policy as `policy.toml`.
    Init(InitArgs),
    /// Print a JSON Schema.
    Schema(SchemaArgs),
    /// Put policies into their usual form.
    Fmt(FmtArgs),
    /// Print what is known of programs; or what one command is taken to do.
    Commands(CommandsArgs),
    /// Register the hook with a host; without one, list the hosts.
    Install(InstallArgs),
    /// Prove that the hooks of hosts fire and refuse.
    #[command(after_help = "Exit status: 0 nothing found, 1 findings, 2 it could not be done.")]
    Doctor(DoctorArgs),
    /// Stand in front of an MCP server, and judge the tool calls that go to it.
    #[command(after_help = MCP_HELP)]
    Mcp(McpArgs),

    /// Judge the call that a host puts before it runs it; hosts start this, see `policy install`.
    #[command(after_help = HOOK_HELP)]
    Hook(HookArgs),
    /// List the calls that wait for the approval of a person.
    Pending(PendingArgs),
    /// Approve a call that waits: exactly that call may run once, within ten minutes.
    #[command(after_help = "Exit status: 0 approved, 1 not, 2 it could not be done.")]
    Approve(ApproveArgs),
    /// Print a script that completes this program's arguments in a shell.
    Completions(CompletionsArgs),
    /// Print the manual page, or write one page a command into a folder.
    Man(ManArgs),
}

const EVAL_HELP: &str = "\
A call is a JSON object such as {\"tool\": \"read_file\", \"args\": {\"path\": \"a.txt\"}}; a turn is
{\"calls\": [...], \"answers\": [\"yes\", ...]}, with what the person answers, in order. Several stand one a line.
Each line in gives one line out, as soon as it is judged. What is no call is denied with the cause `error`.

Exit status of one call: 0 allow, 1 deny, 3 ask, 2 error; of a turn or several lines: 0, or 2 where there was an error.";

const MCP_HELP: &str = "\
Put it into a host's configuration in place of the server: `policy mcp --server github -- npx -y some-server`.
Rules know a tool as `{server}__{tool}`, such as `github__create_issue`.

Exit status: 0 the client closed the connection, 1 the server failed, 2 the server could not be started.";

const HOOK_HELP: &str = "\
The call is the JSON that the host writes to standard input; the answer has the form that the host obeys. Whatever fails is
refused: a payload that is none, a policy that does not load, a panic, five seconds without an answer, wrong arguments.";

/// How a hook answers.
#[derive(Debug, Args)]
pub(super) struct HookArgs {
    /// The host that starts it. `auto`: whoever sends the payload is told by its form.
    #[arg(value_name = "HOST", value_parser = hook_host)]
    pub(super) host: String,
    #[command(flatten)]
    pub(super) point: PointArgs,
    /// What an allowed call is to the host.
    #[arg(long, value_enum, default_value_t, value_name = "HOW")]
    pub(super) allow: AllowAs,
    /// Who asks the person where a rule says so.
    #[arg(long, value_enum, default_value_t, value_name = "WHO")]
    pub(super) ask: AskBy,
    /// After how many seconds without a verdict the call is refused. It has to be less than what the host waits.
    #[arg(long, default_value_t = 5.0, value_name = "SECONDS", value_parser = seconds)]
    pub(super) deadline: f64,
    /// Cline ends the whole run on every denial: in place of a denied shell command, let one run that prints the reason and fails.
    #[arg(long)]
    pub(super) soft_deny: bool,
}

/// What an allowed call is to the host.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum AllowAs {
    /// One that nobody objects to: the host still asks where it would have.
    #[default]
    Pass,
    /// One that runs without a question of the host's own, where the host lets a hook say so.
    Grant,
}

/// Who asks the person.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum AskBy {
    /// The host, where it can; else the call is refused until it is approved.
    #[default]
    Host,
    /// Nobody: the call is refused until it is approved with `policy approve`.
    Deny,
}

fn hook_host(text: &str) -> Result<String, String> {
    if text == "auto" || crate::host::by_name(text).is_some() {
        return Ok(text.to_owned());
    }
    Err(format!("unknown host; known are auto, {}", crate::host::names().join(", ")))
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse() {
        Ok(seconds) if (0.01..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("write a number of seconds, from 0.01 to 3600".to_owned()),
    }
}

#[derive(Debug, Args)]
pub(super) struct PendingArgs {
    /// Print JSON, one object a line.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Debug, Args)]
pub(super) struct ApproveArgs {
    /// The id of the call, or its beginning; `policy pending` lists them.
    #[arg(value_name = "ID")]
    pub(super) id: String,
    /// Approve it without a question.
    #[arg(long, short)]
    pub(super) yes: bool,
}

/// Which policies judge.
#[derive(Debug, Args)]
pub(super) struct PolicyArgs {
    /// A policy file. Several are layers: the strictest verdict wins. Default: `policy.{toml,yaml,yml,json}`, or such a file in
    /// `.agents/`, in this folder or the nearest one above that has one.
    #[arg(long, short, value_name = "FILE")]
    pub(super) policy: Vec<PathBuf>,
    /// A policy file that is a layer with this name, such as `managed=/etc/policy.toml`. Named layers come before the others.
    #[arg(long, value_name = "NAME=FILE", value_parser = layer)]
    pub(super) layer: Vec<(String, PathBuf)>,
    /// The host whose calls these are, where a call does not say.
    #[arg(long, value_name = "HOST", value_parser = host)]
    pub(super) host: Option<String>,
    /// The root of the project, where a call does not say. Default: the folder of the policy.
    #[arg(long, value_name = "DIR")]
    pub(super) workspace: Option<PathBuf>,
    /// The folder that relative paths start from, where a call does not say. Default: the workspace.
    #[arg(long, value_name = "DIR")]
    pub(super) cwd: Option<PathBuf>,
    /// Take a call's `fs`, a made-up file tree, in place of the disk. The real disk is then never asked.
    #[arg(long)]
    pub(super) made_up_fs: bool,
}

/// A known host: under another name nothing would be known of its tools.
fn host(text: &str) -> Result<String, String> {
    if catalogue::is_host(text) {
        return Ok(text.to_owned());
    }
    Err(format!("unknown host; known are {}", catalogue::hosts().join(", ")))
}

pub(super) fn layer(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, path)) if !name.is_empty() && !path.is_empty() => {
            Ok((name.to_owned(), PathBuf::from(path)))
        }
        _ => Err("write it as `NAME=FILE`".to_owned()),
    }
}

#[derive(Debug, Args)]
pub(super) struct CheckArgs {
    /// Policy files, or folders with them. Default: the policy of this folder, found as `eval` finds it.
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    /// How findings are printed.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: Format,
    /// What makes the status 1.
    #[arg(long, value_enum, default_value_t, value_name = "LEVEL")]
    pub(super) fail_on: FailOn,
    /// The root of the project. Default: the folder of the policy.
    #[arg(long, value_name = "DIR")]
    pub(super) workspace: Option<PathBuf>,
}

/// What makes `check` end with status 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Warnings, errors and failed tests.
    #[default]
    Warning,
    /// Errors and failed tests.
    Error,
}

/// How findings are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum Format {
    /// With the lines they speak of.
    #[default]
    Human,
    /// One a line.
    Plain,
    /// As one JSON object.
    Json,
    /// As SARIF 2.1.0.
    Sarif,
    /// As JUnit XML.
    Junit,
    /// As GitHub workflow commands.
    Github,
}

#[derive(Debug, Args)]
pub(super) struct TestArgs {
    /// A policy file, or a folder with policies.
    #[arg(value_name = "PATH")]
    pub(super) path: Option<PathBuf>,
    /// Only the tests that have this text in their name.
    #[arg(long, value_name = "TEXT")]
    pub(super) filter: Option<String>,
    /// The root of the project. Default: the folder of the policy.
    #[arg(long, value_name = "DIR")]
    pub(super) workspace: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct EvalArgs {
    #[command(flatten)]
    pub(super) policies: PolicyArgs,
    /// The call or turn as JSON; `-` or nothing: standard input.
    #[arg(value_name = "CALL")]
    pub(super) call: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct ExplainArgs {
    #[command(flatten)]
    pub(super) policies: PolicyArgs,
    /// Print it as JSON, one object a call.
    #[arg(long)]
    pub(super) json: bool,
    /// The call as JSON, a code, or the name of a lint; `-` or nothing: a call on standard input.
    #[arg(value_name = "CALL|CODE")]
    pub(super) what: Option<String>,
}

#[derive(Debug, Args)]
pub(super) struct InitArgs {
    /// Which ready-made policy. Default: `ask-before-writes`.
    pub(super) name: Option<String>,
    /// List them.
    #[arg(long)]
    pub(super) list: bool,
    /// Write YAML, as `policy.yaml`.
    #[arg(long)]
    pub(super) yaml: bool,
}

#[derive(Debug, Args)]
pub(super) struct SchemaArgs {
    /// Of what.
    #[arg(value_enum, default_value_t)]
    pub(super) of: SchemaOf,
}

/// What has a JSON Schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum SchemaOf {
    /// A policy file.
    #[default]
    Policy,
    /// A file of tests beside a policy.
    Tests,
    /// A call, as `eval` reads it.
    Call,
    /// A verdict, as `eval` prints it for a call.
    Verdict,
    /// What `eval` prints for a turn.
    Turn,
}

#[derive(Debug, Args)]
pub(super) struct FmtArgs {
    /// Policy files, or folders with them.
    #[arg(value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) mode: FmtMode,
}

#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(super) struct FmtMode {
    /// Name the files that are not in their usual form, and change nothing.
    #[arg(long)]
    pub(super) check: bool,
    /// Rewrite the files.
    #[arg(long)]
    pub(super) write: bool,
}

#[derive(Debug, Args)]
pub(super) struct CommandsArgs {
    /// Only this program, with its options.
    #[arg(value_name = "PROGRAM")]
    pub(super) program: Option<String>,
    /// Tell what this command is taken to do: its parts, what each reads, writes, fetches and runs, and why it is read-only or not.
    #[arg(long, value_name = "COMMAND", conflicts_with = "program")]
    pub(super) explain: Option<String>,
    /// The folder that the command runs in. Default: this one.
    #[arg(long, value_name = "DIR", requires = "explain")]
    pub(super) cwd: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct InstallArgs {
    /// The host. Default: list them.
    #[arg(value_name = "HOST", value_parser = hooked)]
    pub(super) host: Option<String>,
    /// In the configuration of the user, for all projects.
    #[arg(long, conflicts_with = "project")]
    pub(super) user: bool,
    /// In the configuration of the project in this folder. This is the default.
    #[arg(long)]
    pub(super) project: bool,
    /// Show what would change, and write nothing.
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Take the hook away.
    #[arg(long, conflicts_with_all = ["policy", "allow", "no_policy", "ask", "soft_deny", "command"])]
    pub(super) uninstall: bool,
    /// A policy file for the hook. Several are layers. Default: the nearest policy, at each call.
    #[arg(long, short, value_name = "FILE")]
    pub(super) policy: Vec<PathBuf>,
    /// What an allowed call is to the host. Default: `pass`.
    #[arg(long, value_enum, value_name = "HOW")]
    pub(super) allow: Option<AllowAs>,
    /// What to answer where no policy is found. Default: `ask` where the host can ask, else `deny`.
    #[arg(long, value_enum, value_name = "HOW")]
    pub(super) no_policy: Option<NoPolicy>,
    /// Who asks the person where a rule says so. Default: `host`.
    #[arg(long, value_enum, value_name = "WHO")]
    pub(super) ask: Option<AskBy>,
    /// With Cline: in place of a denied shell command, let one run that prints the reason and fails, so that the run goes on.
    #[arg(long)]
    pub(super) soft_deny: bool,
    /// The program that the hook runs. Default: `policy`, where that is this program; else the path of this one.
    #[arg(long, value_name = "PATH")]
    pub(super) command: Option<PathBuf>,
}

/// A host that a hook can be registered with.
fn hooked(text: &str) -> Result<String, String> {
    match crate::install::by_name(text) {
        Some(host) => Ok(host.name.to_owned()),
        None => Err(format!("unknown host; known are {}", crate::install::names().join(", "))),
    }
}

#[derive(Debug, Args)]
pub(super) struct DoctorArgs {
    /// The host. Default: each that has our hook, or whose program is on `PATH`.
    #[arg(value_name = "HOST", value_parser = hooked)]
    pub(super) host: Option<String>,
    /// How findings are printed.
    #[arg(long, value_enum, default_value_t)]
    pub(super) format: DoctorFormat,
}

/// How the findings of `doctor` are printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub(super) enum DoctorFormat {
    /// For people.
    #[default]
    Human,
    /// As one JSON object.
    Json,
}

#[derive(Debug, Args)]
pub(super) struct CompletionsArgs {
    /// The shell.
    #[arg(value_enum)]
    pub(super) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(super) struct ManArgs {
    /// The folder for one page a command. Default: the main page on standard output.
    #[arg(value_name = "DIR")]
    pub(super) folder: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(super) struct McpArgs {
    #[command(flatten)]
    pub(super) point: PointArgs,
    /// What rules know the server as. Default: the name of the program.
    #[arg(long, value_name = "NAME", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(super) server: Option<String>,
    /// The host that is the client.
    #[arg(long, value_name = "HOST", value_parser = host)]
    pub(super) host: Option<String>,
    /// Refuse calls of a tool whose description or schema has changed since it was first seen.
    #[arg(long)]
    pub(super) pin: bool,
    /// Leave tools out of the lists of which every call would be denied by name.
    #[arg(long)]
    pub(super) hide_denied: bool,
    /// After how many seconds without a verdict a call is denied.
    #[arg(long, value_name = "SECONDS", default_value_t = 5.0, value_parser = seconds)]
    pub(super) deadline: f64,
    /// After how many seconds in which the server said nothing, though it owes an answer, every open request fails and the proxy ends.
    #[arg(long, value_name = "SECONDS", default_value_t = 3600.0, value_parser = seconds)]
    pub(super) server_timeout: f64,
    /// Pass over what the server writes that is no message, in place of ending. A request that it was meant to answer stays open.
    #[arg(long)]
    pub(super) stray_output: bool,
    /// Speak Streamable HTTP to the server at this address, in place of starting one.
    #[cfg(feature = "http")]
    #[arg(long, value_name = "URL", conflicts_with = "command", required_unless_present = "command")]
    pub(super) url: Option<String>,
    /// A header for every request to the server, such as `Authorization: Bearer …`.
    #[cfg(feature = "http")]
    #[arg(long, value_name = "NAME: VALUE", requires = "url", value_parser = header)]
    pub(super) header: Vec<(String, String)>,
    /// The command that starts the server.
    #[arg(last = true, value_name = "COMMAND", required = cfg!(not(feature = "http")))]
    pub(super) command: Vec<OsString>,
}

#[cfg(feature = "http")]
fn header(text: &str) -> Result<(String, String), String> {
    match text.split_once(':') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("write it as `NAME: VALUE`".to_owned()),
    }
}
