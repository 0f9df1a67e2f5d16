"""The package is typed, and its stubs say what is there."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import tool_policy

HERE = Path(__file__).resolve().parent.parent


def run(*argv: str) -> None:
    done = subprocess.run([sys.executable, "-m", *argv], cwd=HERE, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_strict_types() -> None:
    pytest.importorskip("mypy")
    for library in ("alpineagents", "claude_agent_sdk", "agents", "langchain"):
        pytest.importorskip(library)
    run("mypy", "--strict", "--cache-dir", str(Path(sys.prefix) / "mypy-cache"), "-p", "tool_policy")


def test_the_stubs_are_those_of_the_native_half(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    allowed = tmp_path / "allowed.txt"
    # What pyo3 adds by itself.
    allowed.write_text("tool_policy\\._native\\.__all__\n")
    run("mypy.stubtest", "tool_policy._native", "--allowlist", str(allowed), "--ignore-unused-allowlist")


def test_types_and_documentation_are_shipped() -> None:
    package = Path(tool_policy.__file__).parent
    assert (package / "py.typed").is_file() and (package / "_native.pyi").is_file()
    for name in tool_policy.__all__:
        thing = getattr(tool_policy, name)
        assert thing.__doc__, name
        if isinstance(thing, type):
            for member, value in vars(thing).items():
                if not member.startswith("_"):
                    assert value.__doc__, f"{name}.{member}"


def test_no_library_is_imported_before_it_is_used() -> None:
    code = "import sys, tool_policy, tool_policy.adapters, tool_policy.adapters.can_use_tool; "
    code += "print([m for m in ('alpineagents', 'claude_agent_sdk', 'agents', 'langchain') if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
