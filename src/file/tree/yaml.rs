//! YAML 1.2 with its core schema, without what makes a document mean more than it shows: anchors, aliases,
//! merge keys, tags, directives, several documents.

use granit_parser::{Event, Parser, ScalarStyle, ScanError, StructureStyle};

use super::limits::{MAX_DEPTH, too_deep};
use super::{Entries, Kind, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::{SourceId, Span, Spanned};

/// How many problems are told of one text.
const MAX_PROBLEMS: usize = 200;

/// Reads a YAML text.
pub(super) fn read(text: &str, source: SourceId) -> Result<Node, Vec<Diagnostic>> {
    let mut reader =
        Reader { text, source, problems: Vec::new(), open: Vec::new(), root: None, documents: 0, read_to: 0 };
    let options = granit_parser::options! {
        disallow_directives: true,
        emit_unresolved_aliases: true,
        emit_anchor_events: true,
        emit_comments: false,
        flow_nesting_limit: MAX_DEPTH + 1,
        block_nesting_limit: MAX_DEPTH + 1,
    };
    for event in Parser::new_from_str_with_options(text, options) {
        match event {
            Ok((event, span)) => reader.event(event, span),
            Err(error) => {
                let finding = reader.syntax_error(&error);
                reader.problems.push(finding);
                break;
            }
        }
        if reader.problems.len() >= MAX_PROBLEMS {
            break;
        }
    }
    match reader.root {
        Some(root) if reader.problems.is_empty() => Ok(root),
        _ if !reader.problems.is_empty() => Err(reader.problems),
        _ => {
            Err(vec![Diagnostic::error(Code::E0106, "the file has no value").at(Span::new(source, 0..0), "")])
        }
    }
}

/// A list or table that has not ended yet.
enum Open {
    List { start: Span, flow: bool, items: Vec<Node> },
    Map { start: Span, flow: bool, entries: Entries, key: Option<Spanned<String>> },
}

struct Reader<'a> {
    text: &'a str,
    source: SourceId,
    problems: Vec<Diagnostic>,
    open: Vec<Open>,
    root: Option<Node>,
    documents: usize,
    /// Where the last event ended.
    read_to: usize,
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, at: granit_parser::Span) {
        let span = self.span(at);
        if event.tag().is_some() {
            let tag = at.tag_span().map_or(span, |tag| self.span(tag));
            self.refuse(
                tag,
                "tags",
                "write the value without it; text that looks like a number goes in quotes",
            );
        }
        match event {
            Event::StreamStart | Event::StreamEnd | Event::DocumentEnd | Event::Comment(..) => {}
            Event::DocumentStart(..) => {
                self.documents += 1;
                if self.documents == 2 {
                    self.refuse(span, "a second document", "write it in a file of its own");
                }
            }
            Event::Anchor(..) => self.refuse(span, "anchors", "write the value out where it is needed"),
            Event::Alias(_) | Event::UnresolvedAlias(_) => {
                self.refuse(span, "aliases", "write the value out");
                self.value(Node { kind: Kind::Null, span });
            }
            Event::Scalar(text, style, ..) => self.scalar(&text, style, self.with_header(span, style)),
            Event::SequenceStart(style, ..) => {
                let flow = matches!(style, StructureStyle::Flow);
                self.start(Open::List { start: span, flow, items: Vec::new() }, span);
            }
            Event::MappingStart(style, ..) => {
                let flow = matches!(style, StructureStyle::Flow);
                self.start(Open::Map { start: span, flow, entries: Entries::default(), key: None }, span);
            }
            Event::SequenceEnd | Event::MappingEnd => self.end(span),
            // The parser's list is open; what it may add later is not understood here.
            _ => self.refuse(span, "this part of YAML", "write it in another way"),
        }
        self.read_to = self.read_to.max(span.range().end);
    }

    /// The place of a block scalar with its `|` or `>`, which the parser leaves out.
    fn with_header(&self, span: Span, style: ScalarStyle) -> Span {
        let header = match style {
            ScalarStyle::Literal => '|',
            ScalarStyle::Folded => '>',
            ScalarStyle::Plain | ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => return span,
        };
        let before = self.text.get(self.read_to..span.range().start).unwrap_or_default();
        let start = before.find(header).map_or(span.range().start, |at| self.read_to + at);
        Span::new(self.source, start..span.range().end)
    }

    fn start(&mut self, open: Open, span: Span) {
        if self.open.len() == MAX_DEPTH {
            self.problems.push(too_deep(span));
        }
        self.open.push(open);
    }

    fn end(&mut self, end: Span) {
        let node = match self.open.pop() {
            None => return,
            Some(Open::List { start, flow, items }) => {
                let last = items.last().map_or(start, |item| item.span);
                Node { span: start.to(if flow { end } else { last }), kind: Kind::List(items) }
            }
            Some(Open::Map { start, flow, entries, .. }) => {
                let last = entries.list.last().map_or(start, |e| e.key.span.to(e.value.span));
                Node { span: start.to(if flow { end } else { last }), kind: Kind::Map(entries.list) }
            }
        };
        self.value(node);
    }

    fn scalar(&mut self, text: &str, style: ScalarStyle, span: Span) {
        let plain = matches!(style, ScalarStyle::Plain);
        if plain && text == "<<" && self.is_key() {
            self.refuse(span, "merge keys", "write the keys out");
            self.value(Node { kind: Kind::Str(text.to_owned()), span });
            return;
        }
        let kind = if plain { self.plain(text, span) } else { Kind::Str(text.to_owned()) };
        self.value(Node { kind, span });
    }

    /// Whether the next value is a key of the table that is open.
    fn is_key(&self) -> bool {
        matches!(self.open.last(), Some(Open::Map { key: None, .. }))
    }

    /// Puts a finished value where it belongs.
    fn value(&mut self, node: Node) {
        if self.is_key() {
            let read = self.key(node);
            if let Some(Open::Map { key, .. }) = self.open.last_mut() {
                *key = Some(read);
            }
            return;
        }
        match self.open.last_mut() {
            None => {
                self.root.get_or_insert(node);
            }
            Some(Open::List { items, .. }) => items.push(node),
            Some(Open::Map { entries, key, .. }) => {
                if let Some(key) = key.take() {
                    entries.add(key, node, &mut self.problems);
                }
            }
        }
    }

    fn key(&mut self, node: Node) -> Spanned<String> {
        let written = self.text.get(node.span.range()).unwrap_or_default();
        let key = match node.kind {
            Kind::Str(key) => key,
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => {
                let finding = Diagnostic::error(Code::E0110, "a key must be text")
                    .at(node.span, "this is read as a value");
                self.problems.push(finding.suggest("put it in quotes", node.span, format!("\"{written}\"")));
                written.to_owned()
            }
            Kind::List(_) | Kind::Map(_) => {
                self.problems
                    .push(Diagnostic::error(Code::E0110, "a key must be text").at(node.span, "not a text"));
                String::new()
            }
        };
        Spanned::new(key, node.span)
    }

    /// A plain scalar by the core schema.
    fn plain(&mut self, text: &str, span: Span) -> Kind {
        match text {
            "" | "~" | "null" | "Null" | "NULL" => return Kind::Null,
            "true" | "True" | "TRUE" => return Kind::Bool(true),
            "false" | "False" | "FALSE" => return Kind::Bool(false),
            ".nan" | ".NaN" | ".NAN" => {
                self.problems.push(super::not_a_number(span));
                return Kind::Null;
            }
            _ => {}
        }
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        if matches!(unsigned, ".inf" | ".Inf" | ".INF") {
            self.problems.push(super::not_a_number(span));
            return Kind::Null;
        }
        let number =
            if let Some(digits) = text.strip_prefix("0o").filter(|d| all(d, |b| matches!(b, b'0'..=b'7'))) {
                super::int_in_range(i128::from_str_radix(digits, 8).ok())
            } else if let Some(digits) = text.strip_prefix("0x").filter(|d| all(d, u8::is_ascii_hexdigit)) {
                super::int_in_range(i128::from_str_radix(digits, 16).ok())
            } else if all(unsigned, u8::is_ascii_digit) {
                if unsigned.len() > 1 && unsigned.starts_with('0') {
                    let finding = Diagnostic::error(
                        Code::E0110,
                        format!("`{text}` is read as octal by some and as decimal by others"),
                    );
                    let finding = finding.at(span, "a number that starts with 0");
                    self.problems.push(finding.suggest(
                        "if it is text, put it in quotes",
                        span,
                        format!("\"{text}\""),
                    ));
                    return Kind::Null;
                }
                super::int_in_range(text.parse().ok())
            } else if is_float(unsigned) {
                text.parse::<f64>().ok().filter(|f| f.is_finite()).map(Kind::Float)
            } else {
                return Kind::Str(text.to_owned());
            };
        number.unwrap_or_else(|| {
            self.problems.push(super::number_out_of_range(span));
            Kind::Null
        })
    }

    fn refuse(&mut self, span: Span, what: &str, instead: &str) {
        let finding = Diagnostic::error(Code::E0111, format!("policies do without {what}"));
        self.problems.push(finding.at(span, "").help(instead));
    }

    fn syntax_error(&self, error: &ScanError) -> Diagnostic {
        let at = error.marker().byte_offset().unwrap_or(0);
        let mut start = at.min(self.text.len());
        while !self.text.is_char_boundary(start) {
            start -= 1;
        }
        let next = self.text.get(start..).and_then(|t| t.chars().next()).filter(|c| *c != '\n');
        let span = Span::new(self.source, start..start + next.map_or(0, char::len_utf8));
        match error.kind() {
            granit_parser::ErrorKind::DirectiveDisallowed => {
                Diagnostic::error(Code::E0111, "policies do without directives")
                    .at(span, "")
                    .help("leave it out")
            }
            granit_parser::ErrorKind::RecursionLimitExceeded => too_deep(span),
            _ => {
                let message = lower_first(&error.info());
                let finding = Diagnostic::error(Code::E0107, format!("not YAML: {message}")).at(span, "");
                match what_to_write(&message) {
                    Some(help) => finding.help(help),
                    None => finding,
                }
            }
        }
    }

    fn span(&self, span: granit_parser::Span) -> Span {
        let range = span.byte_range().unwrap_or(0..0);
        let written = self.text.get(range.clone()).unwrap_or_default();
        // A block scalar reaches to the start of the next line.
        let end = range.start + written.trim_end_matches(['\n', '\r', ' ']).len();
        Span::new(self.source, range.start..end)
    }
}

/// What helps against the mistakes that the parser's own words do not explain.
fn what_to_write(message: &str) -> Option<&'static str> {
    let has = |text: &str| message.contains(text);
    if has("anchor or alias") || has("unexpected character") {
        Some("text that starts with `*`, `&`, `@`, `%` or a backquote goes in quotes")
    } else if has("mapping values are not allowed") || has("illegal placement of ':'") {
        Some("text with `: ` in it goes in quotes; a list that starts with `[` ends with `]`")
    } else if has("tabs disallowed") {
        Some("indent with blanks")
    } else if has("did not find expected key") || has("did not find expected '-'") {
        Some("the keys of one table, and the `-` of one list, stand one below the other")
    } else {
        None
    }
}

fn all(text: &str, is: fn(&u8) -> bool) -> bool {
    !text.is_empty() && text.as_bytes().iter().all(is)
}

/// `[0-9]+ ( . [0-9]* )?` or `. [0-9]+`, then perhaps an exponent.
fn is_float(unsigned: &str) -> bool {
    let (number, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((number, exponent)) => (number, Some(exponent.strip_prefix(['-', '+']).unwrap_or(exponent))),
        None => (unsigned, None),
    };
    let digits = |text: &str| all(text, u8::is_ascii_digit);
    let number_fits = match number.split_once('.') {
        Some(("", after)) => digits(after),
        Some((before, after)) => digits(before) && (after.is_empty() || digits(after)),
        None => digits(number),
    };
    number_fits && exponent.is_none_or(digits)
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}
