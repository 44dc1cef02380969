"""Every running program says in the database which version it is, and watches that it still suits.

It holds a shared advisory lock whose key is its version, on a connection of its own. PostgreSQL
frees the lock with the connection, so whoever died is gone at once: no heartbeat, no clock. A
migration that older programs must not meet looks at these locks before it is applied.

The lock is taken before the schema is looked at, and both sides look under the lock of `migrate`:
a program that comes too late for the migration to see it finds the migration.
"""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress

import asyncpg
import structlog

from tidings import __version__
from tidings.engine.db.connections import Connection, Unavailable
from tidings.engine.db.pool import Database
from tidings.engine.db.schema.compatibility import find_too_old
from tidings.engine.db.schema.files import Migration, own_files, read_migrations, version_number
from tidings.engine.db.schema.tables import load_applied

log = structlog.get_logger()

LOCK_CLASS = 0x7469_6476  # "tidv": the versions that run
CHECK_SECONDS = 5.0
RECONNECT_SECONDS = 0.25

_HOLD = "SELECT pg_advisory_lock_shared($1, $2)"
_RUNNING = """
    SELECT objid::bigint AS version, count(DISTINCT pid) AS processes FROM pg_locks
     WHERE locktype = 'advisory' AND classid = $1::bigint::oid AND objsubid = 2 AND granted
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
     GROUP BY objid ORDER BY objid
"""
# Whatever PostgreSQL says: a program that stops looking would be neither seen nor stopped.
_GONE = (
    OSError,
    Unavailable,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresError,
)

OnTooOld = Callable[[str], None]  # called once, with a sentence


async def load_running(connection: Connection) -> dict[int, int]:
    """How many processes run, by `version_number`."""
    rows = await connection.fetch(_RUNNING, LOCK_CLASS)
    return {row["version"]: row["processes"] for row in rows}


class Presence:
    """One per process."""

    def __init__(
        self,
        db: Database,
        version: str = __version__,
        migrations: Sequence[Migration] | None = None,
        check_seconds: float = CHECK_SECONDS,
    ) -> None:
        self._db = db
        self._version = version
        self._migrations = read_migrations(own_files()) if migrations is None else migrations
        self._check_seconds = check_seconds
        self._connection: Connection | None = None
        self._lost = asyncio.Event()

    async def announce(self) -> None:
        """Before the schema is looked at: see above."""
        self._connection = connection = await self._db.dedicated()
        self._lost = lost = asyncio.Event()
        connection.add_termination_listener(lambda _: lost.set())
        await connection.execute(_HOLD, LOCK_CLASS, version_number(self._version))

    async def watch(self, on_too_old: OnTooOld) -> None:
        """Until the schema does not suit this program any more. Reconnects where need be, and at
        once: without its lock the program is not waited for."""
        while True:
            try:
                reason = await self._look()
            except _GONE:
                await self.leave()
                await asyncio.sleep(RECONNECT_SECONDS)
                continue
            if reason is not None:
                log.error("program.outdated", reason=reason)
                on_too_old(reason)
                return
            with suppress(TimeoutError):
                await asyncio.wait_for(self._lost.wait(), self._check_seconds)

    async def leave(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(*_GONE):
                await connection.close(timeout=1)

    async def _look(self) -> str | None:
        if self._connection is None:
            await self.announce()
        return find_too_old(self._migrations, await load_applied(self._connection), self._version)
