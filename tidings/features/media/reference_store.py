"""The tables `media_uses` and `media_storage`. The only file that knows their columns."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx

Key = tuple[UUID, UUID]  # account, use


class NewUse(msgspec.Struct, frozen=True):
    """A message references a file; `hold` is the temporary hold to be replaced, if any."""

    account_id: UUID
    message_id: UUID
    media_id: UUID
    hold: UUID | None = None


async def lock_storage(tx: Tx, account_id: UUID) -> int:
    """The storage used by the account, in bytes. Locks the row: adding and removing files of an
    account is serialized."""
    used: int = await tx.value(
        """
        INSERT INTO media_storage AS s (account_id, bytes) VALUES ($1, 0)
        ON CONFLICT (account_id) DO UPDATE SET bytes = s.bytes RETURNING bytes
        """,
        account_id,
    )
    return used


async def add_bytes(tx: Tx, account_id: UUID, count: int) -> None:
    await tx.run(
        "UPDATE media_storage SET bytes = greatest(bytes + $2, 0) WHERE account_id = $1",
        account_id,
        count,
    )


async def hold(tx: Tx, key: Key, media_id: UUID, until: datetime) -> None:
    await tx.run(
        "INSERT INTO media_uses (account_id, id, media_id, held_until) VALUES ($1, $2, $3, $4)",
        *key,
        media_id,
        until,
    )


async def assign(tx: Tx, uses: Sequence[NewUse]) -> None:
    """Reference files from messages, and delete the holds they replace."""
    await tx.run(
        """
        WITH released AS (
            DELETE FROM media_uses WHERE held_until IS NOT NULL
               AND (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $4::uuid[]))
        )
        INSERT INTO media_uses (account_id, id, media_id)
        SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[])
        """,
        [use.account_id for use in uses],
        [use.message_id for use in uses],
        [use.media_id for use in uses],
        [use.hold for use in uses],
    )


async def delete_holds(tx: Tx, account_id: UUID, holds: Sequence[UUID]) -> list[UUID]:
    """Returns the files that were held."""
    rows = await tx.rows(
        """
        DELETE FROM media_uses
         WHERE account_id = $1 AND id = ANY($2::uuid[]) AND held_until IS NOT NULL
        RETURNING media_id
        """,
        account_id,
        list(holds),
    )
    return [row["media_id"] for row in rows]


async def delete_expired_holds(tx: Tx) -> int:
    """Delete holds left behind by requests that crashed."""
    return await tx.run("DELETE FROM media_uses WHERE held_until < $1", tx.now)


async def find_messages(tx: Tx, after: Key, limit: int) -> list[Key]:
    """A page of the messages that reference files."""
    rows = await tx.rows(
        """
        SELECT account_id, id FROM media_uses
         WHERE held_until IS NULL AND (account_id, id) > ($1, $2)
         ORDER BY account_id, id LIMIT $3
        """,
        *after,
        limit,
    )
    return [(row["account_id"], row["id"]) for row in rows]


async def delete_messages(tx: Tx, messages: Sequence[Key]) -> None:
    if messages:
        await tx.run(
            """
            DELETE FROM media_uses
             WHERE held_until IS NULL
               AND (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
            """,
            [account_id for account_id, _ in messages],
            [message_id for _, message_id in messages],
        )
