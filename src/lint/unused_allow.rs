//! Comments that silence nothing.

use super::lintable::Lintable;
use super::{Sink, lint};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

lint! {
    /// ## What it does
    ///
    /// Finds a comment `# policy: allow(…)` that names a lint which finds nothing there.
    ///
    /// ## Why this is bad
    ///
    /// What it was there for is gone, and it will hide the next one.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["delete_user"]  # policy: allow(misordered-deny)  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_name = ["delete_user"]
    /// [[rules]]
    /// # policy: allow(misordered-deny)
    /// deny_by_name = ["delete_user"]
    /// when.mode = ["yolo"]
    /// reason = "Not without somebody watching."
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    UNUSED_ALLOW = Warn "unused-allow": "a comment that silences nothing"
}

/// What the comments silence is known only when every other lint has spoken: see the module that applies them.
fn check(_: &Lintable<'_>, _: &mut Sink) {}

/// The finding that a comment silences nothing.
pub(super) fn unused(name: &str, span: Span) -> Diagnostic {
    UNUSED_ALLOW
        .finding(format!("nothing here is found by `{name}`"))
        .at(span, "silences nothing")
        .help("remove it; it speaks of its own line, or alone on a line of the next one")
}
