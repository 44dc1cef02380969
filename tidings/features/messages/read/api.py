"""GET /messages, GET /messages/{cid} (endpoint 12) and the statement of charges."""

from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.engine.http.endpoint import Endpoint, PlainResponse, Request, Response
from tidings.engine.http.pagination import Cursor, Limit
from tidings.engine.http.response_types import Page
from tidings.features.accounts.lookup import load_accounts
from tidings.features.billing.usage.api import DayText, require_day

from ..accept.rules import MessageCode
from . import examples, filters, listing, lookup, responses, statement
from .filters import MessagesQuery
from .statement import Period


@Endpoint(
    query=MessagesQuery,
    data=list[responses.MessageItem],
    extra=Page,
    tag="Messages",
    example=examples.GET_MESSAGES,
)
async def get_messages(ctx: Context, request: Request) -> Response:
    """List messages.

    The newest first. Of an account with very many messages a page looks at ten thousand: where
    few of them pass the filters it is short, or empty, and `nextCursor` leads on.
    """
    query: MessagesQuery = request.query
    wanted, size = filters.read_filter(query), pagination.page_size(query.limit)
    before = pagination.page_start(query.cursor, UUID)

    async def read(tx: Tx) -> tuple[list[responses.MessageItem], UUID | None]:
        account = (await load_accounts(tx, [request.account.id]))[request.account.id]
        page = await listing.load_page(tx, account, wanted, before, size)
        return await listing.items(tx, account, page.messages), page.before

    items, end = await ctx.db.transact(read)
    following = None if end is None else pagination.encode_cursor(end)
    return Response(items, extra={"nextCursor": following})


@Endpoint(
    data=responses.MessageStatus,
    errors=(MessageCode.MESSAGE_NOT_FOUND,),
    tag="Messages",
    example=examples.GET_MESSAGE,
)
async def get_message(ctx: Context, request: Request) -> Response:
    """Get a message.

    Its status, timeline and attempts, by the clientMessageId that it was sent with.
    """
    cid, account = request.params["cid"], request.account

    async def read(tx: Tx) -> responses.MessageStatus:
        message = await lookup.load_status(tx, account.id, cid)
        invitation = await lookup.find_invitation(tx, message)
        return responses.status(message, invitation, account.now(tx.now))

    return Response(await ctx.db.transact(read))


class ChargesQuery(
    msgspec.Struct, forbid_unknown_fields=True, rename={"from_": "from", "format_": "format"}
):
    from_: DayText | UnsetType = UNSET
    to: DayText | UnsetType = UNSET
    format_: (
        Annotated[
            Literal["json", "csv"],
            Meta(description="csv: the whole statement as a file, without pages."),
        ]
        | UnsetType
    ) = UNSET
    limit: Limit | UnsetType = UNSET
    cursor: Cursor | UnsetType = UNSET


@Endpoint(
    query=ChargesQuery,
    data=list[responses.ChargeShape],
    other_media_type="text/csv",
    extra=Page,
    tag="Billing",
    example=examples.GET_CHARGES,
)
async def get_charges(ctx: Context, request: Request) -> Response | PlainResponse:
    """List charges.

    Every charge and what became of it, message by message, the newest first.
    """
    query: ChargesQuery = request.query
    account_id = request.account.id
    account = (await ctx.db.transact(lambda tx: load_accounts(tx, [account_id])))[account_id]
    period = Period(
        first=None if query.from_ is UNSET else require_day(query.from_, "from"),
        last=None if query.to is UNSET else require_day(query.to, "to"),
    )
    if query.format_ == "csv":
        body = statement.csv_bytes(ctx, account, period)
        disposition = (b"content-disposition", b'attachment; filename="charges.csv"')
        return PlainResponse(200, body, "text/csv; charset=utf-8", (disposition,))
    size = pagination.page_size(query.limit)
    before = pagination.page_start(query.cursor, UUID)
    found = await ctx.db.transact(
        lambda tx: statement.load_lines(tx, account, period, before, size + 1)
    )
    page = found[:size]
    following = pagination.encode_cursor(page[-1].charge.message_id) if len(found) > size else None
    return Response([statement.shown(line) for line in page], extra={"nextCursor": following})
