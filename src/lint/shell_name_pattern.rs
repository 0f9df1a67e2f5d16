//! Names that are written like a tool with its arguments.

use super::lintable::Lintable;
use super::{Sink, lint};

lint! {
    /// ## What it does
    ///
    /// Finds names such as `Bash(git *)`, `Read(./.env)` or `git status`.
    ///
    /// ## Why this is bad
    ///
    /// A name pattern matches the name of the tool and nothing else, so such a rule matches no call.
    ///
    /// ## Fires
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_name = ["Bash(git status:*)"]  # here
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    ///
    /// ## Clean
    ///
    /// ```toml
    /// version = 1
    /// [[rules]]
    /// allow_by_name = ["Bash"]
    /// when.runs = ["git status *"]
    /// [[rules]]
    /// decide_by_human = true
    /// ```
    SHELL_NAME_PATTERN = Warn "shell-name-pattern": "a name that is written like a tool with its arguments"
}

fn check(lintable: &Lintable<'_>, sink: &mut Sink) {
    for rule in &lintable.rules {
        for name in rule.tool_names() {
            let Some(help) = meant(&name.value, rule.written.kind.as_str()) else { continue };
            sink.push(
                SHELL_NAME_PATTERN
                    .finding(format!("`{}` is not the name of a tool", name.value))
                    .at(name.span, "only the name of the tool stands here")
                    .help(help),
            );
        }
    }
}

/// What to write instead of a name that is none.
fn meant(name: &str, kind: &str) -> Option<String> {
    // A set such as `[(]` is a glob after all.
    if name.contains('[') {
        return None;
    }
    if let Some((tool, rest)) = name.split_once('(')
        && let Some(inner) = rest.strip_suffix(')')
        && !tool.is_empty()
        && !tool.contains(' ')
    {
        let lower = tool.to_ascii_lowercase();
        let list = |key: &str, pattern: &str| {
            format!("write `{kind} = [\"{tool}\"]` and `when.{key} = [\"{pattern}\"]`")
        };
        return Some(if lower.contains("fetch") {
            list("fetches", inner.strip_prefix("domain:").unwrap_or(inner))
        } else if lower.contains("read") || lower == "glob" || lower == "grep" {
            list("reads", inner)
        } else if lower.contains("edit") || lower.contains("write") {
            list("writes", inner)
        } else {
            let pattern = inner.replace(":*", " *");
            list("runs", &pattern)
        });
    }
    let words = name.split_whitespace().count();
    (words > 1)
        .then(|| format!("for a command, name the tool that runs it, and write `when.runs = [\"{name}\"]`"))
}
