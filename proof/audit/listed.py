"""docs/dependencies.md: each package with its licence and what it is for."""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from proof.audit.locked import ROOT, Locked, normal
from proof.audit.purposes import LICENCES, PURPOSES

PAGE = ROOT / "docs" / "dependencies.md"
HEAD = """# Dependencies

Every package that is locked in `requirements/`: its licence, the files that lock it, and what it is
for. `run` is what a service has installed. Why the larger ones were chosen is in
[the decision](decisions/0001-dependencies.md). `make audit` compares this list with the locked
files, the licences with the installed packages, and what is imported with both;
`python -m proof.audit --write` makes it anew.

| package | licence | locked in | for |
|---|---|---|---|
"""
_NAMED = ("License-Expression", "License")
_LONG = 60  # some packages give the whole text of a licence
_ROW = re.compile(r"^\| ([a-z0-9-]+) \| (.*?) \| (.*?) \| (.*?) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Listed:
    licence: str
    files: str
    purpose: str


def read() -> dict[str, Listed]:
    text = PAGE.read_text() if PAGE.exists() else ""
    return {name: Listed(*rest) for name, *rest in _ROW.findall(text.removeprefix(HEAD))}


def write(locked: list[Locked], folders: list[Path]) -> None:
    """What is not installed here keeps what the list said of it."""
    PAGE.write_text(HEAD + "".join(_line(name, one) for name, one in make(locked, folders).items()))


def _line(name: str, one: Listed) -> str:
    return f"| {name} | {one.licence} | {one.files} | {one.purpose} |\n"


def make(locked: list[Locked], folders: list[Path]) -> dict[str, Listed]:
    installed = _installed(folders)
    before, wanted_by = read(), _wanted_by(installed)
    made = {}
    for name, files in files_of(locked).items():
        old = before.get(name)
        licence = licence_of(installed[name]) if name in installed else old and old.licence
        others = ", ".join(sorted(wanted_by[name]))
        purpose = PURPOSES.get(name) or (others and f"needed by {others}")
        purpose = purpose or (old.purpose if old else "")
        made[name] = Listed(licence or LICENCES.get(name, ""), files, purpose)
    return made


def files_of(locked: Iterable[Locked]) -> dict[str, str]:
    found: dict[str, set[str]] = defaultdict(set)
    for one in locked:
        found[one.name].add(one.file.removesuffix(".txt"))
    return {name: ", ".join(sorted(found[name])) for name in sorted(found)}


def _installed(folders: list[Path]) -> dict[str, metadata.Distribution]:
    """Of this environment, and of further ones."""
    path = [*sys.path, *map(str, folders)]
    return {normal(one.metadata["Name"]): one for one in metadata.distributions(path=path)}


def _wanted_by(installed: dict[str, metadata.Distribution]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for name, one in installed.items():
        for line in one.requires or ():
            wanted = re.match(r"[A-Za-z0-9._-]+", line)
            if wanted is not None:
                found[normal(wanted[0])].add(name)
    return found


def licence_of(one: metadata.Distribution) -> str:
    """The expression, else the name, else what the classifiers say."""
    facts = one.metadata
    classified = [
        text.rpartition(" :: ")[2]
        for text in facts.get_all("Classifier") or ()
        if text.startswith("License :: ") and text != "License :: OSI Approved"
    ]
    given = [text for name in _NAMED for text in facts.get_all(name) or () if text]
    named = " ".join(given[0].split()) if given else ""
    if not named or len(named) > _LONG:
        named = ", ".join(classified)
    return named.replace("|", "/")


def faults(locked: list[Locked]) -> list[str]:
    """Where the list and the truth differ."""
    listed, files = read(), files_of(locked)
    found = [f"{name} is locked, and not in {PAGE.name}" for name in files.keys() - listed.keys()]
    found += [f"{name} is in {PAGE.name}, and not locked" for name in listed.keys() - files.keys()]
    installed = _installed([])
    for name in sorted(files.keys() & listed.keys()):
        one = listed[name]
        if not one.licence or not one.purpose:
            found.append(f"{name}: say its licence and what it is for")
        if one.files != files[name]:
            found.append(f"{name} is locked in {files[name]}, listed for {one.files}")
        if name in installed and licence_of(installed[name]) not in ("", one.licence):
            actual = licence_of(installed[name])
            found.append(f"{name} has the licence {actual}, listed as {one.licence}")
    return sorted(found)
