//! The `policy` program: one file a command. The only place that prints and exits.

mod approve;
mod args;
mod check;
mod checked;
mod commands;
mod completions;
mod discover;
mod doctor;
mod documents;
mod eval;
mod explain;
mod fmt;
mod hook;
mod init;
mod install;
mod man;
mod mcp;
mod output;
mod pending;
mod point;
mod policies;
mod ready_made;
mod schema;
mod test;
mod yaml;

use std::process::ExitCode;

use clap::Parser as _;

pub use hook::answer_here;

use args::{Arguments, Command};
use output::Io;

/// Runs the program with the arguments and streams of this process.
pub fn run() -> ExitCode {
    let arguments = std::env::args_os().collect::<Vec<_>>();
    if hook::is_meant(&arguments) {
        hook::run(&arguments);
    }
    let arguments = Arguments::parse_from(arguments);
    let mut io = Io::of_process(arguments.color);
    let done = match &arguments.command {
        Command::Check(args) => check::run(args, &mut io),
        Command::Test(args) => test::run(args, &mut io),
        Command::Eval(args) => eval::run(args, &mut io),
        Command::Explain(args) => explain::run(args, &mut io),
        Command::Init(args) => init::run(args, &mut io),
        Command::Schema(args) => schema::run(args, &mut io),
        Command::Fmt(args) => fmt::run(args, &mut io),
        Command::Commands(args) => commands::run(args, &mut io),
        Command::Install(args) => install::run(args, &mut io),
        Command::Doctor(args) => doctor::run(args, &mut io),
        Command::Mcp(args) => mcp::run(args),
        Command::Hook(args) => hook::misplaced(args),
        Command::Pending(args) => pending::run(args, &mut io),
        Command::Approve(args) => approve::run(args, &mut io),
        Command::Completions(args) => completions::run(args, &mut io),
        Command::Man(args) => man::run(args, &mut io),
    };
    io.finish(done)
}
