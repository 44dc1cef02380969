"""A bounded connection pool; the most recently used connection is reused first.

asyncpg's own pool creates a proxy and a task per use: an empty transaction costs 77 to 87 us of CPU
time there and 43 to 48 here (decision 0004). Its session reset is not needed: only `Database` uses
these connections, and it leaves them clean. One that has become old is replaced (decision 0049).
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, nullcontext, suppress
from types import MappingProxyType
from typing import Any

import asyncpg
import structlog

from tidings.engine.db import array_types, sessions
from tidings.engine.db.hosts import connect_to_one, each_host, notice_silence
from tidings.engine.db.sessions import PLANNED_BY_KEY, Pooler
from tidings.engine.fair_queue import FairSemaphore
from tidings.errors import ApiError, Code

WAIT_SECONDS_MAX = 2.0  # for a free connection; then 503 and Retry-After (reliability.md 2.16)
CONNECT_SECONDS_MAX = 5.0  # while a request waits
FIRST_CONNECT_SECONDS_MAX = 15.0  # at the start of a program, on a machine that is busy
COMMAND_SECONDS_MAX = 10.0  # twice the server's own limit: reached only if the network is dead
CLOSE_SECONDS_MAX = 5.0
AGE_SECONDS_MAX = 3600.0  # of a session; then another one takes its place
STATEMENTS_CACHED = 160  # of each session: 0.2 MB each at the server, see decision 0049
FULL_PAUSE_SECONDS = 0.1  # before a server that has no room for a connection is asked again
REPORT_CONNECTIONS = 3  # of a process, opened when first needed

POOLER_IN_THE_WAY = (
    "There is a connection pooler, such as PgBouncer, between us and PostgreSQL: set"
    " TIDINGS_DIRECT_DATABASE_URL to an address of PostgreSQL itself (docs/operating/postgresql.md)"
)

# Refusals of a connection that callers tell apart.
_HANDLED_BY_CALLERS = (
    asyncpg.TooManyConnectionsError,
    asyncpg.PostgresConnectionError,
    asyncpg.CannotConnectNowError,
)

Connection = Any  # asyncpg.Connection
log = structlog.get_logger()


class Unavailable(Exception):
    """The database is unreachable; nothing was done. Retry shortly."""


class UnusableDatabase(Unavailable):
    """It answers, but must be set up otherwise. The text is whole sentences for the operator."""


class NoFreeConnection(ApiError):
    """All connections were in use for too long; nothing was done."""

    def __init__(self) -> None:
        super().__init__(Code.SERVICE_UNAVAILABLE, retry_after=1)


class Session(asyncpg.Connection):  # type: ignore[misc] # asyncpg has no types
    """A connection that never cancels a commit, and knows PostgreSQL's array types.

    With synchronous replication, a commit that is cancelled while it waits for a standby is kept by
    the primary alone, for all to see: a repeated request would find its message and be answered,
    and a failover would lose it. So a commit that takes too long ends with its connection.
    """

    __slots__ = ("is_committing",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.is_committing = False

    def _cancel_current_command(self, *waiters: asyncio.Future[None] | None) -> None:
        """asyncpg calls it when a statement takes too long, or the task that awaits it ends."""
        if not self.is_committing:
            super()._cancel_current_command(*waiters)
            return
        # Not within this call: asyncpg has yet to tell whoever waits why the statement ended.
        self._loop.call_soon(self.terminate)
        for waiter in waiters:
            if waiter is not None and not waiter.done():
                waiter.set_result(None)

    async def _introspect_types(self, typeoids: Iterable[int], timeout: float | None) -> Any:
        """asyncpg calls it at the first statement with types that it has no codec for."""
        known = array_types.find_described(typeoids)
        if known is None:
            return await super()._introspect_types(typeoids, timeout)
        return known, array_types.NOT_ASKED


class Connections:
    """Opens at most `size` connections, each when first needed."""

    def __init__(
        self,
        dsn: Mapping[str, Any],
        size: int,
        wait_seconds_max: float = WAIT_SECONDS_MAX,
        session: Mapping[str, str] = PLANNED_BY_KEY,
        pooler: Pooler = Pooler.NONE,
        name: str = sessions.NAME,
        age_seconds_max: float = AGE_SECONDS_MAX,
    ) -> None:
        self._dsn = dsn
        self._session = session
        self._pooler = pooler
        self._name = name
        self.at_begin = sessions.at_begin(session, pooler)
        self._age_seconds_max = age_seconds_max
        self._size = size
        self._wait_seconds_max = wait_seconds_max
        self._slots = FairSemaphore(size)  # fair between tenants
        self._idle: list[Connection] = []
        self._open: dict[Connection, asyncio.TimerHandle] = {}  # and what will make it old
        self._old: set[Connection] = set()
        self._retiring: asyncio.Task[None] | None = None
        self._closing = False
        self._refused = False  # the server has no room for another connection
        self._asking = False  # again, one at a time
        self._wanting: deque[asyncio.Future[Connection]] = deque()  # until then
        self.on_lost: Callable[[], None] = lambda: None  # a connection ended that we did not end
        self.timed_wait: Callable[[], AbstractContextManager[None]] = nullcontext  # for metrics

    @property
    def size(self) -> int:
        return self._size

    @property
    def idle(self) -> int:
        return len(self._idle)

    @property
    def in_use(self) -> int:
        """Including those that are being opened."""
        return self._size - self._slots.free

    @property
    def waiting(self) -> int:
        return self._slots.waiting

    async def open_first(self) -> Connection:
        """Whether there is a database, before anything is served."""
        seconds_max = FIRST_CONNECT_SECONDS_MAX
        try:
            connection = await self._find_room(seconds_max, seconds_max)
        except NoFreeConnection:
            raise Unavailable("the server has no room for another connection") from None
        self._idle.append(connection)
        return connection

    async def take(self) -> Connection:
        if self._closing:
            raise Unavailable("this process is closing its database connections")
        await self._wait_for_slot()
        try:
            return await self._find_room(self._wait_seconds_max, CONNECT_SECONDS_MAX)
        except BaseException:
            self._slots.release()
            raise

    def give(self, connection: Connection) -> None:
        """Return a connection to the pool; one inside a transaction is closed instead."""
        if connection.is_closed() or connection.is_in_transaction():
            self.drop(connection)
            self.on_lost()
        elif (old := self._find_old(connection)) is not None:
            self._retire(old, connection)
        else:
            self._hand_over(connection)
            self._slots.release()

    def _find_old(self, given: Connection) -> Connection | None:
        """This one or that which was unused for longest, unless somebody needs it now."""
        for connection in (given, *self._idle[:1]) if self._old else ():
            if connection in self._old:
                is_needed = self._retiring or self._refused or self._closing or self._slots.waiting
                return None if is_needed else connection
        return None

    def _retire(self, old: Connection, given: Connection) -> None:
        """The slot is free when it is closed: no more sessions than `size` are ever open."""
        if old is not given:
            self._idle.remove(old)
            self._hand_over(given)
        self._retiring = asyncio.get_running_loop().create_task(self._close_old(old))

    async def _close_old(self, old: Connection) -> None:
        try:
            with suppress(OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                await old.close(timeout=CLOSE_SECONDS_MAX)
        finally:
            self._retiring = None
            self.drop(old)

    def _hand_over(self, connection: Connection) -> None:
        """To whoever has waited longest, if anybody does."""
        if self._wanting:
            self._wanting.popleft().set_result(connection)
        else:
            self._idle.append(connection)

    def drop(self, connection: Connection) -> None:
        connection.terminate()
        self._forget(connection)
        self._slots.release()

    def _forget(self, connection: Connection) -> None:
        """It has ended."""
        if (growing := self._open.pop(connection, None)) is not None:
            growing.cancel()
        self._old.discard(connection)

    def drop_idle(self) -> None:
        """Whatever is wrong with one of them is wrong with all."""
        while self._idle:
            connection = self._idle.pop()
            connection.terminate()
            self._forget(connection)

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
        for connection in list(self._open):
            connection.terminate()
            self._forget(connection)
        self._idle.clear()

    async def _wait_for_slot(self) -> None:
        if not self._slots.locked():
            await self._slots.acquire()
            return
        try:
            with self.timed_wait():
                async with asyncio.timeout(self._wait_seconds_max):
                    await self._slots.acquire()
        except TimeoutError:
            raise NoFreeConnection from None

    async def _find_room(self, wait_seconds_max: float, seconds_max: float) -> Connection:
        """An idle connection, or a new one. While the server takes no more, wait for either."""
        for _ in range(max(1, round(wait_seconds_max / FULL_PAUSE_SECONDS))):
            while self._idle:
                connection = self._idle.pop()
                if not connection.is_closed():
                    return connection
                self._forget(connection)
                self.on_lost()
            if not self._refused:
                with suppress(asyncpg.TooManyConnectionsError):
                    return await self._connect(seconds_max)
            elif not self._asking:
                with suppress(asyncpg.TooManyConnectionsError):
                    return await self._ask_again(seconds_max)
            if (connection := await self._wait_for_one()) is not None:
                return connection
        raise NoFreeConnection

    async def _connect(self, seconds_max: float) -> Connection:
        try:
            connection = await connect(
                self._dsn, self._session, seconds_max, self._pooler, self._name
            )
        except asyncpg.TooManyConnectionsError as reason:
            self._note_refused(reason)
            raise
        # Not all at once: those of a start are equally old.
        age = self._age_seconds_max * random.uniform(0.75, 1)  # noqa: S311
        growing = asyncio.get_running_loop().call_later(age, self._old.add, connection)
        self._open[connection] = growing
        return connection

    async def _ask_again(self, seconds_max: float) -> Connection:
        self._asking = True
        try:
            connection = await self._connect(seconds_max)
        finally:
            self._asking = False
        self._refused = False
        log.warning("database.connections_granted", open=len(self._open))
        return connection

    async def _wait_for_one(self) -> Connection | None:
        """One that is given back within a moment."""
        wanting: asyncio.Future[Connection] = asyncio.get_running_loop().create_future()
        self._wanting.append(wanting)
        try:
            await asyncio.wait({wanting}, timeout=FULL_PAUSE_SECONDS)
        except BaseException:
            if wanting.done():
                self._hand_over(wanting.result())
            raise
        finally:
            if not wanting.done():
                self._wanting.remove(wanting)
        return wanting.result() if wanting.done() else None

    def _note_refused(self, reason: Exception) -> None:
        """Once, until a connection is made again."""
        if not self._refused:
            self._refused = True
            log.error(
                "database.connections_refused",
                open=len(self._open),
                wanted=self._size,
                reason=str(reason),
            )


async def connect(
    dsn: Mapping[str, Any],
    session: Mapping[str, str] = MappingProxyType({}),
    seconds_max: float = FIRST_CONNECT_SECONDS_MAX,
    pooler: Pooler = Pooler.NONE,
    name: str = sessions.NAME,
) -> Connection:
    """A connection outside the pool. Without settings of a session its statements have no time
    limits."""

    async def connect_to(host: Mapping[str, Any]) -> Connection:
        connection: Connection = await asyncpg.connect(
            **{"connection_class": Session, **host},
            timeout=seconds_max,
            command_timeout=COMMAND_SECONDS_MAX if session else None,
            statement_cache_size=0 if pooler is Pooler.PLAIN else STATEMENTS_CACHED,
            max_cached_statement_lifetime=0,
            server_settings=sessions.at_connect(session, name, pooler),
        )
        notice_silence(connection)
        return connection

    try:
        return await connect_to_one(each_host(dsn), connect_to)
    except OSError as error:  # refused, no such socket, timed out
        raise Unavailable(f"no connection to the database: {error!r}") from error
    except asyncpg.TargetServerAttributeNotMatched as error:
        raise Unavailable("none of the database's hosts takes writes") from error
    except asyncpg.ProtocolViolationError as error:
        raise _refusal_of_pooler(error) from error
    except _HANDLED_BY_CALLERS:
        raise
    except asyncpg.PostgresError as error:  # a password that has changed, a database being replaced
        raise Unavailable(f"the database takes no connection of ours: {error}") from error


async def connect_patiently(
    dsn: Mapping[str, Any],
    session: Mapping[str, str] = MappingProxyType({}),
    pooler: Pooler = Pooler.NONE,
    name: str = sessions.NAME,
) -> Connection:
    """`connect`, which waits for a while where the server has no room for a connection."""
    for _ in range(round(FIRST_CONNECT_SECONDS_MAX / FULL_PAUSE_SECONDS)):
        with suppress(asyncpg.TooManyConnectionsError):
            return await connect(dsn, session, pooler=pooler, name=name)
        await asyncio.sleep(FULL_PAUSE_SECONDS)
    return await connect(dsn, session, pooler=pooler, name=name)


def _refusal_of_pooler(error: Exception) -> Exception:
    """What PgBouncer says at the start of a connection has no code of its own."""
    if "startup parameter" in str(error):
        return UnusableDatabase(POOLER_IN_THE_WAY)
    if "no more connections" in str(error):
        error = asyncpg.TooManyConnectionsError(str(error))
    return error
