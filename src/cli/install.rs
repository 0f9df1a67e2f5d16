//! `policy install`: registers the hook with a host, or takes it away.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use similar::TextDiff;

use super::args::InstallArgs;
use super::discover;
use super::output::{BOLD, DIM, Done, Failure, GREEN, Io, RED, Status};
use crate::diagnostic::visible;
use crate::install::{self, Change, HOSTS, Host, Line, Place, Program, Refused, Scope, on_path};

pub(super) fn run(args: &InstallArgs, io: &mut Io) -> Done {
    let place = place()?;
    let Some(host) = &args.host else { return list(&place, io) };
    let host = install::by_name(host).ok_or_else(|| Failure::told(format!("unknown host `{host}`")))?;
    let scope = if args.user { Scope::User } else { Scope::Project };
    if args.uninstall {
        let changes = install::uninstall(host, &place, scope)?;
        return carry_out(&changes, args.dry_run, &place, io).and_then(|any| {
            if !any {
                writeln!(
                    io.out,
                    "nothing of ours is in the {} configuration of {}",
                    scope.name(),
                    host.title
                )?;
            }
            Ok(Status::Fine)
        });
    }
    let line = line(args, host, scope, &place)?;
    let changes = install::install(host, &place, scope, &line)?;
    if changes.is_empty() {
        writeln!(io.out, "{}", host.duty)?;
        return Ok(Status::Fine);
    }
    if !carry_out(&changes, args.dry_run, &place, io)? {
        let files: Vec<_> = changes.iter().map(|change| shown(&place, &change.path)).collect();
        writeln!(io.out, "already installed: {}", files.join(", "))?;
    }
    let remarks = install::remarks(host, &place, scope, &line);
    if args.dry_run {
        return Ok(Status::Fine);
    }
    let heading = io.styled(BOLD, "still to do, or to know:");
    writeln!(io.out, "{heading}")?;
    for remark in
        remarks.iter().chain([&format!("`policy doctor {}` proves that the hook answers", host.name)])
    {
        writeln!(io.out, "- {}", visible(remark))?;
    }
    Ok(Status::Fine)
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Self {
        let failure = Self::told(refused.to_string());
        match refused.help() {
            Some(help) => failure.with_help(help),
            None => failure,
        }
    }
}

/// The project is the folder that the program runs in: hosts look there.
pub(super) fn place() -> Result<Place, Failure> {
    let home = std::env::home_dir().filter(|home| home.is_absolute());
    let home = home.ok_or_else(|| Failure::told("the home folder cannot be told").with_help("set `HOME`"))?;
    let place = Place::new(discover::current_folder()?, home);
    Ok(place.with_variables(|name| std::env::var_os(name).map(PathBuf::from)))
}

/// The command line to register.
fn line(args: &InstallArgs, host: &Host, scope: Scope, place: &Place) -> Result<Line, Failure> {
    let mut options = Vec::new();
    for file in &args.policy {
        options.extend(["--policy".to_owned(), policy(file, scope, place)?]);
    }
    option(&mut options, "--allow", args.allow);
    option(&mut options, "--no-policy", args.no_policy);
    option(&mut options, "--ask", args.ask);
    if args.soft_deny {
        options.push("--soft-deny".to_owned());
    }
    Ok(Line { program: program(args)?.0, host: host.name.to_owned(), options })
}

fn option(options: &mut Vec<String>, name: &str, value: Option<impl ValueEnum>) {
    if let Some(value) = value.and_then(|value| value.to_possible_value()) {
        options.extend([name.to_owned(), value.get_name().to_owned()]);
    }
}

/// The path of a policy as the hook is to get it: within a project from its root, so that the entry is good for everybody.
fn policy(file: &Path, scope: Scope, place: &Place) -> Result<String, Failure> {
    if !file.is_file() {
        return Err(Failure::told(format!("there is no policy `{}`", file.display())));
    }
    let absolute =
        std::path::absolute(file).map_err(|e| Failure::told(format!("`{}`: {e}", file.display())))?;
    let path = match (scope, absolute.strip_prefix(&place.project)) {
        (Scope::Project, Ok(within)) => within,
        (Scope::Project | Scope::User, _) => &absolute,
    };
    match path.to_str() {
        Some(text) => Ok(text.to_owned()),
        None => Err(Failure::told(format!("`{}` is not UTF-8", path.display()))),
    }
}

/// How the hook names the program.
fn program(args: &InstallArgs) -> Result<Program, Failure> {
    let Some(named) = &args.command else {
        let running = std::env::current_exe().map_err(|e| {
            Failure::told(format!("the path of this program cannot be told: {e}"))
                .with_help("name it with `--command`")
        })?;
        // The plugin starts it without a shell, in a folder where a package may have put a program of the same name on the path.
        let found = match args.host.as_deref() {
            Some("opencode") => None,
            _ => on_path("policy", std::env::var_os("PATH").as_deref()),
        };
        return named_policy(Program::of_process(&running, found));
    };
    let absolute = if named.components().count() > 1 {
        std::path::absolute(named).map_err(|e| Failure::told(format!("`{}`: {e}", named.display())))?
    } else {
        named.clone()
    };
    match absolute.to_str() {
        Some(text) => named_policy(Program(text.to_owned())),
        None => Err(Failure::told(format!("`{}` is not UTF-8", absolute.display()))),
    }
}

/// Entries are known again by the program's name.
fn named_policy(program: Program) -> Result<Program, Failure> {
    let stem = Path::new(&program.0).file_stem().and_then(|stem| stem.to_str());
    if stem.is_some_and(|stem| stem.eq_ignore_ascii_case("policy")) {
        return Ok(program);
    }
    Err(Failure::told(format!("`{}` is not called `policy`", program.0))
        .with_help("entries are known again by that name: name such a program with `--command`"))
}

/// Writes the changes, or shows them; whether there were any.
fn carry_out(changes: &[Change], dry: bool, place: &Place, io: &mut Io) -> Result<bool, Failure> {
    let mut any = false;
    for change in changes.iter().filter(|change| change.changes()) {
        any = true;
        let name = shown(place, &change.path);
        if dry {
            show(change, &name, io)?;
            continue;
        }
        install::apply(change)?;
        let what = match (&change.before, &change.after) {
            (None, _) => "wrote",
            (Some(_), Some(_)) => "changed",
            (Some(_), None) => "removed",
        };
        writeln!(io.out, "{what} {name}")?;
    }
    Ok(any)
}

fn shown(place: &Place, path: &Path) -> String {
    visible(&place.short(path)).into_owned()
}

/// A change, as a unified diff.
fn show(change: &Change, name: &str, io: &mut Io) -> Result<(), Failure> {
    let text = |side: &Option<String>| side.clone().unwrap_or_default();
    let (before, after) = (text(&change.before), text(&change.after));
    let named = |side: &Option<String>, prefix: &str| match side {
        Some(_) => format!("{prefix}/{name}"),
        None => "/dev/null".to_owned(),
    };
    let diff = TextDiff::from_lines(&before, &after);
    let mut unified = diff.unified_diff();
    unified.header(&named(&change.before, "a"), &named(&change.after, "b"));
    let whole = unified.to_string();
    for line in whole.lines() {
        let line = visible(line);
        let line = match line.as_bytes().first() {
            _ if line.starts_with("+++") || line.starts_with("---") => io.styled(BOLD, &line),
            Some(b'+') => io.styled(GREEN, &line),
            Some(b'-') => io.styled(RED, &line),
            Some(b'@') => io.styled(DIM, &line),
            Some(_) | None => line.into_owned(),
        };
        writeln!(io.out, "{line}")?;
    }
    if whole.is_empty() {
        writeln!(io.out, "{name} becomes executable")?;
    }
    Ok(())
}

/// The hosts, and what of each is here.
fn list(place: &Place, io: &mut Io) -> Done {
    let path = std::env::var_os("PATH");
    let width = HOSTS.iter().map(|host| host.name.len()).max().unwrap_or(0);
    for host in &HOSTS {
        let name = io.styled(BOLD, &format!("{:<width$}", host.name));
        let program = host.programs.iter().find(|program| on_path(program, path.as_deref()).is_some());
        let mut said = vec![match program {
            Some(program) => format!("`{program}` is on PATH"),
            None => "not on PATH".to_owned(),
        }];
        let registered = install::registered(host, place);
        for scope in Scope::ALL {
            if registered.iter().any(|hook| hook.scope == scope) {
                said.push(io.styled(GREEN, &format!("installed for the {}", scope.name())));
            }
        }
        writeln!(io.out, "{name}  {:<22}  {}", host.title, said.join(", "))?;
    }
    writeln!(
        io.out,
        "\n`policy install HOST` registers the hook in this project, with `--user` for all projects"
    )?;
    Ok(Status::Fine)
}
