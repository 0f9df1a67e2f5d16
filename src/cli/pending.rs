//! `policy pending`: the calls that wait for a person.

use std::io::Write as _;
use std::time::{SystemTime, UNIX_EPOCH};

use super::args::PendingArgs;
use super::output::{Done, Failure, Io, Status};
use crate::diagnostic::visible;
use crate::grant::{State, StateError, Waiting};

pub(super) fn run(args: &PendingArgs, io: &mut Io) -> Done {
    let pending = State::of_user().and_then(|state| state.pending()).map_err(|e| unusable(&e))?;
    if pending.is_empty() && !args.json {
        io.say("no call waits");
    }
    for waiting in &pending {
        if args.json {
            serde_json::to_writer(&mut io.out, waiting).map_err(std::io::Error::from)?;
            writeln!(io.out)?;
        } else {
            write(io, waiting)?;
        }
    }
    Ok(Status::Fine)
}

/// A call that waits, for a person to read.
pub(super) fn write(io: &mut Io, waiting: &Waiting) -> Result<(), Failure> {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs());
    let minutes = now.saturating_sub(waiting.asked) / 60;
    let host = waiting.host.as_deref().unwrap_or("`policy mcp`");
    let rule = waiting.rule.as_deref().map_or_else(String::new, |rule| format!(", rule {rule}"));
    writeln!(io.out, "{}  {} ({minutes} min ago{rule})", waiting.id, visible(host))?;
    writeln!(io.out, "    {}", visible(&waiting.question))?;
    if !waiting.question.contains(&waiting.call) {
        writeln!(io.out, "    {}", visible(&waiting.call))?;
    }
    if let Some(server) = &waiting.server {
        writeln!(io.out, "    at the MCP server `{}`", visible(server))?;
    }
    if let Some(cwd) = &waiting.cwd {
        writeln!(io.out, "    in {}", visible(cwd))?;
    }
    Ok(())
}

pub(super) fn unusable(error: &StateError) -> Failure {
    Failure::told(error.to_string())
}
