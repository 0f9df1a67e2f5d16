//! The tools of Factory's droid.

use super::entry::{Language, ToolEntry, Unnamed};

pub(super) static TOOLS: &[ToolEntry] = &[
    ToolEntry::patches("ApplyPatch", &["input"]),
    ToolEntry::person("AskUser"),
    ToolEntry::write("Create", &["file_path"]),
    ToolEntry::edit("Edit", &["file_path"]),
    ToolEntry::shell("Execute", &["command"], Language::BashUnlessWindows),
    ToolEntry::keeps("ExitSpecMode"),
    ToolEntry::fetch("FetchUrl", &["url"]),
    ToolEntry::read("GenerateImage", &["input_image_paths"]).optional().unnamed(Unnamed::WRITES).sends(),
    ToolEntry::glob("Glob", &["folder"], &["patterns"]),
    ToolEntry::grep("Grep", &["path"], &["glob_pattern"]),
    ToolEntry::list("LS", &["directory_path"]),
    ToolEntry::edit("MultiEdit", &["file_path"]),
    ToolEntry::read("Read", &["file_path"]),
    // Code of the host's own; whether the calls it makes are judged too is not known.
    ToolEntry::runs_unknown("Script"),
    ToolEntry::agent("Skill"),
    ToolEntry::agent("Task").reading(&["image_paths"]).optional(),
    ToolEntry::looks("TaskOutput"),
    ToolEntry::ends("TaskStop"),
    ToolEntry::keeps("TodoWrite"),
    ToolEntry::looks("ToolSearch"),
    ToolEntry::looks("WaitForScript"),
    ToolEntry::web_search("WebSearch"),
];
