//! `policy doctor`: proves that the hooks of hosts fire and refuse.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use super::args::{DoctorArgs, DoctorFormat};
use super::checked::{Checked, Wish};
use super::discover;
use super::install::place;
use super::output::{BOLD, DIM, Done, Failure, GREEN, Io, RED, Status, YELLOW, counted};
use crate::diagnostic::{Severity, visible};
use crate::install::{
    self, Canary, HOSTS, Host, Level, Place, Registered, Remark, Starts, canaries, inspect, on_path,
};

/// How long a host may take to tell its version.
const VERSION_LIMIT: Duration = Duration::from_secs(15);

/// How long a hook may take where the host's own limit is not known, and at most.
const HOOK_LIMIT: Duration = Duration::from_secs(10);

/// A hook that takes longer is felt with every call.
const SLOW: Duration = Duration::from_secs(1);

pub(super) fn run(args: &DoctorArgs, io: &mut Io) -> Done {
    let place = place()?;
    let mut reports = Vec::new();
    match &args.host {
        Some(name) => {
            let host =
                install::by_name(name).ok_or_else(|| Failure::told(format!("unknown host `{name}`")))?;
            reports.push(examine(host, &place, true));
        }
        None => reports.extend(
            HOSTS.iter().filter(|host| is_here(host, &place)).map(|host| examine(host, &place, false)),
        ),
    }
    let problems =
        reports.iter().flat_map(|report| &report.remarks).filter(|r| r.level == Level::Problem).count();
    match args.format {
        DoctorFormat::Human => human(&reports, problems, io)?,
        DoctorFormat::Json => writeln!(io.out, "{}", as_json(&reports, problems))?,
    }
    Ok(if problems > 0 { Status::Findings } else { Status::Fine })
}

/// What was found of one host.
struct Report {
    host: &'static Host,
    remarks: Vec<Remark>,
}

/// Whether a host has our hook, or its program is on this machine.
fn is_here(host: &Host, place: &Place) -> bool {
    program(host).is_some() || !install::registered(host, place).is_empty()
}

fn program(host: &Host) -> Option<(&'static str, PathBuf)> {
    let path = std::env::var_os("PATH");
    host.programs.iter().find_map(|name| Some((*name, on_path(name, path.as_deref())?)))
}

fn examine(host: &'static Host, place: &Place, named: bool) -> Report {
    let mut remarks = vec![version(host, place)];
    let found = inspect(host, place);
    if found.registered.is_empty() {
        remarks.extend(found.remarks);
        remarks.push(not_installed(host, named));
        return Report { host, remarks };
    }
    remarks.extend(found.remarks);
    remarks.extend(policies(place, &found.registered));
    remarks.extend(asked(host, place, &found.registered));
    remarks.push(Remark::note(format!("no hook sees there: {} (docs/hosts/{}.md)", host.holes, host.name)));
    Report { host, remarks }
}

fn not_installed(host: &Host, named: bool) -> Remark {
    if host.starts == Starts::Nothing {
        return Remark {
            level: Level::Note,
            what: "there is no hook to register".to_owned(),
            todo: Some(host.duty.to_owned()),
        };
    }
    let todo = format!("`policy install {}` registers it", host.name);
    let what = "no hook is registered: the policy is not asked there".to_owned();
    Remark { level: if named { Level::Problem } else { Level::Note }, what, todo: Some(todo) }
}

/// The version of the host, beside that which all this was tried with.
fn version(host: &Host, place: &Place) -> Remark {
    let Some((name, path)) = program(host) else {
        return Remark::note(format!("{} is not on PATH", either(host.programs)));
    };
    let mut command = Command::new(path);
    command.arg("--version");
    let told = match install::run(command, &place.project, "", VERSION_LIMIT) {
        Ok(ran) if ran.late => Err(format!("`{name} --version` did not end in time")),
        Ok(ran) => first_version(&ran.stdout)
            .or_else(|| first_version(&ran.stderr))
            .ok_or_else(|| format!("`{name} --version` tells no version")),
        Err(e) => Err(format!("`{name}` cannot be started: {e}")),
    };
    match (told, host.tried) {
        (Ok(version), Some(tried)) if version == tried => {
            Remark::fine(format!("version {version}, which the hook was tried with"))
        }
        (Ok(version), Some(tried)) => {
            Remark::note(format!("version {version}; the hook was tried with {tried}"))
        }
        (Ok(version), None) => Remark::note(format!(
            "version {version}; the hook is made by its documentation and was not tried"
        )),
        (Err(why), _) => Remark::note(why),
    }
}

fn either(names: &[&str]) -> String {
    names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ")
}

/// The first word that looks like a version.
fn first_version(text: &str) -> Option<String> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | ',' | '/'))
        .map(|word| word.trim_start_matches('v').trim_end_matches('.'))
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.'))
        .map(|word| visible(word).into_owned())
}

/// The policies that the hooks would judge by from here: each once.
fn policies(place: &Place, hooks: &[Registered]) -> Vec<Remark> {
    let mut files: Vec<PathBuf> = Vec::new();
    let mut found = Vec::new();
    for hook in hooks {
        let named: Vec<_> = hook.line.policies().into_iter().map(|file| place.project.join(file)).collect();
        let meant = if named.is_empty() {
            match discover::here() {
                Ok(file) => vec![file],
                Err(failure) => {
                    found.push(no_policy(failure));
                    continue;
                }
            }
        } else {
            named
        };
        for file in meant {
            if !files.contains(&file) {
                files.push(file);
            }
        }
    }
    found.dedup();
    found.extend(files.iter().map(|file| policy(place, file)));
    found
}

fn no_policy(failure: Failure) -> Remark {
    match failure {
        Failure::Told { message, help } => Remark {
            level: Level::Problem,
            what: message,
            todo: Some(help.unwrap_or_else(|| "`policy init` writes one".to_owned())),
        },
        Failure::Output(e) => Remark::problem(e.to_string(), "make it readable"),
        Failure::Policy(_) => Remark::problem("the policy does not load", "`policy check` tells why"),
    }
}

fn policy(place: &Place, file: &Path) -> Remark {
    let checked = Checked::of(file, Wish::default());
    let name = place.short(file);
    let todo = format!("`policy check {name}` tells what");
    let errors = checked.findings.count(Severity::Error);
    if checked.suite.is_none() {
        let what = format!("{name} does not load: {}; the hook refuses every call", counted(errors, "error"));
        return Remark::problem(what, todo);
    }
    let failed = checked.suite.as_ref().map_or(0, crate::suite::SuiteReport::failed);
    let warnings = checked.findings.count(Severity::Warning);
    if errors + warnings + failed > 0 {
        let [errors, warnings, failed] =
            [counted(errors, "error"), counted(warnings, "warning"), counted(failed, "failed test")];
        return Remark::problem(format!("{name}: {errors}, {warnings}, {failed}"), todo);
    }
    Remark::fine(format!("{name} judges, with {}", counted(checked.rules, "rule")))
}

/// Sends the canary through every command line that is registered.
fn asked(host: &Host, place: &Place, hooks: &[Registered]) -> Vec<Remark> {
    let mut found = Vec::new();
    let folder = place.project.display().to_string();
    for canary in canaries(host.name, &folder) {
        let mut tried: Vec<(&str, Option<&Vec<String>>)> = Vec::new();
        for hook in
            hooks.iter().filter(|hook| canary.event.is_none() || hook.event.as_deref() == canary.event)
        {
            let command = (hook.command.as_str(), hook.args.as_ref());
            if !tried.contains(&command) {
                tried.push(command);
                found.extend(ask(host, place, &canary, hook));
            }
        }
    }
    found
}

fn ask(host: &Host, place: &Place, canary: &Canary, hook: &Registered) -> Vec<Remark> {
    let what = canary
        .event
        .map_or_else(|| "a canary call".to_owned(), |event| format!("a canary call of `{event}`"));
    let command = match &hook.args {
        Some(args) => {
            let mut command = Command::new(&hook.command);
            command.args(args);
            Some(command)
        }
        None => host.starts.command(&hook.command, std::env::var_os("SHELL")),
    };
    let Some(command) = command else { return Vec::new() };
    let todo =
        format!("run `{}` in this folder and see; then `policy install {}`", hook.line.shell(), host.name);
    let limit = hook.limit.unwrap_or(HOOK_LIMIT).min(HOOK_LIMIT);
    let ran = match install::run(command, &place.project, &canary.payload.to_string(), limit) {
        Ok(ran) => ran,
        Err(e) => {
            return vec![Remark::problem(format!("{what}: `{}` cannot be started: {e}", hook.command), todo)];
        }
    };
    let took = format!("{:.1} ms", ran.took.as_secs_f64() * 1000.0);
    match canary.judge(&ran) {
        Ok(()) => {
            let mut found = vec![Remark::fine(format!("{what} was refused, in {took}"))];
            if ran.took > SLOW {
                found.push(Remark::problem(
                    "the hook is slow",
                    "see what the machine does; each call waits so long",
                ));
            }
            found
        }
        Err(why) => vec![Remark::problem(format!("{what} {why}, after {took}"), todo)],
    }
}

fn human(reports: &[Report], problems: usize, io: &mut Io) -> Result<(), Failure> {
    for report in reports {
        let heading = io.styled(BOLD, report.host.name);
        writeln!(io.out, "{heading}")?;
        for remark in &report.remarks {
            let (style, word) = match remark.level {
                Level::Fine => (GREEN, "ok"),
                Level::Note => (DIM, "note"),
                Level::Problem => (RED, "found"),
            };
            let word = io.styled(style, &format!("{word:<5}"));
            writeln!(io.out, "  {word}  {}", visible(&remark.what))?;
            if let Some(todo) = &remark.todo {
                let todo = io.styled(YELLOW, &format!("to do: {}", visible(todo)));
                writeln!(io.out, "         {todo}")?;
            }
        }
    }
    let hosts = counted(reports.len(), "host");
    let line = format!("{hosts}, {}", counted(problems, "finding"));
    let line = io.styled(if problems > 0 { RED } else { GREEN }, &line);
    writeln!(io.out, "{line}")?;
    if reports.is_empty() {
        writeln!(
            io.out,
            "no hook is registered, and no host is on PATH: nothing was looked at; `policy install HOST` registers one, `policy doctor HOST` looks at one"
        )?;
    }
    Ok(())
}

fn as_json(reports: &[Report], problems: usize) -> Value {
    let remark = |remark: &Remark| {
        let level = match remark.level {
            Level::Fine => "ok",
            Level::Note => "note",
            Level::Problem => "finding",
        };
        json!({"level": level, "what": remark.what, "todo": remark.todo})
    };
    let hosts: Vec<_> = reports
        .iter()
        .map(|report| {
            json!({"host": report.host.name, "remarks": report.remarks.iter().map(remark).collect::<Vec<_>>()})
        })
        .collect();
    json!({"hosts": hosts, "findings": problems})
}
