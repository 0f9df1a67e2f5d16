//! `policy fmt`: the usual form of policies.

use std::fs;
use std::path::Path;

use super::args::FmtArgs;
use super::discover;
use super::output::{Done, Failure, Io, Status, counted};
use crate::diagnostic::{Report, visible};
use crate::file::{CannotFormat, Format, format};
use crate::source::Sources;
use crate::suite::test_files_beside;

/// How a file is.
enum Form {
    Usual,
    /// Otherwise, and this is how it would be.
    Other(String),
}

pub(super) fn run(args: &FmtArgs, io: &mut Io) -> Done {
    let mut changed = 0;
    let mut status = Status::Fine;
    let policies = discover::named(&args.paths)?;
    let tests = policies.iter().flat_map(|path| test_files_beside(path));
    let mut files: Vec<_> = policies.iter().cloned().chain(tests).collect();
    files.sort();
    files.dedup();
    for path in &files {
        let shown = visible(&path.display().to_string()).into_owned();
        match form(path, io) {
            Ok(Form::Usual) => {}
            Ok(Form::Other(text)) => {
                changed += 1;
                if args.mode.write {
                    replace(path, &text)
                        .map_err(|e| Failure::told(format!("`{shown}` cannot be written: {e}")))?;
                }
                writeln!(io.out, "{} {shown}", if args.mode.write { "rewrote" } else { "would rewrite" })?;
            }
            Err(()) => status = Status::Failed,
        }
    }
    let what = if args.mode.write { "rewritten" } else { "not in the usual form" };
    writeln!(io.out, "{}, {changed} {what}", counted(files.len(), "file"))?;
    if args.mode.check && changed > 0 {
        status = status.worse(Status::Findings);
    }
    Ok(status)
}

/// The form of the file; why there is none was told.
fn form(path: &Path, io: &Io) -> Result<Form, ()> {
    let name = path.display().to_string();
    let told = |message: String| io.say(&format!("error: {}", visible(&message)));
    let Some(kind) = Format::of_path(path) else {
        told(format!("the format of `{name}` is not known"));
        return Err(());
    };
    let text = fs::read_to_string(path).map_err(|e| told(format!("`{name}` cannot be read: {e}")))?;
    match format(&text, kind) {
        Ok(usual) if usual == text => Ok(Form::Usual),
        Ok(usual) => Ok(Form::Other(usual)),
        Err(CannotFormat::Unreadable(problems)) => {
            let mut sources = Sources::new();
            sources.add(name, text);
            io.complain(&Report::new(problems, sources));
            Err(())
        }
        Err(e @ CannotFormat::WouldChange) => {
            told(format!("`{name}`: {e}"));
            Err(())
        }
    }
}

/// Writes beside the file and then in its place, so that nobody ever sees half a policy. A link stays a link.
fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let path = fs::canonicalize(path)?;
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let beside = path.with_file_name(name);
    let done = fs::write(&beside, text)
        .and_then(|()| fs::set_permissions(&beside, fs::metadata(&path)?.permissions()))
        .and_then(|()| fs::rename(&beside, &path));
    if done.is_err() {
        // The file itself is as it was.
        let _ = fs::remove_file(&beside);
    }
    done
}
