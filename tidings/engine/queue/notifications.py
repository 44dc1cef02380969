"""Wakes the workers of other processes, over PostgreSQL's LISTEN and NOTIFY.

Only an optimisation: workers also poll, so a lost notification costs one second. NOTIFY takes a
lock that all notifying commits share. It is therefore sent apart from them, debounced, and only for
pools that no worker of this process serves.
"""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any

import asyncpg

from tidings import limits
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.db.pool import Database

# Which error asyncpg raises for a connection that the server just closed depends on its state.
CONNECTION_LOST: tuple[type[Exception], ...] = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    *UNAVAILABLE_ERRORS,
)

JOBS = "jobs"
Listener = Callable[[str], None]  # called with the payload


class Notifier:
    """One per process: sends notifications of new jobs, and listens on channels."""

    def __init__(self, db: Database, listeners: Mapping[str, Listener]) -> None:
        self._db = db
        self._listeners = listeners  # by channel
        self._pending: set[str] = set()
        self._has_pending = asyncio.Event()

    def notify(self, pools: set[str]) -> None:
        """There are jobs for workers of other processes."""
        self._pending |= pools
        self._has_pending.set()

    async def run(self) -> None:
        """Until cancelled. Reconnects when the connection is lost."""
        while True:
            with suppress(*CONNECTION_LOST):
                await self._listen_and_notify()
            await asyncio.sleep(limits.QUEUE_IDLE_WAIT.total_seconds())

    async def _listen_and_notify(self) -> None:
        connection = await self._db.dedicated()
        lost = asyncio.Event()
        try:
            connection.add_termination_listener(lambda _: lost.set())
            for channel in self._listeners:
                await connection.add_listener(channel, self._on_notification)
            while not lost.is_set():
                await self._send_pending(connection, lost)
        finally:
            with suppress(*CONNECTION_LOST):
                await connection.close(timeout=1)

    def _on_notification(self, _connection: Any, _pid: int, channel: str, payload: str) -> None:
        self._listeners[channel](payload)

    async def _send_pending(self, connection: Any, lost: asyncio.Event) -> None:
        waits = [asyncio.create_task(event.wait()) for event in (self._has_pending, lost)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
        pools, self._pending = self._pending, set()
        self._has_pending.clear()
        if pools and not lost.is_set():
            await connection.execute("SELECT pg_notify($1, $2)", JOBS, ",".join(sorted(pools)))
            await asyncio.sleep(1 / limits.NOTIFICATIONS_PER_SECOND_MAX)
