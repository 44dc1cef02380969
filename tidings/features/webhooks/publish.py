"""Tell the customer: write webhooks into the outbox of the transaction that causes them (6).

So nothing is announced that did not happen, and nothing that happened goes unannounced. The body is
frozen here; every attempt signs these very bytes. An account without a webhook URL loses nothing:
its events wait in the catch-up feed.
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
from .kinds import KINDS

POOL = "webhooks"
DELIVER = "webhook.deliver"


class Event(msgspec.Struct, frozen=True):
    """Something that happened to an account, at a moment of its own time."""

    account: Account
    type: str
    at: datetime
    data: object  # encoded as JSON as it stands
    message_id: UUID | None = None  # deliveries of one message go out in order
    event_id: str | None = None  # of a registered event: it goes to that event's callbackUrl


async def publish(tx: Tx, events: Sequence[Event]) -> None:
    if not events:
        return
    rows = [_row(event) for event in events]
    await store.insert(tx, rows)
    jobs = [_job(tx, event, row) for event, row in zip(events, rows, strict=True) if row.owed]
    await queue.put(tx, jobs)


def _row(event: Event) -> store.NewWebhook:
    assert event.type in KINDS, event.type
    webhook_id = ids.webhook_id()
    return store.NewWebhook(
        account_id=event.account.id,
        id=webhook_id,
        type=event.type,
        body=body(webhook_id, event),
        created_at=event.at,
        message_id=event.message_id,
        url=None,
        owed=event.event_id is not None or event.account.webhook_url is not None,
        event_id=event.event_id,
    )


def body(webhook_id: str, event: Event) -> bytes:
    """`{id, type, createdAt, environment, accountId, data}` (contract.md, "Events out")."""
    head = (
        f'{{"id":"{webhook_id}","type":"{event.type}","createdAt":"{times.to_wire(event.at)}",'
        f'"environment":"{event.account.environment}",'
        f'"accountId":"{ids.account_ref(event.account.id)}","data":'
    )
    return head.encode() + msgspec.json.encode(event.data) + b"}"


def _job(tx: Tx, event: Event, row: store.NewWebhook) -> queue.NewJob:
    return queue.NewJob(
        account_id=event.account.id,
        pool=POOL,
        kind=DELIVER,
        subject=row.id,
        due_at=tx.now,
        clock=event.account.clock,
        ordered_by=event.message_id.hex if event.message_id else None,
    )


async def purge(tx: Tx) -> int:
    """Forget events after the 30 days of the catch-up feed, a page at a time; how many went."""
    return await store.purge(tx, tx.now - limits.WEBHOOK_FEED_KEPT, limits.PURGE_PAGE_ROWS)
