"""Send one message and wait for the response of the platform: single sends are synchronous."""

import asyncio

import msgspec

from tidings import limits
from tidings.context import Context
from tidings.engine.traces.tracer import REQUEST

from .. import spans
from ..accept import idempotency_store
from ..model import Message, MessageRequest, Status
from . import dispatch


class Sent(msgspec.Struct, frozen=True):
    message: Message
    duplicate: bool


async def send(ctx: Context, request: MessageRequest) -> Sent:
    if ctx.tracer is not None and REQUEST.get() is not None:
        request = msgspec.structs.replace(request, traced_at=ctx.tracer.now())
    accepted = await ctx.lanes.accept.put(request)
    if ctx.tracer is not None:
        spans.continue_request(accepted.message.id, duplicate=accepted.duplicate)
    if accepted.claimed is not None:
        return Sent(await dispatch.dispatch_one(ctx, accepted.claimed), duplicate=False)
    message = accepted.message
    if accepted.duplicate and message.status is Status.SENDING:
        message = await _wait_for_outcome(ctx, message)
    return Sent(message, accepted.duplicate)


async def _wait_for_outcome(ctx: Context, message: Message) -> Message:
    """A concurrent duplicate waits briefly for the outcome of the original."""
    polls = limits.DUPLICATE_WAIT // limits.DUPLICATE_POLL
    for _ in range(polls):
        found = await ctx.db.transact(
            lambda tx: idempotency_store.find_newest(
                tx, message.account_id, message.client_message_id
            )
        )
        if found is None or found.status is not Status.SENDING or found.unknown_since:
            return found or message
        await asyncio.sleep(limits.DUPLICATE_POLL.total_seconds())
    return message
