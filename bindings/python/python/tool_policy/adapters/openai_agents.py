"""Guardrail and approval for the OpenAI Agents SDK (tried with 0.24.0) that ask a policy.

    from tool_policy import Policy
    from tool_policy.adapters.openai_agents import protect, run_config

    policy = Policy.load("policy.toml")
    agent = Agent(name="a", tools=protect([shell, read_file], policy))
    result = await Runner.run(agent, "go", run_config=run_config())

The guardrail denies; the approval makes the run stop where a person is to be asked. Arguments cannot be changed there: an allowance with other
arguments is a rejection that says which.
"""

from __future__ import annotations

import dataclasses
import threading
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from agents import FunctionTool, RunConfig, ToolGuardrailFunctionOutput, ToolInputGuardrail, ToolInputGuardrailData
from agents.run_config import ToolExecutionConfig

from .._native import Verdict
from ._common import Judge, OnVerdict, Tools, failure, only_with, other_args, read_args, why

__all__ = ["Approvals", "guardrail", "needs_approval", "protect", "run_config"]

_HOST = "openai-agents"


def guardrail(
    policy: Judge,
    *,
    workspace: str | None = None,
    tools: Tools | None = None,
    server: str | None = None,
    agent: str | None = None,
    approvals: Approvals | None = None,
    on_verdict: OnVerdict | None = None,
) -> ToolInputGuardrail[Any]:
    """The guardrail of a tool, or of an MCP server of the name `server`.

    What a person has to decide passes where they said yes, or will be asked by the `needs_approval` that has the same `approvals`; else it is
    rejected.
    """

    def check(data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        try:
            context = data.context
            name = context.tool_name
            args = read_args(context.tool_arguments)
            call = _call(name, args, context.tool_call_id, workspace, tools, agent, server)
            verdict = policy.evaluate(call)
            if on_verdict is not None:
                on_verdict(call, verdict)
            return _answer(verdict, args, _asked(data, approvals))
        except Exception as e:
            return ToolGuardrailFunctionOutput.reject_content(failure(e))

    return ToolInputGuardrail(guardrail_function=check, name="tool_policy")


def _asked(data: ToolInputGuardrailData, approvals: Approvals | None) -> bool:
    """Whether a person said yes to this call, or is about to be asked."""
    context = data.context
    if approvals is not None and context.tool_call_id in approvals:
        return context.is_tool_approved(context.tool_name, context.tool_call_id) is not False
    return context.is_tool_approved(context.tool_name, context.tool_call_id) is True


class Approvals:
    """The calls about which a person is asked: what a guardrail and an approval have in common."""

    def __init__(self) -> None:
        self._ids: OrderedDict[str, None] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, call_id: str) -> None:
        """Notes that a person is asked about the call."""
        with self._lock:
            self._ids[call_id] = None
            while len(self._ids) > 4096:
                self._ids.popitem(last=False)

    def __contains__(self, call_id: object) -> bool:
        with self._lock:
            return call_id in self._ids


def _answer(verdict: Verdict, args: Any, asked: bool) -> ToolGuardrailFunctionOutput:
    told = verdict.to_dict()
    if verdict.verdict == "deny":
        if verdict.stop:
            return ToolGuardrailFunctionOutput.raise_exception(output_info=told)
        return ToolGuardrailFunctionOutput.reject_content(why(verdict), output_info=told)
    changed = other_args(verdict, args)
    if changed is not None:
        return ToolGuardrailFunctionOutput.reject_content(only_with(changed), output_info=told)
    if verdict.verdict == "ask" and not asked:
        message = f"A person would have to approve this call, and nobody can be asked here: {why(verdict)}"
        return ToolGuardrailFunctionOutput.reject_content(message, output_info=told)
    return ToolGuardrailFunctionOutput.allow(output_info=told)


def needs_approval(
    policy: Judge,
    name: str,
    *,
    workspace: str | None = None,
    tools: Tools | None = None,
    agent: str | None = None,
    approvals: Approvals | None = None,
) -> Callable[[Any, dict[str, Any], str], Awaitable[bool]]:
    """Whether a person has to approve a call of the tool `name`. Where that cannot be told, one has to."""

    async def approval(context: Any, args: dict[str, Any], call_id: str) -> bool:
        try:
            call = _call(name, args, call_id, workspace, tools, agent, None)
            # What is denied is not asked about: the guardrail denies it.
            asks = policy.evaluate(call).verdict == "ask"
        except Exception:
            asks = True
        if asks and approvals is not None:
            approvals.add(call_id)
        return asks

    return approval


def protect(
    tools: Iterable[FunctionTool],
    policy: Judge,
    *,
    workspace: str | None = None,
    about: Tools | None = None,
    agent: str | None = None,
    on_verdict: OnVerdict | None = None,
) -> list[FunctionTool]:
    """The tools, each with guardrail and approval. What they ask of their own accord stays.

    `about` says what else is to be known of their calls: `{"read_file": {"hints": {"read_only": True}}}`.
    """
    approvals = Approvals()
    guard = guardrail(
        policy, workspace=workspace, tools=about, agent=agent, approvals=approvals, on_verdict=on_verdict
    )

    def protected(tool: FunctionTool) -> FunctionTool:
        ours = needs_approval(policy, tool.name, workspace=workspace, tools=about, agent=agent, approvals=approvals)
        guards = [guard, *(tool.tool_input_guardrails or [])]
        return dataclasses.replace(tool, tool_input_guardrails=guards, needs_approval=_either(ours, tool))

    return [protected(tool) for tool in tools]


def _either(
    ours: Callable[[Any, dict[str, Any], str], Awaitable[bool]], tool: FunctionTool
) -> bool | Callable[[Any, dict[str, Any], str], Awaitable[bool]]:
    theirs = tool.needs_approval
    if theirs is False:
        return ours

    async def approval(context: Any, args: dict[str, Any], call_id: str) -> bool:
        by_policy = await ours(context, args, call_id)
        return by_policy or not callable(theirs) or bool(await theirs(context, args, call_id))

    return approval


def run_config(config: RunConfig | None = None) -> RunConfig:
    """The configuration with which denials come before anybody is asked."""
    config = config or RunConfig()
    execution = config.tool_execution
    if isinstance(execution, ToolExecutionConfig):
        execution = dataclasses.replace(execution, pre_approval_tool_input_guardrails=True)
    else:
        execution = ToolExecutionConfig(**{**(execution or {}), "pre_approval_tool_input_guardrails": True})
    return dataclasses.replace(config, tool_execution=execution)


def _call(
    name: str,
    args: Any,
    id: str | None,
    workspace: str | None,
    tools: Tools | None,
    agent: str | None,
    server: str | None,
) -> dict[str, Any]:
    more = (tools or {}).get(name, {})
    of_server = {} if server is None else {"mcp": {"server": server, "tool": name}}
    place = {"host": _HOST, "workspace": workspace, "agent": agent}
    return {**place, **of_server, **more, "tool": name, "args": args, "id": id}
