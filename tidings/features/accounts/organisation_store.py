"""The organisations table: whom accounts belong to."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import Organisation


async def find_or_insert(tx: Tx, organisation_id: UUID, handle: str, *, name: str) -> UUID:
    """The organisation of this handle, made with this id and name where there is none."""
    await tx.run(
        """
        INSERT INTO organisations (id, handle, name, created_at) VALUES ($1, $2, $3, $4)
        ON CONFLICT (handle) DO NOTHING
        """,
        organisation_id,
        handle,
        name,
        tx.now,
    )
    found: UUID = await tx.value("SELECT id FROM organisations WHERE handle = $1", handle)
    return found


async def load_of_accounts(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, Organisation]:
    rows = await tx.rows(
        """
        SELECT a.id AS account_id, o.id, o.handle, o.name
          FROM accounts a JOIN organisations o ON o.id = a.organisation_id
         WHERE a.id = ANY($1::uuid[])
        """,
        list(account_ids),
    )
    return {row["account_id"]: Organisation(row["id"], row["handle"], row["name"]) for row in rows}
