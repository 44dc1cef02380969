"""Counts of an event's guests, and the table `event_counts` that keeps them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx

from .model import Counts

_decode = msgspec.json.Decoder(Counts).decode
_encode = msgspec.json.Encoder().encode


class KeptCounts(msgspec.Struct, frozen=True):
    """Counts with what tells whether they still hold."""

    counts: Counts
    counted_at: datetime  # real time
    holds_until: datetime | None  # the account's time: the next end of an open invitation
    unchanged: bool  # nothing was published in the account since


# One row per guest, then one row per event. Delivery is recorded only on messages: copying it to
# the invitations would cost a write per callback.
_COUNT = """
    WITH guests AS (
        SELECT i.event_id,
               count(i.sent_at) AS sent,
               bool_or(m.delivered_at IS NOT NULL) AS delivered,
               (array_agg(i.answer ORDER BY i.answered_at DESC NULLS LAST))[1] AS answer,
               (array_agg(i.guests ORDER BY i.answered_at DESC NULLS LAST))[1] AS guests,
               bool_or(o.open) AS open,
               bool_or(i.unclear IS NOT NULL) AS unclear,
               bool_or(o.open AND i.unclear IS NOT NULL) AS open_unclear,
               bool_or(i.late) AS late,
               min(i.expires_at) FILTER (WHERE o.open) AS next_end
          FROM invitations i
          JOIN messages m ON m.account_id = i.account_id AND m.id = i.message_id
         CROSS JOIN LATERAL (
            SELECT i.sent_at IS NOT NULL AND NOT i.lost AND i.expires_at > $3 AS open) o
         WHERE i.account_id = $1 AND i.event_id = ANY($2::text[])
         GROUP BY i.event_id, i.phone
    )
    SELECT event_id, min(next_end) AS next_end,
           sum(sent)::bigint AS sent,
           count(*) FILTER (WHERE sent > 0 OR answer IS NOT NULL) AS invited,
           count(*) FILTER (WHERE delivered OR unclear OR answer IS NOT NULL) AS delivered,
           count(*) FILTER (WHERE answer = 'yes') AS confirmed,
           count(*) FILTER (WHERE answer = 'no') AS declined,
           count(*) FILTER (WHERE answer IS NULL AND unclear AND NOT open) AS unresolved,
           count(*) FILTER (WHERE answer IS NULL AND open) AS pending,
           count(*) FILTER (WHERE answer IS NULL AND open_unclear) AS unclear,
           count(*) FILTER (WHERE late) AS late,
           coalesce(sum(coalesce(guests, 1)) FILTER (WHERE answer = 'yes'), 0)::bigint AS headcount
      FROM guests GROUP BY event_id
"""


async def count(
    tx: Tx, account_id: UUID, event_ids: Sequence[str], now: datetime
) -> dict[str, tuple[Counts, datetime | None]]:
    """By event: its counts, and the next end of an open invitation. Events without invitations are
    absent."""
    rows = await tx.rows(_COUNT, account_id, list(event_ids), now)
    names = Counts.__struct_fields__
    return {
        row["event_id"]: (Counts(*(row[name] for name in names)), row["next_end"]) for row in rows
    }


async def find_kept(tx: Tx, account_id: UUID, event_ids: Sequence[str]) -> dict[str, KeptCounts]:
    """Whatever changes a count publishes an event, in a transaction that was not over when the
    count was made: none of those, and the count still holds."""
    rows = await tx.rows(
        """
        SELECT c.event_id, c.counts, c.counted_at, c.holds_until,
               NOT EXISTS (SELECT FROM webhooks w WHERE w.account_id = c.account_id
                              AND w.written_by >= c.snapshot) AS unchanged
          FROM event_counts c WHERE c.account_id = $1 AND c.event_id = ANY($2::text[])
        """,
        account_id,
        list(event_ids),
    )
    return {
        row["event_id"]: KeptCounts(
            _decode(row["counts"]), row["counted_at"], row["holds_until"], row["unchanged"]
        )
        for row in rows
    }


async def find_snapshot(tx: Tx) -> str:
    """Every transaction before this one is over. Read before counting."""
    found: str = await tx.value("SELECT pg_snapshot_xmin(pg_current_snapshot())::text")
    return found


async def keep(
    tx: Tx,
    account_id: UUID,
    counted: Iterable[tuple[str, Counts, datetime | None]],
    snapshot: str,
) -> None:
    """Keep these counts: (event, counts, how long they hold)."""
    ordered = sorted(counted, key=lambda item: item[0])
    await tx.run(
        """
        INSERT INTO event_counts (account_id, event_id, counts, holds_until, counted_at, snapshot)
        SELECT $1, v.event_id, v.counts, v.holds_until, $5, $6::text::xid8
          FROM unnest($2::text[], $3::jsonb[], $4::timestamptz[])
               AS v (event_id, counts, holds_until)
        ON CONFLICT (account_id, event_id) DO UPDATE
           SET counts = excluded.counts, holds_until = excluded.holds_until,
               counted_at = excluded.counted_at, snapshot = excluded.snapshot
         WHERE event_counts.snapshot <= excluded.snapshot
        """,
        account_id,
        [event_id for event_id, _, _ in ordered],
        [_encode(counts).decode() for _, counts, _ in ordered],
        [holds_until for _, _, holds_until in ordered],
        tx.now,
        snapshot,
    )


async def forget(tx: Tx, account_id: UUID, event_id: str) -> None:
    await tx.run(
        "DELETE FROM event_counts WHERE account_id = $1 AND event_id = $2", account_id, event_id
    )


# A guest's last answer stands in each of its invitations that the answer found. Long times are
# told in long steps, so that a curve has at most about two hundred points a year. Minutes come
# first: steps of a zone are slow to find, and 100,000 guests have far fewer minutes.
_ANSWERS = """
    WITH answered AS (
        SELECT max(i.answered_at) AS at,
               max(i.answered_at) FILTER (WHERE i.answer = 'yes') AS yes_at
          FROM invitations i
         WHERE i.account_id = $1 AND coalesce(i.event_id, '') = $2 AND i.answer IS NOT NULL
         GROUP BY i.phone
    ), minutes AS MATERIALIZED (
        SELECT date_bin('1 minute', at, 'epoch') AS at, count(*) AS answers,
               count(*) FILTER (WHERE yes_at = at) AS yes
          FROM answered GROUP BY 1
    ), spread AS (
        SELECT CASE WHEN max(at) - min(at) <= interval '2 hours' THEN 'minute'
                    WHEN max(at) - min(at) <= interval '4 days' THEN 'hour'
                    WHEN max(at) - min(at) <= interval '100 days' THEN 'day'
                    ELSE 'week' END AS step
          FROM minutes
    )
    SELECT s.step, date_trunc(s.step, m.at, $3) AS at, sum(m.yes)::bigint AS yes,
           sum(m.answers - m.yes)::bigint AS no
      FROM minutes m CROSS JOIN spread s GROUP BY 1, 2 ORDER BY 2
"""


async def find_answers(
    tx: Tx, account_id: UUID, event_id: str, zone: str
) -> list[tuple[Any, datetime, int, int]]:
    """(step, its beginning, yes, no): the last answers of the event's guests, by when they were
    given; steps without one are absent."""
    rows = await tx.rows(_ANSWERS, account_id, event_id, zone)
    return [(row["step"], row["at"], row["yes"], row["no"]) for row in rows]
