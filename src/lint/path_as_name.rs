//! Paths where names of tools are expected.

use super::lintable::Lintable;
use super::{Sink, lint};

lint! {
    /// ## What it does
    ///
    /// Finds a tool name that looks like a path.
    ///
    /// ## Why this is bad
    ///
    /// Rules match the names of tools. Files are conditions: a denial of the name `secrets/**` denies no call.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["~/.ssh/*"]  # here
    /// reason = "Keys are nobody's business."
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// deny_by_name = ["*"]
    /// when.touches = ["~/.ssh/**"]
    /// reason = "Keys are nobody's business."
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    PATH_AS_NAME = Warn "path-as-name": "a path where the name of a tool is expected"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for name in lintable.rules.iter().flat_map(|rule| rule.tool_names().collect::<Vec<_>>()) {
        let text = name.value.as_str();
        let starts = ["/", "./", "../", "~/"].iter().any(|start| text.starts_with(start));
        // Some hosts have a slash in names of tools, so that alone is no path.
        let inside =
            text.contains('/') && (text.contains("/**") || text.contains("**/") || has_extension(text));
        if !starts && !inside || text.contains(['(', ' ']) {
            continue;
        }
        sink.push(
            PATH_AS_NAME
                .finding(format!("`{text}` looks like a path, and no tool has such a name"))
                .at(name.span, "a name of a tool is expected")
                .help(format!(
                    "for files, name the tools or `\"*\"`, and write `when.touches = [\"{text}\"]`"
                )),
        );
    }
}

/// Whether the last component ends as files do.
fn has_extension(text: &str) -> bool {
    let last = text.rsplit('/').next().unwrap_or(text);
    last.rsplit_once('.').is_some_and(|(_, extension)| {
        (1..=5).contains(&extension.len()) && extension.bytes().all(|b| b.is_ascii_alphanumeric())
    })
}
