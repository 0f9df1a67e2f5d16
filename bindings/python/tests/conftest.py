"""What the tests have in common."""

from __future__ import annotations

import pytest

from tool_policy import Policy

RULES = """
version = 1

[[rules]]
id = "no-deletes"
deny_by_name = ["delete_*"]
reason = "Deleting is not allowed."

[[rules]]
id = "no-wipes"
deny_by_name = ["wipe_*"]
reason = "Wiping ends it."
stop = true

[[rules]]
id = "reading"
allow_by_read_only = true

[[rules]]
id = "quiet-tests"
allow_by_name = ["test"]
set = { quiet = true }

[[rules]]
id = "ask"
decide_by_human = { timeout = "2s" }
unless.tool = ["unknown_*"]
"""


@pytest.fixture
def policy() -> Policy:
    return Policy.parse(RULES, name="rules.toml", disk=False)
