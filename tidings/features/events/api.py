"""Endpoints 16 and 17 of the specification: POST /events, GET /events/{eventId}.

Also the lists of contract2.md section D: GET /events, GET /events/{eventId}/guests.
"""

from datetime import datetime
from typing import Annotated
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.engine.http.endpoint import Endpoint, Request, Response
from tidings.engine.http.pagination import Cursor, Limit
from tidings.engine.http.response_types import Page
from tidings.features.accounts.lookup import load_accounts
from tidings.features.senders.number_selection import SenderCode

from . import examples, guests, listing, parse, responses
from .lookup import require_event
from .model import GuestState
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
    """Register an event.

    The same `eventId` again changes its settings. Once an invitation went out, a new date needs
    `confirmLockedChange`.
    """
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
    """Get an event.

    Its settings, and how its guests have replied.
    """
    event_id, account_id = request.params["eventId"], request.account.id

    async def read(tx: Tx) -> listing.Counted:
        account = (await load_accounts(tx, [account_id]))[account_id]
        return await listing.load_event(tx, account, event_id)

    found = await ctx.db.report(read)
    return Response(responses.event(found.event, found.counts))


class EventsQuery(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    limit: Limit | UnsetType = UNSET
    cursor: Cursor | UnsetType = UNSET


@Endpoint(
    query=EventsQuery,
    data=list[responses.EventShape],
    extra=Page,
    tag="Events",
    example=examples.GET_EVENTS,
)
async def get_events(ctx: Context, request: Request) -> Response:
    """List events.

    The newest first.
    """
    query: EventsQuery = request.query
    size, account_id = pagination.page_size(query.limit), request.account.id
    before = pagination.page_start(query.cursor, tuple[datetime, str])

    async def read(tx: Tx) -> listing.EventPage:
        account = (await load_accounts(tx, [account_id]))[account_id]
        return await listing.load_page(tx, account, before, size)

    page = await ctx.db.report(read)
    following = None if page.following is None else pagination.encode_cursor(page.following)
    shown = [responses.event(one.event, one.counts) for one in page.events]
    return Response(shown, extra={"nextCursor": following})


class GuestsQuery(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    state: (
        Annotated[responses.StateName, Meta(description="Only guests in this state.")] | UnsetType
    ) = UNSET
    limit: Limit | UnsetType = UNSET
    cursor: Cursor | UnsetType = UNSET


@Endpoint(
    query=GuestsQuery,
    data=list[responses.GuestShape],
    extra=Page,
    errors=(EventCode.EVENT_NOT_FOUND,),
    tag="Events",
    example=examples.GET_GUESTS,
)
async def get_guests(ctx: Context, request: Request) -> Response:
    """List an event's guests.

    One item for each guest, the newest invitation first. A filtered page may be short, or
    empty, although there are more; `nextCursor` leads on.
    """
    query: GuestsQuery = request.query
    size, account_id = pagination.page_size(query.limit), request.account.id
    before = pagination.page_start(query.cursor, UUID)
    state = None if query.state is UNSET else GuestState(query.state)

    async def read(tx: Tx) -> guests.GuestPage:
        event_id = request.params["eventId"]
        await require_event(tx, account_id, event_id)
        account = (await load_accounts(tx, [account_id]))[account_id]
        return await guests.load_page(tx, account, event_id, state=state, before=before, size=size)

    page = await ctx.db.transact(read)
    following = None if page.following is None else pagination.encode_cursor(page.following)
    shown = [responses.guest(one) for one in page.guests]
    return Response(shown, extra={"nextCursor": following})
