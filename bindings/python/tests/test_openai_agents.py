"""Guardrail and approval of the OpenAI Agents SDK, against the SDK itself and its scripted model."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import os
from typing import Any

import pytest

pytest.importorskip("agents.testing", reason="openai-agents is not installed")
os.environ["OPENAI_AGENTS_DISABLE_TRACING"] = "1"

from agents import Agent, RunConfig, Runner, RunState, ToolInputGuardrailTripwireTriggered, function_tool
from agents.testing import ScriptedModel
from agents.testing.model import assistant_message, function_call

from tool_policy import Policy
from tool_policy.adapters.openai_agents import guardrail, protect, run_config

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


@function_tool
def shell(command: str) -> str:
    """Run a command"""
    ran.append(command)
    return "ok"


def policy(text: str = RULES) -> Policy:
    return Policy.parse(text, disk=False)


def run(commands: list[str], approve: bool | None = None, tools: Any = None, config: Any = None, saved: bool = False) -> Any:
    """(commands that ran, tool results, how often a person was asked, exception)"""
    ran.clear()
    tools = tools or protect([shell], policy())

    async def main() -> Any:
        asked = 0
        turns = [[function_call("shell", {"command": c}, call_id=f"c{i}")] for i, c in enumerate(commands)]
        agent = Agent(name="a", model=ScriptedModel([*turns, [assistant_message("done")]]), tools=tools)
        settings = config or run_config(RunConfig(tracing_disabled=True))
        try:
            result = await Runner.run(agent, "go", run_config=settings)
            while result.interruptions:
                state = result.to_state()
                if saved:
                    # Another process, which knows nothing of the first.
                    text = state.to_string()
                    agent.tools = protect([shell], policy())
                    state = await RunState.from_string(agent, text)
                for item in state.get_interruptions() if saved else result.interruptions:
                    asked += 1
                    if approve:
                        state.approve(item)
                    else:
                        state.reject(item, rejection_message="a person said no")
                result = await Runner.run(agent, state, run_config=settings)
            return list(ran), [i.output for i in result.new_items if type(i).__name__ == "ToolCallOutputItem"], asked, None
        except ToolInputGuardrailTripwireTriggered as e:
            return list(ran), [], asked, type(e).__name__

    return asyncio.run(main())


def test_allow_deny_stop() -> None:
    assert run(["ls"]) == (["ls"], ["ok"], 0, None)
    assert run(["ls; rm x"]) == ([], ["Not that way. [no-rm (policy.toml:15)]"], 0, None)
    assert run(["rm -rf x", "ls"]) == ([], [], 0, "ToolInputGuardrailTripwireTriggered")


@pytest.mark.parametrize("saved", [False, True])
def test_a_person_is_asked(saved: bool) -> None:
    assert run(["git push"], approve=True, saved=saved) == (["git push"], ["ok"], 1, None)
    assert run(["git push"], approve=False, saved=saved) == ([], ["a person said no"], 1, None)


def test_a_denied_call_is_not_asked_about_and_an_approval_does_not_undo_it() -> None:
    plain = RunConfig(tracing_disabled=True)
    assert run(["rm x"], approve=True, config=plain)[:3] == ([], ["Not that way. [no-rm (policy.toml:15)]"], 0)
    asks = dataclasses.replace(shell, needs_approval=True)
    ran_, _, asked, _ = run(["rm x"], approve=True, tools=protect([asks], policy()), config=plain)
    assert (ran_, asked) == ([], 1)
    # What a tool asks of its own accord stays.
    assert run(["ls"], approve=True, tools=protect([asks], policy()))[2] == 1
    assert run(["ls"], approve=False, tools=protect([asks], policy()))[0] == []


def test_other_arguments_are_a_rejection_that_says_which() -> None:
    ran_, results, asked, _ = run(["npm install", "npm ci"])
    assert (ran_, asked) == (["npm ci"], 0)
    assert results[0] == 'Allowed only with these arguments: {"command": "npm ci"}. Call the tool again with exactly them.'


def test_a_guardrail_alone_does_not_wave_questions_through() -> None:
    alone = dataclasses.replace(shell, tool_input_guardrails=[guardrail(policy())])
    ran_, results, asked, _ = run(["git push"], tools=[alone])
    assert (ran_, asked) == ([], 0) and "nobody can be asked here" in results[0]
    assert run(["ls"], tools=[alone])[0] == ["ls"]


def test_whatever_fails_denies() -> None:
    def fails(*_: Any) -> None:
        raise RuntimeError("broken")

    everything = policy("version = 1\n[[rules]]\nallow_by_default = true\n")
    ran_, results, _, _ = run(["ls"], tools=protect([shell], everything, on_verdict=fails))
    assert ran_ == [] and "RuntimeError: broken" in results[0]
    ran_, results, _, _ = run(["ls"], tools=protect([shell], object()), approve=True)  # type: ignore[arg-type]
    assert ran_ == [] and "could not be asked" in results[0]


def test_what_else_is_known_of_a_tool() -> None:
    @function_tool
    def look(command: str) -> str:
        """Look"""
        ran.append(command)
        return "ok"

    look.name = "shell"
    plain = policy("version = 1\n[[rules]]\nallow_by_read_only = true\n")
    assert run(["x"], tools=protect([look], plain, about={"shell": {"hints": {"read_only": True}}}))[0] == ["x"]
    assert run(["x"], tools=protect([look], plain))[0] == []


def test_tools_of_a_server_are_known_by_it() -> None:
    rules = policy('version = 1\n[[rules]]\nallow_by_name = ["docs__*"]\n')
    for server, expected in (("docs", ["ls"]), ("other", []), (None, [])):
        guarded = dataclasses.replace(shell, tool_input_guardrails=[guardrail(rules, server=server)])
        assert run(["ls"], tools=[guarded])[0] == expected


def test_arguments_that_are_no_json_for_everybody_deny() -> None:
    everything = policy("version = 1\n[[rules]]\nallow_by_default = true\n")
    guard = guardrail(everything)

    class Context:
        tool_name, tool_call_id = "shell", "c"

        def __init__(self, arguments: str) -> None:
            self.tool_arguments = arguments

        def is_tool_approved(self, name: str, call_id: str) -> bool | None:
            return None

    class Data:
        def __init__(self, arguments: str) -> None:
            self.context = Context(arguments)

    def said(arguments: str) -> Any:
        output: Any = guard.guardrail_function(Data(arguments))  # type: ignore[arg-type]
        return output.behavior["type"]

    assert said(json.dumps({"command": "ls"})) == "allow" and said("") == "allow"
    for bad in ('{"a": NaN}', '{"a": 1e999}', '{"a": 99999999999999999999}', "[1]", '{"a": "\\ud800"}', "{", '{"a": 1, "a": 2}'):
        assert said(bad) == "reject_content", bad
