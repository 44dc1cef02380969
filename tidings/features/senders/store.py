"""The tables `numbers`, `meter_minutes` and `reach`. The only file that knows their columns."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from uuid import UUID

from tidings.engine.db.tx import Tx

from .meters import Meter, Minute, Reach, begin
from .model import Health, Number
from .pace import Pace

NumberKey = tuple[UUID, str]  # account, number
MeterKey = tuple[UUID, str]  # account, meter
PersonKey = tuple[UUID, str, str]  # account, meter, phone

COLUMNS = ", ".join(field.name for field in fields(Number) if field.name != "on_trial")
_NOT_SAVED = ("fault", "refusal", "on_trial")  # not the file's to say
SAVED = [field.name for field in fields(Number) if field.name not in _NOT_SAVED]


async def load_numbers(tx: Tx, account_ids: Sequence[UUID]) -> dict[UUID, list[Number]]:
    """The numbers of each account, in order of preference. Every id asked for has an entry."""
    rows = await tx.rows(
        f"""
        SELECT account_id, {COLUMNS} FROM numbers
         WHERE account_id = ANY($1::uuid[]) ORDER BY account_id, position
        """,
        list(account_ids),
    )
    found: dict[UUID, list[Number]] = {account_id: [] for account_id in account_ids}
    for row in rows:
        values = dict(row)
        found[values.pop("account_id")].append(Number(**values))
    return found


async def find_holders(tx: Tx, phone_number_ids: Sequence[str]) -> dict[str, UUID]:
    """Which account each of the platform's phone number ids belongs to."""
    rows = await tx.rows(
        "SELECT phone_number_id, account_id FROM numbers WHERE phone_number_id = ANY($1::text[])",
        list(phone_number_ids),
    )
    return {row["phone_number_id"]: row["account_id"] for row in rows}


async def delete_others(tx: Tx, account_id: UUID, kept: Sequence[str]) -> int:
    return await tx.run(
        "DELETE FROM numbers WHERE account_id = $1 AND number <> ALL($2::text[])",
        account_id,
        list(kept),
    )


async def save(tx: Tx, account_id: UUID, numbers: Sequence[Number]) -> None:
    """Write numbers as declared. The health of one that exists stays what the platform said."""
    await tx.run(
        """
        INSERT INTO numbers (account_id, number, position, display_name, phone_number_id, waba_id,
               portfolio_id, access_token, per_second, daily_limit, status, quality,
               platform_per_second, platform_daily_limit, platform_portfolio_id, verified_name)
        SELECT $1, * FROM unnest($2::text[], $3::int[], $4::text[], $5::text[], $6::text[],
               $7::text[], $8::bytea[], $9::int[], $10::int[], $11::text[], $12::text[],
               $13::int[], $14::int[], $15::text[], $16::text[])
        ON CONFLICT (account_id, number) DO UPDATE SET
            (position, display_name, phone_number_id, waba_id, portfolio_id, access_token,
             per_second, daily_limit, platform_per_second, platform_daily_limit,
             platform_portfolio_id, verified_name) =
            (excluded.position, excluded.display_name, excluded.phone_number_id, excluded.waba_id,
             excluded.portfolio_id, excluded.access_token, excluded.per_second,
             excluded.daily_limit, excluded.platform_per_second, excluded.platform_daily_limit,
             excluded.platform_portfolio_id, excluded.verified_name)
        """,
        account_id,
        *([getattr(number, name) for number in numbers] for name in SAVED),
    )


async def change_health(
    tx: Tx, account_id: UUID, number: str, *, status: str | None, quality: str | None
) -> Health | None:
    """Set what is given; how it was before, or None when nothing was to change."""
    row = await tx.row(
        """
        UPDATE numbers n SET status = coalesce($3, n.status), quality = coalesce($4, n.quality),
               refusal = CASE WHEN $3 IS NULL THEN n.refusal END
          FROM (SELECT account_id, number, status, quality, fault FROM numbers
                 WHERE account_id = $1 AND number = $2 FOR UPDATE) AS old
         WHERE n.account_id = old.account_id AND n.number = old.number
           AND (old.status <> coalesce($3, old.status) OR old.quality <> coalesce($4, old.quality))
        RETURNING old.status, old.quality, old.fault IS NOT NULL AS blocked
        """,
        account_id,
        number,
        status,
        quality,
    )
    return None if row is None else Health(row["status"], row["quality"], row["blocked"])


# Slots of the numbers' rates


async def lock_paces(
    tx: Tx, keys: Iterable[NumberKey], with_passcodes: Collection[UUID] = ()
) -> dict[NumberKey, Pace]:
    """The paces of these numbers, each locked until commit, always in the same order.

    The lock is also what keeps two processes from taking one place of a meter: lock all numbers of
    an account before reading its meters. `with_passcodes`: accounts that can send passcodes.
    """
    asked = sorted(set(keys))
    rows = await tx.rows(
        """
        SELECT account_id, number, least(per_second, platform_per_second) AS rate, next_free_at,
               otp_next_free_at, planned_until, trial_at, slowed, slowed_at, access_token
          FROM numbers
          JOIN unnest($1::uuid[], $2::text[]) AS k (account_id, number) USING (account_id, number)
         ORDER BY account_id, number FOR UPDATE OF numbers
        """,
        [account_id for account_id, _ in asked],
        [number for _, number in asked],
    )
    return {
        (row["account_id"], row["number"]): Pace(
            row["rate"],
            row["account_id"] in with_passcodes,
            row["next_free_at"],
            row["otp_next_free_at"],
            row["planned_until"],
            row["trial_at"],
            row["slowed"],
            row["slowed_at"],
            row["access_token"],
        )
        for row in rows
    }


async def save_paces(tx: Tx, paces: Mapping[NumberKey, Pace]) -> None:
    """Write those that have moved."""
    moved = [(key, pace) for key, pace in paces.items() if pace.moved]
    if moved:
        await tx.run(
            """
            UPDATE numbers n SET (next_free_at, otp_next_free_at, planned_until, trial_at) =
                   (p.next_free_at, p.otp_next_free_at, p.planned_until, p.trial_at)
              FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::timestamptz[],
                          $5::timestamptz[], $6::timestamptz[])
                   AS p (account_id, number, next_free_at, otp_next_free_at, planned_until,
                         trial_at)
             WHERE n.account_id = p.account_id AND n.number = p.number
            """,
            [key[0] for key, _ in moved],
            [key[1] for key, _ in moved],
            [pace.next_free_at for _, pace in moved],
            [pace.otp_next_free_at for _, pace in moved],
            [pace.planned_until for _, pace in moved],
            [pace.trial_at for _, pace in moved],
        )


# Places of the limits over a rolling 24 hours


@dataclass(frozen=True, slots=True)
class MeterAsk:
    """A meter to load. `room_for`: how many places may be asked of it; None: all it knows."""

    account_id: UUID
    meter: str
    limit: int | None
    now: datetime  # of the account
    room_for: int | None = None


async def load_meters(tx: Tx, asks: Sequence[MeterAsk]) -> dict[MeterKey, Meter]:
    """Every meter asked for. One with room enough for all that may be asked is loaded as one sum:
    the minutes of a day are read only where they decide something.
    """
    rows = await tx.rows(
        """
        SELECT account_id, meter, minute, sum(used)::int AS used, max(last_at) AS last_at FROM (
            SELECT account_id, meter, m.used, m.last_at, CASE
                   WHEN a.room_for IS NULL
                     OR sum(m.used) OVER (PARTITION BY account_id, meter) + a.room_for > a.places
                   THEN m.minute ELSE date_trunc('minute', a.now, 'UTC') END AS minute
              FROM unnest($1::uuid[], $2::text[], $3::int[], $4::timestamptz[], $5::int[])
                   AS a (account_id, meter, places, now, room_for)
              JOIN meter_minutes m USING (account_id, meter)
             WHERE m.minute > a.now - interval '24 hours 1 minute' AND m.used > 0
               AND (a.room_for IS NULL OR a.places IS NOT NULL)) AS shown
         GROUP BY account_id, meter, minute
        """,
        [ask.account_id for ask in asks],
        [ask.meter for ask in asks],
        [ask.limit for ask in asks],
        [ask.now for ask in asks],
        [ask.room_for for ask in asks],
    )
    minutes: dict[MeterKey, list[Minute]] = {}
    for row in rows:
        minute = Minute(row["minute"], row["used"], row["last_at"])
        minutes.setdefault((row["account_id"], row["meter"]), []).append(minute)
    keys = [(ask.account_id, ask.meter) for ask in asks]
    return {
        key: Meter(ask.limit, minutes.get(key, ())) for key, ask in zip(keys, asks, strict=True)
    }


async def save_meters(tx: Tx, meters: Mapping[MeterKey, Meter]) -> None:
    """Add what has been taken of them."""
    taken = sorted(
        (account_id, name, minute.begins, minute.used, minute.last_at)
        for (account_id, name), meter in meters.items()
        for minute in meter.taken.values()
    )
    if taken:
        await tx.run(
            """
            INSERT INTO meter_minutes AS m (account_id, meter, minute, used, last_at)
            SELECT * FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::int[],
                                 $5::timestamptz[])
            ON CONFLICT (account_id, meter, minute) DO UPDATE
               SET used = m.used + excluded.used, last_at = greatest(m.last_at, excluded.last_at)
            """,
            *_columns(taken),
        )


async def give_back(tx: Tx, places: Iterable[tuple[UUID, str, datetime]]) -> None:
    """Free the places (account, meter, when) of messages that will not go."""
    counts = Counter((account_id, meter, begin(at)) for account_id, meter, at in places)
    if counts:
        await tx.run(
            """
            UPDATE meter_minutes m SET used = m.used - least(g.used, m.used)
              FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::int[])
                   AS g (account_id, meter, minute, used)
             WHERE m.account_id = g.account_id AND m.meter = g.meter AND m.minute = g.minute
            """,
            *_columns([(*key, counts[key]) for key in sorted(counts)]),
        )


async def load_reach(tx: Tx, keys: Iterable[PersonKey]) -> dict[PersonKey, tuple[datetime, int]]:
    """When each of these people was counted, and how many messages rely on it; those who are not
    are absent."""
    asked = sorted(set(keys))
    if not asked:
        return {}
    rows = await tx.rows(
        """
        SELECT account_id, meter, phone, counted_at, holders FROM reach
          JOIN unnest($1::uuid[], $2::text[], $3::text[]) AS k (account_id, meter, phone)
         USING (account_id, meter, phone)
        """,
        *_columns(asked),
    )
    return {
        (row["account_id"], row["meter"], row["phone"]): (row["counted_at"], row["holders"])
        for row in rows
    }


async def save_reach(tx: Tx, reaches: Mapping[MeterKey, Reach]) -> None:
    """Remember who has been counted. The places themselves are saved with the meters."""
    held = sorted(
        (account_id, meter, phone, reach.counted[phone], holders)
        for (account_id, meter), reach in reaches.items()
        for phone, holders in reach.held.items()
    )
    if held:
        await tx.run(
            """
            INSERT INTO reach AS r (account_id, meter, phone, counted_at, holders)
            SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::int[])
            ON CONFLICT (account_id, meter, phone) DO UPDATE
               SET counted_at = excluded.counted_at, holders = excluded.holders
                 + CASE WHEN r.counted_at = excluded.counted_at THEN r.holders ELSE 0 END
            """,
            *_columns(held),
        )


async def bring_forward(tx: Tx, reaches: Mapping[MeterKey, Reach]) -> None:
    """People who are counted from an earlier time than they were; who relies on it, still does.
    The new places are saved with the meters.
    """
    moved = sorted(
        (account_id, meter, phone, reach.counted[phone], before)
        for (account_id, meter), reach in reaches.items()
        for phone, before in reach.moved.items()
    )
    if moved:
        await give_back(tx, ((key[0], key[1], key[4]) for key in moved))
        await tx.run(
            """
            UPDATE reach r SET counted_at = m.counted_at
              FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[])
                   AS m (account_id, meter, phone, counted_at)
             WHERE (r.account_id, r.meter, r.phone) = (m.account_id, m.meter, m.phone)
            """,
            *_columns([row[:4] for row in moved]),
        )


async def let_go(tx: Tx, people: Iterable[PersonKey]) -> None:
    """These messages will not go: a person nobody relies on any more gives the place back."""
    counts = Counter(people)
    if counts:
        rows = await tx.rows(
            """
            WITH freed AS (
                SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::int[])
                       AS f (account_id, meter, phone, messages)),
            kept AS (
                UPDATE reach r SET holders = r.holders - f.messages FROM freed f
                 WHERE (r.account_id, r.meter, r.phone) = (f.account_id, f.meter, f.phone)
                   AND r.holders > f.messages)
            DELETE FROM reach r USING freed f
             WHERE (r.account_id, r.meter, r.phone) = (f.account_id, f.meter, f.phone)
               AND r.holders <= f.messages
            RETURNING r.account_id, r.meter, r.counted_at
            """,
            *_columns([(*key, counts[key]) for key in sorted(counts)]),
        )
        await give_back(tx, ((row["account_id"], row["meter"], row["counted_at"]) for row in rows))


async def purge(tx: Tx, before: Mapping[UUID, datetime], limit: int) -> int:
    """Forget what was counted before an account's time, some rows at a time; how many."""
    gone = 0
    for table, column in (("meter_minutes", "last_at"), ("reach", "counted_at")):
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
