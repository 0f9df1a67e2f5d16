//! The text of a path pattern.

use std::ops::Range;

use super::{Base, Branch};
use crate::facts::path::{Atom, Component, Set};
use crate::pattern::PatternError;

/// A pattern has at most this many characters.
const LONGEST: usize = 1000;
/// Braces may stand for at most this many patterns.
const MOST_BRANCHES: usize = 64;
/// Braces may stand in braces this deep.
const DEEPEST: usize = 8;

fn error(at: Range<usize>, message: impl Into<String>, help: impl Into<String>) -> PatternError {
    PatternError { message: message.into(), help: Some(help.into()), at }
}

/// An element of a pattern, and its bytes.
#[derive(Clone, Debug)]
struct Token {
    what: What,
    at: Range<usize>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Slash,
    Atom(Atom),
    Open,
    Comma,
    Close,
}

/// Reads a pattern: one branch for each way through its braces.
pub(super) fn parse(text: &str) -> Result<Vec<Branch>, PatternError> {
    check_whole(text)?;
    let (base, start) = base(text)?;
    let tokens = tokens(text, start)?;
    expand(&tokens)?.into_iter().map(|branch| self::branch(&base, &branch, text.len())).collect()
}

/// Reads the folder of `inside` or `outside`: a path, without globs.
pub(super) fn parse_folder(text: &str) -> Result<Vec<Branch>, PatternError> {
    let text = if text.len() > 1 { text.strip_suffix('/').unwrap_or(text) } else { text };
    let branches = match text {
        "." | "./" => vec![Branch::new(Base::Workspace, Vec::new())],
        "/" => vec![Branch::new(Base::Root, Vec::new())],
        "~" => vec![Branch::new(Base::Home, Vec::new())],
        _ => parse(text)?,
    };
    let globs = branches.iter().any(|b| b.names.iter().any(|n| n.text().is_none()));
    if globs || branches.len() != 1 {
        return Err(error(
            0..text.len(),
            format!("`{text}` is not a folder: it has globs"),
            "name one folder, such as `.`, `src` or `/tmp`; a pattern with globs stands by itself, as in `src/*/out/**`",
        ));
    }
    Ok(branches)
}

fn check_whole(text: &str) -> Result<(), PatternError> {
    let all = 0..text.len();
    if text.is_empty() {
        return Err(error(all, "a path pattern is empty", "write `**` for everything in the workspace, `/**` for the whole disk"));
    }
    if text.chars().count() > LONGEST {
        return Err(error(all, format!("a path pattern is longer than {LONGEST} characters"), "write several patterns"));
    }
    if let Some(at) = text.find('\0') {
        return Err(error(at..at + 1, "a path pattern has a NUL character, which no path has", "leave it out"));
    }
    if text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) && !text.ends_with("\\ ") {
        return Err(error(
            all,
            format!("`{text}` starts or ends with a blank"),
            "leave it out, or write `\\ ` for a blank that is part of the name",
        ));
    }
    if let Some(rest) = text.strip_prefix('!') {
        return Err(error(
            0..1,
            format!("`{text}` starts with `!`, which does not turn a pattern round"),
            format!("put `{rest}` under `unless`, or write `\\!` for a name that starts with `!`"),
        ));
    }
    if text.ends_with('/') && !matches!(text, "/" | "~/" | "./") {
        return Err(error(
            text.len() - 1..text.len(),
            format!("`{text}` ends in `/`, which says nothing of what is in the folder"),
            format!("write `{text}**` for everything in it, or `{}` for the folder itself", text.trim_end_matches('/')),
        ));
    }
    Ok(())
}

/// What the pattern is relative to, and where the names below that begin.
fn base(text: &str) -> Result<(Base, usize), PatternError> {
    let ends = |rest: &str| rest.is_empty() || rest.starts_with('/');
    if text.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("file:")) {
        let path = text.get(5..).and_then(|rest| rest.strip_prefix("//")).filter(|rest| rest.starts_with('/'));
        let Some(path) = path else {
            return Err(error(0..text.len(), format!("`{text}` is no file URL"), "write `file:///folder/file`, or the path alone"));
        };
        if let Some(at) = text.find('%') {
            return Err(error(at..at + 1, format!("`{text}` has a percent escape"), "write the path itself"));
        }
        return Ok((Base::Root, text.len() - path.len()));
    }
    if text.contains("://") {
        return Err(error(0..text.len(), format!("`{text}` is a URL"), "put it under `fetches`"));
    }
    if let Some(rest) = text.strip_prefix('~') {
        if ends(rest) {
            return Ok((Base::Home, 1));
        }
        let user = rest.split('/').next().unwrap_or_default();
        return Err(error(
            0..1 + user.len(),
            format!("`~{user}` is another user's home folder, which is not known"),
            format!("write its path, such as `/home/{user}`, or `\\~` for a name that starts with `~`"),
        ));
    }
    for variable in ["$HOME", "${HOME}"] {
        if let Some(rest) = text.strip_prefix(variable)
            && ends(rest)
        {
            return Ok((Base::Home, variable.len()));
        }
    }
    let variable = |c: char| c.is_ascii_uppercase() || c == '_' || c == '{';
    if text.strip_prefix('$').is_some_and(|rest| rest.starts_with(variable)) {
        let end = text.find('/').unwrap_or(text.len());
        return Err(error(
            0..end,
            format!("`{}` is a variable, and no variable but `$HOME` is understood", text.get(..end).unwrap_or_default()),
            "write the path itself, or `\\$` for a name that starts with `$`",
        ));
    }
    let mut chars = text.chars();
    if let (Some(letter), Some(':'), Some(next)) = (chars.next(), chars.next(), chars.next())
        && letter.is_ascii_alphabetic()
    {
        if next == '\\' {
            return Err(backslash(text, 2..3));
        }
        if next == '/' {
            return Ok((Base::Drive(format!("{}:", letter.to_ascii_uppercase())), 2));
        }
    }
    Ok((if text.starts_with('/') { Base::Root } else { Base::Workspace }, 0))
}

fn backslash(text: &str, at: Range<usize>) -> PatternError {
    error(
        at,
        format!("`{text}` has a `\\` in front of a character that needs none"),
        "write `/` between the names of a path, also on Windows",
    )
}

fn tokens(text: &str, start: usize) -> Result<Vec<Token>, PatternError> {
    let mut tokens = Vec::new();
    let mut depth = 0_usize;
    let mut opened = Vec::new();
    let mut rest = text.char_indices().skip_while(|(at, _)| *at < start).peekable();
    while let Some((at, c)) = rest.next() {
        let mut end = at + c.len_utf8();
        let what = match c {
            '/' => What::Slash,
            '*' => What::Atom(Atom::Many),
            '?' => What::Atom(Atom::One),
            '{' => {
                opened.push(at);
                depth += 1;
                if depth > DEEPEST {
                    return Err(error(at..end, "braces stand in braces too deep", "write several patterns"));
                }
                What::Open
            }
            '}' if depth > 0 => {
                opened.pop();
                depth -= 1;
                What::Close
            }
            ',' if depth > 0 => What::Comma,
            '[' => {
                let body = text.get(end..).unwrap_or_default();
                let (set, length) = set(body).map_err(|(message, help)| {
                    let length = body.find(']').map_or(body.len(), |i| i + 1);
                    error(at..end + length, message, help)
                })?;
                end += length;
                while rest.next_if(|(next, _)| *next < end).is_some() {}
                What::Atom(Atom::Set(set))
            }
            '\\' => match rest.next() {
                None => {
                    return Err(error(at..end, format!("`{text}` ends in `\\`"), "write `\\\\` for a backslash"));
                }
                Some((next, escaped)) => {
                    end = next + escaped.len_utf8();
                    if escaped.is_alphanumeric() || matches!(escaped, '/' | '.' | '_') {
                        return Err(backslash(text, at..end));
                    }
                    What::Atom(Atom::Char(escaped))
                }
            },
            c => What::Atom(Atom::Char(c)),
        };
        tokens.push(Token { what, at: at..end });
    }
    match opened.last() {
        None => Ok(tokens),
        Some(at) => Err(error(
            *at..*at + 1,
            "`{` is not closed",
            "close it with `}`, or write `\\{` for a brace that is part of the name",
        )),
    }
}

/// A set, after its `[`: the set, and the bytes up to and with its `]`.
fn set(body: &str) -> Result<(Set, usize), (String, String)> {
    let fail = |message: &str, help: &str| Err((message.to_owned(), help.to_owned()));
    if body.starts_with('^') {
        return fail("`[^` is not how a set is turned round", "write `[!…]`, or `[\\^…]` for a `^`");
    }
    if body.starts_with("[:") {
        return fail("a set names a class of characters", "write the characters, such as `[a-zA-Z]`");
    }
    let negated = body.starts_with('!');
    let mut chars: Vec<(usize, char, bool)> = Vec::new();
    let mut rest = body.char_indices().skip(usize::from(negated));
    let mut close = None;
    while let Some((at, c)) = rest.next() {
        match c {
            ']' if !chars.is_empty() => {
                close = Some(at);
                break;
            }
            '/' => return fail("a set has a `/`, which is in no name", "leave it out"),
            '\\' => match rest.next() {
                Some((at, c)) => chars.push((at, c, true)),
                None => break,
            },
            c => chars.push((at, c, false)),
        }
    }
    let Some(close) = close else {
        return fail("`[` is not closed", "close it with `]`, or write `\\[` for a bracket that is part of the name");
    };
    let mut ranges = Vec::new();
    let mut rest = chars.as_slice();
    while let Some(((_, first, _), more)) = rest.split_first() {
        if let [(_, '-', false), (_, last, _), after @ ..] = more {
            if first > last {
                return fail(&format!("the range `{first}-{last}` is empty"), &format!("write `{last}-{first}`"));
            }
            ranges.push((*first, *last));
            rest = after;
        } else {
            ranges.push((*first, *first));
            rest = more;
        }
    }
    Ok((Set { negated, ranges, folded: false }, close + 1))
}

/// Goes through the braces, from the outside in.
fn expand(tokens: &[Token]) -> Result<Vec<Vec<Token>>, PatternError> {
    let mut done = Vec::new();
    let mut open = vec![tokens.to_vec()];
    while let Some(tokens) = open.pop() {
        let Some(start) = tokens.iter().position(|t| t.what == What::Open) else {
            done.push(tokens);
            continue;
        };
        let (mut depth, mut parts, mut end) = (0_usize, vec![Vec::new()], tokens.len());
        for (i, token) in tokens.iter().enumerate().skip(start) {
            match token.what {
                What::Open => depth += 1,
                What::Close => depth -= 1,
                What::Comma | What::Slash | What::Atom(_) => {}
            }
            if depth == 0 {
                end = i;
                break;
            }
            match (&token.what, depth) {
                (What::Open, 1) => {}
                (What::Comma, 1) => parts.push(Vec::new()),
                _ => {
                    if let Some(part) = parts.last_mut() {
                        part.push(token.clone());
                    }
                }
            }
        }
        if done.len() + open.len() + parts.len() > MOST_BRANCHES {
            let at = tokens.get(start).map_or(0..0, |t| t.at.clone());
            return Err(error(
                at,
                format!("the braces of a pattern stand for more than {MOST_BRANCHES} patterns"),
                "write several patterns, or a `*`",
            ));
        }
        for part in parts.into_iter().rev() {
            let before = tokens.iter().take(start);
            let after = tokens.iter().skip(end + 1);
            open.push(before.chain(&part).chain(after).cloned().collect());
        }
    }
    Ok(done)
}

/// One way through the braces, in names.
fn branch(base: &Base, tokens: &[Token], length: usize) -> Result<Branch, PatternError> {
    let mut names: Vec<Component> = Vec::new();
    let mut anchored = false;
    for part in tokens.split(|t| t.what == What::Slash) {
        let at = match (part.first(), part.last()) {
            (Some(first), Some(last)) => first.at.start.min(last.at.start)..last.at.end.max(first.at.end),
            _ => continue,
        };
        let atoms: Vec<Atom> = part
            .iter()
            .filter_map(|t| match &t.what {
                What::Atom(atom) => Some(atom.clone()),
                What::Slash | What::Open | What::Comma | What::Close => None,
            })
            .collect();
        if atoms == [Atom::Many, Atom::Many] {
            names.push(Component::Any);
            continue;
        }
        if atoms.windows(2).any(|pair| pair == [Atom::Many, Atom::Many]) {
            return Err(error(
                at,
                "`**` stands for whole names only, and here it is part of one",
                "write `*` inside a name, or `**` between slashes, as in `a*/**/b`",
            ));
        }
        match Component::from_atoms(atoms) {
            Component::Text(name) if name == "." => anchored |= names.is_empty(),
            Component::Text(name) if name == ".." => match names.last() {
                Some(Component::Text(last)) if last != ".." => drop(names.pop()),
                None | Some(Component::Text(_)) => names.push(Component::Text(name)),
                Some(Component::Glob(_) | Component::Any) => {
                    return Err(error(at, "`..` after a glob leads nowhere certain", "write the path without `..`"));
                }
            },
            name => names.push(name),
        }
    }
    if names.is_empty() && *base == Base::Workspace {
        return Err(error(
            0..length,
            "a path pattern is the workspace itself",
            "write `**` for everything in it, or `{ inside = \".\" }`",
        ));
    }
    let branch = Branch::new(base.clone(), names);
    // `./**` is said of the workspace.
    Ok(Branch { starts_deep: branch.starts_deep && !anchored, ..branch })
}
