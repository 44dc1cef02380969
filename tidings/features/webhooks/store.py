"""The table `webhooks` as an outbox, and `callback_urls`."""

from collections.abc import Collection, Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings.engine.db.bulk_rows import BulkRows
from tidings.engine.db.tx import Row, Tx

Key = tuple[UUID, str]  # account, webhook id

# The current URL of a webhook: that of its event, or else the account's. Read at every attempt, so
# that a corrected URL also applies to pending webhooks.
ADDRESS = "coalesce(w.url, c.url, a.webhook_url)"
ADDRESSED = """
          JOIN accounts a ON a.id = w.account_id
          LEFT JOIN callback_urls c ON c.account_id = w.account_id AND c.event_id = w.event_id
"""


class NewWebhook(msgspec.Struct, frozen=True):
    account_id: UUID
    id: str
    type: str
    body: bytes
    created_at: datetime
    message_id: UUID | None
    event_id: str | None
    owed: bool  # there is a URL to post it to


class Attempt(msgspec.Struct, frozen=True, omit_defaults=True):
    """One delivery attempt, as stored."""

    cycle: int
    attempt: int
    at: str
    status: int | None
    error: str | None
    ms: int
    url: str | None = None  # where it was posted
    timestamp: int | None = None  # that was signed
    answer: str = ""  # how the response's body begins


class Webhook(msgspec.Struct, frozen=True):
    """A webhook to be delivered."""

    account_id: UUID
    id: str
    body: bytes
    url: str | None
    state: str
    cycle: int
    message_id: UUID | None = None
    seq: int = 0  # the order of a message's webhooks


Unattempted = dict[tuple[UUID, UUID], dict[str, int]]  # by account and message: id and order


class Recorded(msgspec.Struct, frozen=True):
    """The outcome of an attempt, to be stored."""

    account_id: UUID
    id: str
    attempt: Attempt
    state: str
    failed_at: datetime | None


_ROWS = BulkRows(
    {
        "account_id": "uuid", "body": "bytea", "created_at": "timestamptz", "message_id": "uuid",
        "owed": "bool",
    },
    constant=("account_id", "type", "event_id", "owed"),
)  # fmt: skip


async def insert(tx: Tx, webhooks: Sequence[NewWebhook]) -> None:
    source, arguments = _ROWS.source(
        {
            "account_id": [webhook.account_id for webhook in webhooks],
            "id": [webhook.id for webhook in webhooks],
            "type": [webhook.type for webhook in webhooks],
            "body": [webhook.body for webhook in webhooks],
            "created_at": [webhook.created_at for webhook in webhooks],
            "message_id": [webhook.message_id for webhook in webhooks],
            "event_id": [webhook.event_id for webhook in webhooks],
            "owed": [webhook.owed for webhook in webhooks],
        }
    )
    await tx.write(
        f"""
        INSERT INTO webhooks (account_id, id, type, body, created_at, message_id, event_id, state)
        SELECT account_id, id, type, body, created_at, message_id, event_id,
               CASE WHEN owed THEN 'pending' ELSE 'waiting' END
          FROM {source}
        """,
        *arguments,
        apart=True,
    )


async def load(tx: Tx, keys: Sequence[Key]) -> dict[str, Webhook]:
    rows = await tx.rows(
        f"""
        SELECT w.account_id, w.id, w.body, {ADDRESS} AS url, w.state, w.cycle, w.message_id, w.seq
          FROM unnest($1::uuid[], $2::text[]) AS k (account_id, id)
          JOIN webhooks w USING (account_id, id) {ADDRESSED}
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )
    return {row["id"]: Webhook(*row) for row in rows}


async def find_unattempted(tx: Tx, messages: Collection[tuple[UUID, UUID]]) -> Unattempted:
    """The webhooks of these messages (account and id) of which no attempt is recorded yet."""
    found: Unattempted = {}
    if not messages:
        return found
    rows = await tx.rows(
        """
        SELECT w.account_id, w.message_id, w.id, w.seq
          FROM unnest($1::uuid[], $2::uuid[]) AS m (account_id, message_id)
          JOIN webhooks w USING (account_id, message_id)
         WHERE w.state = 'pending' AND w.attempts = '[]'
        """,
        [account_id for account_id, _ in messages],
        [message_id for _, message_id in messages],
    )
    for account_id, message_id, webhook_id, seq in rows:
        found.setdefault((account_id, message_id), {})[webhook_id] = seq
    return found


async def find_of_message(tx: Tx, account_id: UUID, message_id: UUID, limit: int) -> Sequence[Row]:
    """The events of one message, the oldest first."""
    return await tx.rows(
        f"""
        SELECT w.id, w.type, w.created_at, w.state, {ADDRESS} AS url, w.attempts, w.body
          FROM webhooks w {ADDRESSED}
         WHERE w.account_id = $1 AND w.message_id = $2 ORDER BY w.seq LIMIT $3
        """,
        account_id,
        message_id,
        limit,
    )


async def keep_waiting(tx: Tx, keys: Sequence[Key]) -> None:
    """Leave the pending ones among these to the catch-up feed: there is no URL to post to."""
    await tx.run(
        """
        UPDATE webhooks w SET state = 'waiting'
          FROM unnest($1::uuid[], $2::text[]) AS k (account_id, id)
         WHERE w.account_id = k.account_id AND w.id = k.id AND w.state = 'pending'
        """,
        [key[0] for key in keys],
        [key[1] for key in keys],
    )


async def record(tx: Tx, outcomes: Sequence[Recorded]) -> None:
    await tx.write(
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


async def give_up(tx: Tx, given_up: Sequence[tuple[Key, datetime]]) -> None:
    """Mark pending webhooks as failed, each at a time by its account's clock."""
    await tx.run(
        """
        UPDATE webhooks w SET state = 'failed', failed_at = k.failed_at
          FROM unnest($1::uuid[], $2::text[], $3::timestamptz[]) AS k (account_id, id, failed_at)
         WHERE w.account_id = k.account_id AND w.id = k.id AND w.state = 'pending'
        """,
        [key[0] for key, _ in given_up],
        [key[1] for key, _ in given_up],
        [timestamp for _, timestamp in given_up],
    )


async def purge(tx: Tx, before: datetime, limit: int) -> int:
    """Delete older webhooks, starting from each account's oldest: there is no index by age."""
    return await tx.run(
        """
        DELETE FROM webhooks WHERE ctid IN (
            SELECT w.ctid FROM accounts a
             CROSS JOIN LATERAL (SELECT created_at FROM webhooks WHERE account_id = a.id
                                  ORDER BY written_by, seq LIMIT 1) AS oldest
             CROSS JOIN LATERAL (SELECT ctid, created_at, state FROM webhooks
                                  WHERE account_id = a.id
                                  ORDER BY written_by, seq LIMIT $2) AS w
             WHERE oldest.created_at < $1 AND w.created_at < $1 AND w.state <> 'pending'
             LIMIT $2)
           AND state <> 'pending'
        """,
        before,
        limit,
    )


async def find_first_owed(tx: Tx, pool: str) -> str | None:
    """The oldest event that a job is about, also a dead-lettered one."""
    found: str | None = await tx.value(
        """
        SELECT min(s.subject COLLATE "C") FROM jobs j
         CROSS JOIN LATERAL unnest(coalesce(j.subjects, ARRAY[j.subject])) AS s (subject)
         WHERE j.pool = $1 AND starts_with(s.subject, 'whk_')
        """,
        pool,
    )
    return found


async def load_addresses(tx: Tx, events: Collection[Key]) -> dict[Key, str]:
    """The callbackUrl of each of these registered events that has one."""
    rows = await tx.rows(
        """
        SELECT c.account_id, c.event_id, c.url
          FROM unnest($1::uuid[], $2::text[]) AS k (account_id, event_id)
          JOIN callback_urls c USING (account_id, event_id)
        """,
        [key[0] for key in events],
        [key[1] for key in events],
    )
    return {(row["account_id"], row["event_id"]): row["url"] for row in rows}


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
