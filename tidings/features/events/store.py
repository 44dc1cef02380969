"""The table `events`. The only file that knows its columns."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Row, Tx

from .model import Counts, Defaults, Event, Settings, Texts

Key = tuple[UUID, str]  # account, eventId

_SELECTED = """
    e.account_id, e.event_id, e.event_date, e.callback_url, e.invalid_reply, e.nudge, e.expired,
    e.expires_at, e.undelivered_minutes, e.nudge_minutes, e.sent_from, e.created_at, e.updated_at
"""


def _read(row: Row) -> Event:
    settings = Settings(
        event_date=row["event_date"],
        callback_url=row["callback_url"],
        texts=Texts(row["invalid_reply"], row["nudge"], row["expired"]),
        defaults=Defaults(
            row["expires_at"], row["undelivered_minutes"], row["nudge_minutes"], row["sent_from"]
        ),
    )
    return Event(row["account_id"], row["event_id"], settings, row["created_at"], row["updated_at"])


def _written(settings: Settings) -> tuple[object, ...]:
    texts, defaults = settings.texts, settings.defaults
    return (
        settings.event_date,
        settings.callback_url,
        texts.invalid_reply,
        texts.nudge,
        texts.expired,
        defaults.expires_at,
        defaults.undelivered_minutes,
        defaults.nudge_minutes,
        defaults.sent_from,
    )


async def insert(tx: Tx, event: Event) -> bool:
    """Whether it is new. Concurrent inserts of the same event wait for the first."""
    written = await tx.run(
        """
        INSERT INTO events (account_id, event_id, created_at, updated_at, event_date, callback_url,
                            invalid_reply, nudge, expired, expires_at, undelivered_minutes,
                            nudge_minutes, sent_from)
        VALUES ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
        ON CONFLICT DO NOTHING
        """,
        event.account_id,
        event.event_id,
        event.created_at,
        *_written(event.settings),
    )
    return written == 1


async def lock(tx: Tx, account_id: UUID, event_id: str) -> Event:
    """An existing event, locked until commit."""
    row = await tx.row(
        f"SELECT {_SELECTED} FROM events e WHERE account_id = $1 AND event_id = $2 FOR UPDATE",
        account_id,
        event_id,
    )
    assert row is not None, "events are never deleted"
    return _read(row)


async def update(tx: Tx, event: Event) -> None:
    await tx.run(
        """
        UPDATE events SET updated_at = $3, event_date = $4, callback_url = $5, invalid_reply = $6,
               nudge = $7, expired = $8, expires_at = $9, undelivered_minutes = $10,
               nudge_minutes = $11, sent_from = $12
         WHERE account_id = $1 AND event_id = $2
        """,
        event.account_id,
        event.event_id,
        event.updated_at,
        *_written(event.settings),
    )


async def load(tx: Tx, keys: Sequence[Key], *, for_share: bool = False) -> dict[Key, Event]:
    """`for_share`: locked against changes until this transaction ends."""
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED} FROM unnest($1::uuid[], $2::text[]) AS k (account_id, event_id)
          JOIN events e USING (account_id, event_id)
        {"FOR SHARE OF e" if for_share else ""}
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["event_id"]): _read(row) for row in rows}


# One row per guest, then one row in all. Delivery is recorded only on messages: copying it to the
# invitations would cost a write per callback.
_COUNT = """
    WITH guests AS (
        SELECT count(i.sent_at) AS sent,
               bool_or(m.delivered_at IS NOT NULL) AS delivered,
               (array_agg(i.answer ORDER BY i.answered_at DESC NULLS LAST))[1] AS answer,
               (array_agg(i.guests ORDER BY i.answered_at DESC NULLS LAST))[1] AS guests,
               bool_or(o.open) AS open,
               bool_or(i.unclear IS NOT NULL) AS unclear,
               bool_or(o.open AND i.unclear IS NOT NULL) AS open_unclear,
               bool_or(i.late) AS late
          FROM invitations i
          JOIN messages m ON m.account_id = i.account_id AND m.id = i.message_id
         CROSS JOIN LATERAL (
            SELECT i.sent_at IS NOT NULL AND NOT i.lost AND i.expires_at > $3 AS open) o
         WHERE i.account_id = $1 AND i.event_id = $2
         GROUP BY i.phone
    )
    SELECT coalesce(sum(sent), 0)::bigint AS sent,
           count(*) FILTER (WHERE sent > 0 OR answer IS NOT NULL) AS invited,
           count(*) FILTER (WHERE delivered OR unclear OR answer IS NOT NULL) AS delivered,
           count(*) FILTER (WHERE answer = 'yes') AS confirmed,
           count(*) FILTER (WHERE answer = 'no') AS declined,
           count(*) FILTER (WHERE answer IS NULL AND unclear AND NOT open) AS unresolved,
           count(*) FILTER (WHERE answer IS NULL AND open) AS pending,
           count(*) FILTER (WHERE answer IS NULL AND open_unclear) AS unclear,
           count(*) FILTER (WHERE late) AS late,
           coalesce(sum(coalesce(guests, 1)) FILTER (WHERE answer = 'yes'), 0)::bigint AS headcount
      FROM guests
"""


async def count(tx: Tx, account_id: UUID, event_id: str, now: datetime) -> Counts:
    """Its sent invitations, and its guests by their replies."""
    row = await tx.row(_COUNT, account_id, event_id, now)
    assert row is not None, "an aggregate always has its row"
    return Counts(**row)
