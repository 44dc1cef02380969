"""Endpoints 16 and 17 of the specification: POST /events, GET /events/{eventId}."""

from msgspec import UNSET

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.endpoint import Endpoint, Request, Response
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders.number_selection import SenderCode

from . import examples, parse, responses, store
from .lookup import unknown_event
from .register import register
from .rules import EventCode


@Endpoint(
    body=parse.EventBody,
    data=responses.RegisteredEvent,
    statuses=(200, 201),
    errors=(SenderCode.INVALID_SENDER, EventCode.EVENT_LOCKED),
    tag="Events",
    example=examples.POST_EVENT,
)
async def post_event(ctx: Context, request: Request) -> Response:
    """Register an event, or change one."""
    body: parse.EventBody = request.body
    account_id = request.account.id
    settings = parse.settings(body, allow_private=ctx.settings.allow_private_webhooks)
    confirmed = body.confirm_locked_change is not UNSET and body.confirm_locked_change
    done = await ctx.db.transact(
        lambda tx: register(tx, account_id, body.event_id, settings, confirmed=confirmed)
    )
    data = responses.registered_event(done.event, done.counts, duplicate=done.duplicate)
    return Response(data, 201 if done.is_new else 200)


@Endpoint(
    data=responses.EventShape,
    errors=(EventCode.EVENT_NOT_FOUND,),
    tag="Events",
    example=examples.GET_EVENT,
)
async def get_event(ctx: Context, request: Request) -> Response:
    """An event's settings, its invitations and their replies."""
    event_id, account_id = request.params["eventId"], request.account.id

    async def read(tx: Tx) -> responses.EventShape:
        found = (await store.load(tx, [(account_id, event_id)])).get((account_id, event_id))
        if found is None:
            raise unknown_event()
        account = (await load_accounts(tx, [account_id]))[account_id]
        counts = await store.count(tx, account_id, event_id, account.now(tx.now))
        return responses.event(found, counts)

    return Response(await ctx.db.transact(read))
