"""The table `batches`. The only file that knows its columns."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx


@dataclass(slots=True)
class Batch:
    account_id: UUID
    id: UUID
    name: str
    event_id: str | None
    total: int  # accepted messages
    created_at: datetime
    cancelled_at: datetime | None = None
    completed_at: datetime | None = None
    published_percent: int = 0  # of the last batch.progress
    published_at: datetime | None = None


async def insert(tx: Tx, batch: Batch) -> None:
    await tx.run(
        """
        INSERT INTO batches (account_id, id, name, event_id, total, created_at, published_at)
        VALUES ($1, $2, $3, $4, $5, $6, $6)
        """,
        batch.account_id,
        batch.id,
        batch.name,
        batch.event_id,
        batch.total,
        batch.created_at,
    )


async def lock(tx: Tx, account_id: UUID, batch_id: UUID) -> Batch | None:
    """Locked until commit, so that of two transactions that finish the last messages, the second
    one sees both."""
    row = await tx.row(
        """
        SELECT account_id, id, name, event_id, total, created_at, cancelled_at, completed_at,
               published_percent, published_at
          FROM batches WHERE account_id = $1 AND id = $2 FOR UPDATE
        """,
        account_id,
        batch_id,
    )
    return None if row is None else Batch(*row)


async def save(tx: Tx, batch: Batch) -> None:
    await tx.run(
        """
        UPDATE batches SET cancelled_at = $3, completed_at = $4, published_percent = $5,
               published_at = $6
         WHERE account_id = $1 AND id = $2
        """,
        batch.account_id,
        batch.id,
        batch.cancelled_at,
        batch.completed_at,
        batch.published_percent,
        batch.published_at,
    )
