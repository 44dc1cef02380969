"""Known faults of the locked versions, by pip-audit: from the index's JSON, or from OSV.

Where neither answers, pip-audit may still say "no known vulnerabilities", about packages that it
skipped. Here that is never taken for an answer: a skipped package was not looked up.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SOURCES = ("pypi", "osv")
PROBE = "markupsafe==3.0.2\n"
SECONDS_MAX = 300


@dataclass(frozen=True, slots=True)
class Answer:
    """`looked_up`: packages of which something is known; the others were skipped."""

    looked_up: int
    skipped: list[str]
    known: list[str]


def read(report: str) -> Answer:
    """The JSON of pip-audit."""
    found: dict[str, Any] = json.loads(report)
    skipped = [one["name"] for one in found["dependencies"] if "skip_reason" in one]
    known = [
        f"{one['name']} {one['version']}: {fault['id']}, mended in "
        f"{', '.join(fault['fix_versions']) or 'no version'}"
        for one in found["dependencies"]
        for fault in one.get("vulns", ())
    ]
    return Answer(len(found["dependencies"]) - len(skipped), skipped, known)


def find_source(folder: Path) -> str | None:
    """The first that answers about one package; None: nobody does."""
    probe = folder / "probe.txt"
    probe.write_text(PROBE)
    for source in SOURCES:
        answer = ask(probe, source)
        if answer is not None and answer.looked_up:
            return source
    return None


def ask(requirements: Path, source: str) -> Answer | None:
    """None: it could not be asked."""
    command = [sys.executable, "-m", "pip_audit", "-r", str(requirements), "--no-deps"]
    command += ["--disable-pip", "-s", source, "-f", "json", "--progress-spinner", "off"]
    command += ["--timeout", "10"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS_MAX)
        return read(done.stdout)
    except (subprocess.TimeoutExpired, ValueError, KeyError):
        return None
