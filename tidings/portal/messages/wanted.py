"""Which messages a list or an export shows: the filters in its address."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from uuid import UUID
from zoneinfo import ZoneInfo

from tidings import ids, phone, times
from tidings.errors import ApiError, Code
from tidings.features.messages.model import MessageKind
from tidings.features.messages.read.filters import Filter, require_statuses
from tidings.portal.phone.number import as_digits
from tidings.portal.visit import Visit
from tidings.wording import quote

NAMES = ("search", "status", "kind", "from", "to", "eventId", "batchId")


@dataclass(frozen=True, slots=True)
class Wanted:
    """`text`: what was searched for, where it may be the id of a message."""

    filter: Filter
    text: str


def read_wanted(visit: Visit) -> Wanted:
    """Raises ApiError with the name of the field that cannot be understood."""
    query = {name: visit.query.get(name, "").strip() for name in NAMES}
    search = query["search"]
    is_batch = ids.parse_ref("bat_", search) is not None
    return Wanted(
        Filter(
            to=phone.find(as_digits(search)),
            statuses=require_statuses(query["status"]) if query["status"] else frozenset(),
            kind=_kind(query["kind"]),
            event_id=query["eventId"] or None,
            batch_id=_batch(search if is_batch else query["batchId"]),
            since=_midnight(visit, query, "from", 0),
            until=_midnight(visit, query, "to", 1),
        ),
        "" if is_batch else search,
    )


def _kind(text: str) -> MessageKind | None:
    try:
        return MessageKind(text) if text else None
    except ValueError:
        raise _refusal("kind", f"is one of {', '.join(MessageKind)}, got {quote(text)}") from None


def _batch(text: str) -> UUID | None:
    found = ids.parse_ref("bat_", text)
    if text and found is None:
        raise _refusal("batchId", f"must be the batchId of a batch, got {quote(text)}")
    return found


def _midnight(visit: Visit, query: Mapping[str, str], name: str, days: int) -> datetime | None:
    """The start of a day in the reader's zone, or of the day after."""
    if not query[name]:
        return None
    try:
        day = times.parse_date(query[name])
    except ValueError:
        problem = visit.gettext("Give a day such as 2026-10-18.")
        raise ApiError(Code.VALIDATION_ERROR, problem, field=name) from None
    local = datetime.combine(day + timedelta(days=days), time(), ZoneInfo(visit.zone))
    return local.astimezone(UTC)


def _refusal(field: str, rule: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, f"{field} {rule}", field=field)
