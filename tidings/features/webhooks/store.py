"""The webhooks table: outbox and catch-up feed. The only file that knows its columns."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.tx import Tx


class NewWebhook(msgspec.Struct, frozen=True):
    account_id: UUID
    id: str
    type: str
    body: bytes
    created_at: datetime
    message_id: UUID | None
    url: str | None
    owed: bool  # there is an address to post it to
    event_id: str | None = None


class Attempt(msgspec.Struct, frozen=True):
    """One post, as the failed list shows it."""

    cycle: int
    attempt: int
    at: str
    status: int | None
    error: str | None
    ms: int


@dataclass(frozen=True, slots=True)
class Webhook:
    """A webhook on its way out."""

    account_id: UUID
    id: str
    body: bytes
    url: str | None  # where it goes now: an event's address, else the account's
    state: str
    cycle: int


async def insert(tx: Tx, webhooks: Sequence[NewWebhook]) -> None:
    await tx.run(
        """
        INSERT INTO webhooks (account_id, id, type, body, created_at, message_id, url, state,
                              event_id)
        SELECT a, i, t, b, c, m, u, CASE WHEN o THEN 'pending' ELSE 'waiting' END, e
          FROM unnest($1::uuid[], $2::text[], $3::text[], $4::bytea[], $5::timestamptz[],
                      $6::uuid[], $7::text[], $8::bool[], $9::text[])
               AS w (a, i, t, b, c, m, u, o, e)
        """,
        [webhook.account_id for webhook in webhooks],
        [webhook.id for webhook in webhooks],
        [webhook.type for webhook in webhooks],
        [webhook.body for webhook in webhooks],
        [webhook.created_at for webhook in webhooks],
        [webhook.message_id for webhook in webhooks],
        [webhook.url for webhook in webhooks],
        [webhook.owed for webhook in webhooks],
        [webhook.event_id for webhook in webhooks],
    )


async def load(tx: Tx, keys: Sequence[tuple[UUID, str]]) -> dict[str, Webhook]:
    """Webhooks with the address they go to now, so that a repaired address helps old ones too."""
    rows = await tx.rows(
        """
        SELECT w.account_id, w.id, w.body, coalesce(w.url, c.url, a.webhook_url) AS url,
               w.state, w.cycle
          FROM unnest($1::uuid[], $2::text[]) AS k (account_id, id)
          JOIN webhooks w USING (account_id, id)
          JOIN accounts a ON a.id = w.account_id
          LEFT JOIN callback_urls c ON c.account_id = w.account_id AND c.event_id = w.event_id
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {row["id"]: Webhook(**dict(row)) for row in rows}


async def keep_waiting(tx: Tx, keys: Sequence[tuple[UUID, str]]) -> None:
    """Those of them that are still owed are left to the catch-up feed."""
    await tx.run(
        """
        UPDATE webhooks w SET state = 'waiting'
          FROM unnest($1::uuid[], $2::text[]) AS k (account_id, id)
         WHERE w.account_id = k.account_id AND w.id = k.id AND w.state = 'pending'
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )


@dataclass(frozen=True, slots=True)
class Recorded:
    """What came of an attempt, to be kept."""

    account_id: UUID
    id: str
    attempt: Attempt
    state: str
    failed_at: datetime | None


async def record(tx: Tx, outcomes: Sequence[Recorded]) -> None:
    await tx.run(
        """
        UPDATE webhooks w SET state = o.state, failed_at = o.failed_at,
               attempts = w.attempts || o.attempt
          FROM unnest($1::uuid[], $2::text[], $3::text[], $4::timestamptz[], $5::jsonb[])
               AS o (account_id, id, state, failed_at, attempt)
         WHERE w.account_id = o.account_id AND w.id = o.id AND w.state = 'pending'
        """,
        [outcome.account_id for outcome in outcomes],
        [outcome.id for outcome in outcomes],
        [outcome.state for outcome in outcomes],
        [outcome.failed_at for outcome in outcomes],
        [msgspec.json.encode(outcome.attempt).decode() for outcome in outcomes],
    )


async def purge(tx: Tx, before: datetime, limit: int) -> int:
    return await tx.run(
        """
        DELETE FROM webhooks WHERE ctid IN (
            SELECT ctid FROM webhooks WHERE created_at < $1 AND state <> 'pending'
             LIMIT $2 FOR UPDATE SKIP LOCKED)
        """,
        before,
        limit,
    )


async def set_address(tx: Tx, account_id: UUID, event_id: str, url: str) -> None:
    await tx.run(
        """
        INSERT INTO callback_urls (account_id, event_id, url) VALUES ($1, $2, $3)
        ON CONFLICT (account_id, event_id) DO UPDATE SET url = excluded.url
         WHERE callback_urls.url <> excluded.url
        """,
        account_id,
        event_id,
        url,
    )
