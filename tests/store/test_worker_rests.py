"""Worker loops wake when there is work, rest while there is none, and stop on request."""

import asyncio

from tests.support.clock import ManualClock
from tests.support.database import needs_direct, opened_database
from tests.support.waiting import until
from tests.support.worker import OURS, POLL
from tidings import limits
from tidings.clock import SystemClock
from tidings.engine import queue
from tidings.engine.db.pool import Database
from tidings.engine.queue import NewJob


async def test_a_woken_worker_claims_at_once(opened) -> None:
    """The quickest of five: one that is found by the poll waits for nearly all of it."""

    async with opened() as house:
        waits = []
        for n in range(5):
            await asyncio.sleep(0.05)
            started = asyncio.get_running_loop().time()
            await house.put(str(n))
            await until(lambda n=n: len(house.ran) == n + 1)
            waits.append(asyncio.get_running_loop().time() - started)
        assert min(waits) < POLL / 2


async def test_a_lost_notification_costs_one_polling_interval(opened, dsn) -> None:
    async with opened() as house:
        await asyncio.sleep(0.05)
        elsewhere = await Database.open(dsn, house.clock, 1)
        job = NewJob(OURS, "send", "plain", "announced to nobody", house.clock.now())
        await elsewhere.transact(lambda tx: queue.enqueue(tx, [job]))
        await elsewhere.close()
        await until(lambda: house.ran)


@needs_direct  # behind a pooler both pools may be given the same session
async def test_a_poll_that_finds_nothing_is_one_query(opened, dsn) -> None:
    """Five pools of each process poll every second, also where nobody sends anything."""
    last = "SELECT ltrim(query, E' \\n') FROM pg_stat_activity WHERE pid = $1"
    async with opened(size=1) as house, opened_database(dsn, house.clock, size=1) as beside:
        pid = await house.db.value("SELECT pg_backend_pid()")
        async with asyncio.timeout(30 * POLL):  # a claim would end with COMMIT
            while not (await beside.value(last, pid)).startswith("SELECT due_at FROM jobs"):
                await asyncio.sleep(POLL / 10)


async def test_a_worker_sleeps_until_the_next_job_is_due(opened) -> None:
    clock = SystemClock()
    async with opened(clock) as house:
        late = []
        for n in range(3):
            due = clock.now() + limits.QUEUE_IDLE_WAIT / 4
            await house.put("soon", due_at=due)
            await until(lambda n=n: len(house.ran) == n + 1)
            late.append((clock.now() - due).total_seconds())
        assert min(late) >= 0, "it was not yet due"
        assert min(late) < POLL / 2, "it was found by the poll"


class CountingClock(ManualClock):
    """Every transaction reads the clock once, so this counts them."""

    asked = 0

    def now(self):
        self.asked += 1
        return super().now()


async def test_a_worker_does_not_spin_while_due_jobs_wait_for_older_ones(opened) -> None:
    """A slow receiver holds the first webhook of a message for ten seconds, the second waits."""

    clock = CountingClock()
    async with opened(clock) as house:
        house.released.clear()
        await house.put("first", "second", ordering_key="message")
        await until(lambda: house.ran == [["first"]])
        clock.asked = 0
        await asyncio.sleep(0.5)
        assert clock.asked < 40, "it asks again and again"
        house.released.set()
        await until(lambda: house.ran == [["first"], ["second"]])


async def test_stop_waits_for_running_jobs_and_claims_no_more(opened) -> None:
    async with opened(slots=1, group=1) as house:
        house.released.clear()
        await house.put("under way", "still waiting")
        await until(lambda: house.busy == 1)
        house.worker.stop()
        house.released.set()
        await house.running  # from here on nothing is claimed
        assert house.busy == 0
        assert house.ran == [["under way"]]
        assert [row["leased"] for row in await house.rows()] == [False]
