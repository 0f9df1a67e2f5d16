//! `policy commands`: the tables of programs, and what one command is taken to do.

use std::io;

use super::args::CommandsArgs;
use super::discover;
use super::explain::facts as told;
use super::output::{BOLD, DIM, Done, Failure, GREEN, Io, Status, YELLOW};
use super::policies::real_disk;
use crate::arg::ArgPath;
use crate::call::Call;
use crate::diagnostic::visible;
use crate::facts;
use crate::facts::programs::{self, Described};
use crate::facts::tool::Tool;

pub(super) fn run(args: &CommandsArgs, io: &mut Io) -> Done {
    match (&args.explain, &args.program) {
        (Some(command), _) => explain(command, args, io),
        (None, Some(program)) => one(program, io),
        (None, None) => {
            for name in programs::names() {
                for line in programs::describe(name) {
                    row(&line, io)?;
                }
            }
            Ok(Status::Fine)
        }
    }
}

/// A line of the table: the command, and what it is without further options.
fn row(line: &Described, io: &mut Io) -> io::Result<()> {
    let read_only = match &line.read_only {
        Some(when) if when == "always" => io.styled(GREEN, "read-only"),
        Some(when) => format!("{} {when}", io.styled(GREEN, "read-only")),
        None => io.styled(DIM, "-"),
    };
    let project = if line.project { io.styled(YELLOW, "  project") } else { String::new() };
    writeln!(io.out, "{:<28}  {read_only}{project}", line.command)
}

/// Everything that the tables say of one program.
fn one(program: &str, io: &mut Io) -> Done {
    let lines = programs::describe(program);
    if lines.is_empty() {
        return Err(Failure::told(format!("there is no model of `{}`", visible(program)))
            .with_help("`policy commands` lists those that there are; a policy allows others by their words: `runs = [\"…\"]`"));
    }
    for line in lines {
        row(&line, io)?;
        for (word, list) in [("not with", &line.except), ("any of", &line.harmless)] {
            if !list.is_empty() {
                let text = io.styled(DIM, &format!("    {word}: {}", list.join("; ")));
                writeln!(io.out, "{text}")?;
            }
        }
    }
    Ok(Status::Fine)
}

/// What a shell command is taken to do, part by part.
fn explain(command: &str, args: &CommandsArgs, io: &mut Io) -> Done {
    let folder = match &args.cwd {
        Some(path) => discover::folder_text(path, false)?,
        None => discover::folder_text(&discover::current_folder()?, false)?,
    };
    let path = ArgPath::parse("command").map_err(|e| Failure::told(e.to_string()))?;
    let tool = Tool { command: vec![path], ..Tool::default() };
    let disk = real_disk();
    let roots = facts::roots(Some(&folder), Some(&folder), &*disk);
    let call = Call::new("shell").arg("command", command);
    for part in facts::of(&call, Some(&tool), &roots, &*disk).parts {
        let kind = io.styled(BOLD, &format!("{:<5}", part.kind.name()));
        writeln!(io.out, "{kind} {}", visible(&part.text))?;
        for line in told::of(&part) {
            writeln!(io.out, "      {}", visible(&line))?;
        }
    }
    Ok(Status::Fine)
}
