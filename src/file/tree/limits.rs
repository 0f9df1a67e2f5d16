//! How deep a tree may be, and how many values it may have.

use super::{Kind, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::source::Span;

/// How many tables and lists may stand in each other. Everything that walks a tree recurses at most so deep.
pub(crate) const MAX_DEPTH: usize = 64;

/// How many values a file may have.
const MAX_VALUES: usize = 500_000;

/// Refuses what is too deep or too much.
pub(super) fn check(tree: &Node) -> Result<(), Vec<Diagnostic>> {
    let mut values = 0usize;
    let mut open = vec![(tree, 1usize)];
    while let Some((node, depth)) = open.pop() {
        values += 1;
        if depth > MAX_DEPTH {
            return Err(vec![too_deep(node.span)]);
        }
        if values > MAX_VALUES {
            let message = format!("the file has more than {MAX_VALUES} values");
            return Err(vec![
                Diagnostic::error(Code::E0109, message).at(node.span, "").help("split the file"),
            ]);
        }
        match &node.kind {
            Kind::List(items) => open.extend(items.iter().map(|item| (item, depth + 1))),
            Kind::Map(entries) => open.extend(entries.iter().map(|e| (&e.value, depth + 1))),
            Kind::Null | Kind::Bool(_) | Kind::Int(_) | Kind::Float(_) | Kind::Str(_) => {}
        }
    }
    Ok(())
}

pub(super) fn too_deep(span: Span) -> Diagnostic {
    let message = format!("tables and lists are nested more than {MAX_DEPTH} deep");
    Diagnostic::error(Code::E0109, message).at(span, "the one too many")
}
