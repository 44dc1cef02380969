"""The table `number_changes`. The only file that knows its columns."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import NumberChange

KEPT_MAX = 200  # of a number


async def insert(tx: Tx, account_id: UUID, changes: Sequence[NumberChange]) -> None:
    """Add them, and forget the oldest of a number that has too many."""
    await tx.run(
        """
        INSERT INTO number_changes (account_id, number, at, what, before, after)
        SELECT $1, * FROM unnest($2::text[], $3::timestamptz[], $4::text[], $5::text[], $6::text[])
        """,
        account_id,
        *([getattr(change, name) for change in changes] for name in NumberChange._fields),
    )
    await tx.run(
        """
        DELETE FROM number_changes c USING unnest($2::text[]) AS n (number)
         WHERE c.account_id = $1 AND c.number = n.number
           AND c.id <= (SELECT id FROM number_changes k
                         WHERE k.account_id = $1 AND k.number = n.number
                         ORDER BY id DESC OFFSET $3 LIMIT 1)
        """,
        account_id,
        sorted({change.number for change in changes}),
        KEPT_MAX,
    )


async def load(tx: Tx, account_id: UUID, number: str, size: int) -> list[NumberChange]:
    """The newest first."""
    rows = await tx.rows(
        """
        SELECT number, at, what, before, after FROM number_changes
         WHERE account_id = $1 AND number = $2 ORDER BY id DESC LIMIT $3
        """,
        account_id,
        number,
        size,
    )
    return [NumberChange(*row) for row in rows]
