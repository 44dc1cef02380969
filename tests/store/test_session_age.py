"""A session of the pool that has become old is replaced, and nobody notices."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import asyncpg
import pytest

from tests.support.clock import ManualClock
from tests.support.database import Dsn, empty_database, needs_direct
from tests.support.waiting import until
from tidings.engine.db.connections import Connections
from tidings.engine.db.pool import Database

pytestmark = needs_direct

AT_ONCE = 0.0
NEVER = 86_400.0
OPEN = """
    SELECT pid FROM pg_stat_activity
     WHERE datname = current_database() AND application_name = 'aged'
"""


@pytest.fixture(scope="module")
def dsn() -> Dsn:
    return empty_database()


@pytest.fixture
async def watch(dsn: Dsn) -> AsyncIterator[Any]:
    connection = await asyncpg.connect(**dsn)
    yield connection
    await connection.close()


@pytest.fixture
def pool(dsn: Dsn) -> Callable[..., Any]:
    @asynccontextmanager
    async def opened(size: int = 1, age: float = AT_ONCE) -> AsyncIterator[Connections]:
        pool = Connections(dsn, size, wait_seconds_max=30, name="aged", age_seconds_max=age)
        try:
            yield pool
        finally:
            await pool.close()

    return opened


async def has_open(watch: Any, most: int = 0) -> None:
    """Wait until the server has no more of them: one ends a moment after it was told to."""

    async def is_so() -> bool:
        return len(await watch.fetch(OPEN)) <= most

    await until(is_so)


async def used(pool: Connections) -> int:
    """Which session served."""
    connection = await pool.take()
    pid: int = await connection.fetchval("SELECT pg_backend_pid()")
    pool.give(connection)
    return pid


async def test_a_young_session_serves_again_and_again(pool) -> None:
    async with pool(age=NEVER) as young:
        assert await used(young) == await used(young)


async def test_an_old_session_is_closed_and_another_one_serves(pool, watch) -> None:
    async with pool() as old:
        first = await used(old)
        second = await used(old)
        assert first != second
        await until(lambda: old.in_use == 0)
        await has_open(watch)


async def test_it_ends_only_when_it_is_given_back(pool) -> None:
    async with pool() as old:
        connection = await old.take()
        await connection.execute("BEGIN")
        await connection.execute("CREATE TEMPORARY TABLE notes (text text)")
        await connection.execute("INSERT INTO notes VALUES ('kept')")
        assert await connection.fetchval("SELECT text FROM notes") == "kept"
        await connection.execute("COMMIT")
        old.give(connection)


async def test_whoever_waits_gets_it_though_it_is_old(pool) -> None:
    async with pool() as old:
        connection = await old.take()
        waiting = asyncio.create_task(old.take())
        await until(lambda: old.waiting == 1)
        old.give(connection)
        assert await waiting is connection
        old.give(connection)


async def test_one_is_closed_at_a_time(pool) -> None:
    async with pool(size=3) as old:
        taken = [await old.take() for _ in range(3)]
        for connection in taken:
            old.give(connection)
        assert (old.in_use, old.idle) == (1, 2)


async def test_what_a_rush_has_opened_ends_with_time(pool, watch) -> None:
    """Those that lie unused are old too, and a pool that serves one caller keeps none of them."""
    async with pool(size=3) as old:
        for connection in [await old.take() for _ in range(3)]:
            old.give(connection)
        await until(lambda: old.in_use == 0)
        for _ in range(3):
            await used(old)
            await until(lambda: old.in_use == 0)
        await has_open(watch, 1)


async def test_many_callers_lose_nothing_while_every_session_is_replaced(dsn, watch) -> None:
    await watch.execute("CREATE TABLE notes (id integer PRIMARY KEY)")
    aged = Connections(dsn, 3, wait_seconds_max=30, name="aged", age_seconds_max=AT_ONCE)
    db = Database(dsn, ManualClock(), aged, Connections(dsn, 1))
    served: set[int] = set()

    async def put(number: int) -> None:
        async with db.transaction() as tx:
            await tx.run("INSERT INTO notes VALUES ($1)", number)
            served.add(await tx.value("SELECT pg_backend_pid()"))

    for begin in range(0, 100, 10):
        await asyncio.gather(*(put(number) for number in range(begin, begin + 10)))
    assert await db.value("SELECT count(*) FROM notes") == 100
    assert len(served) > 3
    await db.close()
    await has_open(watch)


async def test_closing_waits_for_the_one_that_is_being_closed(pool, watch) -> None:
    async with pool() as old:
        await used(old)
    await has_open(watch)
