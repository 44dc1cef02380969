"""Read-only queries about waiting jobs: how many, and since when."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx

from .model import MILLISECOND

JOBS = "coalesce(cardinality(subjects), 1)"  # of a row: a group lists its members
FOREVER = datetime.max.replace(tzinfo=UTC)


async def oldest_due(tx: Tx, pools: Sequence[str]) -> dict[str, timedelta]:
    """How long the oldest due job of each pool has waited, including those that wait for a slot.
    Jobs of moved sandbox clocks are left out: they fell due by the move, not by waiting."""
    rows = await tx.rows(
        """
        SELECT p.pool, j.due_at AS due FROM unnest($1::text[]) AS p (pool), LATERAL (
            SELECT due_at FROM jobs
             WHERE pool = p.pool AND dead_lettered_at IS NULL AND clock_ms = 0
             ORDER BY due_at LIMIT 1) AS j
        """,
        list(pools),
    )
    return {row["pool"]: max(tx.now - row["due"], timedelta(0)) for row in rows}


async def count_due(tx: Tx, pools: Sequence[str], count_max: int) -> dict[str, int]:
    """How many jobs of each pool are due now; more than `count_max` are not counted."""
    rows = await tx.rows(
        f"""
        SELECT p.pool, (
            SELECT coalesce(sum(jobs), 0)::bigint FROM (
                SELECT {JOBS} AS jobs FROM jobs
                 WHERE pool = p.pool AND dead_lettered_at IS NULL AND due_at <= $2
                 LIMIT $3) AS due) AS n
          FROM unnest($1::text[]) AS p (pool)
        """,
        list(pools),
        tx.now,
        count_max + 1,
    )
    return {row["pool"]: row["n"] for row in rows}


async def count_dead(tx: Tx) -> dict[str, int]:
    """How many jobs of each pool are dead-lettered; pools without any are left out."""
    rows = await tx.rows(
        "SELECT pool, count(*) AS n FROM jobs WHERE dead_lettered_at IS NOT NULL GROUP BY pool"
    )
    return {row["pool"]: row["n"] for row in rows}


async def find_accounts(tx: Tx, pools: Sequence[str]) -> list[UUID]:
    """The accounts that have jobs in these pools. Steps from one account to the next in the index,
    instead of reading every job."""
    rows = await tx.rows(
        """
        WITH RECURSIVE step AS (
            SELECT p.pool, j.account_id FROM unnest($1::text[]) AS p (pool), LATERAL (
                SELECT account_id FROM jobs WHERE pool = p.pool AND dead_lettered_at IS NULL
                 ORDER BY account_id LIMIT 1) AS j
            UNION ALL
            SELECT s.pool, j.account_id FROM step s, LATERAL (
                SELECT account_id FROM jobs
                 WHERE pool = s.pool AND account_id > s.account_id AND dead_lettered_at IS NULL
                 ORDER BY account_id LIMIT 1) AS j
        )
        SELECT DISTINCT account_id FROM step ORDER BY account_id
        """,
        list(pools),
    )
    return [row["account_id"] for row in rows]


async def count(tx: Tx, account_id: UUID, pool: str) -> int:
    """How many jobs of the account are in a pool."""
    waiting: int = await tx.value(
        f"""
        SELECT coalesce(sum({JOBS}), 0)::bigint FROM jobs
         WHERE pool = $1 AND account_id = $2 AND dead_lettered_at IS NULL
        """,
        pool,
        account_id,
    )
    return waiting


async def next_due_of_account(tx: Tx, account_id: UUID, pools: Sequence[str]) -> datetime | None:
    """When the next waiting job of the account falls due."""
    timestamp: datetime | None = await tx.value(
        """
        SELECT min(due_at) FROM jobs WHERE account_id = $1 AND pool = ANY($2::text[])
           AND NOT leased AND dead_lettered_at IS NULL
        """,
        account_id,
        list(pools),
    )
    return timestamp


async def count_unfinished(
    tx: Tx,
    account_id: UUID,
    pools: Sequence[str],
    clock: timedelta,
    due_by: datetime | None = None,
) -> int:
    """How many jobs of the account are running, are due, or have an old clock offset.

    One snapshot, so that a job that is being claimed or rescheduled is counted in any case.
    `due_by`: only those that were due, or were claimed, by that time.
    """
    count: int = await tx.value(
        f"""
        SELECT coalesce(sum({JOBS}), 0)::bigint FROM jobs
         WHERE account_id = $1 AND pool = ANY($2::text[]) AND dead_lettered_at IS NULL
           AND (clock_ms <> $3 OR due_at <= CASE WHEN leased THEN $5 ELSE $4::timestamptz END)
        """,
        account_id,
        list(pools),
        clock // MILLISECOND,
        due_by or tx.now,
        due_by + limits.JOB_LEASE if due_by else FOREVER,
    )
    return count
