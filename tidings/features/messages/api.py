"""Endpoints 6, 9 and 12: POST /messages/text, POST /messages/rich, GET /messages/{cid}."""

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.dry_run import is_dry_run
from tidings.engine.http.endpoint import Request, Response

from . import attach, lookup, parse, preflight, present, repeats, rich
from .model import Wanted
from .send import Sent, send


async def post_text(ctx: Context, request: Request) -> Response:
    """Send one message."""
    return await _send(ctx, request, parse.text(request.account, request.body))


async def post_rich(ctx: Context, request: Request) -> Response:
    """Send a message with reply buttons or one URL button."""
    return await _send(ctx, request, rich.rich(request.account, request.body))


async def _send(ctx: Context, request: Request, wanted: Wanted) -> Response:
    dry = is_dry_run(request.headers)
    if wanted.media is not None:
        wanted = await attach.attach(ctx, request.account, wanted, storing=not dry)
    if dry:
        return await preflight.preview(ctx, wanted)
    sent = await _send_or_release(ctx, request, wanted)
    data = present.send_result(sent.message, duplicate=sent.duplicate)
    reply = Response(data, present.http_status(sent.message))
    if sent.duplicate:
        repeats.warn(request.account, wanted, sent.message)
        reply.headers = repeats.headers_of(wanted, sent.message)
    return reply


async def _send_or_release(ctx: Context, request: Request, wanted: Wanted) -> Sent:
    """A file that came with a message which is not accepted is not kept."""
    is_new = False
    try:
        sent = await send(ctx, wanted)
        is_new = not sent.duplicate and not sent.message.refunded_at
        return sent
    finally:
        if not is_new:
            await attach.release(ctx, request.account, [wanted])


async def get_message(ctx: Context, request: Request) -> Response:
    """What became of a message, by its clientMessageId."""
    cid, account = request.params["cid"], request.account

    async def read(tx: Tx) -> dict[str, object]:
        message = await lookup.load_status(tx, account.id, cid)
        invitation = await lookup.find_invitation(tx, message)
        return present.status(message, invitation, account.now(tx.now))

    return Response(await ctx.db.transact(read))
