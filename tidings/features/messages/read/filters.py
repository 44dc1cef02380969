"""The filters of GET /messages (contract2.md D, E). Pure."""

from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Literal
from uuid import UUID

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import ids, limits, phone, times
from tidings.engine.http.pagination import Cursor, Limit
from tidings.errors import ApiError, Code
from tidings.wording import quote

from ..model import MessageKind, Status

Kind = Literal["notification", "invitation", "otp", "feedback", "prompt"]
Time = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


class MessagesQuery(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    to: (
        Annotated[
            str,
            Meta(
                description="Only to this number, with or without 00.",
                extra_json_schema={"pattern": phone.PATTERN},
            ),
        ]
        | UnsetType
    ) = UNSET
    status: (
        Annotated[str, Meta(description="Only in this status; several with commas between.")]
        | UnsetType
    ) = UNSET
    kind: Annotated[Kind, Meta(description="Only of this kind.")] | UnsetType = UNSET
    event_id: (
        Annotated[
            str,
            Meta(
                min_length=1,
                max_length=limits.LOOKUP_ID_CHARS_MAX,
                description="Only of this event.",
            ),
        ]
        | UnsetType
    ) = UNSET
    batch_id: Annotated[str, Meta(description="Only of this batch.")] | UnsetType = UNSET
    since: Annotated[Time, Meta(description="Only those created then or later.")] | UnsetType = (
        UNSET
    )
    until: Annotated[Time, Meta(description="Only those created before then.")] | UnsetType = UNSET
    limit: Limit | UnsetType = UNSET
    cursor: Cursor | UnsetType = UNSET


@dataclass(frozen=True, slots=True)
class Filter:
    """Which messages to list; what is None or empty lets all through."""

    to: str | None = None
    statuses: frozenset[Status] = frozenset()
    kind: MessageKind | None = None
    event_id: str | None = None
    batch_id: UUID | None = None
    since: datetime | None = None
    until: datetime | None = None


def read_filter(query: MessagesQuery) -> Filter:
    return Filter(
        to=None if query.to is UNSET else _require_number(query.to),
        statuses=frozenset() if query.status is UNSET else require_statuses(query.status),
        kind=None if query.kind is UNSET else MessageKind(query.kind),
        event_id=None if query.event_id is UNSET else query.event_id,
        batch_id=None if query.batch_id is UNSET else _require_batch(query.batch_id),
        since=None if query.since is UNSET else times.require(query.since, "since"),
        until=None if query.until is UNSET else times.require(query.until, "until"),
    )


def require_statuses(text: str) -> frozenset[Status]:
    """A comma list of statuses."""
    try:
        return frozenset(Status(name.strip()) for name in text.split(","))
    except ValueError:
        known = ", ".join(Status)
        raise _refusal("status", f"is a comma list of {known}, got {quote(text)}") from None


def _require_number(text: str) -> str:
    number = phone.find(text)
    if number is None:
        rule = f"must be {limits.RECIPIENT_DIGITS} digits in international format"
        raise _refusal("to", f"{rule}, got {quote(text)}")
    return number


def _require_batch(text: str) -> UUID:
    batch_id = ids.parse_ref("bat_", text)
    if batch_id is None:
        raise _refusal("batchId", f"must be the batchId of a batch, got {quote(text)}")
    return batch_id


def _refusal(field: str, rule: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"{field} {rule}", field=field)
