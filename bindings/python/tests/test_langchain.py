"""The middleware of LangChain, against the library itself and a scripted model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("langchain.agents", reason="langchain is not installed")

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from tool_policy import Policy
from tool_policy.adapters.langchain import PolicyMiddleware

RULES = """
version = 1

[tools.shell]
command = "command"

[[rules]]
id = "no-rm-rf"
deny_by_name = ["shell"]
when.runs = ["rm -rf *"]
reason = "Never."
stop = true

[[rules]]
id = "no-rm"
deny_by_name = ["shell"]
when.runs = ["rm *"]
reason = "Not that way."

[[rules]]
id = "ci"
allow_by_name = ["shell"]
when.runs = ["npm install"]
set = { command = "npm ci" }

[[rules]]
id = "ls"
allow_by_name = ["shell"]
when.runs = ["ls", "npm ci"]

[[rules]]
id = "reading"
allow_by_read_only = true

[[rules]]
id = "ask"
decide_by_human = true
"""

ran: list[str] = []


@tool
def shell(command: str) -> str:
    """Run a command"""
    ran.append(command)
    return "ok"


class Model(GenericFakeChatModel):
    def bind_tools(self, *args: Any, **kwargs: Any) -> Any:
        return self


def policy(text: str = RULES) -> Policy:
    return Policy.parse(text, disk=False)


def run(turns: list[list[str]], decisions: Any = None, middleware: Any = None, asynchronous: bool = False, again: str | None = None) -> Any:
    """(commands that ran, tool results, the questions to the person, did the model speak last)"""
    ran.clear()
    messages = [
        AIMessage(content="", tool_calls=[{"name": "shell", "args": {"command": c}, "id": f"{t}-{i}"} for i, c in enumerate(commands)])
        for t, commands in enumerate(turns)
    ]
    agent = create_agent(
        Model(messages=iter([*messages, AIMessage(content="done")])),
        [shell],
        middleware=[middleware or PolicyMiddleware(policy())],
        checkpointer=InMemorySaver(),
    )
    config: Any = {"configurable": {"thread_id": "1"}}

    def invoke(value: Any) -> Any:
        return asyncio.run(agent.ainvoke(value, config)) if asynchronous else agent.invoke(value, config)

    result = invoke({"messages": [("user", "go")]})
    asked = []
    if "__interrupt__" in result:
        asked = [request for i in result["__interrupt__"] for request in i.value["action_requests"]]
        result = invoke(Command(resume=decisions))
    if again is not None:
        result = invoke({"messages": [("user", again)]})
    return list(ran), [m.content for m in result["messages"] if m.type == "tool"], asked, result["messages"][-1].content == "done"


BOTH = pytest.mark.parametrize("asynchronous", [False, True])


@BOTH
def test_allow_deny_change(asynchronous: bool) -> None:
    assert run([["ls"]], asynchronous=asynchronous) == (["ls"], ["ok"], [], True)
    assert run([["ls; rm x"]], asynchronous=asynchronous) == ([], ["Not that way. [no-rm (policy.toml:15)]"], [], True)
    assert run([["npm install"]], asynchronous=asynchronous) == (["npm ci"], ["ok"], [], True)


@BOTH
def test_a_stop_ends_the_turn_and_cancels_its_other_calls(asynchronous: bool) -> None:
    said = "Never. [no-rm-rf (policy.toml:8)]"
    assert run([["rm -rf x"], ["ls"]], asynchronous=asynchronous) == ([], [said], [], False)
    cancelled = "(not run: the user stopped this turn)"
    assert run([["ls", "rm -rf x", "ls"]], asynchronous=asynchronous) == ([], [cancelled, said, cancelled], [], False)
    # The next message of the user begins a new turn.
    assert run([["rm -rf x"], ["ls"]], asynchronous=asynchronous, again="go on")[::3] == (["ls"], True)


@BOTH
def test_a_person_is_asked(asynchronous: bool) -> None:
    def answered(decision: Any) -> Any:
        return run([["git push"]], {"decisions": [decision]}, asynchronous=asynchronous)

    ran_, results, asked, spoke = answered({"type": "approve"})
    assert (ran_, results, spoke) == (["git push"], ["ok"], True)
    assert asked == [{"name": "shell", "args": {"command": "git push"}, "description": 'Run shell(command="git push")?'}]
    assert answered({"type": "reject", "message": "not now"})[:2] == ([], ["not now"])
    # A no with nothing to go on with ends the turn.
    ran_, results, _, spoke = answered({"type": "reject"})
    assert (ran_, results, spoke) == ([], ["The user declined this call. Wait for their next message."], False)

    def edited(command: str, name: str = "shell") -> Any:
        return answered({"type": "edit", "edited_action": {"name": name, "args": {"command": command}}})

    assert edited("git push --dry-run")[0] == ["git push --dry-run"]
    assert edited("npm install")[0] == ["npm ci"]
    assert edited("rm x")[:2] == ([], ["Not that way. [no-rm (policy.toml:15)]"])
    assert edited("ls", name="other")[0] == []


@pytest.mark.parametrize(
    "answer", [None, True, "approve", {}, {"decisions": []}, {"decisions": [{"type": "respond", "message": "x"}]}, {"decisions": [{"type": "Approve"}]}, {"decisions": [{"type": "edit"}]}]
)
def test_what_is_no_answer_denies(answer: Any) -> None:
    if answer is None:
        answer = {"decisions": None}
    assert run([["git push"]], answer)[0] == []


def test_whatever_fails_denies() -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("broken")

    everything = policy("version = 1\n[[rules]]\nallow_by_default = true\n")
    ran_, results, _, _ = run([["ls"]], middleware=PolicyMiddleware(everything, on_verdict=fails))
    assert ran_ == [] and "RuntimeError: broken" in results[0]
    ran_, results, _, _ = run([["ls"]], middleware=PolicyMiddleware(object()))  # type: ignore[arg-type]
    assert ran_ == [] and "could not be asked" in results[0]


def test_what_else_is_known_of_a_tool() -> None:
    plain = policy("version = 1\n[[rules]]\nallow_by_read_only = true\n")
    assert run([["x"]], middleware=PolicyMiddleware(plain, tools={"shell": {"hints": {"read_only": True}}}))[0] == ["x"]
    assert run([["x"]], middleware=PolicyMiddleware(plain))[0] == []
