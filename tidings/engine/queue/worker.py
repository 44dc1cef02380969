"""Workers of a pool whose jobs are all alike: any free slot takes any due job."""

from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from tidings import limits
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.queue import Job, claim
from tidings.engine.queue.executor import groups
from tidings.engine.queue.worker_loop import HELD_BACK_WAIT, IDLE_WAIT, WorkerLoop


@dataclass(slots=True)
class Worker(WorkerLoop):
    """Claims as many jobs as it has free slots."""

    _claimer: claim.Claimer = field(init=False)

    def __post_init__(self) -> None:
        self._claimer = claim.Claimer(self.pool.name)

    async def _claim(self) -> float:
        free = self.pool.slots - self._busy
        if free <= 0:
            return IDLE_WAIT
        jobs, next_due = await self.db.transact(lambda tx: self._take(tx, free))
        self._start(jobs)
        return 0.0 if len(jobs) == free else self._until(next_due)

    async def _take(self, tx: Tx, free: int) -> tuple[list[Job], datetime | None]:
        jobs = await _hold_back(tx, await self._claimer.claim(tx, free))
        return jobs, None if len(jobs) == free else await claim.next_due(tx, self.pool.name)

    def _start(self, jobs: list[Job]) -> None:
        jobs.sort(key=lambda job: job.kind)  # stable: the order within a kind stays
        for kind, same in groupby(jobs, key=lambda job: job.kind):
            for group in groups(list(same), self.pool.group):
                self._launch(kind, group)

    def _until(self, due: datetime | None) -> float:
        if due is None:
            return IDLE_WAIT
        left = (due - self.clock.now()).total_seconds()
        return min(IDLE_WAIT, left if left > 0 else HELD_BACK_WAIT)

    def _ended(self, jobs: list[Job]) -> None:
        self.wake()


async def _hold_back(tx: Tx, jobs: list[Job]) -> list[Job]:
    """What fell is tried alone, in transactions of its own: a few at a time, or the hundreds that a
    killed process had in hand fall again for want of connections, and are parked for nothing."""
    waiting = [job for job in jobs if job.crashes][limits.JOBS_ALONE_MAX :]
    if not waiting:
        return jobs
    await queue.release(tx, waiting, tx.now + limits.JOBS_ALONE_WAIT)
    held = {job.id for job in waiting}
    return [job for job in jobs if job.id not in held]
