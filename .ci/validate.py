"""Holds policies and calls of this repository against the JSON Schemas in schema/, with a validator that is not ours."""
import json, pathlib, sys, tomllib

from jsonschema import Draft7Validator

ROOT = pathlib.Path(__file__).resolve().parent.parent
validators = {}
for name in ("policy", "tests", "call", "verdict", "turn"):
    schema = json.loads((ROOT / "schema" / f"{name}.schema.json").read_text(encoding="utf-8"))
    Draft7Validator.check_schema(schema)
    validators[name] = Draft7Validator(schema)

count, problems = 0, []


def hold(kind, document, place):
    global count
    count += 1
    for error in validators[kind].iter_errors(document):
        problems.append(f"{place}: {kind}: {'/'.join(map(str, error.absolute_path)) or '(root)'}: {error.message[:300]}")


def read_policy(path):
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".toml":
        return tomllib.loads(text)
    if path.suffix == ".json":
        return json.loads(text)
    try:
        import yaml
    except ImportError:
        return None
    return yaml.safe_load(text)


for path in sorted((ROOT / "policies").glob("**/*")) if (ROOT / "policies").is_dir() else []:
    if path.suffix in (".toml", ".yaml", ".yml", ".json") and not path.stem.endswith(".test"):
        document = read_policy(path)
        if document is not None:
            hold("policy", document, path.relative_to(ROOT))
            for test in document.get("tests", []):
                for call in [test["call"]] if "call" in test else test.get("calls", test.get("each", [])):
                    hold("call", call, path.relative_to(ROOT))

for path in sorted((ROOT / "tests" / "corpora").glob("*.jsonl")):
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        place = f"{path.relative_to(ROOT)}:{number}"
        if "policy" in row:
            hold("policy", {"version": 1} | row["policy"], place)
        if "call" in row:
            hold("call", row["call"], place)
        for call in row.get("calls", []):
            hold("call", call, place)

# A schema that takes everything would pass all of that.
for kind, wrong in [
    ("policy", {"rules": []}),
    ("policy", {"version": 2}),
    ("policy", {"version": 1, "rules": [{}]}),
    ("policy", {"version": 1, "rules": [{"deny_by_name": ["*"], "allow_by_default": True}]}),
    ("policy", {"version": 1, "rule": []}),
    ("policy", {"version": 1, "rules": [{"deny_by_name": "*"}]}),
    ("call", {}),
    ("call", {"tool": 1}),
    ("call", {"tool": "x", "arg": {}}),
    ("call", {"tool": "x", "hints": {"read_only": "yes"}}),
    ("verdict", {"verdict": "maybe"}),
]:
    if not any(validators[kind].iter_errors(wrong)):
        problems.append(f"the {kind} schema takes {json.dumps(wrong)}")

for problem in problems[:50]:
    print(problem)
print(f"{count} documents held against the schemas, {len(problems)} problems")
sys.exit(1 if problems else 0)
