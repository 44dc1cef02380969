"""Runs claimed jobs through the handlers of their kinds.

A handler completes its jobs in the transaction of their effect. One that raises leaves its leases
to expire, so that an exception and a crash take the same path. A job that has crashed three times
is dead-lettered.
"""

from collections.abc import Iterator, Sequence

import structlog

from tidings import limits
from tidings.engine.db.pool import Database

from . import lease
from .model import Job, JobKind

log = structlog.get_logger()


def groups(jobs: Sequence[Job], size: int) -> Iterator[list[Job]]:
    """Jobs of one kind, as handlers get them. A job that has crashed runs alone: otherwise one bad
    job would crash its whole group again, and dead-letter all of it."""
    sound = [job for job in jobs if not job.crashes]
    for start in range(0, len(sound), size):
        yield sound[start : start + size]
    yield from ([job] for job in jobs if job.crashes)


async def run_jobs(db: Database, kind: JobKind, jobs: list[Job]) -> None:
    """Run jobs of one kind, and dead-letter those that have crashed too often."""
    dead = [job for job in jobs if job.crashes >= limits.JOB_CRASHES_MAX]
    if dead:
        log.error("job.dead_lettered", kind=jobs[0].kind, jobs=[job.id for job in dead])
        if kind.on_dead_letter is not None:
            await kind.on_dead_letter(dead)
        await db.transact(lambda tx: lease.dead_letter(tx, dead))
        jobs = [job for job in jobs if job.crashes < limits.JOB_CRASHES_MAX]
    if jobs:
        await kind.run(jobs)
