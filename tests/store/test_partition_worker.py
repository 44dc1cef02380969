"""A worker with a concurrency limiter: one call per partition, a slow job takes no other's slot."""

import asyncio
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest

from tests.support.database import Dsn, opened_database
from tidings import limits
from tidings.clock import SystemClock
from tidings.engine import queue
from tidings.engine.db.pool import Database
from tidings.engine.metrics import Metrics
from tidings.engine.queue import Job, JobKind, NewJob, Partition, Pool
from tidings.engine.queue.concurrency import ConcurrencyLimiter
from tidings.engine.queue.worker import Worker
from tidings.features.webhooks.destinations import DEFAULT_LIMITS

FIRST = limits.WEBHOOK_SLOTS_PER_DESTINATION


class House:
    """A worker whose handler is scripted, and records the jobs it got."""

    def __init__(self, db: Database) -> None:
        self.db, self.clock, self.limiter = db, SystemClock(), ConcurrencyLimiter(DEFAULT_LIMITS)
        self.calls: list[list[str]] = []
        self.hold: dict[str, asyncio.Event] = {}
        self.bad: set[str] = set()
        pool = Pool("webhooks", slots=256, group=256, limits=DEFAULT_LIMITS)
        kinds = {"k": JobKind(self.handle)}
        self.worker = Worker(pool, kinds, db, self.clock, Metrics(), self.limiter)
        db.on_commit(lambda _: self.worker.wake())

    async def handle(self, jobs: list[Job]) -> None:
        self.calls.append([job.subject for job in jobs])
        for job in jobs:
            if job.subject in self.bad:
                raise ZeroDivisionError("a bug")
            if job.subject in self.hold:
                await self.hold[job.subject].wait()
        await self.db.transact(lambda tx: queue.complete(tx, jobs))

    async def enqueue(self, whose: int, *subjects: str, **fields: Any) -> None:
        values = {
            "pool": "webhooks",
            "kind": "k",
            "partition_key": "default",
            "due_at": self.clock.now(),
        } | fields
        values.setdefault("due_at", self.clock.now())
        jobs = [NewJob(account_id=UUID(int=whose), subject=one, **values) for one in subjects]
        await self.db.transact(lambda tx: queue.enqueue(tx, jobs))

    def subjects(self) -> list[str]:
        return sorted(subject for call in self.calls for subject in call)

    async def until(self, done: Callable[[], bool]) -> None:
        async with asyncio.timeout(30):
            while not done():
                await asyncio.sleep(0.01)


@pytest.fixture
async def house(dsn: Dsn) -> AsyncIterator[House]:
    async with opened_database(dsn, SystemClock(), "jobs", size=3) as db:
        house = House(db)
        running = house.running = asyncio.create_task(house.worker.run())
        try:
            yield house
        finally:
            for event in house.hold.values():
                event.set()
            house.worker.stop()
            await asyncio.wait_for(running, 30)


async def test_a_handler_call_gets_jobs_of_one_partition(house: House) -> None:
    await house.enqueue(1, "a1", "a2")
    await house.enqueue(1, "b1", partition_key="b.example:443")
    await house.enqueue(2, "c1")
    await house.until(lambda: len(house.subjects()) == 4)
    owners = [{subject[0] for subject in call} for call in house.calls]
    assert all(len(owner) == 1 for owner in owners)


async def test_a_partition_that_hangs_takes_no_slot_of_another(house: House) -> None:
    house.hold["stuck"] = asyncio.Event()
    await house.enqueue(1, *["stuck"] * 100)
    await house.until(lambda: len(house.calls) == 1)
    assert len(house.calls[0]) == FIRST
    for n in range(20):
        await house.enqueue(2, f"free-{n}")
    await house.until(lambda: len(house.subjects()) == FIRST + 20)
    assert house.subjects().count("stuck") == FIRST


async def test_a_handler_that_raises_leaves_its_lease_and_the_worker_goes_on(house: House) -> None:
    house.bad.add("bad")
    await house.enqueue(1, "bad")
    await house.until(lambda: house.subjects() == ["bad"])
    await house.enqueue(1, "good")
    await house.until(lambda: house.subjects() == ["bad", "good"])
    await house.until(lambda: house.limiter.claimed == 0)
    [left] = await house.db.rows("SELECT subject, leased FROM jobs")
    assert (left["subject"], left["leased"]) == ("bad", True)


async def test_what_falls_due_later_is_run_then(house: House) -> None:
    due = house.clock.now() + timedelta(milliseconds=400)
    await house.enqueue(1, "later", due_at=due)
    await house.until(lambda: house.subjects() == ["later"])
    assert house.clock.now() >= due


async def test_stopping_waits_for_running_jobs(house: House) -> None:
    house.hold["slow"] = asyncio.Event()
    await house.enqueue(1, "slow")
    await house.until(lambda: house.subjects() == ["slow"])
    house.worker.stop()
    await house.enqueue(2, "never")
    house.hold["slow"].set()
    await house.running  # from here on nothing is claimed
    assert house.limiter.claimed == 0
    rows = await house.db.rows("SELECT subject FROM jobs")
    assert [row["subject"] for row in rows] == ["never"]


async def test_a_job_claimed_again_while_its_first_handler_runs_on_gives_both_slots_back(
    house: House,
) -> None:
    """A handler may put some of its jobs back and go on with the others."""
    go_on = asyncio.Event()
    runs = 0

    async def put_back_first(jobs: list[Job]) -> None:
        nonlocal runs
        runs += 1
        if runs > 1:
            await house.db.transact(lambda tx: queue.complete(tx, jobs))
            return
        await house.db.transact(lambda tx: queue.release(tx, jobs, tx.now))
        house.worker.wake()
        await go_on.wait()

    house.worker.kinds["k"] = JobKind(put_back_first)
    await house.enqueue(1, "put back")
    await house.until(lambda: runs == 2)
    go_on.set()
    await house.until(lambda: house.worker.executor.busy == 0)
    limit = house.limiter.limit(Partition("webhooks", UUID(int=1), "default"))
    assert (limit.claimed, house.limiter.claimed) == (0, 0)
