use super::*;

/// What was seen of the hosts: host, tool, whether it is read-only, and the arguments with a command, file or URL.
#[rustfmt::skip]
const SEEN: &[(&str, &str, bool, &[&str])] = &[
    ("claude-code", "Bash", false, &["command"]),
    ("claude-code", "PowerShell", false, &["command"]),
    ("claude-code", "Monitor", false, &["command", "ws.url"]),
    ("claude-code", "Read", true, &["file_path"]),
    ("claude-code", "Write", false, &["file_path"]),
    ("claude-code", "Edit", false, &["file_path"]),
    ("claude-code", "NotebookEdit", false, &["notebook_path"]),
    ("claude-code", "Glob", true, &["path"]),
    ("claude-code", "Grep", true, &["path"]),
    ("claude-code", "LSP", true, &[]),
    ("claude-code", "WebFetch", false, &["url"]),
    ("claude-code", "WebSearch", false, &[]),
    ("claude-code", "Agent", false, &[]),
    ("claude-code", "Task", false, &[]),
    ("claude-code", "Skill", false, &[]),
    ("claude-code", "Workflow", false, &[]),
    ("claude-code", "CronCreate", false, &[]),
    ("claude-code", "RemoteTrigger", false, &[]),
    ("claude-code", "SendMessage", false, &[]),
    ("claude-code", "ScheduleWakeup", false, &[]),
    ("claude-code", "EnterWorktree", false, &["path"]),
    ("claude-code", "ExitWorktree", false, &["path"]),
    ("claude-code", "Artifact", false, &["file_path", "url"]),
    ("claude-code", "Projects", false, &["local_path"]),
    ("claude-code", "SendUserFile", false, &[]),
    ("claude-code", "TodoWrite", false, &[]),
    ("claude-code", "TaskCreate", false, &[]),
    ("claude-code", "TaskUpdate", false, &[]),
    ("claude-code", "TaskStop", false, &[]),
    ("claude-code", "CronDelete", false, &[]),
    ("claude-code", "EnterPlanMode", false, &[]),
    ("claude-code", "ExitPlanMode", false, &[]),
    ("claude-code", "PushNotification", false, &[]),
    ("claude-code", "ReportFindings", false, &[]),
    ("claude-code", "EndConversation", false, &[]),
    ("claude-code", "TaskGet", true, &[]),
    ("claude-code", "TaskList", true, &[]),
    ("claude-code", "CronList", true, &[]),
    ("claude-code", "ToolSearch", true, &[]),
    ("claude-code", "WaitForMcpServers", true, &[]),
    ("claude-code", "ListMcpResourcesTool", true, &[]),
    ("claude-code", "ReadMcpResourceTool", true, &["uri"]),
    ("claude-code", "AskUserQuestion", true, &[]),
    ("codex", "Bash", false, &["command"]),
    ("codex", "apply_patch", false, &["command"]),
    ("codex", "view_image", true, &["path"]),
    ("gemini-cli", "run_shell_command", false, &["command", "dir_path"]),
    ("gemini-cli", "read_file", true, &["file_path"]),
    ("gemini-cli", "read_many_files", true, &["include"]),
    ("gemini-cli", "list_directory", true, &["dir_path"]),
    ("gemini-cli", "glob", true, &["dir_path"]),
    ("gemini-cli", "grep_search", true, &["dir_path"]),
    ("gemini-cli", "search_file_content", true, &["dir_path"]),
    ("gemini-cli", "write_file", false, &["file_path"]),
    ("gemini-cli", "replace", false, &["file_path"]),
    ("gemini-cli", "web_fetch", false, &["prompt"]),
    ("gemini-cli", "google_web_search", false, &[]),
    ("gemini-cli", "invoke_agent", false, &[]),
    ("gemini-cli", "activate_skill", false, &[]),
    ("gemini-cli", "save_memory", false, &[]),
    ("gemini-cli", "write_todos", false, &[]),
    ("gemini-cli", "ask_user", true, &[]),
    ("copilot-cli", "bash", false, &["command"]),
    ("copilot-cli", "powershell", false, &["command"]),
    ("copilot-cli", "write_bash", false, &[]),
    ("copilot-cli", "read_bash", true, &[]),
    ("copilot-cli", "stop_bash", false, &[]),
    ("copilot-cli", "list_bash", true, &[]),
    ("copilot-cli", "view", true, &["path"]),
    ("copilot-cli", "create", false, &["path"]),
    ("copilot-cli", "edit", false, &["path"]),
    ("copilot-cli", "grep", true, &["paths"]),
    ("copilot-cli", "glob", true, &["paths"]),
    ("copilot-cli", "web_fetch", false, &["url"]),
    ("copilot-cli", "task", false, &[]),
    ("copilot-cli", "skill", false, &[]),
    ("copilot-cli", "sql", false, &[]),
    ("copilot-cli", "ask_user", true, &[]),
    ("copilot-cli", "Bash", false, &["command"]),
    ("copilot-cli", "Write", false, &["path"]),
    ("copilot-cli", "Edit", false, &["path"]),
    ("copilot-cli", "Read", true, &["path"]),
    ("copilot-cli", "Grep", true, &["paths"]),
    ("copilot-cli", "Glob", true, &["paths"]),
    ("vscode", "run_in_terminal", false, &["command"]),
    ("vscode", "runTerminalCommand", false, &["command"]),
    ("vscode", "create_file", false, &["filePath"]),
    ("vscode", "replace_string_in_file", false, &["filePath"]),
    ("vscode", "multi_replace_string_in_file", false, &["replacements[].filePath"]),
    ("vscode", "apply_patch", false, &["input"]),
    ("vscode", "editFiles", false, &["files"]),
    ("vscode", "read_file", true, &["filePath"]),
    ("vscode", "fetch_webpage", false, &["urls"]),
    ("vscode", "grep_search", true, &[]),
    ("vscode", "file_search", true, &[]),
    ("vscode", "list_dir", true, &["path"]),
    ("cursor", "Shell", false, &["command", "working_directory"]),
    ("cursor", "Read", true, &["file_path"]),
    ("cursor", "Write", false, &["file_path"]),
    ("cursor", "Delete", false, &["file_path"]),
    ("cursor", "Grep", true, &[]),
    ("cursor", "Task", false, &[]),
    ("cursor", "beforeShellExecution", false, &["command", "cwd"]),
    ("cursor", "beforeReadFile", true, &["file_path"]),
    ("opencode", "bash", false, &["command", "workdir"]),
    ("opencode", "read", true, &["filePath"]),
    ("opencode", "write", false, &["filePath"]),
    ("opencode", "edit", false, &["filePath"]),
    ("opencode", "apply_patch", false, &["patchText"]),
    ("opencode", "glob", true, &["path"]),
    ("opencode", "grep", true, &["path"]),
    ("opencode", "webfetch", false, &["url"]),
    ("opencode", "websearch", false, &[]),
    ("opencode", "task", false, &[]),
    ("opencode", "skill", false, &[]),
    ("opencode", "todowrite", false, &[]),
    ("goose", "developer__shell", false, &["command"]),
    ("goose", "developer__write", false, &["path"]),
    ("goose", "developer__edit", false, &["path"]),
    ("goose", "developer__tree", true, &["path"]),
    ("goose", "developer__read_image", true, &["source"]),
    ("windsurf", "pre_run_command", false, &["command_line", "cwd"]),
    ("windsurf", "pre_write_code", false, &["file_path"]),
    ("windsurf", "pre_read_code", true, &["file_path"]),
    ("windsurf", "pre_mcp_tool_use", false, &[]),
    ("cline", "run_commands", false, &["commands[]"]),
    ("cline", "read_files", true, &["files[].path"]),
    ("cline", "editor", false, &["path"]),
    ("cline", "search_codebase", true, &[]),
    ("cline", "fetch_web_content", false, &["requests[].url"]),
    ("cline", "ask_question", true, &[]),
    ("cline", "spawn_agent", false, &[]),
    ("cline", "execute_command", false, &["command"]),
    ("cline", "write_to_file", false, &["path"]),
    ("cline", "replace_in_file", false, &["path"]),
    ("cline", "read_file", true, &["path"]),
    ("cline", "list_files", true, &["path"]),
    ("cline", "search_files", true, &["path"]),
    ("cline", "use_mcp_tool", false, &[]),
    ("cline", "browser_action", false, &["url"]),
    ("cline", "web_fetch", false, &["url"]),
    ("kiro", "execute_bash", false, &["command"]),
    ("kiro", "fs_read", true, &["operations[].path"]),
    ("kiro", "fs_write", false, &["path"]),
    ("kiro", "use_aws", false, &[]),
    ("factory-droid", "Execute", false, &["command"]),
    ("factory-droid", "Read", true, &["file_path"]),
    ("factory-droid", "LS", true, &["directory_path"]),
    ("factory-droid", "Glob", true, &["folder"]),
    ("factory-droid", "Grep", true, &["path"]),
    ("factory-droid", "Create", false, &["file_path"]),
    ("factory-droid", "Edit", false, &["file_path"]),
    ("factory-droid", "ApplyPatch", false, &["input"]),
    ("factory-droid", "FetchUrl", false, &["url"]),
    ("factory-droid", "WebSearch", false, &[]),
    ("factory-droid", "Task", false, &[]),
    ("factory-droid", "Skill", false, &[]),
    ("factory-droid", "Script", false, &[]),
    ("factory-droid", "TaskStop", false, &[]),
    ("factory-droid", "TodoWrite", false, &[]),
    ("factory-droid", "AskUser", true, &[]),
];

/// Read-only as their hosts see it; here they are not, since they send to a server that nobody vouches for.
const SENDING: &[(&str, &str)] =
    &[("claude-code", "ReadMcpResourceTool"), ("goose", "developer__read_image")];

/// Every argument that an entry lists.
fn arguments(entry: &ToolEntry) -> Vec<&'static str> {
    let search = entry.search.map_or([&[][..]; 3], |s| [s.path, s.include, s.pattern]);
    let lists = [entry.command, entry.reads, entry.writes, entry.fetches, entry.fetches_in_text, entry.patch];
    lists.into_iter().chain(search).flatten().copied().chain(entry.cwd).chain(entry.shell).collect()
}

fn all() -> impl Iterator<Item = (&'static str, &'static ToolEntry)> {
    hosts().iter().flat_map(|host| tools(host).iter().map(move |entry| (*host, entry)))
}

/// Names joined by dots, each maybe followed by `[]`.
fn is_path(path: &str) -> bool {
    path.split('.').all(|step| {
        let name = step.strip_suffix("[]").unwrap_or(step);
        !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}

#[test]
fn hosts_and_tools_are_sorted_and_different() {
    assert!(hosts().is_sorted_by(|a, b| a < b), "hosts");
    for host in hosts() {
        assert!(tools(host).is_sorted_by(|a, b| a.tool < b.tool), "the tools of {host}: {:?}", {
            tools(host).windows(2).find(|two| two[0].tool >= two[1].tool)
        });
        assert_eq!(tools(host).is_empty(), *host == "alpineagents", "{host}");
    }
}

#[test]
fn every_tool_is_found_by_its_exact_name() {
    for (host, entry) in all() {
        assert_eq!(builtin(host, entry.tool), Some(entry));
    }
    assert_eq!(builtin("claude-code", "bash"), None);
    assert_eq!(builtin("claude-code", ""), None);
    assert_eq!(builtin("Claude-Code", "Bash"), None);
    assert_eq!(builtin("nobody", "Bash"), None);
    assert_eq!(builtin("cline-cli", "editor"), builtin("cline", "editor"));
}

#[test]
fn what_was_seen_of_the_hosts_is_listed() {
    for &(host, tool, read_only, seen) in SEEN {
        let entry = builtin(host, tool).unwrap_or_else(|| panic!("{host} has no {tool}"));
        let read_only = read_only && !SENDING.contains(&(host, tool));
        assert_eq!(entry.read_only, Some(read_only), "{host} {tool}");
        let listed: Vec<_> = arguments(entry).iter().map(|path| path.trim_end_matches("[]")).collect();
        for path in seen {
            assert!(listed.contains(&path.trim_end_matches("[]")), "{host} {tool} takes {path}");
        }
    }
}

#[test]
fn arguments_are_paths() {
    for (host, entry) in all() {
        for path in arguments(entry) {
            assert!(is_path(path), "{host} {}: `{path}`", entry.tool);
        }
    }
    for path in ["a..b", "", "a[]b", "[]", "a[0]", ".a", "a b"] {
        assert!(!is_path(path), "`{path}`");
    }
}

#[test]
fn a_read_only_tool_runs_writes_and_sends_nothing() {
    for (host, entry) in all().filter(|(_, entry)| entry.read_only != Some(false)) {
        let does = [entry.command, entry.writes, entry.fetches, entry.fetches_in_text, entry.patch];
        assert!(does.iter().all(|list| list.is_empty()), "{host} {}", entry.tool);
        let Unnamed { runs, reads: _, writes, fetches } = entry.unnamed;
        assert!(!runs && !writes && !fetches, "{host} {}", entry.tool);
        assert!(matches!(entry.language, Language::Bash), "{host} {}", entry.tool);
        assert_eq!(entry.destructive, Some(false), "{host} {}: contradicts itself", entry.tool);
    }
}

#[test]
fn a_tool_that_reaches_other_machines_is_of_the_open_world() {
    for (host, entry) in all() {
        let reaches = !entry.fetches.is_empty() || !entry.fetches_in_text.is_empty() || entry.unnamed.fetches;
        assert!(!reaches || entry.open_world == Some(true), "{host} {}", entry.tool);
    }
}

#[test]
fn every_shell_says_what_it_runs() {
    for (host, entry) in all().filter(|(_, entry)| entry.kind == ToolKind::Shell) {
        assert!(!entry.command.is_empty() || entry.unnamed.runs, "{host} {}", entry.tool);
        assert_eq!(entry.command.is_empty(), entry.language == Language::Unknown, "{host} {}", entry.tool);
        assert_eq!(entry.read_only, Some(false));
    }
}

#[track_caller]
fn splits(host: &str, name: &str, server: &str, tool: &str) {
    assert_eq!(mcp_name(host, name), Some(McpName { server, tool }), "{host} {name}");
}

#[track_caller]
fn does_not_split(host: &str, name: &str, readings: &[(&str, &str)]) {
    assert_eq!(mcp_name(host, name), None, "{host} {name}");
    let found: Vec<_> = mcp_readings(host, name).map(|name| (name.server, name.tool)).collect();
    assert_eq!(found, readings, "{host} {name}");
}

#[test]
fn mcp_names_split_where_there_is_one_way() {
    splits("claude-code", "mcp__github__create_issue", "github", "create_issue");
    splits("claude-code", "mcp__plugin_docs_search__find", "plugin_docs_search", "find");
    splits("claude-code", "mcp___x__y", "_x", "y");
    splits("codex", "mcp__demo__echo", "demo", "echo");
    splits("gemini-cli", "mcp_demo_echo", "demo", "echo");
    splits("copilot-cli", "demo/echo", "demo", "echo");
    splits("copilot-cli", "my-server/do-it", "my-server", "do-it");
    splits("factory-droid", "demo___echo", "demo", "echo");
    splits("factory-droid", "mcp__demo__echo", "demo", "echo");
    splits("goose", "github__create_issue", "github", "create_issue");
    splits("kiro", "@postgres/query", "postgres", "query");
}

#[test]
fn mcp_names_do_not_split_where_it_would_be_a_guess() {
    does_not_split("claude-code", "mcp__a__b__c", &[("a", "b__c"), ("a__b", "c")]);
    does_not_split("claude-code", "mcp__a___b", &[("a", "_b"), ("a_", "b")]);
    does_not_split("claude-code", "mcp__a____b", &[("a", "__b"), ("a_", "_b"), ("a__", "b")]);
    does_not_split("claude-code", "mcp__a__", &[]);
    does_not_split("claude-code", "mcp____a", &[]);
    does_not_split("claude-code", "Bash", &[]);
    does_not_split("claude-code", "MCP__a__b", &[]);
    does_not_split("gemini-cli", "mcp_my_server_x", &[("my", "server_x"), ("my_server", "x")]);
    does_not_split("copilot-cli", "demo-echo", &[("demo", "echo")]);
    does_not_split("copilot-cli", "a-b-c", &[("a", "b-c"), ("a-b", "c")]);
    does_not_split("copilot-cli", "a/b/c", &[("a", "b/c"), ("a/b", "c")]);
    does_not_split("opencode", "demo_echo", &[("demo", "echo")]);
    does_not_split("opencode", "apply_patch", &[]);
    does_not_split("vscode", "mcp_demo_echo", &[("demo", "echo")]);
    does_not_split("factory-droid", "mcp__x___y", &[("mcp__x", "y"), ("x", "_y"), ("x_", "y")]);
    does_not_split("goose", "developer__shell", &[]);
    does_not_split("kiro", "@builtin", &[]);
    does_not_split("alpineagents", "a__b", &[("a", "b")]);
    does_not_split("cursor", "MCP:create_issue", &[]);
    does_not_split("nobody", "mcp__a__b", &[]);
    let long = format!("mcp__demo__{}", "x".repeat(53));
    does_not_split("codex", &long, &[("demo", &"x".repeat(53))]);
}
