"""What a verdict costs from Python, beside the same rules in alpineagents' own classes, in one run: `bindings/python/run bench`.

Times are the median of rounds, in microseconds a verdict, on one thread; the contestants take turns round by round.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

from tool_policy import Call, Policy

ROUNDS = 15
LIMIT_US = 5.0


def rules(count: int) -> str:
    """`count` rules on names: denials, then allowances, then the person."""
    text = "version = 1\n"
    for number in range(count // 2):
        text += f'[[rules]]\ndeny_by_name = ["delete_{number}_*", "drop_{number}"]\n'
    for number in range(count - count // 2 - 1):
        text += f'[[rules]]\nallow_by_name = ["get_{number}_*", "list_{number}"]\n'
    return text + "[[rules]]\ndecide_by_human = true\n"


def once(work: Callable[[], Any], seconds: float = 0.05) -> float:
    """Microseconds that `work` takes."""
    times = 100
    while True:
        began = time.perf_counter()
        for _ in range(times):
            work()
        took = time.perf_counter() - began
        if took > seconds:
            return took / times * 1e6
        times *= 4


def measured(contestants: dict[str, Callable[[], Any]]) -> dict[str, float]:
    """The median for each; they take turns."""
    seen: dict[str, list[float]] = {name: [] for name in contestants}
    for _ in range(ROUNDS):
        for name, work in contestants.items():
            seen[name].append(once(work))
    return {name: statistics.median(times) for name, times in seen.items()}


def theirs(count: int) -> Callable[[str, dict[str, Any]], Callable[[], Any]] | None:
    """The same rules in alpineagents' own classes, asked as its runner asks them; `None` where it is not installed."""
    try:
        from alpineagents import State, tool
        from alpineagents.permissions import AllowByName, DecideByHuman, DenyByName, _check_call, _owned
        from alpineagents.types import ToolCall
    except ImportError:
        return None
    listed = [DenyByName([f"delete_{n}_*", f"drop_{n}"]) for n in range(count // 2)]
    listed += [AllowByName([f"get_{n}_*", f"list_{n}"]) for n in range(count - count // 2 - 1)]
    owned = _owned([*listed, DecideByHuman()], None)

    @tool
    def some(path: str) -> str:
        """Some tool"""
        return path

    def ask(name: str, args: dict[str, Any]) -> Callable[[], Any]:
        call, state = ToolCall(name=name, args=args, id="call_1"), State()
        return lambda: _check_call(owned, state, call, some)

    return ask


def names() -> bool:
    print("| rules on names | a dict | a `Call` | alpineagents' classes | of a dict, how many times faster |")
    print("|---|---|---|---|---|")
    holds = True
    for count in (10, 50, 100, 1000):
        policy = Policy.parse(rules(count))
        # Worst case: the last rule of a kind, after all denials.
        name, args = f"get_{count - count // 2 - 2}_x", {"path": "src/lib.rs", "limit": 20}
        as_dict = {"tool": name, "args": args, "id": "call_1"}
        call = Call(name, args, id="call_1")
        contestants = {"dict": lambda: policy.evaluate(as_dict).verdict, "call": lambda: policy.evaluate(call).verdict}
        ask = theirs(count)
        if ask is not None:
            contestants["theirs"] = ask(name, args)
        got = measured(contestants)
        holds &= got["dict"] < LIMIT_US
        other = got.get("theirs")
        shown = "not installed | " if other is None else f"{other:.2f} µs | {other / got['dict']:.0f} ×"
        print(f"| {count} | {got['dict']:.2f} µs | {got['call']:.2f} µs | {shown} |")
    return holds


def commands() -> None:
    text = 'version = 1\n[[rules]]\ndeny_by_name = ["*"]\nwhen.runs = ["rm *"]\n[[rules]]\nallow_by_name = ["Bash"]\nwhen.runs = ["@read-only"]\n'
    policy = Policy.parse(text, disk=False)
    shell = {"tool": "Bash", "host": "claude-code", "args": {"command": "git log --oneline | head -5"}}
    script = {**shell, "args": {"command": "\n".join(f"grep -n word{n} src/*.rs | head -{n}" for n in range(300))}}
    call = Call.from_dict(script)

    def work() -> None:
        for _ in range(20):
            policy.evaluate(call)

    got = measured({"shell": lambda: policy.evaluate(shell)})
    alone, together = [], []
    for _ in range(5):
        began = time.perf_counter()
        work()
        work()
        alone.append(time.perf_counter() - began)
        threads = [threading.Thread(target=work) for _ in range(2)]
        began = time.perf_counter()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        together.append(time.perf_counter() - began)
    print(f"\nA shell command (`git log --oneline | head -5`): {got['shell']:.1f} µs.")
    print(
        f"A script of 300 lines, 40 times: {min(alone) * 1e3:.0f} ms on one thread, {min(together) * 1e3:.0f} ms on two "
        f"({os.cpu_count()} cores; fastest of 5)."
    )


if __name__ == "__main__":
    holds = names()
    commands()
    print(f"\nA verdict in under {LIMIT_US:g} µs: {'yes' if holds else 'NO'}.")
    raise SystemExit(0 if holds else 1)
