"""Claims by line on a real PostgreSQL: who has a turn is served, who has none costs nothing."""

from collections import Counter
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.support.clock import ManualClock
from tests.support.database import Dsn, opened_database
from tidings import limits
from tidings.engine import queue
from tidings.engine.db.pool import Database
from tidings.engine.queue import Job, NewJob, Reschedule
from tidings.engine.queue.concurrency import ConcurrencyLimiter
from tidings.engine.queue.partition_claim import PARTITIONS_AT_ONCE, Claimed, PartitionClaimer

FIRST = limits.WEBHOOK_SLOTS_PER_DESTINATION


def account(number: int) -> UUID:
    return UUID(int=number << 64)


class House:
    """A database, a clock, and a claimer whose claimed jobs count as in hand."""

    def __init__(self, db: Database, clock: ManualClock) -> None:
        self.db, self.clock, self.turns = db, clock, ConcurrencyLimiter()
        self.claimer = PartitionClaimer("webhooks", self.turns)

    async def put(self, whose: int, count: int = 1, *, wait: float = 0, **fields: Any) -> None:
        due = self.clock.now() + timedelta(seconds=wait)
        values = {"pool": "webhooks", "kind": "k", "subject": "s", "due_at": due} | fields
        jobs = [NewJob(account_id=account(whose), **values) for _ in range(count)]
        await self.db.transact(lambda tx: queue.enqueue(tx, jobs))

    async def claim(self) -> Claimed:
        claimed = await self.db.transact(self.claimer.claim)
        for job in claimed.jobs:
            self.turns.take(job.id, (job.account_id, job.priority))
        return claimed

    def end(self, jobs: list[Job]) -> None:
        for job in jobs:
            self.turns.done(job.id)


@pytest.fixture
async def house(dsn: Dsn, clock: ManualClock) -> AsyncIterator[House]:
    async with opened_database(dsn, clock, "jobs", size=2) as db:
        yield House(db, clock)


def owners(claimed: Claimed) -> Counter[int]:
    return Counter(job.account_id.int >> 64 for job in claimed.jobs)


async def test_each_line_gets_its_turn_and_no_more(house: House) -> None:
    await house.put(1, 100)
    await house.put(2, 2)
    await house.put(2, 50, priority=200)
    claimed = await house.claim()
    assert owners(claimed) == {1: FIRST, 2: 2 + FIRST}
    assert (await house.claim()).jobs == []
    house.end(claimed.jobs)
    assert owners(await house.claim()) == {1: FIRST, 2: FIRST}


async def test_ten_thousand_of_one_line_do_not_stand_before_one_of_another(house: House) -> None:
    await house.put(1, 10_000, wait=-60)
    claimed = await house.claim()
    for _ in range(20):
        house.turns.line((account(1), 5)).failed(answered=False)
    await house.put(2)
    assert owners(await house.claim()) == {2: 1}
    house.end(claimed.jobs)
    assert owners(await house.claim()) == {1: 1}, "slowed, and never dropped"


async def test_the_oldest_due_comes_first_and_what_is_not_due_not_at_all(house: House) -> None:
    for wait in (-1, -3, -2, 5):
        await house.put(1, wait=wait, subject=str(wait))
    assert [job.subject for job in (await house.claim()).jobs] == ["-3", "-2", "-1"]


async def test_what_waits_for_a_later_time_tells_when(house: House) -> None:
    await house.put(1, wait=30)
    await house.put(2, wait=20)
    claimed = await house.claim()
    assert claimed.jobs == []
    assert claimed.next_due == house.clock.now() + timedelta(seconds=20)
    assert not claimed.held_back


async def test_a_job_waits_until_the_older_ones_of_its_key_were_tried(house: House) -> None:
    for name in ("sent", "delivered", "read"):
        await house.put(1, subject=name, ordering_key="message")
    first = await house.claim()
    assert [job.subject for job in first.jobs] == ["sent"]
    held = await house.claim()
    assert held.jobs == [] and held.held_back
    later = house.clock.now() + timedelta(seconds=10)
    await house.db.transact(lambda tx: queue.reschedule(tx, [Reschedule(first.jobs[0], later)]))
    assert [job.subject for job in (await house.claim()).jobs] == ["delivered"]


async def test_more_lines_than_one_walk_sees_are_all_served(house: House) -> None:
    total = 2 * PARTITIONS_AT_ONCE + 10
    for number in range(1, total + 1):
        await house.put(number)
    served: Counter[int] = Counter()
    while jobs := (await house.claim()).jobs:
        served.update(job.account_id.int >> 64 for job in jobs)
        await house.db.transact(lambda tx, jobs=jobs: queue.complete(tx, jobs))
        house.end(jobs)
    assert served == dict.fromkeys(range(1, total + 1), 1)


async def test_a_line_behind_hundreds_that_wait_is_found_in_one_claim(house: House) -> None:
    jobs = [
        NewJob(account(n), "webhooks", "k", "s", house.clock.now() + timedelta(hours=1))
        for n in range(1, 3 * PARTITIONS_AT_ONCE)
    ]
    await house.db.transact(lambda tx: queue.enqueue(tx, jobs))
    await house.put(3 * PARTITIONS_AT_ONCE)
    assert owners(await house.claim()) == {3 * PARTITIONS_AT_ONCE: 1}
    await house.put(1)
    assert owners(await house.claim()) == {1: 1}


async def test_who_gets_nothing_for_want_of_room_is_first_the_next_time(house: House) -> None:
    for number in range(1, 400):
        await house.put(number, 10)
    served: Counter[int] = Counter()
    for _ in range(20):
        claimed = await house.claim()
        served += owners(claimed)
        await house.db.transact(lambda tx, jobs=claimed.jobs: queue.complete(tx, jobs))
        house.end(claimed.jobs)
    assert len(served) == 399


async def test_a_lease_that_ran_out_counts_as_a_crash(house: House) -> None:
    await house.put(1)
    lost = await house.claim()
    house.clock.advance(seconds=limits.JOB_LEASE.total_seconds() + 1)
    house.end(lost.jobs)
    [job] = (await house.claim()).jobs
    assert (job.crashes, job.attempts, job.generation) == (1, 2, 2)
    held = await house.db.transact(lambda tx: queue.lock_held(tx, [*lost.jobs, job]))
    assert held == {job.id}
    assert await house.db.transact(lambda tx: queue.lock_held(tx, lost.jobs)) == set()


async def test_a_claim_reads_little_of_a_long_line(house: House) -> None:
    await house.put(1, 20_000)
    await house.put(2, 5)
    before = await _read(house)
    await house.claim()
    assert await _read(house) - before < 200


async def _read(house: House) -> int:
    await house.db.rows("SELECT pg_stat_force_next_flush()")
    return await house.db.value(
        "SELECT sum(idx_tup_read)::bigint FROM pg_stat_user_indexes WHERE relname = 'jobs'"
    )
