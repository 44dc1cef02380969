"""Erase people from messages and from what belongs to a message: invitations, forms, links."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx

from .rules import ERASED_CONTENT

_ENDED = "('delivered', 'read', 'failed', 'expired', 'cancelled')"


async def lock_messages_to(
    tx: Tx, account_id: UUID, phone: str, limit: int
) -> list[tuple[UUID, str]]:
    """Messages to a person that are not about to be sent any more: id and recipient."""
    rows = await tx.rows(
        """
        SELECT id, recipient FROM messages
         WHERE account_id = $1 AND recipient = $2
           AND status NOT IN ('scheduled', 'queued', 'deferred', 'sending')
         ORDER BY id LIMIT $3 FOR UPDATE
        """,
        account_id,
        phone,
        limit,
    )
    return [(row["id"], row["recipient"]) for row in rows]


async def lock_old_messages(
    tx: Tx, account_id: UUID, mark: str, before: datetime, now: datetime, after: UUID, limit: int
) -> list[tuple[UUID, str]]:
    """Messages older than `before` of which nothing more is awaited, behind the id `after`."""
    rows = await tx.rows(
        """
        SELECT id, recipient FROM messages m
         WHERE account_id = $1 AND id > $5 AND created_at < $3 AND NOT starts_with(recipient, $2)
           AND status NOT IN ('scheduled', 'queued', 'deferred', 'sending')
           AND (status <> 'sent' OR times_out_at < $4)
           AND NOT EXISTS (SELECT FROM invitations i WHERE i.account_id = $1
                              AND i.message_id = m.id AND i.expires_at > $4 AND NOT i.lost)
         ORDER BY id LIMIT $6 FOR UPDATE
        """,
        account_id,
        mark,
        before,
        now,
        after,
        limit,
    )
    return [(row["id"], row["recipient"]) for row in rows]


async def find_files(tx: Tx, account_id: UUID, ids: Sequence[UUID]) -> list[UUID]:
    """Uploaded files of these messages that no other message of the account was sent with."""
    rows = await tx.rows(
        """
        WITH named AS (
            SELECT DISTINCT (regexp_matches(
                   m.content::text || coalesce(m.fallback_content::text, ''),
                   'med_([0-9a-f]{32})', 'g'))[1]::uuid AS id
              FROM messages m WHERE m.account_id = $1 AND m.id = ANY($2::uuid[]))
        SELECT f.id FROM named JOIN media f ON f.account_id = $1 AND f.id = named.id
         WHERE NOT EXISTS (
            SELECT FROM messages o
             WHERE o.account_id = $1 AND o.id > f.id AND o.id <> ALL($2::uuid[])
               AND position(replace(f.id::text, '-', '') IN o.content::text) > 0)
        """,
        account_id,
        list(ids),
    )
    return [row["id"] for row in rows]


async def erase_messages(tx: Tx, account_id: UUID, names: Mapping[UUID, tuple[str, str]]) -> None:
    """Each with what stands in the place of its recipient: (number, pseudonym). An id of the caller
    that holds the number is changed too. The platform's id, in which the number can be read, is
    kept only while a status may still come."""
    ids, phones = list(names), [phone for phone, _ in names.values()]
    masks = [mask for _, mask in names.values()]
    await tx.run(
        f"""
        WITH v AS (SELECT * FROM unnest($2::uuid[], $3::text[], $4::text[]) AS u (id, phone, mask)),
        links AS (
            DELETE FROM links l USING messages m JOIN v ON v.id = m.id
             WHERE m.account_id = $1 AND l.account_id = $1
               AND l.client_message_id = m.client_message_id),
        keys AS (
            UPDATE idempotency_keys k
               SET client_message_id = replace(k.client_message_id, v.phone, v.mask)
              FROM messages m JOIN v ON v.id = m.id
             WHERE m.account_id = $1 AND k.account_id = $1 AND k.message_id = m.id
               AND k.client_message_id = m.client_message_id
               AND position(v.phone IN k.client_message_id) > 0),
        places AS (
            DELETE FROM platform_ids p USING messages m JOIN v ON v.id = m.id
             WHERE m.account_id = $1 AND p.account_id = $1 AND p.platform_id = m.platform_id
               AND m.status IN {_ENDED})
        UPDATE messages m
           SET recipient = v.mask, recipient_given = NULL, meta = NULL, fallback_content = NULL,
               content = '{ERASED_CONTENT}',
               client_message_id = replace(m.client_message_id, v.phone, v.mask),
               platform_id = CASE WHEN m.status IN {_ENDED} THEN NULL ELSE m.platform_id END
          FROM v WHERE m.account_id = $1 AND m.id = v.id
        """,
        account_id,
        ids,
        phones,
        masks,
    )


async def erase_invitations(tx: Tx, account_id: UUID, names: Mapping[UUID, str]) -> None:
    """Of these messages. The answer is kept, because the event counts it; nothing is written to the
    guest any more, and a prompt that was to be sent is not."""
    await tx.run(
        """
        WITH v AS (SELECT * FROM unnest($2::uuid[], $3::text[]) AS u (id, mask)),
        prompts AS (
            DELETE FROM jobs j USING v
             WHERE j.account_id = $1 AND j.kind = 'invitation.prompt' AND NOT j.leased
               AND j.subject = replace(v.id::text, '-', ''))
        UPDATE invitations i
           SET phone = v.mask, reply_text = NULL, said_invalid = true, said_nudge = true,
               said_expired = true,
               unclear = jsonb_set(jsonb_set(i.unclear, '{data,text}', 'null'),
                                   '{data,from}', to_jsonb(v.mask)) #- '{data,mediaUrl}'
          FROM v WHERE i.account_id = $1 AND i.message_id = v.id
        """,
        account_id,
        list(names),
        list(names.values()),
    )


async def erase_form_sends(tx: Tx, account_id: UUID, names: Mapping[UUID, str]) -> None:
    """That a form was sent, and that it was answered, stays counted."""
    await tx.run(
        """
        UPDATE form_sends s SET phone = v.mask
          FROM unnest($2::uuid[], $3::text[]) AS v (id, mask)
         WHERE s.account_id = $1 AND s.message_id = v.id
        """,
        account_id,
        list(names),
        list(names.values()),
    )


async def has_messages_under_way(tx: Tx, account_id: UUID, phone: str) -> bool:
    found: bool = await tx.value(
        "SELECT EXISTS (SELECT FROM messages WHERE account_id = $1 AND recipient = $2)",
        account_id,
        phone,
    )
    return found


async def drop_platform_ids(tx: Tx, account_id: UUID, mark: str, limit: int) -> int:
    """Of erased messages for which no status is awaited any more; how many, at most `limit`."""
    return await tx.run(
        f"""
        WITH ended AS (
            SELECT id, platform_id FROM messages
             WHERE account_id = $1 AND recipient >= $2 AND recipient < $2 || 'g'
               AND platform_id IS NOT NULL AND status IN {_ENDED}
             LIMIT $3 FOR UPDATE),
        places AS (
            DELETE FROM platform_ids p USING ended
             WHERE p.account_id = $1 AND p.platform_id = ended.platform_id)
        UPDATE messages m SET platform_id = NULL FROM ended
         WHERE m.account_id = $1 AND m.id = ended.id
        """,
        account_id,
        mark,
        limit,
    )
