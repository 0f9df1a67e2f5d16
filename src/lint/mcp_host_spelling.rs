//! Names of MCP tools as some hosts spell them.

use super::lintable::Lintable;
use super::{Sink, lint};

lint! {
    /// ## What it does
    ///
    /// Finds names spelled `mcp__server__tool`.
    ///
    /// ## Why this is bad
    ///
    /// A tool of an MCP server is `server__tool` in a policy, whatever the host calls it, so such an allow matches nothing, and
    /// such a denial holds in some hosts only.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_name = ["mcp__docs__search"]  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_name = ["docs__search"]
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    MCP_HOST_SPELLING = Warn "mcp-host-spelling": "an MCP tool spelled as one host does"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for name in lintable.rules.iter().flat_map(|rule| rule.tool_names().collect::<Vec<_>>()) {
        let Some(rest) = name.value.strip_prefix("mcp__") else { continue };
        let finding = MCP_HOST_SPELLING
            .finding(format!("`{}` is spelled as one host does", name.value))
            .at(name.span, "in a policy it is `server__tool`");
        let meant = if rest == "*" {
            "*__*".to_owned()
        } else if rest.contains("__") {
            rest.to_owned()
        } else {
            format!("{rest}__*")
        };
        sink.push(finding.suggest(format!("write `{meant}`"), name.span, lintable.quoted(name.span, &meant)));
    }
}
