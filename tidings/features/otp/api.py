"""Endpoint 7 of the specification: POST /messages/otp."""

import msgspec
from msgspec import UNSET, UnsetType

from tidings import ids
from tidings.context import Context
from tidings.engine.http.endpoint import Endpoint, Example, Request, Response
from tidings.engine.http.idempotency_key import HEADER as KEY_HEADER
from tidings.errors import Code
from tidings.features.billing.charging.charge import CHARGE_ERRORS
from tidings.features.messages.accept import idempotency
from tidings.features.messages.accept.rules import MessageCode
from tidings.features.messages.model import Message, Reason, Status
from tidings.features.messages.read import responses
from tidings.features.messages.read.responses import SendError
from tidings.features.messages.request.keyed import apply_key
from tidings.features.messages.send.send import send

from . import parse
from .rules import OtpCode


class PasscodeResult(msgspec.Struct, rename="camel"):
    """2.2; `messageId` is null until the platform has taken the passcode."""

    client_message_id: str
    message_id: str | None
    status: Status
    sent_from: str | None
    duplicate: bool
    reason: Reason | UnsetType = UNSET
    retry_at: str | UnsetType | None = UNSET
    error: SendError | UnsetType = UNSET


@Endpoint(
    body=parse.OtpBody,
    keyed_body=parse.OtpBody,
    is_secret=True,
    data=PasscodeResult,
    statuses=(200, 202),
    errors=(
        OtpCode.INVALID_OTP,
        Code.INVALID_PHONE,
        MessageCode.RECIPIENT_NOT_ALLOWLISTED,
        MessageCode.DUPLICATE_CLIENT_MESSAGE_ID,
        *CHARGE_ERRORS,
    ),
    response_headers=("X-Duplicate-Mismatch",),
    tag="Messages",
    example=Example(
        data={
            "clientMessageId": "login-dana-0001",
            "messageId": "wamid.MDFhMWU0MDM1YWE1",
            "status": "sent",
            "sentFrom": "972555000001",
            "duplicate": False,
        },
        body={
            "clientMessageId": "login-dana-0001",
            "to": "972501234567",
            "code": "482913",
            "ttlSeconds": 300,
        },
    ),
)
async def post_otp(ctx: Context, request: Request) -> Response:
    """Send a passcode.

    It is sent at once, or expires after `ttlSeconds`. The code is erased once it is sent.
    """
    if KEY_HEADER in request.headers:
        apply_key(request, chars_min=1, quoted=False)
    message_request = parse.parse_passcode(request.account, request.body, f"otp_{ids.new_id().hex}")
    sent = await send(ctx, message_request)
    reply = Response(_result(sent.message, sent.duplicate), responses.http_status(sent.message))
    if sent.duplicate:
        idempotency.warn(request.account, message_request, sent.message)
        reply.headers = idempotency.headers_of(message_request, sent.message)
    return reply


def _result(message: Message, duplicate: bool) -> PasscodeResult:
    """2.2: the send result without what a passcode does not have."""
    result = responses.send_result(message, duplicate=duplicate)
    return PasscodeResult(
        client_message_id=result.client_message_id,
        message_id=result.message_id,
        status=result.status,
        sent_from=result.sent_from,
        duplicate=result.duplicate,
        reason=result.reason,
        retry_at=result.retry_at,
        error=result.error,
    )
