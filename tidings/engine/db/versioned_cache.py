"""Rows of rarely changed tables, cached in the process until the tables' version changes.

A transaction that changes such a table also writes the version row. A reader first reads the
version in its own transaction, and then only the rows that are not cached. The version is the id of
the writing transaction, so it never repeats, not even after a rollback.
"""

from collections.abc import Hashable, Iterable
from typing import Any

ENTRIES_MAX = 100_000


class VersionedCache:
    """One per process and database."""

    def __init__(self) -> None:
        self._version: object = None
        self._entries: dict[Hashable, Any] = {}

    def at(self, version: object) -> dict[Hashable, Any]:
        """The entries of this version; those of any other version are dropped."""
        if version != self._version or len(self._entries) > ENTRIES_MAX:
            self._version = version
            self._entries = {}
        return self._entries


def split(
    cache: dict[Hashable, Any], kind: str, keys: Iterable[Hashable]
) -> tuple[dict[Any, Any], list[Any]]:
    """The cached values of these keys, and the keys that have to be read."""
    known: dict[Any, Any] = {}
    missing: list[Any] = []
    for key in keys:
        found = cache.get((kind, key))
        if found is None:
            missing.append(key)
        else:
            known[key] = found
    return known, missing
