"""Databases of the test's own, an empty queue, and a worker on one."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.support import worker
from tests.support.clock import ManualClock
from tests.support.database import Dsn, fresh_database, opened_database
from tests.support.queue import House
from tidings.clock import Clock
from tidings.engine.db.pool import Database


@pytest.fixture(scope="module")
def dsn() -> Dsn:
    return fresh_database()


@pytest.fixture
async def house(dsn: Dsn, clock: ManualClock) -> AsyncIterator[House]:
    """An empty queue."""
    async with opened_database(dsn, clock, "jobs") as db:
        yield House(db, clock)


@pytest.fixture
async def db(clock: ManualClock) -> AsyncIterator[Database]:
    """A fresh database of the test's own."""
    async with opened_database(fresh_database(), clock, size=4) as db:
        yield db


@pytest.fixture
def opened(dsn):
    """Open a database with an empty queue, and a house on it whose worker runs."""

    @asynccontextmanager
    async def opened(
        clock: Clock | None = None, *, wait_seconds_max: float = 30, size: int = 5, **pool: int
    ) -> AsyncIterator[worker.House]:
        clock = clock or ManualClock()
        options = {"size": size, "wait_seconds_max": wait_seconds_max}
        async with opened_database(dsn, clock, "jobs", **options) as db:
            house = worker.House(db, clock, **pool)
            running = house.running = asyncio.create_task(house.worker.run())
            try:
                async with asyncio.timeout(90):
                    yield house
                    house.released.set()
                    house.worker.stop()
                    await running
            finally:
                running.cancel()

    return opened
