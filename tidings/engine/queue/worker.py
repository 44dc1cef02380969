"""The worker of a pool: claim due jobs, execute them, sleep until more fall due."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime

import structlog

from tidings import limits
from tidings.clock import Clock
from tidings.engine.db.errors import UNAVAILABLE_ERRORS
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Tx
from tidings.engine.metrics import Metrics
from tidings.errors import ApiError

from . import groups, lease
from .claim import Claimed, Claimer, EqualShares, SharePolicy
from .claim_store import PoolJobs, next_due
from .concurrency import ConcurrencyLimiter
from .executor import Executor
from .model import Job, JobKind, Partition, Pool

log = structlog.get_logger()

# Seconds until the next claim: when nothing is known to fall due; and when a due job may have been
# held back, because it is locked or an older job of its ordering key is running.
IDLE_WAIT = limits.QUEUE_IDLE_WAIT.total_seconds()
HELD_BACK_WAIT = 0.05


@dataclass(slots=True)
class Worker:
    """The loop of one pool in this process.

    Without a limiter, the jobs of all partitions share the slots of the pool equally. With one, it
    decides how many jobs of each partition run at once.
    """

    pool: Pool
    kinds: Mapping[str, JobKind]
    db: Database
    clock: Clock
    metrics: Metrics
    limiter: ConcurrencyLimiter | None = None
    executor: Executor = field(init=False)
    _claimer: Claimer = field(init=False)
    _wake: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _stopping: bool = field(init=False, default=False)
    _is_poll: bool = field(init=False, default=False)  # nobody woke it, and nothing was to fall due
    _has_backlog: bool = field(init=False, default=True)  # due jobs may wait in the queue

    def __post_init__(self) -> None:
        self._claimer = Claimer(PoolJobs(self.pool.name))
        self.executor = Executor(self.kinds, self.db, self.metrics, on_done=self._on_done)
        if self.limiter is not None:
            self.limiter.on_capacity = self.wake

    @property
    def running(self) -> int:
        return self.executor.busy

    def wake(self) -> None:
        self._wake.set()

    def stop(self) -> None:
        """Claim no more; `run` returns when all running jobs have ended."""
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        while not self._stopping:
            self._wake.clear()
            started = self.clock.monotonic()
            try:
                await self._sleep(await self._look())
                if self.pool.gather:
                    await self._gather(started)
            except Exception as error:  # noqa: BLE001 - the loop survives every error
                self._log(error)
                await asyncio.sleep(IDLE_WAIT)
        if self.executor.tasks:
            await asyncio.wait(self.executor.tasks)

    async def _look(self) -> float:
        """Claim; but a poll that finds nothing due is one query, where a claim is three."""
        if self._is_poll and not groups.has_leftovers(self.db):
            due = await next_due(self.db, self.pool.name)
            wait = self._seconds_until(due)
            if wait > 0:
                self._has_backlog = False
                return min(wait, IDLE_WAIT)
        return await self._claim()

    async def _claim(self) -> float:
        """Claim due jobs and start them; seconds until the next claim, unless woken."""
        policy = self._policy()
        if policy is None:
            return IDLE_WAIT
        claimed = await self.db.transact(lambda tx: self._claim_in(tx, policy))
        self._has_backlog = bool(claimed.left)
        if self.limiter is not None:
            self.limiter.note_backlog(claimed.due, claimed.left)
            for job in claimed.jobs:
                self.limiter.acquire(job.key, job.partition)
        self.executor.start(claimed.jobs, self.pool.group)
        wait = HELD_BACK_WAIT if claimed.jobs or claimed.held_back else IDLE_WAIT
        return min(wait, self._seconds_until(claimed.next_due))

    def capacity(self, partition: Partition) -> int:
        """How many new jobs of a partition may run from memory. Without a limiter at most one
        group: several transactions may ask before the jobs of the first have started."""
        if self._stopping:
            return 0
        if self.limiter is not None:
            return self.limiter.capacity(partition)
        free = self.pool.slots - self.executor.busy
        return 0 if self._has_backlog else min(free, self.pool.group)

    def take(self, jobs: Sequence[Job]) -> None:
        """Run jobs from memory that this process has leased by inserting them. If it began to stop
        before their transaction committed, they go back: it might interrupt them."""
        if self._stopping:
            self.executor.release(jobs)
            return
        if self.limiter is not None:
            for job in jobs:
                self.limiter.acquire(job.key, job.partition)
        self.executor.start(jobs, self.pool.group)

    def passed_over(self, partition: Partition) -> None:
        self._has_backlog = True
        if self.limiter is not None:
            self.limiter.note_backlog([partition], {partition})

    def _policy(self) -> SharePolicy | None:
        if self.limiter is not None:
            return self.limiter
        free = self.pool.slots - self.executor.busy
        return EqualShares(free) if free > 0 else None

    async def _claim_in(self, tx: Tx, policy: SharePolicy) -> Claimed:
        claimed = await self._claimer.claim(tx, policy)
        claimed.jobs = await _delay_crashed(tx, claimed.jobs, self.executor)
        await groups.delete_leftovers(tx)
        return claimed

    def _seconds_until(self, due: datetime | None) -> float:
        return IDLE_WAIT if due is None else max(0.0, (due - self.clock.now()).total_seconds())

    def _on_done(self, jobs: list[Job]) -> None:
        if self.limiter is None:
            self.wake()
            return
        for job in jobs:
            self.limiter.release(job.key)

    async def _sleep(self, seconds: float) -> None:
        """Until woken, the next due time, or the next poll: a lost wake-up costs one second."""
        if seconds > 0:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await self._wake.wait()
        self._is_poll = seconds == IDLE_WAIT and not self._wake.is_set()

    async def _gather(self, started: float) -> None:
        left = self.pool.gather - (self.clock.monotonic() - started)
        if left > 0 and self.executor.busy < self.pool.slots and not self._stopping:
            await asyncio.sleep(left)

    def _log(self, error: Exception) -> None:
        """An outage is logged once by the database, not by every pool every second."""
        if self.db.is_outage(error):
            return
        is_temporary = isinstance(error, (ApiError, *UNAVAILABLE_ERRORS))
        log.log(
            logging.WARNING if is_temporary else logging.ERROR,
            "queue.claim_failed",
            pool=self.pool.name,
            error=type(error).__name__,
            exc_info=None if is_temporary else error,
        )


async def _delay_crashed(tx: Tx, jobs: list[Job], executor: Executor) -> list[Job]:
    """Jobs that crashed run alone, each in its own transaction. Only a few at a time: otherwise the
    hundreds of a killed process would exhaust the connections, crash again and be dead-lettered.
    Of those that one more crash dead-letters only one: what ends this process now is that job, and
    none that ran beside it is taken for it."""
    running, is_suspect = executor.crashed, executor.is_suspect
    crashed = [job for job in jobs if job.crashes and not is_suspect(job)]
    suspects = [job for job in jobs if is_suspect(job)]
    free = max(0, limits.CRASHED_JOBS_AT_ONCE - len(running))
    delayed = crashed[free:] + suspects[0 if any(map(is_suspect, running)) else 1 :]
    if not delayed:
        return jobs
    await lease.release(tx, delayed, tx.now + limits.CRASHED_JOBS_WAIT)
    keys = {job.key for job in delayed}
    return [job for job in jobs if job.key not in keys]
