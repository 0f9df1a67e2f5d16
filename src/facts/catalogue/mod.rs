//! The catalogue of tools: what the built-in tools of the known hosts do.
//!
//! One file a host, one line a tool, in the order of the names. A tool that is not here is a tool of which nothing is known.

mod entry;
mod mcp;

mod adal;
mod claude_code;
mod cline;
mod codex;
mod copilot_cli;
mod cursor;
mod factory_droid;
mod gemini_cli;
mod goose;
mod kiro;
mod opencode;
mod vscode;
mod windsurf;

#[cfg(test)]
mod tests;

pub use entry::{Language, Search, ToolEntry, ToolKind, Unnamed};
pub use mcp::{McpName, mcp_name, mcp_readings};

/// The hosts that are known by name. `alpineagents` is among them and has no tools of its own.
pub fn hosts() -> &'static [&'static str] {
    &[
        "adal",
        "alpineagents",
        "claude-code",
        "cline",
        "codex",
        "copilot-cli",
        "cursor",
        "factory-droid",
        "gemini-cli",
        "goose",
        "kiro",
        "opencode",
        "vscode",
        "windsurf",
    ]
}

/// The built-in tools of a host, sorted by name; none for a host that is not known.
pub fn tools(host: &str) -> &'static [ToolEntry] {
    match host {
        "adal" => adal::TOOLS,
        "claude-code" => claude_code::TOOLS,
        // The command line and the editor's extension have no tool name in common that means different things.
        "cline" | "cline-cli" | "cline-vscode" => cline::TOOLS,
        "codex" => codex::TOOLS,
        "copilot-cli" => copilot_cli::TOOLS,
        "cursor" => cursor::TOOLS,
        "factory-droid" => factory_droid::TOOLS,
        "gemini-cli" => gemini_cli::TOOLS,
        "goose" => goose::TOOLS,
        "kiro" => kiro::TOOLS,
        "opencode" => opencode::TOOLS,
        "vscode" => vscode::TOOLS,
        "windsurf" => windsurf::TOOLS,
        _ => &[],
    }
}

/// Whether this is the name of a host that is known.
pub fn is_host(name: &str) -> bool {
    hosts().contains(&name) || !tools(name).is_empty()
}

/// What a tool of this name does at some host: the worst of all of them. For calls that do not say which host they are of.
pub fn anywhere(tool: &str) -> Unnamed {
    let entries = hosts().iter().filter_map(|host| builtin(host, tool));
    entries.fold(Unnamed::default(), |all, entry| Unnamed {
        runs: all.runs || !entry.command.is_empty() || entry.unnamed.runs,
        reads: all.reads
            || !entry.reads.is_empty()
            || entry.search.is_some()
            || entry.edits
            || entry.unnamed.reads,
        writes: all.writes || !entry.writes.is_empty() || !entry.patch.is_empty() || entry.unnamed.writes,
        fetches: all.fetches
            || !entry.fetches.is_empty()
            || !entry.fetches_in_text.is_empty()
            || entry.unnamed.fetches,
    })
}

/// The first host that has a built-in tool of this name.
pub fn host_with(tool: &str) -> Option<&'static str> {
    hosts().iter().copied().find(|host| builtin(host, tool).is_some())
}

/// What a built-in tool of a host does. Names are compared as they are: case matters.
pub fn builtin(host: &str, tool: &str) -> Option<&'static ToolEntry> {
    let tools = tools(host);
    tools.binary_search_by(|entry| entry.tool.cmp(tool)).ok().and_then(|at| tools.get(at))
}
