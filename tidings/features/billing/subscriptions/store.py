"""The tables `subscriptions` and `subscription_terms`. The only file that knows their columns."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from tidings.engine.db.reads import Read, Rows
from tidings.engine.db.tx import Row, Tx

from ..model import BillingType, Span, Subscription, Term, TermKey

_SUBSCRIPTION = tuple(Subscription.__dataclass_fields__)
_TERM = (
    "unique_quota", "followup_quota", "unique_used", "followup_used", "accrued_micro",
    "carried_micro", "closed_at",
)  # fmt: skip


# Subscriptions


async def load_subscriptions(
    tx: Tx, account_ids: Sequence[UUID], *, locked: bool = False
) -> dict[UUID, list[Subscription]]:
    """Each account's subscriptions, the oldest first."""
    rows = await tx.rows(
        f"""
        SELECT {", ".join(_SUBSCRIPTION)} FROM subscriptions
         WHERE account_id = ANY($1::uuid[]) ORDER BY account_id, id
         {"FOR NO KEY UPDATE" if locked else ""}
        """,
        list(account_ids),
    )
    found: dict[UUID, list[Subscription]] = {account_id: [] for account_id in account_ids}
    for row in rows:
        found[row["account_id"]].append(_subscription(row))
    return found


async def put_subscription(tx: Tx, subscription: Subscription) -> None:
    """Insert or update."""
    values = [getattr(subscription, name) for name in _SUBSCRIPTION]
    await tx.run(_PUT, *values)


_PUT = f"""
    INSERT INTO subscriptions ({", ".join(_SUBSCRIPTION)})
    VALUES ({", ".join(f"${number}" for number in range(1, len(_SUBSCRIPTION) + 1))})
    ON CONFLICT (account_id, id) DO UPDATE
       SET {", ".join(f"{name} = excluded.{name}" for name in _SUBSCRIPTION[2:])}
"""


async def delete_subscription(tx: Tx, account_id: UUID, subscription_id: int) -> None:
    """Delete a subscription that has not started."""
    await tx.run(
        "DELETE FROM subscriptions WHERE account_id = $1 AND id = $2", account_id, subscription_id
    )


def _subscription(row: Row) -> Subscription:
    values = dict(row) | {"billing_type": BillingType(row["billing_type"])}
    return Subscription(**values)


# Terms


_TERMS = f"""
    SELECT account_id, subscription_id, term, {", ".join(_TERM)} FROM subscription_terms
     WHERE (account_id, subscription_id, term)
           IN (SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[]))
"""


def read_terms(keys: Sequence[TermKey]) -> Read[dict[TermKey, Term]]:
    """The terms among these that have a row."""
    return Read(_terms, _TERMS, *_columns(keys)) if keys else Read.known({})


def _terms(rows: Rows) -> dict[TermKey, Term]:
    return {(row[0], row[1], row[2]): Term(*row[3:]) for row in rows}


async def load_terms(tx: Tx, keys: Sequence[TermKey]) -> dict[TermKey, Term]:
    return await tx.result(read_terms(keys))


async def open_term(tx: Tx, subscription: Subscription, span: Span, carried_micro: int = 0) -> None:
    """Create the term's row if it is missing, and carry over credit from the previous term."""
    await tx.run(
        """
        INSERT INTO subscription_terms AS t (account_id, subscription_id, term, starts_at,
               unique_quota, followup_quota, may_exceed, carried_micro)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (account_id, subscription_id, term) DO UPDATE
           SET carried_micro = excluded.carried_micro WHERE excluded.carried_micro <> 0
        """,
        subscription.account_id,
        subscription.id,
        span.number,
        span.starts_at,
        subscription.unique_quota,
        subscription.followup_quota,
        subscription.is_metered,
        carried_micro,
    )


async def change_quota(tx: Tx, subscription: Subscription) -> None:
    """Set the quota of the open terms. Usage above a lowered quota is kept."""
    await tx.run(
        """
        UPDATE subscription_terms SET unique_quota = $3, followup_quota = $4,
               may_exceed = may_exceed OR unique_used > $3 OR followup_used > $4
         WHERE account_id = $1 AND subscription_id = $2 AND closed_at IS NULL
        """,
        subscription.account_id,
        subscription.id,
        subscription.unique_quota,
        subscription.followup_quota,
    )


class QuotaDraw(msgspec.Struct, frozen=True):
    """The quota and money that a batch draws from a term."""

    unique: int
    followup: int
    micro: int
    bounded: bool  # by the quota
    limit_micro: int | None  # the most that may be owed afterwards, or None: no limit


async def draw(tx: Tx, draws: Mapping[TermKey, QuotaDraw]) -> None:
    """Draw from the terms. If one is closed or has not enough left, that is a Conflict."""
    await _lock(tx, draws)
    await tx.write(
        """
        UPDATE subscription_terms t
           SET unique_used = t.unique_used + d.u, followup_used = t.followup_used + d.f,
               accrued_micro = t.accrued_micro + d.m, may_exceed = t.may_exceed OR NOT d.bounded
          FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::int[], $6::bigint[],
                      $7::bool[], $8::bigint[]) AS d (a, s, n, u, f, m, bounded, most)
         WHERE (t.account_id, t.subscription_id, t.term) = (d.a, d.s, d.n) AND t.closed_at IS NULL
           AND (d.most IS NULL OR t.accrued_micro + t.carried_micro + d.m <= d.most)
           AND (NOT d.bounded OR ((d.u = 0 OR t.unique_used + d.u <= t.unique_quota)
                AND (d.f = 0 OR t.followup_used + d.f <= t.followup_quota)))
        """,
        *_columns(list(draws)),
        [one.unique for one in draws.values()],
        [one.followup for one in draws.values()],
        [one.micro for one in draws.values()],
        [one.bounded for one in draws.values()],
        [one.limit_micro for one in draws.values()],
        expected=len(draws),
    )


async def release(
    tx: Tx, returned: Mapping[TermKey, tuple[int, int, int]]
) -> dict[TermKey, datetime | None]:
    """Return unique and follow-up quota and millionths to the terms they were drawn from.

    In a closed term only the counts are corrected, since its money is on an invoice. Returns when
    each term was closed.
    """
    await _lock(tx, returned)
    rows = await tx.rows(
        """
        UPDATE subscription_terms t
           SET unique_used = t.unique_used - d.u, followup_used = t.followup_used - d.f,
               accrued_micro = t.accrued_micro - CASE WHEN t.closed_at IS NULL THEN d.m ELSE 0 END
          FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::int[], $6::bigint[])
               AS d (a, s, n, u, f, m)
         WHERE (t.account_id, t.subscription_id, t.term) = (d.a, d.s, d.n)
        RETURNING t.account_id, t.subscription_id, t.term, t.closed_at
        """,
        *_columns(list(returned)),
        *_columns(list(returned.values())),
    )
    return {(row[0], row[1], row[2]): row[3] for row in rows}


async def credit(tx: Tx, amounts: Mapping[TermKey, int]) -> int:
    """Credit refunds of invoiced terms to open terms; returns how many terms were updated."""
    await _lock(tx, amounts)
    return await tx.run(
        """
        UPDATE subscription_terms t SET accrued_micro = t.accrued_micro - d.m
          FROM unnest($1::uuid[], $2::int[], $3::int[], $4::bigint[]) AS d (a, s, n, m)
         WHERE (t.account_id, t.subscription_id, t.term) = (d.a, d.s, d.n) AND t.closed_at IS NULL
        """,
        *_columns(list(amounts)),
        list(amounts.values()),
    )


async def _lock(tx: Tx, keys: Iterable[TermKey]) -> None:
    """Lock in key order. An UPDATE locks rows in plan order, so two of them could deadlock."""
    ordered = sorted(keys)
    if len(ordered) > 1:
        await tx.rows(
            """
            SELECT 1 FROM subscription_terms
             WHERE (account_id, subscription_id, term)
                   IN (SELECT * FROM unnest($1::uuid[], $2::int[], $3::int[]))
             ORDER BY account_id, subscription_id, term FOR UPDATE
            """,
            *_columns(ordered),
        )


# The end of a term


async def find_last_closed(tx: Tx, account_id: UUID) -> dict[int, int]:
    """The last closed term by subscription."""
    rows = await tx.rows(
        """
        SELECT subscription_id, max(term) AS term FROM subscription_terms
         WHERE account_id = $1 AND closed_at IS NOT NULL GROUP BY subscription_id
        """,
        account_id,
    )
    return {row["subscription_id"]: row["term"] for row in rows}


async def close_term(tx: Tx, key: TermKey, closed_at: datetime) -> Term:
    """Close a term to further charges. A concurrent charge waits for the row lock, then retries."""
    row = await tx.row(
        f"""
        UPDATE subscription_terms SET closed_at = $4
         WHERE account_id = $1 AND subscription_id = $2 AND term = $3 RETURNING {", ".join(_TERM)}
        """,
        *key,
        closed_at,
    )
    assert row is not None, "a term is opened before it is closed"
    return Term(*row)


async def note_invoice(tx: Tx, key: TermKey, number: str) -> None:
    await tx.run(
        """
        UPDATE subscription_terms SET invoice_number = $4
         WHERE account_id = $1 AND subscription_id = $2 AND term = $3
        """,
        *key,
        number,
    )


def _columns(rows: Sequence[Sequence[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]
