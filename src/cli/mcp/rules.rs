//! The policies of a proxy, read anew when their files change.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use crate::call::Call;
use crate::cli::args::{McpArgs, McpNoPolicy};
use crate::cli::discover;
use crate::cli::output::{Failure, counted};
use crate::cli::policies::real_disk;
use crate::diagnostic::Report;
use crate::facts::disk::Disk;
use crate::grant::{Key, State, StateError, Waiting, digest_of_all};
use crate::guard::Guard;
use crate::interpreter::{Layers, Surroundings};
use crate::policy::Policy;
use crate::proxy::Judge;
use crate::verdict::{Answer, Cause, Verdict};

/// How long a person has where there is no policy to say so.
const WITHOUT_POLICY: u64 = 120;

/// Judges by the policies that the arguments name.
pub(super) struct Rules {
    named: Vec<(Option<String>, PathBuf)>,
    no_policy: McpNoPolicy,
    workspace: Option<String>,
    disk: Box<dyn Disk + Send + Sync>,
    read: Mutex<Option<Arc<Read>>>,
}

/// The policies as they were read.
struct Read {
    found: Found,
    /// The files that they came from, as they were then.
    files: Vec<(PathBuf, Stamp)>,
}

enum Found {
    Policies { layers: Layers, guard: Box<Guard>, workspace: Option<String>, digest: String },
    /// There is none.
    None,
    /// They do not load; in words.
    Unreadable(String),
}

/// What changes when a file does.
type Stamp = Option<(Option<SystemTime>, u64)>;

fn stamp(path: &PathBuf) -> Stamp {
    let found = std::fs::metadata(path).ok()?;
    Some((found.modified().ok(), found.len()))
}

impl Rules {
    pub(super) fn new(args: &McpArgs, workspace: Option<String>) -> Result<Self, Failure> {
        let layers = args.layer.iter().map(|(name, path)| (Some(name.clone()), path.clone()));
        let rules = Self {
            named: layers.chain(args.policy.iter().map(|path| (None, path.clone()))).collect(),
            no_policy: args.no_policy,
            workspace,
            disk: real_disk(),
            read: Mutex::new(None),
        };
        // What is wrong is told when the server is started, not at its first call only.
        rules.now();
        Ok(rules)
    }

    /// The policies as they are now.
    fn now(&self) -> Arc<Read> {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        match &*read {
            Some(read) if read.holds() => Arc::clone(read),
            before => {
                if before.is_some() {
                    super::say("the policy has changed and was read again");
                }
                let fresh = Arc::new(self.load());
                if let Found::Unreadable(why) = &fresh.found {
                    super::say(why);
                }
                *read = Some(Arc::clone(&fresh));
                fresh
            }
        }
    }

    fn load(&self) -> Read {
        let mut named = self.named.clone();
        if named.is_empty() {
            match discover::found() {
                Ok(Some(path)) => named.push((None, path)),
                Ok(None) => return Read { found: Found::None, files: Vec::new() },
                Err(failure) => {
                    return Read { found: Found::Unreadable(failure.message()), files: Vec::new() };
                }
            }
        }
        // The stamps are older than what is read, so that no change is missed.
        let mut files: Vec<_> = named.iter().map(|(_, path)| (path.clone(), stamp(path))).collect();
        let mut policies = Vec::new();
        for (name, path) in &named {
            match Policy::load(path) {
                Ok(policy) => policies.push(match name {
                    Some(name) => policy.in_layer(name),
                    None => policy,
                }),
                Err(report) => return Read { found: Found::Unreadable(told(&report)), files },
            }
        }
        for source in policies.iter().flat_map(|policy| policy.sources().iter()).map(|(_, source)| source) {
            let path = PathBuf::from(&*source.name);
            if !files.iter().any(|(known, _)| *known == path) {
                files.push((path.clone(), stamp(&path)));
            }
        }
        Read { found: self.compiled(policies, &files), files }
    }

    fn compiled(&self, policies: Vec<Policy>, files: &[(PathBuf, Stamp)]) -> Found {
        let absolute = files.iter().filter_map(|(path, _)| std::path::absolute(path).ok());
        let absolute: Vec<String> = absolute.filter_map(|path| path.to_str().map(str::to_owned)).collect();
        let guard = match Guard::new(absolute.iter().map(String::as_str)) {
            Ok(guard) => Box::new(guard),
            Err(report) => return Found::Unreadable(told(&report)),
        };
        let digest = digest_of_all(policies.iter().map(Policy::digest));
        let folder = policies.iter().find_map(Policy::folder).map(str::to_owned);
        let mut policies = policies.into_iter();
        let Some(first) = policies.next() else { return Found::None };
        let workspace = self.workspace.clone().or(folder);
        Found::Policies { layers: policies.fold(Layers::from(first), Layers::and), guard, workspace, digest }
    }

    fn without(&self, call: &Call) -> Verdict {
        let why = "no policy was found here or in any folder above; `policy init` writes one";
        match self.no_policy {
            McpNoPolicy::Deny => Verdict::error(why),
            McpNoPolicy::Pass => Verdict { verdict: Answer::Allow, cause: Cause::NoRule, reason: None, ..Verdict::error(why) },
            McpNoPolicy::Ask => Verdict {
                verdict: Answer::Ask,
                cause: Cause::NoRule,
                timeout_s: Some(WITHOUT_POLICY),
                question: Some(format!("Run {}?", call.shown())),
                ..Verdict::error(why)
            },
        }
    }

    /// What binds an approval to the call.
    fn key(&self, call: &Call) -> Key {
        match &self.now().found {
            Found::Policies { workspace, digest, .. } => Key::of(call, workspace.as_deref(), digest),
            Found::None | Found::Unreadable(_) => Key::of(call, self.workspace.as_deref(), ""),
        }
    }
}

impl Read {
    /// Whether the files are as they were. Where there was no policy, there may be one now.
    fn holds(&self) -> bool {
        !self.files.is_empty() && self.files.iter().all(|(path, then)| stamp(path) == *then)
    }
}

impl Judge for Rules {
    fn verdict(&self, call: &Call) -> Verdict {
        match &self.now().found {
            Found::None => self.without(call),
            Found::Unreadable(why) => Verdict::error(why.clone()),
            Found::Policies { layers, guard, workspace, .. } => {
                let surroundings = Surroundings {
                    disk: &*self.disk,
                    workspace: self.workspace.as_deref(),
                    made_up_fs: false,
                };
                let verdict = layers.evaluate(call, &surroundings);
                guard.over(verdict, call, &Surroundings { workspace: workspace.as_deref(), ..surroundings })
            }
        }
    }

    fn take_approval(&self, call: &Call, _verdict: &Verdict) -> bool {
        let key = self.key(call);
        let taken = State::of_user().and_then(|state| Ok(state.take(&key)? || state.take_passed_on(&key)?));
        match taken {
            Ok(taken) => taken,
            Err(StateError::Nowhere) => false,
            Err(e) => {
                super::say(&format!("approvals cannot be read: {e}"));
                false
            }
        }
    }

    fn wait(&self, call: &Call, verdict: &Verdict) -> Result<String, String> {
        let key = self.key(call);
        let question = verdict.question.clone().unwrap_or_else(|| format!("Run {}?", call.shown()));
        let rule = verdict.decided_by.as_ref().map(|by| by.rule.as_str());
        let waiting = Waiting::new(&key, call, question, rule);
        State::of_user().and_then(|state| state.wait_for(&waiting)).map_err(|e| e.to_string())?;
        Ok(waiting.id)
    }

    fn never(&self, call: &Call) -> bool {
        match &self.now().found {
            Found::Policies { layers, .. } => layers.iter().any(|policy| policy.always_denies(call)),
            Found::None | Found::Unreadable(_) => false,
        }
    }
}

/// A policy that does not load, in one line: the rest is what `policy check` is for.
fn told(report: &Report) -> String {
    let first = report.diagnostics.first().map_or("", |d| d.message.as_str());
    let n = counted(report.diagnostics.len(), "problem");
    format!("the policy does not load, so no call is allowed ({n}: {first}); `policy check` says more")
}
