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
_WAS_DELIVERED = """
    i.answer IS NOT NULL OR i.unclear IS NOT NULL OR NOT EXISTS (
        SELECT FROM messages m WHERE m.account_id = $1 AND m.event_id = ANY($2::text[])
           AND m.id = i.message_id AND m.delivered_at IS NULL)
"""
# One row per guest, in the order of an index and without a join: the pool allows only nested loops,
# and where guests have several invitations those took longer than a statement may. Each aggregate
# costs about as much as reading the rows, so there are few: `answered` is the time in microseconds
# with the answer and the party in its lowest bits, `flags` has a bit for each yes-or-no property.
_ANSWERED_AT, _YES, _PARTY = 2048, 1024, 1023  # the greatest is the last answer
_OPEN, _UNCLEAR, _OPEN_UNCLEAR, _LATE, _DELIVERED, _SENT = 1, 2, 4, 8, 16, 32
_MINUTE = 60_000_000 * _ANSWERED_AT
_GUESTS = f"""
    SELECT i.event_id,
           max((date_part('epoch', i.answered_at) * 1000000)::bigint * {_ANSWERED_AT}
               + CASE i.answer WHEN 'yes' THEN {_YES} + least(coalesce(i.guests, 1), {_PARTY})
                               ELSE 0 END) AS answered,
           count(i.sent_at) AS sent,
           bit_or(CASE WHEN NOT o.open THEN 0
                       WHEN i.unclear IS NULL THEN {_OPEN} ELSE {_OPEN | _OPEN_UNCLEAR} END
                + CASE WHEN i.unclear IS NULL THEN 0 ELSE {_UNCLEAR} END
                + CASE WHEN i.late THEN {_LATE} ELSE 0 END
                + CASE WHEN i.sent_at IS NULL THEN 0 ELSE {_SENT} END
                + CASE WHEN {_WAS_DELIVERED} THEN {_DELIVERED} ELSE 0 END) AS flags,
           min(CASE WHEN o.open THEN i.expires_at END) AS next_end
      FROM invitations i CROSS JOIN LATERAL (
           SELECT i.sent_at IS NOT NULL AND NOT i.lost AND i.expires_at > $3 AS open) o
     WHERE i.account_id = $1 AND i.event_id = ANY($2::text[])
     GROUP BY i.event_id, i.phone
"""
_GUESTS_WHO: dict[str, str] = {
    "invited": f"flags & {_SENT} > 0 OR answer IS NOT NULL",
    "delivered": f"flags & {_DELIVERED} > 0",
    "confirmed": "answer > 0",
    "declined": "answer = 0",
    "unresolved": f"answer IS NULL AND flags & {_UNCLEAR | _OPEN} = {_UNCLEAR}",
    "pending": f"answer IS NULL AND flags & {_OPEN} > 0",
    "unclear": f"answer IS NULL AND flags & {_OPEN_UNCLEAR} > 0",
    "late": f"flags & {_LATE} > 0",
}
_SUMS = [
    f"coalesce(sum(guests) FILTER (WHERE {who}), 0)::bigint AS {name}"
    for name, who in _GUESTS_WHO.items()
]
_SUMMED = ("sent", "headcount", *_GUESTS_WHO)
# Guests with the same answer, minute of answer and flags are counted as a group; then the groups of
# each event are summed. The curve of answers has a point per quarter of an hour, because days begin
# on one in every time zone; per minute if all answers came within two hours (answer_curve.py).
# Minutes are counted from 1970.
_COUNT = f"""
    WITH guests AS ({_GUESTS}
    ), guest_groups AS MATERIALIZED (
        SELECT event_id, answered / {_MINUTE} AS minute, answered & {_YES} AS answer, flags,
               count(*) AS guests, sum(sent) AS sent, sum((answered & {_PARTY})::int) AS party,
               min(next_end) AS next_end
          FROM guests GROUP BY 1, 2, 3, 4
    ), counted AS (
        SELECT event_id, min(next_end) AS next_end,
               sum(sent)::bigint AS sent, coalesce(sum(party), 0)::bigint AS headcount,
               {", ".join(_SUMS)},
               CASE WHEN max(minute) - min(minute) < 120 THEN 1 ELSE 15 END AS step
          FROM guest_groups GROUP BY event_id
    ), answers AS (
        SELECT event_id, minute / step * step AS minute,
               sum(guests) FILTER (WHERE answer > 0)::bigint AS yes,
               sum(guests) FILTER (WHERE answer = 0)::bigint AS no
          FROM guest_groups JOIN counted USING (event_id) WHERE minute IS NOT NULL GROUP BY 1, 2
    )
    SELECT c.*, coalesce((
        SELECT array_agg(ARRAY[minute, coalesce(yes, 0), coalesce(no, 0)] ORDER BY minute)
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
