"""The messages of a batch, in the table `messages`."""

from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import Message
from .store import SELECTED, read


async def count_by_status(tx: Tx, account_id: UUID, batch_id: UUID) -> dict[str, int]:
    rows = await tx.rows(
        """
        SELECT status, count(*) AS n FROM messages
         WHERE account_id = $1 AND batch_id = $2 GROUP BY status
        """,
        account_id,
        batch_id,
    )
    return {row["status"]: row["n"] for row in rows}


async def find_last_sent_at(tx: Tx, account_id: UUID, batch_id: UUID) -> datetime | None:
    at: datetime | None = await tx.value(
        "SELECT max(sent_at) FROM messages WHERE account_id = $1 AND batch_id = $2",
        account_id,
        batch_id,
    )
    return at


async def lock_waiting(tx: Tx, account_id: UUID, batch_id: UUID) -> list[Message]:
    rows = await tx.rows(
        f"""
        SELECT {SELECTED} FROM messages m WHERE m.account_id = $1 AND m.batch_id = $2
           AND m.status IN ('scheduled', 'queued', 'deferred')
         ORDER BY m.account_id, m.id FOR UPDATE
        """,
        account_id,
        batch_id,
    )
    return [read(row) for row in rows]


async def ask_to_cancel(tx: Tx, account_id: UUID, batch_id: UUID) -> None:
    """Those on their way: should the platform give one back, it is cancelled, not kept waiting."""
    await tx.run(
        """
        UPDATE messages SET cancel_asked = true
         WHERE account_id = $1 AND batch_id = $2 AND status = 'sending'
        """,
        account_id,
        batch_id,
    )
