//! The tools of Codex: as a hook sees them (`Bash`, `apply_patch`), and as the model calls them.

use super::entry::{Language, ToolEntry};

pub(super) static TOOLS: &[ToolEntry] = &[
    ToolEntry::shell("Bash", &["command"], Language::BashUnlessWindows),
    ToolEntry::patches("apply_patch", &["command", "input"]),
    ToolEntry::agent("close_agent"),
    ToolEntry::keeps("create_goal"),
    // Code of the host's own that calls the other tools.
    ToolEntry::runs_unknown("exec"),
    ToolEntry::shell("exec_command", &["cmd"], Language::BashUnlessWindows)
        .in_folder("workdir")
        .with_shell("shell"),
    ToolEntry::looks("get_goal"),
    ToolEntry::grep("grep_files", &["path"], &["include"]),
    ToolEntry::runs_unknown("js_repl"),
    ToolEntry::looks("list_agents"),
    ToolEntry::list("list_dir", &["dir_path"]),
    ToolEntry::looks("list_mcp_resource_templates"),
    ToolEntry::looks("list_mcp_resources"),
    ToolEntry::read("read_file", &["file_path"]),
    ToolEntry::mcp("read_mcp_resource").fetching(&["uri"]),
    ToolEntry::person("request_permissions"),
    ToolEntry::person("request_user_input"),
    ToolEntry::agent("resume_agent"),
    ToolEntry::agent("send_input"),
    ToolEntry::shell("shell", &["command"], Language::BashUnlessWindows).in_folder("workdir"),
    ToolEntry::shell("shell_command", &["command"], Language::BashUnlessWindows).in_folder("workdir"),
    ToolEntry::agent("spawn_agent"),
    ToolEntry::looks("tool_search"),
    ToolEntry::keeps("update_goal"),
    ToolEntry::keeps("update_plan"),
    ToolEntry::read("view_image", &["path"]),
    ToolEntry::looks("wait"),
    ToolEntry::looks("wait_agent"),
    ToolEntry::web_search("web_search"),
    ToolEntry::runs_unknown("write_stdin"),
];
