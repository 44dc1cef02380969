"""Messages whose id is given as Idempotency-Key: the header stands in for clientMessageId. Pure."""

import msgspec
from msgspec import UNSET, UnsetType

from tidings import limits
from tidings.engine.http import idempotency_key
from tidings.engine.http.endpoint import Request
from tidings.wording import quote

from .fields import ClientMessageId, is_id


def keyed(body: type[msgspec.Struct]) -> type[msgspec.Struct]:
    """The same body with an optional clientMessageId. Only requests with the header are decoded
    with it, so that all others are told that the field is missing."""
    optional = ("client_message_id", ClientMessageId | UnsetType, UNSET)
    return msgspec.defstruct(body.__name__, [optional], bases=(body,), kw_only=True)


def apply_key(request: Request, *, chars_min: int, quoted: bool = True) -> None:
    """Set the body's clientMessageId to the key. Called only where the header is given: almost no
    request has it, and sending is where time counts."""
    key = idempotency_key.read(request.headers)
    given = request.body.client_message_id
    if given is UNSET:
        _require_key(key, chars_min, quoted)
        request.body.client_message_id = key
    elif given != key:
        values = f": {quote(key)} and {quote(given)}" if quoted else ""
        rule = f"and clientMessageId differ{values}; give one of them, or the same in both"
        raise idempotency_key.refusal(rule)


def _require_key(key: str, chars_min: int, quoted: bool) -> None:
    most = limits.CLIENT_MESSAGE_ID_CHARS.high
    got = f", got {quote(key)}" if quoted else ""
    if not chars_min <= len(key) <= most:
        raise idempotency_key.refusal(f"must be a text of {chars_min} to {most} characters{got}")
    if not is_id(key):
        raise idempotency_key.refusal(f"must be printable text, not only spaces{got}")
