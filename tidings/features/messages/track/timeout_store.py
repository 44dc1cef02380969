"""Which sent messages time out, and the table `timeout_watermarks`: up to when that was examined.

The watermark saves a sweep from reading an account's whole history. A sweep reads the watermark
with its version, examines messages, and advances the watermark only if the version is unchanged.
Whoever marks a message as sent with a time-out that a sweep may already have passed raises the
version, so a sweep that could not see the message does not advance past it.
"""

from collections.abc import Mapping
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx

from ..model import Message
from ..state.store import SELECTED, read


class Watermark(msgspec.Struct, frozen=True):
    examined_until: datetime | None = None
    version: int = 0


async def find_watermark(tx: Tx, account_id: UUID) -> Watermark:
    row = await tx.row(
        "SELECT examined_until, version FROM timeout_watermarks WHERE account_id = $1", account_id
    )
    return Watermark() if row is None else Watermark(**dict(row))


async def advance(tx: Tx, account_id: UUID, seen: Watermark, until: datetime) -> None:
    """Compare-and-set: unchanged if an earlier time-out was added meanwhile."""
    await tx.run(
        """
        INSERT INTO timeout_watermarks AS w (account_id, examined_until) VALUES ($1, $2)
        ON CONFLICT (account_id) DO UPDATE SET examined_until = excluded.examined_until
         WHERE w.version = $3
        """,
        account_id,
        until,
        seen.version,
    )


async def reopen(tx: Tx, earliest: Mapping[UUID, datetime]) -> None:
    """Let the next sweep of these accounts examine from these times on."""
    if earliest:
        await tx.run(
            """
            INSERT INTO timeout_watermarks AS w (account_id, version)
            SELECT account_id, 1 FROM unnest($1::uuid[]) AS account_id ORDER BY account_id
            ON CONFLICT (account_id) DO UPDATE
               SET version = w.version + 1,
                   examined_until = (SELECT CASE WHEN at < w.examined_until THEN at
                                                 ELSE w.examined_until END
                                       FROM unnest($1::uuid[], $2::timestamptz[]) AS e (id, at)
                                      WHERE e.id = w.account_id)
            """,
            sorted(earliest),
            [earliest[account_id] for account_id in sorted(earliest)],
        )


async def find_page_end(
    tx: Tx, account_id: UUID, since: datetime | None, now: datetime, rows: int
) -> datetime | None:
    """The time-out of the last of `rows` messages from `since` on; None where there are fewer."""
    end: datetime | None = await tx.value(
        """
        SELECT times_out_at FROM messages
         WHERE account_id = $1 AND times_out_at >= coalesce($2::timestamptz, '-infinity')
           AND times_out_at <= $3
         ORDER BY times_out_at OFFSET $4 LIMIT 1
        """,
        account_id,
        since,
        now,
        rows - 1,
    )
    return end


async def find_overdue(
    tx: Tx, account_id: UUID, since: datetime | None, until: datetime, limit: int
) -> list[Message]:
    """Sent messages whose time to be delivered ended from `since` to `until`, both inclusive,
    locked. Many may expire at the same time, and only some of them be in this page."""
    rows = await tx.rows(
        f"""
        SELECT {SELECTED} FROM messages m
         WHERE m.account_id = $1 AND m.times_out_at >= coalesce($2::timestamptz, '-infinity')
           AND m.times_out_at <= $3 AND m.status = 'sent'
         ORDER BY m.times_out_at LIMIT $4 FOR UPDATE
        """,
        account_id,
        since,
        until,
        limit,
    )
    return [read(row) for row in rows]


async def find_next(tx: Tx, account_id: UUID, after: datetime) -> datetime | None:
    """The next time-out, of a message that may be delivered by then."""
    timestamp: datetime | None = await tx.value(
        "SELECT min(times_out_at) FROM messages WHERE account_id = $1 AND times_out_at > $2",
        account_id,
        after,
    )
    return timestamp
