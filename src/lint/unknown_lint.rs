//! Lints that do not exist.

use super::lintable::Lintable;
use super::{Sink, all, find, lint, nearest};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

lint! {
    /// ## What it does
    ///
    /// Finds a name under `lints`, or in a comment `# policy: allow(…)`, that is no lint.
    ///
    /// ## Why this is bad
    ///
    /// The setting does nothing, and looks as if it did.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [lints]
    /// misordered-denial = "off"  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [lints]
    /// misordered-deny = "off"
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    UNKNOWN_LINT = Warn "unknown-lint": "the name of a lint that does not exist"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for (name, _) in lintable.files.iter().flat_map(|file| file.lints.iter()) {
        if find(&name.value).is_none() {
            let quotes = (name.span.range().len()).saturating_sub(name.value.len());
            sink.push(unknown(&name.value, name.span, name.value.len() + quotes));
        }
    }
}

/// The finding that `name`, which stands at `span`, is no lint; `width` is that of what may be replaced.
pub(super) fn unknown(name: &str, span: Span, width: usize) -> Diagnostic {
    let finding = UNKNOWN_LINT.finding(format!("there is no lint `{name}`")).at(span, "not a lint");
    match nearest(name, all().iter().map(|lint| lint.name)) {
        Some(near) => {
            // A name in quotes keeps them.
            let lead = (width - name.len().min(width)) / 2;
            let start = span.start as usize + lead;
            let inner = Span::new(span.source, start..start + name.len());
            finding.suggest(format!("did you mean `{near}`?"), inner, near)
        }
        None => finding.help("`policy explain NAME` tells what a lint is about"),
    }
}
