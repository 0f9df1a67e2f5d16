//! The tools of Cursor, and the events of its hooks that are about one.

use super::entry::{Language, ToolEntry, ToolKind, Unnamed};

pub(super) static TOOLS: &[ToolEntry] = &[
    ToolEntry::patches("ApplyPatch", &["patch", "input"]),
    ToolEntry::person("AskQuestion"),
    ToolEntry::looks("Await"),
    // By its name in Claude Code, whose hooks it runs too.
    ToolEntry::shell("Bash", &["command"], Language::BashUnlessWindows),
    ToolEntry::mcp("CallMcpTool"),
    ToolEntry::write("Delete", &["file_path", "path"]),
    ToolEntry::edit("Edit", &["file_path", "path"]),
    ToolEntry::edit("EditNotebook", &["target_notebook"]),
    ToolEntry::mcp("FetchMcpResource").fetching(&["uri"]).unnamed(Unnamed::WRITES),
    ToolEntry::glob("Glob", &["target_directory", "path"], &["glob_pattern", "pattern"]),
    ToolEntry::grep("Grep", &["path", "file_path"], &["glob"]),
    ToolEntry::list("LS", &["target_directory", "path"]),
    ToolEntry::looks("ListMcpResources"),
    ToolEntry::edit("MultiEdit", &["file_path", "path"]),
    ToolEntry::edit("NotebookEdit", &["notebook_path"]),
    ToolEntry::read("Read", &["file_path", "path"]),
    ToolEntry::read("ReadLints", &["paths"]).optional().unnamed(Unnamed::READS),
    ToolEntry::grep("SemanticSearch", &["target_directories"], &[]),
    ToolEntry::shell("Shell", &["command"], Language::BashUnlessWindows).in_folder("working_directory"),
    ToolEntry::edit("StrReplace", &["file_path", "path"]),
    ToolEntry::keeps("SwitchMode"),
    ToolEntry::agent("Task"),
    ToolEntry::keeps("TodoWrite"),
    ToolEntry::fetch("WebFetch", &["url"]),
    ToolEntry::web_search("WebSearch"),
    // It may change a part only, so what stood there may be told.
    ToolEntry::edit("Write", &["file_path", "path"]),
    ToolEntry::read("beforeReadFile", &["file_path", "attachments[].file_path", "attachments[].filePath"]),
    ToolEntry::shell("beforeShellExecution", &["command"], Language::BashUnlessWindows).in_folder("cwd"),
    ToolEntry::read("beforeTabFileRead", &["file_path"]).of_kind(ToolKind::Read),
];
