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

#[test]
fn these_only_read() {
    let refused = |line: &&str| all(&of(line), |u| &u.read_only).is_err();
    let wrong: Vec<String> = READ_ONLY
        .lines()
        .filter(|l| !l.is_empty())
        .filter(refused)
        .map(|l| format!("{l}: {}", all(&of(l), |u| &u.read_only).unwrap_err()))
        .collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn these_do_more_than_read() {
    let passed = |line: &&str| all(&of(line), |u| &u.read_only).is_ok();
    let wrong: Vec<&str> = NOT_READ_ONLY.lines().filter(|l| !l.is_empty()).filter(passed).collect();
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}

#[test]
fn these_are_project_commands() {
    for line in PROJECT.lines().filter(|l| !l.is_empty()) {
        assert_eq!(all(&of(line), |u| &u.project), Ok(()), "{line}");
    }
    for line in NOT_PROJECT.lines().filter(|l| !l.is_empty()) {
        assert!(all(&of(line), |u| &u.project).is_err(), "`{line}` should not be a project command");
    }
}
const READ_ONLY: &str = include_str!("read-only.txt");
const NOT_READ_ONLY: &str = include_str!("not-read-only.txt");
const PROJECT: &str = include_str!("project.txt");
const NOT_PROJECT: &str = include_str!("not-project.txt");
