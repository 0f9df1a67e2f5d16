"""Writes seeds for the fuzz targets from the corpora of the tests."""

import hashlib
import json
import pathlib
import re

here = pathlib.Path(__file__).parent
root = here.parent


def seed(target: str, data: bytes) -> None:
    folder = here / "seeds" / target
    folder.mkdir(parents=True, exist_ok=True)
    (folder / hashlib.sha1(data).hexdigest()).write_bytes(data)


commands = set()
for file in ["reports.jsonl", "peers.jsonl"]:
    for line in (root / "tests/corpora" / file).read_text().splitlines():
        if not line.strip():
            continue
        case = json.loads(line)
        seed("evaluate", json.dumps(case["call"]).encode())
        seed("load", b"\2" + json.dumps(case["policy"]).encode())
        command = case["call"].get("args", {}).get("command")
        if isinstance(command, str):
            commands.add(command)

# The string literals of the tables of scripts.
for file in [*(root / "src/facts/shell/tests").glob("*.rs"), *(root / "tests/bash_programs").glob("*.rs")]:
    for text in re.findall(r'^\s*"((?:[^"\\\n]|\\.)*)",?$', file.read_text(), re.M):
        try:
            commands.add(json.loads('"' + text.replace("\\'", "'").replace("\\0", "") + '"'))
        except ValueError:
            pass

for command in commands:
    seed("shell", command.encode())
    seed("explain_command", b"\0" + command.encode())

# Policies of the tests, whole or the value of a raw string.
for file in [*(root / "src/file/tests").glob("*.rs"), *(root / "tests").glob("*.rs")]:
    for text in re.findall(r'r#"(.*?)"#', file.read_text(), re.S):
        seed("load", b"\0" + ("version = 1\n" + text).encode() if "[[" in text and "version" not in text else b"\0" + text.encode())
        seed("load", b"\1" + text.encode())
