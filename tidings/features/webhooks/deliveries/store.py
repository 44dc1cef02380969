"""The table `webhooks` as a list of deliveries: each event with what became of its posts."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.order import Order
from tidings.engine.db.tx import Row, Tx

from ..store import ADDRESS, ADDRESSED, Attempt

Position = tuple[int, int]  # the transaction that wrote the event, and its sequence number

_COLUMNS = f"""
    w.id, w.type, w.created_at, w.state, {ADDRESS} AS url, w.failed_at, w.cycle, w.attempts,
    w.written_by::text::bigint AS written_by, w.seq
"""


class Delivery(msgspec.Struct, frozen=True):
    """An event, where it goes now, and its attempts, the oldest first."""

    id: str
    type: str
    created_at: datetime
    state: str
    url: str | None
    failed_at: datetime | None
    cycle: int
    attempts: list[Attempt]
    position: Position

    @property
    def last(self) -> Attempt | None:
        return self.attempts[-1] if self.attempts else None


async def load_page(
    tx: Tx, account_id: UUID, before: Position | None, limit: int, order: Order
) -> list[Delivery]:
    """`before`: where the previous page ended, in this order."""
    rows = await tx.rows(
        f"""
        SELECT {_COLUMNS} FROM webhooks w {ADDRESSED}
         WHERE w.account_id = $1
           AND ($2::bigint IS NULL
                OR (w.written_by, w.seq) {order.after} ($2::bigint::text::xid8, $3))
         ORDER BY w.written_by {order.value}, w.seq {order.value} LIMIT $4
        """,
        account_id,
        None if before is None else before[0],
        0 if before is None else before[1],
        limit,
    )
    return [_delivery(row) for row in rows]


async def load_failed(
    tx: Tx, account_id: UUID, before: tuple[datetime, str] | None, limit: int, order: Order
) -> list[Delivery]:
    """Failed webhooks, by the time of their last attempt."""
    failed_at, webhook_id = before or (None, "")
    rows = await tx.rows(
        f"""
        SELECT {_COLUMNS} FROM webhooks w {ADDRESSED}
         WHERE w.account_id = $1 AND w.failed_at IS NOT NULL
           AND ($2::timestamptz IS NULL OR (w.failed_at, w.id) {order.after} ($2, $3))
         ORDER BY w.failed_at {order.value}, w.id {order.value} LIMIT $4
        """,
        account_id,
        failed_at,
        webhook_id,
        limit,
    )
    return [_delivery(row) for row in rows]


async def find(tx: Tx, account_id: UUID, webhook_id: str) -> tuple[Delivery, bytes] | None:
    """One event with its body."""
    row = await tx.row(
        f"""
        SELECT {_COLUMNS}, w.body FROM webhooks w {ADDRESSED}
         WHERE w.account_id = $1 AND w.id = $2
        """,
        account_id,
        webhook_id,
    )
    return None if row is None else (_delivery(row), row["body"])


async def load_hours(tx: Tx, account_id: UUID, since: datetime, events: int) -> Sequence[Row]:
    """Attempts since then, of the newest events, by the hour in UTC."""
    return await tx.rows(
        """
        WITH attempted AS (
            SELECT (one->>'at')::timestamptz AS at, (one->>'ms')::integer AS ms,
                   coalesce((one->>'status')::integer BETWEEN 200 AND 299, false) AS is_good
              FROM (SELECT attempts FROM webhooks WHERE account_id = $1
                     ORDER BY written_by DESC, seq DESC LIMIT $3) newest,
                   jsonb_array_elements(attempts) one
        )
        SELECT date_trunc('hour', at, 'UTC') AS begins_at,
               count(*) FILTER (WHERE is_good) AS succeeded,
               count(*) FILTER (WHERE NOT is_good) AS failed,
               percentile_disc(0.5) WITHIN GROUP (ORDER BY ms) AS median_ms,
               percentile_disc(0.95) WITHIN GROUP (ORDER BY ms) AS slow_ms
          FROM attempted WHERE at >= $2 GROUP BY 1
        """,
        account_id,
        since,
        events,
    )


def _delivery(row: Row) -> Delivery:
    return Delivery(
        id=row["id"],
        type=row["type"],
        created_at=row["created_at"],
        state=row["state"],
        url=row["url"],
        failed_at=row["failed_at"],
        cycle=row["cycle"],
        attempts=msgspec.json.decode(row["attempts"], type=list[Attempt]),
        position=(row["written_by"], row["seq"]),
    )
