"""The tables `batch_drafts` and `batch_parts`: uploaded rows before and after "Send"."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx


@dataclass(frozen=True, slots=True)
class StoredDraft:
    """`columns` is JSON, None until they were chosen; `content` is compressed."""

    id: UUID
    name: str
    template_name: str
    template_lang: str
    columns: str | None
    content: bytes


async def insert(tx: Tx, account_id: UUID, draft: StoredDraft) -> None:
    await tx.run(
        """
        INSERT INTO batch_drafts (account_id, id, name, template_name, template_lang, content,
                                  created_at)
        VALUES ($1, $2, $3, $4, $5, $6, $7)
        """,
        account_id,
        draft.id,
        draft.name,
        draft.template_name,
        draft.template_lang,
        draft.content,
        tx.now,
    )


async def find(
    tx: Tx, account_id: UUID, draft_id: UUID, *, lock: bool = False
) -> StoredDraft | None:
    row = await tx.row(
        f"""
        SELECT id, name, template_name, template_lang, columns, content FROM batch_drafts
         WHERE account_id = $1 AND id = $2 {"FOR UPDATE" if lock else ""}
        """,
        account_id,
        draft_id,
    )
    return None if row is None else StoredDraft(*row)


async def set_columns(tx: Tx, account_id: UUID, draft_id: UUID, columns: str) -> None:
    await tx.run(
        "UPDATE batch_drafts SET columns = $3 WHERE account_id = $1 AND id = $2",
        account_id,
        draft_id,
        columns,
    )


async def delete(tx: Tx, account_id: UUID, draft_id: UUID) -> None:
    await tx.run("DELETE FROM batch_drafts WHERE account_id = $1 AND id = $2", account_id, draft_id)


async def keep_newest(tx: Tx, account_id: UUID, most: int) -> None:
    await tx.run(
        """
        DELETE FROM batch_drafts WHERE account_id = $1 AND id IN (
            SELECT id FROM batch_drafts WHERE account_id = $1 ORDER BY id DESC OFFSET $2)
        """,
        account_id,
        most,
    )


async def delete_before(tx: Tx, before: datetime) -> int:
    return await tx.run("DELETE FROM batch_drafts WHERE created_at < $1", before)


async def insert_parts(tx: Tx, account_id: UUID, batch_id: UUID, parts: Sequence[bytes]) -> None:
    await tx.run(
        """
        INSERT INTO batch_parts (account_id, batch_id, part, content)
        SELECT $1, $2, p.part, p.content
          FROM unnest($3::bytea[]) WITH ORDINALITY AS p (content, part)
        """,
        account_id,
        batch_id,
        list(parts),
    )


async def find_part(tx: Tx, account_id: UUID, batch_id: UUID) -> tuple[int, bytes] | None:
    """The next that is to be accepted."""
    row = await tx.row(
        """
        SELECT part, content FROM batch_parts WHERE account_id = $1 AND batch_id = $2
         ORDER BY part LIMIT 1
        """,
        account_id,
        batch_id,
    )
    return None if row is None else (row["part"], row["content"])


async def delete_part(tx: Tx, account_id: UUID, batch_id: UUID, part: int) -> int:
    return await tx.run(
        "DELETE FROM batch_parts WHERE account_id = $1 AND batch_id = $2 AND part = $3",
        account_id,
        batch_id,
        part,
    )


async def delete_parts(tx: Tx, account_id: UUID, batch_id: UUID) -> None:
    await tx.run(
        "DELETE FROM batch_parts WHERE account_id = $1 AND batch_id = $2", account_id, batch_id
    )
