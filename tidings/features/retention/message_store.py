"""Delete messages, and what belongs to them in other tables; a page at a time."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from tidings.engine.db.partitions import span
from tidings.engine.db.tx import Tx

from .month_store import ENDED

Ids = tuple[UUID, UUID]  # the first, and the first that is not meant


class Page(NamedTuple):
    messages: Sequence[tuple[UUID, bool]]  # id, and whether it may go
    goes_on: bool  # false: the next message is too new


async def lock_page(tx: Tx, account_id: UUID, ids: Ids, before: datetime, limit: int) -> Page:
    """The next messages in the order of their ids, up to the first that was made after `before`.

    A message may not go while it is under way, has a webhook to be delivered, can be answered,
    belongs to an event that was not over then, or has a charge that is not invoiced or paid.
    """
    rows = await tx.rows(
        """
        SELECT m.id, m.created_at < $4 AS is_old,
               m.status = ANY($5::text[]) AND coalesce(m.expires_at < $4, true)
               AND NOT EXISTS (SELECT FROM events e WHERE e.account_id = $1
                                  AND e.event_id = m.event_id AND e.event_date >= $4)
               AND NOT EXISTS (SELECT FROM webhooks w WHERE w.account_id = $1
                                  AND w.message_id = m.id AND w.state = 'pending')
               AND NOT EXISTS (
                SELECT FROM charges c JOIN subscription_terms t ON t.account_id = $1
                   AND t.subscription_id = c.subscription_id AND t.term = c.term
                  JOIN subscriptions s ON s.account_id = $1 AND s.id = c.subscription_id
                  LEFT JOIN invoices i ON i.account_id = $1 AND i.number = t.invoice_number
                 WHERE c.account_id = $1 AND c.message_id = m.id AND NOT c.resolves
                   AND c.message_id >= $2 AND c.message_id < $3
                   AND (t.closed_at IS NULL AND s.billing_type <> 'PACKAGE'
                        OR i.status IN ('OPEN', 'OVERDUE'))) AS may_go
          FROM messages m WHERE m.account_id = $1 AND m.id >= $2 AND m.id < $3
         ORDER BY m.id LIMIT $6 FOR UPDATE OF m
        """,
        account_id,
        *ids,
        before,
        list(ENDED),
        limit,
    )
    old = [(row["id"], row["may_go"]) for row in rows if row["is_old"]]
    return Page(old, goes_on=len(old) == len(rows))


async def delete(tx: Tx, account_id: UUID, ids: Sequence[UUID]) -> None:
    """These messages, and what belongs to them."""
    await tx.run(
        """
        WITH gone AS (
            DELETE FROM messages
             WHERE account_id = $1 AND id = ANY($2::uuid[]) AND id BETWEEN $3 AND $4
            RETURNING id, client_message_id, platform_id),
        keys AS (
            DELETE FROM idempotency_keys k USING gone
             WHERE k.account_id = $1 AND k.client_message_id = gone.client_message_id
               AND k.message_id = gone.id),
        identified AS (
            DELETE FROM platform_ids p USING gone
             WHERE p.account_id = $1 AND p.platform_id = gone.platform_id
               AND p.message_id = gone.id AND p.message_id BETWEEN $3 AND $4),
        lost AS (
            DELETE FROM lost_messages l
             WHERE l.account_id = $1 AND l.status IN ('failed', 'expired', 'cancelled')
               AND l.message_id = ANY($2::uuid[]) AND l.message_id BETWEEN $3 AND $4),
        events AS (
            DELETE FROM webhooks w WHERE w.account_id = $1 AND w.message_id = ANY($2::uuid[])),
        guests AS (
            DELETE FROM invitations i WHERE i.account_id = $1 AND i.message_id = ANY($2::uuid[])),
        sends AS (
            DELETE FROM form_sends s WHERE s.account_id = $1 AND s.message_id = ANY($2::uuid[])
            RETURNING s.id)
        DELETE FROM form_answers a USING sends WHERE a.account_id = $1 AND a.send_id = sends.id
        """,
        account_id,
        list(ids),
        *span(ids),
    )


async def delete_events(tx: Tx, account_id: UUID, ids: Ids, limit: int) -> int:
    return await tx.run(
        """
        DELETE FROM webhooks WHERE account_id = $1 AND id IN (
            SELECT id FROM webhooks
             WHERE account_id = $1 AND message_id >= $2 AND message_id < $3 LIMIT $4)
        """,
        account_id,
        *ids,
        limit,
    )


async def delete_invitations(tx: Tx, account_id: UUID, ids: Ids, limit: int) -> int:
    return await tx.run(
        """
        DELETE FROM invitations WHERE account_id = $1 AND message_id IN (
            SELECT message_id FROM invitations
             WHERE account_id = $1 AND message_id >= $2 AND message_id < $3
             ORDER BY message_id LIMIT $4)
        """,
        account_id,
        *ids,
        limit,
    )


async def delete_forms(tx: Tx, account_id: UUID, ids: Ids, limit: int) -> int:
    """Forms that were sent, and their answers. The sums of both stay."""
    rows = await tx.rows(
        """
        WITH sends AS (
            DELETE FROM form_sends WHERE account_id = $1 AND message_id IN (
                SELECT message_id FROM form_sends
                 WHERE account_id = $1 AND message_id >= $2 AND message_id < $3
                 ORDER BY message_id LIMIT $4)
            RETURNING id),
        answers AS (
            DELETE FROM form_answers a USING sends
             WHERE a.account_id = $1 AND a.send_id = sends.id)
        SELECT id FROM sends
        """,
        account_id,
        *ids,
        limit,
    )
    return len(rows)


BELONGINGS = (delete_events, delete_invitations, delete_forms)
