"""The database as the service sees it: `await db.transact(work)`.

One use case is one transaction with one timestamp. `transact` retries serialization failures and
lost connections, raises CommitUnknown if the outcome of a commit is unknown, and wakes queue pools
after the commit.
"""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any, Self, TypeVar

import asyncpg

from tidings import limits
from tidings.clock import Clock
from tidings.engine.db import sessions, skew
from tidings.engine.db.arrays import prepare
from tidings.engine.db.connections import (
    REPORT_CONNECTIONS,
    WAIT_SECONDS_MAX,
    Connection,
    Connections,
    connect_patiently,
)
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.errors import AGAIN, CONTENTION_ERRORS, OUTAGE_ERRORS, explained
from tidings.engine.db.lender import OwnConnection
from tidings.engine.db.outage import Outage
from tidings.engine.db.pooler import Address, find_pooler, require_usable
from tidings.engine.db.sessions import FREELY_PLANNED, PLANNED_BY_KEY, Pooler
from tidings.engine.db.transaction import Transaction, settle
from tidings.engine.db.tx import Row, Tx
from tidings.engine.db.versioned_cache import VersionedCache
from tidings.errors import ApiError

T = TypeVar("T")

RETRIES_MAX = 3
RETRY_SECONDS_MAX = 0.05


class DryRunRollback(Exception):
    """Rolls back the transaction of a dry run."""


class Database:
    """Transactions over a connection pool. One instance per process."""

    def __init__(
        self,
        dsn: Mapping[str, Any],
        clock: Clock,
        connections: Connections,
        report_connections: Connections,
        name: str = sessions.NAME,
    ) -> None:
        self._dsn = dsn  # of PostgreSQL itself
        self._name = name
        self.outage = self._direct_outage = Outage(clock)
        if isinstance(dsn, Address):  # either address may be out of reach while the other is not
            self._direct_outage = Outage(clock, direct=True)
        self.clock = clock
        self.versioned_cache = VersionedCache()
        self.shared: dict[type, Any] = {}  # see `Tx.of_process`
        self.connections = connections
        self.report_connections = report_connections
        for pool in (connections, report_connections):
            pool.on_lost = self._on_lost
        self._callbacks: list[Callable[[set[str]], None]] = []

    @classmethod
    async def open(
        cls,
        target: str | Mapping[str, Any] | EmbeddedServer,
        clock: Clock,
        size: int = 10,
        wait_seconds_max: float = WAIT_SECONDS_MAX,
        report_size: int = REPORT_CONNECTIONS,
        name: str = sessions.NAME,
    ) -> Self:
        """Connect to a URL, to asyncpg's keyword arguments, to an embedded server, or through a
        pooler. `name`: what pg_stat_activity shows."""
        if isinstance(target, EmbeddedServer):
            target = target.dsn
        dsn = {"dsn": target} if isinstance(target, str) else target
        pooled, pooler = dsn, Pooler.NONE
        if isinstance(dsn, Address):
            pooled, pooler = dsn.pooled, await find_pooler(dsn.pooled, dsn)
        connections = Connections(pooled, size, wait_seconds_max, PLANNED_BY_KEY, pooler, name)
        reports = Connections(pooled, report_size, wait_seconds_max, FREELY_PLANNED, pooler, name)
        db = cls(dsn, clock, connections, reports, name)
        try:
            first = await connections.open_first()
            await require_usable(first, pooler)
            await skew.follow(clock, first)
        except BaseException:
            await db.close()
            raise
        return db

    async def transact(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """Run `work` in one transaction. It may be retried, so its only effects must be on `tx`."""
        return await self._transact(work, self.connections)

    async def report(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """`transact` for what reads many rows at once, such as figures and results: on connections
        of its own, where the planner may choose any join and scan."""
        return await self._transact(work, self.report_connections)

    async def _transact(self, work: Callable[[Tx], Awaitable[T]], connections: Connections) -> T:
        try:
            result = await self._attempt(work, connections)
        except OUTAGE_ERRORS as fault:
            self.outage.begins(fault)
            raise
        if self.outage.lasts:
            self.outage.ends()
        return result

    async def _attempt(self, work: Callable[[Tx], Awaitable[T]], connections: Connections) -> T:
        for attempt in range(RETRIES_MAX):
            try:
                async with Transaction(self, connections) as tx:
                    return await work(tx)
            except AGAIN:
                longest = RETRY_SECONDS_MAX * (attempt + 1)
                await asyncio.sleep(random.uniform(0, longest))  # noqa: S311
        async with Transaction(self, connections) as tx:
            return await work(tx)

    async def transact_patiently(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """`transact`, tried again a few times under contention: for what only this process knows,
        such as the results of calls to other servers, and which jobs it could not run."""
        for _ in range(limits.CONTENTION_RETRIES_MAX):
            with suppress(*CONTENTION_ERRORS):
                return await self.transact(work)
        return await self.transact(work)

    def is_outage(self, error: Exception) -> bool:
        """Whether it is an effect of an outage, which is logged once and not by all who notice."""
        return isinstance(error, OUTAGE_ERRORS) or (
            self.outage.lasts and isinstance(error, ApiError)
        )

    async def preview(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """What `transact` would return; all writes of `work` are rolled back."""
        results: list[T] = []

        async def run(tx: Tx) -> None:
            results.append(await work(tx))
            await tx.flush()
            raise DryRunRollback

        with suppress(DryRunRollback):
            await self.transact(run)
        return results[-1]

    def transaction(self) -> Transaction:
        """`async with db.transaction() as tx`: once, without retries."""
        return Transaction(self, self.connections)

    @asynccontextmanager
    async def long_transaction(self) -> AsyncIterator[Tx]:
        """One transaction on a connection of its own, without time limits: a backup, a restore."""
        connection = await self.dedicated()
        try:
            await connection.execute("SET idle_in_transaction_session_timeout = 0")
            async with Transaction(self, OwnConnection(connection)) as tx:
                yield tx
        finally:
            await connection.close()

    async def rows(self, sql: str, *args: object) -> Sequence[Row]:
        """One statement without a transaction around it: a read, or a write whose loss does not
        matter, since a lost connection leaves open whether it happened. Also `row` and `value`."""
        rows: Sequence[Row] = await self._read("fetch", sql, args)
        return rows

    async def row(self, sql: str, *args: object) -> Row | None:
        return await self._read("fetchrow", sql, args)

    async def value(self, sql: str, *args: object) -> Any:
        return await self._read("fetchval", sql, args)

    async def ping(self) -> None:
        """Raises one of UNAVAILABLE_ERRORS if the database does not answer."""
        await self.value("SELECT 1")

    async def follow_clock(self) -> None:
        """Set this process's clock by the database's, as at the start."""
        async with self.transaction() as tx:
            await skew.follow(self.clock, tx.connection)

    def on_commit(self, callback: Callable[[set[str]], None]) -> None:
        """Call `callback` with the woken queue pools after every commit that woke any."""
        self._callbacks.append(callback)

    def committed(self, tx: Tx) -> None:
        """What a transaction asked for after its commit."""
        for act in tx.acts:
            act()
        if tx.woken:
            for callback in self._callbacks:
                callback(tx.woken)

    async def dedicated(self, **elsewhere: str) -> Connection:
        """A connection outside the pool and past any pooler, without time limits for statements:
        for LISTEN, migrations, locks of a session. The caller must close it. `elsewhere`: to
        another `database` of the same server.
        """
        try:
            made = await connect_patiently({**self._dsn, **elsewhere}, name=self._name)
        except OUTAGE_ERRORS as fault:
            self._direct_outage.begins(fault)
            raise
        self._direct_outage.ends()
        return made

    def of_process(self, kind: type[T]) -> T:
        """See `Tx.of_process`."""
        found: T = self.shared.setdefault(kind, kind())
        return found

    def _on_lost(self) -> None:
        """A failover may have taken back what was never replicated, and its successor may give the
        same ids to other transactions: versions that were read before say nothing now."""
        self.versioned_cache.clear()

    async def close(self) -> None:
        await self.connections.close()
        await self.report_connections.close()

    async def _read(self, method: str, sql: str, args: Sequence[object]) -> Any:
        try:
            found = await self._read_once(method, sql, args)
        except OUTAGE_ERRORS as fault:
            self.outage.begins(fault)
            raise
        if self.outage.lasts:
            self.outage.ends()
        return found

    async def _read_once(self, method: str, sql: str, args: Sequence[object]) -> Any:
        sql, sent = prepare(sql, args)
        connection = await self.connections.take()
        try:
            return await getattr(connection, method)(sql, *sent)
        except asyncpg.ReadOnlySQLTransactionError as error:
            connection.terminate()
            self.connections.drop_idle()
            raise explained(error, connection) from error
        except asyncpg.PostgresError:
            raise
        except BaseException as error:
            # Cancelled or interrupted: asyncpg cancels the statement, and we wait for that.
            await settle(connection, "SELECT 1")
            reason = explained(error, connection)
            if reason is error:
                raise
            raise reason from error
        finally:
            self.connections.give(connection)
