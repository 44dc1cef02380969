"""One line for each promise about dependencies; exit code 1 where one is broken."""

import argparse
import json
import sys
import tempfile
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path

from proof.audit import advisories, imported, listed, locked
from proof.audit.locked import NOT_LOCKED, REQUIREMENTS, Locked

SHIPPED = "run.txt"  # what a service has installed comes first


@dataclass(frozen=True, slots=True)
class Line:
    """`kept` is None where the promise could not be looked at."""

    promise: str
    figure: str
    kept: bool | None
    faults: list[str]


def main() -> int:
    asked = _arguments()
    found = locked.read_all()
    if asked.write:
        listed.write(found, [Path(folder) for folder in asked.metadata])
    lines = [*check(found), look_up(required=asked.require_advisories)]
    if asked.json:
        sys.stdout.write(json.dumps([asdict(line) for line in lines], indent=2) + "\n")
    else:
        sys.stdout.write("".join(map(_shown, lines)))
    return 1 if any(line.kept is False for line in lines) else 0


def check(found: list[Locked]) -> list[Line]:
    """What needs no network."""
    files = {one.file for one in found} - NOT_LOCKED
    hashes = sum(len(one.hashes) for one in found)
    return [
        _line(
            "every requirement is pinned with hashes",
            f"{len(found)} requirements in {len(files)} files, {hashes} hashes;"
            f" not locked: {', '.join(sorted(NOT_LOCKED))}",
            locked.faults(found),
        ),
        _line(
            "every package is on the list with licence and purpose",
            f"{len(listed.files_of(found))} packages in docs/dependencies.md",
            listed.faults(found),
        ),
        _line(
            "nothing is imported that is not locked",
            f"{len(imported.FOLDERS)} folders",
            imported.faults(found),
        ),
    ]


def look_up(*, required: bool) -> Line:
    """Never "no known faults" where nobody was asked."""
    promise = "no known faults in the locked versions"
    if find_spec("pip_audit") is None:
        text = "NOT CHECKED: pip-audit is not installed (make proof-tools); only the list stands"
        return Line(promise, text, False if required else None, [])
    with tempfile.TemporaryDirectory() as folder:
        source = advisories.find_source(Path(folder))
    if source is None:
        text = "NOT CHECKED: no source of advisories answers here; only the list stands"
        return Line(promise, text, False if required else None, [])
    answers = []
    for file in sorted(REQUIREMENTS.glob("*.txt"), key=lambda file: file.name != SHIPPED):
        if file.name not in NOT_LOCKED:
            answers.append((file.name, advisories.ask(file, source)))
    faults = [f"{name}: {one}" for name, a in answers if a is not None for one in a.known]
    faults += [f"{name}: {one} was skipped" for name, a in answers if a for one in a.skipped]
    faults += [f"{name} could not be looked up" for name, a in answers if a is None]
    count = sum(a.looked_up for _, a in answers if a is not None)
    return _line(promise, f"{count} looked up at {source}", faults)


def _line(promise: str, figure: str, faults: list[str]) -> Line:
    return Line(promise, figure, not faults, faults)


def _shown(line: Line) -> str:
    mark = {True: "ok", False: "BROKEN", None: "open"}[line.kept]
    return f"{mark:7}{line.promise}: {line.figure}\n" + "".join(
        f"       {fault}\n" for fault in line.faults
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m proof.audit", description=__doc__)
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--write", action="store_true", help="write docs/dependencies.md anew")
    parser.add_argument(
        "--metadata", action="append", default=[], help="a further site-packages, for --write"
    )
    parser.add_argument(
        "--require-advisories",
        action="store_true",
        help="fail where known faults cannot be looked up",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
