"""Endpoints 6, 9 and 12: POST /messages/text, POST /messages/rich, GET /messages/{cid}."""

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.dry_run import is_dry_run
from tidings.engine.http.messages import Reply, Request

from . import attach, lookup, parse, preflight, present, repeats, rich
from .model import Wanted
from .send import send


async def post_text(ctx: Context, request: Request) -> Reply:
    """Send one message."""
    return await _send(ctx, request, parse.text(request.account, request.body))


async def post_rich(ctx: Context, request: Request) -> Reply:
    """Send a message with reply buttons or one URL button."""
    return await _send(ctx, request, rich.rich(request.account, request.body))


async def _send(ctx: Context, request: Request, wanted: Wanted) -> Reply:
    dry = is_dry_run(request.headers)
    if wanted.media is not None:
        wanted = await attach.attach(ctx, request.account, wanted, storing=not dry)
    if dry:
        return await preflight.preview(ctx, wanted)
    sent = await send(ctx, wanted)
    data = present.send_result(sent.message, duplicate=sent.duplicate)
    reply = Reply(data, present.http_status(sent.message))
    if sent.duplicate:
        repeats.warn(request.account, wanted, sent.message)
        reply.headers = repeats.headers_of(wanted, sent.message)
    return reply


async def get_message(ctx: Context, request: Request) -> Reply:
    """What became of a message, by its clientMessageId."""
    cid, account = request.params["cid"], request.account

    async def read(tx: Tx) -> dict[str, object]:
        message = await lookup.load_status(tx, account.id, cid)
        invitation = await lookup.find_invitation(tx, message)
        return present.status(message, invitation, account.now(tx.now))

    return Reply(await ctx.db.transact(read))
