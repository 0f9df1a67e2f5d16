"""Callbacks for the Claude Agent SDK (tried with 0.2.189) that ask a policy.

    from tool_policy import Policy
    from tool_policy.adapters.claude_agent_sdk import options

    async with ClaudeSDKClient(options(Policy.load("policy.toml"), human=ask)) as client: ...

Two callbacks, because the SDK calls `can_use_tool` only for what rules and mode have not settled: the PreToolUse hook decides, and
`can_use_tool` is reached where it answers `ask`, to ask the person. A hook that raises counts as one that says nothing, and the call goes on;
so nothing is raised here: whatever goes wrong is a denial.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Literal

from claude_agent_sdk import ClaudeAgentOptions, HookMatcher, PermissionResultAllow, PermissionResultDeny
from claude_agent_sdk.types import CanUseTool, HookCallback

from ._common import Human, Judge, OnVerdict, Tools, decided, failure, other_args, why

__all__ = ["Seen", "can_use_tool", "options", "pre_tool_use"]

_HOST = "claude-code"


class Seen:
    """What the hook was told of calls and `can_use_tool` is not, such as the mode: what both have in common."""

    def __init__(self) -> None:
        self._calls: OrderedDict[str, dict[str, Any]] = OrderedDict()
        self._lock = threading.Lock()

    def note(self, id: str | None, call: dict[str, Any]) -> None:
        """Keeps what was said of a call."""
        if id is None:
            return
        with self._lock:
            self._calls[id] = {key: value for key, value in call.items() if key != "args"}
            while len(self._calls) > 1024:
                self._calls.popitem(last=False)

    def of(self, id: str | None) -> dict[str, Any]:
        """What was said of the call."""
        with self._lock:
            return dict(self._calls.get(id or "", {}))


def pre_tool_use(
    policy: Judge,
    *,
    ask: Literal["host", "deny"] = "deny",
    workspace: str | None = None,
    tools: Tools | None = None,
    seen: Seen | None = None,
    on_verdict: OnVerdict | None = None,
) -> HookCallback:
    """The hook that decides. What is to be asked goes on to `can_use_tool` with `ask="host"`, and is denied without."""

    async def hook(given: Any, tool_use_id: str | None, context: Any) -> Any:
        try:
            call = _call(given["tool_name"], given["tool_input"], tool_use_id, workspace, tools)
            said = {"cwd": "cwd", "permission_mode": "mode", "agent_type": "agent"}
            call.update({ours: given[theirs] for theirs, ours in said.items() if given.get(theirs) is not None})
            server = given.get("mcp_server")
            if server is not None:
                call["mcp"] = _mcp(given["tool_name"], server["name"]) or call.get("mcp")
            if seen is not None:
                seen.note(tool_use_id, call)
            if ask == "host":
                verdict = await asyncio.to_thread(policy.evaluate, call)
            else:
                verdict = await decided(policy, call, None)
            if on_verdict is not None:
                on_verdict(call, verdict)
            if verdict.verdict == "allow":
                args = other_args(verdict, given["tool_input"])
                change: dict[str, Any] = {} if args is None else {"updatedInput": args}
                if args is not None and verdict.model_note is not None:
                    change["additionalContext"] = verdict.model_note
                return _answer("allow", why(verdict) if verdict.decided_by else "allowed by policy", **change)
            if verdict.verdict == "ask":
                return _answer("ask", why(verdict))
            stop = {"continue_": False, "stopReason": why(verdict)} if verdict.stop else {}
            return {**_answer("deny", why(verdict)), **stop}
        except Exception as e:
            return _answer("deny", failure(e))

    return hook


def can_use_tool(
    policy: Judge,
    human: Human | None = None,
    *,
    cwd: str | None = None,
    workspace: str | None = None,
    tools: Tools | None = None,
    seen: Seen | None = None,
    on_verdict: OnVerdict | None = None,
) -> CanUseTool:
    """The callback that asks the person. It asks the policy once more, so that it can stand alone; a no ends the turn.

    The SDK does not tell it the mode and the folder: with a hook that has the same `seen`, what the hook was told counts.
    """

    async def callback(name: str, args: dict[str, Any], context: Any) -> PermissionResultAllow | PermissionResultDeny:
        try:
            id = getattr(context, "tool_use_id", None)
            known = {} if seen is None else seen.of(id)
            call = {**_call(name, args, id, workspace, tools), "cwd": cwd, **known, "tool": name, "args": args}
            verdict = await decided(policy, call, human)
            if on_verdict is not None:
                on_verdict(call, verdict)
            if verdict.verdict == "allow":
                return PermissionResultAllow(updated_input=other_args(verdict, args))
            return PermissionResultDeny(message=why(verdict), interrupt=verdict.stop)
        except Exception as e:
            return PermissionResultDeny(message=failure(e))

    return callback


def options(
    policy: Judge,
    human: Human | None = None,
    *,
    timeout: float = 30,
    workspace: str | None = None,
    tools: Tools | None = None,
    on_verdict: OnVerdict | None = None,
    **rest: Any,
) -> ClaudeAgentOptions:
    """Options of the SDK with both callbacks; `rest` are its other options. Hooks in `rest` stay, behind this one.

    `timeout` is how many seconds the hook has; past them the SDK denies the call.
    """
    if rest.get("can_use_tool") is not None:
        raise TypeError("`can_use_tool` is the policy's here; give the person as `human`")
    cwd = rest.get("cwd")
    ask: Literal["host", "deny"] = "deny" if human is None else "host"
    seen = Seen()
    hook = pre_tool_use(policy, ask=ask, workspace=workspace, tools=tools, seen=seen, on_verdict=on_verdict)
    hooks: dict[Any, list[HookMatcher]] = {**(rest.pop("hooks", None) or {})}
    hooks["PreToolUse"] = [HookMatcher(hooks=[hook], timeout=timeout), *hooks.get("PreToolUse", [])]
    folder = None if cwd is None else str(cwd)
    person = can_use_tool(
        policy, human, cwd=folder, workspace=workspace, tools=tools, seen=seen, on_verdict=on_verdict
    )
    return ClaudeAgentOptions(**{**rest, "hooks": hooks, "can_use_tool": person})


def _call(
    name: str, args: Any, id: str | None, workspace: str | None, tools: Tools | None
) -> dict[str, Any]:
    more: Mapping[str, Any] = (tools or {}).get(name, {})
    return {"host": _HOST, "workspace": workspace, **more, "tool": name, "args": args, "id": id}


def _mcp(tool: str, server: str) -> dict[str, str] | None:
    """The server that the host names, and the tool behind it. In the tool's name the server is spelt as a model may."""
    start = f"mcp__{re.sub('[^A-Za-z0-9_-]', '_', server)}__"
    own = tool.removeprefix(start)
    return {"server": server, "tool": own} if own and own != tool else None


def _answer(decision: str, reason: str, **more: Any) -> dict[str, Any]:
    said = {"hookEventName": "PreToolUse", "permissionDecision": decision, "permissionDecisionReason": reason}
    return {"hookSpecificOutput": {**said, **more}}
