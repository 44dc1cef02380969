"""Several queries sent as one statement, because a round trip costs more than most queries.

A store describes a query as a `Read`; `Tx.read` sends some of them together:

    SELECT ARRAY(SELECT r FROM (SELECT ...) AS r), ARRAY(SELECT r FROM (SELECT ...) AS r)

All of them see the same snapshot. Rows arrive as tuples, without column names.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Any, Generic, TypeVar, cast

from tidings.engine.db.parameters import count_parameters, shift_parameters

T = TypeVar("T")
Rows = Sequence[Any]  # each a tuple or a Record


class Read(Generic[T]):
    """A query, and its result once `Tx.read` has sent it."""

    __slots__ = ("_decode", "_result", "arguments", "is_known", "sql")

    def __init__(self, decode: Callable[[Rows], T], sql: str, *arguments: object) -> None:
        self._decode = decode
        self.sql = sql
        self.arguments = arguments
        self.is_known = False
        self._result: T | None = None

    @classmethod
    def known(cls, result: T) -> "Read[T]":
        """One that needs no query: nothing is asked for."""
        read: Read[T] = cls(lambda _: result, "")
        read.settle(())
        return read

    def settle(self, rows: Rows) -> None:
        self._result, self.is_known = self._decode(rows), True

    @property
    def result(self) -> T:
        assert self.is_known, "a query has a result once it was sent"
        return cast("T", self._result)


@lru_cache(maxsize=512)
def combine(queries: tuple[str, ...]) -> str:
    """One statement with an array of rows for each of these; their parameters follow each other."""
    columns, shift = [], 0
    for sql in queries:
        columns.append(f"ARRAY(SELECT r FROM ({shift_parameters(sql, shift)}) AS r)")
        shift += count_parameters(sql)
    return f"SELECT {', '.join(columns)}"
