"""Erase the texts of old messages and replies, a page at a time."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.features.privacy.rules import ERASED_CONTENT

_ERASE = f"""
    WITH page AS (
        SELECT id, created_at < $4 AS is_old,
               status NOT IN ('scheduled', 'queued', 'deferred', 'sending') AS is_sent
          FROM messages WHERE account_id = $1 AND id >= $2 AND id < $3
         ORDER BY id LIMIT $5 FOR UPDATE),
    erased AS (
        UPDATE messages m SET content = '{ERASED_CONTENT}', fallback_content = NULL
          FROM page WHERE m.account_id = $1 AND m.id = page.id AND m.id >= $2 AND m.id < $3
           AND page.is_old AND page.is_sent AND m.content <> '{ERASED_CONTENT}')
    SELECT id, is_old, is_sent FROM page ORDER BY id
"""


class Read(NamedTuple):
    """A message that `erase_messages` read."""

    id: UUID
    is_old: bool
    is_sent: bool  # false: its text is still to be sent


async def erase_messages(
    tx: Tx, account_id: UUID, ids: tuple[UUID, UUID], before: datetime, limit: int
) -> Sequence[Read]:
    """The next messages in the order of their ids; those that are old and sent lose their text."""
    rows = await tx.rows(_ERASE, account_id, *ids, before, limit)
    return [Read(*row) for row in rows]


async def erase_replies(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """What guests wrote; that and when they did stays."""
    return await tx.run(
        """
        UPDATE inbound SET text = NULL, raw = '{}' WHERE account_id = $1 AND platform_id IN (
            SELECT platform_id FROM inbound
             WHERE account_id = $1 AND at < $2 AND raw <> '{}'
             ORDER BY at LIMIT $3 FOR UPDATE SKIP LOCKED)
        """,
        account_id,
        before,
        limit,
    )


async def erase_answers(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """The words of replies to invitations that ended before; how they were understood stays."""
    return await tx.run(
        """
        UPDATE invitations
           SET reply_text = NULL,
               unclear = jsonb_set(unclear, '{data,text}', 'null') #- '{data,mediaUrl}'
         WHERE account_id = $1 AND message_id IN (
            SELECT message_id FROM invitations
             WHERE account_id = $1 AND expires_at < $2 AND reply_text IS NOT NULL
               AND replied_at < $2
             ORDER BY expires_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        """,
        account_id,
        before,
        limit,
    )


async def drop_readings(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """Replies kept as examples are their words."""
    return await tx.run(
        """
        DELETE FROM kept_readings WHERE (account_id, phone, event_id, replied_at) IN (
            SELECT account_id, phone, event_id, replied_at FROM kept_readings
             WHERE account_id = $1 AND replied_at < $2
             ORDER BY replied_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        """,
        account_id,
        before,
        limit,
    )
