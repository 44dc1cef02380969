"""The tables `erasures` and `retention_runs`."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import Erasure


async def insert(tx: Tx, erasure: Erasure) -> None:
    await tx.run(
        """
        INSERT INTO erasures (account_id, id, pseudonym, sealed, requested_at)
        VALUES ($1, $2, $3, $4, $5)
        """,
        erasure.account_id,
        erasure.id,
        erasure.pseudonym,
        erasure.sealed,
        tx.now,
    )


async def find_open(tx: Tx, before: datetime, limit: int) -> Sequence[Erasure]:
    """Those that were asked for before this time and still know the number, the oldest first."""
    rows = await tx.rows(
        """
        SELECT account_id, id, pseudonym, sealed, completed_at IS NOT NULL FROM erasures
         WHERE sealed IS NOT NULL AND requested_at < $1 ORDER BY requested_at LIMIT $2
        """,
        before,
        limit,
    )
    return [Erasure(*row) for row in rows]


async def complete(tx: Tx, erasure: Erasure) -> None:
    await tx.run(
        """
        UPDATE erasures SET completed_at = $3
         WHERE account_id = $1 AND id = $2 AND completed_at IS NULL
        """,
        erasure.account_id,
        erasure.id,
        tx.now,
    )


async def forget(tx: Tx, erasure: Erasure) -> None:
    """The number itself."""
    await tx.run(
        """
        UPDATE erasures SET sealed = NULL
         WHERE account_id = $1 AND id = $2 AND completed_at IS NOT NULL
        """,
        erasure.account_id,
        erasure.id,
    )


async def find_last_run(tx: Tx, account_id: UUID) -> datetime | None:
    found: datetime | None = await tx.value(
        "SELECT ran_at FROM retention_runs WHERE account_id = $1", account_id
    )
    return found


async def save_run(tx: Tx, account_id: UUID, at: datetime) -> None:
    await tx.run(
        """
        INSERT INTO retention_runs (account_id, ran_at) VALUES ($1, $2)
        ON CONFLICT (account_id) DO UPDATE SET ran_at = excluded.ran_at
        """,
        account_id,
        at,
    )
