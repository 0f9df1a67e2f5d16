//! One-time approvals: what waits for a person, and what the person approved, in a folder that only its owner reads.
//!
//! A host that cannot ask is refused with an id; `policy approve ID` lets exactly that call through once, within ten minutes. The id is made
//! from the call, so the same call waits once, however often it is made.

mod store;

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::call::{Call, hex};

/// For how many seconds an approval holds.
pub const HOLDS_FOR: u64 = 10 * 60;
/// For how many seconds a call waits for one.
const WAITS_FOR: u64 = 60 * 60;
/// How many calls wait at most; the oldest give way.
const WAITING: usize = 200;
/// How much of a call is kept for the person to read.
const SHOWN: usize = 64 << 10;

/// What binds an approval to one call: its tool, arguments and folder, and the policy that asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Key(String);

impl Key {
    /// The key of a call under a policy, given by its digest. A tool of an MCP server does not run in the folder of the call, which a proxy
    /// does not know, so the workspace stands in its place.
    pub fn of(call: &Call, workspace: Option<&str>, policy: &str) -> Self {
        let folder = if call.mcp.is_some() { workspace } else { call.cwd.as_deref().or(workspace) };
        let whole = Call {
            tool: call.name().into_owned(),
            mcp: call.mcp.clone(),
            args: call.args.clone(),
            cwd: folder.map(str::to_owned),
            ..Call::default()
        };
        let mut hash = Sha256::new();
        for text in [whole.digest().as_str(), policy] {
            hash.update(text.len().to_le_bytes());
            hash.update(text.as_bytes());
        }
        Self(hex(&hash.finalize()))
    }

    /// The short name that a person types.
    pub fn id(&self) -> &str {
        self.0.get(..16).unwrap_or(&self.0)
    }
}

/// A call that waits for a person.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Waiting {
    /// What to approve it by.
    pub id: String,
    key: String,
    /// The call, `tool(key=json, …)`, shortened.
    pub call: String,
    /// What the person is asked.
    pub question: String,
    /// The rule that asks.
    pub rule: Option<String>,
    /// The MCP server whose tool it is.
    pub server: Option<String>,
    /// The host that made the call.
    pub host: Option<String>,
    /// The folder that it was made in.
    pub cwd: Option<String>,
    /// When it was last made, in seconds since 1970.
    pub asked: u64,
}

impl Waiting {
    /// A call that waits from now on.
    pub fn new(key: &Key, call: &Call, question: impl Into<String>, rule: Option<&str>) -> Self {
        let shown = call.shown();
        let mut short: String = shown.chars().take(SHOWN).collect();
        if short.len() < shown.len() {
            short.push('…');
        }
        Self {
            id: key.id().to_owned(),
            key: key.0.clone(),
            call: short,
            question: question.into(),
            rule: rule.map(str::to_owned),
            server: call.mcp.as_ref().map(|mcp| mcp.server.clone()),
            host: call.host.clone(),
            cwd: call.cwd.clone(),
            asked: now(),
        }
    }
}

/// An approval: what is left of it is a file, gone once it is used.
#[derive(Serialize, Deserialize)]
struct Grant {
    key: String,
    until: u64,
}

impl Grant {
    fn holds(&self, key: &Key) -> bool {
        let time = now();
        // One from the future was not written by us.
        self.key == key.0 && self.until > time && self.until <= time + HOLDS_FOR
    }
}

/// Why the folder of approvals cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StateError {
    /// There is no place for it.
    #[error("there is no folder for approvals: set `HOME`, `XDG_STATE_HOME` or `POLICY_STATE_DIR`")]
    Nowhere,
    /// Others than the owner may read or write in it.
    #[error("`{0}` is open to other users; it must be its owner's alone (`chmod 700`)")]
    Open(PathBuf),
    /// Reading or writing failed.
    #[error("`{0}`: {1}")]
    Io(PathBuf, std::io::Error),
    /// Another call waits under the same id.
    #[error("another call waits under `{0}`")]
    Taken(String),
    /// No such call waits.
    #[error("no call waits under `{0}`; `policy pending` lists those that do")]
    Unknown(String),
}

/// The folder of approvals.
#[derive(Clone, Debug)]
pub struct State {
    folder: PathBuf,
}

impl State {
    /// That of the user: `$POLICY_STATE_DIR`, else `policy` in `$XDG_STATE_HOME`, else `~/.local/state/policy`.
    pub fn of_user() -> Result<Self, StateError> {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let absolute = |path: &PathBuf| path.is_absolute();
        let folder = set("POLICY_STATE_DIR")
            .filter(absolute)
            .or_else(|| set("XDG_STATE_HOME").filter(absolute).map(|path| path.join("policy")))
            .or_else(|| {
                set("HOME").or_else(|| set("USERPROFILE")).map(|home| home.join(".local/state/policy"))
            });
        folder.map(Self::at).ok_or(StateError::Nowhere)
    }

    /// That at this path.
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into() }
    }

    /// The folder.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Notes that a call waits.
    pub fn wait_for(&self, waiting: &Waiting) -> Result<(), StateError> {
        let pending = self.part("pending");
        if store::all::<Waiting>(&pending)?.iter().any(|w| w.id == waiting.id && w.key != waiting.key) {
            return Err(StateError::Taken(waiting.id.clone()));
        }
        store::write(&pending, &waiting.id, waiting)?;
        self.forget_old()
    }

    /// The calls that wait, the newest last.
    pub fn pending(&self) -> Result<Vec<Waiting>, StateError> {
        let mut all: Vec<Waiting> = store::all(&self.part("pending"))?;
        let oldest = now().saturating_sub(WAITS_FOR);
        all.retain(|waiting| waiting.asked >= oldest);
        all.sort_by(|a, b| (a.asked, &a.id).cmp(&(b.asked, &b.id)));
        Ok(all)
    }

    /// The call that waits under this id, or under the only id that begins so.
    pub fn waiting(&self, id: &str) -> Result<Waiting, StateError> {
        let mut found = self.pending()?.into_iter().filter(|w| !id.is_empty() && w.id.starts_with(id));
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            _ => Err(StateError::Unknown(id.to_owned())),
        }
    }

    /// Approves a call that waits: it may run once, within the next ten minutes.
    pub fn approve(&self, waiting: &Waiting) -> Result<(), StateError> {
        let grant = Grant { key: waiting.key.clone(), until: now() + HOLDS_FOR };
        store::write(&self.part("approved"), &waiting.id, &grant)?;
        store::remove(&self.part("pending"), &waiting.id);
        Ok(())
    }

    /// Uses up the approval of this call, if there is one.
    pub fn take(&self, key: &Key) -> Result<bool, StateError> {
        self.used_up("approved", key)
    }

    /// Notes that the host's own person is asked about this call of an MCP tool, or has approved it, so that a proxy need not ask again.
    pub fn pass_on(&self, key: &Key) -> Result<(), StateError> {
        let grant = Grant { key: key.0.clone(), until: now() + HOLDS_FOR };
        store::write(&self.part("passed-on"), key.id(), &grant)
    }

    /// Uses up what a hook noted about this call, if there is something.
    pub fn take_passed_on(&self, key: &Key) -> Result<bool, StateError> {
        self.used_up("passed-on", key)
    }

    /// Keeps a value of another module beside the approvals, with the same rights.
    #[cfg(feature = "proxy")]
    pub(crate) fn keep(&self, part: &str, id: &str, value: &impl Serialize) -> Result<(), StateError> {
        store::write(&self.part(part), id, value)
    }

    /// What [`Self::keep`] kept. One that cannot be read is an error, not nothing.
    #[cfg(feature = "proxy")]
    pub(crate) fn kept<T: serde::de::DeserializeOwned>(
        &self,
        part: &str,
        id: &str,
    ) -> Result<Option<T>, StateError> {
        store::one(&self.part(part), id)
    }

    fn used_up(&self, part: &str, key: &Key) -> Result<bool, StateError> {
        let grant: Option<Grant> = store::take(&self.part(part), key.id())?;
        Ok(grant.is_some_and(|grant| grant.holds(key)))
    }

    fn forget_old(&self) -> Result<(), StateError> {
        let pending = self.pending()?;
        let ids: Vec<_> = pending.iter().map(|w| w.id.as_str()).collect();
        let keep = ids.get(ids.len().saturating_sub(WAITING)..).unwrap_or_default();
        store::keep_only(&self.part("pending"), keep)?;
        for part in ["approved", "passed-on"] {
            store::forget_older(&self.part(part), HOLDS_FOR);
        }
        Ok(())
    }

    fn part(&self, name: &str) -> store::Folder {
        store::Folder { root: self.folder.clone(), path: self.folder.join(name) }
    }
}

/// Seconds since 1970.
fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |d| d.as_secs())
}

/// The digest that stands for several policies.
pub fn digest_of_all<'a>(digests: impl IntoIterator<Item = &'a str>) -> String {
    Value::from(digests.into_iter().collect::<Vec<_>>()).to_string()
}

#[cfg(test)]
mod tests;
