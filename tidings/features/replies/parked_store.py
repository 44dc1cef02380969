"""The table `parked_callbacks`: what the platform told us and nobody could be given."""

from collections.abc import Sequence
from datetime import datetime

from tidings.engine.db.tx import Row, Tx


async def insert(tx: Tx, parked: Sequence[tuple[str, bytes]]) -> None:
    """Put pieces aside: (why, a body that can be read again)."""
    await tx.run(
        """
        INSERT INTO parked_callbacks (at, why, raw)
        SELECT $1, why, raw FROM unnest($2::text[], $3::bytea[]) AS p (why, raw)
        """,
        tx.now,
        [why for why, _ in parked],
        [raw for _, raw in parked],
    )


async def count(tx: Tx) -> Sequence[Row]:
    """How many there are, by reason, with the first and the last time of each."""
    return await tx.rows(
        """
        SELECT why, count(*) AS n, min(at) AS first_at, max(at) AS last_at
          FROM parked_callbacks GROUP BY why ORDER BY n DESC, why
        """
    )


async def load_ids(tx: Tx) -> list[int]:
    rows = await tx.rows("SELECT id FROM parked_callbacks ORDER BY id")
    return [row["id"] for row in rows]


async def load_bodies(tx: Tx, ids: Sequence[int]) -> list[bytes]:
    rows = await tx.rows(
        "SELECT raw FROM parked_callbacks WHERE id = ANY($1::bigint[]) ORDER BY id", list(ids)
    )
    return [row["raw"] for row in rows]


async def delete(tx: Tx, ids: Sequence[int]) -> int:
    return await tx.run("DELETE FROM parked_callbacks WHERE id = ANY($1::bigint[])", list(ids))


async def purge(tx: Tx, before: datetime, kept: int, limit: int) -> int:
    """Forget the old ones, and the oldest of too many, some at a time; how many went."""
    return await tx.run(
        """
        DELETE FROM parked_callbacks WHERE id IN (
            SELECT id FROM parked_callbacks
             WHERE at < $1 OR id <= (SELECT id FROM parked_callbacks
                                      ORDER BY id DESC OFFSET $2 LIMIT 1)
             ORDER BY id LIMIT $3)
        """,
        before,
        kept,
        limit,
    )
