//! Where calls are judged: policies, disk and workspace, with Python's lock released and panics caught.

use std::sync::Arc;

use pyo3::prelude::*;
use tool_policy as engine;
use tool_policy::{Disk, NoDisk, RealDisk, Surroundings};

use crate::call::Given;
use crate::safe::safely;
use crate::verdict::Verdict;

/// Layers of policies, and where they judge.
#[derive(Clone)]
pub(crate) struct Judge {
    pub(crate) layers: engine::Layers,
    disk: Arc<dyn Disk>,
    workspace: Option<String>,
}

impl Judge {
    /// Judging by these layers; with `disk`, what this machine's disk says counts.
    pub(crate) fn new(layers: impl Into<engine::Layers>, workspace: Option<String>, disk: bool) -> Self {
        let disk: Arc<dyn Disk> =
            if disk { Arc::new(RealDisk::new(std::env::var("HOME").ok())) } else { Arc::new(NoDisk) };
        Self { layers: layers.into(), disk, workspace }
    }

    /// The same place, and other layers.
    pub(crate) fn with(&self, layers: impl Into<engine::Layers>) -> Self {
        Self { layers: layers.into(), ..self.clone() }
    }

    pub(crate) fn surroundings(&self) -> Surroundings<'_> {
        Surroundings { workspace: self.workspace.as_deref(), ..Surroundings::new(&*self.disk) }
    }

    /// The verdict on what was handed over as a call.
    pub(crate) fn evaluate(&self, py: Python<'_>, call: &Bound<'_, PyAny>) -> Verdict {
        let judged = safely(|| match Given::read(call) {
            Ok(given) => {
                let call = given.call();
                py.detach(|| safely(|| self.layers.evaluate(call, &self.surroundings())))
                    .unwrap_or_else(|message| of_error(message, call.id.clone()))
            }
            Err(e) => of_error(e.message, e.id),
        });
        judged.unwrap_or_else(|message| of_error(message, None)).into()
    }
}

/// The denial of what could not be judged.
pub(crate) fn of_error(message: String, call_id: Option<String>) -> engine::Verdict {
    engine::Verdict { call_id, ..engine::Verdict::error(message) }
}
