//! Names that are nearly those of known tools.

use std::collections::BTreeSet;

use super::lintable::Lintable;
use super::{Sink, lint};
use crate::facts::catalogue;
use crate::file::TestCalls;

lint! {
    /// ## What it does
    ///
    /// Finds a tool name without wildcards that no known host has, and that differs by a letter or two, or in case, from
    /// one that is known: from the catalogue of the hosts, or from `tools` in the policy. A name that is like no other is never a finding,
    /// nor is one that the policy's tests use.
    ///
    /// ## Why this is bad
    ///
    /// Names are matched exactly, case included. A denial of `Bsah` denies nothing.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["WebFecth"]  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["WebFetch", "launch_rocket"]
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    UNKNOWN_TOOL = Warn "unknown-tool": "a name that is nearly that of a known tool"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    let known = known(lintable);
    for rule in &lintable.rules {
        for name in rule.tool_names() {
            let text = name.value.as_str();
            // A tool of a server is the server's own; a pattern may match what is yet to come.
            if text.contains("__") || text.contains(['*', '?', '[', '(', ' ', '/']) || known.contains(text) {
                continue;
            }
            let Some(near) = known.iter().find(|other| is_slip(text, other)) else { continue };
            sink.push(
                UNKNOWN_TOOL
                    .finding(format!("no known host has a tool `{text}`"))
                    .at(name.span, "names are matched exactly, case included")
                    .suggest(format!("did you mean `{near}`?"), name.span, lintable.quoted(name.span, near))
                    .note("a tool of your own is made known under `tools`, or by a test that calls it"),
            );
        }
    }
}

fn known(lintable: &Lintable<'_>) -> BTreeSet<String> {
    let hosts = catalogue::hosts().iter().flat_map(|host| catalogue::tools(host));
    let own = lintable.files.iter().flat_map(|file| file.tools.iter()).map(|(name, _)| name.value.clone());
    let mut known: BTreeSet<String> = hosts.map(|entry| entry.tool.to_owned()).chain(own).collect();
    for test in lintable.files.iter().flat_map(|file| &file.tests) {
        let calls = match &test.calls {
            TestCalls::One(call) => std::slice::from_ref(call),
            TestCalls::Each(calls) | TestCalls::Turn(calls) => calls.as_slice(),
        };
        known.extend(calls.iter().filter_map(|call| call.get("tool")?.as_str()).map(str::to_owned));
    }
    known
}

/// Whether `written` is `known` with a slip: another case, a letter or two. A plural is another name.
fn is_slip(written: &str, known: &str) -> bool {
    let length = known.chars().count();
    if length < 4 || written.len().abs_diff(known.len()) > 2 {
        return false;
    }
    if written.eq_ignore_ascii_case(known) {
        return true;
    }
    let plural = written.strip_suffix('s') == Some(known) || known.strip_suffix('s') == Some(written);
    // Verbs such as `read` and `head` are near each other in short names.
    let slips = if length < 5 {
        0
    } else if length < 10 {
        1
    } else {
        2
    };
    let digits = |text: &str| text.chars().filter(char::is_ascii_digit).collect::<String>();
    !plural && digits(written) == digits(known) && strsim::damerau_levenshtein(written, known) <= slips
}
