"""The ends of waiting invitations in the table `messages`."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.events.model import Unsent


async def move(tx: Tx, account_id: UUID, unsent: Sequence[Unsent]) -> dict[UUID, datetime]:
    """Write the ends of those that wait; the new end of each that had another one."""
    rows = await tx.rows(
        """
        WITH moved AS (
            SELECT m.id, e.expires_at
              FROM unnest($2::uuid[], $3::timestamptz[]) AS e (id, expires_at)
              JOIN messages m ON m.account_id = $1 AND m.id = e.id
             WHERE m.status IN ('scheduled', 'queued', 'deferred') AND m.expires_at <> e.expires_at
             ORDER BY m.id FOR UPDATE OF m
        )
        UPDATE messages m SET expires_at = moved.expires_at
          FROM moved WHERE m.account_id = $1 AND m.id = moved.id
        RETURNING m.id, m.expires_at
        """,
        account_id,
        [each.message_id for each in unsent],
        [each.expires_at for each in unsent],
    )
    return {row["id"]: row["expires_at"] for row in rows}
