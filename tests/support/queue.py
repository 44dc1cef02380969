"""An empty queue on a real PostgreSQL, and the few verbs its tests use."""

from datetime import timedelta
from typing import Any
from uuid import UUID

from tests.support.clock import ManualClock
from tidings import limits
from tidings.engine import queue
from tidings.engine.db.pool import Database
from tidings.engine.queue import Job, NewJob, Reschedule
from tidings.engine.queue.claim import Claimed, Claimer, EqualShares
from tidings.engine.queue.claim_store import PoolJobs

POOL = "send"
OURS = UUID(int=1 << 64)
THEIRS = UUID(int=2 << 64)
SECOND = timedelta(seconds=1)
HOUR = timedelta(hours=1)
LEASE = limits.JOB_LEASE


def new_claimer(pool: str = POOL) -> Claimer:
    return Claimer(PoolJobs(pool))


class House:
    """A database, its clock, and the few verbs the tests use."""

    def __init__(self, db: Database, clock: ManualClock) -> None:
        self.db = db
        self.clock = clock
        self.claimer = new_claimer()

    def job(self, subject: str = "one", **fields: Any) -> NewJob:
        values = {"account_id": OURS, "pool": POOL, "kind": "kind", "due_at": self.clock.now()}
        return NewJob(subject=subject, **values | fields)

    async def enqueue(self, *jobs: NewJob) -> list[int]:
        return await self.db.transact(lambda tx: queue.enqueue(tx, jobs, returning=True))

    async def claim(self, slots: int = 100, claimer: Claimer | None = None) -> list[Job]:
        return (await self.claim_round(slots, claimer)).jobs

    async def claim_round(self, slots: int = 100, claimer: Claimer | None = None) -> Claimed:
        chosen = claimer or self.claimer
        return await self.db.transact(lambda tx: chosen.claim(tx, EqualShares(slots)))

    async def subjects(self, slots: int = 100) -> list[str]:
        return [job.subject for job in await self.claim(slots)]

    async def complete(self, *jobs: Job) -> None:
        await self.db.transact(lambda tx: queue.complete(tx, jobs))

    async def reschedule(self, *later: Reschedule) -> None:
        await self.db.transact(lambda tx: queue.reschedule(tx, later))

    async def dead_letter(self, *jobs: Job) -> None:
        await self.db.transact(lambda tx: queue.dead_letter(tx, jobs))

    async def rows(self) -> list[dict[str, Any]]:
        return [dict(row) for row in await self.db.rows("SELECT * FROM jobs ORDER BY id")]

    async def fill(self, account: int, count: int, *, after: timedelta = -HOUR) -> None:
        """Many plain jobs of an account, due one after another."""
        await self.db.rows(
            """
            INSERT INTO jobs (account_id, pool, kind, subject, due_at)
            SELECT $1, $2, 'kind', n::text, $3::timestamptz + n * interval '1 microsecond'
              FROM generate_series(1, $4) n
            """,
            UUID(int=account), POOL, self.clock.now() + after, count,
        )  # fmt: skip
