"""Paginated lists: the `limit` and `cursor` of a request, and `nextCursor`. Pure.

A cursor is opaque to the caller: the key of the last item of a page, checked when it comes back.
"""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import datetime
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta, UnsetType

from tidings import limits
from tidings.errors import ApiError, Code

T = TypeVar("T")

Limit = Annotated[
    int,
    Meta(
        ge=limits.LIST_LIMIT.low,
        le=limits.LIST_LIMIT.high,
        description="How many to list.",
        extra_json_schema={"default": limits.LIST_LIMIT_DEFAULT},
    ),
]
Cursor = Annotated[
    str,
    Meta(max_length=512, description="`nextCursor` of the page before; absent: the first page."),
]


def page_size(limit: int | UnsetType) -> int:
    return limits.LIST_LIMIT_DEFAULT if isinstance(limit, UnsetType) else limit


def page_start(cursor: str | UnsetType, kind: type[T]) -> T | None:
    """The key to continue after; None for the first page."""
    return None if isinstance(cursor, UnsetType) else decode_cursor(cursor, kind)


def encode_cursor(key: object) -> str:
    """The `nextCursor` after the item with this key."""
    return urlsafe_b64encode(msgspec.json.encode(key)).decode().rstrip("=")


def decode_cursor(cursor: str, kind: type[T]) -> T:
    """The key in a cursor we issued; anything else is refused."""
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
    """PostgreSQL accepts no U+0000 in text, and our cursors hold no naive timestamp."""
    if isinstance(key, tuple):
        return all(_is_searchable(part) for part in key)
    if isinstance(key, datetime):
        return key.tzinfo is not None
    return not isinstance(key, str) or "\0" not in key
