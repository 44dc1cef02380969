"""Endpoints 6 and 9: POST /messages/text and POST /messages/rich."""

from tidings import limits
from tidings.context import Context
from tidings.engine.http.dry_run import is_dry_run
from tidings.engine.http.endpoint import Endpoint, Request, Response
from tidings.engine.http.idempotency_key import HEADER as KEY_HEADER
from tidings.errors import Code
from tidings.features.events.rules import EventCode
from tidings.features.media.rules import FILE_ERRORS
from tidings.features.senders.number_selection import SenderCode
from tidings.features.templates.rules import TemplateCode

from ..accept import dry_run, idempotency
from ..accept.accept import ACCEPT_ERRORS
from ..accept.rules import MessageCode
from ..model import MessageRequest
from ..read import responses
from ..send.send import Sent, send
from . import attachments, examples, rich, text
from .keyed import apply_key, keyed

_KEY_CHARS_MIN = limits.CLIENT_MESSAGE_ID_CHARS.low


@Endpoint(
    body=text.TextBody,
    keyed_body=keyed(text.TextBody),
    data=responses.SendResult,
    statuses=(200, 202),
    errors=(
        *ACCEPT_ERRORS,
        *FILE_ERRORS,
        *TemplateCode,
        *SenderCode,
        Code.INVALID_URL,
        MessageCode.TEMPLATE_REQUIRED,
        EventCode.EVENT_NOT_FOUND,
    ),
    dry_run=True,
    dry_run_data=responses.Preview,
    response_headers=("X-Duplicate-Mismatch",),
    tag="Messages",
    example=examples.POST_TEXT,
)
async def post_text(ctx: Context, request: Request) -> Response:
    """Send a message.

    A template, or free text while the conversation window is open. The response comes when the
    platform has accepted or refused the message, or at once where it has to wait.
    """
    if KEY_HEADER in request.headers:
        apply_key(request, chars_min=_KEY_CHARS_MIN)
    return await _send(ctx, request, text.parse_text(request.account, request.body))


@Endpoint(
    body=rich.RichBody,
    keyed_body=keyed(rich.RichBody),
    data=responses.SendResult,
    statuses=(200, 202),
    errors=(*ACCEPT_ERRORS, *FILE_ERRORS, Code.INVALID_URL),
    dry_run=True,
    dry_run_data=responses.Preview,
    response_headers=("X-Duplicate-Mismatch",),
    tag="Messages",
    example=examples.POST_RICH,
)
async def post_rich(ctx: Context, request: Request) -> Response:
    """Send a message with buttons.

    Up to three reply buttons, or one button that opens a URL.
    """
    if KEY_HEADER in request.headers:
        apply_key(request, chars_min=_KEY_CHARS_MIN)
    return await _send(ctx, request, rich.parse_rich(request.account, request.body))


async def _send(ctx: Context, http: Request, request: MessageRequest) -> Response:
    dry = is_dry_run(http.headers)
    if request.media is not None:
        request = await attachments.attach(ctx, http.account, request, dry_run=dry)
    if dry:
        return await dry_run.preview(ctx, request)
    sent = await _send_or_release(ctx, http, request)
    data = responses.send_result(sent.message, duplicate=sent.duplicate)
    reply = Response(data, responses.http_status(sent.message))
    if sent.duplicate:
        idempotency.warn(http.account, request, sent.message)
        reply.headers = idempotency.headers_of(request, sent.message)
    return reply


async def _send_or_release(ctx: Context, http: Request, request: MessageRequest) -> Sent:
    """Deletes the file of a request that made no new message."""
    is_new = False
    try:
        sent = await send(ctx, request)
        is_new = not sent.duplicate and not sent.message.refunded_at
        return sent
    finally:
        if not is_new:
            await attachments.release(ctx, http.account, [request])
