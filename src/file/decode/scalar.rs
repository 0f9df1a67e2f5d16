//! Texts, numbers, words and lists.

use super::guess::guess;
use super::{Decoder, Kind, Node, quoted};
use crate::diagnostic::{Code, Diagnostic};
use crate::file::types::{List, Names, Word};
use crate::source::Spanned;

/// A text.
pub(super) fn text(d: &mut Decoder<'_>, node: &Node) -> Option<Spanned<String>> {
    match &node.kind {
        Kind::Str(text) => return Some(Spanned::new(text.clone(), node.span)),
        Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) => {
            let quoted = quoted(&d.written(node));
            d.wrong_type_but(node, "a string", |f| f.suggest("put it in quotes", node.span, quoted));
        }
        Kind::Null | Kind::List(_) | Kind::Map(_) => d.wrong_type(node, "a string"),
    }
    None
}

/// A text with something in it.
pub(super) fn said(d: &mut Decoder<'_>, node: &Node) -> Option<Spanned<String>> {
    let text = text(d, node)?;
    if text.trim().is_empty() {
        let finding = Diagnostic::error(Code::E0207, format!("{} is blank", d.key));
        d.tell(finding.at(node.span, "nothing is said here").help("say something, or leave the key out"));
        return None;
    }
    Some(text)
}

/// True or false.
pub(super) fn flag(d: &mut Decoder<'_>, node: &Node) -> Option<Spanned<bool>> {
    match &node.kind {
        Kind::Bool(value) => return Some(Spanned::new(*value, node.span)),
        Kind::Str(text) => {
            let meant = match text.to_ascii_lowercase().as_str() {
                "true" | "yes" | "on" => Some("true"),
                "false" | "no" | "off" => Some("false"),
                _ => None,
            };
            d.wrong_type_but(node, "`true` or `false`", |f| match meant {
                Some(meant) => f.suggest(format!("write `{meant}`"), node.span, meant),
                None => f,
            });
        }
        Kind::Null | Kind::Int(_) | Kind::Float(_) | Kind::List(_) | Kind::Map(_) => {
            d.wrong_type(node, "`true` or `false`");
        }
    }
    None
}

/// A number.
pub(super) fn number(d: &mut Decoder<'_>, node: &Node) -> Option<Spanned<serde_json::Number>> {
    let number = match &node.kind {
        Kind::Int(number) => serde_json::Number::from_i128(*number),
        Kind::Float(number) => serde_json::Number::from_f64(*number),
        Kind::Null | Kind::Bool(_) | Kind::Str(_) | Kind::List(_) | Kind::Map(_) => None,
    };
    if number.is_none() {
        d.wrong_type(node, "a number");
    }
    number.map(|number| Spanned::new(number, node.span))
}

/// One of a few words.
pub(super) fn word<T: Word>(d: &mut Decoder<'_>, node: &Node) -> Option<Spanned<T>> {
    let known = || T::ALL.iter().map(|(_, spelling)| *spelling);
    let list = known().map(|w| format!("`{w}`")).collect::<Vec<_>>().join(", ");
    let Some(text) = node.as_str() else {
        d.wrong_type(node, &format!("one of {list}"));
        return None;
    };
    if let Some((value, _)) = T::ALL.iter().find(|(_, spelling)| *spelling == text) {
        return Some(Spanned::new(*value, node.span));
    }
    let finding = Diagnostic::error(Code::E0206, format!("{} takes one of {list}, found `{text}`", d.key));
    let finding = finding.at(node.span, "not one of them");
    d.tell(match guess(text, known()) {
        Some(meant) => finding.suggest(format!("did you mean `{meant}`?"), node.span, quoted(meant)),
        None => finding.help(format!("write one of {list}")),
    });
    None
}

/// A list. `items` says of what, in the author's words; what is no list is told, and shown as one.
pub(super) fn list<'n, T>(
    d: &mut Decoder<'_>,
    node: &'n Node,
    items: &str,
    read: impl Fn(&mut Decoder<'_>, &'n Node) -> Option<T>,
) -> Option<List<T>> {
    match &node.kind {
        Kind::List(nodes) => {
            let values = nodes.iter().filter_map(|item| read(d, item)).collect();
            return Some(Spanned::new(values, node.span));
        }
        Kind::Str(_) => d.not_a_list(node, items),
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Map(_) => {
            d.wrong_type(node, &format!("a list of {items}"));
        }
    }
    None
}

/// A list, or a single value.
pub(super) fn one_or_many<'n, T>(
    d: &mut Decoder<'_>,
    node: &'n Node,
    read: impl Fn(&mut Decoder<'_>, &'n Node) -> Option<T>,
) -> Option<List<T>> {
    match &node.kind {
        Kind::List(nodes) => {
            let values = nodes.iter().filter_map(|item| read(d, item)).collect();
            Some(Spanned::new(values, node.span))
        }
        Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) | Kind::Map(_) => {
            Some(Spanned::new(vec![read(d, node)?], node.span))
        }
    }
}

/// A text that is a pattern: an empty one is surely a mistake.
pub(super) fn pattern(d: &mut Decoder<'_>, node: &Node) -> Option<Spanned<String>> {
    let text = text(d, node)?;
    if text.is_empty() {
        let finding = Diagnostic::error(Code::E0207, format!("an empty pattern in {}", d.key));
        d.tell(finding.at(node.span, "matches nothing").help("leave it out"));
        return None;
    }
    Some(text)
}

/// A list of name patterns. An empty one is one: it matches the empty name.
pub(super) fn names(d: &mut Decoder<'_>, node: &Node) -> Option<Names> {
    list(d, node, "name patterns", text)
}

/// A pattern, or a list of them.
pub(super) fn patterns(d: &mut Decoder<'_>, node: &Node) -> Option<Names> {
    one_or_many(d, node, pattern)
}
