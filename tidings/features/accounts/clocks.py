"""How far a sandbox account's time runs ahead. A partner's clock moves its accounts too."""

from collections.abc import Sequence
from datetime import timedelta
from uuid import UUID

from tidings.engine.db.tx import Tx


async def moved_with(tx: Tx, account_id: UUID) -> list[UUID]:
    """The account and the sandbox accounts that belong to it."""
    rows = await tx.rows(
        """
        SELECT id FROM accounts
         WHERE environment = 'sandbox' AND (id = $1 OR belongs_to = $1) ORDER BY id
        """,
        account_id,
    )
    return [row["id"] for row in rows]


async def move(tx: Tx, account_ids: Sequence[UUID], by: timedelta) -> dict[UUID, timedelta]:
    """Move the clocks; where they now stand."""
    rows = await tx.rows(
        """
        UPDATE accounts SET clock_ms = clock_ms + $2 WHERE id = ANY($1::uuid[])
        RETURNING id, clock_ms
        """,
        list(account_ids),
        -(-by // timedelta(milliseconds=1)),
    )
    return {row["id"]: timedelta(milliseconds=row["clock_ms"]) for row in rows}
