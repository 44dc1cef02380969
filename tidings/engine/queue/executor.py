"""Runs claimed jobs through the handlers of their kinds, as tasks of this process.

A handler completes its jobs in the transaction of their effect. One that raises leaves its leases
to expire, so that an exception and a crash take the same path. A job that has crashed too often
is dead-lettered. Rows that others hold for too long are no crash: the jobs are released.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from uuid import UUID

import structlog

from tidings.engine.db.errors import HELD_ERRORS, UNAVAILABLE_ERRORS
from tidings.engine.db.pool import Database
from tidings.engine.metrics import Metrics
from tidings.engine.metrics.distribution import Timed

from . import lease
from .model import Job, JobKind, Partition

log = structlog.get_logger()


@dataclass(slots=True)
class Executor:
    kinds: Mapping[str, JobKind]
    db: Database
    metrics: Metrics
    on_done: Callable[[list[Job]], None] = lambda jobs: None  # whatever the result
    busy: int = field(init=False, default=0)  # jobs
    crashed: list[Job] = field(init=False, default_factory=list)  # of them, those that have crashed
    tasks: set[asyncio.Task[None]] = field(init=False, default_factory=set)
    _releases: set[asyncio.Task[None]] = field(init=False, default_factory=set)

    def start(self, jobs: Sequence[Job], group_max: int) -> list[asyncio.Task[None]]:
        """Run jobs in the background, in groups of one kind and partition key."""
        return [self._start(group) for group in groups(jobs, group_max)]

    def release(self, jobs: Sequence[Job]) -> None:
        """Put jobs that were not started back into the queue, in the background."""
        task = asyncio.create_task(self._release(jobs))
        self._releases.add(task)
        task.add_done_callback(self._releases.discard)

    async def released(self) -> None:
        """Wait until such jobs are back in the queue."""
        if self._releases:
            await asyncio.wait(self._releases)

    def cancel(self) -> None:
        """Interrupt what is running: the leases expire, and the jobs run again."""
        for task in self.tasks:
            task.cancel()

    def _start(self, jobs: list[Job]) -> asyncio.Task[None]:
        self.busy += len(jobs)
        self.crashed += [job for job in jobs if job.crashes]
        self._measure_waits(jobs)
        task = asyncio.create_task(self._run(jobs))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)
        return task

    def _measure_waits(self, jobs: list[Job]) -> None:
        """Jobs of moved sandbox clocks are left out: they fell due by the move, not by waiting."""
        now = self.db.clock.now()
        waits = [
            max(0.0, (now - job.due_at).total_seconds())
            for job in jobs
            if job.due_at is not None and not job.clock
        ]
        self.metrics.job_wait_seconds.observe_all(waits, (jobs[0].pool,))

    async def _run(self, jobs: list[Job]) -> None:
        kind = jobs[0].kind
        try:
            with Timed(self.db.clock, self.metrics.job_seconds, (kind,)):
                await self._run_or_release(self.kinds[kind], jobs)
        except Exception as error:  # noqa: BLE001 - a bug in one job must not end the worker
            self.metrics.job_failures.labels(kind).inc(len(jobs))
            if not self.db.is_outage(error):
                _log(jobs, error)
        finally:
            self.metrics.jobs.labels(kind).inc(len(jobs))
            self.busy -= len(jobs)
            self.crashed = [job for job in self.crashed if job not in jobs]
            self.on_done(jobs)

    def is_suspect(self, job: Job) -> bool:
        """Whether one more crash dead-letters this job."""
        kind = self.kinds.get(job.kind)  # None: of a newer version that runs beside this one
        return kind is not None and job.crashes == kind.crashes_max - 1

    async def _run_or_release(self, kind: JobKind, jobs: list[Job]) -> None:
        try:
            await run_jobs(self.db, kind, jobs)
        except HELD_ERRORS:
            if kind.calls_out:
                raise
            await self.db.transact_patiently(lambda tx: lease.release(tx, jobs, tx.now))

    async def _release(self, jobs: Sequence[Job]) -> None:
        with suppress(*UNAVAILABLE_ERRORS):  # then the leases expire
            await self.db.transact_patiently(lambda tx: lease.release(tx, jobs, tx.now))


def groups(jobs: Sequence[Job], group_max: int) -> Iterator[list[Job]]:
    """Jobs as handlers get them: of one kind, and of one partition if they have a partition key.

    A job that has crashed runs alone: in its group it would crash the others again, until all of
    them are dead-lettered.
    """
    together: dict[tuple[str, Partition | None], list[Job]] = {}
    for job in jobs:
        if job.crashes:
            continue
        key = (job.kind, job.partition if job.partition_key else None)
        together.setdefault(key, []).append(job)
    for group in together.values():
        for start in range(0, len(group), group_max):
            yield group[start : start + group_max]
    yield from ([job] for job in jobs if job.crashes)


def _log(jobs: list[Job], error: Exception) -> None:
    """Temporary database errors are warnings without a stack trace: the jobs run again."""
    is_temporary = isinstance(error, UNAVAILABLE_ERRORS)
    log.log(
        logging.WARNING if is_temporary else logging.ERROR,
        "job.failed",
        kind=jobs[0].kind,
        account=_account(jobs),
        jobs=[job.id for job in jobs[:10]],
        error=type(error).__name__,
        exc_info=None if is_temporary else error,
    )


def _account(jobs: list[Job]) -> UUID | None:
    """Whose jobs these are; None: those of several accounts."""
    owners = {job.account_id for job in jobs}
    return owners.pop() if len(owners) == 1 else None


async def run_jobs(db: Database, kind: JobKind, jobs: list[Job]) -> None:
    """Run jobs of one kind, and dead-letter those that have crashed too often."""
    dead = [job for job in jobs if job.crashes >= kind.crashes_max]
    if dead:
        kind_name, ids = dead[0].kind, [job.id for job in dead]
        log.error("job.dead_lettered", kind=kind_name, account=_account(dead), jobs=ids)
        if kind.on_dead_letter is not None:
            await kind.on_dead_letter(dead)
        await db.transact(lambda tx: lease.dead_letter(tx, dead))
        jobs = [job for job in jobs if job.crashes < kind.crashes_max]
    if jobs:
        await kind.run(jobs)
