"""The worker survives a database that goes away and comes back."""

import asyncio
from datetime import timedelta

import asyncpg

from tests.support.database import needs_direct
from tests.support.waiting import until
from tests.support.worker import POLL, kill_connections
from tidings.engine import queue
from tidings.engine.queue import Job, JobKind


async def test_connections_that_are_cut_off_do_not_end_the_loop(opened, dsn) -> None:
    async with opened() as house:
        await house.put("before")
        await until(lambda: house.ran)
        assert await kill_connections(dsn)
        await asyncio.sleep(0.1)
        await house.put("after")
        await until(lambda: house.ran == [["before"], ["after"]])
        await kill_connections(dsn)
        await asyncio.sleep(0.1)
        await house.put("once more")
        await until(lambda: len(house.ran) == 3)


@needs_direct
async def test_a_handler_cut_off_in_its_transaction_is_run_again_after_its_lease(
    opened, dsn
) -> None:
    async with opened() as house:
        cut = asyncio.Event()

        async def handle(jobs: list[Job]) -> None:
            async with house.db.transaction() as tx:
                await queue.complete(tx, jobs)
                house.ran.append([job.subject for job in jobs])
                if not cut.is_set():
                    cut.set()
                    await kill_connections(dsn)

        house.worker.kinds["plain"] = JobKind(handle)
        await house.put("one")
        await until(cut.is_set)
        await asyncio.sleep(0.1)
        [row] = await house.rows()
        assert row["leased"]
        await house.outlive_lease()
        await until(lambda: house.ran == [["one"], ["one"]])

        async def done() -> bool:
            return await house.rows() == []

        await until(done)


async def test_a_database_that_is_read_only_for_a_while_does_not_end_the_loop(opened, dsn) -> None:
    """As after a fail-over, before the new primary is one."""

    async def set_read_only(value: str) -> None:
        admin = await asyncpg.connect(**dsn)
        await admin.execute("SET default_transaction_read_only = off")
        name = dsn["database"]
        await admin.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")
        await admin.close()
        await kill_connections(dsn)

    async with opened() as house:
        await house.put("later", due_at=house.clock.now() + timedelta(hours=1))
        await set_read_only("on")
        house.worker.wake()
        await asyncio.sleep(POLL + 0.2)
        await set_read_only("off")
        await asyncio.sleep(0.1)
        await house.put("after")
        await until(lambda: house.ran == [["after"]])


async def test_waiting_in_vain_for_a_connection_does_not_end_the_loop(opened) -> None:
    async with opened(size=1, wait_seconds_max=0.01) as house:

        async def put_when_free() -> bool:
            await house.put("after")
            return True

        async with house.db.transaction():
            house.worker.wake()
            await asyncio.sleep(0.1)
        await until(put_when_free)
        await until(lambda: house.ran == [["after"]])
