"""The files of requirements/: what is locked, at which version, with which hashes."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
REQUIREMENTS = ROOT / "requirements"
# For comparisons of the bench on a machine of its own; installed by `make bench-peers` alone.
NOT_LOCKED = {"peers.txt"}
_NAME = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)(\[[\w,-]+\])?(.*)")


@dataclass(frozen=True, slots=True)
class Locked:
    """One requirement of one file."""

    file: str
    name: str
    version: str | None  # None: it is not pinned
    hashes: tuple[str, ...]
    is_everywhere: bool = True  # else for some systems or versions of Python alone


def normal(name: str) -> str:
    """As indexes compare names."""
    return re.sub(r"[-_.]+", "-", name).lower()


def read_all(folder: Path = REQUIREMENTS) -> list[Locked]:
    return [one for file in sorted(folder.glob("*.txt")) for one in read(file)]


def read(file: Path) -> Iterator[Locked]:
    text = re.sub(r"\\\n", " ", file.read_text())
    for line in (line.strip() for line in text.splitlines()):
        if not line or line.startswith("#"):
            continue
        found = _NAME.match(line)
        if found is None:
            yield Locked(file.name, line, None, ())
            continue
        pinned = re.match(r"\s*==\s*([\w.!+]+)", found[3])
        hashes = tuple(re.findall(r"--hash=sha256:([0-9a-f]{64})", line))
        version = pinned[1] if pinned else None
        yield Locked(file.name, normal(found[1]), version, hashes, " ; " not in line)


def faults(locked: list[Locked]) -> list[str]:
    """What could be replaced by something else without our noticing."""
    found = []
    for one in locked:
        if one.file in NOT_LOCKED:
            continue
        if one.version is None:
            found.append(f"{one.file}: {one.name} is not pinned to a version")
        if not one.hashes:
            found.append(f"{one.file}: {one.name} has no hash")
    versions: dict[str, set[str]] = {}
    for one in locked:
        if one.file not in NOT_LOCKED and one.version is not None and one.is_everywhere:
            versions.setdefault(one.name, set()).add(one.version)
    found += [
        f"{name} is locked at {', '.join(sorted(several))}: run make lock"
        for name, several in versions.items()
        if len(several) > 1
    ]
    return found
