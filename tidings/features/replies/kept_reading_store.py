"""The table `kept_readings`: labelled replies of accounts that agreed to it."""

from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx

from .model import KeptReading

Place = tuple[datetime, str, str]  # in the order of an export: when it was written, guest, event


def place_of(kept: KeptReading) -> Place:
    return kept.replied_at, kept.phone, kept.event_id


async def save(tx: Tx, account_id: UUID, kept: KeptReading) -> None:
    """Once for the same words. The account is locked against a change of its settings: after the
    transaction that withdraws the agreement nothing more comes in."""
    await tx.run(
        """
        INSERT INTO kept_readings (account_id, phone, event_id, replied_at, text, language, read_as,
                                   confidence, answer, guests, settled_at)
        SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11
          FROM (SELECT FROM accounts WHERE id = $1 AND keep_readings FOR SHARE) AS agreed
        ON CONFLICT (account_id, phone, event_id, replied_at) DO UPDATE
           SET answer = excluded.answer, guests = excluded.guests, settled_at = excluded.settled_at
        """,
        account_id,
        kept.phone,
        kept.event_id,
        kept.replied_at,
        kept.text,
        kept.language,
        kept.read_as,
        kept.confidence,
        kept.answer,
        kept.guests,
        kept.settled_at,
    )


async def count(tx: Tx, account_id: UUID) -> int:
    found: int = await tx.value(
        "SELECT count(*) FROM kept_readings WHERE account_id = $1", account_id
    )
    return found


async def load_page(tx: Tx, account_id: UUID, after: Place | None, limit: int) -> list[KeptReading]:
    """The next ones behind this place."""
    replied_at, phone, event_id = after or (None, "", "")
    rows = await tx.rows(
        """
        SELECT phone, event_id, replied_at, text, language, read_as, confidence, answer, guests,
               settled_at
          FROM kept_readings
         WHERE account_id = $1
           AND ($2::timestamptz IS NULL OR (replied_at, phone, event_id) > ($2, $3, $4))
         ORDER BY replied_at, phone, event_id LIMIT $5
        """,
        account_id,
        replied_at,
        phone,
        event_id,
        limit,
    )
    return [KeptReading(**dict(row)) for row in rows]
