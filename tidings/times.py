"""Timestamps and dates on the wire (contract.md, General). Pure.

Input: RFC 3339 with an offset. Lower-case `t` and `z` are accepted, as the RFC requires; a space in
place of the T, a missing offset, week dates, 24:00 and leap seconds are refused. Fractions are
truncated to microseconds. Output: UTC, exactly three fraction digits, `Z`.
docs/decisions/0002-times-and-ids.md
"""

import re
from datetime import UTC, date, datetime
from functools import lru_cache

from tidings.errors import ApiError, Code
from tidings.wording import quote

YEAR_MIN, YEAR_MAX = 1970, 9998  # in any zone: adding any of our limits stays in datetime's range
TEXT_CHARS_MAX = 64

_DATE = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
_TIME = r"[Tt][0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?"
_TIMESTAMP = re.compile(f"{_DATE}{_TIME}(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])")
_WITHOUT_OFFSET = re.compile(_DATE + _TIME)
_DATE_ONLY = re.compile(_DATE)


def parse(text: str) -> datetime:
    """An aware UTC datetime, or a ValueError whose message continues after the field's name."""
    if len(text) > TEXT_CHARS_MAX or not _TIMESTAMP.fullmatch(text):
        raise ValueError(_fault(text))
    try:
        local = datetime.fromisoformat(text.upper())
    except ValueError:
        raise ValueError("names a date or a time of day that does not exist") from None
    _require_year(local)
    timestamp = local.astimezone(UTC)
    _require_year(timestamp)
    return timestamp


def require(text: str, field: str) -> datetime:
    """`parse`, but raises VALIDATION_ERROR naming the field."""
    try:
        return parse(text)
    except ValueError as reason:
        problem = f"{field} {reason}, got {quote(text)}"
        raise ApiError(Code.VALIDATION_ERROR, problem, field=field) from None


def parse_date(text: str) -> date:
    """A calendar date, YYYY-MM-DD, or a ValueError like that of `parse`."""
    if not _DATE_ONLY.fullmatch(text):
        raise ValueError("is not a date; write it like 2026-01-31")
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise ValueError("names a date that does not exist") from None
    _require_year(day)
    return day


@lru_cache(maxsize=64)  # the messages of a batch share their timestamps
def to_wire(timestamp: datetime) -> str:
    """2026-01-31T09:30:00.000Z. Truncates to milliseconds, so it is never in the future."""
    if timestamp.tzinfo is not UTC:
        if timestamp.tzinfo is None:
            raise ValueError("a timestamp without a zone cannot go on the wire")
        timestamp = timestamp.astimezone(UTC)
    return timestamp.isoformat("T", "milliseconds")[:23] + "Z"


def to_wire_or_none(timestamp: datetime | None) -> str | None:
    return None if timestamp is None else to_wire(timestamp)


def years_after(timestamp: datetime, years: int) -> datetime:
    """The same day of a later year; 29 February becomes 1 March in a common year."""
    try:
        return timestamp.replace(year=timestamp.year + years)
    except ValueError:
        return timestamp.replace(year=timestamp.year + years, month=3, day=1)


def _fault(text: str) -> str:
    if _DATE_ONLY.fullmatch(text):
        return "is a date without a time; write it like 2026-01-31T09:30:00Z"
    if len(text) <= TEXT_CHARS_MAX and _WITHOUT_OFFSET.fullmatch(text):
        return "has no UTC offset, so it is ambiguous; add Z or an offset such as +02:00"
    return "is not an RFC 3339 time; write it like 2026-01-31T09:30:00Z"


def _require_year(value: date) -> None:
    if not YEAR_MIN <= value.year <= YEAR_MAX:
        raise ValueError(f"lies outside the years {YEAR_MIN} to {YEAR_MAX}")
