"""The table `account_hand_edits`."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import HandEdit


async def put(tx: Tx, account_id: UUID, settings: Sequence[str], by: str) -> None:
    await tx.run(
        """
        INSERT INTO account_hand_edits (account_id, setting, edited_by, edited_at)
        SELECT $1, setting, $3, $4 FROM unnest($2::text[]) AS s (setting)
        ON CONFLICT (account_id, setting)
        DO UPDATE SET edited_by = excluded.edited_by, edited_at = excluded.edited_at
        """,
        account_id,
        list(settings),
        by,
        tx.now,
    )


async def load(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, list[HandEdit]]:
    rows = await tx.rows(
        """
        SELECT account_id, setting, edited_by, edited_at FROM account_hand_edits
         WHERE account_id = ANY($1::uuid[]) ORDER BY account_id, setting
        """,
        list(account_ids),
    )
    found: dict[UUID, list[HandEdit]] = {account_id: [] for account_id in account_ids}
    for account_id, setting, by, at in rows:
        found[account_id].append(HandEdit(setting, by, at))
    return found


async def delete(tx: Tx, account_id: UUID, settings: Sequence[str]) -> None:
    await tx.run(
        "DELETE FROM account_hand_edits WHERE account_id = $1 AND setting = ANY($2::text[])",
        account_id,
        list(settings),
    )
