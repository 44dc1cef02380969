"""Sandbox control under /sandbox/v1 (contract.md): the clock, the guest's phone and its replies."""

from datetime import timedelta
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import limits, phone, times
from tidings.context import Context
from tidings.engine.db.tx import Tx
from tidings.engine.http.endpoint import Auth, Endpoint, Request, Response
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account
from tidings.features.messages.request.fields import Phone
from tidings.features.senders.number_selection import SenderCode
from tidings.platforms.sandbox.replies import Attachment, ButtonPress, GuestReply
from tidings.wording import quote

from . import clock, examples, guest, responses
from .conversation import load_phone

ADVANCE_MAX = 10 * 366 * 24 * 3600  # ten years


class ClockBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /clock"""

    advance_seconds: Annotated[int, Meta(ge=1, le=ADVANCE_MAX)]


@Endpoint(
    auth=Auth.SANDBOX,
    body=ClockBody,
    data=responses.Clock,
    tag="Sandbox",
    example=examples.POST_CLOCK,
)
async def post_clock(ctx: Context, request: Request) -> Response:
    """Advance the clock.

    What falls due on the way runs before the response. A call takes half a minute at most.
    After that, webhooks to a receiver that hangs are posted in the background, and `pending`
    counts what is left. Concurrent calls wait for each other.
    """
    by = timedelta(seconds=request.body.advance_seconds)
    await clock.advance(ctx, request.account.id, by, list(ctx.pools))
    return await _clock(ctx, request)


@Endpoint(
    auth=Auth.SANDBOX,
    data=responses.Clock,
    tag="Sandbox",
    example=examples.GET_CLOCK,
)
async def get_clock(ctx: Context, request: Request) -> Response:
    """Get the clock.

    The account's present time, how far it runs ahead, and how many jobs are pending.
    """
    return await _clock(ctx, request)


async def _clock(ctx: Context, request: Request) -> Response:
    account_id = request.account.id

    async def load(tx: Tx) -> tuple[Account, int]:
        account = (await load_accounts(tx, [account_id]))[account_id]
        return account, await clock.count_pending(tx, account_id, list(ctx.pools))

    account, pending = await ctx.db.transact(load)
    return Response(
        responses.Clock(
            now=times.to_wire(account.now(ctx.clock.now())),
            offset_seconds=account.clock // timedelta(seconds=1),
            pending=pending,
        )
    )


Words = Annotated[str, Meta(max_length=limits.MESSAGE_CHARS_MAX)]
LookupId = Annotated[str, Meta(max_length=limits.LOOKUP_ID_CHARS_MAX)]


class ButtonBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    text: Words | UnsetType = UNSET
    payload: Words | UnsetType = UNSET
    client_message_id: LookupId | UnsetType = UNSET


class MediaBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    type: Annotated[str, Meta(extra_json_schema={"enum": ["image", "document"]})]
    caption: Annotated[str, Meta(max_length=limits.CAPTION_CHARS_MAX)] | UnsetType = UNSET


class FormBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    answers: Annotated[dict[LookupId, Any], Meta(max_length=limits.FORM_ANSWERS_MAX)]


class ReplyBody(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    """POST /replies: exactly one of text, button, media, form, stop."""

    from_: Annotated[Phone, Meta(description="The guest.")] = msgspec.field(name="from")
    to: Phone | UnsetType = UNSET
    text: Annotated[str, Meta(min_length=1, max_length=limits.MESSAGE_CHARS_MAX)] | UnsetType = (
        UNSET
    )
    button: ButtonBody | UnsetType = UNSET
    media: MediaBody | UnsetType = UNSET
    form: FormBody | UnsetType = UNSET
    stop: bool | UnsetType = UNSET
    quoted: LookupId | UnsetType = UNSET


@Endpoint(
    auth=Auth.SANDBOX,
    body=ReplyBody,
    data=responses.Replied,
    errors=(Code.INVALID_PHONE, SenderCode.INVALID_SENDER),
    tag="Sandbox",
    example=examples.POST_REPLY,
)
async def post_reply(ctx: Context, request: Request) -> Response:
    """Answer as the guest.

    Write a text, tap a button, send a file, fill in a form, or ask to stop.
    """
    body: ReplyBody = request.body
    answer = guest.Answer(
        from_=phone.require(body.from_, "from"),
        to=None if body.to is UNSET else phone.require(body.to, "to"),
        reply=_reply(body),
        quoted=None if body.quoted is UNSET else body.quoted,
        pressed_in=_pressed_in(body),
    )
    return Response(responses.Replied(await guest.answer(ctx, request.account, answer)))


def _reply(body: ReplyBody) -> GuestReply:
    given = [
        name
        for name in ("text", "button", "media", "form", "stop")
        if getattr(body, name) is not UNSET
    ]
    if len(given) != 1 or body.stop is False:
        problem = "give exactly one of text, button, media, form, stop: true"
        raise ApiError(Code.VALIDATION_ERROR, problem, field=given[1] if given[1:] else "text")
    if body.quoted is not UNSET and given[0] not in ("text", "media"):
        problem = f"quoted goes with text or media, not with {given[0]}"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="quoted")
    return GuestReply(
        text=_or_none(body.text),
        button=_press(body.button),
        media=_attachment(body.media),
        answers=None if body.form is UNSET else body.form.answers,
        stop=body.stop is True,
    )


def _press(button: ButtonBody | UnsetType) -> ButtonPress | None:
    if button is UNSET:
        return None
    return ButtonPress(text=_or_none(button.text), payload=_or_none(button.payload))


def _attachment(media: MediaBody | UnsetType) -> Attachment | None:
    if media is UNSET:
        return None
    if media.type not in ("image", "document"):
        problem = f"media.type must be image or document, got {quote(media.type)}"
        raise ApiError(Code.VALIDATION_ERROR, problem, field="media.type")
    return Attachment(media.type, _or_none(media.caption) or "")


def _pressed_in(body: ReplyBody) -> str | None:
    return None if body.button is UNSET else _or_none(body.button.client_message_id)


def _or_none(value: str | UnsetType) -> str | None:
    return None if value is UNSET else value


@Endpoint(
    auth=Auth.SANDBOX,
    data=responses.Conversation,
    errors=(Code.INVALID_PHONE,),
    tag="Sandbox",
    example=examples.GET_PHONE,
)
async def get_phone(ctx: Context, request: Request) -> Response:
    """Read the guest's phone.

    The conversation as the guest sees it, with buttons and forms.
    """
    given, account_id = request.params["number"], request.account.id
    number = phone.require(given, "number")
    shown = await ctx.db.transact(lambda tx: load_phone(tx, account_id, number))
    return Response(responses.Conversation(given, [one.shown for one in shown.messages]))
