//! From the text of an entry to [`Entry`].

use std::borrow::Cow;

use super::data;
use super::entry::{Arity, Effect, Entry, Is, Kind, Opt, ReadOnly, hash};

/// Parses the body of an entry.
pub(super) fn parse(body: &'static str) -> Result<Entry, String> {
    let mut entry = Entry::default();
    read(&mut entry, body, 0)?;
    guard_against_opposites(&mut entry);
    for option in &entry.options {
        entry.dangerous |= option.is_dangerous();
        entry.may_run |= option.names_program();
    }
    entry.dangerous |= entry.is(Is::Incomplete);
    entry.may_run |= entry.is(Is::Incomplete);
    let size = (entry.names.len() * 2).next_power_of_two();
    entry.slots = vec![0; size];
    for (position, (name, _, _)) in entry.names.iter().enumerate() {
        let mut at = hash(name) & (size - 1);
        while let Some(slot) = entry.slots.get_mut(at) {
            let other = usize::from(*slot).checked_sub(1).and_then(|p| entry.names.get(p));
            match other {
                None => {
                    *slot = u16::try_from(position + 1).map_err(|_| "too many options")?;
                    break;
                }
                Some((other, _, _)) if other == name => return Err(format!("`{name}` is listed twice")),
                Some(_) => at = (at + 1) & (size - 1),
            }
        }
    }
    Ok(entry)
}

/// `git branch --list --no-list x` makes a branch: the opposite of what makes a command read-only is not harmless.
fn guard_against_opposites(entry: &mut Entry) {
    let (ReadOnly::With(needed) | ReadOnly::Bare(needed)) = &entry.read_only else { return };
    let opposites: Vec<String> = entry
        .options
        .iter()
        .filter(|o| o.names.iter().any(|n| needed.contains(&n.as_ref())))
        .flat_map(|o| o.names.iter().filter_map(|n| n.strip_prefix("--").map(|n| format!("--no-{n}"))))
        .filter(|opposite| !needed.contains(&opposite.as_str()))
        .collect();
    for option in &mut entry.options {
        if option.names.iter().any(|n| opposites.iter().any(|o| o == n)) {
            option.effects.push(Effect::No);
        }
    }
}

fn read(entry: &mut Entry, body: &'static str, depth: usize) -> Result<(), String> {
    if depth > 8 {
        return Err("sets include each other".into());
    }
    for line in body.lines() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mut words = line.split(' ').filter(|w| !w.is_empty());
        let Some(first) = words.next() else { continue };
        match first {
            "is" => {
                for word in words {
                    property(entry, word)?;
                }
            }
            "operands" => {
                let kinds = words.map(|w| {
                    let many = w.strip_suffix("...");
                    Kind::parse(many.unwrap_or(w)).map(|k| (k, many.is_some() || k.takes_the_rest()))
                });
                entry.operands = Some(kinds.collect::<Result<_, _>>()?);
            }
            "default" | "default-recursive" => {
                let (Some(kind), Some(path)) = (words.next(), words.next()) else {
                    return Err("`default` needs a kind and a path".into());
                };
                entry.default = Some((Kind::parse(kind)?, path, first == "default-recursive"));
            }
            "read-only-with" => entry.read_only = ReadOnly::With(words.collect()),
            "read-only-bare" => entry.read_only = ReadOnly::Bare(words.collect()),
            "hook" => entry.hook = words.next(),
            "use" => {
                for name in words {
                    let set = data::set(name).ok_or_else(|| format!("there is no set `{name}`"))?;
                    read(entry, set, depth + 1)?;
                }
            }
            _ if !first.starts_with(char::is_alphabetic) || entry.is(Is::KeyValue) => {
                option(entry, first)?;
                for word in words {
                    option(entry, word)?;
                }
            }
            _ => return Err(format!("a line cannot start with `{first}`")),
        }
    }
    Ok(())
}

fn property(entry: &mut Entry, word: &str) -> Result<(), String> {
    let is = match word {
        "read-only" => {
            entry.read_only = ReadOnly::Yes;
            return Ok(());
        }
        "project" => Is::Project,
        "gnu" => Is::Gnu,
        "posix" => Is::Posix,
        "single-dash" => Is::SingleDash,
        "numeric" => Is::Numeric,
        "anywhere" => Is::Anywhere,
        "old-style" => Is::OldStyle,
        "key-value" => Is::KeyValue,
        "assignments" => Is::Assignments,
        "transparent" => Is::Transparent,
        "elsewhere" => Is::Elsewhere,
        "incomplete" => Is::Incomplete,
        "recursive" => Is::Recursive,
        "rebinds" => Is::Rebinds,
        "writes" => Is::Writes,
        "reads" => Is::Reads,
        "network" => Is::Network,
        "runs" => Is::Runs,
        "plain" => Is::Plain,
        _ => return Err(format!("unknown property `{word}`")),
    };
    entry.is |= is as u32;
    Ok(())
}

fn option(entry: &mut Entry, spec: &'static str) -> Result<(), String> {
    let mut parts = spec.split('!');
    let mut head = parts.next().unwrap_or_default();
    let mut effects = Vec::new();
    if head.is_empty() {
        // `!` itself, an operator of find.
        if spec == "!" {
            head = "!";
        } else {
            return Err(format!("`{spec}` has no spelling"));
        }
    } else {
        for effect in parts {
            effects.push(Effect::parse(effect)?);
        }
    }
    // A value's kinds follow the last mark; `=` holds for every spelling, `[=]` for its own.
    let (spellings, required, kinds) = value_of(head);
    let values: Vec<Kind> = match kinds {
        None if head.contains('[') && head.contains("[=]") => vec![Kind::Text],
        None => Vec::new(),
        Some(kinds) => kinds.split('+').map(Kind::parse).collect::<Result<_, _>>()?,
    };
    let index = entry.options.len();
    let mut names = Vec::new();
    let mut opposites = Vec::new();
    // `,` itself is an operator of find.
    let separator = if spellings == "," { '\0' } else { ',' };
    for spelling in spellings.split(separator) {
        let (spelling, optional) = match spelling.strip_suffix("[=]") {
            Some(spelling) => (spelling, true),
            None => (spelling, false),
        };
        if spelling.is_empty() {
            return Err(format!("`{spec}` has an empty spelling"));
        }
        let arity = match (required, optional) {
            (_, true) => Arity::Optional,
            (true, false) => Arity::Required,
            (false, false) => Arity::None,
        };
        entry.bare_words |= !spelling.starts_with('-');
        let name: Cow<'static, str> = match negatable(spelling) {
            Some((dashes, name)) => {
                opposites.push(Cow::from(format!("{dashes}no-{name}")));
                format!("{dashes}{name}").into()
            }
            None => spelling.into(),
        };
        entry.names.push((name.clone(), index, arity));
        names.push(name);
    }
    // `--no-x` is no other spelling of `--x`, and takes no value. What `--x` may do, it may undo.
    let dangerous: Vec<Effect> = effects.iter().copied().filter(|e| e.is_dangerous()).collect();
    entry.options.push(Opt { names, values, effects });
    if !opposites.is_empty() {
        entry.names.extend(opposites.iter().map(|name| (name.clone(), index + 1, Arity::None)));
        entry.options.push(Opt { names: opposites, values: Vec::new(), effects: dangerous });
    }
    Ok(())
}

/// `--[no-]color` is `--` and `color`.
fn negatable(spelling: &'static str) -> Option<(&'static str, &'static str)> {
    if spelling.contains('[') { spelling.split_once("[no-]") } else { None }
}

/// Splits `-o,--output=write` into the spellings, whether a value is required, and the kinds, where there is a value.
fn value_of(head: &'static str) -> (&'static str, bool, Option<&'static str>) {
    if head.contains('[')
        && let Some(at) = head.rfind("[=]")
    {
        let after = at + "[=]".len();
        let (spellings, kinds) = head.split_at_checked(after).unwrap_or((head, ""));
        // A later spelling may stand without a value: `-i[=],--quiet`.
        if !kinds.contains(',') && !kinds.contains('=') {
            return (spellings, false, Some(kinds));
        }
        return (head, false, None);
    }
    match head.split_once('=') {
        Some((spellings, kinds)) => (spellings, true, Some(kinds)),
        None => (head, false, None),
    }
}
