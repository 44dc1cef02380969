"""Endpoint 7 of the specification: POST /messages/otp."""

from tidings import ids
from tidings.context import Context
from tidings.engine.http.messages import Reply, Request
from tidings.features.messages.accept import idempotency
from tidings.features.messages.model import Message
from tidings.features.messages.read import present
from tidings.features.messages.send.send import send

from . import parse

NOT_OF_A_PASSCODE = ("fallbackUsed", "sentAt", "scheduledFor")


async def post_otp(ctx: Context, request: Request) -> Reply:
    """Send a one-time passcode."""
    message_request = parse.passcode(request.account, request.body, f"otp_{ids.new_id().hex}")
    sent = await send(ctx, message_request)
    reply = Reply(_result(sent.message, sent.duplicate), present.http_status(sent.message))
    if sent.duplicate:
        idempotency.warn(request.account, message_request, sent.message)
        reply.headers = idempotency.headers_of(message_request, sent.message)
    return reply


def _result(message: Message, duplicate: bool) -> dict[str, object]:
    """2.2: the send result without what a passcode does not have."""
    result = present.send_result(message, duplicate=duplicate)
    return {name: value for name, value in result.items() if name not in NOT_OF_A_PASSCODE}
