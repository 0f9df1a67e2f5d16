//! The tools of Kiro: those of its command line, by older and newer names, and those of its editor.

use super::entry::{Language, ToolEntry, ToolKind, Unnamed};

pub(super) static TOOLS: &[ToolEntry] = &[
    ToolEntry::runs_unknown("aws"),
    ToolEntry::runs_unknown("controlBashProcess"),
    ToolEntry::agent("delegate"),
    ToolEntry::write("deleteFile", &["targetFile", "path"]),
    ToolEntry::shell("executeBash", &["command"], Language::BashUnlessWindows).in_folder("path"),
    ToolEntry::shell("executePwsh", &["command"], Language::PowerShell).in_folder("path"),
    ToolEntry::shell("execute_bash", &["command"], Language::BashUnlessWindows).in_folder("working_dir"),
    ToolEntry::shell("execute_cmd", &["command"], Language::PowerShell),
    ToolEntry::glob("fileSearch", &[], &["query"]),
    ToolEntry::edit("fsAppend", &["path"]),
    ToolEntry::write("fsWrite", &["path"]),
    // Files, folders and searches, as `mode` says.
    ToolEntry::grep(
        "fs_read",
        &["operations[].path", "operations[].image_paths", "path", "image_paths"],
        &[],
    )
    .of_kind(ToolKind::Read),
    ToolEntry::edit("fs_write", &["path"]),
    ToolEntry::read("getDiagnostics", &["paths"]).unnamed(Unnamed::READS),
    ToolEntry::looks("getProcessOutput"),
    ToolEntry::glob("glob", &["path"], &["pattern"]),
    ToolEntry::grep("grep", &["path"], &["include"]),
    ToolEntry::grep("grepSearch", &[], &["includePattern"]),
    ToolEntry::looks("introspect"),
    ToolEntry::list("listDirectory", &["path"]),
    ToolEntry::looks("listProcesses"),
    ToolEntry::grep("read", &["operations[].path", "operations[].image_paths", "path", "image_paths"], &[])
        .of_kind(ToolKind::Read),
    ToolEntry::read("readFile", &["path"]),
    ToolEntry::read("readMultipleFiles", &["paths"]),
    ToolEntry::shell("shell", &["command"], Language::BashUnlessWindows).in_folder("working_dir"),
    ToolEntry::edit("strReplace", &["path"]),
    ToolEntry::agent("subagent"),
    ToolEntry::looks("thinking"),
    ToolEntry::keeps("todo_list"),
    ToolEntry::runs_unknown("use_aws"),
    ToolEntry::agent("use_subagent"),
    ToolEntry::person("userInput"),
    ToolEntry::fetch("web_fetch", &["url"]),
    ToolEntry::web_search("web_search"),
    ToolEntry::edit("write", &["path"]),
];
