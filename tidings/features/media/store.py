"""The table `media`. The only file that knows its columns."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Row, Tx

from .model import MediaFile

Key = tuple[UUID, UUID]  # account, media

COLUMNS = "account_id, id, sha256, mimetype, bytes AS size, filename, created_at"


async def load(tx: Tx, keys: Sequence[Key]) -> dict[Key, MediaFile]:
    """The uploads of these keys; what an account does not have is left out."""
    rows = await tx.rows(
        f"""
        SELECT {COLUMNS} FROM media JOIN unnest($1::uuid[], $2::uuid[])
               AS asked (account_id, id) USING (account_id, id)
        """,
        [account_id for account_id, _ in keys],
        [media_id for _, media_id in keys],
    )
    return {(row["account_id"], row["id"]): _media(row) for row in rows}


async def find_same(tx: Tx, account_id: UUID, sha256: bytes) -> MediaFile | None:
    row = await tx.row(
        f"SELECT {COLUMNS} FROM media WHERE account_id = $1 AND sha256 = $2", account_id, sha256
    )
    return None if row is None else _media(row)


async def save(tx: Tx, media: MediaFile, *, renames: bool) -> MediaFile:
    """Keep it; of content that is there already the first id stays, perhaps under a new name."""
    row = await tx.row(
        f"""
        INSERT INTO media (account_id, id, sha256, mimetype, bytes, filename, created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        ON CONFLICT (account_id, sha256) DO UPDATE
           SET filename = CASE WHEN $8 THEN excluded.filename ELSE media.filename END
        RETURNING {COLUMNS}
        """,
        media.account_id,
        media.id,
        media.sha256,
        media.mimetype,
        media.size,
        media.filename,
        media.created_at,
        renames,
    )
    return _media(row)


def _media(row: Row) -> MediaFile:
    return MediaFile(**dict(row))
