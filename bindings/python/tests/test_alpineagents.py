"""The permissions of alpineagents, against the library itself."""

from __future__ import annotations

import asyncio
import re
from importlib.metadata import metadata
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("alpineagents", reason="alpineagents is not installed")

from alpineagents import Agent, Human, Message, Reporter, State, StoppedByPermission, ToolError, tool
from alpineagents.permissions import AllowByDefault, AllowByName, AllowByReadOnly, DecideByHuman, DenyByName
from alpineagents.testing import FakeHuman, FakeModel, tool_call

from tool_policy import Layers, Policy
from tool_policy.adapters.alpineagents import PolicyDecides, PolicyDenials, permissions

RULES = """
version = 1
[[rules]]
deny_by_name = ["delete_*"]
[[rules]]
allow_by_read_only = true
[[rules]]
decide_by_human = true
"""
OURS = [DenyByName(["delete_*"]), AllowByReadOnly(), DecideByHuman()]

ran: list[str] = []


@tool
def shell(command: str) -> str:
    """Run a command"""
    ran.append(command)
    return "ok"


@tool(read_only=True, open_world=False)
def read_file(path: str) -> str:
    """Read a file"""
    ran.append(f"read {path}")
    return "text"


@tool(open_world=False)
def write_file(path: str, content: str) -> str:
    """Write a file"""
    ran.append(f"write {path}")
    return "ok"


@tool
def delete_file(path: str) -> str:
    """Delete a file"""
    ran.append(f"delete {path}")
    return "ok"


@tool
def npm(command: str) -> str:
    """Run npm"""
    ran.append(f"npm {command}")
    return "ok"


class Outcomes(Reporter):
    """What the model was told."""

    def __init__(self) -> None:
        self.seen: list[tuple[str, str, str]] = []

    def on_tool_end(self, state: Any, call: Any, result: Any, outcome: Any) -> None:
        self.seen.append((call.name, outcome.kind, str(result)))


def run(replies: list[Any], allowed: list[Any], answers: list[Any] = [], asynchronous: bool = False, human: Any = None, **more: Any) -> Any:
    """(what ran, how it stopped, what was asked, what the model was told)"""
    ran.clear()
    state, outcomes = State(), Outcomes()
    state.add_message(Message.user("go"))
    person = human or FakeHuman(answers)
    tools = more.pop("tools", [shell, read_file, write_file, delete_file, npm])
    agent = Agent(model=FakeModel([*replies, "done"]), tools=tools, human=person, reporter=outcomes, permissions=allowed)
    if asynchronous:
        asyncio.run(agent.arun(state))
    else:
        agent.run(state)
    return list(ran), type(state.stopped).__name__, getattr(person, "questions", []), outcomes.seen


def policy(text: str = RULES) -> Policy:
    return Policy.parse(text, disk=False)


BOTH = pytest.mark.parametrize("asynchronous", [False, True])


@BOTH
@pytest.mark.parametrize(
    ("replies", "answers"),
    [
        ([tool_call("read_file", path="a")], []),
        ([tool_call("write_file", path="a", content="é\n")], ["yes"]),
        ([tool_call("write_file", path="a", content="x")], ["no"]),
        ([tool_call("delete_file", path="a"), tool_call("read_file", path="b")], []),
        ([[tool_call("read_file", path="a"), tool_call("write_file", path="a", content="x"), tool_call("read_file", path="b")]], ["no"]),
        ([[tool_call("write_file", path="a", content="x"), tool_call("shell", command="ls")]], ["yes", "no"]),
        ([[tool_call("delete_file", path="a"), tool_call("shell", command="ls")]], ["yes"]),
    ],
)
def test_the_same_rules_in_a_file_do_what_the_classes_do(replies: list[Any], answers: list[str], asynchronous: bool) -> None:
    ours = run(replies, permissions(policy()), answers, asynchronous)
    theirs = run(replies, OURS, answers, asynchronous)
    assert ours == theirs


def test_the_first_examples_behave_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first examples of the library's own page, word for word but for the permissions."""
    monkeypatch.chdir(tmp_path)
    Path("README.md").write_text("# Hello\n")
    page = metadata("alpineagents").get_payload() or metadata("alpineagents")["Description"]
    blocks = re.findall(r"```python\n(.*?)```", str(page), re.S)
    examples = [block for block in blocks if "FakeModel" in block and "tools=[" in block]
    assert examples, "the page has no example that runs without a key"
    for example in examples:
        printed: dict[str, list[str]] = {}
        for name, rules in {"none": "", "theirs": ", permissions=THEIRS", "ours": ", permissions=OURS"}.items():
            said: list[str] = []
            names = {
                "print": lambda *what: said.append(" ".join(map(str, what))),
                "THEIRS": [DenyByName(["delete_*"]), AllowByName(["read_*"])],
                "OURS": permissions(policy(RULES.replace('allow_by_read_only = true', 'allow_by_name = ["read_*"]'))),
            }
            exec(re.sub(r"(tools=\[[^\]]*\])", r"\1" + rules, example), names)
            printed[name] = said
        assert printed["ours"] == printed["theirs"] == printed["none"] and printed["ours"]


def test_approve_decline_say_what_to_do_instead_and_go_on() -> None:
    """The loop of a program that lets a person decline and then say what to do instead."""
    told: dict[str, Any] = {}
    replies = [
        tool_call("read_file", path="a.md"),
        tool_call("write_file", path="README.md", content="# Hi"),
        tool_call("write_file", path="README.txt", content="Hi"),
        "Wrote README.txt",
    ]
    for name, allowed in {"theirs": OURS, "ours": permissions(policy())}.items():
        ran.clear()
        model = FakeModel(replies)
        human = FakeHuman(["no", "yes"])
        agent = Agent(model=model, tools=[read_file, write_file], human=human, reporter=None, permissions=allowed)
        state = State(messages=[Message.user("Write a README")])
        agent.run(state)
        instead = iter(["Use README.txt instead"])
        while isinstance(state.stopped, StoppedByPermission):
            state.add_message(Message.user(next(instead)))
            agent.run(state)
        seen = [repr(message) for request in model.requests for message in request.messages]
        told[name] = (state.answer, list(ran), human.questions, seen)
    assert told["ours"] == told["theirs"]
    assert told["ours"][0] == "Wrote README.txt" and told["ours"][1] == ["read a.md", "write README.txt"]
    assert told["ours"][2] == [
        'Run write_file(path="README.md", content="# Hi")?',
        'Run write_file(path="README.txt", content="Hi")?',
    ]


@BOTH
def test_denials_come_before_what_others_allow(asynchronous: bool) -> None:
    mixed = [AllowByDefault(), PolicyDenials(policy())]
    assert run([tool_call("delete_file", path="x")], mixed, asynchronous=asynchronous)[0] == []
    assert run([tool_call("shell", command="ls")], mixed, asynchronous=asynchronous)[0] == ["ls"]
    assert run([tool_call("read_file", path="x")], [PolicyDenials(policy()), AllowByReadOnly(), PolicyDecides(policy())])[0] == ["read x"]


def test_that_no_rule_decides_is_left_to_the_rest_of_the_list() -> None:
    strict = policy('version = 1\n[[rules]]\nallow_by_name = ["read_*"]\n')
    assert run([tool_call("shell", command="ls")], [PolicyDenials(strict), AllowByDefault()])[0] == ["ls"]
    ran_, stopped, _, told = run([tool_call("shell", command="ls")], permissions(strict))
    assert (ran_, stopped, told) == ([], "StoppedByUntil", [("shell", "denied", "No permission allowed this call.")])


DOUBT = """
version = 1
[tools.shell]
command = "command"
[[rules]]
deny_by_name = ["shell"]
when.runs = ["rm *"]
[[rules]]
decide_by_human = true
"""


@BOTH
def test_what_may_be_a_denial_is_asked_once_and_nothing_waves_it_through(asynchronous: bool) -> None:
    unsure = tool_call("shell", command="$PROGRAM -rf x")
    full = permissions(policy(DOUBT))
    ran_, _, asked, _ = run([unsure], full, ["yes"], asynchronous)
    assert (ran_, len(asked)) == (["$PROGRAM -rf x"], 1)
    ran_, stopped, asked, _ = run([unsure], [full[0], AllowByDefault(), full[1]], ["no"], asynchronous)
    assert (ran_, stopped, len(asked)) == ([], "StoppedByPermission", 1)
    assert run([tool_call("shell", command="rm x")], [AllowByDefault(), *full], asynchronous=asynchronous)[0] == []
    # A yes is for one call: the next one is asked about again.
    ran_, _, asked, _ = run([unsure, tool_call("shell", command="$PROGRAM -rf x")], full, ["yes", "no"], asynchronous)
    assert (ran_, len(asked)) == (["$PROGRAM -rf x"], 2)


def test_changed_arguments_are_asked_of_the_model() -> None:
    rules = 'version = 1\n[[rules]]\nallow_by_name = ["npm"]\nset = { command = "ci" }\n'
    ran_, _, _, told = run([tool_call("npm", command="install"), tool_call("npm", command="ci")], permissions(policy(rules)))
    assert ran_ == ["npm ci"]
    assert told[0][2] == 'Allowed only with these arguments: {"command": "ci"}. Call the tool again with exactly them.'


def test_a_stop_cancels_the_other_calls() -> None:
    rules = 'version = 1\n[[rules]]\ndeny_by_name = ["delete_*"]\nstop = true\n[[rules]]\nallow_by_default = true\n'
    both = [tool_call("shell", command="ls"), tool_call("delete_file", path="x")]
    ran_, stopped, _, told = run([both], permissions(policy(rules)))
    assert (ran_, stopped) == ([], "StoppedByPermission")
    assert sorted(told) == [("delete_file", "denied", "delete_file is not allowed."), ("shell", "cancelled", "(not run: the user stopped this turn)")]


def test_subagents_have_the_denials_of_the_run_above() -> None:
    for own in (None, [AllowByDefault()]):
        ran.clear()
        below = Agent(
            model=FakeModel([tool_call("delete_file", path="x"), tool_call("shell", command="ls"), "done below"]),
            name="below",
            description="does things",
            tools=[delete_file, shell],
            permissions=own,
        )
        human = FakeHuman(["yes", "yes"])
        lead = Agent(
            model=FakeModel([tool_call("below", prompt="go"), "done"]),
            tools=[below],
            human=human,
            reporter=None,
            permissions=permissions(policy()),
        )
        lead.run("go")
        assert ran == ["ls"], own
        # Without a list of its own, the one above asks about the subagent's calls, too.
        assert len(human.questions) == (2 if own is None else 1)


@BOTH
def test_people_reached_asynchronously_and_people_of_the_policy(asynchronous: bool) -> None:
    class Page(Human):  # type: ignore[misc]
        async def aask(self, state: Any, prompt: str, returns: Any = str) -> Any:
            return "yes"

    if asynchronous:
        assert run([tool_call("shell", command="ls")], permissions(policy()), asynchronous=True, human=Page())[0] == ["ls"]
    own = FakeHuman(["yes"])
    ran_, _, asked, _ = run([tool_call("shell", command="ls")], permissions(policy(), human=own), [], asynchronous)
    assert (ran_, asked, own.questions) == (["ls"], [], ['Run shell(command="ls")?'])


@BOTH
def test_whatever_fails_denies(asynchronous: bool) -> None:
    def fails(call: Any, verdict: Any) -> None:
        raise RuntimeError("the log is full")

    everything = policy("version = 1\n[[rules]]\nallow_by_default = true\n")
    ran_, _, _, told = run([tool_call("shell", command="ls")], permissions(everything, on_verdict=fails), asynchronous=asynchronous)
    assert ran_ == [] and "RuntimeError: the log is full" in told[0][2]
    ran_, _, _, told = run([tool_call("shell", command=2**70)], permissions(everything), asynchronous=asynchronous)
    assert ran_ == [] and "more than 64 bits" in told[0][2]


def test_the_policy_is_told_what_the_tool_says(tmp_path: Path) -> None:
    seen: list[Any] = []
    allowed = permissions(Layers(policy(), disk=False), cwd=str(tmp_path), mode="yolo", on_verdict=lambda call, verdict: seen.append((call, verdict)))
    run([tool_call("read_file", path="a"), tool_call("delete_file", path="b")], allowed)
    call, verdict = seen[0]
    assert call["hints"] == {"read_only": True, "destructive": False, "idempotent": True, "open_world": False}
    assert (call["host"], call["cwd"], call["mode"], verdict.verdict) == ("alpineagents", str(tmp_path), "yolo", "allow")
    # Each verdict is told once.
    assert [(c["tool"], v.verdict) for c, v in seen] == [("read_file", "allow"), ("delete_file", "deny")]


def test_tools_of_servers_are_known_by_their_server() -> None:
    mcp = pytest.importorskip("mcp", reason="mcp is not installed")
    from alpineagents import MCP
    from mcp.server import MCPServer

    server = MCPServer("demo")

    @server.tool()
    def wipe(path: str) -> str:
        """Wipe"""
        ran.append(f"wipe {path}")
        return "ok"

    @server.tool(annotations=mcp.types.ToolAnnotations(read_only_hint=True))
    def look(path: str) -> str:
        """Look"""
        ran.append(f"look {path}")
        return "ok"

    rules = """
version = 1
[[rules]]
deny_by_name = ["*"]
when.mcp_server = ["demo"]
when.tool = ["*wipe"]
reason = "No wiping."
[[rules]]
allow_by_read_only = { trust_mcp = ["demo"] }
"""
    calls = [tool_call("demo__wipe", path="a"), tool_call("demo__look", path="b")]
    ran_, _, _, told = run(calls, permissions(policy(rules)), tools=[MCP(server=server, name="demo")])
    assert ran_ == ["look b"] and told[0] == ("demo__wipe", "denied", "No wiping.")
    untrusted = rules.replace("{ trust_mcp = [\"demo\"] }", "true")
    assert run(calls, permissions(policy(untrusted)), tools=[MCP(server=server, name="demo")])[0] == []


def test_the_permissions_have_stable_names() -> None:
    assert [repr(p) for p in permissions(policy())] == ['PolicyDenials(Policy("policy.toml"))', 'PolicyDecides(Policy("policy.toml"))']
    assert repr(PolicyDecides(policy(), human=FakeHuman([]))) == 'PolicyDecides(Policy("policy.toml"), human=FakeHuman)'


def test_a_tool_error_of_a_tool_is_none_of_ours() -> None:
    @tool
    def fail() -> str:
        """Fail"""
        raise ToolError("broken")

    everything = policy("version = 1\n[[rules]]\nallow_by_default = true\n")
    told = run([tool_call("fail")], permissions(everything), tools=[fail])[3]
    assert "broken" in told[0][2]
