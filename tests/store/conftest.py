"""An empty queue: for the stories of test_queue*.py, and with a worker for test_worker*.py."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from tests.support import worker
from tests.support.clock import ManualClock
from tests.support.database import fresh_database, opened_database
from tests.support.queue import House, Story
from tidings.clock import Clock


@pytest.fixture(scope="module")
def dsn():
    return fresh_database()


@pytest.fixture
def run(dsn):
    """Run a story on an empty queue."""

    def run(story: Story) -> None:
        async def go() -> None:
            clock = ManualClock()
            async with opened_database(dsn, clock, "jobs") as db, asyncio.timeout(90):
                await story(House(db, clock))

        asyncio.run(go())

    return run


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
            running = asyncio.create_task(house.worker.run())
            try:
                async with asyncio.timeout(90):
                    yield house
                    house.gate.set()
                    house.worker.stop()
                    await running
            finally:
                running.cancel()

    return opened
