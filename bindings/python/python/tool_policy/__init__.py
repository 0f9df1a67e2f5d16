"""A permission engine for AI agents: a policy is a file, and every tool call is judged against it before it runs.

    from tool_policy import Policy

    policy = Policy.load("policy.toml")
    verdict = policy.evaluate({"tool": "read_file", "args": {"path": "notes.txt"}})
    if verdict.allowed:
        ...

Deny matches any part of a call; allow must cover all of it; what lies between goes to a person. A fault is never an allowance.
Adapters for agent libraries are in `tool_policy.adapters`.
"""

from ._errors import CallError, PolicyError
from ._native import (
    Asked,
    Call,
    CallOutcome,
    CheckReport,
    Diagnostic,
    Explanation,
    Fact,
    Layers,
    Part,
    Policy,
    Question,
    RuleRef,
    Step,
    Terminal,
    TurnOutcome,
    Verdict,
    check,
    check_text,
)

__all__ = [
    "Asked",
    "Call",
    "CallError",
    "CallOutcome",
    "CheckReport",
    "Diagnostic",
    "Explanation",
    "Fact",
    "Layers",
    "Part",
    "Policy",
    "PolicyError",
    "Question",
    "RuleRef",
    "Step",
    "Terminal",
    "TurnOutcome",
    "Verdict",
    "check",
    "check_text",
]
