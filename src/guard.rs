//! What holds beside the policy wherever a host asks: an agent does not approve its own calls, and a person is asked before it changes what
//! judges it.

use std::sync::OnceLock;

use serde_json::{Map, Value};

use crate::call::Call;
use crate::facts::catalogue;
use crate::file::Format;
use crate::interpreter::Surroundings;
use crate::policy::Policy;
use crate::verdict::{Answer, Cause, Verdict};

/// The name of the tool whose call is always denied: `policy doctor` makes one to see whether a denial comes through.
pub const CANARY: &str = "policy_doctor_canary";

/// The rules whose denial is a question to the person.
const ASKED: [&str; 2] = ["installs-itself", "what-judges"];

/// So many arguments of an unknown tool are looked at as paths, none of them longer than this.
const MOST: usize = 64;
const LONGEST: usize = 4096;

const RULES: &str = include_str!("guard.toml");

/// The built-in protection: a policy of its own, read when a call first needs it.
#[derive(Debug)]
pub struct Guard {
    text: String,
    /// The last names of the files of policies.
    names: Vec<String>,
    policy: OnceLock<Result<Policy, String>>,
}

impl Guard {
    /// The protection, of these files and of what is below them where they are folders. Patterns and paths start from the workspace of the
    /// [`Surroundings`].
    pub fn new<'a>(files: impl IntoIterator<Item = &'a str>) -> Self {
        let mut text = RULES.to_owned();
        let files: Vec<_> = files.into_iter().collect();
        let last = |file: &&str| file.rsplit(['/', '\\']).next().unwrap_or_default().to_ascii_lowercase();
        let names = files.iter().map(last).filter(|name| !name.is_empty()).collect();
        let below = |file: &str| format!("{0}, {1}", quoted(file, ""), quoted(file, "/**"));
        let files: Vec<_> = files.into_iter().map(below).collect();
        if !files.is_empty() {
            let more = format!("when.writes = [\n    {},\n", files.join(", "));
            text = text.replacen("when.writes = [\n    \"policy.", &format!("{more}    \"policy."), 1);
        }
        Self { text, names, policy: OnceLock::new() }
    }

    /// The verdict of the policy, or that of the protection where it is stricter.
    ///
    /// Only what it is sure of counts: what a command might do besides is the policy's matter.
    pub fn over(&self, verdict: Verdict, call: &Call, surroundings: &Surroundings<'_>) -> Verdict {
        let changed;
        let call = match &verdict.updated_args {
            Some(args) => {
                changed = Call { args: args.clone(), ..call.clone() };
                &changed
            }
            None => call,
        };
        if verdict.verdict == Answer::Deny {
            return verdict;
        }
        match (self.alone(call, surroundings), verdict.verdict) {
            (Some(own), Answer::Allow) if own.verdict == Answer::Ask => {
                // What the person says yes to is the changed call.
                let Verdict { updated_args, model_note, policy, .. } = verdict;
                Verdict { policy, updated_args, model_note, ..own }
            }
            (Some(own), Answer::Allow | Answer::Ask) if own.verdict == Answer::Deny => {
                Verdict { policy: verdict.policy, ..own }
            }
            _ => verdict,
        }
    }

    /// What the protection says against a call, whatever the policy says.
    pub fn alone(&self, call: &Call, surroundings: &Surroundings<'_>) -> Option<Verdict> {
        let entry = call.host.as_deref().filter(|_| call.mcp.is_none());
        let entry = entry.and_then(|host| catalogue::builtin(host, &call.tool));
        let touches = match entry {
            Some(entry) => !entry.command.is_empty() || !entry.writes.is_empty() || !entry.patch.is_empty(),
            None => call.tool == CANARY,
        };
        if touches {
            return Self::judged(self.evaluate(call, surroundings), call);
        }
        // What a server says of its own tool is nothing to go by here.
        if entry.is_some() || (call.mcp.is_none() && call.hints.read_only()) {
            return None;
        }
        self.texts(&call.args).into_iter().find_map(|path| {
            let write = Call {
                host: Some("claude-code".to_owned()),
                cwd: call.cwd.clone(),
                workspace: call.workspace.clone(),
                fs: call.fs.clone(),
                ..Call::new("Write").arg("file_path", path)
            };
            Self::judged(self.evaluate(&write, surroundings), call)
        })
    }

    fn evaluate(&self, call: &Call, surroundings: &Surroundings<'_>) -> Verdict {
        let policy = self.policy.get_or_init(|| {
            Policy::parse("built-in protection", Format::Toml, &self.text).map_err(|e| e.to_string())
        });
        match policy {
            Ok(policy) => policy.evaluate(call, surroundings),
            Err(message) => Verdict::error(format!("the built-in protection cannot be read: {message}")),
        }
    }

    /// The arguments of a tool of which nothing is known that may be paths of what is protected: it may write any file that is named to it.
    /// Where there are too many of them, or one is too long, what is protected stands for it.
    fn texts<'a>(&self, args: &'a Map<String, Value>) -> Vec<&'a str> {
        const PROTECTED: &str = ".claude/settings.json";
        let mut found = Vec::new();
        let mut take = |text: &'a str| {
            let text = text.trim();
            // A long text with blanks in it is prose, no path.
            let prose = text.len() >= LONGEST && text.contains(' ');
            if prose || !self.is_suspect(text) {
                return;
            }
            let fits = found.len() < MOST && text.len() < LONGEST;
            if fits || found.len() <= MOST {
                found.push(if fits { text } else { PROTECTED });
            }
        };
        let mut open: Vec<&Value> = Vec::new();
        for (key, value) in args {
            take(key);
            open.push(value);
        }
        while let Some(value) = open.pop() {
            match value {
                Value::String(text) => take(text),
                Value::Array(list) => open.extend(list),
                Value::Object(map) => {
                    for (key, value) in map {
                        take(key);
                        open.push(value);
                    }
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        found
    }

    /// Whether a pattern of the protection could match: each has a name in it that begins with a dot, or one of these.
    fn is_suspect(&self, text: &str) -> bool {
        let text = text.to_ascii_lowercase();
        let hidden = || text.split(['/', '\\']).any(|name| name.starts_with('.') && name.len() > 2);
        let named = || self.names.iter().any(|name| text.contains(name.as_str()));
        !text.contains('\n')
            && (["policy", "opencode", "cline"].iter().any(|part| text.contains(part)) || hidden() || named())
    }

    /// What counts of its own verdict: a denial that is sure, or the question that it stands for.
    fn judged(own: Verdict, call: &Call) -> Option<Verdict> {
        let rule = own.decided_by.as_ref().map_or("", |by| by.rule.as_str());
        match (own.verdict, own.cause) {
            (Answer::Deny, Cause::Rule) if ASKED.contains(&rule) => Some(Verdict {
                verdict: Answer::Ask,
                stop: false,
                question: Some(format!("Change what judges the agent? {}", call.shown())),
                timeout_s: Some(600),
                digest: Some(call.digest()),
                ..own
            }),
            (Answer::Deny, Cause::Rule | Cause::Error) => Some(own),
            _ => None,
        }
    }
}

/// A path as a string of TOML in which nothing stands for something else.
fn quoted(path: &str, below: &str) -> String {
    let literal: String =
        path.chars().flat_map(|c| if "*?[]{}\\!".contains(c) { vec!['\\', c] } else { vec![c] }).collect();
    let literal = literal.trim_end_matches('/');
    Value::String(format!("{literal}{below}")).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::disk::RealDisk;

    #[track_caller]
    fn said(command: &str) -> (Answer, Option<String>) {
        let policy =
            Policy::parse("p.toml", Format::Toml, "version = 1\n[[rules]]\nallow_by_default = true\n")
                .unwrap();
        let call = Call { host: Some("claude-code".to_owned()), ..Call::new("Bash").arg("command", command) };
        let disk = RealDisk::new(Some("/home/u".to_owned()));
        let surroundings = Surroundings { workspace: Some("/w"), ..Surroundings::new(&disk) };
        let guard = Guard::new(["conf/agents.toml"]);
        let verdict = guard.over(policy.evaluate(&call, &surroundings), &call, &surroundings);
        (verdict.verdict, verdict.decided_by.map(|by| by.rule.clone()))
    }

    #[test]
    fn an_agent_does_not_approve_its_own_calls() {
        for command in [
            "policy approve 12ab",
            "/usr/local/bin/policy approve 12ab --yes",
            "p=approve; policy $p x",
            "bash -c 'policy approve x'",
            "policy --color never approve x --yes",
            "env -i policy approve x",
            "echo x | xargs policy approve",
            "true && policy approve x",
        ] {
            assert_eq!(said(command), (Answer::Deny, Some("no-own-approval".to_owned())), "{command}");
        }
    }

    #[test]
    fn a_person_is_asked_before_it_changes_what_judges_it() {
        for command in [
            "echo > policy.toml",
            "sed -i s/a/b/ .claude/settings.json",
            "rm -rf .claude",
            "mv .codex x",
            "cp x ~/.gemini/settings.json",
            "echo >> conf/agents.toml",
            "rm .github/hooks/policy.json",
            "chmod -x .clinerules/hooks/PreToolUse",
            "chmod -rw policy.toml",
            "chmod a-x,g+w policy.toml",
            "chown u:g policy.toml",
            "tee ~/.local/state/policy/approved/x",
        ] {
            assert_eq!(said(command), (Answer::Ask, Some("what-judges".to_owned())), "{command}");
        }
        assert_eq!(said("policy install codex --uninstall").1.as_deref(), Some("installs-itself"));
        assert_eq!(
            said("policy --color never install codex --uninstall").1.as_deref(),
            Some("installs-itself")
        );
        assert_eq!(said("policy hook codex < call.json").1.as_deref(), Some("no-own-hook"));
    }

    #[test]
    fn a_tool_of_which_nothing_is_known_may_write_what_is_named_to_it() {
        let disk = RealDisk::new(Some("/home/u".to_owned()));
        let surroundings = Surroundings { workspace: Some("/w"), ..Surroundings::new(&disk) };
        let guard = Guard::new(["conf/policies.toml"]);
        let asked = |call: Call| guard.alone(&call, &surroundings).is_some();
        for path in
            ["policy.toml", "/w/.claude/settings.json", "./conf/policies.toml", "/home/u/.codex/config.toml"]
        {
            assert!(asked(Call::new("write_file").arg("path", path)), "{path}");
            assert!(asked(Call::new("move").arg("pairs", serde_json::json!([{"to": path}]))), "{path}");
            assert!(!asked(Call::new("read_file").arg("path", path).read_only(true)), "{path}");
        }
        for path in
            ["notes.txt", "/w/docs/policy-notes.md", ".gitignore", "what is our policy?", "/x/policy.toml"]
        {
            assert!(!asked(Call::new("write_file").arg("path", path)), "{path}");
        }
    }

    #[test]
    fn what_is_only_possible_is_left_to_the_policy() {
        for command in [
            "cargo test",
            "npm install",
            "git pull",
            "python3 x.py",
            "policy check",
            "cat policy.toml",
            "rm -rf target",
        ] {
            assert_eq!(said(command), (Answer::Allow, Some("rule-1".to_owned())), "{command}");
        }
    }

    #[test]
    fn a_path_with_signs_of_a_pattern_is_that_path() {
        for path in [r"/a b\[x]*{y}.toml", "C:/a b/p.toml"] {
            let text = Guard::new([path]).text;
            assert!(Policy::parse("p.toml", Format::Toml, &text).is_ok(), "{path}");
        }
    }
}
