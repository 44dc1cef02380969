"""Handlers of jobs, and how claimed jobs are given to them.

A handler finishes its jobs in the same transaction as their effect. One that raises leaves its
leases to run out, so that a crash and an exception take the same path; a job that has taken down
three workers is parked for the operator.
"""

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass

import structlog

from tidings import limits
from tidings.engine import queue
from tidings.engine.db.pool import Database
from tidings.engine.queue import Job

log = structlog.get_logger()

Handler = Callable[[list[Job]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Kind:
    """What to do with jobs of one kind. `poison` ends what they were about, before parking."""

    run: Handler
    poison: Handler | None = None


def groups(jobs: Sequence[Job], size: int) -> Iterator[list[Job]]:
    """Jobs of one kind as handlers get them. What failed once is tried alone: jobs that fell
    together would fall together again, and be parked for what one of them does."""
    sound = [job for job in jobs if not job.crashes]
    for start in range(0, len(sound), size):
        yield sound[start : start + size]
    yield from ([job] for job in jobs if job.crashes)


async def run_jobs(db: Database, kind: Kind, jobs: list[Job]) -> None:
    """Run jobs of one kind, putting aside those that keep taking workers down."""
    poisoned = [job for job in jobs if job.crashes >= limits.JOB_CRASHES_MAX]
    if poisoned:
        log.error("job.parked", kind=jobs[0].kind, jobs=[job.id for job in poisoned])
        if kind.poison is not None:
            await kind.poison(poisoned)
        await db.transact(lambda tx: queue.park(tx, poisoned))
        jobs = [job for job in jobs if job.crashes < limits.JOB_CRASHES_MAX]
    if jobs:
        await kind.run(jobs)
