//! The tools of AdaL. It does not document their arguments, so each is listed under the names that are usual.

use super::entry::{Language, ToolEntry};

pub(super) static TOOLS: &[ToolEntry] = &[
    ToolEntry::shell("bash", &["command"], Language::BashUnlessWindows),
    ToolEntry::write("create_file", &["file_path", "path"]),
    ToolEntry::edit("delete_lines", &["file_path", "path"]),
    ToolEntry::fetch("fetch_url", &["url", "urls"]),
    ToolEntry::glob("glob", &["path", "dir_path", "directory"], &["pattern", "patterns", "glob"]),
    ToolEntry::grep("grep", &["path", "dir_path", "directory"], &["include", "glob"]),
    ToolEntry::read("read_file", &["file_path", "path"]),
    ToolEntry::edit("replace_by_string", &["file_path", "path"]),
    ToolEntry::write("rewrite_file", &["file_path", "path"]),
    ToolEntry::web_search("web_search"),
];
