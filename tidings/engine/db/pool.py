"""The database as the service sees it: `await db.transact(work)`.

One use case is one transaction with one timestamp. `transact` retries serialization failures and
lost connections, raises CommitUnknown if the outcome of a commit is unknown, and wakes queue pools
after the commit.
"""

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import Any, Self, TypeVar

import asyncpg

from tidings import limits
from tidings.clock import Clock
from tidings.engine.db.arrays import prepare
from tidings.engine.db.connections import (
    WAIT_SECONDS_MAX,
    Connection,
    Connections,
    NoFreeConnection,
    Unavailable,
    connect,
)
from tidings.engine.db.embedded.server import EmbeddedServer
from tidings.engine.db.outage import Outage
from tidings.engine.db.tx import Conflict, Row, Tx
from tidings.engine.db.versioned_cache import VersionedCache

T = TypeVar("T")

RETRIES_MAX = 3
RETRY_SECONDS_MAX = 0.05
SETTLE_SECONDS_MAX = 2.0


class Lost(Unavailable):
    """The connection was lost before COMMIT: nothing was done, and a retry is safe."""


class CommitUnknown(Exception):
    """The connection was lost during COMMIT: check whether it succeeded before retrying."""


RETRIED = (
    Conflict,
    asyncpg.SerializationError,
    asyncpg.DeadlockDetectedError,
    asyncpg.InvalidCachedStatementError,  # a migration changed a table under a prepared statement
)
LOST = (
    OSError,  # includes TimeoutError: nothing else inside a transaction waits on a network
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
    asyncpg.AdminShutdownError,
    asyncpg.CrashShutdownError,
)
# Rolled back; an immediate retry is likely to succeed.
AGAIN = (*RETRIED, Lost, *LOST[1:])
# What asyncpg raises for a connection that ended between two statements: after it noticed, and
# while it is still reading the server's last bytes. The new statement was not sent.
ENDED = (asyncpg.InterfaceError, asyncpg.InternalClientError)
# The database itself is unreachable; logged once (`outage.py`).
OUTAGE_ERRORS: tuple[type[Exception], ...] = (Unavailable, CommitUnknown, *LOST[1:])
# Rolled back because others held the rows for too long, or the machine was too busy.
CONTENTION_ERRORS: tuple[type[Exception], ...] = (
    NoFreeConnection,
    asyncpg.LockNotAvailableError,  # lock_timeout
    asyncpg.QueryCanceledError,  # statement_timeout
)
# Answered with 503 and Retry-After: a later retry of the request can succeed.
UNAVAILABLE_ERRORS: tuple[type[Exception], ...] = (
    *OUTAGE_ERRORS,
    *RETRIED,
    asyncpg.InsufficientResourcesError,  # disk full, out of memory, too many connections
    *CONTENTION_ERRORS,
)


class DryRunRollback(Exception):
    """Rolls back the transaction of a dry run."""


class Database:
    """Transactions over a connection pool. One instance per process."""

    def __init__(self, dsn: Mapping[str, Any], clock: Clock, connections: Connections) -> None:
        self._dsn = dsn
        self.outage = Outage(clock)
        self._clock = clock
        self._versioned_cache = VersionedCache()
        self._connections = connections
        self._callbacks: list[Callable[[set[str]], None]] = []

    @classmethod
    async def open(
        cls,
        target: str | Mapping[str, Any] | EmbeddedServer,
        clock: Clock,
        size: int = 10,
        wait_seconds_max: float = WAIT_SECONDS_MAX,
    ) -> Self:
        """Connect to a URL, to asyncpg's keyword arguments, or to an embedded server."""
        if isinstance(target, EmbeddedServer):
            target = target.dsn
        dsn = {"dsn": target} if isinstance(target, str) else target
        connections = Connections(dsn, size, wait_seconds_max)
        await connections.open_first()
        return cls(dsn, clock, connections)

    async def transact(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """Run `work` in one transaction. It may be retried, so its only effects must be on `tx`."""
        try:
            result = await self._attempt(work)
        except OUTAGE_ERRORS as fault:
            self.outage.begins(fault)
            raise
        if self.outage.lasts:
            self.outage.ends()
        return result

    async def _attempt(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        for attempt in range(RETRIES_MAX):
            try:
                async with Transaction(self) as tx:
                    return await work(tx)
            except AGAIN:
                longest = RETRY_SECONDS_MAX * (attempt + 1)
                await asyncio.sleep(random.uniform(0, longest))  # noqa: S311
        async with Transaction(self) as tx:
            return await work(tx)

    async def transact_patiently(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """`transact`, tried again a few times under contention: for the results of calls to other
        servers, which only this process knows."""
        for _ in range(limits.CONTENTION_RETRIES_MAX):
            with suppress(*CONTENTION_ERRORS):
                return await self.transact(work)
        return await self.transact(work)

    async def preview(self, work: Callable[[Tx], Awaitable[T]]) -> T:
        """What `transact` would return; all writes of `work` are rolled back."""
        results: list[T] = []

        async def run(tx: Tx) -> None:
            results.append(await work(tx))
            raise DryRunRollback

        with suppress(DryRunRollback):
            await self.transact(run)
        return results[-1]

    def transaction(self) -> "Transaction":
        """`async with db.transaction() as tx`: once, without retries."""
        return Transaction(self)

    async def rows(self, sql: str, *args: object) -> Sequence[Row]:
        """One read-only statement outside a transaction; the same holds for `row` and `value`."""
        rows: Sequence[Row] = await self._read("fetch", sql, args)
        return rows

    async def row(self, sql: str, *args: object) -> Row | None:
        return await self._read("fetchrow", sql, args)

    async def value(self, sql: str, *args: object) -> Any:
        return await self._read("fetchval", sql, args)

    async def ping(self) -> None:
        """Raises one of UNAVAILABLE_ERRORS if the database does not answer."""
        await self.value("SELECT 1")

    def on_commit(self, callback: Callable[[set[str]], None]) -> None:
        """Call `callback` with the woken queue pools after every commit that woke any."""
        self._callbacks.append(callback)

    async def dedicated(self) -> Connection:
        """A connection outside the pool, without time limits: for LISTEN, migrations, reports.

        The caller must close it.
        """
        try:
            return await connect(self._dsn)
        except OUTAGE_ERRORS as fault:
            self.outage.begins(fault)
            raise

    async def close(self) -> None:
        await self._connections.close()

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
        connection = await self._connections.take()
        try:
            return await getattr(connection, method)(sql, *sent)
        except asyncpg.PostgresError:
            raise
        except BaseException as error:
            # Cancelled or interrupted: asyncpg cancels the statement, and we wait for that.
            await _settle(connection, "SELECT 1")
            explained = _explained(error, connection)
            if explained is error:
                raise
            raise explained from error
        finally:
            self._connections.give(connection)


class Transaction:
    """BEGIN on entering; COMMIT, or ROLLBACK if anything was raised, on leaving."""

    __slots__ = ("_db", "_tx")

    def __init__(self, db: Database) -> None:
        self._db = db

    async def __aenter__(self) -> Tx:
        db = self._db
        connection = await db._connections.take()
        try:
            await connection.execute("BEGIN")
        except BaseException as error:
            explained = _explained(error, connection)
            db._connections.drop(connection)
            raise explained from error
        self._tx = Tx(connection, db._clock.now(), db._versioned_cache)
        return self._tx

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        tx, db = self._tx, self._db
        try:
            if error is None:
                await _commit(tx.connection)
            else:
                await _roll_back(tx.connection)
        finally:
            db._connections.give(tx.connection)
        if error is not None:
            explained = _explained(error, tx.connection)
            if explained is not error:
                raise explained from error
            return
        for act in tx.acts:
            act()
        if tx.woken:
            for callback in db._callbacks:
                callback(tx.woken)


async def _commit(connection: Connection) -> None:
    try:
        status = await connection.execute("COMMIT")
    except LOST as error:
        connection.terminate()
        raise CommitUnknown("the connection was lost during COMMIT") from error
    except ENDED as error:  # lost before COMMIT was sent
        raise _explained(error, connection) from error
    # If the error of a failed statement was suppressed, COMMIT rolls back without an error.
    if status != "COMMIT":
        raise RuntimeError(f"the transaction had failed before its end: {status}")


async def _roll_back(connection: Connection) -> None:
    if connection.is_in_transaction():
        await _settle(connection, "ROLLBACK")


async def _settle(connection: Connection, statement: str) -> None:
    """End the transaction; if that fails, the connection is closed, which rolls back as well."""
    if connection.is_closed():
        return
    try:
        async with asyncio.timeout(SETTLE_SECONDS_MAX):
            await connection.execute(statement)
    except (OSError, asyncpg.PostgresError, *ENDED):
        connection.terminate()
    except BaseException:
        connection.terminate()
        raise


def _explained(error: BaseException, connection: Connection) -> BaseException:
    """Lost or Unavailable if the connection failed; otherwise the error that the work raised."""
    if isinstance(error, TimeoutError):
        return Unavailable("the database did not answer in time; nothing was committed")
    lost = isinstance(error, asyncpg.InterfaceError) and connection.is_closed()
    if lost or isinstance(error, OSError | asyncpg.InternalClientError):
        return Lost("the connection was lost; nothing was committed")
    return error
