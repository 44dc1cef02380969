"""Hand new jobs that are due now, or in a moment, to the worker of this process, without a claim.

The jobs that the worker has capacity for share the lease of a group and start after the commit,
with what their maker knows about them (`NewJob.memo`). The others wait in the queue like any job,
and so do all that would overtake jobs of their partition that wait there already.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

from tidings.engine.db.tx import Tx

from . import groups
from .enqueue import enqueue
from .model import Job, NewJob, Partition


class LocalWorker(Protocol):
    """A worker, as those see it who have new jobs for it."""

    def capacity(self, partition: Partition) -> int:
        """How many more jobs of a partition may start now."""

    def take(self, jobs: Sequence[Job]) -> None:
        """Run jobs whose lease this process holds."""

    def passed_over(self, partition: Partition) -> None:
        """Jobs of a partition are about to wait in the queue."""

    @property
    def running(self) -> int:
        """Jobs that it executes now."""


@dataclass(slots=True)
class LocalWorkers:
    """The running workers of this process, by pool."""

    by_pool: dict[str, LocalWorker] = field(default_factory=dict)


def runs_here(tx: Tx, pool: str) -> bool:
    """Whether jobs of this pool may run from memory."""
    return pool in tx.of_process(LocalWorkers).by_pool


async def enqueue_here(tx: Tx, jobs: Sequence[NewJob]) -> None:
    """Insert jobs that may run now. The worker of this process starts as many as it can."""
    workers = tx.of_process(LocalWorkers).by_pool
    capacity: dict[Partition, int] = {}
    here: list[NewJob] = []
    waiting: list[NewJob] = []
    for job in jobs:
        partition = Partition(job.pool, job.account_id, job.partition_key)
        worker = workers.get(job.pool)
        if partition not in capacity:
            capacity[partition] = 0 if worker is None else worker.capacity(partition)
        if capacity[partition] > 0:
            capacity[partition] -= 1
            here.append(job)
        else:
            waiting.append(job)
            if worker is not None:
                worker.passed_over(partition)
    leased = await groups.lease(tx, here)
    if leased:
        tx.after_commit(partial(_start, workers, leased))
    await enqueue(tx, waiting)


def _start(workers: dict[str, LocalWorker], jobs: list[Job]) -> None:
    by_pool: dict[str, list[Job]] = {}
    for job in jobs:
        by_pool.setdefault(job.pool, []).append(job)
    for pool, started in by_pool.items():
        workers[pool].take(started)
