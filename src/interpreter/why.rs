//! Why a rule does not match, in words for a person. Nothing is decided here.

use super::scene::Scene;
use crate::pattern::{Reading, Tri};
use crate::rule::{Conditions, Hint, Kind, Preview, Rule};

/// Why a rule does not match a call as a whole, where that is why.
pub(super) fn not(scene: &Scene<'_>, rule: &Rule, believed: bool) -> Option<String> {
    if let Some(names) = rule.names()
        && !names
            .iter()
            .any(|name| name.matches(&scene.name) || rule.denies() && name.matches(&scene.call.tool))
    {
        return Some(format!("no name of it matches `{}`", scene.name));
    }
    let (when, unless) = if rule.denies() || rule.asks() {
        (Reading::Broad, Reading::Narrow)
    } else {
        (Reading::Narrow, Reading::Broad)
    };
    let narrow = when == Reading::Narrow;
    let fails = |answer: Tri| answer == Tri::No || narrow && answer != Tri::Yes;
    let failing: Vec<String> = alone(&rule.when)
        .into_iter()
        .filter(|(_, c)| fails(scene.holds(c, when)))
        .map(|(key, _)| format!("`when.{key}`"))
        .collect();
    match failing.as_slice() {
        [] => {}
        [one] => return Some(format!("{one} does not hold")),
        many => return Some(format!("{} do not hold", many.join(", "))),
    }
    let excepted = !rule.unless.is_empty() && rule.unless.parts.keys().next().is_none() && {
        let holds = scene.holds(&rule.unless, unless);
        holds == Tri::Yes || unless == Reading::Broad && holds != Tri::No
    };
    if excepted {
        let keys: Vec<String> =
            alone(&rule.unless).into_iter().map(|(key, _)| format!("`unless.{key}`")).collect();
        return Some(format!("{} {}", keys.join(" and "), if keys.len() == 1 { "holds" } else { "hold" }));
    }
    match (&rule.kind, &scene.call.mcp, scene.hints().read_only()) {
        (Kind::AllowByReadOnly { .. }, Some(mcp), _) if !believed => {
            Some(format!("`trust_mcp` does not cover the server `{}`", mcp.server))
        }
        (Kind::AllowByReadOnly { .. }, _, false)
            if scene.tool.as_ref().is_none_or(|tool| tool.is_opaque()) =>
        {
            Some("the tool does not say that this call is read-only".to_owned())
        }
        _ => None,
    }
}

/// The conditions on the call as a whole, each by itself, under its key.
fn alone(conditions: &Conditions) -> Vec<(String, Conditions)> {
    let mut found = Vec::new();
    let mut one = |key: &str, alone: Conditions| found.push((key.to_owned(), alone));
    let Conditions {
        tool,
        mcp_server,
        agent,
        mode,
        args,
        only_args,
        hints,
        requires_human,
        reason,
        confirmation,
        parts: _,
    } = conditions;
    if tool.is_some() {
        one("tool", Conditions { tool: tool.clone(), ..Conditions::default() });
    }
    if mcp_server.is_some() {
        one("mcp_server", Conditions { mcp_server: mcp_server.clone(), ..Conditions::default() });
    }
    if agent.is_some() {
        one("agent", Conditions { agent: agent.clone(), ..Conditions::default() });
    }
    if mode.is_some() {
        one("mode", Conditions { mode: mode.clone(), ..Conditions::default() });
    }
    for arg in args {
        one(&format!("args.{}", arg.0), Conditions { args: vec![arg.clone()], ..Conditions::default() });
    }
    if only_args.is_some() {
        one("only_args", Conditions { only_args: only_args.clone(), ..Conditions::default() });
    }
    for hint in hints {
        let key = match hint.0 {
            Hint::ReadOnly => "hints.read_only",
            Hint::Destructive => "hints.destructive",
            Hint::Idempotent => "hints.idempotent",
            Hint::OpenWorld => "hints.open_world",
        };
        one(key, Conditions { hints: vec![*hint], ..Conditions::default() });
    }
    if requires_human.is_some() {
        one("requires_human", Conditions { requires_human: *requires_human, ..Conditions::default() });
    }
    if reason.is_some() {
        one("reason", Conditions { reason: *reason, ..Conditions::default() });
    }
    for preview in confirmation {
        let key = match preview.0 {
            Preview::FileName => "confirmation.file_name",
            Preview::FileDiff => "confirmation.file_diff",
            Preview::Title => "confirmation.title",
        };
        one(key, Conditions { confirmation: vec![preview.clone()], ..Conditions::default() });
    }
    found
}
