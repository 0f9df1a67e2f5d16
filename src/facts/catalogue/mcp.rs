//! The names that hosts make of an MCP server and its tool, taken apart where that needs no guess.
//!
//! An adapter that is told the server by its host uses that; this is for hosts that give the name only. Server and tool are as the
//! host spells them: most replace what a model's interface does not take (`my.server`) by `_`.

use super::builtin;

/// A server and its tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct McpName<'a> {
    /// The server.
    pub server: &'a str,
    /// The tool, by the server's own name for it.
    pub tool: &'a str,
}

/// How a host joins the two.
struct Form {
    prefix: &'static str,
    separator: &'static str,
    /// Nothing but an MCP tool has a name of this form.
    certain: bool,
    /// Names of this length or more may have been shortened, so that their ends are no longer what they were.
    shortened_from: usize,
    /// No name of this form has this in it.
    without: Option<char>,
}

/// A form that only MCP tools have.
const fn certain(prefix: &'static str, separator: &'static str) -> Form {
    Form { prefix, separator, certain: true, shortened_from: usize::MAX, without: None }
}

/// A form that other tools may have too.
const fn shared(prefix: &'static str, separator: &'static str) -> Form {
    Form { certain: false, ..certain(prefix, separator) }
}

/// The forms of each host.
fn forms(host: &str) -> &'static [Form] {
    const CLAUDE: Form = certain("mcp__", "__");
    match host {
        "claude-code" => const { &[CLAUDE] },
        "codex" => const { &[Form { shortened_from: 64, ..CLAUDE }] },
        "gemini-cli" => const { &[Form { shortened_from: 63, ..certain("mcp_", "_") }] },
        // The server's name is shortened at will, and an extension may call its tools what it likes.
        "vscode" => const { &[shared("mcp_", "_")] },
        // `server-tool` before a call, `server/tool` where a permission is asked for.
        "copilot-cli" => const { &[certain("", "/"), Form { without: Some('/'), ..shared("", "-") }] },
        "opencode" => const { &[shared("", "_")] },
        // Three underscores are what it does, the other is what it documents.
        "factory-droid" => const { &[certain("", "___"), CLAUDE] },
        "goose" => const { &[certain("", "__")] },
        "kiro" => const { &[certain("@", "/")] },
        // A plain function may have `__` in its name.
        "alpineagents" => const { &[shared("", "__")] },
        _ => &[],
    }
}

/// Every server and tool that a name may stand for, in the host's forms; none for a built-in tool. For deny and ask: one of them is
/// the right one, where the name is an MCP tool's at all.
pub fn mcp_readings<'a>(host: &str, name: &'a str) -> impl Iterator<Item = McpName<'a>> + use<'a> {
    let forms = if builtin(host, name).is_some() { &[] } else { forms(host) };
    forms.iter().flat_map(move |form| splits(form, name))
}

/// The server and tool of a name, where no other reading is possible: `None` for a built-in tool, for a name with more than one place to
/// split (`mcp__a__b__c`, `mcp__a___b`), and for hosts whose form other tools may have too.
pub fn mcp_name<'a>(host: &str, name: &'a str) -> Option<McpName<'a>> {
    let doubtful = |form: &Form| {
        name.len() >= form.shortened_from || (!form.certain && splits(form, name).next().is_some())
    };
    if forms(host).iter().any(doubtful) {
        return None;
    }
    let mut readings = mcp_readings(host, name);
    match (readings.next(), readings.next()) {
        (Some(only), None) => Some(only),
        (Some(_) | None, _) => None,
    }
}

fn splits<'f, 'a>(form: &'f Form, name: &'a str) -> impl Iterator<Item = McpName<'a>> + use<'f, 'a> {
    let possible = form.without.is_none_or(|other| !name.contains(other));
    let rest = if possible { name.strip_prefix(form.prefix).unwrap_or_default() } else { "" };
    rest.char_indices().filter_map(move |(at, _)| {
        let (server, tail) = rest.split_at_checked(at)?;
        let tool = tail.strip_prefix(form.separator)?;
        (!server.is_empty() && !tool.is_empty()).then_some(McpName { server, tool })
    })
}
