"""Wake-ups between processes, over PostgreSQL's LISTEN and NOTIFY.

Only a help: whoever waits also polls, so that a lost notice costs a second and nothing else.
NOTIFY takes a lock that all notifying commits share; so it is sent apart from them, debounced, and
only for pools that no worker of this process serves.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import asyncpg

from tidings import limits
from tidings.engine.db.pool import UNAVAILABLE_ERRORS, Database

# What asyncpg says of a connection whose server has just hung up depends on how far it has noticed.
LOST: tuple[type[Exception], ...] = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    *UNAVAILABLE_ERRORS,
)

JOBS = "jobs"
Hear = Callable[[str], None]  # given the notice's payload


class Wakes:
    """One per process: tells others of work for them, and hears what they tell."""

    def __init__(self, db: Database, hear: Mapping[str, Hear]) -> None:
        self._db = db
        self._hear = hear  # by channel
        self._pending: set[str] = set()
        self._something = asyncio.Event()

    def tell(self, pools: set[str]) -> None:
        """There is work for workers elsewhere."""
        self._pending |= pools
        self._something.set()

    async def run(self) -> None:
        """Until cancelled. A connection that is lost is made again."""
        while True:
            with suppress(*LOST):
                await self._listen_and_tell()
            await asyncio.sleep(limits.QUEUE_IDLE_WAIT.total_seconds())

    async def _listen_and_tell(self) -> None:
        connection = await self._db.dedicated()
        lost = asyncio.Event()
        try:
            connection.add_termination_listener(lambda _: lost.set())
            for channel in self._hear:
                await connection.add_listener(channel, self._heard)
            while not lost.is_set():
                await self._tell_pending(connection, lost)
        finally:
            with suppress(*LOST):
                await connection.close(timeout=1)

    def _heard(self, _connection: Any, _pid: int, channel: str, payload: str) -> None:
        self._hear[channel](payload)

    async def _tell_pending(self, connection: Any, lost: asyncio.Event) -> None:
        waits = [asyncio.create_task(event.wait()) for event in (self._something, lost)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        pools, self._pending = self._pending, set()
        self._something.clear()
        if pools and not lost.is_set():
            await connection.execute("SELECT pg_notify($1, $2)", JOBS, ",".join(sorted(pools)))
            await asyncio.sleep(1 / limits.WAKES_PER_SECOND_MAX)
