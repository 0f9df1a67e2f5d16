//! TOML.

use std::borrow::Cow;
use std::ops::Range;

use ::toml::Spanned as TomlSpanned;
use ::toml::de::{DeTable, DeValue};
use toml_parser::Source as Lexed;
use toml_parser::lexer::TokenKind;

use super::limits::{MAX_DEPTH, too_deep};
use super::{Entry, Kind, Node, duplicate};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span, Spanned};

/// How many errors of one text are told.
const MAX_ERRORS: usize = 1001;

/// How many bytes may be read again to find the first of two keys: each such search reads the text again.
const MAX_READ_AGAIN: usize = 4 << 20;

/// Reads a TOML text. The parser recovers from errors with made-up values, so any error refuses the text.
pub(super) fn read(text: &str, source: SourceId) -> Result<Node, Vec<Diagnostic>> {
    if let Some(range) = too_deep_at(text) {
        return Err(vec![too_deep(Span::new(source, range))]);
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        let mut read_again = 0;
        let finding = |error: &::toml::de::Error| syntax_error(text, source, error, &mut read_again);
        // Where a list is not closed, all that follows is read as items of it: what is told of them is noise.
        let lost = errors.iter().position(|e| is_in_open_list(e.message())).map_or(errors.len(), |at| at + 1);
        return Err(errors.iter().take(lost.min(MAX_ERRORS)).map(finding).collect());
    }
    let mut reader = Reader { text, source, problems: Vec::new() };
    let kind = reader.table(table.get_ref(), 1);
    if !reader.problems.is_empty() {
        return Err(reader.problems);
    }
    let start = text.len() - text.trim_start().len();
    Ok(Node { kind, span: Span::new(source, start..text.trim_end().len().max(start)) })
}

/// Where brackets and dotted keys together nest too deeply. The parser bounds brackets only, and what it
/// builds is walked and dropped recursively.
fn too_deep_at(text: &str) -> Option<Range<usize>> {
    let (mut levels, mut key, mut header) = (Vec::new(), 0usize, 0usize);
    let (mut line_start, mut in_header) = (true, false);
    for token in Lexed::new(text).lex() {
        match token.kind() {
            TokenKind::Newline if levels.is_empty() => {
                (line_start, in_header, key) = (true, false, 0);
                continue;
            }
            TokenKind::LeftSquareBracket if in_header || (line_start && levels.is_empty()) => {
                if !in_header {
                    (in_header, header) = (true, 1);
                }
            }
            TokenKind::RightSquareBracket if in_header => {}
            TokenKind::Dot if in_header => header += 1,
            TokenKind::Dot => key += 1,
            TokenKind::Comma => key = 0,
            TokenKind::LeftSquareBracket | TokenKind::LeftCurlyBracket => {
                levels.push(key + 1);
                key = 0;
            }
            TokenKind::RightSquareBracket | TokenKind::RightCurlyBracket => {
                levels.pop();
                key = 0;
            }
            TokenKind::Whitespace => continue,
            TokenKind::Equals
            | TokenKind::Comment
            | TokenKind::Newline
            | TokenKind::LiteralString
            | TokenKind::BasicString
            | TokenKind::MlLiteralString
            | TokenKind::MlBasicString
            | TokenKind::Atom
            | TokenKind::Eof => {}
        }
        line_start = false;
        if header + levels.iter().sum::<usize>() + key > MAX_DEPTH {
            return Some(token.span().start()..token.span().end());
        }
    }
    None
}

/// Whether an error says that the parser is still in a list where its author no longer is.
fn is_in_open_list(message: &str) -> bool {
    message.starts_with("missing comma between array elements") || message.starts_with("unclosed array")
}

fn syntax_error(
    text: &str,
    source: SourceId,
    error: &::toml::de::Error,
    read_again: &mut usize,
) -> Diagnostic {
    let range = error.span().unwrap_or(0..0);
    let range = char_range(text, range);
    let span = Span::new(source, range.clone());
    if error.message().starts_with("duplicate key") {
        let key = text.get(range.clone()).unwrap_or_default().trim_matches(['"', '\'']);
        *read_again += text.len();
        let first = (*read_again <= MAX_READ_AGAIN).then(|| first_of(text, &range)).flatten();
        return duplicate(key, first.map(|range| Span::new(source, range)), span);
    }
    let finding = Diagnostic::error(Code::E0107, format!("not TOML: {}", error.message())).at(span, "");
    let written = text.get(range.clone()).unwrap_or_default();
    if error.message().starts_with("string values must be quoted") && !written.contains(['"', '\\', '\n']) {
        return finding.suggest("put it in quotes", span, format!("\"{}\"", written.trim_end()));
    }
    if is_in_open_list(error.message()) {
        return finding.help("write `,` between the items of a list, and `]` behind the last");
    }
    finding
}

/// The first of two keys with the same name, the second at `second`: the second gets a name of its own,
/// so that the text reads well around it, and its neighbours tell.
fn first_of(text: &str, second: &Range<usize>) -> Option<Range<usize>> {
    let written = text.get(second.clone())?;
    let own_name = ["z", "y", "x"].map(|letter| letter.repeat(written.len()));
    own_name.iter().find_map(|name| {
        let renamed = format!("{}{name}{}", text.get(..second.start)?, text.get(second.end..)?);
        let (table, errors) = DeTable::parse_recoverable(&renamed);
        if errors.iter().any(|e| e.span().as_ref() == Some(second)) {
            return None;
        }
        neighbour(table.get_ref(), second, &key_text(written)?)
    })
}

fn key_text(written: &str) -> Option<String> {
    let line = format!("{written} = 0");
    let table = DeTable::parse(&line).ok()?;
    let key = table.get_ref().keys().next()?.get_ref().to_string();
    Some(key)
}

fn neighbour(table: &DeTable<'_>, at: &Range<usize>, name: &str) -> Option<Range<usize>> {
    if table.keys().any(|key| key.span() == *at) {
        return table.keys().find(|key| key.get_ref() == name).map(TomlSpanned::span);
    }
    table.values().find_map(|value| neighbour_in(value.get_ref(), at, name))
}

fn neighbour_in(value: &DeValue<'_>, at: &Range<usize>, name: &str) -> Option<Range<usize>> {
    match value {
        DeValue::Table(table) => neighbour(table, at, name),
        DeValue::Array(items) => items.iter().find_map(|item| neighbour_in(item.get_ref(), at, name)),
        DeValue::String(_)
        | DeValue::Integer(_)
        | DeValue::Float(_)
        | DeValue::Boolean(_)
        | DeValue::Datetime(_) => None,
    }
}

/// The range within the text, moved out to whole characters.
fn char_range(text: &str, range: Range<usize>) -> Range<usize> {
    let mut start = range.start.min(text.len());
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    let mut end = range.end.clamp(start, text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    start..end
}

struct Reader<'a> {
    text: &'a str,
    source: SourceId,
    problems: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn table(&mut self, table: &DeTable<'_>, depth: usize) -> Kind {
        let mut entries: Vec<Entry> = table
            .iter()
            .map(|(key, value)| {
                let key = Spanned::new(key.get_ref().to_string(), Span::new(self.source, key.span()));
                Entry { value: self.node(value, depth + 1), key }
            })
            .collect();
        // The parser keeps its keys sorted by name.
        entries.sort_by_key(|e| e.key.span.start);
        Kind::Map(entries)
    }

    fn node(&mut self, value: &TomlSpanned<DeValue<'_>>, depth: usize) -> Node {
        let span = Span::new(self.source, value.span());
        if depth > MAX_DEPTH {
            self.problems.push(too_deep(span));
            return Node { kind: Kind::Null, span };
        }
        let kind = match value.get_ref() {
            DeValue::String(text) => Kind::Str(text.to_string()),
            DeValue::Boolean(value) => Kind::Bool(*value),
            DeValue::Integer(number) => {
                super::int_in_range(i128::from_str_radix(number.as_str(), number.radix()).ok())
                    .unwrap_or_else(|| {
                        self.problems.push(super::number_out_of_range(span));
                        Kind::Null
                    })
            }
            DeValue::Float(number) => self.float(number.as_str(), span),
            DeValue::Datetime(_) => {
                let written = self.text.get(span.range()).unwrap_or_default();
                let finding =
                    Diagnostic::error(Code::E0110, "a date is no value of a policy").at(span, "a date");
                self.problems.push(finding.suggest("write it as text", span, format!("\"{written}\"")));
                Kind::Null
            }
            DeValue::Array(items) => {
                Kind::List(items.iter().map(|item| self.node(item, depth + 1)).collect())
            }
            DeValue::Table(table) => self.table(table, depth),
        };
        let span = if self.is_inline(span, &kind) { span } else { own_span(&kind).unwrap_or(span) };
        Node { kind, span }
    }

    fn float(&mut self, number: &str, span: Span) -> Kind {
        if number.contains("inf") || number.contains("nan") {
            self.problems.push(super::not_a_number(span));
            return Kind::Null;
        }
        match number.parse::<f64>() {
            Ok(number) if number.is_finite() => Kind::Float(number),
            _ => {
                self.problems.push(super::number_out_of_range(span));
                Kind::Null
            }
        }
    }

    /// Whether the brackets of a table or list stand in the text; else it comes from headers or dotted keys,
    /// and the parser's span is that of a header.
    fn is_inline(&self, span: Span, kind: &Kind) -> bool {
        let written: Cow<'_, str> = self.text.get(span.range()).unwrap_or_default().into();
        match kind {
            Kind::Map(_) => written.starts_with('{'),
            Kind::List(_) => written.starts_with('[') && written.ends_with(']') && !written.starts_with("[["),
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) => true,
        }
    }
}

/// From the first key or item to the end of the last value.
fn own_span(kind: &Kind) -> Option<Span> {
    match kind {
        Kind::Map(entries) => entries.iter().map(|e| e.key.span.to(e.value.span)).reduce(Span::to),
        Kind::List(items) => items.iter().map(|item| item.span).reduce(Span::to),
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) => None,
    }
}
