//! Unified diffs, with or without git's headers.

use super::{Found, lines};

/// What is known of the file that the lines are about.
#[derive(Default)]
struct Section {
    /// Begun by `diff --git`, with these names.
    git: Option<Vec<String>>,
    /// It is a copy, so that the old file stays as it is.
    copied: bool,
    /// What `--- name` may mean, until its `+++ name` comes.
    old: Option<Vec<String>>,
    /// `+++` was read, so hunks may follow.
    hunks: bool,
}

pub(super) fn read(text: &str, found: &mut Found) {
    let mut section = Section::default();
    let mut hunk = Hunk::default();
    let mut rest = lines(text).peekable();
    while let Some(line) = rest.next() {
        if !hunk.is_over() {
            // Where the text ends with a line break, the last line is no line.
            if rest.peek().is_none() && line.is_empty() {
                break;
            }
            if hunk.takes(line, found) {
                continue;
            }
            found.doubt();
            hunk = Hunk::default();
        }
        outside(line, &mut section, &mut hunk, found);
    }
    if !hunk.is_over() {
        found.doubt();
    }
    section.finish(found);
}

fn outside(line: &str, section: &mut Section, hunk: &mut Hunk, found: &mut Found) {
    if section.old.is_some() && !line.starts_with("+++ ") {
        found.doubt();
        section.pair(Vec::new(), found);
    }
    if let Some(names) = line.strip_prefix("diff --git ") {
        section.finish(found);
        *section = Section { git: Some(git_names(names, found)), ..Section::default() };
    } else if let Some(name) = line.strip_prefix("--- ") {
        if section.hunks {
            section.finish(found);
            *section = Section::default();
        }
        section.old = Some(side(name, found));
    } else if let Some(name) = line.strip_prefix("+++ ") {
        let new = side(name, found);
        section.pair(new, found);
    } else if let Some(range) = line.strip_prefix("@@ -") {
        match Hunk::parse(range) {
            Some(new) if section.hunks => *hunk = new,
            Some(_) | None => found.doubt(),
        }
    } else if !(line.trim().is_empty() || line.starts_with("\\ ")) {
        extended(line, section, found);
    }
}

/// One of git's lines between `diff --git` and the hunks.
fn extended(line: &str, section: &mut Section, found: &mut Found) {
    if section.git.is_none() || section.hunks {
        found.doubt();
    }
    if let Some(name) = after_any(line, &["rename from ", "rename old "]) {
        let name = unquoted(name, found);
        found.read(&name);
        found.write(&name);
    } else if let Some(name) = after_any(line, &["rename to ", "rename new ", "copy to "]) {
        let name = unquoted(name, found);
        found.write(&name);
    } else if let Some(name) = line.strip_prefix("copy from ") {
        section.copied = true;
        let name = unquoted(name, found);
        found.read(&name);
    } else if let Some(name) = line.strip_prefix("Index: ") {
        found.doubt();
        found.write(name);
    } else if let Some(mode) =
        after_any(line, &["new file mode ", "new mode ", "deleted file mode ", "old mode "])
    {
        check_mode(mode, found);
    } else if let Some(index) = line.strip_prefix("index ") {
        if let Some((_, mode)) = index.split_once(' ') {
            check_mode(mode, found);
        }
    } else if after_any(line, &["similarity index ", "dissimilarity index "]).is_none() {
        found.doubt();
    }
}

/// A link or a repository within: what is written there later is somewhere else.
fn check_mode(mode: &str, found: &mut Found) {
    if !mode.starts_with("100") {
        found.doubt();
    }
}

fn after_any<'a>(line: &'a str, marks: &[&str]) -> Option<&'a str> {
    marks.iter().find_map(|mark| line.strip_prefix(mark))
}

impl Section {
    /// The names of `---` and `+++`; none is `/dev/null`.
    fn pair(&mut self, new: Vec<String>, found: &mut Found) {
        let Some(old) = self.old.take() else {
            found.doubt();
            self.write(new, found);
            return;
        };
        if (old.is_empty() && new.is_empty()) || self.hunks {
            found.doubt();
        }
        self.hunks = true;
        for name in &old {
            found.reads.push(name.clone());
        }
        // Programs choose between the two names, except where git says that one is copied from the other.
        if !self.copied {
            self.write(old, found);
        }
        self.write(new, found);
    }

    fn write(&mut self, names: Vec<String>, found: &mut Found) {
        self.hunks = true;
        found.writes.extend(names);
    }

    fn finish(&mut self, found: &mut Found) {
        if self.old.is_some() {
            found.doubt();
            self.pair(Vec::new(), found);
        }
        let Some(names) = self.git.take() else { return };
        let old = if self.copied { names.first().map(|old| with_stripped(old)) } else { None };
        for name in &names {
            let forms = with_stripped(name);
            found.reads.extend(forms.iter().cloned());
            if old.as_ref() != Some(&forms) {
                found.writes.extend(forms);
            }
        }
    }
}

/// The two names of `diff --git`. With blanks in them nobody can be sure where one ends.
fn git_names(text: &str, found: &mut Found) -> Vec<String> {
    let first = if text.starts_with('"') {
        unquote(text).and_then(|(name, rest)| Some((name, rest.strip_prefix(' ')?)))
    } else {
        text.split_once(' ').map(|(name, rest)| (name.to_owned(), rest))
    };
    let second = first.and_then(|(old, rest)| match unquote(rest) {
        Some((new, "")) => Some([old, new]),
        Some(_) => None,
        None => (!rest.is_empty() && !rest.contains([' ', '"'])).then(|| [old, rest.to_owned()]),
    });
    let pair = second.or_else(|| {
        found.doubt();
        let (old, new) = text.split_at_checked(text.len() / 2)?;
        let new = new.strip_prefix(' ')?;
        (old == new || stripped(old) == stripped(new)).then(|| [old.to_owned(), new.to_owned()])
    });
    pair.into_iter().flatten().filter(|name| name != NULL).flat_map(|name| found.names(&name)).collect()
}

const NULL: &str = "/dev/null";

/// What the name after `---` or `+++` may mean; nothing for `/dev/null`.
fn side(text: &str, found: &mut Found) -> Vec<String> {
    let names = if text.starts_with('"') {
        vec![unquoted(text.split('\t').next().unwrap_or_default(), found)]
    } else if let Some((name, _date)) = text.split_once('\t') {
        found.names(name)
    } else if let Some((name, _date)) = text.split_once(' ') {
        // A name with blanks, or a date after it.
        found.doubt();
        let mut names = found.names(name);
        names.extend(found.names(text));
        names
    } else {
        found.names(text)
    };
    names.iter().filter(|name| *name != NULL).flat_map(|name| with_stripped(name)).collect()
}

/// A name as it is written, and without `a/` or the like in front.
fn with_stripped(name: &str) -> Vec<String> {
    std::iter::once(name).chain(stripped(name)).map(str::to_owned).collect()
}

fn stripped(name: &str) -> Option<&str> {
    let (prefix, rest) = name.split_once('/')?;
    let is_prefix = matches!(prefix, "a" | "b" | "c" | "i" | "o" | "w" | "1" | "2");
    (is_prefix && !rest.is_empty()).then_some(rest)
}

/// A name that may be in quotes; what is wrong with them is kept as it is.
fn unquoted(text: &str, found: &mut Found) -> String {
    if !text.starts_with('"') {
        return text.to_owned();
    }
    let Some((name, "")) = unquote(text) else {
        found.doubt();
        return text.to_owned();
    };
    if name.trim().is_empty() || name.chars().any(char::is_control) {
        found.doubt();
    }
    name
}

/// Takes a name in quotes with C's escapes, as git writes it, from the start of a text; gives the name and the rest.
fn unquote(text: &str) -> Option<(String, &str)> {
    let mut rest = text.strip_prefix('"')?;
    let mut name = Vec::new();
    loop {
        let at = rest.find(['"', '\\'])?;
        let (plain, tail) = rest.split_at_checked(at)?;
        name.extend_from_slice(plain.as_bytes());
        if let Some(tail) = tail.strip_prefix('"') {
            return Some((String::from_utf8(name).ok()?, tail));
        }
        let mut escape = tail.chars();
        escape.next();
        let byte = match escape.next()? {
            'a' => 7,
            'b' => 8,
            't' => b'\t',
            'n' => b'\n',
            'v' => 11,
            'f' => 12,
            'r' => b'\r',
            '"' => b'"',
            '\\' => b'\\',
            high @ '0'..='3' => {
                let digits = [high, escape.next()?, escape.next()?];
                let value = digits.iter().try_fold(0, |value, digit| Some(value * 8 + digit.to_digit(8)?))?;
                u8::try_from(value).ok()?
            }
            _ => return None,
        };
        name.push(byte);
        rest = escape.as_str();
    }
}

/// The lines of a hunk that are still to come, by the counts in its head.
#[derive(Default)]
struct Hunk {
    old: u64,
    new: u64,
    /// The line before was `--- …`.
    dashes: bool,
}

impl Hunk {
    /// What stands after `@@ -`: `1,2 +1,3 @@`.
    fn parse(range: &str) -> Option<Self> {
        let (old, rest) = range.split_once(" +")?;
        let (new, _context) = rest.split_once(" @@")?;
        Some(Self { old: count(old)?, new: count(new)?, dashes: false })
    }

    fn is_over(&self) -> bool {
        self.old == 0 && self.new == 0
    }

    /// Whether the line is content of the hunk.
    fn takes(&mut self, line: &str, found: &mut Found) -> bool {
        // Those who do not count would begin a new file here.
        if self.dashes && line.starts_with("+++ ") {
            found.doubt();
        }
        self.dashes = line.starts_with("--- ");
        let (old, new) = match line.chars().next() {
            None | Some(' ') => (1, 1),
            Some('-') => (1, 0),
            Some('+') => (0, 1),
            Some('\\') => (0, 0),
            Some(_) => return false,
        };
        match (self.old.checked_sub(old), self.new.checked_sub(new)) {
            (Some(old), Some(new)) => {
                self.old = old;
                self.new = new;
                true
            }
            (Some(_) | None, _) => false,
        }
    }
}

/// The number of lines in `start,count`; one where there is no count.
fn count(range: &str) -> Option<u64> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    match range.split_once(',') {
        Some((start, count)) if is_number(start) && is_number(count) => count.parse().ok(),
        None if is_number(range) => Some(1),
        Some(_) | None => None,
    }
}
