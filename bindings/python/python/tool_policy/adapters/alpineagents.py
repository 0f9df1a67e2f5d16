"""Permissions for alpineagents (tried with 0.7.1) that ask a policy.

    from tool_policy import Policy
    from tool_policy.adapters.alpineagents import permissions

    agent = Agent(model=..., tools=[...], permissions=permissions(Policy.load("policy.toml")))

Two permissions, because there a denial counts before every allowance only where it comes from a permission that may do nothing else:
`PolicyDenials` stands for the policy's denials and reaches into subagents that bring their own list, `PolicyDecides` for all of the
policy. Other permissions may stand between the two.
"""

from __future__ import annotations

import contextvars
import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from alpineagents.mcp_tools import MCPTool
from alpineagents.permissions import Allowed, DecideByHuman, Denied, DenyPermission

from .._native import Verdict
from ._common import Judge, OnVerdict, failure, only_with, other_args

if TYPE_CHECKING:
    from alpineagents import Human, State
    from alpineagents.permissions import Permission
    from alpineagents.tool import Tool
    from alpineagents.types import ToolCall

__all__ = ["PolicyDecides", "PolicyDenials", "permissions"]


def permissions(
    policy: Judge,
    *,
    human: Human | None = None,
    workspace: str | None = None,
    cwd: str | None = None,
    mode: str | None = None,
    on_verdict: OnVerdict | None = None,
) -> list[Permission]:
    """The list of permissions in which `policy` decides about everything.

    `human` is asked in place of the human of the Agent that has the list. `mode`, `workspace` and `cwd` are said of every call.
    """
    place = {"workspace": workspace, "cwd": cwd, "mode": mode}
    asker = _Asker(policy, human, {key: value for key, value in place.items() if value is not None}, on_verdict)
    return [PolicyDenials(asker), PolicyDecides(asker)]


class _Asker:
    """The policy, and what both permissions know of a call."""

    def __init__(
        self, policy: Judge, human: Human | None, place: dict[str, str], on_verdict: OnVerdict | None
    ) -> None:
        self.policy = policy
        self.person = _Person(human)
        self._place = place
        self._on_verdict = on_verdict
        self._approved: OrderedDict[tuple[str, str], None] = OrderedDict()
        self._lock = threading.Lock()

    def judge(self, call: ToolCall, tool: Tool, told: Callable[[Verdict], bool]) -> Verdict | Denied:
        """The verdict; a denial where there is none. Those are `told` that this permission decides by."""
        try:
            asked = self._call(call, tool)
            verdict = self.policy.evaluate(asked)
            if self._on_verdict is not None and told(verdict):
                self._on_verdict(asked, verdict)
            return verdict
        except Exception as e:
            return Denied(failure(e))

    def _call(self, call: ToolCall, tool: Tool) -> dict[str, Any]:
        hints = tool.hints_for(call.args)
        asked: dict[str, Any] = {
            **self._place,
            "host": "alpineagents",
            "tool": call.name,
            "args": call.args,
            "id": call.id,
            "hints": {
                "read_only": hints.read_only,
                "destructive": hints.destructive,
                "idempotent": hints.idempotent,
                "open_world": hints.open_world,
            },
        }
        if isinstance(tool, MCPTool):
            # Taken from the tool: its name could be split in several ways.
            asked["mcp"] = {"server": tool.server.name, "tool": tool.remote_name}
        return asked

    def approve(self, call: ToolCall, verdict: Verdict) -> None:
        """Notes that the person said yes to this very call."""
        with self._lock:
            self._approved[call.id, verdict.digest or ""] = None
            while len(self._approved) > 256:
                self._approved.popitem(last=False)

    def takes(self, call: ToolCall, verdict: Verdict) -> bool:
        """Whether the person said yes to this very call; only once."""
        with self._lock:
            return self._approved.pop((call.id, verdict.digest or ""), self) is None

    def denied(self, verdict: Verdict) -> Denied:
        return Denied(verdict.reason or "Denied by policy.", stop=verdict.stop)

    def __repr__(self) -> str:
        human = self.person.human
        return repr(self.policy) if human is None else f"{self.policy!r}, human={type(human).__name__}"


_QUESTION: contextvars.ContextVar[str | None] = contextvars.ContextVar("tool_policy_question", default=None)


class _Person(DecideByHuman):
    """Asks the policy's question of the human whom the list asks."""

    def question(self, call: ToolCall, tool: Tool) -> str:
        return _QUESTION.get() or super().question(call, tool)

    def ask(self, state: State, call: ToolCall, tool: Tool, verdict: Verdict) -> Allowed | Denied | None:
        token = _QUESTION.set(_question(verdict))
        try:
            return self.check(state, call, tool)
        finally:
            _QUESTION.reset(token)

    async def aask(self, state: State, call: ToolCall, tool: Tool, verdict: Verdict) -> Allowed | Denied | None:
        token = _QUESTION.set(_question(verdict))
        try:
            return await self.acheck(state, call, tool)
        finally:
            _QUESTION.reset(token)


def _question(verdict: Verdict) -> str | None:
    """The question, and why it is asked where that is not plain."""
    if verdict.question is None or verdict.reason is None:
        return verdict.question
    return f"{verdict.question} ({verdict.reason})"


def _is_sure(verdict: Verdict) -> bool:
    """Whether it is a denial by more than the lack of a rule, which is for the rest of the list to make up for."""
    return verdict.verdict == "deny" and verdict.cause != "no_rule"


class PolicyDenials(DenyPermission):
    """The denials of a policy: they count before every permission that allows, and for every subagent.

    What may be a denial and cannot be told for sure is asked here already, so that no permission in between waves it through.
    """

    def __init__(self, policy: Judge | _Asker) -> None:
        self._asker = policy if isinstance(policy, _Asker) else _Asker(policy, None, {}, None)

    def check(self, state: State, call: ToolCall, tool: Tool) -> Denied | None:
        verdict = self._asker.judge(call, tool, _is_sure)
        if not self._doubtful(verdict):
            return self._said(verdict)
        assert isinstance(verdict, Verdict)
        return self._answered(call, verdict, self._asker.person.ask(state, call, tool, verdict))

    async def acheck(self, state: State, call: ToolCall, tool: Tool) -> Denied | None:
        verdict = self._asker.judge(call, tool, _is_sure)
        if not self._doubtful(verdict):
            return self._said(verdict)
        assert isinstance(verdict, Verdict)
        return self._answered(call, verdict, await self._asker.person.aask(state, call, tool, verdict))

    def _doubtful(self, verdict: Verdict | Denied) -> bool:
        return isinstance(verdict, Verdict) and verdict.verdict == "ask" and verdict.cause == "possible_match"

    def _said(self, verdict: Verdict | Denied) -> Denied | None:
        if isinstance(verdict, Denied):
            return verdict
        return self._asker.denied(verdict) if _is_sure(verdict) else None

    def _answered(self, call: ToolCall, verdict: Verdict, answer: Allowed | Denied | None) -> Denied | None:
        if isinstance(answer, Allowed):
            self._asker.approve(call, verdict)
            return None
        return answer if isinstance(answer, Denied) else Denied("Nobody answered.")

    def __repr__(self) -> str:
        return f"PolicyDenials({self._asker!r})"


class PolicyDecides(DecideByHuman):
    """All of a policy: it allows, denies, or asks the human of the Agent that has it in its list."""

    def __init__(self, policy: Judge | _Asker, human: Human | None = None) -> None:
        self._asker = policy if isinstance(policy, _Asker) else _Asker(policy, human, {}, None)
        super().__init__(human=self._asker.person.human)

    def check(self, state: State, call: ToolCall, tool: Tool) -> Allowed | Denied | None:
        verdict = self._asker.judge(call, tool, lambda _: True)
        said = self._said(call, verdict)
        if said is not None:
            return said
        assert isinstance(verdict, Verdict)
        return self._asker.person.ask(state, call, tool, verdict)

    async def acheck(self, state: State, call: ToolCall, tool: Tool) -> Allowed | Denied | None:
        verdict = self._asker.judge(call, tool, lambda _: True)
        said = self._said(call, verdict)
        if said is not None:
            return said
        assert isinstance(verdict, Verdict)
        return await self._asker.person.aask(state, call, tool, verdict)

    def _said(self, call: ToolCall, verdict: Verdict | Denied) -> Allowed | Denied | None:
        """What needs no person; `None` where one is to be asked."""
        if isinstance(verdict, Denied):
            return verdict
        if verdict.verdict == "deny":
            return self._asker.denied(verdict)
        args = other_args(verdict, call.args)
        if args is not None:
            # An allowance carries no arguments there: the model has to ask again.
            return Denied(only_with(args))
        if verdict.verdict == "allow" or self._asker.takes(call, verdict):
            return Allowed()
        return None

    def __repr__(self) -> str:
        return f"PolicyDecides({self._asker!r})"
