//! What a call would do: parts, files, hosts, programs.

pub mod catalogue;
pub mod disk;
pub mod parts;
pub mod path;
pub mod programs;
pub mod tool;
pub mod url;
pub mod word;

use crate::call::Call;
use disk::Disk;
use parts::{Facts, Part, PartKind};
use tool::Tool;

/// Where a call is made.
pub struct Place {
    /// Where relative paths start.
    pub cwd: Option<String>,
    /// The root of the project.
    pub workspace: Option<String>,
}

impl Place {
    /// The folder of the workspace, and the cwd, which is the workspace where none is said.
    pub fn new(workspace: Option<&str>, cwd: Option<&str>) -> Self {
        Self { cwd: cwd.or(workspace).map(str::to_owned), workspace: workspace.map(str::to_owned) }
    }
}

/// What the call would do.
pub fn of(call: &Call, _tool: Option<&Tool>, _place: &Place, _disk: &dyn Disk) -> Facts {
    Facts { parts: vec![Part { kind: PartKind::Call, text: call.shown(), span: None, group: 0 }] }
}
