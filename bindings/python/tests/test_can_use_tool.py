"""The `can_use_tool` callback."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from typing import Any

import pytest

from tool_policy import Policy, Question
from tool_policy.adapters.can_use_tool import (
    PermissionResultAllow,
    PermissionResultDeny,
    ToolPermissionContext,
    can_use_tool,
)

RULES = """
version = 1

[[rules]]
id = "no-rm"
deny_by_name = ["bash"]
when.runs = ["rm *"]
reason = "Blocked."
stop = true

[[rules]]
id = "no-secrets"
deny_by_name = ["*"]
when.confirmation.file_diff = { contains = "SECRET" }
reason = "The change touches a secret."

[[rules]]
id = "quiet"
allow_by_name = ["bash"]
when.runs = ["pytest"]
set = { command = "pytest -q" }

[[rules]]
id = "freely"
allow_by_name = ["*"]
when.mode = ["yolo"]

[[rules]]
id = "policy-only"
allow_by_name = ["*"]
when.reason = "policy"

[[rules]]
id = "ask"
decide_by_human = { timeout = "1s" }
"""

CONTEXT = ToolPermissionContext(tool_call_id="tc1", reason="prompt")


def policy() -> Policy:
    return Policy.parse(RULES, disk=False)


def ask(callback: Any, tool: str, input: Any, context: Any = CONTEXT) -> Any:
    return asyncio.run(callback(tool, input, context))


def bash(command: str) -> dict[str, Any]:
    return {"command": command, "description": "d"}


def test_allow_change_deny_ask() -> None:
    asked: list[Question] = []

    async def yes(question: Question) -> bool:
        asked.append(question)
        return True

    callback = can_use_tool(policy(), yes)
    assert ask(callback, "bash", bash("ls -l")) == PermissionResultAllow()
    assert (asked[0].text, asked[0].call_id) == ('Run bash(command="ls -l", description="d")?', "tc1")
    changed = ask(callback, "bash", bash("pytest"))
    assert changed == PermissionResultAllow(updated_input=bash("pytest -q"))
    denied = ask(callback, "bash", bash("ls; rm -rf build"))
    assert denied == PermissionResultDeny(
        message="Blocked. [no-rm (policy.toml:5)] Stop here and wait for the user's next message."
    )
    assert (denied.behavior, changed.behavior) == ("deny", "allow")
    assert len(asked) == 1


def test_a_no_and_nobody() -> None:
    said = ask(can_use_tool(policy(), lambda _: False), "bash", bash("ls"))
    assert said.message.startswith("The user declined this call.")
    said = ask(can_use_tool(policy()), "bash", bash("ls"))
    assert said.behavior == "deny" and "nobody is there to ask" in said.message


@pytest.mark.parametrize("how", ["async", "blocking"])
def test_no_answer_in_time(how: str) -> None:
    async def slow(_: Question) -> bool:
        await asyncio.sleep(30)
        return True

    def blocking(_: Question) -> bool:
        time.sleep(2)
        return True

    before = time.monotonic()
    said = ask(can_use_tool(policy(), slow if how == "async" else blocking), "bash", bash("ls"))
    assert said.message.startswith("Nobody answered in time")
    assert time.monotonic() - before < 10


def test_a_timeout_in_all() -> None:
    patient = Policy.parse('version = 1\n[[rules]]\ndecide_by_human = { timeout = "10m" }\n', disk=False)

    async def slow(_: Question) -> bool:
        await asyncio.sleep(30)
        return True

    said = ask(can_use_tool(patient, slow, timeout=0.1), "bash", bash("ls"))
    assert said.behavior == "deny" and said.message.startswith("Nobody answered in time")


@pytest.mark.parametrize(
    ("mode", "behavior"), [("yolo", "allow"), ("bypassPermissions", "allow"), ("default", "deny"), ("acceptEdits", "deny"), ("fast", "deny")]
)
def test_modes(mode: str, behavior: str) -> None:
    for given in (mode, lambda: mode):
        assert ask(can_use_tool(policy(), mode=given), "bash", bash("ls")).behavior == behavior
    assert ask(can_use_tool(policy(), mode=mode), "bash", bash("rm x")).behavior == "deny"


def test_what_the_context_says_counts() -> None:
    callback = can_use_tool(policy(), mode="yolo")
    secret = ToolPermissionContext("t", confirmation={"file_name": "a", "file_diff": "+SECRET=1", "prompt": "?"})
    assert ask(callback, "replace_by_string", {"file_path": "a"}, secret).message.startswith("The change touches a secret.")
    reasoned = ToolPermissionContext("t", reason="policy")
    assert ask(can_use_tool(policy()), "web_search", {"q": "x"}, reasoned).behavior == "allow"
    # A context may be a dict, or lack what it does not know.
    assert ask(can_use_tool(policy()), "web_search", {"q": "x"}, {"reason": "policy"}).behavior == "allow"
    assert ask(can_use_tool(policy()), "bash", bash("./deploy"), None).behavior == "deny"
    wrong = ToolPermissionContext("t", reason="whim")
    assert "`reason` is `prompt` or `policy`" in ask(callback, "web_search", {}, wrong).message


def test_whatever_goes_wrong_is_a_denial() -> None:
    def fails(*_: Any) -> Any:
        raise RuntimeError("broken")

    everything = Policy.parse("version = 1\n[[rules]]\nallow_by_default = true\n", disk=False)
    for callback in (
        can_use_tool(everything, on_verdict=fails),
        can_use_tool(everything, mode=fails),
        can_use_tool(object()),  # type: ignore[arg-type]
    ):
        assert ask(callback, "bash", bash("ls")).behavior == "deny"
    assert ask(can_use_tool(everything), "bash", bash("\ud800")).behavior == "deny"
    assert ask(can_use_tool(everything), "bash", None).behavior == "deny"
    assert ask(can_use_tool(everything), 5, {}).behavior == "deny"
    said = ask(can_use_tool(policy(), fails), "bash", bash("ls"))
    assert said.behavior == "deny" and "RuntimeError: broken" in said.message

    async def odd(_: Question) -> Any:
        return "perhaps"

    assert ask(can_use_tool(policy(), odd), "bash", bash("ls")).behavior == "deny"


def test_the_answers_are_of_the_classes_that_the_host_looks_for() -> None:
    @dataclass
    class Allow:
        behavior: str = "allow"
        updated_input: Any = None

    @dataclass
    class Deny:
        behavior: str = "deny"
        message: str = ""

    callback = can_use_tool(policy(), mode="yolo", results=(Allow, Deny))
    assert ask(callback, "bash", bash("ls")) == Allow()
    assert isinstance(ask(callback, "bash", bash("rm x")), Deny)
