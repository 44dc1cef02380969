"""Schemathesis over the service's own OpenAPI document: examples, coverage, fuzzing, stateful.

Several processes, each with some of the paths: its threads do not get along with CPython 3.11 (the
parser's recursion counter is shared).
"""

import json
import os
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from proof.fuzz.stage import Stage
from proof.fuzz.world import COUNTS, HOOKS
from tidings.engine.http import idempotency_key

PHASES = ("examples", "coverage", "fuzzing", "stateful")
# Not asked for, and why.
LEFT_OUT = {
    "positive_data_acceptance": "whether a template, a form or a number exists is in no schema",
    "allow_header_conformance": "an address may fit two templates: DELETE /optouts/{phoneNumber}"
    " is offered at /optouts/check too",
}
_PARTS = (  # regular expressions of paths, for a process each
    "/api/v1/(messages|batches|events|links)",
    "^(?!/api/v1/(messages|batches|events|links))",
)
_ROOT = Path(__file__).parent.parent.parent
_EXAMPLES_MAX = 1000  # of an operation: time ends it before


@dataclass(slots=True)
class Described:
    """What the processes counted."""

    phases: Counter[str] = field(default_factory=Counter)
    endpoints: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


def run(stage: Stage, seed: int, seconds: int, folder: Path) -> Described:
    """All phases for so long; reports stay in the folder."""
    folder = folder.resolve()  # schemathesis runs in it
    folder.mkdir(parents=True, exist_ok=True)
    document = folder / "openapi.json"
    text = httpx.get(f"{stage.url}/api/v1/openapi.json").text
    document.write_text(_plain(text.replace("example.com", "hooks.invalid")))  # leads nowhere
    running = [
        _start(stage, document, part, seed, seconds, folder / f"schemathesis-{number}")
        for number, part in enumerate(_PARTS)
    ]
    found = Described()
    for process, base in running:
        if process.wait(seconds + 300) not in (0, 1):
            found.findings.append(f"schemathesis ended with {process.returncode}: see {base}.txt")
        _collect(found, base)
    return found


def _plain(text: str) -> str:
    """Without Idempotency-Key: with it a body needs no clientMessageId, which no schema can say."""
    found = json.loads(text)
    for methods in found["paths"].values():
        for operation in methods.values():
            kept = [one for one in operation["parameters"] if one["name"] != idempotency_key.NAME]
            operation["parameters"] = kept
    return json.dumps(found)


def _start(
    stage: Stage, document: Path, part: str, seed: int, seconds: int, base: Path
) -> tuple[subprocess.Popen[bytes], Path]:
    command = [
        str(Path(sys.executable).parent / "st"), "run", str(document), "--url", stage.url,
        "--phases", ",".join(PHASES), "--checks", "all", "--exclude-checks", ",".join(LEFT_OUT),
        "--include-path-regex", part, "--seed", str(seed), "--max-time", str(seconds),
        "--max-examples", str(_EXAMPLES_MAX), "--continue-on-failure", "--no-shrink",
        "--report-json-path", f"{base}.json", "--warnings", "off", "--generation-database", "none",
    ]  # fmt: skip
    counts = {COUNTS: f"{base}.tsv", "SCHEMATHESIS_HOOKS": HOOKS, "PYTHONPATH": str(_ROOT)}
    with Path(f"{base}.txt").open("wb") as output:
        return subprocess.Popen(
            command, cwd=base.parent, env={**os.environ, **counts}, stdout=output,
            stderr=subprocess.STDOUT,
        ), base  # fmt: skip


def _collect(found: Described, base: Path) -> None:
    for line in Path(f"{base}.tsv").read_text().splitlines():
        phase, endpoint, status = line.split("\t")
        found.phases[phase] += 1
        found.endpoints[endpoint] += 1
        found.statuses[int(status)] += 1
    report = json.loads(Path(f"{base}.json").read_text())
    for failure in report["failures"]:
        where = ", ".join(failure["operations"][:5])
        found.findings.append(f"{failure['title']} ({failure['count']}): {where}; see {base}.txt")
    errors = report["test_cases"]["errored"]
    if errors:
        found.findings.append(f"{errors} test cases could not be run; see {base}.txt")
