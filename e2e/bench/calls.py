"""The calls of the scripted model, in each host's own tools."""
import json, os

# host -> what is done -> (tool, arguments by neutral name, further arguments)
TOOLS = {
    "claude-code": {"shell": ("Bash", {"command": "command"}, {"description": "Run"}),
                    "read": ("Read", {"path": "file_path"}, {}),
                    "write": ("Write", {"path": "file_path", "content": "content"}, {})},
    "gemini-cli": {"shell": ("run_shell_command", {"command": "command"}, {"description": "Run"}),
                   "read": ("read_file", {"path": "file_path"}, {}),
                   "write": ("write_file", {"path": "file_path", "content": "content"}, {})},
    "copilot-cli": {"shell": ("bash", {"command": "command"}, {"description": "Run"}),
                    "read": ("view", {"path": "path"}, {}),
                    "write": ("create", {"path": "path", "content": "file_text"}, {})},
    "opencode": {"shell": ("bash", {"command": "command"}, {"description": "Run"}),
                 "read": ("read", {"path": "filePath"}, {}),
                 "write": ("write", {"path": "filePath", "content": "content"}, {})},
    "factory-droid": {"shell": ("Execute", {"command": "command"},
                                {"summary": "Run", "timeout": 10, "riskLevelReason": "test", "riskLevel": "low"}),
                      "read": ("Read", {"path": "file_path"}, {}),
                      "write": ("Create", {"path": "file_path", "content": "content"}, {})},
    "cline": {"write": ("editor", {"path": "path", "content": "new_text"}, {})},
}
# The names that the hosts give to the tools of MCP servers; Codex has them in a namespace of the server.
MCP = {"codex": "{tool}", "claude-code": "mcp__{server}__{tool}", "gemini-cli": "mcp_{server}_{tool}", "copilot-cli": "{server}-{tool}",
       "opencode": "{server}_{tool}", "factory-droid": "{server}___{tool}"}
# Their models are given relative paths.
RELATIVE = ("gemini-cli", "cline")


def translate(call, host, project):
    """One call as `model.Model` takes it."""
    what = call["do"]
    if what == "mcp":
        space = {"namespace": f"mcp__{call['server']}"} if host == "codex" else {}
        return {"name": MCP[host].format(server=call["server"], tool=call["tool"]), **space, "input": call["args"]}
    if host == "codex":
        return codex(call)
    if host == "cline" and what == "shell":
        return {"name": "run_commands", "input": {"commands": [call["command"]]}}
    if host == "cline" and what == "read":
        return {"name": "read_files", "input": {"files": [{"path": call["path"]}]}}
    name, arguments, more = TOOLS[host][what]
    given = {key: call[neutral] for neutral, key in arguments.items()}
    if "path" in call and host not in RELATIVE:
        given[arguments["path"]] = os.path.join(project, call["path"])
    return {"name": name, "input": {**given, **more}}


def codex(call):
    """Codex reads with its shell and writes by patches."""
    if call["do"] in ("read", "shell"):
        command = call.get("command") or f"cat {call['path']}"
        return {"name": "exec_command", "input": {"cmd": command}}
    lines = "".join(f"+{line}\n" for line in call["content"].splitlines())
    patch = f"*** Begin Patch\n*** Add File: {call['path']}\n{lines}*** End Patch\n"
    return {"name": "apply_patch", "custom": True, "input": patch}


def with_places(value, places):
    """Puts folders in the place of their names, such as @OUTSIDE@, in every text of a value."""
    text = json.dumps(value)
    for name, folder in places.items():
        text = text.replace(f"@{name}@", json.dumps(folder)[1:-1])
    return json.loads(text)
