"""One function a host: writes what the host needs to run headless against the scripted model, and says how to start it.

The hook is none of it: `policy install` has registered it before. What it wrote is kept.
"""
import json, os, shutil
from dataclasses import dataclass, field


@dataclass
class Place:
    """What a host function gets."""
    program: list            # how to start the host
    home: str
    project: str
    port: int                # of the scripted model
    trusted: bool = True     # the folder, for Codex the hook
    mcp: dict = field(default_factory=dict)  # server name -> argv

    def write(self, path, content):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(content if isinstance(content, str) else json.dumps(content, indent=1))

    def add(self, path, extra):
        """Merges into a JSON settings file."""
        present = json.loads(read(path) or "{}")
        self.write(path, merge(present, extra))

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def servers(self, **more):
        return {name: {**more, "command": argv[0], "args": argv[1:]} for name, argv in self.mcp.items()}


@dataclass
class Launch:
    argv: list
    env: dict


def claude_code(p):
    argv = [*p.program, "-p", "go", "--output-format", "stream-json", "--verbose"]
    argv += ["--allowedTools", ",".join(["Bash", "Read", "Write", "Edit", *(f"mcp__{s}" for s in p.mcp)])]
    if p.mcp:
        p.write(f"{p.home}/mcp.json", {"mcpServers": p.servers()})
        argv += ["--mcp-config", f"{p.home}/mcp.json", "--strict-mcp-config"]
    return Launch(argv, {"ANTHROPIC_BASE_URL": p.url, "ANTHROPIC_API_KEY": "sk-ant-fake", "IS_SANDBOX": "1", "DISABLE_TELEMETRY": "1",
                         "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"})


def codex(p):
    file = f"{p.home}/.codex/config.toml"
    # The tools offered depend on the name of the model: one that Codex does not know gets no apply_patch.
    head = ('model = "gpt-5.5"\nmodel_provider = "fake"\napproval_policy = "never"\nsandbox_mode = "danger-full-access"\n'
            "check_for_update_on_startup = false\n")
    tables = (f'\n[model_providers.fake]\nname = "fake"\nbase_url = "{p.url}/v1"\nwire_api = "responses"\nenv_key = "FAKE_KEY"\n'
              "request_max_retries = 1\nstream_max_retries = 1\n[analytics]\nenabled = false\n"
              f"[projects.{json.dumps(p.project)}]\ntrust_level = \"trusted\"\n")
    for name, argv in p.mcp.items():
        tables += f"[mcp_servers.{name}]\ncommand = {json.dumps(argv[0])}\nargs = {json.dumps(argv[1:])}\n"
    present = read(file) or ""
    if not present.startswith(head):
        p.write(file, head + present + tables)
    trust = ["--dangerously-bypass-hook-trust"] if p.trusted else []
    return Launch([*p.program, "exec", "--json", "--skip-git-repo-check", *trust, "go"], {"FAKE_KEY": "x", "RUST_LOG": "error"})


def gemini_cli(p):
    settings = {"security": {"auth": {"selectedType": "gemini-api-key"}}, "privacy": {"usageStatisticsEnabled": False},
                "telemetry": {"enabled": False}, "general": {"enableAutoUpdate": False, "disableAutoUpdate": True}}
    if not p.trusted:
        settings["security"]["folderTrust"] = {"enabled": True}
    p.add(f"{p.home}/.gemini/settings.json", settings)
    if p.mcp:
        p.add(f"{p.project}/.gemini/settings.json", {"mcpServers": p.servers()})
    argv = [*p.program, "-p", "go", "-m", "gemini-2.5-pro", "--output-format", "json", "--approval-mode", "yolo"]
    return Launch(argv, {"GEMINI_API_KEY": "fake", "GOOGLE_GEMINI_BASE_URL": p.url,
                         **({"GEMINI_CLI_TRUST_WORKSPACE": "true"} if p.trusted else {})})


def copilot_cli(p):
    argv = [*p.program, "-p", "go", "--output-format", "json", "--allow-all-tools", "--allow-all-paths"]
    argv += ["--trust-folder"] if p.trusted else []
    if p.mcp:
        p.write(f"{p.home}/mcp.json", {"mcpServers": p.servers(type="local", tools=["*"])})
        argv += ["--additional-mcp-config", f"@{p.home}/mcp.json"]
    return Launch(argv, {"COPILOT_OFFLINE": "true", "COPILOT_PROVIDER_BASE_URL": f"{p.url}/v1", "COPILOT_MODEL": "gpt-4.1",
                         "COPILOT_PROVIDER_API_KEY": "x", "COPILOT_AUTO_UPDATE": "false"})


def opencode(p):
    p.add(f"{p.project}/opencode.json", {
        "$schema": "https://opencode.ai/config.json", "autoupdate": False, "share": "disabled", "model": "fake/fake-model",
        "small_model": "fake/fake-model", "permission": {"edit": "allow", "bash": "allow", "external_directory": "allow"},
        "mcp": {name: {"type": "local", "command": argv, "enabled": True} for name, argv in p.mcp.items()},
        "provider": {"fake": {"npm": "@ai-sdk/openai-compatible", "name": "fake", "options": {"baseURL": f"{p.url}/v1", "apiKey": "x"},
                              "models": {"fake-model": {"name": "fake-model", "tool_call": True}}}}})
    # Without npm_config_offline it tries for more than a minute to fetch a package beside every .opencode folder.
    return Launch([*p.program, "run", "--format", "json", "go"],
                  {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1", "OPENCODE_DISABLE_DEFAULT_PLUGINS": "1",
                   "OPENCODE_DISABLE_LSP_DOWNLOAD": "1", "npm_config_offline": "true"})


def factory_droid(p):
    p.add(f"{p.home}/.factory/settings.json", {
        "customModels": [{"model": "fake-model", "id": "custom:fake-0", "displayName": "fake", "baseUrl": f"{p.url}/v1", "apiKey": "x",
                          "provider": "generic-chat-completion-api", "maxOutputTokens": 4096}], "model": "custom:fake-0"})
    if p.mcp:
        p.write(f"{p.project}/.factory/mcp.json", {"mcpServers": p.servers(type="stdio")})
    return Launch([*p.program, "exec", "-m", "custom:fake-0", "--auto", "high", "-o", "stream-json", "go"], {})


def cline(p):
    p.write(f"{p.home}/.cline/data/settings/providers.json", {
        "version": 1, "lastUsedProvider": "openai-compatible", "modes": {}, "providers": {"openai-compatible": {
            "settings": {"provider": "openai-compatible", "apiKey": "x", "model": "fake-model", "baseUrl": f"{p.url}/v1"},
            "updatedAt": "2026-01-01T00:00:00.000Z", "tokenSource": "manual"}}})
    return Launch([*p.program, "--json", "-P", "openai-compatible", "-m", "fake-model", "do the task now please"], {"CLINE_TELEMETRY_DISABLED": "1"})


HOSTS = {"claude-code": claude_code, "codex": codex, "gemini-cli": gemini_cli, "copilot-cli": copilot_cli, "opencode": opencode,
         "factory-droid": factory_droid, "cline": cline}


def installed(folder, name):
    """(version, argv) of a host that `e2e/install` has put into the folder, or None."""
    about = json.loads(read(os.path.join(folder, name, "host.json")) or "null")
    if not about:
        return None
    argv = [a if os.sep not in a else os.path.join(folder, name, a) for a in about["program"]]
    if argv[0] == "node":
        argv[0] = shutil.which("node") or "node"
    return about["version"], argv


def read(path):
    try:
        with open(path) as f:
            return f.read()
    except OSError:
        return None


def merge(a, b):
    for key, value in b.items():
        a[key] = merge(a[key], value) if isinstance(value, dict) and isinstance(a.get(key), dict) else value
    return a
