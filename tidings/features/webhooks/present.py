"""Webhooks on the wire: the failed list and the catch-up feed (4.12). Pure."""

import msgspec

from tidings import times

from .failed_store import Failed
from .feed_store import Entry
from .store import Attempt

STATUSES = {"pending": "queued", "delivered": "delivered", "failed": "failed", "waiting": "waiting"}


def failed(webhook: Failed) -> dict[str, object]:
    attempts = msgspec.json.decode(webhook.attempts, type=list[Attempt])
    return {
        "webhookId": webhook.id,
        "type": webhook.type,
        "url": webhook.url,
        "createdAt": times.to_wire(webhook.created_at),
        "failedAt": times.to_wire(webhook.failed_at),
        "attempts": [attempt(one) for one in attempts],
        "payload": msgspec.Raw(webhook.body),
    }


def attempt(one: Attempt) -> dict[str, object]:
    return {
        "attempt": one.attempt,
        "at": one.at,
        "status": one.status,
        "error": one.error,
        "ms": one.ms,
    }


def entry(event: Entry) -> dict[str, object]:
    """The event with its own fields, what became of it, and its body as it is posted."""
    parts = msgspec.json.decode(event.body, type=dict[str, msgspec.Raw])
    return {
        "webhookId": event.id,
        **parts,
        "status": STATUSES[event.state],
        "payload": msgspec.Raw(event.body),
    }
