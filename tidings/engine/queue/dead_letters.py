"""Dead-lettered jobs: listed for the operator, who runs them again or discards them."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Row, Tx


class DeadJob(msgspec.Struct, frozen=True):
    id: int
    account_id: UUID
    pool: str
    kind: str
    subject: str
    attempts: int
    crashes: int
    dead_lettered_at: datetime


_COLUMNS = "id, account_id, pool, kind, subject, attempts, crashes, dead_lettered_at"


async def load_dead(
    tx: Tx, *, before: int | None = None, size: int, order: Order = Order.NEWEST_FIRST
) -> list[DeadJob]:
    """`before` is the last id of the previous page, in this order."""
    rows = await tx.rows(
        f"""
        SELECT {_COLUMNS} FROM jobs
         WHERE dead_lettered_at IS NOT NULL AND ($1::bigint IS NULL OR id {order.after} $1)
         ORDER BY id {order.value} LIMIT $2
        """,
        before,
        size,
    )
    return [DeadJob(*row) for row in rows]


async def revive(tx: Tx, job_id: int) -> DeadJob | None:
    """Run it again now, with no crashes counted; None if it is not dead-lettered."""
    rows = await tx.rows(
        f"""
        UPDATE jobs SET dead_lettered_at = NULL, crashes = 0, due_at = $2
          FROM (SELECT {_COLUMNS} FROM jobs
                 WHERE id = $1 AND dead_lettered_at IS NOT NULL FOR UPDATE) AS was
         WHERE jobs.id = was.id RETURNING was.*
        """,
        job_id,
        tx.now,
    )
    found = _first(rows)
    if found is not None:
        tx.wake(found.pool)
    return found


async def discard(tx: Tx, job_id: int) -> DeadJob | None:
    """Delete it; None if it is not dead-lettered."""
    rows = await tx.rows(
        f"DELETE FROM jobs WHERE id = $1 AND dead_lettered_at IS NOT NULL RETURNING {_COLUMNS}",
        job_id,
    )
    return _first(rows)


def _first(rows: Sequence[Row]) -> DeadJob | None:
    return DeadJob(*rows[0]) if rows else None
