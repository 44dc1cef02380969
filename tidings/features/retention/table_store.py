"""Delete old rows of tables that have no months, a page at a time; how many.

`before` is the account's time that `rules.messages_before` returns: what belongs to messages stays
as long as they do.
"""

from collections.abc import Awaitable, Callable
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.ids import first_id

Delete = Callable[[Tx, UUID, datetime, int], Awaitable[int]]


async def delete_replies(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    return await tx.run(
        """
        DELETE FROM inbound WHERE account_id = $1 AND platform_id IN (
            SELECT platform_id FROM inbound WHERE account_id = $1 AND at < $2
             ORDER BY at LIMIT $3 FOR UPDATE SKIP LOCKED)
        """,
        account_id,
        before,
        limit,
    )


async def delete_events(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """Registered events that were over by then, with the URLs of their webhooks."""
    return await tx.run(
        """
        WITH old AS (
            SELECT e.event_id FROM events e
             WHERE e.account_id = $1 AND e.created_at < $2 AND e.event_date < $2
               AND NOT EXISTS (SELECT FROM messages m
                                WHERE m.account_id = $1 AND m.event_id = e.event_id)
               AND NOT EXISTS (SELECT FROM invitations i
                                WHERE i.account_id = $1 AND i.event_id = e.event_id)
             ORDER BY e.created_at, e.event_id LIMIT $3 FOR UPDATE SKIP LOCKED),
        urls AS (
            DELETE FROM callback_urls u USING old
             WHERE u.account_id = $1 AND u.event_id = old.event_id),
        counts AS (
            DELETE FROM event_counts c USING old
             WHERE c.account_id = $1 AND c.event_id = old.event_id)
        DELETE FROM events e USING old WHERE e.account_id = $1 AND e.event_id = old.event_id
        """,
        account_id,
        before,
        limit,
    )


async def delete_batches(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """Batches whose messages are gone."""
    return await tx.run(
        """
        DELETE FROM batches WHERE account_id = $1 AND id IN (
            SELECT b.id FROM batches b
             WHERE b.account_id = $1 AND b.id < $4 AND b.created_at < $2 AND b.to_come = 0
               AND NOT EXISTS (SELECT FROM messages m
                                WHERE m.account_id = $1 AND m.batch_id = b.id)
             ORDER BY b.id LIMIT $3 FOR UPDATE SKIP LOCKED)
        """,
        account_id,
        before,
        limit,
        first_id(before),
    )


async def delete_links(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """Links that expired before, or that nobody has opened since, with their opens."""
    return await tx.run(
        """
        DELETE FROM links WHERE account_id = $1 AND code IN (
            SELECT code FROM links
             WHERE account_id = $1 AND created_at < $2
               AND greatest(created_at, expires_at, last_click_at) < $2
             ORDER BY created_at, code LIMIT $3 FOR UPDATE SKIP LOCKED)
        """,
        account_id,
        before,
        limit,
    )


TABLES: tuple[Delete, ...] = (delete_replies, delete_events, delete_batches, delete_links)


# By the real time


async def delete_erasures(tx: Tx, account_id: UUID, before: datetime, limit: int) -> int:
    """That somebody was erased; it is kept as long as the audit log, which says who did it."""
    return await tx.run(
        """
        DELETE FROM erasures WHERE account_id = $1 AND id IN (
            SELECT id FROM erasures WHERE account_id = $1 AND id < $2 AND sealed IS NULL
             ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED)
        """,
        account_id,
        first_id(before),
        limit,
    )


async def delete_audit(tx: Tx, before: datetime, limit: int) -> int:
    return await tx.run(
        """
        DELETE FROM audit_log WHERE id IN (
            SELECT id FROM audit_log WHERE id < $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
        """,
        first_id(before),
        limit,
    )
