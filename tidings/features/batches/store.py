"""The table `batches`. The only file that knows its columns."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Tx
from tidings.ids import FIRST_ID, LAST_ID


@dataclass(slots=True)
class Batch:
    account_id: UUID
    id: UUID
    name: str
    event_id: str | None
    total: int  # accepted messages
    created_at: datetime
    rejected: int = 0
    duplicates: int = 0
    to_come: int = 0  # rows of an upload that are still to be accepted
    estimated_at: datetime | None = None  # when the last was expected to be sent
    cancelled_at: datetime | None = None
    completed_at: datetime | None = None
    published_percent: int = 0  # of the last batch.progress
    published_at: datetime | None = None


_COLUMNS = ", ".join(Batch.__slots__)  # the struct mirrors the table


async def insert(tx: Tx, batch: Batch) -> None:
    await tx.run(
        """
        INSERT INTO batches (account_id, id, name, event_id, total, rejected, duplicates, to_come,
                             created_at, estimated_at, published_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $9)
        """,
        batch.account_id,
        batch.id,
        batch.name,
        batch.event_id,
        batch.total,
        batch.rejected,
        batch.duplicates,
        batch.to_come,
        batch.created_at,
        batch.estimated_at,
    )


async def lock(tx: Tx, account_id: UUID, batch_id: UUID) -> Batch | None:
    """Locked until commit, so that of two transactions that finish the last messages, the second
    one sees both."""
    row = await tx.row(
        f"SELECT {_COLUMNS} FROM batches WHERE account_id = $1 AND id = $2 FOR UPDATE",
        account_id,
        batch_id,
    )
    return None if row is None else Batch(*row)


async def find(tx: Tx, account_id: UUID, batch_id: UUID) -> Batch | None:
    row = await tx.row(
        f"SELECT {_COLUMNS} FROM batches WHERE account_id = $1 AND id = $2", account_id, batch_id
    )
    return None if row is None else Batch(*row)


async def find_page(
    tx: Tx, account_id: UUID, last: UUID | None, limit: int, order: Order
) -> list[Batch]:
    """Ids are in the order of time; `last`: the last one of the previous page."""
    start = LAST_ID if order is Order.NEWEST_FIRST else FIRST_ID
    rows = await tx.rows(
        f"""
        SELECT {_COLUMNS} FROM batches
         WHERE account_id = $1 AND id {order.after} $2 ORDER BY id {order.value} LIMIT $3
        """,
        account_id,
        last or start,
        limit,
    )
    return [Batch(*row) for row in rows]


async def save(tx: Tx, batch: Batch) -> None:
    await tx.run(
        """
        UPDATE batches SET total = $3, rejected = $4, duplicates = $5, to_come = $6,
               estimated_at = $7, cancelled_at = $8, completed_at = $9, published_percent = $10,
               published_at = $11
         WHERE account_id = $1 AND id = $2
        """,
        batch.account_id,
        batch.id,
        batch.total,
        batch.rejected,
        batch.duplicates,
        batch.to_come,
        batch.estimated_at,
        batch.cancelled_at,
        batch.completed_at,
        batch.published_percent,
        batch.published_at,
    )
