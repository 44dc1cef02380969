"""Endpoints 13 and 14 of the specification, POST /links and GET /links/{code}; the list of links,
and GET /r/{code}."""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, times, urls
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http import pagination
from tidings.engine.http.endpoint import Auth, Endpoint, Example, PlainResponse, Request, Response
from tidings.engine.http.pagination import Cursor, Limit
from tidings.engine.http.response_types import Page
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.wording import quote

from . import crawlers, lookup, pages, rules
from .create import create, new_link
from .follow import UNAVAILABLE
from .model import LinkFilter, NewLink
from .responses import Link, LinkOpens, link_opens
from .rules import LinkCode


class LinkBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /links"""

    url: Annotated[
        str,
        Meta(
            description="Where it leads: https, on a public host.",
            extra_json_schema={"format": "uri", "maxLength": limits.URL_CHARS_MAX},
        ),
    ]
    event_id: (
        Annotated[
            str,
            Meta(min_length=limits.EVENT_ID_CHARS.low, max_length=limits.EVENT_ID_CHARS.high),
        ]
        | UnsetType
    ) = UNSET
    client_message_id: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=limits.CLIENT_MESSAGE_ID_CHARS.high,
            ),
        ]
        | UnsetType
    ) = UNSET
    expires_at: (
        Annotated[
            str,
            Meta(
                description="RFC 3339 with an offset; from then on it leads nowhere.",
                extra_json_schema={"format": "date-time"},
            ),
        ]
        | UnsetType
    ) = UNSET


@Endpoint(
    body=LinkBody,
    data=Link,
    errors=(Code.INVALID_URL,),
    tag="Links",
    example=Example(
        data={
            "code": "cjaK9N8OPoKC",
            "shortUrl": "http://127.0.0.1:8080/r/cjaK9N8OPoKC",
            "url": "https://example.com/menu",
            "clicks": 0,
            "active": True,
        },
        body={"url": "https://example.com/menu", "expiresAt": "2036-01-01T00:00:00Z"},
    ),
)
async def post_link(ctx: Context, request: Request) -> Response:
    """Create a short link.

    It redirects to your page, and counts how often people open it.
    """
    body: LinkBody = request.body
    account_id = request.account.id
    url = urls.require_public(body.url, "url")
    event_id = _printable(body.event_id, "eventId")
    client_message_id = _printable(body.client_message_id, "clientMessageId")
    expires_at = None if body.expires_at is UNSET else times.require(body.expires_at, "expiresAt")

    async def make(tx: Tx) -> NewLink:
        account = (await load_accounts(tx, [account_id]))[account_id]
        now = account.now(tx.now)
        if expires_at is not None:
            rules.require_future(expires_at, now)
        link = new_link(
            account_id,
            url,
            now,
            event_id=event_id,
            client_message_id=client_message_id,
            expires_at=expires_at,
        )
        await create(tx, [link])
        return link

    link = await ctx.db.transact(make)
    short_url = rules.short_url(ctx.settings.public_url, link.code)
    return Response(Link(link.code, short_url, link.url, clicks=0, active=True))


_OPENS = {
    "code": "cjaK9N8OPoKC",
    "shortUrl": "http://127.0.0.1:8080/r/cjaK9N8OPoKC",
    "url": "https://example.com/menu",
    "clicks": 0,
    "firstClickAt": None,
    "lastClickAt": None,
    "active": True,
}


@Endpoint(
    data=LinkOpens,
    errors=(LinkCode.LINK_NOT_FOUND,),
    tag="Links",
    example=Example(data=_OPENS, path={"code": "<LINK_CODE>"}),
)
async def get_link(ctx: Context, request: Request) -> Response:
    """Get a link.

    How often it was opened, and when first and last.
    """
    code, account_id = request.params["code"], request.account.id
    await ctx.follower.settle(account_id, code)

    async def read(tx: Tx) -> LinkOpens:
        link = await lookup.load_link(tx, account_id, code)
        account = (await load_accounts(tx, [account_id]))[account_id]
        return link_opens(link, account, ctx.settings.public_url, account.now(tx.now))

    return Response(await ctx.db.transact(read))


class LinksQuery(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    event_id: (
        Annotated[
            str,
            Meta(
                min_length=limits.EVENT_ID_CHARS.low,
                max_length=limits.EVENT_ID_CHARS.high,
                description="Only links of this event.",
            ),
        ]
        | UnsetType
    ) = UNSET
    since: (
        Annotated[
            str,
            Meta(
                description="Only links created at this time or later.",
                extra_json_schema={"format": "date-time"},
            ),
        ]
        | UnsetType
    ) = UNSET
    until: (
        Annotated[
            str,
            Meta(
                description="Only links created before this time.",
                extra_json_schema={"format": "date-time"},
            ),
        ]
        | UnsetType
    ) = UNSET
    limit: Limit | UnsetType = UNSET
    cursor: Cursor | UnsetType = UNSET


@Endpoint(
    query=LinksQuery,
    data=list[LinkOpens],
    extra=Page,
    tag="Links",
    example=Example(data=[_OPENS], query="limit=1", extra={"nextCursor": None}),
)
async def get_links(ctx: Context, request: Request) -> Response:
    """List links.

    With their opens, the newest first.
    """
    query: LinksQuery = request.query
    wanted = LinkFilter(
        event_id=_printable(query.event_id, "eventId"),
        since=None if query.since is UNSET else times.require(query.since, "since"),
        until=None if query.until is UNSET else times.require(query.until, "until"),
    )
    size = pagination.page_size(query.limit)
    before = pagination.page_start(query.cursor, tuple[datetime, str])
    account_id = request.account.id
    await ctx.follower.settle(account_id)

    async def read(tx: Tx) -> tuple[list[LinkOpens], str | None]:
        account = (await load_accounts(tx, [account_id]))[account_id]
        page, following = await lookup.load_page(tx, account_id, wanted, before, size)
        now, public_url = account.now(tx.now), ctx.settings.public_url
        shown = [link_opens(link, account, public_url, now) for link in page]
        return shown, None if following is None else pagination.encode_cursor(following)

    links, cursor = await ctx.db.transact(read)
    return Response(links, extra={"nextCursor": cursor})


@Endpoint(
    auth=Auth.NONE,
    statuses=(302,),
    page_statuses=(404, 410, 429),
    tag="Links",
    example=Example(
        status=302,
        path={"code": "<LINK_CODE>"},
    ),
)
async def get_redirect(ctx: Context, request: Request) -> PlainResponse:
    """Follow a link.

    Redirects to its destination. Opens by people are counted; previews are not.
    """
    follower = ctx.follower
    try:
        destination = await follower.find(request.params["code"])
    except UNAVAILABLE:
        return pages.UNAVAILABLE
    if destination is None:
        wait = follower.count_miss(request.address)
        return pages.slow_down(wait) if wait else pages.UNKNOWN
    now = ctx.clock.now() + destination.clock
    if not rules.is_active(destination.expires_at, now, switched_on=destination.switched_on):
        return pages.GONE
    if crawlers.is_open(request.method, request.headers):
        await follower.count(destination, now)
    return pages.redirect(destination.url)


def _printable(value: str | UnsetType, field: str) -> str | None:
    if value is UNSET:
        return None
    if not value.strip() or not value.isprintable():
        raise _refusal(field, f"must be printable text, not only spaces, got {quote(value)}")
    return value


def _refusal(field: str, rule: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"{field} {rule}", field=field)
