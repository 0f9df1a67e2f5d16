"""What is raised."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ._native import Diagnostic


class PolicyError(ValueError):
    """A policy that does not load. As text, everything that is wrong with it, each with its place."""

    diagnostics: tuple[Diagnostic, ...]
    """Each of the findings."""

    def __init__(self, rendered: str, diagnostics: tuple[Diagnostic, ...] = ()) -> None:
        super().__init__(rendered)
        self.diagnostics = diagnostics


class CallError(ValueError):
    """Something that is no call. As text, everything that is wrong with it."""
