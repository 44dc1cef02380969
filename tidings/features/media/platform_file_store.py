"""The table `platform_media`. The only file that knows its columns."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx

Key = tuple[UUID, UUID, str]  # account, media, phone number id


async def find(tx: Tx, key: Key, since: datetime) -> str | None:
    platform_id: str | None = await tx.value(
        """
        SELECT platform_id FROM platform_media
         WHERE account_id = $1 AND media_id = $2 AND phone_number_id = $3 AND uploaded_at > $4
        """,
        *key,
        since,
    )
    return platform_id


async def save(tx: Tx, key: Key, platform_id: str) -> None:
    await tx.run(
        """
        INSERT INTO platform_media (account_id, media_id, phone_number_id, platform_id, uploaded_at)
        VALUES ($1, $2, $3, $4, $5)
        ON CONFLICT (account_id, media_id, phone_number_id) DO UPDATE
           SET platform_id = excluded.platform_id, uploaded_at = excluded.uploaded_at
        """,
        *key,
        platform_id,
        tx.now,
    )


async def delete_of(tx: Tx, account_id: UUID, media_ids: Sequence[UUID]) -> None:
    """Delete all platform ids of these files."""
    await tx.run(
        "DELETE FROM platform_media WHERE account_id = $1 AND media_id = ANY($2::uuid[])",
        account_id,
        list(media_ids),
    )


async def delete(tx: Tx, key: Key) -> None:
    await tx.run(
        """
        DELETE FROM platform_media
         WHERE account_id = $1 AND media_id = $2 AND phone_number_id = $3
        """,
        *key,
    )
