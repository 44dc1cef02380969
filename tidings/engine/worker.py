"""Worker loops: claim due jobs of a pool, run them, rest when nothing is due.

A handler finishes its jobs in the same transaction as their effect. One that raises leaves its
leases to run out, so that a crash and an exception take the same path; a job that has taken down
three workers is parked for the operator.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby

import structlog

from tidings import limits
from tidings.clock import Clock
from tidings.engine import claims, queue
from tidings.engine.db.pool import UNAVAILABLE_ERRORS, Database
from tidings.engine.metrics import Metrics
from tidings.engine.queue import Job

log = structlog.get_logger()

Handler = Callable[[list[Job]], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Kind:
    """What to do with jobs of one kind. `poison` ends what they were about, before parking."""

    run: Handler
    poison: Handler | None = None


@dataclass(frozen=True, slots=True)
class Pool:
    """Workers that share slots. `group`: how many jobs one handler call takes."""

    name: str
    slots: int
    group: int


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
            try:
                claimed = await self._claim(claimer)
            except UNAVAILABLE_ERRORS as error:
                log.warning("queue.unavailable", pool=self.pool.name, error=type(error).__name__)
                claimed = 0
                await asyncio.sleep(limits.QUEUE_IDLE_WAIT.total_seconds())
            if not claimed:
                await self._rest()
        if self._tasks:
            await asyncio.wait(self._tasks)

    async def _claim(self, claimer: claims.Claimer) -> int:
        free = self.pool.slots - self._busy
        if free <= 0:
            return 0
        jobs = await self.db.transact(lambda tx: claimer.claim(tx, free))
        self._start(jobs)
        return len(jobs)

    def _start(self, jobs: list[Job]) -> None:
        jobs.sort(key=lambda job: job.kind)  # stable: the order within a kind stays
        for kind, same in groupby(jobs, key=lambda job: job.kind):
            group = list(same)
            for start in range(0, len(group), self.pool.group):
                self._launch(kind, group[start : start + self.pool.group])

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

    async def _rest(self) -> None:
        """Until woken, or the next job is due, or the poll: a lost wake-up costs a second."""
        wait = limits.QUEUE_IDLE_WAIT.total_seconds()
        try:
            if self._busy < self.pool.slots:
                due = await self.db.transact(lambda tx: claims.next_due(tx, self.pool.name))
                if due is not None:
                    wait = min(wait, max((due - self.clock.now()).total_seconds(), 0.005))
            async with asyncio.timeout(wait):
                await self._wake.wait()
        except TimeoutError:
            return
        except UNAVAILABLE_ERRORS:
            await asyncio.sleep(limits.QUEUE_IDLE_WAIT.total_seconds())


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
