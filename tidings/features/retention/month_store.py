"""What keeps an old month of messages, and the table `dropped_months`.

On a connection without time limits: whether all messages of a month have ended says only the month.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from tidings.engine.db.connections import Connection
from tidings.engine.db.tx import Tx
from tidings.ids import Month

Ids = tuple[UUID, UUID]  # of messages: the first, and the first that is not meant

ADVISORY_LOCK = 0x6D6F_6E74_6800  # "month": one process at a time deletes old messages
ENDED = ("delivered", "read", "failed", "expired", "cancelled")
_CLOCK = "a.clock_ms * interval '1 millisecond'"


class DroppedMonth(NamedTuple):
    first_id: UUID
    end_id: UUID


async def try_lock(connection: Connection) -> bool:
    """Until the connection is closed. False: another process has it."""
    found: bool = await connection.fetchval("SELECT pg_try_advisory_lock($1)", ADVISORY_LOCK)
    return found


async def find_longer_kept(
    connection: Connection, month: Month, now: datetime
) -> list[tuple[UUID, datetime]]:
    """Accounts with messages in it that keep them for longer; until when."""
    rows = await connection.fetch(
        """
        SELECT a.id, $3::timestamptz + a.retention_days * interval '1 day' AS until FROM accounts a
         WHERE $3::timestamptz + a.retention_days * interval '1 day' > $4
           AND EXISTS (SELECT FROM messages m
                        WHERE m.account_id = a.id AND m.id >= $1 AND m.id < $2)
        """,
        *month.ids,
        month.ends_at,
        now,
    )
    return [(row["id"], row["until"]) for row in rows]


async def find_events(
    connection: Connection, ids: Ids, before: datetime
) -> list[tuple[UUID, datetime]]:
    """Accounts with guests in it of an event that is no older than this; when the last one is."""
    rows = await connection.fetch(
        f"""
        SELECT e.account_id, max(e.event_date - {_CLOCK}) AS at
          FROM events e JOIN accounts a ON a.id = e.account_id
         WHERE e.event_date - {_CLOCK} >= $3
           AND EXISTS (SELECT FROM messages m WHERE m.account_id = e.account_id
                          AND m.event_id = e.event_id AND m.id >= $1 AND m.id < $2)
         GROUP BY e.account_id
        """,
        *ids,
        before,
    )
    return [(row["account_id"], row["at"]) for row in rows]


async def find_owed(connection: Connection, month: Month) -> list[UUID]:
    """Accounts with charges in it of a term that is not invoiced or not paid, or with an event that
    is still to be delivered about one of its messages."""
    rows = await connection.fetch(
        f"""
        SELECT t.account_id FROM subscription_terms t JOIN accounts a ON a.id = t.account_id
          JOIN subscriptions s ON s.account_id = t.account_id AND s.id = t.subscription_id
          LEFT JOIN invoices i ON i.account_id = t.account_id AND i.number = t.invoice_number
         WHERE t.starts_at < $3::timestamptz + {_CLOCK}
           AND (t.closed_at IS NULL AND s.billing_type <> 'PACKAGE'
                OR i.status IN ('OPEN', 'OVERDUE'))
           AND EXISTS (SELECT FROM charges c WHERE c.account_id = t.account_id
                          AND c.message_id >= $1 AND c.message_id < $2
                          AND c.subscription_id = t.subscription_id AND c.term = t.term)
         UNION
        SELECT a.id FROM accounts a WHERE EXISTS (SELECT FROM webhooks w
                WHERE w.account_id = a.id AND w.message_id >= $1 AND w.message_id < $2
                  AND w.state = 'pending')
        """,
        *month.ids,
        month.ends_at,
    )
    return [row[0] for row in rows]


async def find_with_jobs(connection: Connection, ids: Ids) -> list[UUID]:
    """Accounts with a job, dead-lettered or not, about a message of it."""
    rows = await connection.fetch(
        """
        SELECT DISTINCT j.account_id FROM jobs j
         CROSS JOIN LATERAL unnest(coalesce(j.subjects, ARRAY[j.subject])) AS s (id)
         WHERE s.id COLLATE "C" >= $1 AND s.id COLLATE "C" < $2
        """,
        *(message_id.hex for message_id in ids),
    )
    return [row["account_id"] for row in rows]


async def find_unended(connection: Connection, ids: Ids, before: datetime) -> list[UUID]:
    """Accounts with messages in it that are still under way, or invitations that could be answered
    later than this. Reads the whole month."""
    rows = await connection.fetch(
        f"""
        SELECT DISTINCT m.account_id FROM messages m LEFT JOIN accounts a ON a.id = m.account_id
         WHERE m.id >= $1 AND m.id < $2
           AND (m.status <> ALL($3::text[]) OR m.expires_at - {_CLOCK} >= $4)
        """,
        *ids,
        list(ENDED),
        before,
    )
    return [row["account_id"] for row in rows]


async def insert_dropped(connection: Connection, ids: Ids, at: datetime) -> None:
    await connection.execute(
        """
        INSERT INTO dropped_months (first_id, end_id, dropped_at) VALUES ($1, $2, $3)
        ON CONFLICT (first_id) DO UPDATE SET dropped_at = excluded.dropped_at, swept_at = NULL
        """,
        *ids,
        at,
    )


async def find_unswept(tx: Tx) -> Sequence[DroppedMonth]:
    rows = await tx.rows("SELECT first_id, end_id FROM dropped_months WHERE swept_at IS NULL")
    return [DroppedMonth(*row) for row in rows]


async def save_swept(tx: Tx, month: DroppedMonth) -> None:
    await tx.run(
        "UPDATE dropped_months SET swept_at = $2 WHERE first_id = $1", month.first_id, tx.now
    )


async def has_strays(tx: Tx, before: UUID) -> bool:
    """Whether messages older than this have no partition of their month."""
    found: bool = await tx.value(
        "SELECT EXISTS (SELECT FROM messages_default WHERE id < $1)", before
    )
    return found
