"""Publish events: write webhooks to the outbox in the transaction that causes them (6).

An event is published if and only if its transaction commits. The body is serialized here; every
attempt signs the same bytes. Events of an account without a webhook URL are only in the catch-up
feed.
"""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

import msgspec

from tidings import ids, limits, times
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account

from . import store
from .destinations import partition_key
from .event_kinds import EventData, EventKind

POOL = "webhooks"
DELIVER = "webhook.deliver"
FEED = "feed"  # woken, like a pool of workers, by every commit that publishes


class Event(msgspec.Struct, frozen=True):
    """An event of an account; `at` is by the account's clock."""

    account: Account
    kind: EventKind
    at: datetime
    data: EventData | msgspec.Raw
    message_id: UUID | None = None  # deliveries of one message go out in order
    event_id: str | None = None  # of a registered event: it goes to that event's callbackUrl
    muted: bool = False  # of a message that Tidings sent itself: not published


async def publish(tx: Tx, events: Sequence[Event]) -> list[str]:
    """Write the events to the outbox; returns their webhook ids."""
    events = [event for event in events if not event.muted]
    if not events:
        return []
    addresses = await _load_addresses(tx, events)
    rows, jobs = [], []
    for event in events:
        url = addresses.get((event.account.id, event.event_id or "")) or event.account.webhook_url
        row = _row(event, owed=url is not None)
        rows.append(row)
        if url is not None:
            destination = partition_key(event.account.webhook_url, url)
            jobs.append(job(tx, event.account, row.id, event.message_id, destination))
    await store.insert(tx, rows)
    tx.wake(FEED)
    await queue.enqueue(tx, jobs)
    return [row.id for row in rows]


async def _load_addresses(tx: Tx, events: Sequence[Event]) -> dict[tuple[UUID, str], str]:
    keys = {(event.account.id, event.event_id) for event in events if event.event_id is not None}
    return await store.load_addresses(tx, sorted(keys)) if keys else {}


def _row(event: Event, *, owed: bool) -> store.NewWebhook:
    webhook_id = ids.webhook_id()
    return store.NewWebhook(
        account_id=event.account.id,
        id=webhook_id,
        type=event.kind.name,
        body=body(webhook_id, event),
        created_at=event.at,
        message_id=event.message_id,
        event_id=event.event_id,
        owed=owed,
    )


def body(webhook_id: str, event: Event) -> bytes:
    """`{id, type, createdAt, environment, accountId, data}` (contract.md, "Events out")."""
    head = (
        f'{{"id":"{webhook_id}","type":"{event.kind.name}","createdAt":"{times.to_wire(event.at)}",'
        f'"environment":"{event.account.environment}",'
        f'"accountId":"{ids.account_ref(event.account.id)}","data":'
    )
    return head.encode() + msgspec.json.encode(event.data) + b"}"


def job(
    tx: Tx, account: Account, webhook_id: str, message_id: UUID | None, destination: str
) -> queue.NewJob:
    """The job that delivers a webhook: six attempts, the first due now."""
    return queue.NewJob(
        account_id=account.id,
        pool=POOL,
        kind=DELIVER,
        subject=webhook_id,
        due_at=tx.now,
        clock=account.clock,
        ordering_key=message_id.hex if message_id else None,
        partition_key=destination,
    )


async def purge(tx: Tx) -> int:
    """Delete a page of events older than the catch-up feed's 30 days; returns how many."""
    return await store.purge(tx, tx.now - limits.WEBHOOK_FEED_KEPT, limits.PURGE_PAGE_ROWS)
