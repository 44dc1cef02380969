"""The table `callback_dead_letters`."""

from collections.abc import Sequence
from datetime import datetime

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Row, Tx


async def insert(tx: Tx, new: Sequence[tuple[str, bytes]]) -> None:
    """Each with its reason and a body that can be read again."""
    await tx.run(
        """
        INSERT INTO callback_dead_letters (received_at, reason, body)
        SELECT $1, reason, body FROM unnest($2::text[], $3::bytea[]) AS d (reason, body)
        """,
        tx.now,
        [reason for reason, _ in new],
        [body for _, body in new],
    )


async def count(tx: Tx) -> Sequence[Row]:
    """By reason, with the times of the first and the last."""
    return await tx.rows(
        """
        SELECT reason, count(*) AS n, min(received_at) AS first_at, max(received_at) AS last_at
          FROM callback_dead_letters GROUP BY reason ORDER BY n DESC, reason
        """
    )


async def load_page(tx: Tx, before: int | None, size: int, order: Order) -> Sequence[Row]:
    return await tx.rows(
        f"""
        SELECT id, received_at, reason, body FROM callback_dead_letters
         WHERE $1::bigint IS NULL OR id {order.after} $1 ORDER BY id {order.value} LIMIT $2
        """,
        before,
        size,
    )


async def load_ids(tx: Tx) -> list[int]:
    rows = await tx.rows("SELECT id FROM callback_dead_letters ORDER BY id")
    return [row["id"] for row in rows]


async def load_bodies(tx: Tx, ids: Sequence[int]) -> list[bytes]:
    rows = await tx.rows(
        "SELECT body FROM callback_dead_letters WHERE id = ANY($1::bigint[]) ORDER BY id", list(ids)
    )
    return [row["body"] for row in rows]


async def delete(tx: Tx, ids: Sequence[int]) -> int:
    return await tx.run("DELETE FROM callback_dead_letters WHERE id = ANY($1::bigint[])", list(ids))


async def purge(tx: Tx, before: datetime, kept: int, limit: int) -> int:
    """One page of those received before a time, or beyond the newest `kept`; how many."""
    return await tx.run(
        """
        DELETE FROM callback_dead_letters WHERE id IN (
            SELECT id FROM callback_dead_letters
             WHERE received_at < $1 OR id <= (SELECT id FROM callback_dead_letters
                                               ORDER BY id DESC OFFSET $2 LIMIT 1)
             ORDER BY id LIMIT $3)
        """,
        before,
        kept,
        limit,
    )
