//! What holds beside the policy wherever a host asks: an agent does not approve its own calls, and a person is asked before it changes what
//! judges it.

use crate::call::Call;
use crate::diagnostic::Report;
use crate::file::Format;
use crate::interpreter::Surroundings;
use crate::policy::Policy;
use crate::verdict::{Answer, Cause, Verdict};

/// The name of the tool whose call is always denied: `policy doctor` makes one to see whether a denial comes through.
pub const CANARY: &str = "policy_doctor_canary";

/// The rules whose denial is a question to the person.
const ASKED: [&str; 2] = ["installs-itself", "what-judges"];

const RULES: &str = include_str!("guard.toml");

/// The built-in protection, a policy of its own.
#[derive(Clone, Debug)]
pub struct Guard {
    policy: Policy,
}

impl Guard {
    /// The protection, of these files of policies too. Patterns and paths start from the workspace of the [`Surroundings`].
    ///
    /// # Errors
    ///
    /// When a path cannot be a pattern.
    pub fn new<'a>(files: impl IntoIterator<Item = &'a str>) -> Result<Self, Report> {
        let mut text = RULES.to_owned();
        let files: Vec<_> = files.into_iter().map(quoted).collect();
        if !files.is_empty() {
            let more = format!("when.writes = [\n    {},\n", files.join(", "));
            text = text.replacen("when.writes = [\n    \"policy.", &format!("{more}    \"policy."), 1);
        }
        Ok(Self { policy: Policy::parse("built-in protection", Format::Toml, &text)? })
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
        let own = self.policy.evaluate(call, surroundings);
        match (Self::judged(own, call), verdict.verdict) {
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

    /// What the protection says against a call where there is no policy.
    pub fn alone(&self, call: &Call, surroundings: &Surroundings<'_>) -> Option<Verdict> {
        Self::judged(self.policy.evaluate(call, surroundings), call)
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
fn quoted(path: &str) -> String {
    let literal: String =
        path.chars().flat_map(|c| if "*?[]{}\\!".contains(c) { vec!['\\', c] } else { vec![c] }).collect();
    serde_json::Value::String(literal).to_string()
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
        let guard = Guard::new(["conf/agents.toml"]).unwrap();
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
            "tee ~/.local/state/policy/approved/x",
        ] {
            assert_eq!(said(command), (Answer::Ask, Some("what-judges".to_owned())), "{command}");
        }
        assert_eq!(said("policy install codex --uninstall").1.as_deref(), Some("installs-itself"));
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
        assert!(Guard::new([r"/a b\[x]*{y}.toml"]).is_ok());
        assert!(Guard::new(["C:/a b/p.toml"]).is_ok());
    }
}
