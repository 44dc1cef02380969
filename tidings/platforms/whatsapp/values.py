"""Lenient readers of JSON values of the platform, whose types vary between API versions. Pure."""

import re
from datetime import UTC, datetime
from typing import Any

ID_CHARS_MAX = 512
TEXT_CHARS_MAX = 65_536  # the longest message a person can write
YEAR_2100 = 4_102_444_800

PHONE = re.compile(r"[0-9]{5,20}")


class Unreadable(Exception):
    """A value that cannot be read. The text is a short reason."""


def timestamp(value: object) -> datetime:
    """Whole seconds since 1970, as a number or as text."""
    seconds = int(value) if isinstance(value, str) and re.fullmatch("[0-9]{1,10}", value) else value
    if isinstance(seconds, bool) or not isinstance(seconds, int) or not 0 < seconds < YEAR_2100:
        raise Unreadable("the timestamp is invalid")
    return datetime.fromtimestamp(seconds, UTC)


def identifier(value: object, name: str) -> str:
    """An id that can be stored; an integer is converted to its digits."""
    found = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    if not isinstance(found, str) or not 0 < len(found) <= ID_CHARS_MAX or "\0" in found:
        raise Unreadable(f"{name} is missing or invalid")
    return found


def text(value: object) -> str | None:
    """Text without NUL, which PostgreSQL cannot store; None if empty or not a string."""
    if not isinstance(value, str) or not value:
        return None
    return value.replace("\0", "\ufffd")[:TEXT_CHARS_MAX]


def short(value: object) -> str | None:
    """An optional id or code."""
    found = text(str(value) if isinstance(value, int) and not isinstance(value, bool) else value)
    return found[:ID_CHARS_MAX] if found else None


def phone(value: object) -> str | None:
    """A person's number as digits; a leading `+` is removed."""
    found = str(value) if isinstance(value, int) and not isinstance(value, bool) else value
    digits = found.removeprefix("+") if isinstance(found, str) else ""
    return digits if PHONE.fullmatch(digits) else None


def number(value: object) -> int | None:
    """An integer of at most 18 digits, or a string of one."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if abs(value) < 10**18 else None
    return int(value) if isinstance(value, str) and re.fullmatch("-?[0-9]{1,18}", value) else None


def part(value: object, name: str) -> dict[str, Any]:
    """The object under this name; an empty one if it is missing or not an object."""
    found = value.get(name) if isinstance(value, dict) else None
    return found if isinstance(found, dict) else {}


def first(value: object) -> dict[str, Any]:
    """The first object of a list; an empty one if there is none."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return value[0]
    return {}
