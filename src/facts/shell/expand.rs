//! Expansion: from words as written to words as a program gets them.

use super::ast::{self, Op, Parameter, Part, Subscript};
use super::braces::{self, Atom};
use super::cursor::{MAX_TEXT, is_name};
use super::state::{State, Value, is_number};
use super::walk::Walker;
use super::{Stdin, joined};
use crate::facts::word::{Piece, Word};
use std::rc::Rc;

/// The value of a variable that is longer is not known: each use of it would be a copy.
const LONGEST_VALUE: usize = 4096;

/// How an expansion's result is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Split at blanks, and globbed.
    Bare,
    /// Between double quotes.
    Quoted,
    /// On the right of an assignment: as it is.
    Assigned,
}

/// What an expansion gives.
#[derive(Debug)]
enum Expanded {
    Pieces(Vec<Piece>),
    Number,
    List(Vec<Vec<Piece>>),
    Unset,
    Unknown { list: bool },
}

/// The fields that a word becomes.
#[derive(Debug, Default)]
struct Fields {
    done: Vec<Vec<Piece>>,
    pieces: Vec<Piece>,
    /// The last field is there even if it is empty.
    open: bool,
    /// The last field is not what its pieces say.
    odd: bool,
    /// A bracket that was not closed.
    bracket: bool,
    /// It is a number and nothing else.
    number: bool,
    /// The name that a loop over a glob has picked, which is one that fits the glob only as long as nothing is added.
    picked: Option<Vec<Piece>>,
}

impl Fields {
    fn text(&mut self, text: &str) {
        self.number = false;
        if let Some(Piece::Text(last)) = self.pieces.last_mut() {
            if last.len() + text.len() > MAX_TEXT {
                self.odd = true;
                return;
            }
            last.push_str(text);
        } else if !text.is_empty() {
            self.pieces.push(Piece::Text(text.to_owned()));
        }
        self.open |= !text.is_empty();
    }

    fn unknown(&mut self, splits: bool) {
        self.number = false;
        self.open = true;
        self.pieces.push(Piece::Unknown { splits });
    }

    fn close(&mut self) {
        if self.open {
            let mut pieces = std::mem::take(&mut self.pieces);
            if self.picked.as_ref().is_some_and(|picked| *picked != pieces) {
                for piece in &mut pieces {
                    if matches!(piece, Piece::Glob(_)) {
                        *piece = Piece::Unknown { splits: true };
                    }
                }
            }
            self.done.push(if self.odd { vec![Piece::Unknown { splits: true }] } else { pieces });
        }
        self.pieces.clear();
        self.picked = None;
        (self.open, self.odd, self.bracket) = (false, false, false);
    }

    /// Unquoted text: its globs are pieces of their own.
    fn globbed(&mut self, text: &str) {
        if !text.contains(['*', '?', '[', ']']) {
            self.text(text);
            return;
        }
        let mut from = 0;
        let mut chars = text.char_indices().peekable();
        while let Some((at, char)) = chars.next() {
            let end = match char {
                '*' | '?' => at + 1,
                '[' => {
                    let rest = text.get(at + 1..).unwrap_or_default();
                    let skip = usize::from(rest.starts_with(['!', '^']));
                    let skip = skip + usize::from(rest.get(skip..).is_some_and(|r| r.starts_with(']')));
                    let Some(length) = rest.get(skip..).and_then(|r| r.find(']')) else {
                        self.bracket = true;
                        continue;
                    };
                    at + 1 + skip + length + 1
                }
                ']' => {
                    self.odd |= self.bracket;
                    continue;
                }
                _ => continue,
            };
            self.text(text.get(from..at).unwrap_or_default());
            self.pieces.push(Piece::Glob(text.get(at..end).unwrap_or_default().to_owned()));
            self.open = true;
            self.number = false;
            from = end;
            while chars.peek().is_some_and(|(next, _)| *next < end) {
                chars.next();
            }
        }
        self.text(text.get(from..).unwrap_or_default());
    }

    /// The text of an unquoted value: split at blanks, then globbed.
    fn split(&mut self, text: &str) {
        let blank = |c: char| matches!(c, ' ' | '\t' | '\n');
        if text.contains('\\') && text.contains(['*', '?', '[']) {
            self.unknown(true);
            return;
        }
        if text.starts_with(blank) {
            self.close();
        }
        let mut words = text.split(blank).filter(|word| !word.is_empty()).peekable();
        while let Some(word) = words.next() {
            self.globbed(word);
            if words.peek().is_some() {
                self.close();
            }
        }
        if text.ends_with(blank) {
            self.close();
        }
    }

    fn fill(&mut self, expanded: Expanded, mode: Mode, ifs: bool) {
        match expanded {
            Expanded::Pieces(pieces) => self.pieces_of(&pieces, mode, ifs),
            Expanded::Number => {
                let alone = self.pieces.is_empty() && !self.open;
                self.unknown(mode == Mode::Bare && ifs);
                self.number = alone;
            }
            Expanded::Unset => self.open |= mode != Mode::Bare,
            Expanded::Unknown { list } => self.unknown(match mode {
                Mode::Bare => true,
                Mode::Quoted => list,
                Mode::Assigned => false,
            }),
            Expanded::List(items) => match (mode, items.as_slice()) {
                (Mode::Assigned, [] | [_]) | (Mode::Bare | Mode::Quoted, _) => {
                    for (index, item) in items.iter().enumerate() {
                        if index > 0 {
                            self.close();
                        }
                        self.pieces_of(item, mode, ifs);
                    }
                }
                (Mode::Assigned, _) => self.unknown(false),
            },
        }
    }

    fn pieces_of(&mut self, pieces: &[Piece], mode: Mode, ifs: bool) {
        self.open |= mode != Mode::Bare;
        let globbed = pieces.iter().any(|piece| matches!(piece, Piece::Glob(_)));
        if globbed && mode == Mode::Quoted && self.pieces.is_empty() && self.picked.is_none() {
            self.number = false;
            self.pieces = pieces.to_vec();
            self.picked = Some(pieces.to_vec());
            return;
        }
        for piece in pieces {
            match piece {
                Piece::Text(_) if mode == Mode::Bare && ifs => self.unknown(true),
                Piece::Text(text) if mode == Mode::Bare => self.split(text),
                Piece::Text(text) => self.text(text),
                Piece::Glob(_) | Piece::Unknown { .. } => self.unknown(mode == Mode::Bare),
            }
        }
    }
}

impl Walker<'_> {
    /// The value of a variable, as far as it is known.
    pub(super) fn lookup(&self, state: &State, name: &str) -> Value {
        if let Some(var) = state.vars.get(name) {
            return if state.volatile { Value::Unknown } else { var.value.clone() };
        }
        match name {
            "RANDOM" | "SECONDS" | "LINENO" | "BASHPID" | "PPID" | "UID" | "EUID" | "SRANDOM" | "OPTIND"
                if !state.forgotten && !state.volatile =>
            {
                Value::Number
            }
            "PWD" if state.moved => Value::Unknown,
            // Bash takes none from outside.
            "IFS" if !state.ifs => Value::text(" \t\n"),
            _ if state.forgotten || state.volatile => Value::Unknown,
            _ => match self.start.variables.iter().find(|(known, _)| known == name) {
                Some((_, text)) => Value::text(text),
                None => Value::Unknown,
            },
        }
    }

    /// The words that a word of a command becomes.
    pub(super) fn fields(&mut self, state: &mut State, word: &ast::Word) -> Vec<Word> {
        // Most words are plain.
        if let [Part::Plain(text)] = word.parts.as_slice()
            && !text.contains(['{', '~', '*', '?', '[', ']'])
        {
            return vec![Word { pieces: vec![Piece::Text(text.clone())], span: word.span }];
        }
        let mut fields = Fields::default();
        if braces::has_braces(word) {
            if let Some(words) = braces::expand(word).filter(|words| !state.no_braces || words.len() == 1) {
                for atoms in words {
                    self.atoms(state, &atoms, &mut fields);
                    fields.close();
                }
            } else {
                self.effects(state, &word.parts);
                fields.unknown(true);
            }
        } else {
            let assignment = looks_assigned(word);
            for (index, part) in word.parts.iter().enumerate() {
                let last = index + 1 == word.parts.len();
                match part {
                    Part::Plain(text) => {
                        self.plain(state, text, index == 0, last, assignment, Mode::Bare, &mut fields);
                    }
                    part => self.part(state, part, Mode::Bare, &mut fields),
                }
            }
        }
        fields.close();
        fields.done.into_iter().map(|pieces| Word { pieces: joined(pieces), span: word.span }).collect()
    }

    fn atoms(&mut self, state: &mut State, atoms: &[Atom<'_>], fields: &mut Fields) {
        let mut text = String::new();
        let mut first = true;
        for atom in atoms {
            match atom {
                Atom::Char(char) => text.push(*char),
                Atom::Part(part) => {
                    self.plain(state, &text, first, false, false, Mode::Bare, fields);
                    text.clear();
                    first = false;
                    self.part(state, part, Mode::Bare, fields);
                }
            }
        }
        self.plain(state, &text, first, true, false, Mode::Bare, fields);
    }

    /// Unquoted text of a word, with its tildes.
    #[expect(
        clippy::too_many_arguments,
        reason = "where the text stands in its word decides what its tildes are"
    )]
    fn plain(
        &mut self,
        state: &State,
        text: &str,
        first: bool,
        last: bool,
        assignment: bool,
        mode: Mode,
        fields: &mut Fields,
    ) {
        let put = |fields: &mut Fields, text: &str| match mode {
            Mode::Bare => fields.globbed(text),
            Mode::Quoted | Mode::Assigned => fields.text(text),
        };
        if !text.contains('~') {
            put(fields, text);
            return;
        }
        let colons = assignment || mode == Mode::Assigned;
        let mut from = 0;
        for (at, _) in text.match_indices('~') {
            let before = text.get(..at).and_then(|t| t.chars().next_back());
            let starts = match before {
                None => first,
                Some(':') => colons,
                Some('=') => assignment && first && text.get(..at - 1).is_some_and(is_name),
                Some(_) => false,
            };
            let rest = text.get(at + 1..).unwrap_or_default();
            let end = rest.find(|c| c == '/' || colons && c == ':');
            if !starts || at < from || end.is_none() && !last {
                continue;
            }
            let length = end.unwrap_or(rest.len());
            put(fields, text.get(from..at).unwrap_or_default());
            let home = match rest.get(..length) {
                Some("") => self.lookup(state, "HOME").literal().filter(|home| !home.is_empty()),
                Some("+") => self.lookup(state, "PWD").literal().filter(|pwd| !pwd.is_empty()),
                _ => None,
            };
            match home {
                Some(home) => fields.text(&home),
                None => fields.unknown(false),
            }
            from = at + 1 + length;
        }
        put(fields, text.get(from..).unwrap_or_default());
    }

    /// The value of an assignment.
    pub(super) fn value(&mut self, state: &mut State, parts: &[Part]) -> Value {
        let mut fields = Fields::default();
        for (index, part) in parts.iter().enumerate() {
            match part {
                Part::Plain(text) => {
                    self.plain(
                        state,
                        text,
                        index == 0,
                        index + 1 == parts.len(),
                        false,
                        Mode::Assigned,
                        &mut fields,
                    );
                }
                part => self.part(state, part, Mode::Assigned, &mut fields),
            }
        }
        let long = |piece: &Piece| match piece {
            Piece::Text(text) | Piece::Glob(text) => text.len() + 1,
            Piece::Unknown { .. } => 1,
        };
        if fields.odd
            || !fields.done.is_empty()
            || fields.pieces.iter().map(long).sum::<usize>() > LONGEST_VALUE
        {
            return Value::Unknown;
        }
        if fields.number { Value::Number } else { Value::Pieces(joined(fields.pieces).into()) }
    }

    /// A word that is neither split nor globbed.
    pub(super) fn single(&mut self, state: &mut State, word: &ast::Word) -> Word {
        match self.value(state, &word.parts) {
            Value::Pieces(pieces) => Word { pieces: pieces.to_vec(), span: word.span },
            Value::Number | Value::Array(_) | Value::Unset | Value::Unknown => {
                Word { span: word.span, ..Word::unknown(false) }
            }
        }
    }

    /// Text between double quotes, or of a heredoc.
    pub(super) fn quoted(&mut self, state: &mut State, word: &ast::Word) -> Word {
        let mut fields = Fields::default();
        for part in &word.parts {
            self.part(state, part, Mode::Quoted, &mut fields);
        }
        fields.close();
        let mut done = fields.done.into_iter();
        match (done.next(), done.next()) {
            (None, _) => Word { pieces: Vec::new(), span: word.span },
            (Some(pieces), None) => Word { pieces: joined(pieces), span: word.span },
            (Some(_), Some(_)) => Word { span: word.span, ..Word::unknown(false) },
        }
    }

    /// Only what the parts run and set.
    pub(super) fn effects(&mut self, state: &mut State, parts: &[Part]) {
        let mut fields = Fields::default();
        for part in parts {
            self.part(state, part, Mode::Assigned, &mut fields);
        }
    }

    /// As [`Self::effects`], where it is not known whether the parts are looked at.
    fn perhaps(&mut self, state: &mut State, parts: &[Part]) {
        if parts.iter().any(|part| !matches!(part, Part::Plain(_) | Part::Quoted(_))) {
            let mut other = state.clone();
            self.effects(&mut other, parts);
            *state = state.clone().merge(&other);
        }
    }

    fn part(&mut self, state: &mut State, part: &Part, mode: Mode, fields: &mut Fields) {
        match part {
            Part::Plain(text) => match mode {
                Mode::Bare => fields.globbed(text),
                Mode::Quoted | Mode::Assigned => fields.text(text),
            },
            Part::Quoted(text) => {
                fields.text(text);
                fields.open = true;
            }
            Part::Double(parts) => {
                fields.open |= parts.is_empty();
                for part in parts {
                    let mode = if mode == Mode::Assigned { Mode::Assigned } else { Mode::Quoted };
                    self.part(state, part, mode, fields);
                }
            }
            Part::Parameter(parameter) => self.parameter(state, parameter, mode, fields),
            Part::Command(list) => {
                let copy = state.clone();
                self.captured(|walker| drop(walker.list(copy, list)));
                fields.fill(Expanded::Unknown { list: false }, mode, state.ifs);
            }
            Part::Arithmetic(parts, span) => {
                self.arithmetic(state, parts, *span);
                fields.fill(Expanded::Number, mode, state.ifs);
            }
            Part::Process { list, input } => {
                let copy = state.clone();
                self.captured(|walker| {
                    if *input {
                        walker.stdin = Stdin::File(Word::unknown(false));
                    }
                    drop(walker.list(copy, list));
                });
                fields.text("/dev/fd/");
                fields.unknown(false);
            }
            Part::Extended { written, parts } => {
                self.effects(state, parts);
                fields.open = true;
                if mode == Mode::Bare {
                    fields.odd = true;
                    fields.text(written);
                } else {
                    fields.unknown(false);
                }
            }
            Part::Array(items) => {
                for item in items {
                    if let Some(subscript) = &item.subscript {
                        self.arithmetic(state, subscript, item.word.span);
                    }
                    self.effects(state, &item.word.parts);
                }
                fields.unknown(false);
            }
        }
    }

    fn parameter(&mut self, state: &mut State, parameter: &Parameter, mode: Mode, fields: &mut Fields) {
        let base = self.base(state, parameter);
        let list = matches!(parameter.subscript, Some(Subscript::All { .. }))
            || matches!(&*parameter.name, "@" | "*");
        let expanded = match &parameter.op {
            _ if parameter.length => Expanded::Number,
            Op::None => base,
            Op::Names => Expanded::Unknown { list: true },
            Op::Default { colon, kind, word } => {
                let null = is_null(&base, *colon);
                match (kind, null) {
                    (b'-' | b'=', Some(true)) => {
                        if *kind == b'=' {
                            let value = self.value(state, word);
                            state.set(&parameter.name, value);
                        }
                        self.brace_word(state, word, mode, fields);
                        return;
                    }
                    (b'+', Some(false)) => {
                        self.brace_word(state, word, mode, fields);
                        return;
                    }
                    (b'+', Some(true)) => Expanded::Unset,
                    (b'-' | b'=' | b'?', Some(false)) => base,
                    _ => {
                        self.perhaps(state, word);
                        if *kind == b'=' && is_name(&parameter.name) {
                            state.set(&parameter.name, Value::Unknown);
                        }
                        Expanded::Unknown { list: list || holds_list(word) }
                    }
                }
            }
            Op::Trim { op, pattern } => {
                self.perhaps(state, pattern);
                match (&base, trim_pattern(pattern)) {
                    (Expanded::Pieces(pieces), Some(pattern)) => match pieces.as_slice() {
                        [] => Expanded::Pieces(Vec::new()),
                        [Piece::Text(text)] => match trim(text, op, &pattern) {
                            Some(text) => Expanded::Pieces(vec![Piece::Text(text.to_owned())]),
                            None => Expanded::Unknown { list: false },
                        },
                        _ => Expanded::Unknown { list: false },
                    },
                    _ => Expanded::Unknown { list },
                }
            }
            Op::Slice(parts) => {
                // `${x:1:2}` is arithmetic on both sides of the colon.
                self.arithmetic(state, parts, parameter.span);
                Expanded::Unknown { list }
            }
            Op::Change(parts) => {
                self.perhaps(state, parts);
                Expanded::Unknown { list }
            }
            Op::Transform(kind) => {
                let harmless = match &base {
                    Expanded::Pieces(pieces) => pieces.iter().all(|piece| match piece {
                        Piece::Text(text) => !text.contains(['$', '`', '\\', '!']),
                        Piece::Glob(_) | Piece::Unknown { .. } => false,
                    }),
                    Expanded::Number | Expanded::Unset => true,
                    Expanded::List(_) | Expanded::Unknown { .. } => false,
                };
                if *kind == b'P' && !harmless {
                    self.unknown_run(parameter.span, "`@P` expands what a variable holds");
                    state.forget();
                }
                Expanded::Unknown { list }
            }
        };
        let splits = state.ifs;
        fields.fill(expanded, mode, splits);
    }

    /// The word in `${x:-word}`, where it is taken.
    fn brace_word(&mut self, state: &mut State, parts: &[Part], mode: Mode, fields: &mut Fields) {
        for (index, part) in parts.iter().enumerate() {
            match part {
                Part::Plain(text) if mode == Mode::Bare => {
                    if state.ifs || index == 0 && text.starts_with('~') {
                        fields.unknown(true);
                    } else {
                        fields.split(text);
                    }
                }
                Part::Plain(text) if index == 0 && text.starts_with('~') => fields.unknown(false),
                part => self.part(state, part, mode, fields),
            }
        }
        if mode != Mode::Bare {
            fields.open = true;
        }
    }

    /// The value of the parameter, before anything is done with it.
    fn base(&mut self, state: &mut State, parameter: &Parameter) -> Expanded {
        if parameter.indirect && !matches!(parameter.op, Op::Names) {
            if let Some(Subscript::Index(parts)) = &parameter.subscript {
                self.subscript(state, &parameter.name, parts, parameter.span);
            }
            let target = match &parameter.subscript {
                None => match self.lookup(state, &parameter.name) {
                    Value::Number => None,
                    value => value.literal(),
                },
                Some(_) => None,
            };
            return match target {
                Some(name) if is_name(&name) => from_value(self.lookup(state, &name)),
                _ => {
                    self.unknown_run(parameter.span, "an expansion of a variable that another one names");
                    state.forget();
                    Expanded::Unknown { list: true }
                }
            };
        }
        match &parameter.subscript {
            None => self.special(state, &parameter.name),
            Some(Subscript::All { star }) => match self.lookup(state, &parameter.name) {
                Value::Array(items) if *star => join(&items, state.ifs),
                Value::Array(items) => Expanded::List(items.to_vec()),
                Value::Pieces(pieces) => Expanded::List(vec![pieces.to_vec()]),
                Value::Unset => Expanded::List(Vec::new()),
                Value::Number | Value::Unknown => Expanded::Unknown { list: !star },
            },
            Some(Subscript::Index(parts)) => {
                self.subscript(state, &parameter.name, parts, parameter.span);
                let index = match parts.as_slice() {
                    [Part::Plain(text)] if is_number(text) => text.parse::<usize>().ok(),
                    _ => None,
                };
                match (self.lookup(state, &parameter.name), index) {
                    (Value::Array(items), Some(index)) => {
                        items.get(index).map_or(Expanded::Unset, |item| Expanded::Pieces(item.clone()))
                    }
                    _ => Expanded::Unknown { list: false },
                }
            }
        }
    }

    fn special(&mut self, state: &State, name: &str) -> Expanded {
        match name {
            "@" | "*" => match &state.positional {
                Some(words) if name == "*" => {
                    let items: Vec<Vec<Piece>> = words.iter().map(|word| word.pieces.clone()).collect();
                    join(&items, state.ifs)
                }
                Some(words) => Expanded::List(words.iter().map(|word| word.pieces.clone()).collect()),
                None => Expanded::Unknown { list: name == "@" },
            },
            "#" => match &state.positional {
                Some(words) => Expanded::Pieces(vec![Piece::Text(words.len().to_string())]),
                None => Expanded::Number,
            },
            "?" | "$" => Expanded::Number,
            "!" | "-" | "_" => Expanded::Unknown { list: false },
            "0" if state.forgotten || state.vars.contains_key("BASH_ARGV0") => {
                Expanded::Unknown { list: false }
            }
            "0" => match &self.start.name {
                Some(word) => Expanded::Pieces(word.pieces.clone()),
                None => Expanded::Unknown { list: false },
            },
            _ => match name.parse::<usize>() {
                Ok(number) => match &state.positional {
                    Some(words) => words
                        .get(number.wrapping_sub(1))
                        .map_or(Expanded::Unset, |word| Expanded::Pieces(word.pieces.clone())),
                    None => Expanded::Unknown { list: false },
                },
                Err(_) => from_value(self.lookup(state, name)),
            },
        }
    }

    /// A subscript of an array: arithmetic, but for associative arrays.
    pub(super) fn subscript(&mut self, state: &mut State, name: &str, parts: &[Part], span: ast::Span) {
        if state.vars.get(name).is_some_and(|var| var.associative) {
            self.effects(state, parts);
        } else {
            self.arithmetic(state, parts, span);
        }
    }
}

fn from_value(value: Value) -> Expanded {
    match value {
        Value::Pieces(pieces) => Expanded::Pieces(pieces.to_vec()),
        Value::Number => Expanded::Number,
        Value::Array(items) => items.first().map_or(Expanded::Unset, |item| Expanded::Pieces(item.clone())),
        Value::Unset => Expanded::Unset,
        Value::Unknown => Expanded::Unknown { list: false },
    }
}

/// All items in one, with blanks between.
fn join(items: &[Vec<Piece>], ifs: bool) -> Expanded {
    if ifs && items.len() > 1 {
        return Expanded::Unknown { list: false };
    }
    let mut out = Vec::new();
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(Piece::Text(" ".into()));
        }
        out.extend(item.iter().cloned());
    }
    if items.is_empty() { Expanded::Unset } else { Expanded::Pieces(joined(out)) }
}

/// Whether a value is unset (or empty, with a colon), where that is known.
fn is_null(base: &Expanded, colon: bool) -> Option<bool> {
    match base {
        Expanded::Unset => Some(true),
        Expanded::Number => Some(false),
        Expanded::Pieces(_) if !colon => Some(false),
        Expanded::Pieces(pieces) if pieces.is_empty() => Some(true),
        Expanded::Pieces(pieces) => {
            pieces.iter().any(|p| matches!(p, Piece::Text(text) if !text.is_empty())).then_some(false)
        }
        Expanded::List(_) | Expanded::Unknown { .. } => None,
    }
}

/// Whether the parts may give several words even between quotes.
fn holds_list(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Parameter(p) => {
            p.indirect
                || matches!(p.subscript, Some(Subscript::All { star: false }))
                || p.name == "@"
                || matches!(&p.op, Op::Default { word, .. } if holds_list(word))
        }
        Part::Double(parts) => holds_list(parts),
        Part::Plain(_)
        | Part::Quoted(_)
        | Part::Command(_)
        | Part::Arithmetic(..)
        | Part::Process { .. }
        | Part::Extended { .. }
        | Part::Array(_) => false,
    })
}

/// Whether tildes behind `=` and `:` count: a word that could be an assignment.
fn looks_assigned(word: &ast::Word) -> bool {
    matches!(word.parts.first(), Some(Part::Plain(text)) if text.split_once('=').is_some_and(|(name, _)| is_name(name)))
}

/// A pattern of plain text with at most one star at an end.
fn trim_pattern(parts: &[Part]) -> Option<String> {
    let [Part::Plain(text)] = parts else { return None };
    let bare = text.strip_prefix('*').or_else(|| text.strip_suffix('*')).unwrap_or(text);
    let simple =
        !bare.is_empty() && !bare.contains(['*', '?', '[', ']', '(', ')', '\\', '\'', '"', '~', '|', '&']);
    simple.then(|| text.clone())
}

fn trim<'t>(text: &'t str, op: &str, pattern: &str) -> Option<&'t str> {
    match (op, pattern.strip_prefix('*'), pattern.strip_suffix('*')) {
        ("#" | "##", None, None) => Some(text.strip_prefix(pattern).unwrap_or(text)),
        ("%" | "%%", None, None) => Some(text.strip_suffix(pattern).unwrap_or(text)),
        ("#", Some(end), _) => Some(text.split_once(end).map_or(text, |(_, rest)| rest)),
        ("##", Some(end), _) => Some(text.rsplit_once(end).map_or(text, |(_, rest)| rest)),
        ("%", None, Some(start)) => Some(text.rsplit_once(start).map_or(text, |(rest, _)| rest)),
        ("%%", None, Some(start)) => Some(text.split_once(start).map_or(text, |(rest, _)| rest)),
        _ => None,
    }
}

/// A positional list from words.
pub(super) fn positional(words: &[Word]) -> Option<Rc<Vec<Word>>> {
    if words.iter().any(Word::splits) { None } else { Some(Rc::new(words.to_vec())) }
}
