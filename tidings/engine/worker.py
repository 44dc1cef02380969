"""Worker loops: claim due jobs of a pool, run them, rest when nothing is due.

A handler finishes its jobs in the same transaction as their effect. One that raises leaves its
leases to run out, so that a crash and an exception take the same path; a job that has taken down
three workers is parked for the operator.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

import structlog

from tidings import limits
from tidings.clock import Clock
from tidings.engine import claims, queue
from tidings.engine.db.pool import UNAVAILABLE_ERRORS, Database
from tidings.engine.db.tx import Tx
from tidings.engine.metrics import Metrics
from tidings.engine.queue import Job
from tidings.errors import ApiError

log = structlog.get_logger()

# Seconds until the next look at a job that is due and was not to be had: its elder is under way, or
# another worker has it.
HELD_BACK_WAIT = 0.05

Handler = Callable[[list[Job]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Kind:
    """What to do with jobs of one kind. `poison` ends what they were about, before parking."""

    run: Handler
    poison: Handler | None = None


@dataclass(frozen=True, slots=True)
class Pool:
    """Workers that share slots. `group`: how many jobs one handler call takes.

    `gather`: seconds between two claims at least, so that what falls due one by one goes together.
    `by_line`: slots are given out by `turns.py`, and a handler call takes jobs of one line.
    """

    name: str
    slots: int
    group: int
    by_line: bool = False
    gather: float = 0.0


@dataclass(slots=True)
class Worker:
    """The loop of one pool in this process."""

    pool: Pool
    kinds: Mapping[str, Kind]
    db: Database
    clock: Clock
    metrics: Metrics
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _stopping: bool = False
    _busy: int = 0
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def wake(self) -> None:
        self._wake.set()

    def stop(self) -> None:
        """Claim no more; `run` returns once what is under way has ended."""
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        claimer = claims.Claimer(self.pool.name)
        while not self._stopping:
            self._wake.clear()
            began = self.clock.monotonic()
            try:
                due = await self._claim(claimer)
                await self._rest(due)
                await self._gather(began)
            except Exception as error:  # noqa: BLE001 - whatever happens, the loop outlives it
                away = isinstance(error, (ApiError, *UNAVAILABLE_ERRORS))
                note = log.warning if away else log.exception
                note("queue.unavailable", pool=self.pool.name, error=type(error).__name__)
                await asyncio.sleep(limits.QUEUE_IDLE_WAIT.total_seconds())
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _claim(self, claimer: claims.Claimer) -> float:
        """Take what is due, and start it; in how many seconds to look again."""
        free = self.pool.slots - self._busy
        if free <= 0:
            return limits.QUEUE_IDLE_WAIT.total_seconds()
        jobs, next_due = await self.db.transact(lambda tx: self._take(tx, claimer, free))
        self._start(jobs)
        return 0.0 if len(jobs) == free else self._until(next_due)

    async def _take(
        self, tx: Tx, claimer: claims.Claimer, free: int
    ) -> tuple[list[Job], datetime | None]:
        jobs = await _hold_back(tx, await claimer.claim(tx, free))
        return jobs, None if len(jobs) == free else await claims.next_due(tx, self.pool.name)

    def _until(self, due: datetime | None) -> float:
        poll = limits.QUEUE_IDLE_WAIT.total_seconds()
        if due is None:
            return poll
        left = (due - self.clock.now()).total_seconds()
        return min(poll, left if left > 0 else HELD_BACK_WAIT)

    def _start(self, jobs: list[Job]) -> None:
        jobs.sort(key=lambda job: job.kind)  # stable: the order within a kind stays
        for kind, same in groupby(jobs, key=lambda job: job.kind):
            for group in groups(list(same), self.pool.group):
                self._launch(kind, group)

    def _launch(self, kind: str, jobs: list[Job]) -> None:
        self._busy += len(jobs)
        task = asyncio.create_task(self._guarded(kind, jobs))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, kind: str, jobs: list[Job]) -> None:
        try:
            await run_jobs(self.db, self.kinds[kind], jobs)
        except Exception:
            self.metrics.job_failures.labels(kind).inc(len(jobs))
            log.exception("job.failed", kind=kind, jobs=[job.id for job in jobs[:10]])
        finally:
            self._busy -= len(jobs)
            self._wake.set()

    async def _rest(self, seconds: float) -> None:
        """Until woken, or the next job is due, or the poll: a lost wake-up costs a second."""
        if seconds > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._wake.wait()

    async def _gather(self, began: float) -> None:
        left = self.pool.gather - (self.clock.monotonic() - began)
        if left > 0 and self._busy < self.pool.slots and not self._stopping:
            await asyncio.sleep(left)


async def _hold_back(tx: Tx, jobs: list[Job]) -> list[Job]:
    """What fell is tried alone, in transactions of its own: a few at a time, or the hundreds that a
    killed process had in hand fall again for want of connections, and are parked for nothing."""
    waiting = [job for job in jobs if job.crashes][limits.JOBS_ALONE_MAX :]
    if not waiting:
        return jobs
    await queue.put_back(tx, waiting, tx.now + limits.JOBS_ALONE_WAIT)
    held = {job.id for job in waiting}
    return [job for job in jobs if job.id not in held]


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
