//! What a part of a call names, in words.

use crate::facts::parts::{FileTouch, NetTouch, Part, PartKind, Run};
use crate::facts::path::Extent;
use crate::facts::programs::{Access, Claim};
use crate::facts::url::Target;

/// What is known of the part, a line each.
pub(in crate::cli) fn of(part: &Part) -> Vec<String> {
    match &part.kind {
        PartKind::Run(run) => of_run(run),
        PartKind::Read(file) | PartKind::Write(file) => resolved(file).into_iter().collect(),
        PartKind::Fetch(net) => vec![host(net)],
        PartKind::Call => vec!["nothing is known of what it does".to_owned()],
    }
}

/// What a run part does with its own words.
pub(in crate::cli) fn of_run(run: &Run) -> Vec<String> {
    let mut found = Vec::new();
    found.extend(run.opaque.as_ref().map(|why| format!("unknown: {why}")));
    found.extend(run.neutral.map(|why| format!("needs no rule: {why}")));
    if run.rebound {
        found.push("the name means something else here: an alias or a function".to_owned());
    }
    if !run.understood.modelled && run.opaque.is_none() {
        found.push("no model of this program: its files and hosts are guessed".to_owned());
    }
    found.extend(run.files.iter().map(file));
    found.extend(run.fetches.iter().map(host));
    let unknown = [
        (run.understood.unknown_reads, "may read files that its words do not name"),
        (run.understood.unknown_writes, "may write files that its words do not name"),
        (run.understood.unknown_fetches, "may reach hosts that its words do not name"),
    ];
    found.extend(unknown.into_iter().filter(|(is, _)| *is).map(|(_, text)| text.to_owned()));
    for variable in &run.env {
        let harmless = if variable.harmless { ", which is harmless" } else { "" };
        found.push(format!("sets `{}`{harmless}", variable.name));
    }
    found.push(claim("read-only", &run.read_only));
    if run.read_only != Claim::Yes {
        found.push(claim("a project command", &run.project));
    }
    found
}

fn claim(what: &str, claim: &Claim) -> String {
    match claim {
        Claim::Yes => what.to_owned(),
        Claim::No(why) => format!("not {what}: {why}"),
    }
}

fn file(touch: &FileTouch) -> String {
    let verb = match touch.access {
        Access::Read => "reads",
        Access::Write => "writes",
        Access::ReadWrite => "reads and writes",
    };
    let below = match touch.extent {
        Extent::Itself => "",
        Extent::MayReachBelow => ", perhaps what is below it",
        Extent::ReachesBelow => " and everything below it",
    };
    let perhaps = if touch.possible { "perhaps " } else { "" };
    let place = resolved(touch).map(|text| format!(" ({text})")).unwrap_or_default();
    format!("{perhaps}{verb} `{}`{below}{place}", touch.path.shown())
}

/// Where the file is, where its words do not say it.
fn resolved(touch: &FileTouch) -> Option<String> {
    let shown = touch.path.shown();
    match (touch.path.written(), touch.path.resolved()) {
        (Some(written), Some(resolved)) if written != resolved => {
            Some(format!("{written}, a way to {resolved}"))
        }
        (Some(written), _) if written != shown => Some(written),
        (Some(_), _) => None,
        (None, _) => Some("nobody can tell for sure where".to_owned()),
    }
}

fn host(net: &NetTouch) -> String {
    let perhaps = if net.possible { "perhaps " } else { "" };
    let method = net.method.as_ref().map(|m| format!(" with {m}")).unwrap_or_default();
    let more = if net.follows_redirects { ", and where that redirects to" } else { "" };
    let target = match &net.target {
        Target::Place(place) => {
            let scheme = place.scheme.as_ref().map(|s| format!("{s}://")).unwrap_or_default();
            let port = place.port.filter(|_| !place.own_port).map(|p| format!(":{p}")).unwrap_or_default();
            format!("`{scheme}{}{port}{}`", place.host, place.path.as_deref().unwrap_or_default())
        }
        Target::File(path) => format!("the file `{}`", path.as_deref().unwrap_or("that nobody can tell")),
        Target::Nothing => "nothing".to_owned(),
        Target::Unknown => "a host that nobody can tell".to_owned(),
    };
    format!("{perhaps}fetches {target}{method}{more}")
}
