"""The table `inbound_media`: platform ids of the files that guests sent."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import GuestFile


async def insert(tx: Tx, files: Sequence[tuple[UUID, GuestFile]]) -> None:
    await tx.run(
        """
        INSERT INTO inbound_media (account_id, platform_id, type, media_id, mimetype, filename,
                                   number, received_at)
        SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[],
                             $7::text[], $8::timestamptz[])
        ON CONFLICT DO NOTHING
        """,
        [account_id for account_id, _ in files],
        [file.platform_id for _, file in files],
        [file.type for _, file in files],
        [file.media_id for _, file in files],
        [file.mimetype for _, file in files],
        [file.filename for _, file in files],
        [file.number for _, file in files],
        [file.received_at for _, file in files],
    )


async def find(tx: Tx, account_id: UUID, platform_id: str) -> GuestFile | None:
    row = await tx.row(
        """
        SELECT platform_id, type, media_id, mimetype, filename, number, received_at
          FROM inbound_media WHERE account_id = $1 AND platform_id = $2
        """,
        account_id,
        platform_id,
    )
    return None if row is None else GuestFile(*row)


async def purge(tx: Tx, before: datetime, limit: int) -> int:
    """Delete up to `limit` files received before this time; returns how many."""
    return await tx.run(
        """
        DELETE FROM inbound_media WHERE ctid IN (
            SELECT ctid FROM inbound_media WHERE received_at < $1 LIMIT $2)
        """,
        before,
        limit,
    )
