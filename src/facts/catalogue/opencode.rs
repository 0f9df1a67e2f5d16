//! The tools of opencode.

use super::entry::{Language, ToolEntry, ToolKind, Unnamed};

pub(super) static TOOLS: &[ToolEntry] = &[
    ToolEntry::patches("apply_patch", &["patchText"]),
    ToolEntry::shell("bash", &["command"], Language::BashUnlessWindows).in_folder("workdir"),
    // Other tools, several at once.
    ToolEntry::runs_unknown("batch"),
    ToolEntry::web_search("codesearch"),
    ToolEntry::edit("edit", &["filePath"]),
    ToolEntry::glob("glob", &["path"], &["pattern"]),
    ToolEntry::grep("grep", &["path"], &["include"]),
    ToolEntry::tree("list", &["path"]),
    ToolEntry::read("lsp", &["filePath"]).of_kind(ToolKind::Search).unnamed(Unnamed::READS),
    ToolEntry::edit("multiedit", &["filePath", "edits[].filePath"]),
    ToolEntry::patches("patch", &["patchText"]),
    ToolEntry::keeps("plan_enter"),
    ToolEntry::keeps("plan_exit"),
    ToolEntry::person("question"),
    // Of a folder it gives the names.
    ToolEntry::read("read", &["filePath"]),
    ToolEntry::agent("skill"),
    ToolEntry::agent("task"),
    ToolEntry::looks("todoread"),
    ToolEntry::keeps("todowrite"),
    ToolEntry::fetch("webfetch", &["url"]),
    ToolEntry::web_search("websearch"),
    ToolEntry::write("write", &["filePath"]),
];
