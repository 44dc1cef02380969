"""The responses of webhook management and the catch-up feed (4.12, contract.md). Pure."""

from typing import Annotated

import msgspec
from msgspec import Meta

from tidings import times
from tidings.engine.http.response_types import RawObject, Timestamp

from .failed.store import FailedDelivery
from .feed.store import FeedEvent

STATUSES = {"pending": "queued", "delivered": "delivered", "failed": "failed", "waiting": "waiting"}

Payload = Annotated[
    RawObject,
    Meta(
        description="The body as it is posted: id, type, createdAt, environment, accountId, data."
    ),
]


class AttemptShape(msgspec.Struct):
    """One post of a webhook."""

    attempt: Annotated[int, Meta(description="1 to 6; a retry counts from 1 again.")]
    at: Timestamp
    status: Annotated[int | None, Meta(description="What your server answered.")]
    error: Annotated[
        str | None,
        Meta(
            description="Why there was no answer: timeout, connection failed, tls failed, blocked"
            " or bad response."
        ),
    ]
    ms: Annotated[int, Meta(description="How long it took.")]


class FailedWebhook(msgspec.Struct, rename="camel"):
    """An event whose six attempts were exhausted."""

    webhook_id: str
    type: str
    url: Annotated[str | None, Meta(description="Where a retry would go now.")]
    created_at: Timestamp
    failed_at: Timestamp
    attempts: Annotated[list[AttemptShape], Meta(description="Of all cycles, in order.")]
    payload: Payload


class Retried(msgspec.Struct, rename="camel"):
    webhook_id: str
    status: Annotated[str, Meta(description="queued")]


class RetriedMany(msgspec.Struct, rename="camel"):
    since: Timestamp
    queued: Annotated[int, Meta(description="How many were taken up again.")]
    remaining: Annotated[int, Meta(description="How many are left: call again until it is 0.")]


class FeedEntry(msgspec.Struct, rename="camel"):
    """An event in the catch-up feed: its own fields, and `payload`, the same as it is posted."""

    webhook_id: str
    id: Annotated[str, Meta(description="The same as webhookId.")]
    type: str
    created_at: Timestamp
    environment: str
    account_id: str
    data: Annotated[RawObject, Meta(description="What happened; see the kinds of events.")]
    status: Annotated[
        str,
        Meta(
            description="queued, delivered, failed, or waiting: there is no address to post it to."
        ),
    ]
    payload: Payload


class Triggered(msgspec.Struct, rename="camel"):
    webhook_id: str
    type: str


class Finding(msgspec.Struct):
    """One observation about a signature."""

    code: Annotated[str, Meta(description="A word for programs.")]
    message: Annotated[str, Meta(description="What is wrong, and the remedy.")]


class Diagnosis(msgspec.Struct):
    """What is right or wrong with a signature."""

    valid: Annotated[bool, Meta(description="Whether a correct receiver would take this post.")]
    findings: list[Finding]


class _Posted(msgspec.Struct, rename="camel"):
    """The body of a webhook as `publish` wrote it."""

    id: str
    type: str
    created_at: str
    environment: str
    account_id: str
    data: msgspec.Raw


def failed(webhook: FailedDelivery) -> FailedWebhook:
    return FailedWebhook(
        webhook_id=webhook.id,
        type=webhook.type,
        url=webhook.url,
        created_at=times.to_wire(webhook.created_at),
        failed_at=times.to_wire(webhook.failed_at),
        attempts=msgspec.json.decode(webhook.attempts, type=list[AttemptShape]),
        payload=msgspec.Raw(webhook.body),
    )


def entry(event: FeedEvent) -> FeedEntry:
    """The event's own fields, its delivery status, and its body as it is posted."""
    posted = msgspec.json.decode(event.body, type=_Posted)
    return FeedEntry(
        webhook_id=event.id,
        id=posted.id,
        type=posted.type,
        created_at=posted.created_at,
        environment=posted.environment,
        account_id=posted.account_id,
        data=posted.data,
        status=STATUSES[event.state],
        payload=msgspec.Raw(event.body),
    )
