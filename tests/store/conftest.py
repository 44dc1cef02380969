"""An empty queue for the stories of tests/store/test_queue*.py."""

import asyncio

import pytest

from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.queue import House, Story
from tidings.engine.db.pool import Database


@pytest.fixture(scope="module")
def dsn():
    return fresh_database()


@pytest.fixture
def run(dsn):
    """Run a story on an empty queue."""

    def run(story: Story) -> None:
        async def go() -> None:
            clock = ManualClock()
            db = await Database.open(dsn, clock)
            try:
                await db.rows("TRUNCATE jobs")
                async with asyncio.timeout(60):
                    await story(House(db, clock))
            finally:
                await db.close()

        asyncio.run(go())

    return run
