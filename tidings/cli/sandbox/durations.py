"""Lengths of time as people type them: 90s, 15m, 2h, 3d, 1w, 1h30m. Pure."""

import re
from datetime import timedelta

from tidings.wording import counted

UNITS = {
    "w": timedelta(weeks=1),
    "d": timedelta(days=1),
    "h": timedelta(hours=1),
    "m": timedelta(minutes=1),
    "s": timedelta(seconds=1),
}
NAMES = {"d": "day", "h": "hour", "m": "minute", "s": "second"}
SHOWN_MAX = 2  # parts: 3 days 4 hours

_PART = re.compile(r"([0-9]{1,9})([wdhms])")
_WHOLE = re.compile(rf"(?:{_PART.pattern})+")


def parse_duration(text: str) -> timedelta:
    """A ValueError says how it is written."""
    written = text.replace(" ", "").lower()
    total = timedelta(0)
    if _WHOLE.fullmatch(written):
        total = _sum(_PART.findall(written))
    if not total:
        raise ValueError("write a length of time such as 90s, 15m, 2h, 3d or 1h30m")
    return total


def _sum(parts: list[tuple[str, str]]) -> timedelta:
    try:
        return sum((int(count) * UNITS[unit] for count, unit in parts), timedelta(0))
    except OverflowError:
        raise ValueError("write a shorter time: this one is longer than any calendar") from None


def in_words(length: timedelta) -> str:
    """`2 hours`, `1 day 3 hours`; what is small beside the rest is left out."""
    parts, left = [], length
    for unit, name in NAMES.items():
        count, left = divmod(left, UNITS[unit])
        if count:
            parts.append(counted(count, name))
    return " ".join(parts[:SHOWN_MAX]) or counted(0, "second")
