"""What became of a message of ours, from the platform's status to a `Status`. Pure."""

import msgspec

from tidings.platforms import failures
from tidings.platforms.port import Failure, StatusKind, StatusUpdate

from .callbacks_values import Unreadable, first, identifier, number, part, timestamp

KINDS = {
    "sent": StatusKind.SENT,
    "delivered": StatusKind.DELIVERED,
    "read": StatusKind.READ,
    "played": StatusKind.READ,  # a voice message that was heard has been opened
    "failed": StatusKind.FAILED,
}
UNKNOWN_ERROR = 131000

# Texts of these codes may quote what was sent, and that may have been a passcode.
QUOTING = frozenset({100, 131008, 131009, *range(132000, 133000)})


class _Status(msgspec.Struct):
    id: object = None
    status: str = ""
    timestamp: object = None
    recipient_id: object = None
    biz_opaque_callback_data: object = None
    type: object = None
    errors: object = None


_decode = msgspec.json.Decoder(_Status).decode


def read_status(raw: bytes | msgspec.Raw) -> StatusUpdate | None:
    """The status in this JSON. None: of a kind that changes nothing for us."""
    try:
        found = _decode(raw)
    except msgspec.ValidationError as fault:
        raise Unreadable(f"a status is not as it should be: {fault}") from None
    kind = KINDS.get(found.status)
    if kind is None or found.type == "payment":
        if not found.status:
            raise Unreadable("a status does not say which")
        return None
    opaque = found.biz_opaque_callback_data
    recipient = found.recipient_id
    return StatusUpdate(
        platform_id=identifier(found.id, "the status's message id"),
        send_id=opaque if isinstance(opaque, str) else None,
        status=kind,
        at=timestamp(found.timestamp),
        recipient=recipient if isinstance(recipient, str) else "",
        failure=_failure(found.errors) if kind is StatusKind.FAILED else None,
    )


def _failure(errors: object) -> Failure:
    """Of the first error, however little it says."""
    error = first(errors)
    code = number(error.get("code")) or UNKNOWN_ERROR
    if code < 0 or code in QUOTING:
        return failures.explain(max(code, 0) or UNKNOWN_ERROR)
    data = part(error, "error_data").get("details") or error.get("error_data")
    said = (one for one in (data, error.get("message"), error.get("title")) if _is_text(one))
    return failures.explain(code, details=str(next(said, "")).replace("\0", ""))


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
