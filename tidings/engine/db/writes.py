"""The writes of a transaction, gathered and sent as one statement.

A round trip costs more than most writes, so `Tx.write` only collects. Each write becomes one part
of a WITH statement:

    WITH w1 AS (INSERT ... RETURNING 1), w2 AS (UPDATE ... RETURNING 1)
    SELECT (SELECT count(*) FROM w1), (SELECT count(*) FROM w2)

All parts see the rows as they were before the statement, so no part may read or write a table that
an earlier part writes: `overlaps` says when the gathered ones have to be sent first. The SELECT
evaluates its columns in order, and rows are locked in the order of the parts.

A part that must write an exact number of rows is guarded: otherwise its column casts a text to a
number, the statement fails, and nothing is written. So a transaction that only writes needs neither
BEGIN nor COMMIT (docs/decisions/0033-gathered-writes.md). A check is a guarded SELECT: it comes
first, and says whether what the writes were decided on is still so.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any

import asyncpg
import msgspec

from tidings.engine.db.arrays import prepare, rewritten
from tidings.engine.db.errors import Conflict
from tidings.engine.db.parameters import count_parameters, shift_parameters

_WORD = re.compile(r"\w+")
_WRITTEN = re.compile(r"\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(?!SET\b)(\w+)")
_MISCOUNTED = re.compile(r'"write ([0-9]+) affected ([0-9]+) rows"')


class Write(msgspec.Struct, frozen=True):
    """A statement that writes, or a SELECT that checks or locks rows. `expected`: how many rows it
    must affect, or the exception that `error` makes of the problem is raised.
    `unique`: the table in which a violated unique key is a `Conflict` too."""

    sql: str
    arguments: Sequence[Any]
    expected: int | None = None
    error: Callable[[str], Exception] = Conflict
    unique: str | None = None


class Writes:
    """Those that wait to be sent."""

    __slots__ = ("_checks", "_tables", "_waiting")

    def __init__(self) -> None:
        self._checks: list[Write] = []
        self._waiting: list[Write] = []
        self._tables: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def overlaps(self, sql: str) -> bool:
        """Whether this statement names a table that a waiting one writes."""
        return not self._tables.isdisjoint(_words(sql))

    def contain(self, text: str) -> bool:
        """Whether a statement with this text waits."""
        return any(text in write.sql for write in self._waiting)

    def add(self, write: Write) -> None:
        self._waiting.append(write)
        self._tables |= written_tables(write.sql)

    @property
    def has_checks(self) -> bool:
        return bool(self._checks)

    def check(self, check: Write) -> None:
        """It is sent with the writes."""
        self._checks.append(check)

    def take(self) -> "Gathered":
        """All of them, to be sent now."""
        taken = self._checks + self._waiting
        self._checks, self._waiting, self._tables = [], [], frozenset()
        return Gathered(taken)


class Gathered:
    """Writes as one statement."""

    __slots__ = ("_writes", "arguments", "sql")

    def __init__(self, writes: Sequence[Write]) -> None:
        self._writes = writes
        self.sql = combine(tuple((write.sql, write.expected is not None) for write in writes))
        self.arguments: list[Any] = []
        for write in writes:
            self.arguments += prepare(write.sql, write.arguments)[1]
        self.arguments += [write.expected for write in writes if write.expected is not None]

    def explained(self, error: Exception) -> Exception:
        """The error that the writer asked for, if it is one of those."""
        if isinstance(error, asyncpg.UniqueViolationError):
            table = error.table_name or ""
            if any(write.unique and table.startswith(write.unique) for write in self._writes):
                return Conflict(f"a row of {table} was inserted meanwhile")
        found = _MISCOUNTED.search(str(error))
        if found is None or not isinstance(error, asyncpg.InvalidTextRepresentationError):
            return error
        write = self._writes[int(found[1])]
        return write.error(f"a write affected {found[2]} rows instead of {write.expected}")


@lru_cache(maxsize=1024)
def combine(writes: tuple[tuple[str, bool], ...]) -> str:
    """One statement for these, each with whether it is guarded. The parameters of all come first,
    in order, then the expected counts."""
    if len(writes) == 1 and not writes[0][1]:
        return rewritten(writes[0][0])[0]
    parts: list[str] = []
    names: list[str] = []
    shift = 0
    for number, (sql, _) in enumerate(writes):
        own, last = _split(rewritten(shift_parameters(sql, shift))[0])
        ending = "" if last.startswith("SELECT") else " RETURNING 1"
        parts += [*own, f"w{number} AS ({last}{ending})"]
        names.append(f"(SELECT count(*) FROM w{number})")
        shift += count_parameters(sql)
    for number, (_, guarded) in enumerate(writes):
        if guarded:
            shift += 1
            names[number] = _guard(number, shift)
    return f"WITH {', '.join(parts)} SELECT {', '.join(names)}"


def _guard(number: int, parameter: int) -> str:
    counted = f"(SELECT count(*) FROM w{number})"
    text = f"('write {number} affected ' || {counted} || ' rows')"
    return f"CASE {counted} WHEN ${parameter}::bigint THEN 0 ELSE {text}::int END"


@lru_cache(maxsize=4096)
def written_tables(sql: str) -> frozenset[str]:
    return frozenset(_WRITTEN.findall(sql))


@lru_cache(maxsize=4096)
def _words(sql: str) -> frozenset[str]:
    return frozenset(_WORD.findall(sql))


def _split(sql: str) -> tuple[list[str], str]:
    """The parts of the statement's own WITH, which PostgreSQL allows only at the top, and what
    follows them. Their names must differ from those of other statements."""
    sql = sql.strip()
    if not sql.startswith("WITH "):
        return [], sql
    parts, depth, begin = [], 0, len("WITH ")
    for at in range(begin, len(sql)):
        depth += (sql[at] == "(") - (sql[at] == ")")
        if sql[at] == ")" and depth == 0:
            parts.append(sql[begin : at + 1].strip())
            rest = sql[at + 1 :].lstrip()
            if not rest.startswith(","):
                return parts, rest
            begin = sql.index(",", at) + 1
    raise ValueError("a WITH statement without its last part")
