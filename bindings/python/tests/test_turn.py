"""Turns, people included."""

from __future__ import annotations

import asyncio
import json
import time
from typing import Any

import pytest

from tool_policy import Policy, Question

READ = {"tool": "read", "hints": {"read_only": True}, "id": "r"}
WRITE = {"tool": "write", "args": {"path": "a"}, "id": "w"}


def names(outcome: Any) -> list[str]:
    return [o.outcome for o in outcome.outcomes]


def test_yes_runs_and_no_stops_the_turn(policy: Policy) -> None:
    asked: list[Question] = []

    def human(question: Question) -> bool:
        asked.append(question)
        return True

    outcome = policy.turn([READ, WRITE], human)
    assert names(outcome) == ["run", "run"] and outcome.stopped is None
    assert (asked[0].text, asked[0].call_id, asked[0].timeout_s) == ('Run write(path="a")?', "w", 2)
    assert asked[0].digest.startswith("sha256:")
    assert [(a.call_id, a.question, a.answer) for a in outcome.answers] == [("w", 'Run write(path="a")?', "yes")]
    verdict = outcome.outcomes[1].verdict
    assert verdict is not None and verdict.cause == "human_yes"

    outcome = policy.turn([READ, WRITE, READ], lambda _: "no")
    assert names(outcome) == ["cancelled", "denied", "cancelled"] and outcome.stopped == 4
    assert outcome.outcomes[0].reason == "(not run: the user stopped this turn)" and outcome.outcomes[0].verdict is None
    assert outcome.outcomes[1].reason == "The user declined this call. Wait for their next message."
    assert json.loads(outcome.to_json())["stopped"] == 4


def test_without_a_person_what_would_be_asked_is_denied(policy: Policy) -> None:
    outcome = policy.turn([WRITE, READ])
    verdict = outcome.outcomes[0].verdict
    assert names(outcome) == ["denied", "run"] and verdict is not None and verdict.cause == "no_human"


def raising(_: Question) -> bool:
    raise RuntimeError("the page is gone")


@pytest.mark.parametrize("answer", [None, 1, 0, 1.0, "maybe", "", b"yes", [True], object()])
def test_what_is_no_answer_denies(policy: Policy, answer: Any) -> None:
    outcome = policy.turn([WRITE], lambda _: answer)
    verdict = outcome.outcomes[0].verdict
    assert verdict is not None
    assert (verdict.verdict, verdict.cause, outcome.answers[0].answer) == ("deny", "error", "error")

    async def human(_: Question) -> Any:
        return answer

    assert asyncio.run(policy.turn_async([WRITE], human)).outcomes[0].verdict == verdict


@pytest.mark.parametrize(("answer", "cause"), [(True, "human_yes"), ("Yes", "human_yes"), ("y", "human_yes"), (False, "human_no"), ("n", "human_no"), ("timeout", "human_timeout")])
def test_known_answers(policy: Policy, answer: Any, cause: str) -> None:
    verdict = policy.turn([WRITE], lambda _: answer).outcomes[0].verdict
    assert verdict is not None and verdict.cause == cause


def test_a_person_who_raises_denies(policy: Policy) -> None:
    outcome = policy.turn([WRITE, READ], raising)
    assert names(outcome) == ["denied", "run"]
    assert outcome.outcomes[0].reason == "The person could not be asked: RuntimeError: the page is gone"

    async def human(_: Question) -> bool:
        raise RuntimeError("the page is gone")

    assert asyncio.run(policy.turn_async([WRITE], human)).outcomes[0].reason == outcome.outcomes[0].reason


def test_what_ends_the_program_is_let_through(policy: Policy) -> None:
    def human(_: Question) -> bool:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        policy.turn([WRITE], human)


def test_a_yes_that_comes_too_late_is_none() -> None:
    policy = Policy.parse('version = 1\n[[rules]]\ndecide_by_human = { timeout = "1s" }\n', disk=False)

    def slow(_: Question) -> bool:
        time.sleep(2.1)
        return True

    verdict = policy.turn([WRITE], slow).outcomes[0].verdict
    assert verdict is not None and verdict.cause == "human_timeout"

    async def human(_: Question) -> bool:
        await asyncio.sleep(30)
        return True

    before = time.monotonic()
    verdict = asyncio.run(policy.turn_async([WRITE], human)).outcomes[0].verdict
    assert verdict is not None and verdict.cause == "human_timeout" and verdict.stop
    assert time.monotonic() - before < 10


def test_people_may_be_awaited(policy: Policy) -> None:
    async def human(question: Question) -> str:
        await asyncio.sleep(0.01)
        return "yes" if question.call_id == "w" else "no"

    outcome = asyncio.run(policy.turn_async([READ, WRITE, {**WRITE, "id": "x"}, READ], human))
    assert names(outcome) == ["cancelled", "cancelled", "denied", "cancelled"]
    assert [a.answer for a in outcome.answers] == ["yes", "no"]


def test_a_cancelled_question_is_no_verdict(policy: Policy) -> None:
    async def human(_: Question) -> bool:
        await asyncio.sleep(30)
        return True

    async def main() -> None:
        task = asyncio.ensure_future(policy.turn_async([WRITE], human))
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())


def test_no_person_of_another_kind(policy: Policy) -> None:
    with pytest.raises(TypeError, match="`human` must be"):
        policy.turn([WRITE], "yes")  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        policy.turn(5)  # type: ignore[arg-type]
    # An async person where none is awaited: the coroutine is no answer.
    async def human(_: Question) -> bool:
        return True

    with pytest.warns(RuntimeWarning, match="never awaited"):
        outcome = policy.turn([WRITE], human)  # type: ignore[arg-type]
        import gc

        gc.collect()
    assert names(outcome) == ["denied"]
