"""Endpoint 23 of the specification: GET /media/inbound/{platform_message_id} (4.13).

No key: the link itself is signed (`media/inbound_files/link.py`). The file is streamed from the
platform and not stored; the sandbox has a sample of each kind.
"""

from contextlib import AsyncExitStack
from datetime import datetime
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from tidings import limits
from tidings.context import Context
from tidings.engine.budget import account_owner, address_owner
from tidings.engine.db.tx import Tx
from tidings.engine.http.endpoint import Auth, Endpoint, Example, PlainResponse, Request
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.media.inbound_files.files import find_file
from tidings.features.media.inbound_files.link import MediaGrant, require_granted, signed_url
from tidings.features.media.inbound_files.model import GuestFile
from tidings.features.media.inbound_files.relay import Relay, answer, explained, failed
from tidings.features.media.rules import MediaCode
from tidings.features.senders.lookup import load_numbers, open_token
from tidings.platforms.sandbox.guest_messages import SAMPLES
from tidings.platforms.whatsapp.call_errors import GraphCallError

from .model import GuestReply


class InboundQuery(msgspec.Struct, forbid_unknown_fields=True):
    """The signature of the link. Leave it as the event gave it."""

    MALFORMED: ClassVar = Code.INVALID_SIGNATURE  # a link with other parameters is not ours

    a: Annotated[str, Meta(description="The account.")] = ""
    e: Annotated[str, Meta(description="When the link ends, in seconds since 1970.")] = ""
    s: Annotated[str, Meta(description="The signature over all of it.")] = ""


@Endpoint(
    auth=Auth.NONE,
    query=InboundQuery,
    errors=(
        Code.INVALID_SIGNATURE,
        Code.RATE_LIMIT_EXCEEDED,
        MediaCode.MEDIA_NOT_FOUND,
        MediaCode.MEDIA_EXPIRED,
        MediaCode.META_ERROR,
    ),
    tag="Events",
    example=Example(
        path={"platform_message_id": "<PLATFORM_MESSAGE_ID>"},
        query="<SIGNATURE>",
        output="photo.jpg",
    ),
)
async def get_inbound(ctx: Context, request: Request) -> PlainResponse:
    """Download a file from a guest.

    The whole link is `mediaUrl` in events. It is signed, so it needs no key.
    """
    query: InboundQuery = request.query
    granted = require_granted(
        ctx.sealer, request.params["platform_message_id"], query.a, query.e, query.s
    )
    account, file, token = await ctx.db.transact(lambda tx: _load(ctx, tx, granted))
    request.account = account  # so that an error carries its environment
    now = ctx.clock.now() if account is None else account.now(ctx.clock.now())
    if now >= granted.until:
        raise ApiError(MediaCode.MEDIA_EXPIRED, "the link was good for 7 days from receipt")
    if account is None or file is None:
        raise ApiError(MediaCode.MEDIA_NOT_FOUND)
    if account.is_sandbox:
        return _sample(file, granted, now)
    if token is None:
        raise failed("the number it was sent to has no access token any more")
    async with AsyncExitStack() as stack:
        await _take_stream(ctx, stack, account, request.address)
        return await _relay(ctx, stack, file, token, granted, now)


async def _load(
    ctx: Context, tx: Tx, granted: MediaGrant
) -> tuple[Account | None, GuestFile | None, str | None]:
    """The account, its file, and the token of the number that it was sent to."""
    account = (await load_accounts(tx, [granted.account_id])).get(granted.account_id)
    file = await find_file(tx, granted.account_id, granted.platform_id)
    if account is None or file is None:
        return account, file, None
    numbers = (await load_numbers(tx, [account.id]))[account.id]
    number = next((one for one in numbers if one.number == file.number), None)
    token = None if number is None else open_token(ctx.sealer, account.id, number)
    return account, file, None if token is None else token.reveal()


def _sample(file: GuestFile, granted: MediaGrant, now: datetime) -> PlainResponse:
    sample = SAMPLES.get(file.type, SAMPLES["image"])
    return answer(file, sample.data, size=len(sample.data), left=granted.until - now)


async def _relay(
    ctx: Context,
    stack: AsyncExitStack,
    file: GuestFile,
    token: str,
    granted: MediaGrant,
    now: datetime,
) -> PlainResponse:
    """The stream takes over the resources of `stack` and releases them when it ends."""
    try:
        download = await stack.enter_async_context(ctx.graph.download(file.media_id, token))
        relay = await Relay.begin(download)
    except GraphCallError as fault:
        raise explained(fault) from None
    relay.holds = stack.pop_all()
    return answer(file, relay, size=relay.size, left=granted.until - now)


async def _take_stream(ctx: Context, stack: AsyncExitStack, account: Account, address: str) -> None:
    """Take one of the process's streams, within the share of the account and the address."""
    hold = ctx.media_streams.open(account_owner(account.id), address_owner(address))
    stack.callback(hold.close)
    if not await hold.grow(1, limits.INBOUND_MEDIA_WAIT):
        text = "too many files are being downloaded at once; try again shortly"
        raise ApiError(Code.RATE_LIMIT_EXCEEDED, text, retry_after=1)


def media_url(ctx: Context, reply: GuestReply) -> str | None:
    """`mediaUrl` of the reply's event (4.13). None: it has no file."""
    item = reply.item
    if item.media_id is None:
        return None
    return signed_url(ctx, reply.account, item.platform_id, item.at)
