//! `policy completions`: scripts that complete arguments in a shell.

use clap::CommandFactory as _;

use super::args::{Arguments, CompletionsArgs};
use super::output::{Done, Io, Status};

pub(super) fn run(args: &CompletionsArgs, io: &mut Io) -> Done {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Arguments::command(), "policy", &mut script);
    io.out.write_all(&script)?;
    Ok(Status::Fine)
}
