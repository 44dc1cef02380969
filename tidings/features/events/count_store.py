"""Figures of an event's guests, and the table `event_counts` that keeps them."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Row, Tx

from .model import Answers, Counts, Figures

_decode_counts = msgspec.json.Decoder(Counts).decode
_decode_answers = msgspec.json.Decoder(list[Answers]).decode
_encode = msgspec.json.Encoder().encode


class KeptFigures(msgspec.Struct, frozen=True):
    """Figures, with what shows whether they are still right."""

    figures: Figures
    counted_at: datetime  # real time
    holds_until: datetime | None  # the account's time: the next end of an open invitation
    unchanged: bool  # nothing was published in the account since


# Delivery is recorded only on messages: copying it to the invitations would cost a write per
# callback. What was not delivered is looked up, because that is less, and only of guests who are
# silent. PostgreSQL reads it once and keeps it in a hash, or looks each up where it is too much.
_DELIVERED = """
    i.answer IS NOT NULL OR i.unclear IS NOT NULL OR NOT EXISTS (
        SELECT FROM messages m WHERE m.account_id = $1 AND m.event_id = ANY($2::text[])
           AND m.id = i.message_id AND m.delivered_at IS NULL)
"""
# One row per guest, in the order of an index and without a join: the pool allows only nested loops,
# and where guests have several invitations those took longer than a statement may.
# `answered` is when, whether yes, and how many come: the greatest is the last answer. Sorting the
# answers of each guest would take three times as long.
_GUESTS = f"""
    SELECT i.event_id,
           max(ARRAY[date_part('epoch', i.answered_at), (i.answer = 'yes')::int,
                     coalesce(i.guests, 1)]) FILTER (WHERE i.answer IS NOT NULL) AS answered,
           count(i.sent_at) AS sent,
           bool_or({_DELIVERED}) AS delivered,
           bool_or(i.late) AS late,
           bool_or(o.open) AS open,
           bool_or(i.unclear IS NOT NULL) AS unclear,
           bool_or(o.open AND i.unclear IS NOT NULL) AS open_unclear,
           min(i.expires_at) FILTER (WHERE o.open) AS next_end
      FROM invitations i CROSS JOIN LATERAL (
           SELECT i.sent_at IS NOT NULL AND NOT i.lost AND i.expires_at > $3 AS open) o
     WHERE i.account_id = $1 AND i.event_id = ANY($2::text[])
     GROUP BY i.event_id, i.phone
"""
_SUMMED = ("sent", "invited", "delivered", "confirmed", "declined", "unresolved", "pending",
           "unclear", "late", "headcount")  # fmt: skip
# One row per minute in which guests answered, and one for those who did not; then one per event.
# Its answers are told by quarters of an hour, in which the days of every zone begin; by minutes
# where they took less than two hours (answer_curve.py). Minutes are counted from 1970.
_COUNT = f"""
    WITH guests AS ({_GUESTS}
    ), minutes AS MATERIALIZED (
        SELECT event_id, floor(answered[1] / 60)::bigint AS minute,
               min(next_end) AS next_end, sum(sent) AS sent,
               count(*) FILTER (WHERE sent > 0 OR answered IS NOT NULL) AS invited,
               count(*) FILTER (WHERE delivered) AS delivered,
               count(*) FILTER (WHERE answered[2] = 1) AS confirmed,
               count(*) FILTER (WHERE answered[2] = 0) AS declined,
               count(*) FILTER (WHERE answered IS NULL AND unclear AND NOT open) AS unresolved,
               count(*) FILTER (WHERE answered IS NULL AND open) AS pending,
               count(*) FILTER (WHERE answered IS NULL AND open_unclear) AS unclear,
               count(*) FILTER (WHERE late) AS late,
               coalesce(sum(answered[3]) FILTER (WHERE answered[2] = 1), 0) AS headcount
          FROM guests GROUP BY 1, 2
    ), counted AS (
        SELECT event_id, min(next_end) AS next_end,
               {", ".join(f"sum({name})::bigint AS {name}" for name in _SUMMED)},
               CASE WHEN max(minute) - min(minute) < 120 THEN 1 ELSE 15 END AS step
          FROM minutes GROUP BY event_id
    ), answers AS (
        SELECT event_id, minute / step * step AS minute, sum(m.confirmed)::bigint AS yes,
               sum(m.declined)::bigint AS no
          FROM minutes m JOIN counted USING (event_id) WHERE minute IS NOT NULL GROUP BY 1, 2
    )
    SELECT c.*, coalesce((
        SELECT array_agg(ARRAY[minute, yes, no] ORDER BY minute)
          FROM answers a WHERE a.event_id = c.event_id), '{{}}') AS answers
      FROM counted c
"""


async def count(
    tx: Tx, account_id: UUID, event_ids: Sequence[str], now: datetime
) -> dict[str, tuple[Figures, datetime | None]]:
    """By event: its figures, and the next end of an open invitation. Events without invitations are
    absent."""
    rows = await tx.rows(_COUNT, account_id, list(event_ids), now)
    return {row["event_id"]: (_figures(row), row["next_end"]) for row in rows}


def _figures(row: Row) -> Figures:
    counts = Counts(**{name: row[name] for name in _SUMMED})
    return Figures(counts, [Answers(*one) for one in row["answers"]])


async def find_kept(tx: Tx, account_id: UUID, event_ids: Sequence[str]) -> dict[str, KeptFigures]:
    """Whatever changes a count publishes an event, in a transaction that was not over when the
    count was made: none of those, and the count still holds."""
    rows = await tx.rows(
        """
        SELECT c.event_id, c.counts, c.answers, c.counted_at, c.holds_until,
               NOT EXISTS (SELECT FROM webhooks w WHERE w.account_id = c.account_id
                              AND w.written_by >= c.snapshot) AS unchanged
          FROM event_counts c WHERE c.account_id = $1 AND c.event_id = ANY($2::text[])
        """,
        account_id,
        list(event_ids),
    )
    return {
        row["event_id"]: KeptFigures(
            Figures(_decode_counts(row["counts"]), _decode_answers(row["answers"])),
            row["counted_at"],
            row["holds_until"],
            row["unchanged"],
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
    counted: Iterable[tuple[str, Figures, datetime | None]],
    snapshot: str,
) -> None:
    """Keep these: (event, figures, how long they hold)."""
    ordered = sorted(counted, key=lambda item: item[0])
    await tx.run(
        """
        INSERT INTO event_counts (account_id, event_id, counts, answers, holds_until, counted_at,
                                  snapshot)
        SELECT $1, v.event_id, v.counts, v.answers, v.holds_until, $6, $7::text::xid8
          FROM unnest($2::text[], $3::jsonb[], $4::jsonb[], $5::timestamptz[])
               AS v (event_id, counts, answers, holds_until)
        ON CONFLICT (account_id, event_id) DO UPDATE
           SET counts = excluded.counts, answers = excluded.answers,
               holds_until = excluded.holds_until, counted_at = excluded.counted_at,
               snapshot = excluded.snapshot
         WHERE event_counts.snapshot <= excluded.snapshot
        """,
        account_id,
        [event_id for event_id, _, _ in ordered],
        [_encode(figures.counts).decode() for _, figures, _ in ordered],
        [_encode(figures.answers).decode() for _, figures, _ in ordered],
        [holds_until for _, _, holds_until in ordered],
        tx.now,
        snapshot,
    )


async def forget(tx: Tx, account_id: UUID, event_id: str) -> None:
    await tx.run(
        "DELETE FROM event_counts WHERE account_id = $1 AND event_id = $2", account_id, event_id
    )
