"""A transaction as the stores see it: a connection, one timestamp, and what to do after commit.

`write` only collects: the writes are sent together, before the next other statement or at the end
(`writes.py`). BEGIN is sent when the first statement needs it: at our isolation level (read
committed) every plain SELECT has a snapshot of its own, inside a transaction or not.
"""

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeVar

import asyncpg

from tidings.engine.db.arrays import prepare
from tidings.engine.db.errors import Conflict
from tidings.engine.db.reads import Read, combine
from tidings.engine.db.versioned_cache import TransactionCache, VersionedCache
from tidings.engine.db.writes import Gathered, Write, Writes

T = TypeVar("T")
Row = Any  # asyncpg.Record: a row read by column name

# What a plain SELECT does not contain: writes, row locks, functions that lock or change something.
_ACTS = re.compile(
    r"\b(INSERT|UPDATE|DELETE|MERGE|TRUNCATE|SET|LOCK|FOR|pg_\w+|set_config|nextval|setval)\b", re.I
)


class Tx:
    """Passed to every store function. It never commits; `Database.transact` does."""

    __slots__ = (
        "acts",
        "begun",
        "cache",
        "connection",
        "now",
        "shared",
        "woken",
        "writes",
    )

    def __init__(
        self,
        connection: Any,
        now: datetime,
        versioned_cache: VersionedCache,
        shared: dict[type, Any],
    ) -> None:
        self.connection = connection
        self.shared = shared
        self.begun = False  # whether BEGIN was sent
        self.writes = Writes()
        self.cache = TransactionCache(versioned_cache)
        self.now = now  # the one timestamp of this transaction, real time, UTC
        self.woken: set[str] = set()  # queue pools to wake once this has committed
        self.acts: list[Callable[[], None]] = []

    async def rows(self, sql: str, *args: object) -> Sequence[Row]:
        await self._ready_for(sql)
        sql, sent = prepare(sql, args)
        rows: Sequence[Row] = await self.connection.fetch(sql, *sent)
        return rows

    async def row(self, sql: str, *args: object) -> Row | None:
        await self._ready_for(sql)
        sql, sent = prepare(sql, args)
        return await self.connection.fetchrow(sql, *sent)

    async def value(self, sql: str, *args: object) -> Any:
        await self._ready_for(sql)
        sql, sent = prepare(sql, args)
        return await self.connection.fetchval(sql, *sent)

    async def read(self, *reads: Read[Any]) -> None:
        """Send these queries as one statement; each then has its result."""
        sent = [one for one in reads if not one.is_known]
        if len(sent) == 1:
            sent[0].settle(await self.rows(sent[0].sql, *sent[0].arguments))
        elif sent:
            arguments = [argument for one in sent for argument in one.arguments]
            row = await self.row(combine(tuple(one.sql for one in sent)), *arguments)
            for one, rows in zip(sent, row or (), strict=True):
                one.settle(rows)

    async def result(self, read: Read[T]) -> T:
        """Of a query that is sent alone."""
        await self.read(read)
        return read.result

    async def run(self, sql: str, *args: object) -> int:
        """Execute now; returns the number of affected rows."""
        await self._ready_for(sql)
        sql, sent = prepare(sql, args)
        status: str = await self.connection.execute(sql, *sent)
        count = status.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0

    async def write(
        self,
        sql: str,
        *args: object,
        expected: int | None = None,
        error: Callable[[str], Exception] = Conflict,
        unique: str | None = None,
        apart: bool = False,
    ) -> None:
        """Execute before the next other statement or the commit, together with other writes.

        If it does not affect `expected` rows, nothing is written and `error` is raised then.
        `unique`: the table in which a violated unique key is a Conflict. `apart`: it writes rows
        that no other write of the transaction reads or writes, though perhaps of the same table.
        """
        if self.writes and not apart and self.writes.overlaps(sql):
            await self.flush()
        self.writes.add(Write(sql, args, expected, error, unique))

    def check(
        self, sql: str, *args: object, expected: int, error: Callable[[str], Exception]
    ) -> None:
        """Have the transaction fail with `error`, unless this SELECT finds `expected` rows when
        its writes are sent. One that writes nothing needs no check."""
        self.writes.check(Write(sql, args, expected, error))

    async def flush(self) -> None:
        """Send the writes that wait, and checks if something was written."""
        if self.writes or (self.begun and self.writes.has_checks):
            await self.begin()
            await self.send(self.writes.take())

    async def send(self, gathered: Gathered) -> None:
        try:
            await self.connection.execute(gathered.sql, *gathered.arguments)
        except asyncpg.PostgresError as error:
            explained = gathered.explained(error)
            if explained is error:
                raise
            raise explained from None

    async def begin(self, statement: str = "BEGIN") -> None:
        """From here on what is read can be locked, and writes depend on the commit."""
        if not self.begun:
            self.begun = True
            await self.connection.execute(statement)

    def wake(self, pool: str) -> None:
        self.woken.add(pool)

    def after_commit(self, act: Callable[[], None]) -> None:
        """Call `act` after the commit. A retry of the work registers its own callbacks."""
        self.acts.append(act)

    def of_process(self, kind: type[T]) -> T:
        """The one instance of `kind` that all transactions of this process share: for what an
        engine's module remembers between them."""
        if kind not in self.shared:
            self.shared[kind] = kind()
        found: T = self.shared[kind]
        return found

    async def _ready_for(self, sql: str) -> None:
        if is_plain_read(sql):
            if self.writes and self.writes.overlaps(sql):
                await self.flush()
        elif self.writes:
            await self.flush()
        elif not self.begun:
            await self.begin()


@lru_cache(maxsize=4096)
def is_plain_read(sql: str) -> bool:
    return _ACTS.search(sql) is None
