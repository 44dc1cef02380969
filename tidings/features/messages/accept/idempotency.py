"""Requests with a clientMessageId that was used before (4.1, contract2.md A).

Texts, rich messages, batch items and invitations are duplicates of each other; a passcode and a
form only of their own kind.
"""

import structlog

from tidings import phone
from tidings.errors import ApiError
from tidings.features.accounts.model import Account

from ..accept.rules import MessageCode
from ..model import Message, MessageKind, MessageRequest

MISMATCH_HEADER = ((b"X-Duplicate-Mismatch", b"to"),)
_ORDINARY = frozenset({MessageKind.NOTIFICATION, MessageKind.INVITATION})
log = structlog.get_logger()


def require_same_kind(request: MessageRequest, original: Message) -> None:
    """The response of one kind of message must not be mistaken for that of another."""
    if request.kind != original.kind and not {request.kind, original.kind} <= _ORDINARY:
        raise used_id()


def used_id() -> ApiError:
    problem = (
        "clientMessageId is that of another message; repeat the request as it was, or use a new id"
    )
    return ApiError(MessageCode.DUPLICATE_CLIENT_MESSAGE_ID, problem, field="clientMessageId")


def is_mismatch(request: MessageRequest, original: Message) -> bool:
    """Whether the duplicate has another recipient than the original."""
    return request.to != original.recipient


def headers_of(request: MessageRequest, original: Message) -> tuple[tuple[bytes, bytes], ...]:
    """Headers of the response to a duplicate."""
    return MISMATCH_HEADER if is_mismatch(request, original) else ()


def warn(account: Account, request: MessageRequest, original: Message) -> None:
    """A duplicate with another recipient is likely a mistake of the caller: nothing was sent."""
    if is_mismatch(request, original):
        log.warning(
            "message.duplicate_differed",
            account=account.id,
            message_id=original.id,
            requested=phone.mask(request.to),
            original=phone.mask(original.recipient),
        )
