"""Endpoints 21 and 22 of the specification, GET /webhooks/failed and POST .../retry (4.12).

Also: retry all since a time, and the catch-up feed.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, times
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.engine.http.endpoint import Endpoint, Request, Response
from tidings.engine.http.pagination import Cursor, Limit
from tidings.engine.http.response_types import Page
from tidings.errors import Code

from . import examples, responses
from .failed import retry as failed
from .failed import store as failed_store
from .failed.store import FailedDelivery
from .feed import read as feed
from .feed.store import FeedEvent

Timestamp = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
WaitSeconds = Annotated[
    int,
    Meta(
        ge=limits.WEBHOOK_FEED_WAIT_SECONDS.low,
        le=limits.WEBHOOK_FEED_WAIT_SECONDS.high,
        description="How long to wait where there is nothing yet; absent: not at all.",
    ),
]


class FailedQuery(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    limit: Limit | UnsetType = UNSET
    since: Annotated[Timestamp, Meta(description="Only what failed then or later.")] | UnsetType = (
        UNSET
    )
    cursor: Cursor | UnsetType = UNSET


class RetryBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /webhooks/failed/retry"""

    since: Annotated[Timestamp, Meta(description="Retry all that failed then or later.")]


class FeedQuery(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    after: (
        Annotated[
            str,
            Meta(
                max_length=64,
                description="The webhookId of the last event you have; absent: from the oldest that"
                " is kept. `latest` answers with the newest event alone, to begin from there.",
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: Limit | UnsetType = UNSET
    wait: WaitSeconds | UnsetType = UNSET


@Endpoint(
    query=FailedQuery,
    data=list[responses.FailedWebhook],
    extra=Page,
    tag="Webhooks",
    example=examples.GET_FAILED,
)
async def get_failed(ctx: Context, request: Request) -> Response:
    """List failed events.

    Events whose six attempts were exhausted, with their payload, the newest first. A page ends
    early where its payloads reach 2 MB; `nextCursor` leads on.
    """
    query: FailedQuery = request.query
    since = None if query.since is UNSET else times.require(query.since, "since")
    before = pagination.page_start(query.cursor, tuple[datetime, str])
    size = pagination.page_size(query.limit)

    async def load(tx: Tx) -> list[FailedDelivery]:
        return await failed_store.load_page(
            tx, request.account.id, since=since, before=before, limit=size + 1
        )

    found = await ctx.db.transact(load)
    page = found[:size]
    next_cursor = None
    if _has_more(found, size):
        next_cursor = pagination.encode_cursor((page[-1].failed_at, page[-1].id))
    return Response([responses.failed(one) for one in page], extra={"nextCursor": next_cursor})


@Endpoint(
    data=responses.Retried,
    errors=(Code.NOT_FOUND,),
    tag="Webhooks",
    example=examples.POST_RETRY,
)
async def post_retry(ctx: Context, request: Request) -> Response:
    """Retry a failed event.

    It is posted with the same id and gets six new attempts.
    """
    webhook_id, account_id = request.params["webhookId"], request.account.id
    await ctx.db.transact(lambda tx: failed.retry(tx, account_id, webhook_id))
    return Response(responses.Retried(webhook_id, "queued"))


@Endpoint(
    body=RetryBody,
    data=responses.RetriedMany,
    tag="Webhooks",
    example=examples.POST_RETRY_SINCE,
)
async def post_retry_since(ctx: Context, request: Request) -> Response:
    """Retry all failed events.

    All that failed since a time are posted again, with the same ids. At most 1,000 are taken up
    by one call; `remaining` says how many are left.
    """
    since, account_id = times.require(request.body.since, "since"), request.account.id
    queued, remaining = await ctx.db.transact(lambda tx: failed.retry_since(tx, account_id, since))
    return Response(responses.RetriedMany(times.to_wire(since), queued, remaining))


@Endpoint(
    query=FeedQuery,
    data=list[responses.FeedEntry],
    extra=Page,
    tag="Webhooks",
    example=examples.GET_EVENTS,
)
async def get_events(ctx: Context, request: Request) -> Response:
    """Read the event feed.

    Every event of the last 30 days, delivered or not, the oldest first: to catch up after an
    outage. A page ends early where its payloads reach 2 MB; `nextCursor` leads on.
    """
    query: FeedQuery = request.query
    size = pagination.page_size(query.limit)
    if query.after == feed.LATEST:
        newest = await ctx.db.transact(lambda tx: feed.load_newest(tx, request.account.id))
        return Response([responses.entry(one) for one in newest], extra={"nextCursor": None})
    after = None if query.after is UNSET else query.after
    wait = timedelta(seconds=0 if query.wait is UNSET else query.wait)
    found = await feed.read(ctx, request.account.id, after, size + 1, wait)
    page = found[:size]
    next_cursor = page[-1].id if _has_more(found, size) else None
    return Response([responses.entry(one) for one in page], extra={"nextCursor": next_cursor})


def _has_more(found: Sequence[FailedDelivery | FeedEvent], size: int) -> bool:
    """Whether there is another page: there is one more item, or the size limit ended the page."""
    return len(found) > size or sum(len(one.body) for one in found) >= limits.LIST_BYTES_MAX
