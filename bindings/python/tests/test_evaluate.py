"""Judging one call."""

from __future__ import annotations

import json
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any

import pytest

from tool_policy import Call, CallError, Layers, Policy, PolicyError, Verdict

ALL = "version = 1\n[[rules]]\nallow_by_default = true\n"


def allows_all() -> Policy:
    return Policy.parse(ALL, disk=False)


def test_a_verdict_has_the_attributes_of_its_json(policy: Policy) -> None:
    verdict = policy.evaluate({"tool": "delete_branch", "args": {"name": "main"}, "id": "c1"})
    by = verdict.decided_by
    assert by is not None
    assert (verdict.verdict, verdict.reason, verdict.stop, verdict.cause) == ("deny", "Deleting is not allowed.", False, "rule")
    assert (by.rule, by.kind, by.index, by.file, by.line, by.layer) == ("no-deletes", "deny_by_name", 0, "rules.toml", 5, None)
    assert (verdict.call_id, verdict.warnings, verdict.allowed, bool(verdict)) == ("c1", (), False, False)
    assert verdict.policy == policy.digest
    told = json.loads(verdict.to_json())
    assert told == verdict.to_dict()
    assert list(told)[:6] == ["verdict", "reason", "stop", "decided_by", "cause", "call_id"]
    assert repr(verdict) == "Verdict[deny by no-deletes (rules.toml:5) (rule)]"


def test_an_allowance_may_change_arguments(policy: Policy) -> None:
    verdict = policy.evaluate({"tool": "test", "args": {"all": [1, 2.5, None, {"x": "é"}]}})
    assert verdict.allowed and verdict
    assert verdict.updated_args == {"all": [1, 2.5, None, {"x": "é"}], "quiet": True}
    assert verdict.model_note is not None
    changed = verdict.updated_args
    changed["all"] = "something else"
    assert verdict.updated_args["quiet"] and verdict.updated_args["all"] != "something else"


def test_a_question(policy: Policy) -> None:
    verdict = policy.evaluate(Call("write_file", {"path": "a.md", "n": 1.0}))
    assert (verdict.verdict, verdict.question, verdict.timeout_s) == ("ask", 'Run write_file(path="a.md", n=1.0)?', 2)
    assert verdict.digest == Call("write_file", {"n": 1.0, "path": "a.md"}).digest
    assert not verdict.allowed and not verdict


def test_verdicts_cannot_be_changed(policy: Policy) -> None:
    verdict = policy.evaluate({"tool": "delete_x"})
    with pytest.raises(AttributeError):
        verdict.verdict = "allow"  # type: ignore[misc, assignment]
    assert verdict == policy.evaluate({"tool": "delete_x"})
    assert verdict != policy.evaluate({"tool": "delete_y"}) or verdict.reason is not None


def test_parts_of_a_command() -> None:
    text = 'version = 1\n[[rules]]\nid = "tests"\nallow_by_name = ["Bash"]\nwhen.runs = ["cargo test *"]\n[[rules]]\ndecide_by_human = true\n'
    call = {"tool": "Bash", "host": "claude-code", "args": {"command": "cargo test && rm -rf target"}}
    verdict = Policy.parse(text, disk=False).evaluate(call)
    assert verdict.verdict == "ask"
    assert [(p.kind, p.text, p.span, p.decided_by) for p in verdict.parts] == [
        ("run", "cargo test", (0, 10), "tests"),
        ("run", "rm -rf target", (14, 27), "rule-2"),
    ]


class Word(str, Enum):
    READ = "read_x"


ITSELF: list[Any] = []
ITSELF.append(ITSELF)
DEEP: Any = 1
for _ in range(200):
    DEEP = [DEEP]
WIDE: Any = []
for _ in range(40):
    WIDE = [WIDE, WIDE]


@pytest.mark.parametrize(
    ("args", "why"),
    [
        ({"a": math.nan}, "`call.args.a` is NaN"),
        ({"a": [1, -math.inf]}, "`call.args.a[1]` is -inf"),
        ({"a": b"x"}, "`call.args.a` is of type bytes"),
        ({"a": {"b": {1, 2}}}, "`call.args.a.b` is of type set"),
        ({"a": object()}, "`call.args.a` is of type object"),
        ({1: "x"}, "a key of `call.args` is of type int"),
        ({None: "x"}, "a key of `call.args` is of type NoneType"),
        ({"a": {b"k": 1}}, "a key of `call.args.a` is of type bytes"),
        ({"a": 2**64}, "more than 64 bits"),
        ({"a": -(2**63) - 1}, "more than 64 bits"),
        ({"a": 10**5000}, "more than 64 bits"),
        ({"a": "\ud800"}, "surrogate"),
        ({"\udfff": 1}, "surrogate"),
        ({"a": ITSELF}, "holds itself"),
        ({"a": DEEP}, "nested more than 128 deep"),
        ({"a": WIDE}, "more than 1000000 values"),
        ([1], "`args` must be an object, not a list"),
        ("x", "`args` must be an object, not a string"),
    ],
)
def test_what_is_no_json_is_denied_and_refused(args: Any, why: str) -> None:
    verdict = allows_all().evaluate({"tool": "x", "args": args, "id": "c7"})
    assert (verdict.verdict, verdict.cause, verdict.call_id) == ("deny", "error", "c7")
    assert why in (verdict.reason or "")
    with pytest.raises(CallError, match="^(?!not a call)") as refused:
        Call("x", args)
    assert why.removeprefix("`call.args").split("`")[0] in str(refused.value)


@pytest.mark.parametrize("call", [None, 5, "x", [], object(), {}, {"tool": 1}, {"tol": "x"}, {"tool": "x", "mode": "fast"}])
def test_what_is_no_call_is_denied(call: Any) -> None:
    verdict = allows_all().evaluate(call)
    assert (verdict.verdict, verdict.cause) == ("deny", "error")
    assert verdict.reason
    assert allows_all().explain(call).verdict == verdict
    # No call of its turn runs.
    outcome = allows_all().turn([call, {"tool": "fine"}], lambda _: True)
    assert [o.outcome for o in outcome.outcomes] == ["denied", "denied"]


def test_a_made_up_disk_is_for_tests_of_policies() -> None:
    verdict = allows_all().evaluate({"tool": "x", "fs": {}})
    assert (verdict.verdict, verdict.cause) == ("deny", "error")


@pytest.mark.parametrize(
    "value",
    [None, True, 0, -(2**63), 2**64 - 1, 0.1, -0.0, 1e300, "", "é\U0001f600\x00", [], [[]], {}, {"a": {"b": [1, "x", None]}}],
)
def test_values_arrive_as_they_are(value: Any) -> None:
    given = Call("x", {"v": value}).args
    assert given == {"v": value}
    assert type(given["v"]) is type(value)
    assert json.dumps(given) == json.dumps({"v": value})


def test_what_json_has_another_type_for_is_read_as_json_reads_it() -> None:
    args = OrderedDict(t=(1, 2), w=Word.READ, m=MappingProxyType({"k": True}))
    assert Call("x", args).args == {"t": [1, 2], "w": "read_x", "m": {"k": True}}
    assert list(Call("x", {"b": 1, "a": 2}).args) == ["b", "a"]


class Changing(dict[str, Any]):
    """A mapping that cannot be read."""

    def items(self) -> Any:
        raise RuntimeError("not today")


class Odd:
    """A mapping that says anything."""

    def __getitem__(self, key: str) -> int:
        return 1

    def __len__(self) -> int:
        return 1

    def keys(self) -> list[str]:
        return ["a"]

    def items(self) -> Any:
        raise RuntimeError("not today")


def test_a_mapping_that_fails_is_denied() -> None:
    Mapping.register(Odd)
    verdict = allows_all().evaluate({"tool": "x", "args": {"a": Odd()}})
    assert verdict.cause == "error" and "not today" in (verdict.reason or "")
    # A dict is read as what it holds.
    assert allows_all().evaluate({"tool": "x", "args": Changing(a=1)}).allowed


@pytest.mark.filterwarnings("ignore")
def test_a_panic_is_a_denial(capfd: pytest.CaptureFixture[str]) -> None:
    args: dict[str, Any] = {}

    class Growing(Mapping[str, Any]):
        """Changes what is being read."""

        def __getitem__(self, key: str) -> Any:
            raise KeyError(key)

        def __len__(self) -> int:
            return 0

        def __iter__(self) -> Iterator[str]:
            args.update({str(len(args)): 1})
            return iter(())

    args.update(a=Growing(), b=1)
    call = {"tool": "x", "args": args}
    for verdict in (allows_all().evaluate(call), allows_all().explain(call).verdict, allows_all().turn([call]).outcomes[0].verdict):
        assert verdict is not None and (verdict.verdict, verdict.cause) == ("deny", "error")
        assert "the policy engine failed" in (verdict.reason or "")
    with pytest.raises(CallError, match="failed"):
        Call("x", args)
    capfd.readouterr()


def test_a_call_says_what_it_is() -> None:
    call = Call(
        "docs__search",
        {"q": "x"},
        id="1",
        mcp={"server": "docs", "tool": "search"},
        hints={"read_only": True},
        host="alpineagents",
        cwd="/w",
        workspace="/w",
        mode="yolo",
        agent="a",
        env={"A": "1"},
        confirmation={"title": "t"},
        reason="prompt",
    )
    assert (call.tool, call.name, call.id, call.host, call.cwd, call.workspace, call.mode, call.agent) == (
        "docs__search",
        "docs__search",
        "1",
        "alpineagents",
        "/w",
        "/w",
        "yolo",
        "a",
    )
    assert str(call) == 'docs__search(q="x")'
    assert Call.from_dict({"tool": "a", "args": {"x": 1}}) == Call("a", {"x": 1})
    with pytest.raises(CallError, match="unknown mode `fast`"):
        Call("a", mode="fast")
    with pytest.raises(CallError, match="cannot both be true"):
        Call("a", hints={"read_only": True, "destructive": True})
    with pytest.raises(CallError, match="must be a string, not a number"):
        Call(5)  # type: ignore[arg-type]


def test_layers_tighten_and_never_loosen(policy: Policy) -> None:
    layers = Layers(policy.in_layer("managed"), allows_all().in_layer("project"), disk=False)
    assert len(layers) == 2
    denied = layers.evaluate({"tool": "delete_x"})
    assert denied.decided_by is not None and denied.decided_by.layer == "managed"
    assert layers.evaluate({"tool": "write"}).verdict == "ask"
    assert layers.evaluate({"tool": "unknown_x"}).allowed
    told = layers.explain({"tool": "unknown_x"})
    assert {step.rule.layer for step in told.steps} == {"managed", "project"}
    with pytest.raises(TypeError):
        Layers()


def test_a_subagent_has_the_denials_above(policy: Policy) -> None:
    below = policy.for_subagent(allows_all())
    assert below.evaluate({"tool": "write"}).allowed
    assert below.evaluate({"tool": "delete_x"}).reason == "Deleting is not allowed."
    assert policy.for_subagent().evaluate({"tool": "write"}).verdict == "ask"
    assert Layers(policy).for_subagent(allows_all()).evaluate({"tool": "delete_x"}).verdict == "deny"


def test_explain_tells_the_walk(policy: Policy) -> None:
    told = policy.explain({"tool": "test"})
    assert told.verdict == policy.evaluate({"tool": "test"})
    assert [(step.rule.rule, step.outcome) for step in told.steps if step.outcome == "match"] == [("quiet-tests", "match")]
    assert [(fact.kind, fact.text) for fact in told.facts] == [("call", "test()")]
    assert "quiet-tests (rules.toml" in str(told) and str(told).startswith("call     test()")


def test_a_policy_that_does_not_load_says_everything(tmp_path: Any) -> None:
    with pytest.raises(PolicyError) as refused:
        Policy.parse('version = 1\n[[rules]]\ndeny_by_nam = ["x"]\n[[rules]]\nallow_by_default = 3\n')
    assert len(refused.value.diagnostics) == 2
    first = refused.value.diagnostics[0]
    assert (first.code, first.severity, first.file, first.line, first.column) == ("E0303", "error", "policy.toml", 3, 1)
    assert "did you mean `deny_by_name`?" in str(refused.value) and "policy.toml:3:1" in str(refused.value)
    assert str(first) in str(refused.value)
    with pytest.raises(PolicyError):
        Policy.load(tmp_path / "none.toml")
    with pytest.raises(ValueError, match="unknown format"):
        Policy.parse("", "xml")  # type: ignore[arg-type]


def test_a_policy_from_a_file_has_its_folder(tmp_path: Any) -> None:
    path = tmp_path / "policy.yaml"
    path.write_text('version: 1\nrules:\n- allow_by_name: ["*"]\n  when: {writes: {inside: "."}}\n')
    policy = Policy.load(path)
    assert policy.folder == str(tmp_path) and len(policy) == 1 and policy
    call = {"tool": "Write", "host": "claude-code", "args": {"file_path": str(tmp_path / "a"), "content": ""}}
    assert policy.evaluate(call).allowed
    assert not Policy.load(path, workspace=tmp_path / "sub").evaluate(call).allowed
    # A link out of the folder is followed on the disk.
    (tmp_path / "out").symlink_to("/")
    call = {"tool": "Write", "host": "claude-code", "args": {"file_path": str(tmp_path / "out" / "a"), "content": ""}}
    assert not policy.evaluate(call).allowed


def test_threads_judge_at_the_same_time(policy: Policy) -> None:
    got: list[Verdict] = []

    def work() -> None:
        for i in range(500):
            got.append(policy.evaluate({"tool": "delete_x", "id": str(i)}))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(got) == 4000 and {verdict.verdict for verdict in got} == {"deny"}


def test_judging_lets_other_threads_run() -> None:
    """A long command is judged without the interpreter's lock, so another thread goes on meanwhile."""
    text = 'version = 1\n[[rules]]\nallow_by_name = ["Bash"]\nwhen.runs = ["echo *"]\n'
    policy = Policy.parse(text, disk=False)
    call = Call("Bash", {"command": "\n".join(f"echo {i} | cat -n" for i in range(4000))}, host="claude-code")
    stamps: list[float] = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            time.sleep(0.001)
            stamps.append(time.perf_counter())

    thread = threading.Thread(target=tick)
    thread.start()
    began = time.perf_counter()
    policy.evaluate(call)
    ended = time.perf_counter()
    done.set()
    thread.join()
    third = (ended - began) / 3
    assert third > 0.005, "the command is too short to tell"
    assert any(began + third < stamp < ended - third for stamp in stamps)
