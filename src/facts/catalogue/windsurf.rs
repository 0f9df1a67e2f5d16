//! The actions of Windsurf's Cascade, by the names of the events that its hooks get; the arguments are those of `tool_info`.

use super::entry::{Language, ToolEntry, ToolKind};

pub(super) static TOOLS: &[ToolEntry] = &[
    ToolEntry::mcp("pre_mcp_tool_use"),
    // A folder is searched.
    ToolEntry::grep("pre_read_code", &["file_path"], &[]).of_kind(ToolKind::Read),
    ToolEntry::shell("pre_run_command", &["command_line"], Language::BashUnlessWindows).in_folder("cwd"),
    ToolEntry::edit("pre_write_code", &["file_path"]),
];
