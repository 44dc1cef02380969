"""Erase what is older than an account's retention time, a page at a time; how many rows."""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx


async def lock_old_replies(
    tx: Tx, account_id: UUID, mark: str, before: datetime, limit: int
) -> list[tuple[str, str]]:
    """Platform id and number of those who wrote before."""
    rows = await tx.rows(
        """
        SELECT platform_id, phone FROM inbound
         WHERE account_id = $1 AND at < $3 AND NOT starts_with(phone, $2) LIMIT $4 FOR UPDATE
        """,
        account_id,
        mark,
        before,
        limit,
    )
    return [(row["platform_id"], row["phone"]) for row in rows]


async def erase_replies(tx: Tx, account_id: UUID, masks: Mapping[str, str]) -> None:
    """By platform id. See `person_store.erase_replies`."""
    await tx.run(
        """
        WITH v AS (SELECT * FROM unnest($2::text[], $3::text[]) AS u (id, mask)),
        files AS (
            DELETE FROM inbound_media f USING v WHERE f.account_id = $1 AND f.platform_id = v.id)
        UPDATE inbound i
           SET phone = v.mask, text = NULL, raw = '{}',
               platform_id = 'erased-' || encode(sha256(convert_to(i.platform_id, 'UTF8')), 'hex')
          FROM v WHERE i.account_id = $1 AND i.platform_id = v.id
        """,
        account_id,
        list(masks),
        list(masks.values()),
    )


async def drop_comments(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """Free texts of forms. Ratings and choices are figures without a person, and stay."""
    return await tx.run(
        """
        DELETE FROM form_answers WHERE (account_id, send_id, position) IN (
            SELECT account_id, send_id, position FROM form_answers
             WHERE account_id = $1 AND type = 'comment' AND at < $2 LIMIT $3)
        """,
        account_id,
        before,
        limit,
    )


async def drop_readings(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """Replies kept as examples, as old as any other reply."""
    return await tx.run(
        """
        DELETE FROM kept_readings WHERE (account_id, phone, event_id, replied_at) IN (
            SELECT account_id, phone, event_id, replied_at FROM kept_readings
             WHERE account_id = $1 AND replied_at < $2 ORDER BY replied_at LIMIT $3)
        """,
        account_id,
        before,
        limit,
    )


async def drop_events(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """Events that have been delivered or given up."""
    return await tx.run(
        """
        DELETE FROM webhooks WHERE account_id = $1 AND id IN (
            SELECT id FROM webhooks WHERE account_id = $1 AND created_at < $2 AND state <> 'pending'
             ORDER BY written_by, seq LIMIT $3)
        """,
        account_id,
        before,
        limit,
    )


async def drop_contacts(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """People of whom nothing else is kept. Opt-outs stay."""
    await tx.run(
        "DELETE FROM conversations WHERE account_id = $1 AND last_inbound_at < $2",
        account_id,
        before,
    )
    return await tx.run(
        """
        DELETE FROM contacts WHERE account_id = $1 AND phone IN (
            SELECT phone FROM contacts c WHERE account_id = $1 AND opted_out_at IS NULL
               AND NOT EXISTS (SELECT FROM messages m
                                WHERE m.account_id = $1 AND m.recipient = c.phone)
               AND NOT EXISTS (SELECT FROM inbound i WHERE i.account_id = $1 AND i.phone = c.phone)
               AND NOT EXISTS (SELECT FROM conversations v
                                WHERE v.account_id = $1 AND v.phone = c.phone)
             LIMIT $2)
        """,
        account_id,
        limit,
    )


async def drop_links(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """Links made for one message."""
    return await tx.run(
        """
        DELETE FROM links WHERE account_id = $1 AND code IN (
            SELECT code FROM links WHERE account_id = $1 AND created_at < $2
               AND client_message_id IS NOT NULL
             ORDER BY created_at, code LIMIT $3)
        """,
        account_id,
        before,
        limit,
    )


async def find_old_files(tx: Tx, account_id: UUID, before: datetime, limit: int) -> list[UUID]:
    """Uploads whose mediaId is still valid. A message that waits keeps its file."""
    rows = await tx.rows(
        """
        SELECT id FROM media
         WHERE account_id = $1 AND created_at < $2 AND valid_until > $3 LIMIT $4
        """,
        account_id,
        before,
        tx.now,
        limit,
    )
    return [row["id"] for row in rows]


async def lock_old_numbers(
    tx: Tx, account_id: UUID, mark: str, before: datetime, limit: int
) -> list[str]:
    """Numbers charged in subscriptions that were over before. In a running one they stay: they say
    who is charged as a follow-up."""
    rows = await tx.rows(
        """
        SELECT DISTINCT n.phone FROM (
            SELECT n.phone FROM subscriptions s JOIN charged_numbers n
                ON n.account_id = s.account_id AND n.subscription_id = s.id
             WHERE s.account_id = $1 AND coalesce(s.ended_at, s.ends_at) < $3
               AND NOT starts_with(n.phone, $2)
             LIMIT $4) AS n
        """,
        account_id,
        mark,
        before,
        limit,
    )
    return [row["phone"] for row in rows]


async def mask_numbers(
    tx: Tx, account_id: UUID, masks: Mapping[str, str], before: datetime
) -> None:
    await tx.run(
        """
        UPDATE charged_numbers n SET phone = v.mask
          FROM unnest($2::text[], $3::text[]) AS v (phone, mask), subscriptions s
         WHERE n.account_id = $1 AND n.phone = v.phone
           AND s.account_id = $1 AND s.id = n.subscription_id
           AND coalesce(s.ended_at, s.ends_at) < $4
        """,
        account_id,
        list(masks),
        list(masks.values()),
        before,
    )
