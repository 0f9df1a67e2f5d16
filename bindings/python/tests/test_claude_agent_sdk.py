"""The callbacks of the Claude Agent SDK, against the program that it brings and a scripted model on this machine."""

from __future__ import annotations

import asyncio
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("claude_agent_sdk", reason="claude-agent-sdk is not installed")

from claude_agent_sdk import ClaudeSDKClient, PermissionResultAllow, PermissionResultDeny

from tool_policy import Policy, Question
from tool_policy.adapters.claude_agent_sdk import Seen, can_use_tool, options, pre_tool_use

RULES = """
version = 1

[[rules]]
id = "no-deny"
deny_by_name = ["Bash"]
when.args.command = { contains = "deny" }
reason = "Not that."

[[rules]]
id = "stop"
deny_by_name = ["Bash"]
when.args.command = { contains = "halt" }
reason = "Enough."
stop = true

[[rules]]
id = "rewrite"
allow_by_name = ["Bash"]
when.args.command = { contains = "rewrite" }
set = { command = "echo rewritten > rewrite.txt" }

[[rules]]
id = "ask"
decide_by_human = true
when.args.command = { contains = "ask" }

[[rules]]
id = "rest"
allow_by_name = ["Bash"]
"""


class Model:
    """A model that asks for one shell command after the other, and then says that it is done."""

    def __init__(self, commands: list[str]) -> None:
        self.commands = commands
        self.saw: list[str] = []
        model = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *args: Any) -> None:
                pass

            def do_HEAD(self) -> None:
                self.answer(b"", "text/plain")

            def do_GET(self) -> None:
                self.answer(b"{}", "application/json")

            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers.get("content-length") or 0)) or b"{}")
                if "/messages" not in self.path or "count_tokens" in self.path:
                    return self.answer(b'{"input_tokens": 1}', "application/json")
                events = model.events(body)
                self.answer("".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n" for e in events).encode(), "text/event-stream")

            def answer(self, raw: bytes, kind: str) -> None:
                self.send_response(200)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(raw)))
                self.end_headers()
                self.wfile.write(raw)

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def events(self, body: dict[str, Any]) -> list[dict[str, Any]]:
        results = [
            block
            for message in body.get("messages", [])
            if isinstance(message["content"], list)
            for block in message["content"]
            if block.get("type") == "tool_result"
        ]
        if len(results) > len(self.saw):
            self.saw = [json.dumps(block.get("content"), ensure_ascii=False) for block in results]
        start: dict[str, Any] = {"type": "text", "text": ""}
        delta: dict[str, Any] = {"type": "text_delta", "text": "done"}
        why = "end_turn"
        if body.get("tools") and len(results) < len(self.commands):
            command = {"command": self.commands[len(results)], "description": "Run"}
            start = {"type": "tool_use", "id": f"toolu_{len(results)}", "name": "Bash", "input": {}}
            delta = {"type": "input_json_delta", "partial_json": json.dumps(command)}
            why = "tool_use"
        usage = {"input_tokens": 1, "output_tokens": 1}
        message = {"id": "m", "type": "message", "role": "assistant", "model": body.get("model"), "content": [], "stop_reason": None, "usage": usage}
        return [
            {"type": "message_start", "message": message},
            {"type": "content_block_start", "index": 0, "content_block": start},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": why, "stop_sequence": None}, "usage": usage},
            {"type": "message_stop"},
        ]

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


def run(commands: list[str], top: Path, **given: Any) -> tuple[dict[str, str], list[str], str | None]:
    """({file: its text} after the run, what the model saw, how the turn ended)"""
    home, project = top / "home", top / "project"
    for folder in (home / "tmp", project):
        folder.mkdir(parents=True)
    model = Model(commands)
    # Nobody but the model is reached: everything else is sent to a port where nobody listens.
    nowhere = {name: "http://127.0.0.1:9" for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy")}
    env = {
        **nowhere,
        "NO_PROXY": "127.0.0.1",
        "no_proxy": "127.0.0.1",
        "HOME": str(home),
        "TMPDIR": str(home / "tmp"),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "ANTHROPIC_BASE_URL": f"http://127.0.0.1:{model.server.server_address[1]}",
        "ANTHROPIC_API_KEY": "none",
        "IS_SANDBOX": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_AUTOUPDATER": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }

    async def session() -> str | None:
        made = options(cwd=str(project), env=env, permission_mode="default", setting_sources=[], stderr=lambda _: None, **given)
        async with ClaudeSDKClient(made) as client:
            await client.query("go")
            async for message in client.receive_response():
                if type(message).__name__ == "ResultMessage":
                    return message.subtype  # type: ignore[union-attr, no-any-return]
        return None

    try:
        ended = asyncio.run(asyncio.wait_for(session(), 90))
    finally:
        model.close()
    files = {file.name: file.read_text().strip() for file in sorted(project.iterdir()) if file.is_file()}
    return files, model.saw, ended


def policy(text: str = RULES) -> Policy:
    return Policy.parse(text, disk=False)


def test_allow_change_deny_and_ask(tmp_path: Path) -> None:
    asked: list[str] = []

    async def person(question: Question) -> bool:
        asked.append(question.text)
        return True

    commands = ["echo a > allow.txt", "echo b > deny.txt", "touch rewrite.txt", "echo e > ask.txt"]
    files, saw, ended = run(commands, tmp_path, policy=policy(), human=person)
    assert files == {"allow.txt": "a", "rewrite.txt": "rewritten", "ask.txt": "e"}
    assert asked == ['Run Bash(command="echo e > ask.txt", description="Run")?']
    assert "Not that. [no-deny (policy.toml:5)]" in saw[1]
    assert (len(saw), ended) == (4, "success")


def test_a_no_ends_the_turn(tmp_path: Path) -> None:
    files, _, ended = run(["echo a > ask.txt", "echo b > allow.txt"], tmp_path, policy=policy(), human=lambda _: False)
    assert (files, ended) == ({}, "error_during_execution")


def test_a_stop_ends_the_turn(tmp_path: Path) -> None:
    files, _, _ = run(["echo a > halt.txt", "echo b > allow.txt"], tmp_path, policy=policy(), human=lambda _: True)
    assert files == {}


def test_without_a_person_questions_are_denials(tmp_path: Path) -> None:
    files, saw, _ = run(["echo a > ask.txt", "echo b > allow.txt"], tmp_path, policy=policy())
    assert files == {"allow.txt": "b"} and "nobody is there to ask" in saw[0]


def test_a_hook_that_fails_denies(tmp_path: Path) -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("the log is full")

    files, saw, _ = run(["echo a > allow.txt"], tmp_path, policy=policy(), human=lambda _: True, on_verdict=fails)
    assert files == {} and "RuntimeError: the log is full" in saw[0]


def test_an_engine_that_is_none_denies(tmp_path: Path) -> None:
    files, saw, _ = run(["echo a > allow.txt"], tmp_path, policy=object(), human=lambda _: True)
    assert files == {} and "could not be asked" in saw[0]


GIVEN = {"hook_event_name": "PreToolUse", "tool_name": "Bash", "tool_input": {"command": "x ask"}, "cwd": "/w", "permission_mode": "default"}


def hooked(hook: Any, given: Any = GIVEN, id: Any = "t") -> Any:
    return asyncio.run(hook(given, id, {"signal": None}))


def test_the_answers_of_the_hook() -> None:
    assert hooked(pre_tool_use(policy(), ask="host")) == {
        "hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": "ask",
            "permissionDecisionReason": 'Run Bash(command="x ask")? [ask (policy.toml:24)]',
        }
    }
    assert hooked(pre_tool_use(policy()))["hookSpecificOutput"]["permissionDecision"] == "deny"
    stopped = hooked(pre_tool_use(policy()), {**GIVEN, "tool_input": {"command": "halt"}})
    assert (stopped["continue_"], stopped["stopReason"]) == (False, "Enough. [stop (policy.toml:11)]")
    for given in ({}, None, {**GIVEN, "tool_input": None}, {**GIVEN, "tool_name": 1}, {**GIVEN, "permission_mode": "new"}, {**GIVEN, "mcp_server": 5}):
        assert hooked(pre_tool_use(policy()), given)["hookSpecificOutput"]["permissionDecision"] == "deny", given


def test_what_the_hook_was_told_counts_for_the_person() -> None:
    text = 'version = 1\n[[rules]]\ndecide_by_human = true\nwhen.mode = ["yolo"]\n[[rules]]\nallow_by_default = true\n'
    seen = Seen()
    hooked(pre_tool_use(policy(text), ask="host", seen=seen), {**GIVEN, "permission_mode": "bypassPermissions"})

    class Context:
        tool_use_id = "t"

    def called(**more: Any) -> Any:
        return asyncio.run(can_use_tool(policy(text), lambda _: False, **more)("Bash", {"command": "x"}, Context()))  # type: ignore[arg-type]

    assert isinstance(called(seen=seen), PermissionResultDeny)
    assert isinstance(called(), PermissionResultAllow)


def test_servers_are_known_by_the_name_that_the_host_gives() -> None:
    text = 'version = 1\n[[rules]]\nallow_by_name = ["*"]\nwhen.mcp_server = ["my server"]\n'
    given = {**GIVEN, "tool_name": "mcp__my_server__look", "tool_input": {}}
    for server, decision in (({"name": "my server", "source": "project"}, "allow"), ({"name": "other"}, "deny"), (None, "deny")):
        said = hooked(pre_tool_use(policy(text)), {**given, "mcp_server": server})
        assert said["hookSpecificOutput"]["permissionDecision"] == decision, server


def test_options_keep_other_hooks_and_refuse_a_second_callback() -> None:
    from claude_agent_sdk import HookMatcher

    async def other(*_: Any) -> Any:
        return {}

    theirs = HookMatcher(hooks=[other])
    made = options(policy(), hooks={"PreToolUse": [theirs], "Stop": [theirs]}, model="m")
    assert made.hooks is not None and made.hooks["PreToolUse"][1:] == [theirs] and made.hooks["Stop"] == [theirs]
    assert made.model == "m"
    with pytest.raises(TypeError):
        options(policy(), can_use_tool=other)
