"""What was read of tables that seldom change, kept for as long as their version stands.

Whoever changes such a table writes the version's row in the same transaction; whoever reads looks
at the version first, in its own transaction, and then reads only what it does not remember. The
version is the id of the writing transaction: it comes never again, not even after a rollback.
"""

from collections.abc import Hashable, Iterable
from typing import Any

FACTS_MAX = 100_000


class Remembered:
    """One per process and database."""

    def __init__(self) -> None:
        self._version: object = None
        self._facts: dict[Hashable, Any] = {}

    def at(self, version: object) -> dict[Hashable, Any]:
        """What is known at this version; other versions are forgotten."""
        if version != self._version or len(self._facts) > FACTS_MAX:
            self._version = version
            self._facts = {}
        return self._facts


def split(
    facts: dict[Hashable, Any], kind: str, keys: Iterable[Hashable]
) -> tuple[dict[Any, Any], list[Any]]:
    """Of these keys, what is remembered, and which have to be read."""
    known: dict[Any, Any] = {}
    missing: list[Any] = []
    for key in keys:
        found = facts.get((kind, key))
        if found is None:
            missing.append(key)
        else:
            known[key] = found
    return known, missing
