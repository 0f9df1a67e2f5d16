"""Middleware for LangChain (tried with 1.5.2) that asks a policy before every tool call.

    from tool_policy import Policy
    from tool_policy.adapters.langchain import PolicyMiddleware

    agent = create_agent(model, tools, middleware=[PolicyMiddleware(Policy.load("policy.toml"))], checkpointer=InMemorySaver())

A denied call gets its reason as a tool message, an allowed one runs, with the arguments that the policy puts in place. Where a person is to be
asked, the run is interrupted in the form of LangChain's own middleware for approvals, and resumed by
`Command(resume={"decisions": [{"type": "approve"}]})` (or `reject`, with a `message`, or `edit`), for which the agent needs a checkpointer. A
denial that stops, and a rejection without a message, end the turn.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from langchain.agents.middleware import AgentMiddleware, AgentState, hook_config
from langchain_core.messages import AIMessage, ToolMessage
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command, interrupt

from .._native import Verdict
from ._common import CANCELLED, Judge, OnVerdict, Tools, failure, other_args, why

__all__ = ["PolicyMiddleware"]

_HOST = "langchain"
_STOPS = "tool_policy_stops"
_DECLINED = "The user declined this call. Wait for their next message."


class PolicyMiddleware(AgentMiddleware[Any, Any, Any]):
    """Asks `policy` before every tool call.

    `tools` says what else is to be known of calls, by the name of the tool: `{"read_file": {"hints": {"read_only": True}}}`.
    """

    def __init__(
        self,
        policy: Judge,
        *,
        workspace: str | None = None,
        cwd: str | None = None,
        mode: str | None = None,
        agent: str | None = None,
        tools: Tools | None = None,
        on_verdict: OnVerdict | None = None,
    ) -> None:
        super().__init__()
        self._policy = policy
        self._place = {"host": _HOST, "workspace": workspace, "cwd": cwd, "mode": mode, "agent": agent}
        self._about = dict(tools or {})
        self._on_verdict = on_verdict

    @hook_config(can_jump_to=["end"])
    def before_model(self, state: AgentState[Any], runtime: Any) -> dict[str, Any] | None:
        """Ends the turn where a denial stopped it."""
        for message in reversed(state["messages"]):
            if not isinstance(message, ToolMessage):
                break
            if isinstance(message.artifact, Mapping) and message.artifact.get(_STOPS) is True:
                return {"jump_to": "end"}
        return None

    @hook_config(can_jump_to=["end"])
    async def abefore_model(self, state: AgentState[Any], runtime: Any) -> dict[str, Any] | None:
        """As `before_model`."""
        return self.before_model(state, runtime)

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], ToolMessage | Command[Any]]
    ) -> ToolMessage | Command[Any]:
        """Runs the call, or says why not."""
        decided = self._decided(request)
        return decided if isinstance(decided, ToolMessage) else handler(decided)

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[ToolMessage | Command[Any]]]
    ) -> ToolMessage | Command[Any]:
        """As `wrap_tool_call`."""
        decided = self._decided(request)
        return decided if isinstance(decided, ToolMessage) else await handler(decided)

    def _decided(self, request: ToolCallRequest) -> ToolCallRequest | ToolMessage:
        """The request as it may run, or the message in its place."""
        call: Mapping[str, Any] = request.tool_call
        try:
            if self._stopped_by_another(request):
                return _message(call, CANCELLED, stops=True)
            verdict = self._judged(call)
        except Exception as e:
            return _message(call, failure(e))
        if verdict.verdict == "ask":
            # Raises to interrupt the run, and gives the answer when it is resumed.
            answer = interrupt(_asked(call, verdict))
            return self._answered(request, verdict, answer)
        return _result(request, verdict, call["args"])

    def _answered(self, request: ToolCallRequest, verdict: Verdict, answer: Any) -> ToolCallRequest | ToolMessage:
        call: Mapping[str, Any] = request.tool_call
        try:
            decision = answer["decisions"][0]
            kind = decision["type"]
            if kind == "approve":
                return _with(request, other_args(verdict, call["args"]))
            if kind == "edit":
                action = decision["edited_action"]
                args = action["args"]
                if action.get("name", call["name"]) != call["name"]:
                    raise ValueError("another tool cannot be put in place of this one")
                # The person's yes is to what they wrote, and denials hold for it too.
                changed = self._judged({**call, "args": args})
                if changed.verdict == "deny":
                    return _message(call, why(changed), stops=changed.stop)
                return _with(request, other_args(changed, args) or args)
            if kind == "reject":
                message = decision.get("message")
                return _message(call, message or _DECLINED, stops=not message)
            raise ValueError(f"unknown decision {kind!r}")
        except Exception as e:
            return _message(call, failure(e))

    def _judged(self, call: Mapping[str, Any]) -> Verdict:
        asked = self._call(call)
        verdict = self._policy.evaluate(asked)
        if self._on_verdict is not None:
            self._on_verdict(asked, verdict)
        return verdict

    def _call(self, call: Mapping[str, Any]) -> dict[str, Any]:
        about = self._about.get(call["name"], {})
        return {**self._place, **about, "tool": call["name"], "args": call["args"], "id": call["id"]}

    def _stopped_by_another(self, request: ToolCallRequest) -> bool:
        """Whether another call of the same reply is denied and stops the turn; all its calls are then cancelled."""
        state = request.state
        messages = state.get("messages", []) if isinstance(state, Mapping) else getattr(state, "messages", [])
        for message in reversed(messages):
            if isinstance(message, AIMessage):
                others = [call for call in message.tool_calls if call["id"] != request.tool_call["id"]]
                verdicts = (self._policy.evaluate(self._call(call)) for call in others)
                return any(verdict.verdict == "deny" and verdict.stop for verdict in verdicts)
        return False


def _result(request: ToolCallRequest, verdict: Verdict, args: Any) -> ToolCallRequest | ToolMessage:
    if verdict.verdict != "allow":
        return _message(request.tool_call, why(verdict), stops=verdict.stop)
    return _with(request, other_args(verdict, args))


def _with(request: ToolCallRequest, args: dict[str, Any] | None) -> ToolCallRequest:
    return request if args is None else request.override(tool_call={**request.tool_call, "args": args})


def _message(call: Mapping[str, Any], text: str, *, stops: bool = False) -> ToolMessage:
    # The artifact stays in the state and is not sent to the model.
    artifact = {_STOPS: True} if stops else None
    return ToolMessage(content=text, tool_call_id=call["id"], name=call["name"], status="error", artifact=artifact)


def _asked(call: Mapping[str, Any], verdict: Verdict) -> dict[str, Any]:
    """The question in the form of LangChain's own middleware for approvals."""
    args = other_args(verdict, call["args"]) or call["args"]
    text = verdict.question or f"Run {call['name']}?"
    return {
        "action_requests": [{"name": call["name"], "args": args, "description": text}],
        "review_configs": [{"action_name": call["name"], "allowed_decisions": ["approve", "edit", "reject"]}],
    }
