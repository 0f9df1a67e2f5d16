"""What is expected of each host (expected.toml), what came out (results.json), and the tables made of both and of hosts.toml."""
import json, os, tomllib

from . import suite
from .hosts import HOSTS

E2E = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")


def expected():
    """host -> "situation.step" -> outcome."""
    with open(f"{E2E}/expected.toml", "rb") as f:
        given = tomllib.load(f)
    found = {}
    for host in HOSTS:
        rows = {}
        for part in (given["every-host"], given.get(host, {})):
            rows |= {f"{s}.{step}": outcome for s, steps in part.items() for step, outcome in steps.items()}
        found[host] = {key: outcome for key, outcome in rows.items() if outcome != "-"}
    return found


def results():
    try:
        with open(f"{E2E}/results.json") as f:
            return json.load(f)
    except FileNotFoundError:
        return {"hosts": {}, "rows": []}


def save(new, date, whole):
    """Puts results in the place of those of the same host, or with `whole` false of the same call."""
    old = results()
    gone = {(r.host, None if whole else r.key) for r in new}
    rows = [r for r in old["rows"] if (r["host"], None if whole else f"{r['situation']}.{r['step']}") not in gone]
    rows += [{"host": r.host, "situation": r.situation, "step": r.step, "outcome": r.outcome} for r in new]
    order = {f"{s.name}.{step.name}": i for i, (s, step) in enumerate(table_rows())}
    place = list(HOSTS)
    rows.sort(key=lambda r: (place.index(r["host"]), order.get(f"{r['situation']}.{r['step']}", len(order))))
    tried = old["hosts"] | {r.host: {"version": r.version, "date": date} for r in new}
    with open(f"{E2E}/results.json", "w") as f:
        f.write('{"hosts": {\n' + ",\n".join(f" {json.dumps(h)}: {json.dumps(tried[h])}" for h in place if h in tried)
                + '\n},\n"rows": [\n' + ",\n".join(" " + json.dumps(r) for r in rows) + "\n]}\n")


def differences():
    """What the results say that is not expected, and what is expected that they do not say."""
    said = {(r["host"], f"{r['situation']}.{r['step']}"): r["outcome"] for r in results()["rows"]}
    wanted = {(host, key): outcome for host, rows in expected().items() for key, outcome in rows.items()}
    return [f"{host} {key}: results.json says {said.get((host, key), 'nothing')}, expected.toml {wanted.get((host, key), 'nothing')}"
            for host, key in sorted(said.keys() | wanted.keys()) if said.get((host, key)) != wanted.get((host, key))]


def table_rows():
    return [(s, step) for s in suite.SITUATIONS for step in s.steps]


def results_table():
    """What came out, host by host."""
    found = results()
    names = [h for h in HOSTS if h in found["hosts"]]
    cells = {(r["host"], r["situation"], r["step"]): r["outcome"] for r in found["rows"]}
    lines = ["| | " + " | ".join(f"{h} {found['hosts'][h]['version']}" for h in names) + " |", "|---" * (len(names) + 1) + "|"]
    for situation in suite.SITUATIONS:
        for step in situation.steps:
            title = step.title if situation.name == "normal" else f"{situation.title}: {step.title}"
            lines.append(f"| {title} | " + " | ".join(cells.get((h, situation.name, step.name), "–") for h in names) + " |")
    dates = sorted({found["hosts"][h]["date"] for h in names})
    return "\n".join(lines) + f"\n\nTried on {' and '.join(dates)}.\n" if names else ""


def capabilities_table():
    """What each host can do with an answer, from hosts.toml; the versions of those that are run come from the results."""
    with open(f"{E2E}/hosts.toml", "rb") as f:
        given = tomllib.load(f)
    tried = results()["hosts"]
    columns = ("deny", "ask", "change", "stop", "failure", "switch")
    heads = ("host", "deny", "ask", "change arguments", "stop the turn", "a hook that fails", "switch to refuse then", "tried with")
    lines = ["| " + " | ".join(heads) + " |", "|---" * len(heads) + "|"]
    for name, host in given.items():
        version = tried[name]["version"] if name in tried else host.get("version", "documentation only")
        page = host.get("page", f"{name}.md")
        lines.append(f"| [{host['name']}]({page}) | " + " | ".join(host[c] for c in columns) + f" | {version} |")
    return "\n".join(lines) + "\n"


TABLES = {"capabilities": capabilities_table, "results": results_table}
