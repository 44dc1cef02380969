"""The table `media`. The only file that knows its columns."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Row, Tx

from .model import MediaFile

Key = tuple[UUID, UUID]  # account, media

COLUMNS = "account_id, id, object_name, mimetype, bytes AS size, filename, created_at"


async def load(tx: Tx, keys: Sequence[Key]) -> dict[Key, MediaFile]:
    """Uploads by key; unknown keys are omitted."""
    rows = await tx.rows(
        f"""
        SELECT {COLUMNS} FROM media JOIN unnest($1::uuid[], $2::uuid[])
               AS k (account_id, id) USING (account_id, id)
        """,
        [account_id for account_id, _ in keys],
        [media_id for _, media_id in keys],
    )
    return {(row["account_id"], row["id"]): _media(row) for row in rows}


async def lock_existing(tx: Tx, keys: Sequence[Key]) -> dict[Key, datetime | None]:
    """The files among these that exist, with the end of their validity as uploads. Locked against
    removal until this transaction ends."""
    rows = await tx.rows(
        """
        SELECT account_id, id, valid_until FROM media
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
         ORDER BY account_id, id FOR KEY SHARE
        """,
        [account_id for account_id, _ in keys],
        [media_id for _, media_id in keys],
    )
    return {(row["account_id"], row["id"]): row["valid_until"] for row in rows}


async def find_same(tx: Tx, account_id: UUID, digest: bytes) -> MediaFile | None:
    row = await tx.row(
        f"SELECT {COLUMNS} FROM media WHERE account_id = $1 AND sha256 = $2", account_id, digest
    )
    return None if row is None else _media(row)


async def insert(tx: Tx, media: MediaFile, digest: bytes) -> None:
    await tx.run(
        """
        INSERT INTO media (account_id, id, object_name, sha256, mimetype, bytes, filename,
                           created_at, valid_until)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, NULL)
        """,
        media.account_id,
        media.id,
        media.object_name,
        digest,
        media.mimetype,
        media.size,
        media.filename,
        media.created_at,
    )


async def rename(tx: Tx, media: MediaFile, filename: str) -> None:
    await tx.run(
        "UPDATE media SET filename = $3 WHERE account_id = $1 AND id = $2",
        media.account_id,
        media.id,
        filename,
    )


async def extend(tx: Tx, keys: Sequence[Key], until: datetime) -> int:
    """Extend the validity of the mediaIds; returns how many of the files exist."""
    return await tx.run(
        """
        UPDATE media SET valid_until = greatest(valid_until, $3)
         WHERE (account_id, id) IN (SELECT * FROM unnest($1::uuid[], $2::uuid[]))
        """,
        [account_id for account_id, _ in keys],
        [media_id for _, media_id in keys],
        until,
    )


async def end_validity(
    tx: Tx, account_id: UUID, media_ids: Sequence[UUID], until: datetime
) -> None:
    await tx.run(
        """
        UPDATE media SET valid_until = least(valid_until, $3)
         WHERE account_id = $1 AND id = ANY($2::uuid[]) AND valid_until IS NOT NULL
        """,
        account_id,
        list(media_ids),
        until,
    )


async def find_unreferenced(tx: Tx, valid_before: datetime, limit: int) -> list[Key]:
    """Unreferenced files of any account, without locks; `delete_unreferenced` checks again."""
    rows = await tx.rows(
        """
        SELECT account_id, id FROM media m
         WHERE (valid_until IS NULL OR valid_until < $1)
           AND NOT EXISTS (SELECT FROM media_uses u
                            WHERE u.account_id = m.account_id AND u.media_id = m.id)
         LIMIT $2
        """,
        valid_before,
        limit,
    )
    return [(row["account_id"], row["id"]) for row in rows]


async def delete_unreferenced(
    tx: Tx, account_id: UUID, media_ids: Sequence[UUID], valid_before: datetime
) -> list[MediaFile]:
    """Delete the unreferenced files among these. The first statement locks them, so that the second
    one sees every committed reference; rows locked by others are skipped."""
    locked = await tx.rows(
        """
        SELECT id FROM media WHERE account_id = $1 AND id = ANY($2::uuid[])
         ORDER BY id FOR UPDATE SKIP LOCKED
        """,
        account_id,
        list(media_ids),
    )
    rows = await tx.rows(
        f"""
        DELETE FROM media m
         WHERE account_id = $1 AND id = ANY($2::uuid[])
           AND (valid_until IS NULL OR valid_until < $3)
           AND NOT EXISTS (SELECT FROM media_uses u WHERE u.account_id = $1 AND u.media_id = m.id)
        RETURNING {COLUMNS}
        """,
        account_id,
        [row["id"] for row in locked],
        valid_before,
    )
    return [_media(row) for row in rows]


async def find_named(tx: Tx, objects: Sequence[tuple[UUID, bytes]]) -> set[tuple[UUID, bytes]]:
    """The objects among these (account, name) that have a row."""
    rows = await tx.rows(
        """
        SELECT account_id, object_name FROM media
         WHERE (account_id, object_name) IN (SELECT * FROM unnest($1::uuid[], $2::bytea[]))
        """,
        [account_id for account_id, _ in objects],
        [name for _, name in objects],
    )
    return {(row["account_id"], row["object_name"]) for row in rows}


async def load_objects(tx: Tx, after: tuple[UUID, UUID] | None, limit: int) -> Sequence[Row]:
    """A page of all accounts' files, in the order of their keys."""
    return await tx.rows(
        """
        SELECT account_id, id, object_name, bytes, sha256 FROM media
         WHERE (account_id, id) > ($1, $2) ORDER BY account_id, id LIMIT $3
        """,
        *(after or (UUID(int=0), UUID(int=0))),
        limit,
    )


def _media(row: Row) -> MediaFile:
    return MediaFile(**dict(row))
