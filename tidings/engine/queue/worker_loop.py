"""The loop of a pool of workers: claim due jobs, run them, rest when nothing is due.

How jobs are claimed, and what their end makes room for, is for `worker.py` and `line_worker.py`.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from tidings import limits
from tidings.clock import Clock
from tidings.engine.db.pool import OUTAGE_ERRORS, UNAVAILABLE_ERRORS, Database
from tidings.engine.metrics import Metrics
from tidings.errors import ApiError

from .executor import run_jobs
from .model import Job, JobKind, Pool

log = structlog.get_logger()

# Seconds until the next look: at a queue where nothing is known to fall due; and at a job that is
# due and was not to be had: its elder is under way, or another worker has it.
IDLE_WAIT = limits.QUEUE_IDLE_WAIT.total_seconds()
HELD_BACK_WAIT = 0.05


@dataclass(slots=True)
class WorkerLoop(ABC):
    """The loop of one pool in this process."""

    pool: Pool
    kinds: Mapping[str, JobKind]
    db: Database
    clock: Clock
    metrics: Metrics
    _wake: asyncio.Event = field(init=False, default_factory=asyncio.Event)
    _stopping: bool = field(init=False, default=False)
    _busy: int = field(init=False, default=0)
    _tasks: set[asyncio.Task[None]] = field(init=False, default_factory=set)

    @abstractmethod
    async def _claim(self) -> float:
        """Take what is due, and launch it; in how many seconds to look again, unless woken."""

    @abstractmethod
    def _ended(self, jobs: list[Job]) -> None:
        """There is room for others."""

    def wake(self) -> None:
        self._wake.set()

    def stop(self) -> None:
        """Claim no more; `run` returns once what is under way has ended."""
        self._stopping = True
        self._wake.set()

    def cut_off(self) -> None:
        """End what is still under way; its leases run out, and it is done again."""
        for task in self._tasks:
            task.cancel()

    async def run(self) -> None:
        while not self._stopping:
            self._wake.clear()
            began = self.clock.monotonic()
            try:
                await self._rest(await self._claim())
                if self.pool.gather:
                    await self._gather(began)
            except Exception as error:  # noqa: BLE001 - whatever happens, the loop outlives it
                self._note(error)
                await asyncio.sleep(IDLE_WAIT)
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _note(self, error: Exception) -> None:
        """An outage is told by the database, once, and not by each pool every second."""
        if isinstance(error, OUTAGE_ERRORS) or (
            self.db.outage.lasts and isinstance(error, ApiError)
        ):
            return
        passing = isinstance(error, (ApiError, *UNAVAILABLE_ERRORS))
        note = log.warning if passing else log.exception
        note("queue.unavailable", pool=self.pool.name, error=type(error).__name__)

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

    def _launch(self, kind: str, jobs: list[Job]) -> None:
        self._busy += len(jobs)
        task = asyncio.create_task(self._guarded(kind, jobs))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, kind: str, jobs: list[Job]) -> None:
        try:
            await run_jobs(self.db, self.kinds[kind], jobs)
        except Exception as error:
            self.metrics.job_failures.labels(kind).inc(len(jobs))
            if not isinstance(error, OUTAGE_ERRORS):
                log.exception("job.failed", kind=kind, jobs=[job.id for job in jobs[:10]])
        finally:
            self._busy -= len(jobs)
            self._ended(jobs)
