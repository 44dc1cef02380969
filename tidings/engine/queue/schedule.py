"""Change when waiting jobs run: cancel them, run them earlier, move them with a sandbox clock."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import MILLISECOND


async def cancel(tx: Tx, pools: Sequence[str], about: Sequence[tuple[UUID, str]]) -> None:
    """Delete waiting jobs by (account, subject). A running job is not touched: it has to notice by
    itself. Rare: this scans all waiting jobs of the accounts in these pools."""
    if about:
        await tx.run(
            """
            DELETE FROM jobs USING unnest($1::uuid[], $2::text[]) AS s (account_id, subject)
             WHERE jobs.pool = ANY($3::text[]) AND jobs.account_id = s.account_id
               AND jobs.subject = s.subject AND NOT leased AND dead_lettered_at IS NULL
            """,
            [account_id for account_id, _ in about],
            [subject for _, subject in about],
            list(pools),
        )


async def run_by(
    tx: Tx, pools: Sequence[str], account_id: UUID, due: Sequence[tuple[str, datetime]]
) -> None:
    """Run waiting jobs (subject, real time) at that time at the latest. A running job is not
    touched. Rare: this scans all waiting jobs of the account in these pools."""
    if due:
        await tx.run(
            """
            UPDATE jobs SET due_at = d.due_at
              FROM unnest($3::text[], $4::timestamptz[]) AS d (subject, due_at)
             WHERE jobs.account_id = $1 AND jobs.pool = ANY($2::text[])
               AND jobs.subject = d.subject AND jobs.due_at > d.due_at
               AND NOT leased AND dead_lettered_at IS NULL
            """,
            account_id,
            list(pools),
            [subject for subject, _ in due],
            [at for _, at in due],
        )
        for pool in pools:
            tx.wake(pool)


async def run_now(tx: Tx, account_id: UUID, pools: Sequence[str]) -> None:
    """Run all waiting jobs of the account now, because what delayed them is gone. A running job may
    have read the old state: it is marked, and runs again as soon as it is rescheduled. One that is
    due is locked: claimed before the commit, it would read the old state as well."""
    await tx.run(
        """
        UPDATE jobs SET due_at = CASE WHEN leased THEN due_at ELSE least(due_at, $3) END,
               rerun_requested = leased
         WHERE account_id = $1 AND pool = ANY($2::text[]) AND dead_lettered_at IS NULL
        """,
        account_id,
        list(pools),
        tx.now,
    )
    for pool in pools:
        tx.wake(pool)


async def run_jobs_now(tx: Tx, pool: str, job_ids: Sequence[int]) -> None:
    """Run those of these jobs now that are waiting."""
    if job_ids:
        await tx.run(
            """
            UPDATE jobs SET due_at = $2 WHERE id = ANY (ARRAY(
                SELECT id FROM jobs
                 WHERE id = ANY($1::bigint[]) AND due_at > $2 AND NOT leased
                   AND dead_lettered_at IS NULL
                   FOR UPDATE SKIP LOCKED))
            """,
            list(job_ids),
            tx.now,
        )
        tx.wake(pool)


async def move_clock(tx: Tx, account_id: UUID, pools: Sequence[str], clock: timedelta) -> None:
    """Shift the due times of waiting jobs to the account's present clock offset.

    Rows that another transaction has locked are skipped: waiting for them while holding the others
    could deadlock. The caller repeats until all jobs have the new offset.
    """
    await tx.run(
        """
        UPDATE jobs SET due_at = due_at - ($3 - clock_ms) * interval '1 millisecond', clock_ms = $3
         WHERE id = ANY (ARRAY(
             SELECT id FROM jobs
              WHERE account_id = $1 AND pool = ANY($2::text[]) AND clock_ms <> $3
                AND NOT leased AND dead_lettered_at IS NULL FOR UPDATE SKIP LOCKED))
        """,
        account_id,
        list(pools),
        clock // MILLISECOND,
    )
