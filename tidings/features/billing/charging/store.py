"""The tables `charges`, `charged_numbers` and `usage_days`. The only file that knows their columns.

`charges` is append-only, and its primary key allows each charge to be resolved only once. The other
two are derived from it: the numbers that had their unique message, and the totals per day.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from functools import lru_cache
from typing import Any
from uuid import UUID

import msgspec

from tidings.engine.db.bulk_rows import BulkRows
from tidings.engine.db.partitions import span
from tidings.engine.db.reads import Read, Rows
from tidings.engine.db.tx import Row, Tx

from ..model import Charge, ChargeCount, ChargeEntry, ChargeKind, ChargeRecord, DayUse

NumberKey = tuple[UUID, int, str]  # account, subscription, phone
DayKey = tuple[
    UUID, date, int, int, ChargeKind, int
]  # account, day, subscription, term, kind, price

_ROWS = BulkRows(
    {
        "account_id": "uuid", "message_id": "uuid", "subscription_id": "int", "term": "int",
        "partner_id": "uuid", "price_micro": "bigint", "at": "timestamptz",
    },
    constant=("account_id", "kind", "subscription_id", "term", "partner_id", "price_micro", "at"),
)  # fmt: skip


# Reserving


_CHARGED_NUMBERS = """
    SELECT k.account_id, k.phone FROM unnest($1::uuid[], $2::int[], $3::text[])
           AS k (account_id, subscription_id, phone)
      JOIN charged_numbers USING (account_id, subscription_id, phone)
"""
# The usual case, a batch: one index scan.
_CHARGED_NUMBERS_OF_ONE = """
    SELECT account_id, phone FROM charged_numbers
     WHERE account_id = $1 AND subscription_id = $2 AND phone = ANY($3::text[])
"""


def read_charged_numbers(keys: Sequence[NumberKey]) -> Read[dict[UUID, set[str]]]:
    """The numbers among these that had their unique message, by account."""
    if len({key[:2] for key in keys}) == 1:
        account_id, subscription_id, _ = keys[0]
        phones = [phone for _, _, phone in keys]
        return Read(_by_account, _CHARGED_NUMBERS_OF_ONE, account_id, subscription_id, phones)
    return Read(_by_account, _CHARGED_NUMBERS, *_columns(keys)) if keys else Read.known({})


def _by_account(rows: Rows) -> dict[UUID, set[str]]:
    found: dict[UUID, set[str]] = {}
    for account_id, phone in rows:
        found.setdefault(account_id, set()).add(phone)
    return found


async def reserve(tx: Tx, charges: Sequence[Charge]) -> None:
    """Write charges and the rows derived from them. If a number got its unique message since it was
    read, that is a Conflict (retried); ON CONFLICT would double the cost of each insert.
    """
    source, arguments = _ROWS.source(
        {
            "account_id": [one.account_id for one in charges],
            "message_id": [one.message_id for one in charges],
            "kind": [one.kind.value for one in charges],
            "subscription_id": [one.subscription_id for one in charges],
            "term": [one.term for one in charges],
            "partner_id": [one.partner_id for one in charges],
            "price_micro": [one.price_micro for one in charges],
            "at": [one.at for one in charges],
            "phone": [one.phone for one in charges],
        }
    )
    await tx.write(_reserve(source), *arguments, unique="charged_numbers")


@lru_cache(maxsize=8)
def _reserve(source: str) -> str:
    return f"""
        WITH charged AS (SELECT * FROM {source}),
        reserved AS (
            INSERT INTO charges (account_id, message_id, entry, kind, subscription_id, term,
                                 partner_id, price_micro, at)
            SELECT account_id, message_id, 'RESERVE', kind, subscription_id, term, partner_id,
                   price_micro, at FROM charged),
        counted AS (
            INSERT INTO usage_days AS u (account_id, day, subscription_id, term, kind, price_micro,
                                         charged)
            SELECT account_id, (at AT TIME ZONE 'UTC')::date, coalesce(subscription_id, 0),
                   coalesce(term, 0), kind, price_micro, count(*) FROM charged
             GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
            ON CONFLICT (account_id, day, subscription_id, term, kind, price_micro) DO UPDATE
               SET charged = u.charged + excluded.charged)
        INSERT INTO charged_numbers (account_id, subscription_id, phone, message_id)
        SELECT account_id, subscription_id, phone, message_id FROM charged
         WHERE kind = 'UNIQUE'
    """


# Resolving


class Resolved(msgspec.Struct, frozen=True):
    """A charge that has just been settled or refunded, as it was reserved."""

    account_id: UUID
    message_id: UUID
    kind: ChargeKind
    subscription_id: int | None
    term: int | None
    partner_id: UUID | None
    price_micro: int
    at: datetime  # of the resolution


_RESOLVE = """
    INSERT INTO charges (account_id, message_id, entry, kind, subscription_id, term, partner_id,
                         price_micro, at)
    SELECT c.account_id, c.message_id, $4, c.kind, c.subscription_id, c.term, c.partner_id,
           c.price_micro, k.at
      FROM unnest($1::uuid[], $2::uuid[], $3::timestamptz[]) AS k (account_id, message_id, at)
      JOIN charges c ON c.account_id = k.account_id AND c.message_id = k.message_id
       AND NOT c.resolves
     WHERE c.message_id BETWEEN $5 AND $6
    ON CONFLICT (account_id, message_id, resolves) DO NOTHING
"""
_RETURNING = """
    RETURNING account_id, message_id, kind, subscription_id, term, partner_id, price_micro, at
"""


async def settle(tx: Tx, items: Sequence[tuple[UUID, UUID, datetime]]) -> None:
    """A charge that was resolved already is left unchanged."""
    await tx.write(_RESOLVE, *_columns(items), ChargeEntry.SETTLE, *_messages(items))


async def refund(tx: Tx, items: Sequence[tuple[UUID, UUID, datetime]]) -> list[Resolved]:
    """Returns the charges that this call refunded."""
    rows = await tx.rows(
        _RESOLVE + _RETURNING, *_columns(items), ChargeEntry.REFUND, *_messages(items)
    )
    return [Resolved(row[0], row[1], ChargeKind(row[2]), *row[3:]) for row in rows]


def _messages(items: Sequence[tuple[UUID, UUID, datetime]]) -> tuple[object, ...]:
    return span([message_id for _, message_id, _ in items])


async def release_numbers(tx: Tx, items: Sequence[tuple[UUID, int, str, UUID]]) -> None:
    """Delete numbers whose unique message was refunded (account, subscription, phone, message)."""
    await tx.run(
        """
        DELETE FROM charged_numbers n
         USING unnest($1::uuid[], $2::int[], $3::text[], $4::uuid[])
               AS f (account_id, subscription_id, phone, message_id)
         WHERE n.account_id = f.account_id AND n.subscription_id = f.subscription_id
           AND n.phone = f.phone AND n.message_id = f.message_id
        """,
        *_columns(items),
    )


# Totals per day


async def count_refunds(tx: Tx, refunded: Iterable[DayKey]) -> None:
    counts = Counter(refunded)
    keys = sorted(counts)
    await tx.run(
        """
        INSERT INTO usage_days AS u (account_id, day, subscription_id, term, kind, price_micro,
                                     refunded)
        SELECT * FROM unnest($1::uuid[], $2::date[], $3::int[], $4::int[], $5::text[],
                             $6::bigint[], $7::int[])
        ON CONFLICT (account_id, day, subscription_id, term, kind, price_micro) DO UPDATE
           SET refunded = u.refunded + excluded.refunded
        """,
        *_columns(keys),
        [counts[key] for key in keys],
    )


async def load_counts(
    tx: Tx, account_id: UUID, subscription_id: int, term: int
) -> Sequence[ChargeCount]:
    """The totals by kind and price, for the term's invoice."""
    rows = await tx.rows(
        """
        SELECT kind, price_micro, sum(charged)::bigint AS charged, sum(refunded)::bigint AS refunded
          FROM usage_days WHERE account_id = $1 AND subscription_id = $2 AND term = $3
         GROUP BY kind, price_micro ORDER BY kind DESC, price_micro
        """,
        account_id,
        subscription_id,
        term,
    )
    return [ChargeCount(ChargeKind(row[0]), row[1], row[2], row[3]) for row in rows]


async def load_days(tx: Tx, account_ids: Sequence[UUID], first: date, last: date) -> list[DayUse]:
    """The daily totals over all of these accounts."""
    rows = await tx.rows(
        """
        SELECT day, kind, sum(charged)::bigint, sum(refunded)::bigint,
               sum((charged - refunded) * price_micro)::bigint
          FROM usage_days WHERE account_id = ANY($1::uuid[]) AND day BETWEEN $2 AND $3
         GROUP BY day, kind ORDER BY day, kind
        """,
        list(account_ids),
        first,
        last,
    )
    return [DayUse(row[0], ChargeKind(row[1]), *row[2:]) for row in rows]


async def load_sums(
    tx: Tx, account_ids: Sequence[UUID], first: date, last: date
) -> dict[UUID, tuple[int, int]]:
    """Messages charged and refunded by each of these accounts; those without any are omitted."""
    rows = await tx.rows(
        """
        SELECT account_id, sum(charged)::bigint, sum(refunded)::bigint FROM usage_days
         WHERE account_id = ANY($1::uuid[]) AND day BETWEEN $2 AND $3 GROUP BY account_id
        """,
        list(account_ids),
        first,
        last,
    )
    return {row[0]: (row[1], row[2]) for row in rows}


# Single charges


async def load_charges(
    tx: Tx,
    account_id: UUID,
    *,
    since: datetime | None,
    until: datetime | None,
    within: tuple[UUID | None, UUID | None],
    size: int,
) -> list[ChargeRecord]:
    """The newest first: message ids are in the order of acceptance.

    `within`: the range of message ids, from inclusive, to exclusive.
    """
    rows = await tx.rows(
        """
        SELECT c.message_id, c.kind, c.price_micro, c.at, coalesce(r.entry, c.entry), r.at,
               s.package, s.currency
          FROM charges c
          LEFT JOIN charges r ON r.account_id = c.account_id AND r.message_id = c.message_id
               AND r.resolves
          LEFT JOIN subscriptions s ON s.account_id = c.account_id AND s.id = c.subscription_id
         WHERE c.account_id = $1 AND NOT c.resolves
           AND c.message_id >= coalesce($2, '00000000-0000-0000-0000-000000000000'::uuid)
           AND c.message_id < coalesce($3, 'ffffffff-ffff-ffff-ffff-ffffffffffff'::uuid)
           AND ($4::timestamptz IS NULL OR c.at >= $4) AND ($5::timestamptz IS NULL OR c.at < $5)
         ORDER BY c.message_id DESC LIMIT $6
        """,
        account_id,
        *within,
        since,
        until,
        size,
    )
    return [_record(row) for row in rows]


def _record(row: Row) -> ChargeRecord:
    return ChargeRecord(
        message_id=row[0],
        kind=ChargeKind(row[1]),
        price_micro=row[2],
        charged_at=row[3],
        entry=ChargeEntry(row[4]),
        resolved_at=row[5],
        package=row[6],
        currency=row[7],
    )


def _columns(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
