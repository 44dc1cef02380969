"""The clock_turns table: which sandbox clocks are being moved, and until when at the latest."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings import limits
from tidings.engine.db.tx import Tx


async def take_turn(tx: Tx, account_ids: Sequence[UUID]) -> datetime | None:
    """The right to move these clocks, to be given back with `end_turn`; None where somebody else
    moves one of them. It runs out by itself, so that a process that dies keeps no clock."""
    ends_at = tx.now + limits.CLOCK_TURN_MAX
    rows = await tx.rows(
        """
        INSERT INTO clock_turns AS t (account_id, ends_at)
        SELECT account_id, $2 FROM unnest($1::uuid[]) AS a (account_id) ORDER BY account_id
        ON CONFLICT (account_id) DO UPDATE SET ends_at = excluded.ends_at WHERE t.ends_at <= $3
        RETURNING account_id
        """,
        list(account_ids),
        ends_at,
        tx.now,
    )
    if len(rows) == len(account_ids):
        return ends_at
    await end_turn(tx, [row["account_id"] for row in rows], ends_at)
    return None


async def end_turn(tx: Tx, account_ids: Sequence[UUID], ends_at: datetime) -> None:
    """`ends_at` says whose it is: one that ran out may be another's by now."""
    await tx.run(
        "DELETE FROM clock_turns WHERE account_id = ANY($1::uuid[]) AND ends_at = $2",
        list(account_ids),
        ends_at,
    )
