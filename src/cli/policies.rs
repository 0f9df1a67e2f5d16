//! The policies that judge a call, and where it is judged.

use std::sync::Arc;

use serde_json::{Map, Value};

use super::args::PolicyArgs;
use super::discover;
use super::output::Failure;
use crate::call::{Call, CallError};
use crate::facts::disk::{Disk, NoDisk, RealDisk};
use crate::interpreter::{Layers, Surroundings};
use crate::policy::Policy;
use crate::verdict::Verdict;

/// What calls are judged by.
pub(super) struct Judge {
    /// The policies.
    pub(super) layers: Layers,
    disk: Box<dyn Disk>,
    workspace: Option<String>,
    cwd: Option<String>,
    host: Option<String>,
    made_up_fs: bool,
}

impl Judge {
    /// What the arguments say; the nearest policy where they name none.
    pub(super) fn new(args: &PolicyArgs) -> Result<Self, Failure> {
        let folder = |path: &Option<std::path::PathBuf>| {
            path.as_deref().map(|path| discover::folder_text(path, args.made_up_fs)).transpose()
        };
        let (workspace, cwd) = (folder(&args.workspace)?, folder(&args.cwd)?);
        let mut policies = Vec::new();
        for (name, path) in &args.layer {
            policies.push(Policy::load(path)?.in_layer(name));
        }
        for path in &args.policy {
            policies.push(Policy::load(path)?);
        }
        if policies.is_empty() {
            policies.push(Policy::load(discover::here()?)?);
        }
        let mut policies = policies.into_iter();
        let Some(first) = policies.next() else { return Err(Failure::told("no policy")) };
        let layers = policies.fold(Layers::from(first), Layers::and);
        let disk: Box<dyn Disk> = if args.made_up_fs { Box::new(NoDisk) } else { real_disk() };
        Ok(Self { layers, disk, workspace, cwd, host: args.host.clone(), made_up_fs: args.made_up_fs })
    }

    /// Where the calls are judged.
    pub(super) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings { disk: &*self.disk, workspace: self.workspace.as_deref(), made_up_fs: self.made_up_fs }
    }

    /// The denial of what is no call, or was not judged.
    pub(super) fn error(&self, message: impl Into<String>, id: Option<String>) -> Verdict {
        let digest =
            self.layers.iter().next().map_or_else(|| Arc::from(""), |policy| Arc::from(policy.digest()));
        Verdict { call_id: id, ..Verdict::error_under(message, &digest) }
    }

    /// Reads a call. What it does not say of host and cwd, the arguments of the program do.
    pub(super) fn call(&self, mut value: Value) -> Result<Call, CallError> {
        if let Value::Object(map) = &mut value {
            fill(map, "host", self.host.as_ref());
            fill(map, "cwd", self.cwd.as_ref());
        }
        Call::from_json(value)
    }
}

fn fill(map: &mut Map<String, Value>, key: &str, value: Option<&String>) {
    if let Some(value) = value
        && map.get(key).is_none_or(Value::is_null)
    {
        map.insert(key.to_owned(), Value::String(value.clone()));
    }
}

/// The disk of this machine.
pub(super) fn real_disk() -> Box<dyn Disk> {
    Box::new(RealDisk::new(std::env::var("HOME").or_else(|_| std::env::var("USERPROFILE")).ok()))
}
