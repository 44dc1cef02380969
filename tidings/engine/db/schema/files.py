"""Migrations as files: `0002_what_it_does.sql`, and what the comments at their head declare.

    -- compatible                                older programs may run on it
    -- needs programs from 0.3.0                 waits until no older one runs, and locks them out
    -- after data change 0002_fill_locale.sql    waits until that one is complete
    -- outside a transaction                     for CREATE INDEX CONCURRENTLY
    -- data change over messages by id           the statement is the work on one page of rows

A file that declares neither of the first two suits only programs that have the file themselves.
docs/operating/upgrade.md says which to choose.
"""

import hashlib
import re
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import TypedDict

ANY = "any"
_VERSION = re.compile(r"(\d+)\.(\d+)\.(\d+)")
_NEEDS = re.compile(r"needs programs from (\d+\.\d+\.\d+)")
_AFTER = re.compile(r"after data change (\d{4}_\w+\.sql)")
_OVER = re.compile(r"data change over (\w+) by (\w+(?:, \w+)*)")
_DECLARING = ("compatible", "needs programs", "after data change", "outside a", "data change")


class MigrationError(RuntimeError):
    """The database and the files do not match; the message says how."""


@dataclass(frozen=True, slots=True)
class Pages:
    """Which rows a data change goes through, in the order of a unique key."""

    table: str
    key: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Head:
    programs_from: str | None = None  # ANY, or the oldest version that may run on it
    outside: bool = False
    after: tuple[str, ...] = ()  # names of data changes
    pages: Pages | None = None

    @property
    def can_wait(self) -> bool:
        """Whether the program that brings the file runs without it: it only contracts, or fills."""
        return self.programs_from not in (None, ANY)


class _Declared(TypedDict, total=False):
    """Some of a head's fields."""

    programs_from: str
    outside: bool
    pages: Pages


@dataclass(frozen=True, slots=True)
class Migration:
    version: int
    name: str  # of the file
    sql: str
    sha256: str
    head: Head


def own_files() -> Traversable:
    """Those of this program."""
    return files("tidings").joinpath("migrations")


def version_number(version: str) -> int:
    """Ordered as versions are: 0.10.1 is 10,001. Also the key of a lock, which takes 31 bits."""
    found = _VERSION.match(version)
    if found is None:
        raise ValueError(f"{version} is not a version such as 0.3.0")
    major, minor, patch = map(int, found.groups())
    return major * 1_000_000 + minor * 1_000 + patch


def version_name(number: int) -> str:
    """The reverse of `version_number`."""
    return f"{number // 1_000_000}.{number // 1_000 % 1_000}.{number % 1_000}"


def read_migrations(folder: Traversable) -> list[Migration]:
    """Every `0001_name.sql` of the folder, in order."""
    found: dict[int, Migration] = {}
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if not file.name.endswith(".sql"):
            continue
        number = re.match(r"([0-9]{4})_", file.name)
        if number is None or int(number[1]) in found:
            raise MigrationError(f"{file.name}: name it 0001_what_it_does.sql, with a free number.")
        content = file.read_bytes()
        digest = hashlib.sha256(content).hexdigest()
        version, sql = int(number[1]), content.decode()
        found[version] = Migration(version, file.name, sql, digest, read_head(file.name, sql))
    return list(found.values())


def read_head(name: str, sql: str) -> Head:
    """What the comments before the first statement declare; all others are for people."""
    declared: _Declared = {}
    after: list[str] = []
    for line in sql.splitlines():
        if line.strip() and not line.startswith("--"):
            break
        words = line.removeprefix("--").strip()
        if (found := _AFTER.fullmatch(words)) is not None:
            after.append(found[1])
        elif (said := _declared(words)) is not None:
            declared |= said
        elif line.startswith("-- ") and words.startswith(_DECLARING):
            raise MigrationError(f"{name}: its head says «{words}», which is no declaration.")
    return Head(after=tuple(after), **declared)


def _declared(words: str) -> _Declared | None:
    if words == "compatible":
        return {"programs_from": ANY}
    if words == "outside a transaction":
        return {"outside": True}
    if (found := _NEEDS.fullmatch(words)) is not None:
        return {"programs_from": found[1]}
    if (found := _OVER.fullmatch(words)) is not None:
        return {"pages": Pages(found[1], tuple(found[2].split(", ")))}
    return None
