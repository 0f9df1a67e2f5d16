//! The tools of Gemini CLI.

use super::entry::{Language, ToolEntry, Unnamed};

pub(super) static TOOLS: &[ToolEntry] = &[
    ToolEntry::agent("activate_skill"),
    ToolEntry::person("ask_user"),
    ToolEntry::agent("cli_help"),
    ToolEntry::agent("codebase_investigator"),
    ToolEntry::keeps("complete_task"),
    ToolEntry::agent("delegate_to_agent"),
    ToolEntry::keeps("enter_plan_mode"),
    ToolEntry::keeps("exit_plan_mode"),
    ToolEntry::looks("get_internal_docs"),
    ToolEntry::glob("glob", &["dir_path", "path"], &["pattern"]),
    ToolEntry::web_search("google_web_search"),
    ToolEntry::grep("grep_search", &["dir_path", "path"], &["include_pattern", "include"]),
    ToolEntry::agent("invoke_agent"),
    ToolEntry::looks("list_background_processes"),
    ToolEntry::list("list_directory", &["dir_path", "path"]),
    ToolEntry::looks("list_mcp_resources"),
    ToolEntry::looks("read_background_output"),
    ToolEntry::read("read_file", &["file_path", "absolute_path"]),
    // A list of paths and globs, relative to the cwd.
    ToolEntry::read_many("read_many_files", &[], &["include", "paths"]),
    ToolEntry::mcp("read_mcp_resource").fetching(&["uri"]),
    ToolEntry::edit("replace", &["file_path"]),
    ToolEntry::shell("run_shell_command", &["command"], Language::BashUnlessWindows).in_folder("dir_path"),
    // Into the user's or the project's `GEMINI.md`.
    ToolEntry::keeps("save_memory").unnamed(Unnamed::WRITES),
    ToolEntry::grep("search_file_content", &["dir_path", "path"], &["include_pattern", "include"]),
    ToolEntry::keeps("update_topic"),
    ToolEntry::fetch("web_fetch", &["url"]).fetching_in_text(&["prompt"]),
    ToolEntry::write("write_file", &["file_path"]),
    ToolEntry::keeps("write_todos"),
];
