"""Workers of a pool whose jobs stand in lines (`turns.py`): one handler call for each line.

How many jobs run is for the turns to say, and a handler tells them of each job that ends, so that a
slow one keeps no other's place.
"""

from dataclasses import dataclass, field

from tidings.engine.queue import Job
from tidings.engine.queue.concurrency import ConcurrencyLimiter
from tidings.engine.queue.executor import groups
from tidings.engine.queue.partition_claim import Claimed, PartitionClaimer
from tidings.engine.queue.worker_loop import HELD_BACK_WAIT, IDLE_WAIT, WorkerLoop


@dataclass(slots=True)
class PartitionWorker(WorkerLoop):
    """Claims the jobs of lines that have their turn."""

    turns: ConcurrencyLimiter
    _claimer: PartitionClaimer = field(init=False)

    def __post_init__(self) -> None:
        self._claimer = PartitionClaimer(self.pool.name, self.turns)
        self.turns.on_room = self.wake

    async def _claim(self) -> float:
        claimed = await self.db.transact(self._claimer.claim)
        self._start(claimed.jobs)
        return self._wait(claimed)

    def _start(self, jobs: list[Job]) -> None:
        lines: dict[tuple[str, object, int], list[Job]] = {}
        for job in jobs:
            self.turns.take(job.id, (job.account_id, job.priority))
            lines.setdefault((job.kind, job.account_id, job.priority), []).append(job)
        for (kind, _, _), same in lines.items():
            for group in groups(same, len(same)):
                self._launch(kind, group)

    def _wait(self, claimed: Claimed) -> float:
        if claimed.jobs or claimed.held_back:
            return HELD_BACK_WAIT
        if claimed.next_due is None:
            return IDLE_WAIT
        left = (claimed.next_due - self.clock.now()).total_seconds()
        return min(IDLE_WAIT, max(left, 0.0))

    def _ended(self, jobs: list[Job]) -> None:
        for job in jobs:
            self.turns.done(job.id)
