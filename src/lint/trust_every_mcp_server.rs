//! Every MCP server is believed.

use super::lintable::Lintable;
use super::{Sink, lint};
use crate::file::{RuleKindFile, TrustMcp};
use crate::rule::Trust;

lint! {
    /// ## What it does
    ///
    /// Finds `trust_mcp = true`, and `trust_mcp = ["*"]`.
    ///
    /// ## Why this is bad
    ///
    /// A server says by itself whether its tools are read-only. Believing all of them lets any server, also one that is added
    /// later, allow its own tools.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_read_only = { trust_mcp = true }  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_read_only = { trust_mcp = ["docs"] }
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    TRUST_EVERY_MCP_SERVER = Warn "trust-every-mcp-server": "the word of every MCP server is taken"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for rule in &lintable.rules {
        let RuleKindFile::AllowByReadOnly { trust_mcp } = &rule.written.kind else { continue };
        let every = match trust_mcp {
            TrustMcp::All => true,
            TrustMcp::None => false,
            TrustMcp::Servers(_) => {
                matches!(&rule.rule.kind, crate::rule::Kind::AllowByReadOnly { trust: Trust::Servers(globs) }
                    if globs.iter().any(crate::pattern::name::NameGlob::matches_everything))
            }
        };
        if every {
            sink.push(
                TRUST_EVERY_MCP_SERVER
                    .finding(format!("rule `{}` believes every MCP server", rule.id()))
                    .at(rule.written.kind_span, "any server may say that its tools are read-only")
                    .help("name the servers: `trust_mcp = [\"docs\"]`"),
            );
        }
    }
}
