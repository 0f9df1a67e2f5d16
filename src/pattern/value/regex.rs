//! A regular expression over an argument, compiled when it is first needed.

use std::sync::OnceLock;

use regex_lite::{Regex, RegexBuilder};

use super::super::{PatternError, Reading, Tri};

/// The bytes that a compiled expression may take, and the longest text that is searched with one of that
/// size. Matching takes time proportional to both, so a large expression reads less; a longer text is not
/// understood.
const SIZES: [(usize, usize); 2] = [(16 << 10, 1 << 20), (256 << 10, 64 << 10)];

/// An expression longer than this is blamed as a whole, since its first bad character is found by trying its
/// prefixes.
const MAX_TRIED: usize = 256;

/// A regular expression. Its classes are ASCII: `\w` is `[0-9A-Za-z_]`.
#[derive(Clone, Debug)]
pub struct ValueRegex {
    source: Box<str>,
    /// `None` inside when it does not compile, which only an unchecked one can.
    anywhere: OnceLock<Option<Compiled>>,
    whole: OnceLock<Option<Compiled>>,
}

impl ValueRegex {
    /// The expression `source`, or what is wrong with it.
    pub fn new(source: &str) -> Result<Self, PatternError> {
        let regex = Self::new_unchecked(source);
        match compile(source) {
            Ok(compiled) => {
                regex.anywhere.get_or_init(|| Some(compiled));
                Ok(regex)
            }
            Err(error) => Err(explain(source, &error)),
        }
    }

    /// The expression `source`, not compiled until it is needed. One that turns out not to compile matches
    /// nothing narrowly, and possibly everything broadly.
    pub fn new_unchecked(source: &str) -> Self {
        Self { source: source.into(), anywhere: OnceLock::new(), whole: OnceLock::new() }
    }

    /// The expression as written.
    pub fn as_str(&self) -> &str {
        &self.source
    }

    /// Whether `text` matches: anywhere in the broad reading, as a whole in the narrow one.
    pub fn matches(&self, text: &str, reading: Reading) -> Tri {
        let compiled = match reading {
            Reading::Broad => self.anywhere.get_or_init(|| compile(&self.source).ok()),
            Reading::Narrow => self.whole.get_or_init(|| compile_whole(&self.source)),
        };
        match (compiled, reading) {
            (Some(compiled), Reading::Broad | Reading::Narrow) if text.len() <= compiled.max_text => {
                compiled.regex.is_match(text).into()
            }
            (Some(_) | None, Reading::Broad) => Tri::Possibly,
            (Some(_) | None, Reading::Narrow) => Tri::No,
        }
    }
}

impl PartialEq for ValueRegex {
    fn eq(&self, other: &Self) -> bool {
        self.source == other.source
    }
}

impl Eq for ValueRegex {}

#[derive(Clone, Debug)]
struct Compiled {
    regex: Regex,
    max_text: usize,
}

fn compile(source: &str) -> Result<Compiled, regex_lite::Error> {
    let [small, large] = SIZES.map(|(size, max_text)| {
        move || {
            let regex = RegexBuilder::new(source).size_limit(size).build()?;
            Ok(Compiled { regex, max_text })
        }
    });
    small().or_else(|_: regex_lite::Error| large())
}

/// The expression must stand by itself before it is wrapped: `a)|(b` does not.
fn compile_whole(source: &str) -> Option<Compiled> {
    compile(source).ok()?;
    // After `(?x)` an expression may end in a comment, which would swallow the parenthesis.
    let wrapped = [format!(r"\A(?:{source})\z"), format!("\\A(?:{source}\n)\\z")];
    wrapped.iter().find_map(|wrapped| compile(wrapped).ok())
}

fn explain(source: &str, error: &regex_lite::Error) -> PatternError {
    let message = error.to_string();
    let at = blame(source, &message);
    let blamed = source.get(at.clone()).unwrap_or(source);
    let help = if message.contains("lookaround") || message.contains("look-around") {
        Some("look-around is not supported: say what may not match in `unless`".to_owned())
    } else if message.contains("backreference") {
        Some("backreferences are not supported".to_owned())
    } else if message.contains("size") {
        Some("make a counted repetition smaller".to_owned())
    } else {
        None
    };
    PatternError { message: format!("the regular expression is wrong at `{blamed}`: {message}"), help, at }
}

/// The character at which reading fails: the shortest start of `source` that fails in the same way ends
/// there.
fn blame(source: &str, message: &str) -> std::ops::Range<usize> {
    if source.len() > MAX_TRIED {
        return 0..source.len();
    }
    let mut at = 0..source.len();
    for (start, c) in source.char_indices().rev() {
        at = start..start + c.len_utf8();
        let fails_alike = source
            .get(..start)
            .is_some_and(|prefix| matches!(compile(prefix), Err(error) if error.to_string() == message));
        if !fails_alike {
            break;
        }
    }
    at
}
