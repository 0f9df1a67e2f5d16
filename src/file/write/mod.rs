//! A policy's text with its spacing put in order, and nothing else changed.

mod json;
mod lines;
#[cfg(test)]
mod tests;
mod toml;
mod yaml;

use super::tree::{Format, Node, read};
use crate::diagnostic::Diagnostic;
use crate::source::SourceId;

/// Why a text is left as it is.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CannotFormat {
    /// It cannot be read. The places are in the source with id 0.
    #[error("the text cannot be read")]
    Unreadable(Vec<Diagnostic>),
    /// The result would mean something else.
    #[error("the spacing of this text cannot be put in order without changing what it means")]
    WouldChange,
}

/// Puts the spacing of a policy in order: no trailing blanks, one blank line between rules, a line end at the end.
///
/// TOML and JSON are also indented and spaced within their lines, which stay lines; in YAML, where indentation means
/// something, it stays. Comments stay. The result is read again: it means the same, or nothing is changed.
pub fn format(text: &str, format: Format) -> Result<String, CannotFormat> {
    let before = read(text, format, SourceId(0)).map_err(CannotFormat::Unreadable)?;
    let written = match format {
        Format::Toml => toml::format(text),
        Format::Yaml => yaml::format(text, &before),
        Format::Json => json::format(text),
    };
    let after = read(&written, format, SourceId(0)).map_err(|_| CannotFormat::WouldChange)?;
    if same(&before, &after) { Ok(written) } else { Err(CannotFormat::WouldChange) }
}

/// Whether two trees hold the same values in the same order, wherever they stand.
fn same(a: &Node, b: &Node) -> bool {
    use super::tree::Kind::{Bool, Float, Int, List, Map, Null, Str};
    match (&a.kind, &b.kind) {
        (Null, Null) => true,
        (Bool(a), Bool(b)) => a == b,
        (Int(a), Int(b)) => a == b,
        (Float(a), Float(b)) => a.to_bits() == b.to_bits(),
        (Str(a), Str(b)) => a == b,
        (List(a), List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b)),
        (Map(a), Map(b)) => {
            a.len() == b.len()
                && a.iter().zip(b).all(|(a, b)| a.key.value == b.key.value && same(&a.value, &b.value))
        }
        (Null | Bool(_) | Int(_) | Float(_) | Str(_) | List(_) | Map(_), _) => false,
    }
}
