"""The ends of an event's invitations in the table `invitations`: they move with it (4.10)."""

from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import Unsent


async def move(tx: Tx, account_id: UUID, event_id: str, end: datetime, now: datetime) -> int:
    """Set the end of the open invitations that take theirs from the event; how many there were.

    The rows are locked in the order of their keys, as everywhere.
    """
    return await tx.run(
        """
        WITH open AS (
            SELECT message_id FROM invitations
             WHERE account_id = $1 AND event_id = $2 AND expires_at > $4
               AND ends_with_event
             ORDER BY message_id FOR UPDATE
        )
        UPDATE invitations i SET expires_at = $3 FROM open o
         WHERE i.account_id = $1 AND i.message_id = o.message_id
        """,
        account_id,
        event_id,
        end,
        now,
    )


async def find_unsent(tx: Tx, account_id: UUID, event_id: str) -> list[Unsent]:
    rows = await tx.rows(
        """
        SELECT message_id, expires_at FROM invitations
         WHERE account_id = $1 AND event_id = $2 AND sent_at IS NULL AND NOT lost
        """,
        account_id,
        event_id,
    )
    return [Unsent(**row) for row in rows]


async def find_unclear(tx: Tx, account_id: UUID, event_id: str) -> list[UUID]:
    """Those with a reply that was not understood, which may still come to be unresolved."""
    rows = await tx.rows(
        """
        SELECT message_id FROM invitations
         WHERE account_id = $1 AND event_id = $2
           AND unclear IS NOT NULL AND answer IS NULL AND NOT unresolved
        """,
        account_id,
        event_id,
    )
    return [row["message_id"] for row in rows]
