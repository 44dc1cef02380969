"""The worker loop of a pool whose jobs stand in lines (`turns.py`): one handler call for each line.

Like `worker.py`, whose handlers, leases and parking it shares. How many jobs run is for the turns
to say, and a handler tells them of each job that ends, so that a slow one keeps no other's place.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

import structlog

from tidings import limits
from tidings.clock import Clock
from tidings.engine.db.pool import UNAVAILABLE_ERRORS, Database
from tidings.engine.line_claims import Claimed, LineClaimer
from tidings.engine.metrics import Metrics
from tidings.engine.queue import Job
from tidings.engine.turns import Turns
from tidings.engine.worker import HELD_BACK_WAIT, Kind, Pool, groups, run_jobs
from tidings.errors import ApiError

log = structlog.get_logger()

IDLE = limits.QUEUE_IDLE_WAIT.total_seconds()


@dataclass(slots=True)
class LineWorker:
    """The loop of one pool in this process."""

    pool: Pool
    kinds: Mapping[str, Kind]
    db: Database
    clock: Clock
    metrics: Metrics
    turns: Turns
    _wake: asyncio.Event = field(default_factory=asyncio.Event)
    _stopping: bool = False
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)

    def wake(self) -> None:
        self._wake.set()

    def stop(self) -> None:
        """Claim no more; `run` returns once what is under way has ended."""
        self._stopping = True
        self._wake.set()

    async def run(self) -> None:
        claimer = LineClaimer(self.pool.name, self.turns)
        self.turns.on_room = self.wake
        while not self._stopping:
            self._wake.clear()
            try:
                claimed = await self.db.transact(claimer.claim)
                self._start(claimed.jobs)
                await self._rest(self._wait(claimed))
            except Exception as error:  # noqa: BLE001 - whatever happens, the loop outlives it
                away = isinstance(error, (ApiError, *UNAVAILABLE_ERRORS))
                note = log.warning if away else log.exception
                note("queue.unavailable", pool=self.pool.name, error=type(error).__name__)
                await asyncio.sleep(IDLE)
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _start(self, jobs: list[Job]) -> None:
        lines: dict[tuple[str, object, int], list[Job]] = {}
        for job in jobs:
            self.turns.take(job.id, (job.account_id, job.priority))
            lines.setdefault((job.kind, job.account_id, job.priority), []).append(job)
        for (kind, _, _), same in lines.items():
            for group in groups(same, len(same)):
                task = asyncio.create_task(self._guarded(kind, group))
                self._tasks.add(task)
                task.add_done_callback(self._tasks.discard)

    async def _guarded(self, kind: str, jobs: list[Job]) -> None:
        try:
            await run_jobs(self.db, self.kinds[kind], jobs)
        except Exception:
            self.metrics.job_failures.labels(kind).inc(len(jobs))
            log.exception("job.failed", kind=kind, jobs=[job.id for job in jobs[:10]])
        finally:
            for job in jobs:
                self.turns.done(job.id)

    def _wait(self, claimed: Claimed) -> float:
        """Seconds until the next look, unless woken: a lost wake-up costs a second."""
        if claimed.jobs or claimed.held_back:
            return HELD_BACK_WAIT
        if claimed.next_due is None:
            return IDLE
        left = (claimed.next_due - self.clock.now()).total_seconds()
        return min(IDLE, max(left, 0.0))

    async def _rest(self, seconds: float) -> None:
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._wake.wait()
