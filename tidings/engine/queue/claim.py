"""Who gets which due jobs: fair over accounts, a few of each, oldest first.

Plain first-in-first-out with SKIP LOCKED served one of 21 accounts while the largest had 200,000
jobs waiting; taking a few of each account serves all (docs/decisions/0009-queue.md).
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Row, Tx

from .model import MILLISECOND, Job

NOBODY = UUID(int=0)
FOREVER = datetime.max.replace(tzinfo=UTC)
ACCOUNTS_AT_ONCE = 128

# A queue is full moments after its statistics said empty. Planned by them, a claim of 100 read
# 6,800,000 rows of 30,000: so the order of the indexes is all the planner may use.
BY_INDEX = """
    SET LOCAL enable_sort = off; SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off
"""

# The accounts with jobs, from a start that turns like a clock's hand (a loose index scan: one probe
# an account), and those whose jobs have waited longest.
_ACCOUNTS = """
    WITH RECURSIVE walk AS (
        (SELECT account_id, 1 AS n FROM jobs
          WHERE pool = $1 AND dead_lettered_at IS NULL AND account_id > $2
          ORDER BY account_id LIMIT 1)
        UNION ALL
        (SELECT next.account_id, n + 1 FROM walk CROSS JOIN LATERAL (
            SELECT account_id FROM jobs WHERE pool = $1 AND dead_lettered_at IS NULL
               AND account_id > walk.account_id ORDER BY account_id LIMIT 1) next
          WHERE n < $4)
    )
    SELECT account_id, true AS walked FROM walk
    UNION ALL
    (SELECT account_id, false FROM jobs
      WHERE pool = $1 AND dead_lettered_at IS NULL AND due_at <= $3 ORDER BY due_at LIMIT 32)
"""

# Of a job `j`: `ordering_key` holds it back until the older ones of its key have been tried once.
IN_ORDER = """(j.ordering_key IS NULL OR j.attempts > 0 OR NOT EXISTS (
                    SELECT FROM jobs o WHERE o.account_id = j.account_id
                       AND o.ordering_key = j.ordering_key AND o.id < j.id
                       AND (o.attempts = 0 OR (o.attempts = 1 AND o.leased))))"""

# The jobs of `due` are ours until $6.
LEASE = """
    UPDATE jobs j SET leased = true, generation = generation + 1, attempts = attempts + 1,
           crashes = crashes + leased::int, due_at = $6, unique_key = NULL
      FROM due WHERE j.id = due.id
    RETURNING j.id, j.account_id, j.kind, j.subject, j.generation, j.attempts, j.crashes,
              due.due_at AS was_due, j.clock_ms, j.payload, j.priority
"""

_CLAIM = f"""
    WITH due AS (
        SELECT d.id, d.due_at FROM unnest($1::text[]) AS p (pool)
         CROSS JOIN unnest($2::uuid[]) AS w (account_id) CROSS JOIN LATERAL (
            SELECT j.id, j.due_at FROM jobs j
             WHERE j.pool = p.pool AND j.account_id = w.account_id
               AND j.dead_lettered_at IS NULL AND j.due_at <= $3
               AND {IN_ORDER}
             ORDER BY j.priority, j.due_at, j.id LIMIT $5
             FOR UPDATE SKIP LOCKED) d
        LIMIT $4
    ) {LEASE}
"""


@dataclass(slots=True)
class Claimer:
    """Claims due jobs of one pool, turning through the accounts from claim to claim."""

    pool: str
    start: UUID = NOBODY

    async def claim(self, tx: Tx, limit: int) -> list[Job]:
        """A share for each account; what some leave goes to those who have more."""
        await tx.run(BY_INDEX)
        accounts = await self._accounts(tx)
        rows: list[Row] = []
        while accounts and len(rows) < limit:
            left = limit - len(rows)
            share = max(1, left // len(accounts))
            taken = await _claim(tx, [self.pool], accounts, left, share)
            counts = Counter(row["account_id"] for row in taken)
            if not rows and len(accounts) > limit == len(taken):  # some behind had no turn
                self.start = [account for account in accounts if counts[account]][-1]
            accounts = [account for account in accounts if counts[account] == share]
            rows += taken
        return read_jobs(rows)

    async def _accounts(self, tx: Tx) -> list[UUID]:
        rows = await tx.rows(_ACCOUNTS, self.pool, self.start, tx.now, ACCOUNTS_AT_ONCE)
        walked = [row["account_id"] for row in rows if row["walked"]]
        self.start = walked[-1] if len(walked) == ACCOUNTS_AT_ONCE else NOBODY
        return list(dict.fromkeys([*walked, *(row["account_id"] for row in rows)]))


async def claim_of_account(tx: Tx, account_id: UUID, pools: Sequence[str], limit: int) -> list[Job]:
    """Due jobs of one account in any pool: how a sandbox clock plays its time forward."""
    await tx.run(BY_INDEX)
    return read_jobs(await _claim(tx, list(pools), [account_id], limit, limit))


async def _claim(
    tx: Tx, pools: list[str], accounts: list[UUID], limit: int, share: int
) -> Sequence[Row]:
    lease_until = tx.now + limits.JOB_LEASE
    return await tx.rows(_CLAIM, pools, accounts, tx.now, limit, share, lease_until)


def read_jobs(rows: Iterable[Row]) -> list[Job]:
    return [_job(row) for row in sorted(rows, key=_order)]


def _order(row: Row) -> tuple[int, datetime, int]:
    return (row["priority"], row["was_due"], row["id"])


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
    )


async def next_due(tx: Tx, pool: str) -> datetime | None:
    """When the pool's next job falls due, to sleep until then."""
    await tx.run(BY_INDEX)
    timestamp: datetime | None = await tx.value(
        """
        SELECT due_at FROM jobs WHERE pool = $1 AND dead_lettered_at IS NULL
         ORDER BY due_at LIMIT 1
        """,
        pool,
    )
    return timestamp


async def next_due_of_account(tx: Tx, account_id: UUID, pools: Sequence[str]) -> datetime | None:
    timestamp: datetime | None = await tx.value(
        """
        SELECT min(due_at) FROM jobs WHERE account_id = $1 AND pool = ANY($2::text[])
           AND NOT leased AND dead_lettered_at IS NULL
        """,
        account_id,
        list(pools),
    )
    return timestamp


async def count(tx: Tx, account_id: UUID, pool: str) -> int:
    """How many jobs of the account wait in a pool."""
    waiting: int = await tx.value(
        """
        SELECT count(*) FROM jobs
         WHERE pool = $1 AND account_id = $2 AND dead_lettered_at IS NULL
        """,
        pool,
        account_id,
    )
    return waiting


async def unsettled_of_account(
    tx: Tx,
    account_id: UUID,
    pools: Sequence[str],
    clock: timedelta,
    began_by: datetime | None = None,
) -> int:
    """How many of the account's jobs run just now, are due, or were put back by an old clock.

    One snapshot: a job that a worker is about to take, or has just put back, is not overlooked.
    `began_by`: only those that were due, or were begun, by that time.
    """
    count: int = await tx.value(
        """
        SELECT count(*) FROM jobs WHERE account_id = $1 AND pool = ANY($2::text[])
           AND dead_lettered_at IS NULL
           AND (clock_ms <> $3 OR due_at <= CASE WHEN leased THEN $5 ELSE $4::timestamptz END)
        """,
        account_id,
        list(pools),
        clock // MILLISECOND,
        began_by or tx.now,
        began_by + limits.JOB_LEASE if began_by else FOREVER,
    )
    return count


async def oldest_due(tx: Tx) -> dict[str, timedelta]:
    """How long each pool's oldest due job has waited, those held back for fairness included.
    Without sandbox accounts that moved their clock: what that made due has not waited so long."""
    rows = await tx.rows(
        """
        SELECT pool, min(due_at) AS due FROM jobs
         WHERE dead_lettered_at IS NULL AND clock_ms = 0 GROUP BY pool
        """
    )
    return {row["pool"]: max(tx.now - row["due"], timedelta(0)) for row in rows}
