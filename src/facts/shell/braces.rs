//! Brace expansion: `{a,b}`, `{1..5}`.

use super::ast::{Part, Word};

/// More words than this are unknown.
const MAX_WORDS: usize = 256;

/// A piece of a word within brace expansion.
#[derive(Clone, Copy, Debug)]
pub(super) enum Atom<'a> {
    Char(char),
    Part(&'a Part),
}

/// Whether a word has to be looked at.
pub(super) fn has_braces(word: &Word) -> bool {
    word.parts.iter().any(|part| matches!(part, Part::Plain(text) if text.contains('{')))
}

#[derive(Debug)]
enum Node<'a> {
    Atom(Atom<'a>),
    Choice(Vec<Vec<Node<'a>>>),
    Range(Vec<String>),
}

#[derive(Default)]
struct Found {
    groups: bool,
    strays: bool,
}

/// The words that brace expansion makes of one, each as atoms; nothing where that is not certain.
pub(super) fn expand(word: &Word) -> Option<Vec<Vec<Atom<'_>>>> {
    let mut atoms = Vec::new();
    for part in &word.parts {
        match part {
            Part::Plain(text) => atoms.extend(text.chars().map(Atom::Char)),
            other => atoms.push(Atom::Part(other)),
        }
    }
    if atoms.len() > 4096 || atoms.iter().filter(|atom| matches!(atom, Atom::Char('{'))).count() > 64 {
        return None;
    }
    let mut found = Found::default();
    let mut at = 0;
    let nodes = read(&atoms, &mut at, 0, &mut found)?;
    let nodes = nodes.into_iter().next().unwrap_or_default();
    if !found.groups {
        return Some(vec![atoms]);
    }
    if found.strays {
        return None;
    }
    let words = product(&nodes)?;
    // Letters that come to stand behind `$x` would be of its name.
    let grows = |pair: &[Atom<'_>]| match pair {
        [Atom::Part(Part::Parameter(p)), Atom::Char(c)] => {
            !p.braced && (c.is_ascii_alphanumeric() || matches!(c, '_' | '['))
        }
        [Atom::Char('$'), _] => true,
        _ => false,
    };
    if words.iter().any(|word| word.windows(2).any(grows)) { None } else { Some(words) }
}

/// Reads alternatives up to the closing brace, or one alternative up to the end at depth 0.
fn read<'a>(
    atoms: &[Atom<'a>],
    at: &mut usize,
    depth: usize,
    found: &mut Found,
) -> Option<Vec<Vec<Node<'a>>>> {
    if depth > 16 {
        return None;
    }
    let mut all = Vec::new();
    let mut nodes = Vec::new();
    while let Some(atom) = atoms.get(*at) {
        *at += 1;
        match atom {
            Atom::Char('{') => match closing(atoms, *at) {
                None => {
                    found.strays = true;
                    nodes.push(Node::Atom(*atom));
                }
                Some(end) if end == *at => {
                    *at += 1;
                    nodes.extend([Node::Atom(Atom::Char('{')), Node::Atom(Atom::Char('}'))]);
                    // `{}` inside of another group confuses even bash.
                    found.strays |= depth > 0;
                }
                Some(end) => {
                    let inside = atoms.get(*at..end)?;
                    if let Some(range) = range(inside)? {
                        found.groups = true;
                        *at = end + 1;
                        nodes.push(Node::Range(range));
                    } else if has_comma(inside) {
                        found.groups = true;
                        nodes.push(Node::Choice(read(atoms, at, depth + 1, found)?));
                    } else {
                        found.strays = true;
                        nodes.push(Node::Atom(*atom));
                    }
                }
            },
            Atom::Char('}') if depth > 0 => {
                all.push(nodes);
                return Some(all);
            }
            Atom::Char('}') => {
                found.strays = true;
                nodes.push(Node::Atom(*atom));
            }
            Atom::Char(',') if depth > 0 => all.push(std::mem::take(&mut nodes)),
            Atom::Char(_) | Atom::Part(_) => nodes.push(Node::Atom(*atom)),
        }
    }
    all.push(nodes);
    Some(all)
}

/// The place of the brace that closes, from behind the one that opens.
fn closing(atoms: &[Atom<'_>], from: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (index, atom) in atoms.iter().enumerate().skip(from) {
        match atom {
            Atom::Char('{') => depth += 1,
            Atom::Char('}') if depth == 0 => return Some(index),
            Atom::Char('}') => depth -= 1,
            Atom::Char(_) | Atom::Part(_) => {}
        }
    }
    None
}

fn has_comma(atoms: &[Atom<'_>]) -> bool {
    let mut depth = 0_usize;
    for atom in atoms {
        match atom {
            Atom::Char('{') => depth += 1,
            Atom::Char('}') => depth = depth.saturating_sub(1),
            Atom::Char(',') if depth == 0 => return true,
            Atom::Char(_) | Atom::Part(_) => {}
        }
    }
    false
}

/// `1..5`, `a..e`, `0..10..2`: `Some(None)` where it is none, nothing where it is not certain.
#[expect(clippy::option_option, reason = "not certain, no range, a range")]
fn range(atoms: &[Atom<'_>]) -> Option<Option<Vec<String>>> {
    let mut text = String::new();
    for atom in atoms {
        match atom {
            Atom::Char(char) => text.push(*char),
            Atom::Part(_) => return if text.contains("..") { None } else { Some(None) },
        }
    }
    let Some((first, rest)) = text.split_once("..") else { return Some(None) };
    if text.contains(['{', '}', ',']) {
        return Some(None);
    }
    let (last, step) = rest.split_once("..").map_or((rest, None), |(last, step)| (last, Some(step)));
    let step = match step {
        None => 1,
        Some(step) => step.parse::<i64>().ok().filter(|step| *step > 0)?,
    };
    let number =
        |text: &str| (!text.starts_with('+') && text.len() < 10).then(|| text.parse::<i64>().ok()).flatten();
    if let (Some(from), Some(to)) = (number(first), number(last)) {
        let padded = |t: &str| t.len() > 1 && t.trim_start_matches('-').starts_with('0');
        let width = if padded(first) || padded(last) { first.len().max(last.len()) } else { 0 };
        if width > 0 && (from < 0 || to < 0) {
            return None;
        }
        let mut out = Vec::new();
        let mut value = from;
        while if from <= to { value <= to } else { value >= to } {
            if out.len() >= MAX_WORDS {
                return None;
            }
            out.push(format!("{value:0width$}"));
            value += if from <= to { step } else { -step };
        }
        return Some(Some(out));
    }
    if let ([from], [to]) = (first.as_bytes(), last.as_bytes()) {
        let same_case = from.is_ascii_lowercase() && to.is_ascii_lowercase()
            || from.is_ascii_uppercase() && to.is_ascii_uppercase();
        if !same_case || step != 1 {
            return None;
        }
        let letters = |from: u8, to: u8| (from..=to).map(|b| char::from(b).to_string());
        let out: Vec<String> =
            if from <= to { letters(*from, *to).collect() } else { letters(*to, *from).rev().collect() };
        return Some(Some(out));
    }
    // Neither numbers nor letters, as far as can be told here.
    None
}

fn product<'a>(nodes: &[Node<'a>]) -> Option<Vec<Vec<Atom<'a>>>> {
    let mut words: Vec<Vec<Atom<'a>>> = vec![Vec::new()];
    for node in nodes {
        let choices: Vec<Vec<Atom<'a>>> = match node {
            Node::Atom(atom) => {
                for word in &mut words {
                    word.push(*atom);
                }
                continue;
            }
            Node::Range(texts) => texts.iter().map(|text| text.chars().map(Atom::Char).collect()).collect(),
            Node::Choice(all) => {
                let mut out = Vec::new();
                for nodes in all {
                    out.extend(product(nodes)?);
                }
                out
            }
        };
        let size: usize = words.iter().chain(&choices).map(Vec::len).sum();
        if words.len() * choices.len() > MAX_WORDS || size > 64 * 1024 {
            return None;
        }
        words = words
            .iter()
            .flat_map(|word| choices.iter().map(move |choice| word.iter().chain(choice).copied().collect()))
            .collect();
    }
    Some(words)
}
