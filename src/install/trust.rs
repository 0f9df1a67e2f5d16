//! What can be read of whether a host trusts a hook.

use std::path::Path;

use serde_json::Value;

use super::hosts::Host;
use super::inspect::{Level, Registered, Remark};
use super::place::{Place, Scope};
use super::plan::value_of;

/// What is known of the trust in the hooks that are registered.
pub(super) fn remarks(host: &Host, place: &Place, registered: &[Registered]) -> Vec<Remark> {
    if registered.is_empty() {
        return Vec::new();
    }
    if host.name != "codex" {
        let what = "whether the hooks are trusted cannot be read".to_owned();
        return vec![Remark { level: Level::Note, what, todo: Some(host.duty.to_owned()) }];
    }
    let config = value_of(&place.of_codex().join("config.toml")).ok().flatten().unwrap_or_default();
    let mut found: Vec<_> = registered.iter().map(|hook| of_codex_hook(&config, place, hook)).collect();
    if registered.iter().any(|hook| hook.scope == Scope::Project) {
        found.push(of_codex_project(&config, place));
    }
    found
}

/// A hook that a person has trusted is noted with its place in its file. That the digest beside it is that of the entry as it is now,
/// only Codex can tell.
fn of_codex_hook(config: &Value, place: &Place, hook: &Registered) -> Remark {
    let event = hook.event.as_deref().unwrap_or_default();
    let (group, handler) = hook.number;
    let end = format!(":{}:{group}:{handler}", snake(event));
    let state = config.pointer("/hooks/state").and_then(Value::as_object);
    let noted = state
        .into_iter()
        .flatten()
        .find(|(key, _)| key.strip_suffix(&end).is_some_and(|path| is_same(Path::new(path), &hook.path)));
    let at = format!("{}: `{event}`", place.short(&hook.path));
    let todo = Some("start `codex`, open `/hooks` and trust it".to_owned());
    match noted.map(|(_, state)| state) {
        Some(state) if state.get("enabled") == Some(&Value::Bool(false)) => {
            let todo = Some("switch it on in `/hooks`".to_owned());
            Remark { level: Level::Problem, what: format!("{at} is switched off"), todo }
        }
        Some(state) if state.get("trusted_hash").is_some() => {
            let what = format!("{at} was trusted once; whether as it is now, `/hooks` in Codex shows");
            Remark { level: Level::Fine, what, todo: None }
        }
        Some(_) | None => {
            Remark { level: Level::Problem, what: format!("{at} is not trusted, so it never runs"), todo }
        }
    }
}

fn of_codex_project(config: &Value, place: &Place) -> Remark {
    let projects = config.get("projects").and_then(Value::as_object);
    let trusted = projects.into_iter().flatten().any(|(path, project)| {
        place.project.ancestors().any(|folder| is_same(Path::new(path), folder))
            && project.get("trust_level").is_some_and(|level| level == "trusted")
    });
    if trusted {
        return Remark { level: Level::Fine, what: "Codex trusts the project".to_owned(), todo: None };
    }
    Remark {
        level: Level::Problem,
        what: "Codex does not trust the project, so it passes over its configuration".to_owned(),
        todo: Some("start `codex` here and trust the project".to_owned()),
    }
}

fn is_same(a: &Path, b: &Path) -> bool {
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// `PreToolUse` as `pre_tool_use`.
fn snake(event: &str) -> String {
    let mut out = String::new();
    for c in event.chars() {
        if c.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}
