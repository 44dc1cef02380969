"""Claims with a concurrency limiter: free partitions are served, full ones cost little."""

from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.support.clock import ManualClock
from tests.support.database import Dsn, opened_database
from tests.support.rows_read import rows_read
from tidings import limits
from tidings.engine import queue
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, NewJob, Partition, Reschedule
from tidings.engine.queue.claim import Claimed, Claimer
from tidings.engine.queue.claim_store import SCAN_MAX, PoolJobs
from tidings.engine.queue.concurrency import ConcurrencyLimiter
from tidings.features.webhooks.destinations import DEFAULT_LIMITS

FIRST = limits.WEBHOOK_SLOTS_PER_DESTINATION


def account(number: int) -> UUID:
    return UUID(int=number << 64)


class House:
    """A database, a clock, and a claimer whose claimed jobs hold slots."""

    def __init__(self, db: Database, clock: ManualClock) -> None:
        self.db, self.clock, self.limiter = db, clock, ConcurrencyLimiter(DEFAULT_LIMITS)
        self.claimer = Claimer(PoolJobs("webhooks"))

    async def enqueue(self, whose: int, count: int = 1, *, wait: float = 0, **fields: Any) -> None:
        due = self.clock.now() + timedelta(seconds=wait)
        values = {"pool": "webhooks", "kind": "k", "subject": "s", "due_at": due} | fields
        jobs = [NewJob(account_id=account(whose), **values) for _ in range(count)]
        await self.db.transact(lambda tx: queue.enqueue(tx, jobs))

    async def claim(self) -> Claimed:
        claimed = await self.db.transact(lambda tx: self.claimer.claim(tx, self.limiter))
        for job in claimed.jobs:
            self.limiter.acquire(job.id, job.partition)
        return claimed

    def end(self, jobs: list[Job]) -> None:
        for job in jobs:
            self.limiter.release(job.id)


@pytest.fixture
async def house(dsn: Dsn, clock: ManualClock) -> AsyncIterator[House]:
    async with opened_database(dsn, clock, "jobs", size=2) as db:
        yield House(db, clock)


def owners(claimed: Claimed) -> Counter[int]:
    return Counter(job.account_id.int >> 64 for job in claimed.jobs)


async def test_each_partition_gets_its_share_and_no_more(house: House) -> None:
    await house.enqueue(1, 100)
    await house.enqueue(2, 2)
    await house.enqueue(2, 50, partition_key="other.example:443")
    claimed = await house.claim()
    assert owners(claimed) == {1: FIRST, 2: 2 + FIRST}
    assert (await house.claim()).jobs == []
    house.end(claimed.jobs)
    assert owners(await house.claim()) == {1: FIRST, 2: FIRST}


async def test_ten_thousand_jobs_of_one_partition_do_not_delay_one_of_another(house: House) -> None:
    await house.enqueue(1, 10_000, wait=-60)
    claimed = await house.claim()
    for _ in range(20):
        house.limiter.limit(Partition("webhooks", account(1), "")).failed(answered=False)
    await house.enqueue(2)
    assert owners(await house.claim()) == {2: 1}
    house.end(claimed.jobs)
    assert owners(await house.claim()) == {1: 1}, "throttled, and never stopped"


async def test_the_oldest_due_job_comes_first_and_a_future_one_not_at_all(house: House) -> None:
    for wait in (-1, -3, -2, 5):
        await house.enqueue(1, wait=wait, subject=str(wait))
    assert [job.subject for job in (await house.claim()).jobs] == ["-3", "-2", "-1"]


async def test_a_claim_reports_when_the_next_job_falls_due(house: House) -> None:
    await house.enqueue(1, wait=30)
    await house.enqueue(2, wait=20)
    claimed = await house.claim()
    assert claimed.jobs == []
    assert claimed.next_due == house.clock.now() + timedelta(seconds=20)
    assert not claimed.held_back


async def test_a_job_waits_until_older_ones_of_its_ordering_key_were_attempted(
    house: House,
) -> None:
    for name in ("sent", "delivered", "read"):
        await house.enqueue(1, subject=name, ordering_key="message")
    first = await house.claim()
    assert [job.subject for job in first.jobs] == ["sent"]
    held = await house.claim()
    assert held.jobs == [] and held.held_back
    later = house.clock.now() + timedelta(seconds=10)
    await house.db.transact(lambda tx: queue.reschedule(tx, [Reschedule(first.jobs[0], later)]))
    assert [job.subject for job in (await house.claim()).jobs] == ["delivered"]


async def test_more_partitions_than_one_scan_sees_are_all_served(house: House) -> None:
    total = 2 * SCAN_MAX + 10
    for number in range(1, total + 1):
        await house.enqueue(number)
    served: Counter[int] = Counter()
    while jobs := (await house.claim()).jobs:
        served.update(job.account_id.int >> 64 for job in jobs)
        await house.db.transact(lambda tx, jobs=jobs: queue.complete(tx, jobs))
        house.end(jobs)
    assert served == dict.fromkeys(range(1, total + 1), 1)


async def test_a_partition_behind_hundreds_that_wait_is_found_in_one_claim(house: House) -> None:
    jobs = [
        NewJob(account(n), "webhooks", "k", "s", house.clock.now() + timedelta(hours=1))
        for n in range(1, 3 * SCAN_MAX)
    ]
    await house.db.transact(lambda tx: queue.enqueue(tx, jobs))
    await house.enqueue(3 * SCAN_MAX)
    assert owners(await house.claim()) == {3 * SCAN_MAX: 1}
    await house.enqueue(1)
    assert owners(await house.claim()) == {1: 1}


async def test_partitions_that_found_no_slot_come_first_in_the_next_claim(
    house: House,
) -> None:
    for number in range(1, 400):
        await house.enqueue(number, 10)
    served: Counter[int] = Counter()
    for _ in range(20):
        claimed = await house.claim()
        served += owners(claimed)
        await house.db.transact(lambda tx, jobs=claimed.jobs: queue.complete(tx, jobs))
        house.end(claimed.jobs)
    assert len(served) == 399


async def test_an_expired_lease_counts_as_a_crash(house: House) -> None:
    await house.enqueue(1)
    lost = await house.claim()
    house.clock.advance(seconds=limits.JOB_LEASE.total_seconds() + 1)
    house.end(lost.jobs)
    [job] = (await house.claim()).jobs
    assert (job.crashes, job.attempts, job.generation) == (1, 2, 2)
    held = await house.db.transact(lambda tx: queue.lock_held(tx, [*lost.jobs, job]))
    assert held == {job.key}
    assert await house.db.transact(lambda tx: queue.lock_held(tx, lost.jobs)) == set()


async def test_a_claim_reads_little_of_a_long_partition(house: House) -> None:
    await house.enqueue(1, 20_000)
    await house.enqueue(2, 5)

    async def claim_and_count(tx: Tx) -> tuple[Claimed, int]:
        before = await rows_read(tx, "jobs")
        claimed = await house.claimer.claim(tx, house.limiter)
        return claimed, await rows_read(tx, "jobs") - before

    claimed, read = await house.db.transact(claim_and_count)
    assert len(claimed.jobs) <= read < 200
    assert set(owners(claimed)) == {1, 2}
