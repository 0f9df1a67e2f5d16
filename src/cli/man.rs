//! `policy man`: manual pages.

use clap::CommandFactory as _;
use clap_mangen::Man;

use super::args::{Arguments, ManArgs};
use super::output::{Done, Failure, Io, Status};

pub(super) fn run(args: &ManArgs, io: &mut Io) -> Done {
    let mut command = Arguments::command();
    let Some(folder) = &args.folder else {
        Man::new(command).render(&mut io.out)?;
        return Ok(Status::Fine);
    };
    let failed = |e: std::io::Error| Failure::told(format!("`{}`: {e}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    command.build();
    let mut pages = vec![("policy".to_owned(), command.clone())];
    for sub in command.get_subcommands().filter(|c| c.get_name() != "help") {
        pages.push((format!("policy-{}", sub.get_name()), sub.clone()));
    }
    for (name, command) in pages {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        let path = folder.join(format!("{name}.1"));
        std::fs::write(&path, page).map_err(failed)?;
        writeln!(io.out, "{}", path.display())?;
    }
    Ok(Status::Fine)
}
