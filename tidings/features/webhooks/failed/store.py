"""Failed webhooks in the table `webhooks`: list them newest first, and start a new cycle."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings import limits
from tidings.engine.db.tx import Tx

from ..store import ADDRESS, ADDRESSED


class FailedDelivery(msgspec.Struct, frozen=True):
    """One item of GET /webhooks/failed."""

    id: str
    type: str
    url: str | None
    created_at: datetime
    failed_at: datetime
    attempts: str  # JSON
    body: bytes


class Retried(msgspec.Struct, frozen=True):
    """A failed webhook that starts a new cycle, and where it goes."""

    id: str
    url: str | None


async def load_page(
    tx: Tx,
    account_id: UUID,
    *,
    since: datetime | None,
    before: tuple[datetime, str] | None,
    limit: int,
) -> list[FailedDelivery]:
    """Those that failed at `since` or later, newest first; `before`: the last key of the previous
    page. The page ends when its payloads reach LIST_BYTES_MAX."""
    timestamp, webhook_id = before or (None, None)
    rows = await tx.rows(
        f"""
        SELECT id, type, url, created_at, failed_at, attempts, body FROM (
            SELECT page.*, sum(octet_length(body)) OVER (ORDER BY failed_at DESC, id DESC)
                           - octet_length(body) AS before
              FROM (
                SELECT w.id, w.type, {ADDRESS} AS url, w.created_at, w.failed_at, w.attempts, w.body
                  FROM webhooks w {ADDRESSED}
                 WHERE w.account_id = $1 AND w.failed_at IS NOT NULL
                   AND w.failed_at >= coalesce($2, '-infinity'::timestamptz)
                   AND (w.failed_at, w.id)
                     < (coalesce($3, 'infinity'::timestamptz), coalesce($4, ''))
                 ORDER BY w.failed_at DESC, w.id DESC LIMIT $5) AS page) AS measured
         WHERE before < $6 ORDER BY failed_at DESC, id DESC
        """,
        account_id,
        since,
        timestamp,
        webhook_id,
        limit,
        limits.LIST_BYTES_MAX,
    )
    return [FailedDelivery(*row) for row in rows]


async def has_any(tx: Tx, account_ids: Sequence[UUID]) -> set[UUID]:
    """Which of the accounts have failed webhooks."""
    rows = await tx.rows(
        """
        SELECT k.account_id FROM unnest($1::uuid[]) AS k (account_id) WHERE EXISTS (
            SELECT FROM webhooks w WHERE w.account_id = k.account_id AND w.failed_at IS NOT NULL)
        """,
        list(account_ids),
    )
    return {row["account_id"] for row in rows}


# Compare-and-set on failed_at: of concurrent calls one starts the cycle.
_START_CYCLE = f"""
    WITH retried AS (
        UPDATE webhooks SET state = 'pending', failed_at = NULL, cycle = cycle + 1
         WHERE account_id = $1 AND id = ANY($2::text[]) AND failed_at IS NOT NULL
        RETURNING account_id, id, url, event_id, seq
    )
    SELECT w.id, {ADDRESS} AS url FROM retried w {ADDRESSED} ORDER BY w.seq
"""


async def start_cycle(tx: Tx, account_id: UUID, ids: Sequence[str]) -> list[Retried]:
    """Start a new cycle of those that are failed; returned in the order of their events."""
    rows = await tx.rows(_START_CYCLE, account_id, list(ids))
    return [Retried(*row) for row in rows]


async def find_ids(tx: Tx, account_id: UUID, since: datetime, limit: int) -> list[str]:
    """Those that failed at `since` or later, the oldest first."""
    rows = await tx.rows(
        """
        SELECT id FROM webhooks
         WHERE account_id = $1 AND failed_at IS NOT NULL AND failed_at >= $2
         ORDER BY failed_at, id LIMIT $3
        """,
        account_id,
        since,
        limit,
    )
    return [row["id"] for row in rows]


async def count(tx: Tx, account_id: UUID, since: datetime) -> int:
    left: int = await tx.value(
        "SELECT count(*) FROM webhooks WHERE account_id = $1 AND failed_at >= $2",
        account_id,
        since,
    )
    return left


async def find_failed(
    tx: Tx, account_id: UUID, after: tuple[datetime, str] | None, limit: int
) -> list[tuple[str, datetime, str | None]]:
    """A page of failed webhooks, the oldest first: id, time of failure and current URL."""
    timestamp, webhook_id = after or (None, "")
    rows = await tx.rows(
        f"""
        SELECT w.id, w.failed_at, {ADDRESS} AS url FROM webhooks w {ADDRESSED}
         WHERE w.account_id = $1 AND w.failed_at IS NOT NULL
           AND (w.failed_at, w.id) > (coalesce($2, '-infinity'::timestamptz), $3)
         ORDER BY w.failed_at, w.id LIMIT $4
        """,
        account_id,
        timestamp,
        webhook_id,
        limit,
    )
    return [(row["id"], row["failed_at"], row["url"]) for row in rows]
