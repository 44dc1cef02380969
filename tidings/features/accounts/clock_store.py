"""The clock_locks table: which sandbox clocks are being moved, and until when at the latest."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx


async def lock_clocks(tx: Tx, account_ids: Sequence[UUID]) -> datetime | None:
    """Lock these clocks until `unlock_clocks`; None if another call holds one of them. The lock
    expires by itself, so that a crashed process does not block a clock. Returns its expiry."""
    expires_at = tx.now + limits.CLOCK_LOCK_MAX
    rows = await tx.rows(
        """
        INSERT INTO clock_locks AS t (account_id, expires_at)
        SELECT account_id, $2 FROM unnest($1::uuid[]) AS a (account_id) ORDER BY account_id
        ON CONFLICT (account_id) DO UPDATE SET expires_at = excluded.expires_at
         WHERE t.expires_at <= $3
        RETURNING account_id
        """,
        list(account_ids),
        expires_at,
        tx.now,
    )
    if len(rows) == len(account_ids):
        return expires_at
    await unlock_clocks(tx, [row["account_id"] for row in rows], expires_at)
    return None


async def unlock_clocks(tx: Tx, account_ids: Sequence[UUID], expires_at: datetime) -> None:
    """`expires_at` identifies the lock: after it expired, another call may hold the clocks."""
    await tx.run(
        "DELETE FROM clock_locks WHERE account_id = ANY($1::uuid[]) AND expires_at = $2",
        list(account_ids),
        expires_at,
    )
