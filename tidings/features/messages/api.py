"""Endpoints 6 and 12 of the specification: POST /messages/text, GET /messages/{cid}."""

from tidings.context import Context
from tidings.engine.http.messages import Reply, Request

from . import lookup, parse, present
from .send import send


async def post_text(ctx: Context, request: Request) -> Reply:
    """Send one message."""
    sent = await send(ctx, parse.text(request.account, request.body))
    data = present.send_result(sent.message, duplicate=sent.duplicate)
    return Reply(data, present.http_status(sent.message))


async def get_message(ctx: Context, request: Request) -> Reply:
    """What became of a message, by its clientMessageId."""
    cid, account = request.params["cid"], request.account
    message = await ctx.db.transact(lambda tx: lookup.load_status(tx, account.id, cid))
    return Reply(present.status(message))
