//! How a rule meets the parts of a call.

use smallvec::{SmallVec, smallvec};

use crate::facts::parts::{EnvVar, Facts, FileTouch, NetTouch, Part, PartKind, Run};
use crate::facts::path::Extent;
use crate::pattern::command::CommandContext;
use crate::pattern::{Reading, Tri};
use crate::rule::{PartConditions, PartKey, Rule};

/// The parts that a rule looks at together.
pub(super) type Unit<'a> = SmallVec<[&'a Part; 4]>;

/// Something that a condition on parts can match.
#[derive(Clone, Copy)]
enum Element<'a> {
    Run(&'a Run),
    File(&'a FileTouch),
    Net(&'a NetTouch),
    Env(&'a EnvVar),
    /// There may be one, and nobody can tell which.
    Unknown,
    /// There may be one, since nothing is known of the program: no reason to deny or ask, but none to allow.
    Unmodelled,
}

/// The units in which a denial or a question looks at a call: command by command when it speaks of commands, else the call as a whole.
pub(super) fn units<'a>(rule: &Rule, facts: &'a Facts) -> impl Iterator<Item = Unit<'a>> {
    let by_command = rule.names_part(PartKey::Runs);
    let whole = (!by_command).then(|| facts.parts.iter().collect());
    let runs =
        facts.parts.iter().enumerate().filter(move |(_, p)| by_command && matches!(p.kind, PartKind::Run(_)));
    whole.into_iter().chain(runs.map(|(i, _)| facts.group(i)))
}

/// Whether a denial or a question applies to the unit, by its conditions on parts; `unless_call` says whether the rest of `unless` holds.
pub(super) fn applies(rule: &Rule, unit: &Unit<'_>, unless_call: Tri, context: &CommandContext<'_>) -> Tri {
    let (when, unless) = (&rule.when.parts, &rule.unless.parts);
    let has_exception = !rule.unless.is_empty();
    // Which keys of `unless` hold for all of the unit.
    let held = |key: PartKey| {
        let mut elements = elements(unit, key).peekable();
        if elements.peek().is_none() {
            return Tri::No;
        }
        elements.fold(Tri::Yes, |t, e| t.and(matches(unless, key, e, Reading::Narrow, context)))
    };
    let excepted = |of: Option<(PartKey, Element<'_>)>| {
        if !has_exception {
            return Tri::No;
        }
        unless.keys().fold(unless_call, |answer, key| {
            answer.and(match of {
                Some((own, element)) if own == key => matches(unless, key, element, Reading::Narrow, context),
                Some(_) | None => held(key),
            })
        })
    };
    // A narrow match that is only possible is no exception.
    let not_excepted = |of| Tri::from(excepted(of) != Tri::Yes);
    let mut answer = Tri::Yes;
    let mut keyed = false;
    for key in when.keys() {
        keyed = true;
        let any = elements(unit, key).fold(Tri::No, |t, element| {
            if t == Tri::Yes {
                return t;
            }
            let hit = matches(when, key, element, Reading::Broad, context);
            t.or(if hit == Tri::No { hit } else { hit.and(not_excepted(Some((key, element)))) })
        });
        answer = answer.and(any);
        if answer == Tri::No {
            return Tri::No;
        }
    }
    if keyed { answer } else { not_excepted(None) }
}

/// Of a question that looks at a call command by command: whether it speaks of the group with that index.
pub(super) fn groups(
    rule: &Rule,
    facts: &Facts,
    unless_call: Tri,
    context: &CommandContext<'_>,
) -> Option<Vec<bool>> {
    if !rule.names_part(PartKey::Runs) {
        return None;
    }
    let speaks = |(i, part): (usize, &Part)| {
        matches!(part.kind, PartKind::Run(_))
            && part.group == i
            && applies(rule, &facts.group(i), unless_call, context) != Tri::No
    };
    Some(facts.parts.iter().enumerate().map(speaks).collect())
}

/// Whether some key of `when` matches something that this one part names.
pub(super) fn concerns(rule: &Rule, part: &Part, context: &CommandContext<'_>) -> bool {
    let unit: Unit<'_> = smallvec![part];
    rule.when.parts.keys().any(|key| {
        elements(&unit, key).any(|e| matches(&rule.when.parts, key, e, Reading::Broad, context) != Tri::No)
    })
}

/// Whether an allow covers parts of some kinds only; `env` beside nothing else is a permission and narrows nothing.
pub(super) fn speaks_of_parts(rule: &Rule) -> bool {
    rule.when.parts.keys().any(|key| key != PartKey::Env)
}

/// Whether an allow covers the part, by its conditions on parts; `unless_call` says whether the rest of `unless` may hold.
pub(super) fn covers(
    rule: &Rule,
    facts: &Facts,
    index: usize,
    unless_call: Tri,
    context: &CommandContext<'_>,
) -> Tri {
    let Some(part) = facts.parts.get(index) else { return Tri::No };
    let when = &rule.when.parts;
    let keyed = speaks_of_parts(rule);
    let unit = if keyed { facts.group(part.group) } else { facts.parts.iter().collect() };
    if !rule.unless.is_empty() {
        let may_hold = rule.unless.parts.keys().fold(unless_call, |answer, key| {
            let any = elements(&unit, key)
                .fold(Tri::No, |t, e| t.or(matches(&rule.unless.parts, key, e, Reading::Broad, context)));
            answer.and(any)
        });
        if may_hold != Tri::No {
            return Tri::No;
        }
    }
    if !keyed {
        return Tri::Yes;
    }
    let all = |unit: &Unit<'_>, key: PartKey| {
        elements(unit, key).fold(Tri::Yes, |t, e| t.and(matches(when, key, e, Reading::Narrow, context)))
    };
    let file_keys = [PartKey::Reads, PartKey::Writes, PartKey::Touches, PartKey::Fetches];
    if when.has(PartKey::Runs) {
        let command = unit.iter().find_map(|p| match &p.kind {
            PartKind::Run(run) => Some((*p, run)),
            PartKind::Read(_) | PartKind::Write(_) | PartKind::Fetch(_) | PartKind::Call => None,
        });
        let Some((whole, run)) = command else { return Tri::No };
        let named = all(&smallvec![whole], PartKey::Runs).and(variables_named(run, when));
        let narrowed =
            file_keys.iter().filter(|key| when.has(**key)).fold(named, |t, key| t.and(all(&unit, *key)));
        return narrowed.and(Tri::from(speaks_of(when, &part.kind)));
    }
    let own: Unit<'_> = smallvec![part];
    let kind = match &part.kind {
        PartKind::Run(_) | PartKind::Call => false,
        PartKind::Read(_) | PartKind::Write(_) | PartKind::Fetch(_) => speaks_of(when, &part.kind),
    };
    file_keys.iter().filter(|key| when.has(**key)).fold(Tri::from(kind), |t, key| match (key, &part.kind) {
        // An edit also names its file as read; an allow on writes covers it.
        (PartKey::Reads, PartKind::Write(_)) => t,
        _ => t.and(all(&own, *key)),
    })
}

/// Whether the table has a key for parts of this kind.
fn speaks_of(when: &PartConditions, kind: &PartKind) -> bool {
    match kind {
        PartKind::Run(_) => when.has(PartKey::Runs),
        PartKind::Read(_) => when.has(PartKey::Reads) || when.has(PartKey::Touches),
        PartKind::Write(_) => when.has(PartKey::Writes) || when.has(PartKey::Touches),
        PartKind::Fetch(_) => when.has(PartKey::Fetches),
        PartKind::Call => false,
    }
}

/// Whether every variable set for the program is harmless or named.
fn variables_named(run: &Run, when: &PartConditions) -> Tri {
    let named = |name: &str| when.env.as_ref().is_some_and(|globs| globs.iter().any(|g| g.matches(name)));
    Tri::from(run.env.iter().all(|v| v.harmless || named(&v.name)))
}

/// What the parts of a unit name, as far as `key` speaks of it.
fn elements<'a>(unit: &Unit<'a>, key: PartKey) -> impl Iterator<Item = Element<'a>> {
    let mut found: SmallVec<[Element<'a>; 4]> = SmallVec::new();
    for part in unit {
        match (&part.kind, key) {
            (PartKind::Run(run), PartKey::Runs) => found.push(Element::Run(run)),
            (PartKind::Run(run), PartKey::Reads | PartKey::Writes | PartKey::Touches) => {
                if !run.understood.modelled {
                    found.push(Element::Unmodelled);
                }
                found.extend(run.files.iter().filter(|f| touches(f, key)).map(Element::File));
                let some = |reads: bool, writes: bool| {
                    (reads && key != PartKey::Writes) || (writes && key != PartKey::Reads)
                };
                if some(run.unnamed.reads, run.unnamed.writes) || run.opaque.is_some() || run.rebound {
                    found.push(Element::Unknown);
                } else if some(run.understood.unknown_reads, run.understood.unknown_writes) {
                    found.push(Element::Unmodelled);
                }
            }
            (PartKind::Run(run), PartKey::Fetches) => {
                if !run.understood.modelled {
                    found.push(Element::Unmodelled);
                }
                found.extend(run.fetches.iter().map(Element::Net));
                if run.understood.unknown_fetches || run.opaque.is_some() || run.rebound {
                    found.push(Element::Unknown);
                }
            }
            (PartKind::Run(run), PartKey::Env) => {
                found.extend(run.env.iter().map(Element::Env));
                if run.opaque.is_some() {
                    found.push(Element::Unknown);
                }
            }
            (
                PartKind::Read(file) | PartKind::Write(file),
                PartKey::Reads | PartKey::Writes | PartKey::Touches,
            ) => {
                if touches(file, key) {
                    found.push(Element::File(file));
                }
            }
            (PartKind::Fetch(net), PartKey::Fetches) => found.push(Element::Net(net)),
            (PartKind::Read(_) | PartKind::Write(_), PartKey::Runs | PartKey::Fetches | PartKey::Env)
            | (
                PartKind::Fetch(_),
                PartKey::Runs | PartKey::Reads | PartKey::Writes | PartKey::Touches | PartKey::Env,
            )
            | (PartKind::Call, _) => {}
        }
    }
    found.into_iter()
}

fn touches(file: &FileTouch, key: PartKey) -> bool {
    match key {
        PartKey::Reads => file.access.reads(),
        PartKey::Writes => file.access.writes(),
        PartKey::Touches => true,
        PartKey::Runs | PartKey::Fetches | PartKey::Env => false,
    }
}

/// Whether one of the patterns under `key` matches the element.
fn matches(
    conditions: &PartConditions,
    key: PartKey,
    element: Element<'_>,
    reading: Reading,
    context: &CommandContext<'_>,
) -> Tri {
    let mut best = Tri::No;
    for index in 0..conditions.count(key) {
        best = best.or(pattern_matches(conditions, key, index, element, reading, context));
        if best == Tri::Yes {
            break;
        }
    }
    best
}

/// Whether the pattern at `index` under `key` matches the element.
fn pattern_matches(
    conditions: &PartConditions,
    key: PartKey,
    index: usize,
    element: Element<'_>,
    reading: Reading,
    context: &CommandContext<'_>,
) -> Tri {
    let guessed = |possible: bool, answer: Tri| match reading {
        Reading::Broad if possible => answer.and(Tri::Possibly),
        Reading::Broad | Reading::Narrow => answer,
    };
    let paths = match key {
        PartKey::Reads => &conditions.reads,
        PartKey::Writes => &conditions.writes,
        PartKey::Touches => &conditions.touches,
        PartKey::Runs | PartKey::Fetches | PartKey::Env => &None,
    };
    let answer = match element {
        Element::Unknown => Some(match reading {
            Reading::Broad => Tri::Possibly,
            Reading::Narrow => Tri::No,
        }),
        Element::Unmodelled => None,
        Element::Run(run) => conditions
            .runs
            .as_ref()
            .and_then(|list| list.get(index))
            .map(|p| p.matches(run, reading, context)),
        Element::File(file) => paths.as_ref().and_then(|list| list.get(index)).map(|p| {
            let answer = match (&file.refined, reading) {
                (Some(refined), Reading::Broad) => p.matches(refined, Extent::Itself, reading, context.paths),
                (Some(_), Reading::Narrow) | (None, _) => {
                    p.matches(&file.path, file.extent, reading, context.paths)
                }
            };
            guessed(file.possible, answer)
        }),
        Element::Net(net) => conditions.fetches.as_ref().and_then(|list| list.get(index)).map(|p| {
            // Other hosts that it may be sent on to count for an allow only: else every download would be asked about.
            let sent_on = net.follows_redirects && reading == Reading::Narrow;
            guessed(net.possible, p.matches(&net.target, net.method.as_deref(), sent_on, reading))
        }),
        Element::Env(var) => {
            conditions.env.as_ref().and_then(|list| list.get(index)).map(|g| Tri::from(g.matches(&var.name)))
        }
    };
    answer.unwrap_or(Tri::No)
}

/// The patterns of `when` that match something in the call, as they are written.
pub(super) fn reached<'r>(
    rule: &'r Rule,
    facts: &Facts,
    context: &CommandContext<'_>,
) -> Vec<(PartKey, &'r str)> {
    let when = &rule.when.parts;
    let reading = if rule.denies() || rule.asks() { Reading::Broad } else { Reading::Narrow };
    let unit: Unit<'_> = facts.parts.iter().collect();
    let mut found = Vec::new();
    for (key, written) in &when.written {
        for (index, text) in written.iter().enumerate() {
            let hit = elements(&unit, *key)
                .any(|e| pattern_matches(when, *key, index, e, reading, context) != Tri::No);
            if hit {
                found.push((*key, text.as_str()));
            }
        }
    }
    found
}
