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
# callback. All is joined, never looked up in a list: beyond what fits into the memory for a hash,
# the planner would search the list anew for each guest.
_REACHED = "i.answer IS NOT NULL OR i.unclear IS NOT NULL OR m.id IS NOT NULL"
_LOOKED_UP = """
    LEFT JOIN messages m ON m.account_id = $1 AND m.event_id = ANY($2::text[])
                        AND m.delivered_at IS NOT NULL AND m.id = i.message_id
    CROSS JOIN LATERAL (
        SELECT i.sent_at IS NOT NULL AND NOT i.lost AND i.expires_at > $3 AS open) o
"""
# One row per guest. Most have one invitation, which needs no grouping: that alone would take longer
# than all the rest.
_GUESTS = f"""
    SELECT i.event_id, i.answered_at, i.answer, i.guests, i.late, o.open,
           (i.sent_at IS NOT NULL)::int::bigint AS sent,
           {_REACHED} AS delivered,
           i.unclear IS NOT NULL AS unclear,
           o.open AND i.unclear IS NOT NULL AS open_unclear,
           CASE WHEN o.open THEN i.expires_at END AS next_end
      FROM invitations i {_LOOKED_UP}
     WHERE i.account_id = $1 AND i.event_id = ANY($2::text[])
       AND NOT EXISTS (
           SELECT FROM repeated r WHERE r.event_id = i.event_id AND r.phone = i.phone)
     UNION ALL
    SELECT i.event_id, max(i.answered_at),
           (array_agg(i.answer ORDER BY i.answered_at DESC NULLS LAST))[1],
           (array_agg(i.guests ORDER BY i.answered_at DESC NULLS LAST))[1],
           bool_or(i.late), bool_or(o.open), count(i.sent_at),
           bool_or({_REACHED}),
           bool_or(i.unclear IS NOT NULL),
           bool_or(o.open AND i.unclear IS NOT NULL),
           min(i.expires_at) FILTER (WHERE o.open)
      FROM repeated r
      JOIN invitations i ON i.account_id = $1 AND i.event_id = r.event_id AND i.phone = r.phone
      {_LOOKED_UP}
     GROUP BY i.event_id, i.phone
"""
_SUMMED = ("sent", "invited", "delivered", "confirmed", "declined", "unresolved", "pending",
           "unclear", "late", "headcount")  # fmt: skip
# One row per minute in which guests answered, and one for those who did not; then one per event.
# Its answers are told by quarters of an hour, in which the days of every zone begin; by minutes
# where they took less than two hours (answer_curve.py).
_COUNT = f"""
    WITH repeated AS MATERIALIZED (
        SELECT event_id, phone FROM invitations
         WHERE account_id = $1 AND event_id = ANY($2::text[])
         GROUP BY event_id, phone HAVING count(*) > 1
    ), guests AS ({_GUESTS}
    ), minutes AS MATERIALIZED (
        SELECT event_id, date_bin('1 minute', answered_at, 'epoch') AS at,
               min(next_end) AS next_end, sum(sent) AS sent,
               count(*) FILTER (WHERE sent > 0 OR answer IS NOT NULL) AS invited,
               count(*) FILTER (WHERE delivered) AS delivered,
               count(*) FILTER (WHERE answer = 'yes') AS confirmed,
               count(*) FILTER (WHERE answer = 'no') AS declined,
               count(*) FILTER (WHERE answer IS NULL AND unclear AND NOT open) AS unresolved,
               count(*) FILTER (WHERE answer IS NULL AND open) AS pending,
               count(*) FILTER (WHERE answer IS NULL AND open_unclear) AS unclear,
               count(*) FILTER (WHERE late) AS late,
               coalesce(sum(coalesce(guests, 1)) FILTER (WHERE answer = 'yes'), 0) AS headcount
          FROM guests GROUP BY 1, 2
    ), counted AS (
        SELECT event_id, min(next_end) AS next_end,
               {", ".join(f"sum({name})::bigint AS {name}" for name in _SUMMED)},
               CASE WHEN max(at) - min(at) < interval '2 hours' THEN interval '1 minute'
                    ELSE interval '15 minutes' END AS bin
          FROM minutes GROUP BY event_id
    ), answers AS (
        SELECT event_id, date_bin(bin, at, 'epoch') AS at, sum(m.confirmed)::bigint AS yes,
               sum(m.declined)::bigint AS no
          FROM minutes m JOIN counted USING (event_id) WHERE at IS NOT NULL GROUP BY 1, 2
    )
    SELECT c.*, coalesce((
        SELECT array_agg(ARRAY[extract(epoch FROM at)::bigint / 60, yes, no] ORDER BY at)
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
