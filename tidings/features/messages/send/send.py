"""Send one message and wait for what the platform says: single sends are synchronous."""

import asyncio

import msgspec

from tidings import limits
from tidings.context import Context

from ..accept import idempotency_store
from ..model import Message, MessageRequest, Status
from . import dispatch


class Sent(msgspec.Struct, frozen=True):
    message: Message
    duplicate: bool


async def send(ctx: Context, request: MessageRequest) -> Sent:
    accepted = await ctx.lanes.accept.put(request)
    if accepted.claimed is not None:
        return Sent(await dispatch.dispatch_one(ctx, accepted.claimed), duplicate=False)
    message = accepted.message
    if accepted.duplicate and message.status is Status.SENDING:
        message = await _settled(ctx, message)
    return Sent(message, accepted.duplicate)


async def _settled(ctx: Context, message: Message) -> Message:
    """Of two at the same instant one is sent; the other waits a little for its result."""
    polls = limits.REPEAT_ANSWER_WAIT // limits.REPEAT_ANSWER_POLL
    for _ in range(polls):
        found = await ctx.db.transact(
            lambda tx: idempotency_store.find_newest(
                tx, message.account_id, message.client_message_id
            )
        )
        if found is None or found.status is not Status.SENDING or found.unknown_since:
            return found or message
        await asyncio.sleep(limits.REPEAT_ANSWER_POLL.total_seconds())
    return message
