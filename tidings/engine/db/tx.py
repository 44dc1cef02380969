"""A transaction as the stores see it: a connection, one timestamp, and what to do after commit."""

from collections.abc import Callable, Hashable, Sequence
from datetime import datetime
from typing import Any

from tidings.engine.db.arrays import prepare
from tidings.engine.db.versioned_cache import VersionedCache

Row = Any  # asyncpg.Record: a row read by column name


class Conflict(Exception):
    """Data that this transaction read has changed: roll back and retry."""


class Tx:
    """Passed to every store function. It never commits; `Database.transact` does."""

    __slots__ = ("acts", "cache", "connection", "now", "versioned_cache", "woken")

    def __init__(self, connection: Any, now: datetime, versioned_cache: VersionedCache) -> None:
        self.connection = connection
        self.versioned_cache = versioned_cache
        self.cache: dict[Hashable, Any] | None = None  # set once the version has been read
        self.now = now  # the one timestamp of this transaction, real time, UTC
        self.woken: set[str] = set()  # queue pools to wake once this has committed
        self.acts: list[Callable[[], None]] = []

    async def rows(self, sql: str, *args: object) -> Sequence[Row]:
        sql, sent = prepare(sql, args)
        rows: Sequence[Row] = await self.connection.fetch(sql, *sent)
        return rows

    async def row(self, sql: str, *args: object) -> Row | None:
        sql, sent = prepare(sql, args)
        return await self.connection.fetchrow(sql, *sent)

    async def value(self, sql: str, *args: object) -> Any:
        sql, sent = prepare(sql, args)
        return await self.connection.fetchval(sql, *sent)

    async def run(self, sql: str, *args: object) -> int:
        """Execute; returns the number of affected rows."""
        sql, sent = prepare(sql, args)
        status: str = await self.connection.execute(sql, *sent)
        count = status.rpartition(" ")[2]
        return int(count) if count.isdigit() else 0

    def wake(self, pool: str) -> None:
        self.woken.add(pool)

    def after_commit(self, act: Callable[[], None]) -> None:
        """Call `act` after the commit. A retry of the work registers its own callbacks."""
        self.acts.append(act)
