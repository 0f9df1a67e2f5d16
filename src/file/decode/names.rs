//! Ids, and paths to arguments.

use super::scalar::text;
use super::{Decoder, Node};
use crate::diagnostic::{Code, Diagnostic};
use crate::file::types::{ArgPath, Step};
use crate::source::{Span, Spanned};

/// The id of a rule.
pub(super) fn id(d: &mut Decoder<'_>, node: &Node) -> Option<Spanned<String>> {
    let id = text(d, node)?;
    if is_kebab(&id) {
        return Some(id);
    }
    let message = format!("the id `{}` is not in kebab-case", id.value);
    let finding =
        Diagnostic::error(Code::E0307, message).at(id.span, "lower-case letters, digits, single hyphens");
    let meant = to_kebab(&id);
    d.tell(if meant.is_empty() {
        finding.help("write an id such as `no-force-push`")
    } else {
        finding.suggest(format!("write `{meant}`"), id.span, format!("\"{meant}\""))
    });
    None
}

/// Whether `id` is words of lower-case letters and digits with single hyphens between.
pub(super) fn is_kebab(id: &str) -> bool {
    id.split('-')
        .all(|word| !word.is_empty() && word.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit()))
}

/// `id` made kebab-case; empty when nothing is left of it.
pub(super) fn to_kebab(id: &str) -> String {
    let mut out = String::new();
    let mut before = '-';
    for c in id.chars() {
        if c.is_ascii_alphanumeric() {
            if c.is_ascii_uppercase() && before.is_ascii_lowercase() {
                out.push('-');
            }
            out.push(c.to_ascii_lowercase());
        } else if !out.is_empty() && !out.ends_with('-') {
            out.push('-');
        }
        before = c;
    }
    out.trim_end_matches('-').to_owned()
}

/// A path to an argument.
pub(super) fn arg_path(d: &mut Decoder<'_>, node: &Node) -> Option<Spanned<ArgPath>> {
    let text = text(d, node)?;
    parse_arg_path(d, &text, text.span)
}

/// Reads `options.force`, `edits[].path`.
pub(super) fn parse_arg_path(d: &mut Decoder<'_>, text: &str, span: Span) -> Option<Spanned<ArgPath>> {
    let mut steps = Vec::new();
    for part in text.split('.') {
        let key = part.trim_end_matches("[]");
        let problem = if key.is_empty() {
            Some("a name is missing between the dots")
        } else if key.contains(['[', ']']) {
            Some("only `[]`, every element of a list, may stand behind a name")
        } else {
            None
        };
        if let Some(problem) = problem {
            let finding = Diagnostic::error(Code::E0211, format!("`{text}` is not a path to an argument"));
            d.tell(
                finding.at(span, problem).help("write paths as `path`, `options.force` or `edits[].path`"),
            );
            return None;
        }
        steps.push(Step::Key(key.to_owned()));
        steps.extend((0..(part.len() - key.len()) / 2).map(|_| Step::Each));
    }
    Some(Spanned::new(ArgPath { text: text.to_owned(), steps }, span))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_made_kebab_case() {
        for (id, kebab) in [
            ("no-force-push", "no-force-push"),
            ("NoForcePush", "no-force-push"),
            ("no_force push!", "no-force-push"),
            ("--a--b--", "a-b"),
            ("URL2x", "url2x"),
            ("é", ""),
        ] {
            assert_eq!(to_kebab(id), kebab);
            assert_eq!(is_kebab(id), id == kebab, "{id}");
        }
    }
}
