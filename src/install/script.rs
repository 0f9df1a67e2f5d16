//! Files that are wholly ours.

use super::line::Line;

/// A file of our own.
#[derive(Clone, Debug)]
pub(super) struct Script {
    pub(super) text: String,
    pub(super) executable: bool,
}

/// What each of them says of itself: by this they are known again.
const MARK: &str = "`policy install";

impl Script {
    /// Whether a file with this text is one of ours.
    pub(super) fn is_ours(text: &str) -> bool {
        text.contains(MARK)
    }

    /// The hook of Cline. It runs the tool whatever a hook's exit code is, so what is no answer becomes a refusal here.
    pub(super) fn cline(line: &Line) -> Self {
        let command = line.shell();
        let text = format!(
            r#"#!/bin/sh
# Written by `policy install cline`; `policy install cline --uninstall` removes it.
answer=$({command})
status=$?
case "$status:$answer" in
0:* | *'"cancel":true'*)
    [ -z "$answer" ] || printf '%s\n' "$answer"
    ;;
*)
    printf '{{"cancel":true,"errorMessage":"the policy could not be asked (exit %s); refused"}}\n' "$status"
    ;;
esac
"#
        );
        Self { text, executable: true }
    }

    /// The plugin of opencode.
    pub(super) fn opencode(line: &Line) -> Self {
        let command = serde_json::Value::from(line.words()).to_string();
        let text = PLUGIN.replacen(PLUGIN_COMMAND, &format!("const COMMAND = {command}"), 1);
        let head =
            "// Written by `policy install opencode`; `policy install opencode --uninstall` removes it.\n";
        Self { text: format!("{head}{text}"), executable: false }
    }

    /// What Goose wants to know of a plugin.
    pub(super) fn goose() -> Self {
        let text = r#"{
  "name": "policy",
  "version": "1.0.0",
  "description": "Judges tool calls by the project's policy. Written by `policy install goose`."
}
"#;
        Self { text: text.to_owned(), executable: false }
    }

    /// The command that a file of ours runs.
    pub(super) fn line(text: &str) -> Option<Line> {
        let of = |line: &str| {
            if let Some(rest) = line.strip_prefix("answer=$(") {
                return Line::parse(rest.strip_suffix(')')?);
            }
            let rest = line.strip_prefix("const COMMAND = ")?;
            let words = serde_json::Deserializer::from_str(rest).into_iter::<Vec<String>>().next()?.ok()?;
            Line::of_words(words)
        };
        text.lines().find_map(of)
    }
}

/// The plugin as it stands in this program.
const PLUGIN: &str = include_str!("../host/opencode_plugin.js");

/// The line of it that names the command.
const PLUGIN_COMMAND: &str = r#"const COMMAND = ["policy", "hook", "opencode"]"#;

#[cfg(test)]
mod tests {
    use super::*;

    fn line(program: &str, host: &str) -> Line {
        Line {
            program: program.to_owned(),
            host: host.to_owned(),
            options: vec!["--policy".to_owned(), "a b".to_owned()],
        }
    }

    #[test]
    fn the_command_stands_in_each_and_is_read_back() {
        for (script, line) in [
            (Script::cline(&line("/a b/policy", "cline")), line("/a b/policy", "cline")),
            (Script::opencode(&line("/a b/policy", "opencode")), line("/a b/policy", "opencode")),
        ] {
            assert_eq!(Script::line(&script.text), Some(line), "{}", script.text);
            assert!(Script::is_ours(&script.text));
        }
        assert!(Script::is_ours(&Script::goose().text));
    }
}
