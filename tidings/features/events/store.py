"""The table `events`. The only file that knows its columns."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from tidings.engine.db.order import Order
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


async def load_page(
    tx: Tx, account_id: UUID, last: tuple[datetime, str] | None, size: int, order: Order
) -> list[Event]:
    """In the order of registration; `last`: the last one of the previous page."""
    created_at, event_id = last or (None, "")
    rows = await tx.rows(
        f"""
        SELECT {_SELECTED} FROM events e
         WHERE e.account_id = $1
           AND (e.created_at, e.event_id) {order.after} (coalesce($2, {order.start}), $3)
         ORDER BY e.created_at {order.value}, e.event_id {order.value} LIMIT $4
        """,
        account_id,
        created_at,
        event_id,
        size,
    )
    return [_read(row) for row in rows]


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
