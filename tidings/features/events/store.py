"""The table `events`. The only file that knows its columns."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Row, Tx

from .model import Defaults, Event, Settings, Texts

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
    """Whether it is new. Of many at the same instant one is; the others wait for it."""
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
    """One that is there, held until the end."""
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


async def load(tx: Tx, keys: Sequence[Key]) -> dict[Key, Event]:
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED} FROM unnest($1::uuid[], $2::text[]) AS k (account_id, event_id)
          JOIN events e USING (account_id, event_id)
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {(row["account_id"], row["event_id"]): _read(row) for row in rows}


async def count(tx: Tx, account_id: UUID, event_id: str, now: datetime) -> tuple[int, ...]:
    """Of its invitations: sent, confirmed, declined, unresolved, pending."""
    row = await tx.row(
        """
        SELECT count(*) FILTER (WHERE sent_at IS NOT NULL),
               count(*) FILTER (WHERE answer = 'yes'),
               count(*) FILTER (WHERE answer = 'no'),
               count(*) FILTER (WHERE answer IS NULL AND unclear IS NOT NULL AND expires_at <= $3),
               count(*) FILTER (WHERE answer IS NULL AND expires_at > $3 AND NOT lost
                                  AND sent_at IS NOT NULL)
          FROM invitations WHERE account_id = $1 AND event_id = $2
        """,
        account_id,
        event_id,
        now,
    )
    assert row is not None, "an aggregate always has its row"
    return tuple(row)


async def has_sent(tx: Tx, account_id: UUID, event_id: str) -> bool:
    """Whether an invitation to it went out."""
    found: bool = await tx.value(
        """
        SELECT EXISTS (SELECT FROM invitations
                        WHERE account_id = $1 AND event_id = $2 AND sent_at IS NOT NULL)
        """,
        account_id,
        event_id,
    )
    return found
