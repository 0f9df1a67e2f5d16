//! `policy approve`: a person lets one call through.

use std::io::{self, Write as _};

use super::args::ApproveArgs;
use super::output::{Done, Failure, Io, Status, stdin_is_terminal};
use super::pending::{unusable, write};
use crate::grant::{HOLDS_FOR, State};

pub(super) fn run(args: &ApproveArgs, io: &mut Io) -> Done {
    let state = State::of_user().map_err(|e| unusable(&e))?;
    let waiting = state.waiting(&args.id).map_err(|e| unusable(&e))?;
    write(io, &waiting)?;
    if !args.yes && !confirmed(io)? {
        writeln!(io.out, "not approved")?;
        return Ok(Status::Findings);
    }
    state.approve(&waiting).map_err(|e| unusable(&e))?;
    writeln!(io.out, "approved: this very call may run once, within {} minutes", HOLDS_FOR / 60)?;
    Ok(Status::Fine)
}

/// Asks whoever sits at the terminal.
fn confirmed(io: &mut Io) -> Result<bool, Failure> {
    if !stdin_is_terminal() {
        return Err(Failure::told("a person has to confirm it at a terminal")
            .with_help("with `--yes` it is approved without a question"));
    }
    write!(io.out, "Approve it? [y/N] ")?;
    io.out.flush()?;
    let mut line = String::new();
    io::stdin().read_line(&mut line)?;
    Ok(matches!(line.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}
