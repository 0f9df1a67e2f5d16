"""An async `can_use_tool` callback, as AdaL's SDK for Python takes it. It needs no library.

    from tool_policy import Policy
    from tool_policy.adapters.can_use_tool import can_use_tool

    options = AdalAgentOptions(can_use_tool=can_use_tool(Policy.load("policy.toml"), human=ask_on_the_page))

`await callback(tool_name, input, context)` gives an allowance, which may carry `updated_input`, or a denial with its `message`. It does not
raise: whatever goes wrong is a denial.
"""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from ._common import WAIT, Human, Judge, OnVerdict, Tools, decided, failure, other_args, why

__all__ = ["CanUseTool", "PermissionResultAllow", "PermissionResultDeny", "ToolPermissionContext", "can_use_tool"]


@dataclass(frozen=True)
class ToolPermissionContext:
    """What is said of a call beside its name and its input. An object of any class with these attributes will do."""

    tool_call_id: str = ""
    """The id of the call."""
    confirmation: Mapping[str, Any] | None = None
    """The preview that a person would see: `file_name`, `file_diff`, `title`."""
    display: object = None
    """How the call is shown."""
    reason: str | None = None
    """`prompt` where a person would be asked, `policy` where only the policy is."""
    requires_human: bool | None = None
    """Whether a person would have to say yes."""


@dataclass(frozen=True)
class PermissionResultAllow:
    """The call may run, with `updated_input` in place of its input where there is one."""

    updated_input: dict[str, Any] | None = None
    behavior: Literal["allow"] = "allow"


@dataclass(frozen=True)
class PermissionResultDeny:
    """The call may not run, and the model gets the message."""

    message: str = ""
    behavior: Literal["deny"] = "deny"


CanUseTool: TypeAlias = Callable[[str, Mapping[str, Any], Any], Awaitable[Any]]


def can_use_tool(
    policy: Judge,
    human: Human | None = None,
    *,
    mode: str | Callable[[], str | None] | None = None,
    host: str = "adal",
    workspace: str | None = None,
    cwd: str | None = None,
    agent: str | None = None,
    timeout: float | None = None,
    tools: Tools | None = None,
    results: tuple[Callable[..., Any], Callable[..., Any]] | None = None,
    on_verdict: OnVerdict | None = None,
) -> CanUseTool:
    """The callback.

    `human(question)` is asked where a rule says so; it may be async, and it has as long as the rule says. Without one, what would be asked is
    denied. `mode` is how freely the host is set to run, `default`, `accept_edits` or `yolo`, or the host's own name of one; a function is asked
    for each call. Past `timeout` seconds in all, the call is denied. `results` are the classes of the answers, by default those of
    `adal_agent_sdk` where it is installed, else those of this module.
    """
    allow, deny = results or _results()

    async def callback(tool_name: str, input: Mapping[str, Any], context: Any = None) -> Any:
        try:
            judging = _judged(tool_name, input, context)
            return await (judging if timeout is None else asyncio.wait_for(judging, timeout))
        except (asyncio.TimeoutError, TimeoutError):
            return deny(message="Nobody answered in time, so this call was not run. Wait for the user's next message.")
        except Exception as e:
            return deny(message=failure(e))

    async def _judged(tool_name: str, input: Mapping[str, Any], context: Any) -> Any:
        call: dict[str, Any] = {
            "host": host,
            "workspace": workspace,
            "cwd": cwd,
            "agent": agent,
            "mode": mode() if callable(mode) else mode,
            **(tools or {}).get(tool_name, {}),
            "tool": tool_name,
            "args": input,
            **_said(context),
        }
        verdict = await decided(policy, call, human)
        if on_verdict is not None:
            on_verdict(call, verdict)
        if verdict.verdict == "allow":
            return allow(updated_input=other_args(verdict, input))
        stops = verdict.stop and verdict.cause not in ("human_no", "human_timeout")
        return deny(message=why(verdict) + (WAIT if stops else ""))

    return callback


def _said(context: Any) -> dict[str, Any]:
    """What the context says of the call, as far as policies speak of it."""

    def get(name: str) -> Any:
        return context.get(name) if isinstance(context, Mapping) else getattr(context, name, None)

    said: dict[str, Any] = {"id": get("tool_call_id")}
    confirmation = get("confirmation")
    if confirmation is not None:
        known = ("file_name", "file_diff", "title")
        said["confirmation"] = {key: confirmation[key] for key in known if key in confirmation}
    reason = get("reason")
    if reason is not None:
        said["reason"] = reason
    return said


def _results() -> tuple[Callable[..., Any], Callable[..., Any]]:
    try:
        sdk = importlib.import_module("adal_agent_sdk.permission")
    except ImportError:
        return PermissionResultAllow, PermissionResultDeny
    return sdk.PermissionResultAllow, sdk.PermissionResultDeny
