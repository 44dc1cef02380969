"""A server whose connections run out: ours wait for their turn, and go on when there is room."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import asyncpg
import pytest
from structlog.testing import capture_logs

from tests.support.clock import ManualClock
from tests.support.external import PgBouncer, PostgresServer, needs_pgbouncer, needs_postgres
from tidings.engine.db.connections import Connection, NoFreeConnection, connect
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.db.pool import Database
from tidings.engine.db.sessions import Pooler

pytestmark = [pytest.mark.anyio, needs_postgres]

ROOM = 4  # for those who are no superuser


@pytest.fixture(scope="module")
def small() -> Iterator[PostgresServer]:
    settings = {"max_connections": str(ROOM + 3), "superuser_reserved_connections": "3"}
    with PostgresServer(settings) as server:
        server.execute("CREATE ROLE runner LOGIN")
        server.dsn["user"] = "runner"
        yield server


@asynccontextmanager
async def others(server: PostgresServer, count: int) -> AsyncIterator[list[asyncpg.Connection]]:
    """They have so many of its connections."""
    taken = [await asyncpg.connect(**server.dsn) for _ in range(count)]
    try:
        yield taken
    finally:
        for connection in taken:
            await connection.close()


async def work(db: Database, count: int) -> list[int]:
    async def one(number: int) -> int:
        async with db.transaction() as tx:
            await tx.begin()
            found: int = await tx.value("SELECT $1::int FROM pg_sleep(0.01)", number)
            return found

    return await asyncio.gather(*(one(number) for number in range(count)))


async def test_work_is_done_on_the_connections_that_there_are(small: PostgresServer) -> None:
    db = await Database.open(small.dsn, ManualClock(), 10, wait_seconds_max=60)
    with capture_logs() as lines:
        async with others(small, ROOM - 2):
            assert await work(db, 30) == list(range(30))
    # More than once if refusals that were under way together took the room from each other.
    assert lines[-1]["event"] == "database.connections_refused"
    assert lines[-1]["wanted"] == 10
    assert len(lines) <= 3
    with capture_logs() as lines:
        assert await work(db, 30) == list(range(30))
    assert lines[0]["event"] == "database.connections_granted"
    await db.close()


async def test_a_connection_that_is_given_back_goes_to_who_has_waited(
    small: PostgresServer,
) -> None:
    """Not to the next who comes: under load that would go on until the wait is over."""
    pool = (await Database.open(small.dsn, ManualClock(), 4, wait_seconds_max=60)).connections
    async with others(small, ROOM - 1):
        only = await pool.take()
        waiting = {asyncio.create_task(pool.take()) for _ in range(2)}
        while not pool._wanting:  # one of the two; the other may be asking the server again
            await asyncio.sleep(0.01)
        pool.give(only)
        late = asyncio.create_task(pool.take())
        served: list[asyncio.Task[Connection]] = []
        pending = {late, *waiting}
        while pending:
            done, pending = await asyncio.wait(pending, return_when=asyncio.FIRST_COMPLETED)
            served += done
            pool.give(served[-1].result())
        assert served[0] in waiting
    await pool.close()


async def test_with_no_connection_at_all_a_request_is_told_to_come_again(
    small: PostgresServer,
) -> None:
    db = await Database.open(small.dsn, ManualClock(), 2, wait_seconds_max=0.2)
    for connection in db.connections._open:
        connection.terminate()
    async with others(small, ROOM):
        with pytest.raises(NoFreeConnection) as refusal:
            await db.ping()
        assert refusal.value.retry_after == 1
        assert isinstance(refusal.value, UNAVAILABLE_ERRORS)
    assert await work(db, 5) == list(range(5))
    await db.close()


async def test_a_process_that_starts_meanwhile_waits(small: PostgresServer) -> None:
    async with others(small, ROOM) as taken:
        with capture_logs() as lines:
            opening = asyncio.create_task(Database.open(small.dsn, ManualClock(), 2))
            while not lines:
                await asyncio.sleep(0.01)
            await taken[0].close()
            db = await opening
        dedicated = asyncio.create_task(db.dedicated())
        await asyncio.sleep(0.01)
        await taken[1].close()
        await (await dedicated).close()
    assert [line["event"] for line in lines] == [
        "database.connections_refused",
        "database.connections_granted",
    ]
    await db.close()


@needs_pgbouncer
async def test_a_pooler_that_is_full_is_no_outage_either(small: PostgresServer) -> None:
    with PgBouncer(small, {"max_client_conn": "2"}) as pooler:
        first, second = [await asyncpg.connect(**pooler.dsn) for _ in range(2)]
        with pytest.raises(asyncpg.TooManyConnectionsError, match="no more connections"):
            await connect(pooler.dsn, pooler=Pooler.PLAIN)
        await first.close()
        await second.close()


@needs_pgbouncer
async def test_a_process_that_starts_through_a_pooler_waits_as_well(
    small: PostgresServer,
) -> None:
    with PgBouncer(small) as pooler:
        async with others(small, ROOM) as taken:
            opening = asyncio.create_task(Database.open(pooler.address(), ManualClock(), 1))
            await asyncio.wait({opening}, timeout=0.3)
            for connection in taken:
                await connection.close()
            db = await opening
            await db.ping()
            await db.close()
