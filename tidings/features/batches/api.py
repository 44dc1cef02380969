"""Endpoints 8 and 15: POST /messages/bulk, POST /batches/{batchId}/cancel; GET /batches."""

from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from tidings import ids
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.engine.http.dry_run import is_dry_run
from tidings.engine.http.endpoint import Endpoint, Request, Response
from tidings.engine.http.pagination import Cursor, Limit
from tidings.engine.http.response_types import Page
from tidings.errors import ApiError, Code
from tidings.features.billing.charging.charge import CHARGE_ERRORS
from tidings.features.events.rules import EventCode
from tidings.features.messages.accept import dry_run
from tidings.features.senders.number_selection import SenderCode

from . import cancel, examples, parse, read, responses
from .submit import preview, submit

_RETRY_SECONDS = 5


@Endpoint(
    body=parse.BulkBody,
    data=responses.BulkResult,
    statuses=(200, 202),
    errors=(
        SenderCode.INVALID_FROM_POLICY,
        EventCode.EVENT_NOT_FOUND,
        *CHARGE_ERRORS,
    ),
    dry_run=True,
    tag="Messages",
    example=examples.POST_BULK,
)
async def post_bulk(ctx: Context, request: Request) -> Response:
    """Send a batch of messages.

    Each item is accepted or rejected on its own, and the response says which. Sending goes on
    after the response.
    """
    if ctx.batch_reads.waiting(request.account.id) >= ctx.settings.batches_waiting:
        text = "too many batches at once; send one after the other is answered"
        raise ApiError(Code.RATE_LIMIT_EXCEEDED, text, retry_after=_RETRY_SECONDS)
    async with ctx.batch_reads.acquire(request.account.id):
        return await _accept_bulk(ctx, request)


async def _accept_bulk(ctx: Context, request: Request) -> Response:
    body: parse.BulkBody = request.body
    parsed = await ctx.time_slicer.run(parse.bulk(request.account, body))
    name = "" if body.batch_name is UNSET else body.batch_name
    event_id = None if body.event_id is UNSET else body.event_id
    if is_dry_run(request.headers):
        outcome = await preview(ctx, request.account, parsed, name=name, event_id=event_id)
        units = await dry_run.cost(ctx, outcome.accepted)
        return Response(responses.preview(outcome, units))
    outcome = await submit(ctx, request.account, parsed, name=name, event_id=event_id)
    return Response(responses.bulk_result(outcome), 202)


@Endpoint(
    body=parse.CancelBody,
    body_optional=True,
    data=responses.Cancelled,
    errors=(Code.NOT_FOUND,),
    tag="Batches",
    example=examples.POST_CANCEL,
)
async def post_cancel(ctx: Context, request: Request) -> Response:
    """Cancel a batch.

    Messages that were not sent yet are cancelled and refunded.
    """
    account_id = request.account.id
    batch_id = ids.parse_ref("bat_", request.params["batchId"])
    return Response(await ctx.db.transact(lambda tx: cancel.cancel(ctx, tx, account_id, batch_id)))


class BatchesQuery(msgspec.Struct, forbid_unknown_fields=True):
    limit: Limit | UnsetType = UNSET
    cursor: Cursor | UnsetType = UNSET


@Endpoint(
    query=BatchesQuery,
    data=list[responses.BatchStatus],
    extra=Page,
    tag="Batches",
    example=examples.GET_BATCHES,
)
async def get_batches(ctx: Context, request: Request) -> Response:
    """List batches.

    The newest first. A page ends early where its batches have more than 20,000 messages;
    `nextCursor` leads on.
    """
    query: BatchesQuery = request.query
    size = pagination.page_size(query.limit)
    before = pagination.page_start(query.cursor, UUID)
    account = request.account

    async def load(tx: Tx) -> tuple[list[responses.BatchStatus], UUID | None]:
        page = await read.load_page(tx, account.id, before, size)
        now = account.now(tx.now)
        shown = [responses.batch_status(*one, now) for one in page.batches]
        return shown, page.before

    shown, end = await ctx.db.transact(load)
    following = None if end is None else pagination.encode_cursor(end)
    return Response(shown, extra={"nextCursor": following})


@Endpoint(
    data=responses.BatchStatus,
    errors=(Code.NOT_FOUND,),
    tag="Batches",
    example=examples.GET_BATCH,
)
async def get_batch(ctx: Context, request: Request) -> Response:
    """Get a batch.

    Its messages by status, and when the last one is expected to be sent.
    """
    account = request.account
    batch_id = ids.parse_ref("bat_", request.params["batchId"])

    async def load(tx: Tx) -> responses.BatchStatus:
        found = await read.load(tx, account.id, batch_id)
        return responses.batch_status(*found, account.now(tx.now))

    return Response(await ctx.db.transact(load))
