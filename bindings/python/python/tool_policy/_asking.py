"""Turns whose people are awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from ._native import Question, Terminal, TurnOutcome, TurnSteps


async def decide(steps: TurnSteps | TurnOutcome, human: Callable[[Question], Awaitable[bool | str]]) -> TurnOutcome:
    """Carries a turn on from question to question."""
    if isinstance(steps, TurnOutcome):
        return steps
    if isinstance(human, Terminal) or not callable(human):
        raise TypeError("`human` must be an async function that takes a question; for a `Terminal`, use `turn`")
    # Judging may look at the disk: not on the thread of the event loop.
    next_ = await asyncio.to_thread(steps.begin)
    while isinstance(next_, Question):
        try:
            answer: object = await asyncio.wait_for(human(next_), next_.timeout_s)
        except (asyncio.TimeoutError, TimeoutError):
            answer = "timeout"
        except Exception as e:
            next_ = await asyncio.to_thread(steps.fail, f"{type(e).__name__}: {e}")
            continue
        next_ = await asyncio.to_thread(steps.answer, answer)
    return next_
