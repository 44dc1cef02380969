"""How far the old data of an account has been dealt with: our columns of `retention_runs`.

`ran_at` of the same row belongs to the privacy slice, which erases people.
"""

from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx


async def find_last_run(tx: Tx, account_id: UUID) -> datetime | None:
    """When old rows were last deleted, by the account's clock."""
    found: datetime | None = await tx.value(
        "SELECT deleted_at FROM retention_runs WHERE account_id = $1", account_id
    )
    return found


async def find_watermark(tx: Tx, account_id: UUID) -> UUID | None:
    """All messages before it have lost their text."""
    found: UUID | None = await tx.value(
        "SELECT bodies_from FROM retention_runs WHERE account_id = $1", account_id
    )
    return found


async def save_run(tx: Tx, account_id: UUID, at: datetime) -> None:
    await _save(tx, "deleted_at", account_id, at)


async def save_watermark(tx: Tx, account_id: UUID, first_id: UUID) -> None:
    await _save(tx, "bodies_from", account_id, first_id)


async def _save(tx: Tx, column: str, account_id: UUID, value: datetime | UUID) -> None:
    await tx.run(
        f"""
        INSERT INTO retention_runs (account_id, {column}) VALUES ($1, $2)
        ON CONFLICT (account_id) DO UPDATE SET {column} = excluded.{column}
        """,
        account_id,
        value,
    )
