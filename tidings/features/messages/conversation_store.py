"""Messages as the replies slice asks for them: quoted, pressed, or said last. Read only."""

from collections.abc import Sequence
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import Message
from .store import SELECTED, Key, Recipient, read

LOOKED_BACK = 200  # messages of one person, the newest first


async def find(tx: Tx, keys: Sequence[Key]) -> dict[Key, Message]:
    rows = await tx.rows(
        f"""
        SELECT {SELECTED} FROM unnest($1::uuid[], $2::uuid[]) AS k (account_id, id)
          JOIN messages m USING (account_id, id)
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["id"]): read(row) for row in rows}


async def find_quoted(tx: Tx, keys: Sequence[tuple[UUID, str]]) -> dict[tuple[UUID, str], Message]:
    """By the platform's ids."""
    rows = await tx.rows(
        f"""
        SELECT p.platform_id AS quoted, {SELECTED}
          FROM unnest($1::uuid[], $2::text[]) AS k (account_id, platform_id)
          JOIN platform_ids p USING (account_id, platform_id)
          JOIN messages m ON m.account_id = p.account_id AND m.id = p.message_id
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["quoted"]): read(row) for row in rows}


async def find_last_sent(tx: Tx, people: Sequence[Recipient]) -> list[Message]:
    """Of each kind the last that went out to each person, the texts of our own aside."""
    rows = await tx.rows(
        f"""
        SELECT DISTINCT ON (m.account_id, m.recipient, m.kind) {SELECTED}
          FROM unnest($1::uuid[], $2::text[]) AS k (account_id, phone)
         CROSS JOIN LATERAL (
            SELECT * FROM messages WHERE account_id = k.account_id AND recipient = k.phone
             ORDER BY id DESC LIMIT $3) m
         WHERE m.sent_at IS NOT NULL AND m.kind <> 'prompt'
         ORDER BY m.account_id, m.recipient, m.kind, m.sent_at DESC, m.id DESC
        """,
        [person[0] for person in people],
        [person[1] for person in people],
        LOOKED_BACK,
    )
    return [read(row) for row in rows]
