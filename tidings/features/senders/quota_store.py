"""The tables `rolling_counters` and `unique_recipients`: limits over a rolling 24 hours."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from uuid import UUID

from tidings.engine.db.reads import Read, Rows
from tidings.engine.db.tx import Tx

from .quotas import MinuteCount, RollingCounter, UniqueRecipients, minute_of

CounterKey = tuple[UUID, str]  # account, counter
RecipientKey = tuple[UUID, str, str]  # account, counter, phone


@dataclass(frozen=True, slots=True)
class CounterQuery:
    """A counter to load. `room_for`: how many reservations may follow; None: load every minute."""

    account_id: UUID
    counter: str
    limit: int | None
    now: datetime  # of the account
    room_for: int | None = None


_COUNTERS = """
    SELECT account_id, counter, minute, sum(used)::int AS used, max(last_at) AS last_at FROM (
        SELECT account_id, counter, m.used, m.last_at, CASE
               WHEN a.room_for IS NULL
                 OR sum(m.used) OVER (PARTITION BY account_id, counter) + a.room_for > a.places
               THEN m.minute ELSE date_trunc('minute', a.now, 'UTC') END AS minute
          FROM unnest($1::uuid[], $2::text[], $3::int[], $4::timestamptz[], $5::int[])
               AS a (account_id, counter, places, now, room_for)
          JOIN rolling_counters m USING (account_id, counter)
         WHERE m.minute > a.now - interval '24 hours 1 minute' AND m.used > 0
           AND (a.room_for IS NULL OR a.places IS NOT NULL)) AS shown
     GROUP BY account_id, counter, minute
"""


async def load_counters(
    tx: Tx, queries: Sequence[CounterQuery]
) -> dict[CounterKey, RollingCounter]:
    return await tx.result(read_counters(queries))


def read_counters(queries: Sequence[CounterQuery]) -> Read[dict[CounterKey, RollingCounter]]:
    """Every requested counter. One with room for all possible reservations is loaded as one sum;
    the single minutes are read only near the limit.
    """
    if not queries:
        return Read.known({})
    return Read(
        partial(_counters, queries),
        _COUNTERS,
        [query.account_id for query in queries],
        [query.counter for query in queries],
        [query.limit for query in queries],
        [query.now for query in queries],
        [query.room_for for query in queries],
    )


def _counters(queries: Sequence[CounterQuery], rows: Rows) -> dict[CounterKey, RollingCounter]:
    minutes: dict[CounterKey, list[MinuteCount]] = {}
    for account_id, counter, begins, used, last_at in rows:
        minutes.setdefault((account_id, counter), []).append(MinuteCount(begins, used, last_at))
    keys = [(query.account_id, query.counter) for query in queries]
    return {
        key: RollingCounter(query.limit, minutes.get(key, ()))
        for key, query in zip(keys, queries, strict=True)
    }


async def save_counters(tx: Tx, counters: Mapping[CounterKey, RollingCounter]) -> None:
    """Add the new reservations."""
    added = sorted(
        (account_id, name, minute.begins, minute.used, minute.last_at)
        for (account_id, name), counter in counters.items()
        for minute in counter.reserved.values()
    )
    if added:
        await tx.write(
            """
            INSERT INTO rolling_counters AS m (account_id, counter, minute, used, last_at)
            SELECT * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::int[],
                                 $5::timestamptz[])
            ON CONFLICT (account_id, counter, minute) DO UPDATE
               SET used = m.used + excluded.used, last_at = greatest(m.last_at, excluded.last_at)
            """,
            *_columns(added),
        )


async def release(tx: Tx, reserved: Iterable[tuple[UUID, str, datetime]]) -> None:
    """Release the reservations (account, counter, when) of messages that will not be sent."""
    counts = Counter((account_id, counter, minute_of(at)) for account_id, counter, at in reserved)
    if counts:
        await tx.run(
            """
            UPDATE rolling_counters m SET used = m.used - least(g.used, m.used)
              FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::int[])
                   AS g (account_id, counter, minute, used)
             WHERE m.account_id = g.account_id AND m.counter = g.counter AND m.minute = g.minute
            """,
            *_columns([(*key, counts[key]) for key in sorted(counts)]),
        )


_RECIPIENTS = """
    SELECT account_id, counter, phone, counted_at, holders FROM unique_recipients
      JOIN unnest($1::uuid[], $2::text[], $3::text[]) AS k (account_id, counter, phone)
     USING (account_id, counter, phone)
"""
Counted = dict[RecipientKey, tuple[datetime, int]]


def read_recipients(keys: Iterable[RecipientKey]) -> Read[Counted]:
    """When each of these recipients was counted, and how many messages rely on it; those not
    counted are absent."""
    unique_keys = sorted(set(keys))
    return Read(_counted, _RECIPIENTS, *_columns(unique_keys)) if unique_keys else Read.known({})


def _counted(rows: Rows) -> Counted:
    return {(row[0], row[1], row[2]): (row[3], row[4]) for row in rows}


async def save_recipients(tx: Tx, unique_recipients: Mapping[CounterKey, UniqueRecipients]) -> None:
    """Store who has been counted. The reservations themselves are saved with the counters."""
    held = sorted(
        (account_id, counter, phone, recipients.counted[phone], holders)
        for (account_id, counter), recipients in unique_recipients.items()
        for phone, holders in recipients.held.items()
    )
    if held:
        await tx.write(
            """
            INSERT INTO unique_recipients AS r (account_id, counter, phone, counted_at, holders)
            SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::int[])
            ON CONFLICT (account_id, counter, phone) DO UPDATE
               SET counted_at = excluded.counted_at, holders = excluded.holders
                 + CASE WHEN r.counted_at = excluded.counted_at THEN r.holders ELSE 0 END
            """,
            *_columns(held),
        )


async def move_earlier(tx: Tx, unique_recipients: Mapping[CounterKey, UniqueRecipients]) -> None:
    """Recipients now counted from an earlier time; the messages that rely on it stay the same.
    The new reservations are saved with the counters.
    """
    moved = sorted(
        (account_id, counter, phone, recipients.counted[phone], before)
        for (account_id, counter), recipients in unique_recipients.items()
        for phone, before in recipients.moved_from.items()
    )
    if moved:
        await release(tx, ((key[0], key[1], key[4]) for key in moved))
        await tx.run(
            """
            UPDATE unique_recipients r SET counted_at = m.counted_at
              FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])
                   AS m (account_id, counter, phone, counted_at)
             WHERE (r.account_id, r.counter, r.phone) = (m.account_id, m.counter, m.phone)
            """,
            *_columns([row[:4] for row in moved]),
        )


async def release_recipients(tx: Tx, keys: Iterable[RecipientKey]) -> None:
    """These messages will not be sent: a recipient no message relies on is no longer counted."""
    counts = Counter(keys)
    if counts:
        rows = await tx.rows(
            """
            WITH freed AS (
                SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[])
                       AS f (account_id, counter, phone, messages)),
            kept AS (
                UPDATE unique_recipients r SET holders = r.holders - f.messages FROM freed f
                 WHERE (r.account_id, r.counter, r.phone) = (f.account_id, f.counter, f.phone)
                   AND r.holders > f.messages)
            DELETE FROM unique_recipients r USING freed f
             WHERE (r.account_id, r.counter, r.phone) = (f.account_id, f.counter, f.phone)
               AND r.holders <= f.messages
            RETURNING r.account_id, r.counter, r.counted_at
            """,
            *_columns([(*key, counts[key]) for key in sorted(counts)]),
        )
        await release(tx, ((row["account_id"], row["counter"], row["counted_at"]) for row in rows))


async def purge(tx: Tx, before: Mapping[UUID, datetime], limit: int) -> int:
    """Delete what was counted before these times, at most `limit` rows per table; how many."""
    gone = 0
    for table, column in (("rolling_counters", "last_at"), ("unique_recipients", "counted_at")):
        gone += await tx.run(
            f"""
            DELETE FROM {table} WHERE ctid IN (
                SELECT t.ctid FROM {table} t
                  JOIN unnest($1::uuid[], $2::timestamptz[]) AS a (account_id, before)
                    ON t.account_id = a.account_id AND t.{column} < a.before
                 LIMIT $3 FOR UPDATE OF t SKIP LOCKED)
            """,
            list(before),
            list(before.values()),
            limit,
        )
    return gone


def _columns(rows: Sequence[tuple[object, ...]]) -> list[list[object]]:
    return [list(column) for column in zip(*rows, strict=True)]
