"""Publish events: write webhooks to the outbox in the transaction that causes them (6).

An event is published if and only if its transaction commits. The body is serialized here; every
attempt signs the same bytes. Events of an account without a webhook URL are only in the catch-up
feed.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

import msgspec

from tidings import ids, limits, times
from tidings.engine import queue
from tidings.engine.db.tx import Tx
from tidings.engine.recent import Recent
from tidings.features.accounts import credentials
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
    is_first: bool = False  # of its message: no other webhook has to be delivered before
    is_recalled: bool = False  # no other process has changed its message since this one did
    muted: bool = False  # of a message that Tidings sent itself: not published


class PublishedLately(Recent[tuple[UUID, UUID], frozenset[str]]):
    """The webhooks of messages whose statuses this process has published, all of them. A reply that
    another process has published is not among them: statuses do not wait for it."""

    def __init__(self) -> None:
        super().__init__(limits.RECENT_MESSAGES_MAX)


class Fresh(msgspec.Struct, frozen=True):
    """A webhook that was just published, for its delivery from memory."""

    webhook: store.Webhook
    url: str
    secrets: credentials.SealedSecrets
    earlier: frozenset[str]  # webhooks of its message that may not have been attempted yet


async def publish(tx: Tx, events: Sequence[Event]) -> list[str]:
    """Write the events to the outbox; returns their webhook ids. They are posted right after the
    commit if this process has workers and they have room."""
    events = [event for event in events if not event.muted]
    if not events:
        return []
    addresses = await _load_addresses(tx, events)
    context = await _load_context(tx, events)
    rows, jobs = [], []
    for event in events:
        url = addresses.get((event.account.id, event.event_id or "")) or event.account.webhook_url
        row = _row(event, owed=url is not None)
        rows.append(row)
        if url is not None:
            destination = partition_key(event.account.webhook_url, url)
            memo = None if context is None else context.fresh(row, url)
            jobs.append(job(tx, event.account, row.id, destination, memo))
    await store.insert(tx, rows)
    tx.wake(FEED)
    if context is None:
        await queue.enqueue(tx, jobs)
    else:
        tx.after_commit(partial(_remember, tx.of_process(PublishedLately), events, rows))
        await queue.enqueue_here(tx, jobs)
    return [row.id for row in rows]


def _remember(
    lately: PublishedLately, events: Sequence[Event], rows: Sequence[store.NewWebhook]
) -> None:
    """After the commit: other transactions may have published webhooks of the same messages."""
    published: dict[tuple[UUID, UUID], frozenset[str]] = {}
    for event, row in zip(events, rows, strict=True):
        if row.message_id is not None:
            key = (row.account_id, row.message_id)
            earlier = published.get(key, frozenset() if event.is_first else lately.get(key))
            if earlier is not None:
                published[key] = earlier | {row.id}
    lately.put(published)


class _Context(msgspec.Struct, frozen=True):
    """What a delivery from memory needs to know in addition."""

    secrets: dict[UUID, credentials.SealedSecrets]
    earlier: dict[tuple[UUID, UUID], set[str]]  # by account and message

    def fresh(self, row: store.NewWebhook, url: str) -> Fresh:
        webhook = store.Webhook(
            row.account_id, row.id, row.body, url, "pending", cycle=1, message_id=row.message_id
        )
        earlier: frozenset[str] = frozenset()
        if row.message_id is not None:
            of_message = self.earlier.setdefault((row.account_id, row.message_id), set())
            earlier = frozenset(of_message)
            of_message.add(row.id)
        return Fresh(webhook, url, self.secrets.get(row.account_id, ()), earlier)


async def _load_context(tx: Tx, events: Sequence[Event]) -> _Context | None:
    """None: this process does not deliver webhooks."""
    if not queue.runs_here(tx, POOL):
        return None
    lately = tx.of_process(PublishedLately)
    earlier: dict[tuple[UUID, UUID], set[str]] = {}
    unknown: set[tuple[UUID, UUID]] = set()
    for event in events:
        if event.message_id is None or event.is_first:
            continue
        key = (event.account.id, event.message_id)
        known = lately.get(key) if event.is_recalled else None
        if known is None:
            unknown.add(key)
        else:
            earlier[key] = set(known)
    found = await store.find_unattempted(tx, unknown)
    secrets = await credentials.load_sealed(tx, {event.account.id for event in events})
    return _Context(secrets, earlier | {key: set(of_message) for key, of_message in found.items()})


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
    tx: Tx, account: Account, webhook_id: str, destination: str, memo: Fresh | None = None
) -> queue.NewJob:
    """The job that delivers a webhook: six attempts, the first due now."""
    return queue.NewJob(
        account_id=account.id,
        pool=POOL,
        kind=DELIVER,
        subject=webhook_id,
        due_at=tx.now,
        clock=account.clock,
        partition_key=destination,
        memo=memo,
    )


async def purge(tx: Tx, kept: timedelta = limits.WEBHOOK_FEED_KEPT) -> int:
    """Delete a page of events that have left the catch-up feed; returns how many."""
    return await store.purge(tx, tx.now - kept, limits.PURGE_PAGE_ROWS)
