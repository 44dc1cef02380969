"""A worker on a real PostgreSQL whose handlers record what they ran."""

import asyncio
from typing import Any
from uuid import UUID

import asyncpg

from tidings import limits
from tidings.engine import queue
from tidings.engine.db.pool import Database
from tidings.engine.metrics import Metrics
from tidings.engine.queue import Job, JobKind, NewJob, Pool
from tidings.engine.queue.worker import Worker

OURS = UUID(int=1 << 64)
POLL = limits.QUEUE_IDLE_WAIT.total_seconds()
LEASE = limits.JOB_LEASE.total_seconds()


class House:
    """A database, handlers that record what they ran, and a worker for them."""

    def __init__(self, db: Database, clock: Any, **pool: int) -> None:
        self.db = db
        self.clock = clock
        self.metrics = Metrics()
        self.ran: list[list[str]] = []  # the subjects of each call
        self.dead_lettered: list[str] = []
        self.bad: set[str] = set()  # subjects that make the handler raise
        self.released = asyncio.Event()
        self.released.set()
        self.busy = self.busy_max = 0
        kinds = {"plain": JobKind(self.handle, self.on_dead_letter), "other": JobKind(self.handle)}
        shape = Pool("send", **{"slots": 100, "group": 10} | pool)
        self.worker = Worker(shape, kinds, db, clock, self.metrics)
        self.running: asyncio.Task[None] | None = None
        db.on_commit(lambda pools: self.worker.wake() if "send" in pools else None)

    async def handle(self, jobs: list[Job]) -> None:
        self.ran.append([job.subject for job in jobs])
        self.busy += len(jobs)
        self.busy_max = max(self.busy_max, self.busy)
        try:
            await self.released.wait()
            if self.bad & {job.subject for job in jobs}:
                raise ZeroDivisionError("a bug")
            await self.db.transact(lambda tx: queue.complete(tx, jobs))
        finally:
            self.busy -= len(jobs)

    async def on_dead_letter(self, jobs: list[Job]) -> None:
        dead = await self.db.value(
            "SELECT count(*) FROM jobs WHERE id = ANY($1) AND dead_lettered_at IS NOT NULL",
            [job.id for job in jobs],
        )
        assert dead == 0, "the job is dead-lettered after its subject has failed"
        self.dead_lettered += [job.subject for job in jobs]

    async def put(self, *subjects: str, **fields: Any) -> None:
        values = {"kind": "plain", "due_at": self.clock.now()} | fields
        jobs = [NewJob(OURS, "send", subject=subject, **values) for subject in subjects]
        await self.db.transact(lambda tx: queue.enqueue(tx, jobs))

    def subjects(self) -> list[str]:
        return sorted(subject for call in self.ran for subject in call)

    async def rows(self) -> list[dict[str, Any]]:
        return [dict(row) for row in await self.db.rows("SELECT * FROM jobs ORDER BY id")]

    async def outlive_lease(self) -> None:
        """Abandoned leases expire, so their jobs are due again."""
        self.clock.advance(seconds=LEASE)
        self.worker.wake()


async def kill_connections(dsn: dict[str, Any]) -> int:
    admin = await asyncpg.connect(**dsn)
    killed = await admin.fetch(
        """
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
         WHERE datname = current_database() AND pid <> pg_backend_pid()
        """
    )
    await admin.close()
    return len(killed)
