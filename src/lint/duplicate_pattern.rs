//! Names that another name already covers.

use super::lintable::{Lintable, RuleView};
use super::{Sink, lint};
use crate::pattern::coverage::{BUDGET, Coverage, covered};
use crate::pattern::name::NameGlob;
use crate::source::Span;

lint! {
    /// ## What it does
    ///
    /// Finds a name pattern that says nothing new: the same, or a wider one, stands in the same list, or the same one in
    /// another rule of the same kind with the same conditions.
    ///
    /// ## Why this is bad
    ///
    /// Who takes one of the two away believes that something changed.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = [
    ///     "delete_*",
    ///     "delete_user",  # here
    /// ]
    /// reason = "Deleting is not allowed."
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["delete_*", "*_delete"]
    /// reason = "Deleting is not allowed."
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    DUPLICATE_PATTERN = Warn "duplicate-pattern": "a name pattern that another one already covers"
}

/// In a longer list only patterns that are spelled alike are found: comparing all pairs would take seconds.
const MANY: usize = 500;

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for rule in &lintable.rules {
        let globs: Vec<_> = rule.globs().map(|(name, glob)| (name.span, glob)).collect();
        for (at, (span, glob)) in globs.iter().enumerate() {
            let others = globs.iter().enumerate().filter(|(other, _)| *other != at);
            let wider = others.clone().find(|(other, (_, wide))| {
                *other < at && wide.as_str() == glob.as_str() || globs.len() <= MANY && is_wider(wide, glob)
            });
            if let Some((_, (wide_span, wide))) = wider {
                tell(sink, glob, *span, wide, *wide_span);
            }
        }
    }
    across(lintable, sink);
}

/// The same pattern in rules that say the same. Where the whole rule says nothing new, another lint says so.
fn across(lintable: &Lintable<'_>, sink: &mut Sink) {
    let mut seen = std::collections::HashMap::new();
    for (index, rule) in lintable.rules.iter().enumerate() {
        if lintable.dead().iter().any(|dead| dead.rule == index) || rule.rule.set.is_some() {
            continue;
        }
        for (name, glob) in rule.globs() {
            let key = (rule.rule.denies(), told(rule), &rule.when, &rule.unless, glob.as_str());
            match seen.get(&key) {
                Some((first, span)) if *first != index => tell(sink, glob, name.span, glob, *span),
                Some(_) => {}
                None => {
                    seen.insert(key, (index, name.span));
                }
            }
        }
    }
}

/// What a denial tells the model: the first of two decides what is said.
fn told<'a>(rule: &'a RuleView<'_>) -> Option<&'a str> {
    rule.written.reason.as_ref().map(|reason| reason.as_str())
}

fn tell(sink: &mut Sink, glob: &NameGlob, span: Span, wide: &NameGlob, wide_span: Span) {
    let (name, wide) = (glob.as_str(), wide.as_str());
    let message = if name == wide {
        format!("the pattern `{name}` stands here twice")
    } else {
        format!("the pattern `{name}` says nothing that `{wide}` does not say")
    };
    sink.push(
        DUPLICATE_PATTERN
            .finding(message)
            .at(span, "says nothing new")
            .also(wide_span, "covers it")
            .help("remove it"),
    );
}

/// Whether `wide` matches all that `glob` does, and more.
fn is_wider(wide: &NameGlob, glob: &NameGlob) -> bool {
    let covers = |one: &NameGlob, other: &NameGlob| covered(other, &[one], BUDGET / 1000) == Coverage::Yes;
    // Most pairs differ at their ends already.
    let ends = glob.literal_prefix().starts_with(wide.literal_prefix())
        && glob.literal_suffix().ends_with(wide.literal_suffix());
    ends && !wide.is_literal() && !glob.can_match_nothing() && covers(wide, glob) && !covers(glob, wide)
}
