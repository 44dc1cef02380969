"""What a repeated clientMessageId may stand for, and what is said of it (4.1, contract2.md A).

Texts, rich messages, items of a batch and invitations are repeats of each other; a passcode and a
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
    """The answer to one kind of message must not be taken for that to another."""
    if request.kind != original.kind and not {request.kind, original.kind} <= _ORDINARY:
        raise used_id()


def used_id() -> ApiError:
    problem = (
        "clientMessageId is that of another message; repeat the request as it was, or use a new id"
    )
    return ApiError(MessageCode.DUPLICATE_CLIENT_MESSAGE_ID, problem, field="clientMessageId")


def is_mismatch(request: MessageRequest, original: Message) -> bool:
    """Whether a repeat goes to somebody else than its original did."""
    return request.to != original.recipient


def headers_of(request: MessageRequest, original: Message) -> tuple[tuple[bytes, bytes], ...]:
    """Of the answer to a repeat."""
    return MISMATCH_HEADER if is_mismatch(request, original) else ()


def warn(account: Account, request: MessageRequest, original: Message) -> None:
    """A repeat to somebody else is mostly a mistake of the caller's: nothing went to them."""
    if is_mismatch(request, original):
        log.warning(
            "message.repeat_mismatch",
            account=account.name,
            message_id=original.id.hex,
            asked=phone.mask(request.to),
            original=phone.mask(original.recipient),
        )
