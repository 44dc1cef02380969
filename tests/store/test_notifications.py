"""Notifications between processes: sent once, received at once, also after a reconnect."""

import asyncio
from typing import Any

import asyncpg
import pytest

from tests.support.waiting import until
from tests.support.worker import kill_connections
from tidings.clock import SystemClock
from tidings.engine.db.pool import Database
from tidings.engine.queue.notifications import JOBS, Notifier


async def _listening(db: Database, count: int) -> bool:
    # The killed connections of the databases themselves are noticed by using them.
    try:
        found = await db.value(
            "SELECT count(*) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
            " AND datname = current_database()"
        )
    except Exception:
        return False
    return bool(found >= count)


def _notified(sending: Notifier, received: list[str], pool: str) -> bool:
    sending.notify({pool})
    return any(pool in notice for notice in received)


async def test_work_is_announced_to_workers_of_other_processes(dsn) -> None:
    received: list[str] = []
    here, there = [await Database.open(dsn, SystemClock(), 1) for _ in range(2)]
    sending, listening = Notifier(here, {}), Notifier(there, {JOBS: received.append})
    tasks = [asyncio.create_task(notifier.run()) for notifier in (sending, listening)]
    try:
        await until(lambda: _listening(there, 1))
        sending.notify({"send", "timers"})
        await until(lambda: received == ["send,timers"])
        for n in range(100):
            sending.notify({f"pool-{n}"})
        await until(lambda: "pool-99" in received[-1])
        assert len(received) <= 3, "a hundred wake-ups at the same time are one notification"
        await kill_connections(dsn)
        sending.notify({"lost, perhaps"})
        await until(lambda: _listening(there, 1))
        await until(lambda: _notified(sending, received, "again"))
    finally:
        for task in tasks:
            assert not task.done()
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await here.close()
        await there.close()


class HungUp:
    """A connection that the server has just closed."""

    def __init__(self, fault: Exception) -> None:
        self._fault = fault

    def add_termination_listener(self, _: Any) -> None:
        pass

    async def add_listener(self, *_: Any) -> None:
        raise self._fault

    async def close(self, timeout: float) -> None:
        raise self._fault


@pytest.mark.parametrize(
    "fault",
    [
        asyncpg.InternalClientError("cannot switch to state 12; another operation is in progress"),
        asyncpg.InterfaceError("connection is closed"),
        asyncpg.ConnectionDoesNotExistError("connection was closed in the middle of operation"),
        ConnectionResetError(),
    ],
    ids=lambda fault: type(fault).__name__,
)
async def test_a_lost_connection_is_reopened_whatever_its_error(dsn, fault: Exception) -> None:
    class Elsewhere:
        def __init__(self, db: Database) -> None:
            self.connections = [lambda: asyncio.sleep(0, HungUp(fault)), db.dedicated]

        async def dedicated(self) -> Any:
            return await self.connections.pop(0)()

    db = await Database.open(dsn, SystemClock(), 1)
    received: list[str] = []
    notifier = Notifier(Elsewhere(db), {JOBS: received.append})
    running = asyncio.create_task(notifier.run())
    notifier.notify({"send"})
    await until(lambda: received == ["send"])
    running.cancel()
    await asyncio.gather(running, return_exceptions=True)
    await db.close()
