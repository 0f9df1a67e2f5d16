//! Read-only or not, project or not.

use super::*;

/// Whether a command and everything that it runs has the claim.
fn all(u: &Understood, claim: fn(&Understood) -> &Claim) -> Result<(), String> {
    if let Claim::No(reason) = claim(u) {
        return Err(reason.clone());
    }
    for inner in &u.inner {
        match &inner.what {
            InnerKind::Argv(words) | InnerKind::ArgvAndMore(words) => {
                let mut words = words.clone();
                if matches!(inner.what, InnerKind::ArgvAndMore(_)) {
                    words.push(Word::unknown(true));
                }
                all(&understand(&words), claim)?;
            }
            InnerKind::Script(script) => {
                let text = script.literal().ok_or("an unknown script")?;
                all(&of(&text), claim)?;
            }
            InnerKind::Stdin | InnerKind::ScriptFile(_) | InnerKind::Code(_) | InnerKind::Unknown => {
                return Err("runs something".into());
            }
        }
    }
    Ok(())
}

/// Every line has the claim.
#[track_caller]
pub(super) fn every_line(lines: &str, claim: fn(&Understood) -> &Claim) {
    let refusal = |line: &str| all(&of(line), claim).err().map(|reason| format!("{line}: {reason}"));
    let wrong: Vec<String> = lines.lines().filter(|l| !l.is_empty()).filter_map(refusal).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

/// No line has the claim.
#[track_caller]
pub(super) fn no_line(lines: &str, claim: fn(&Understood) -> &Claim) {
    let passed = |line: &&str| all(&of(line), claim).is_ok();
    let wrong: Vec<&str> = lines.lines().filter(|l| !l.is_empty()).filter(passed).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn these_only_read() {
    every_line(READ_ONLY, |u| &u.read_only);
}

#[test]
fn these_do_more_than_read() {
    no_line(NOT_READ_ONLY, |u| &u.read_only);
}

#[test]
fn these_are_project_commands() {
    every_line(PROJECT, |u| &u.project);
    no_line(NOT_PROJECT, |u| &u.project);
}

const READ_ONLY: &str = include_str!("read-only.txt");
const NOT_READ_ONLY: &str = include_str!("not-read-only.txt");
const PROJECT: &str = include_str!("project.txt");
const NOT_PROJECT: &str = include_str!("not-project.txt");
