"""SQL of claims: which partitions of a pool have due jobs, and leasing some of each.

All claims are served by two indexes: `jobs_by_partition` (pool, account, partition key, priority,
due time) and `jobs_by_due` (pool, due time).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.engine.db.pool import Database
from tidings.engine.db.tx import Row, Tx

from . import groups
from .model import MILLISECOND, Job, Partition

SCAN_MAX = 128  # heads of partitions that one scan looks at
OLDEST_MAX = 32  # due jobs, beside the scan

Position = tuple[UUID, str, int]  # in the order of `jobs_by_partition`: account, key, priority
START: Position = (UUID(int=0), "", -1)


def just_before(partition: Partition) -> Position:
    return partition.account_id, partition.key, -1


@dataclass(slots=True)
class Scan:
    """What a scan found."""

    due: dict[Partition, None] = field(default_factory=dict)  # a set that keeps its order
    priorities: set[int] = field(default_factory=set)  # of due jobs
    next_due: datetime | None = None  # in the whole pool
    end: Position = START  # where to continue; START after the last partition


# A queue can fill up just after its statistics were gathered while it was empty. Planned by such
# statistics, a claim of 100 jobs read 6,800,000 rows of 30,000. The index order is all the planner
# may use.
_BY_INDEX = """
    SET LOCAL enable_sort = off; SET LOCAL enable_incremental_sort = off;
    SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off
"""
_BEGIN_BY_INDEX = f"BEGIN; {_BY_INDEX}"  # together, where nothing was sent yet

# A loose index scan: one probe finds the first job of the next partition and priority, which is the
# one that falls due first. A partition costs one probe, however many jobs wait in it. In addition:
# the partitions of the jobs that have been due longest, and the next due time.
_SCAN = """
    WITH RECURSIVE heads AS (
        (SELECT account_id, partition_key, priority, due_at, 1 AS n FROM jobs
          WHERE pool = $1 AND dead_lettered_at IS NULL
            AND (account_id, partition_key, priority) > ($2, $3, $4)
          ORDER BY account_id, partition_key, priority, due_at LIMIT 1)
        UNION ALL
        (SELECT next.account_id, next.partition_key, next.priority, next.due_at, n + 1
           FROM heads CROSS JOIN LATERAL (
            SELECT account_id, partition_key, priority, due_at FROM jobs
             WHERE pool = $1 AND dead_lettered_at IS NULL
               AND (account_id, partition_key, priority)
                 > (heads.account_id, heads.partition_key, heads.priority)
             ORDER BY account_id, partition_key, priority, due_at LIMIT 1) next
          WHERE n < $5)
    )
    SELECT account_id, partition_key, priority, due_at, true AS is_head FROM heads
    UNION ALL
    (SELECT account_id, partition_key, priority, due_at, false FROM jobs
      WHERE pool = $1 AND dead_lettered_at IS NULL AND due_at <= $6 ORDER BY due_at LIMIT $7)
    UNION ALL
    (SELECT account_id, partition_key, priority, due_at, false FROM jobs
      WHERE pool = $1 AND dead_lettered_at IS NULL AND due_at > $6 ORDER BY due_at LIMIT 1)
"""

# A job with an ordering key waits until the older jobs of its key have been attempted once.
_CLAIM = """
    WITH due AS (
        SELECT d.id, d.due_at
          FROM unnest($1::text[], $2::uuid[], $3::text[], $4::int[])
               AS p (pool, account_id, partition_key, share)
         CROSS JOIN LATERAL (
            SELECT k.id, k.due_at FROM unnest($5::smallint[]) AS q (priority) CROSS JOIN LATERAL (
                SELECT j.id, j.due_at FROM jobs j
                 WHERE j.pool = p.pool AND j.account_id = p.account_id
                   AND j.partition_key = p.partition_key AND j.priority = q.priority
                   AND j.dead_lettered_at IS NULL AND j.due_at <= $6
                   AND (j.ordering_key IS NULL OR j.attempts > 0 OR NOT EXISTS (
                        SELECT FROM jobs o WHERE o.account_id = j.account_id
                           AND o.ordering_key = j.ordering_key AND o.id < j.id
                           AND (o.attempts = 0 OR (o.attempts = 1 AND o.leased))))
                 ORDER BY j.due_at, j.id LIMIT p.share
                 FOR UPDATE SKIP LOCKED) k
             LIMIT p.share) d
    )
    UPDATE jobs j SET leased = true, generation = generation + 1, attempts = attempts + 1,
           crashes = crashes + leased::int, due_at = $7, unique_key = NULL
      FROM due WHERE j.id = due.id
    RETURNING j.id, j.account_id, j.kind, j.subject, j.generation, j.attempts, j.crashes,
              due.due_at AS was_due, j.clock_ms, j.payload, j.priority, j.pool, j.partition_key,
              j.subjects IS NOT NULL AS is_group
"""


# One look at the index, without a transaction: what most polls need.
_NEXT_DUE = """
    SELECT due_at FROM jobs WHERE pool = $1 AND dead_lettered_at IS NULL ORDER BY due_at LIMIT 1
"""


async def next_due(db: Database, pool: str) -> datetime | None:
    """When the next job of a pool falls due, or fell due."""
    due: datetime | None = await db.value(_NEXT_DUE, pool)
    return due


@dataclass(frozen=True, slots=True)
class PoolJobs:
    """The jobs of one pool, scanned page by page."""

    pool: str

    async def scan(self, tx: Tx, after: Position) -> Scan:
        await _plan_by_index(tx)
        rows = await tx.rows(_SCAN, self.pool, *after, SCAN_MAX, tx.now, OLDEST_MAX)
        found, heads = Scan(), 0
        for row in rows:
            heads += row["is_head"]
            if row["due_at"] <= tx.now:
                found.due[Partition(self.pool, row["account_id"], row["partition_key"])] = None
                found.priorities.add(row["priority"])
            elif not row["is_head"]:
                found.next_due = row["due_at"]
            if heads == SCAN_MAX and row["is_head"]:
                found.end = (row["account_id"], row["partition_key"], row["priority"])
        return found

    async def lease(
        self, tx: Tx, shares: Mapping[Partition, int], priorities: Iterable[int]
    ) -> list[Job]:
        return await _lease(tx, shares, priorities)


@dataclass(frozen=True, slots=True)
class AccountJobs:
    """The jobs of one account in some pools: what a sandbox clock runs."""

    account_id: UUID
    pools: Sequence[str]

    async def scan(self, tx: Tx, after: Position) -> Scan:
        rows = await tx.rows(
            """
            SELECT DISTINCT pool, partition_key, priority FROM jobs
             WHERE account_id = $1 AND pool = ANY($2::text[]) AND due_at <= $3
               AND dead_lettered_at IS NULL
            """,
            self.account_id,
            list(self.pools),
            tx.now,
        )
        await _plan_by_index(tx)
        found = Scan()
        for row in rows:
            found.due[Partition(row["pool"], self.account_id, row["partition_key"])] = None
            found.priorities.add(row["priority"])
        return found

    async def lease(
        self, tx: Tx, shares: Mapping[Partition, int], priorities: Iterable[int]
    ) -> list[Job]:
        return await _lease(tx, shares, priorities)


async def _plan_by_index(tx: Tx) -> None:
    if tx.begun:
        await tx.run(_BY_INDEX)
    else:
        await tx.begin(_BEGIN_BY_INDEX)


async def _lease(tx: Tx, shares: Mapping[Partition, int], priorities: Iterable[int]) -> list[Job]:
    """Claim up to so many due jobs of each partition, by priority and due time; in any order.

    The members of a group whose lease has expired are left to the next claim: they may be more
    than this one may take."""
    rows = await tx.rows(
        _CLAIM,
        [partition.pool for partition in shares],
        [partition.account_id for partition in shares],
        [partition.key for partition in shares],
        list(shares.values()),
        sorted(priorities),
        tx.now,
        tx.now + limits.JOB_LEASE,
    )
    expired = [row["id"] for row in rows if row["is_group"]]
    if expired:
        await groups.expand(tx, expired)
    return [_job(row) for row in rows if not row["is_group"]]


def _job(row: Row) -> Job:
    return Job(
        id=row["id"],
        account_id=row["account_id"],
        kind=row["kind"],
        subject=row["subject"],
        generation=row["generation"],
        attempts=row["attempts"],
        crashes=row["crashes"],
        due_at=row["was_due"],
        clock=row["clock_ms"] * MILLISECOND,
        payload=row["payload"],
        priority=row["priority"],
        pool=row["pool"],
        partition_key=row["partition_key"],
    )
