"""A bounded connection pool; the most recently used connection is reused first.

asyncpg's own pool creates a proxy and a task per use: an empty transaction costs 77 to 87 us of CPU
time there and 43 to 48 here (decision 0004). Its session reset and expiry are not needed: only
`Database` uses these connections, and it leaves them clean.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from types import MappingProxyType
from typing import Any

import asyncpg

from tidings import limits
from tidings.engine.fair_queue import FairSemaphore
from tidings.errors import ApiError, Code

WAIT_SECONDS_MAX = 2.0  # for a free connection; then 503 and Retry-After (reliability.md 2.16)
CONNECT_SECONDS_MAX = 5.0  # while a request waits
FIRST_CONNECT_SECONDS_MAX = 15.0  # at the start of a program, on a machine that is busy
COMMAND_SECONDS_MAX = 10.0  # twice the server's own limit: reached only if the network is dead
CLOSE_SECONDS_MAX = 5.0
STATEMENTS_CACHED = 512

SESSION = {
    "application_name": "tidings",
    "default_transaction_isolation": "read committed",
    "jit": "off",
    "timezone": "UTC",
}
REPORT_CONNECTIONS = 3  # of a process, opened when first needed
_TIME_LIMITS = {
    "statement_timeout": f"{limits.STATEMENT_TIMEOUT.total_seconds():g}s",
    "lock_timeout": f"{limits.LOCK_TIMEOUT.total_seconds():g}s",
}
# For statements that look rows up by key. A new table has no statistics, and a plan made then is
# cached: PostgreSQL read all messages of an account to merge 32 of them.
PLANNED_BY_KEY = _TIME_LIMITS | {
    # Planned once: otherwise each connection plans each statement five times before it decides so.
    # It also opens only the partitions that it needs (docs/decisions/0031).
    "plan_cache_mode": "force_generic_plan",
    "enable_mergejoin": "off",
    "enable_hashjoin": "off",
    "enable_seqscan": "off",
}
# For statements that read many rows: every join is open to the planner, and each execution is
# planned for its own arguments and the tables' present size. They have connections of their own,
# because a cached plan does not depend on settings: in a mixed session the first use would decide.
FREELY_PLANNED = _TIME_LIMITS | {"plan_cache_mode": "force_custom_plan"}

Connection = Any  # asyncpg.Connection


class Unavailable(Exception):
    """The database is unreachable; nothing was done. Retry shortly."""


class NoFreeConnection(ApiError):
    """All connections were in use for too long; nothing was done."""

    def __init__(self) -> None:
        super().__init__(Code.SERVICE_UNAVAILABLE, retry_after=1)


class Connections:
    """Opens at most `size` connections, each when first needed."""

    def __init__(
        self,
        dsn: Mapping[str, Any],
        size: int,
        wait_seconds_max: float = WAIT_SECONDS_MAX,
        session: Mapping[str, str] = PLANNED_BY_KEY,
    ) -> None:
        self._dsn = dsn
        self._session = session
        self._size = size
        self._wait_seconds_max = wait_seconds_max
        self._slots = FairSemaphore(size)  # fair between tenants
        self._idle: list[Connection] = []
        self._open: set[Connection] = set()
        self._closing = False

    async def open_first(self) -> None:
        """Whether there is a database, before anything is served."""
        self._idle.append(await self._connect(FIRST_CONNECT_SECONDS_MAX))

    async def take(self) -> Connection:
        if self._closing:
            raise Unavailable("this process is closing its database connections")
        await self._wait_for_slot()
        try:
            while self._idle:
                connection = self._idle.pop()
                if not connection.is_closed():
                    return connection
                self._open.discard(connection)
            return await self._connect()
        except BaseException:
            self._slots.release()
            raise

    def give(self, connection: Connection) -> None:
        """Return a connection to the pool; one inside a transaction is closed instead."""
        if connection.is_closed() or connection.is_in_transaction():
            self.drop(connection)
        else:
            self._idle.append(connection)
            self._slots.release()

    def drop(self, connection: Connection) -> None:
        connection.terminate()
        self._open.discard(connection)
        self._slots.release()

    async def close(self) -> None:
        """Wait briefly for connections in use, then close all. Idempotent."""
        if self._closing:
            return
        self._closing = True
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSE_SECONDS_MAX):
                for _ in range(self._size):
                    await self._slots.acquire()
                closing = [connection.close() for connection in self._idle]
                await asyncio.gather(*closing, return_exceptions=True)
        for connection in self._open:
            connection.terminate()
        self._idle.clear()
        self._open.clear()

    async def _wait_for_slot(self) -> None:
        if not self._slots.locked():
            await self._slots.acquire()
            return
        try:
            async with asyncio.timeout(self._wait_seconds_max):
                await self._slots.acquire()
        except TimeoutError:
            raise NoFreeConnection from None

    async def _connect(self, seconds_max: float = CONNECT_SECONDS_MAX) -> Connection:
        connection = await connect(self._dsn, self._session, seconds_max)
        self._open.add(connection)
        return connection


async def connect(
    dsn: Mapping[str, Any],
    session: Mapping[str, str] = MappingProxyType({}),
    seconds_max: float = FIRST_CONNECT_SECONDS_MAX,
) -> Connection:
    """A connection outside the pool. Without settings of a session it has no time limits."""
    try:
        return await asyncpg.connect(
            **dsn,
            timeout=seconds_max,
            command_timeout=COMMAND_SECONDS_MAX if session else None,
            statement_cache_size=STATEMENTS_CACHED,
            max_cached_statement_lifetime=0,
            server_settings=SESSION | dict(session),
        )
    except OSError as error:  # refused, no such socket, timed out
        raise Unavailable(f"no connection to the database: {error!r}") from error
