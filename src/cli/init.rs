//! `policy init`: a ready-made policy to start from.

use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::path::Path;

use super::args::InitArgs;
use super::discover;
use super::output::{BOLD, Done, Failure, Io, Status};
use super::ready_made::{ALL, ReadyMade};
use super::yaml;
use crate::file::{Format, tree};
use crate::source::SourceId;

pub(super) fn run(args: &InitArgs, io: &mut Io) -> Done {
    if args.list {
        return list(io);
    }
    if let Some(there) = discover::of_folder(Path::new(""))? {
        return Err(Failure::told(format!("`{}` is here already", there.display()))
            .with_help("no file is overwritten: move it away, or run this in another folder"));
    }
    let policy = match &args.name {
        Some(name) => ReadyMade::find(name).ok_or_else(|| unknown(name))?,
        None => ALL.first().ok_or_else(|| Failure::told("there are no ready-made policies"))?,
    };
    let (name, text) = match policy.format() {
        Format::Toml if args.yaml => ("policy.yaml", as_yaml(policy)?),
        Format::Toml => ("policy.toml", policy.text.to_owned()),
        Format::Yaml | Format::Json => ("policy.yaml", policy.text.to_owned()),
    };
    let text = without_schema(&text);
    let written = OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(name)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    match written {
        Ok(()) => {}
        Err(e) if e.kind() == io::ErrorKind::AlreadyExists => {
            return Err(Failure::told(format!("`{name}` is here already")));
        }
        Err(e) => return Err(Failure::told(format!("`{name}` cannot be written: {e}"))),
    }
    writeln!(
        io.out,
        "wrote {name} ({}); `policy check` checks it, `policy test` runs its tests",
        policy.name()
    )?;
    Ok(Status::Fine)
}

/// The text without the line for editors, which names a file of this repository.
fn without_schema(text: &str) -> &str {
    let is_schema = |line: &str| line.starts_with("#:schema") || line.starts_with("# yaml-language-server:");
    match text.split_once('\n') {
        Some((first, rest)) if is_schema(first) => rest,
        _ => text,
    }
}

fn list(io: &mut Io) -> Done {
    let width = ALL.iter().map(|policy| policy.name().len()).max().unwrap_or(0);
    for policy in ALL {
        let name = io.styled(BOLD, &format!("{:<width$}", policy.name()));
        writeln!(io.out, "{name}  {}", description(policy).unwrap_or_default())?;
    }
    Ok(Status::Fine)
}

fn unknown(name: &str) -> Failure {
    let names: Vec<_> = ALL.iter().map(|policy| format!("`{}`", policy.name())).collect();
    Failure::told(format!("no ready-made policy is called `{name}`"))
        .with_help(format!("there are {}", names.join(", ")))
}

/// What the policy says it is for.
fn description(policy: &ReadyMade) -> Option<String> {
    let tree = tree::read(policy.text, policy.format(), SourceId(0)).ok()?;
    Some(tree.to_json().get("description")?.as_str()?.to_owned())
}

/// The policy in YAML, with the remarks at its head. Those further down have no place there.
fn as_yaml(policy: &ReadyMade) -> Result<String, Failure> {
    let tree = tree::read(policy.text, Format::Toml, SourceId(0))
        .map_err(|_| Failure::told(format!("`{}` cannot be read", policy.name())))?;
    let mut text: String = policy.remarks().flat_map(|line| [line, "\n"]).collect();
    text.push_str(&yaml::write(&tree.to_json()));
    Ok(text)
}
