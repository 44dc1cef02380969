"""Where the next page of a list begins: opaque to the caller, checked when it comes back. Pure."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from typing import TypeVar

import msgspec

from tidings.errors import ApiError, Code

T = TypeVar("T")


def encode(key: object) -> str:
    """The `nextCursor` after the item of this key."""
    return urlsafe_b64encode(msgspec.json.encode(key)).decode().rstrip("=")


def decode(cursor: str, kind: type[T]) -> T:
    """The key in a cursor of ours; anything else is refused."""
    try:
        raw = urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        key = msgspec.json.decode(raw, type=kind)
        if not _is_searchable(key):
            raise ValueError(cursor)
    except (ValueError, msgspec.MsgspecError):
        raise ApiError(
            Code.VALIDATION_ERROR,
            "cursor must be the nextCursor of a page before; leave it out to begin anew",
            field="cursor",
        ) from None
    return key


def _is_searchable(key: object) -> bool:
    """No text column holds U+0000, and cursors of ours hold no naive timestamp."""
    if isinstance(key, tuple):
        return all(_is_searchable(part) for part in key)
    if isinstance(key, datetime):
        return key.tzinfo is not None
    return not isinstance(key, str) or "\0" not in key
