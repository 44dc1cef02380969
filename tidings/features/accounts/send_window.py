"""When an account may send: its daily window in its time zone. Pure.

The wall clock decides, also on days with a daylight saving change: a window that opens at 02:30
opens at 03:00 when the clock jumps from 02:00 to 03:00, and opens twice when that hour repeats.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from tidings.features.accounts.model import SendWindow

DAY = timedelta(days=1)
HORIZON_DAYS = 3  # a day's whole window may fall into the hour that is skipped
TICK = timedelta(seconds=1)  # offsets change on whole seconds


def is_open(window: SendWindow, at: datetime) -> bool:
    """`from` is inside, `to` is outside; `from` equal to `to` is always open."""
    wall = at.astimezone(ZoneInfo(window.timezone)).time()
    if window.opens < window.closes:
        return window.opens <= wall < window.closes
    return wall >= window.opens or wall < window.closes


def next_open(window: SendWindow, at: datetime) -> datetime:
    """The first time from `at` on at which the window is open: `at` itself when it is."""
    if is_open(window, at):
        return at
    return min(
        timestamp
        for timestamp in _candidates(window, at)
        if timestamp > at and is_open(window, timestamp)
    )


def _candidates(window: SendWindow, at: datetime) -> Iterator[datetime]:
    """The times at which a closed window may open: at its hour, or at a change of offset."""
    zone = ZoneInfo(window.timezone)
    today = at.astimezone(zone).date()
    for days in range(HORIZON_DAYS + 1):
        hour = datetime.combine(today + days * DAY, window.opens, zone)
        yield hour.astimezone(UTC)
        yield hour.replace(fold=1).astimezone(UTC)
    moved = _clock_moved(zone, at.astimezone(UTC), at.astimezone(UTC) + HORIZON_DAYS * DAY)
    if moved is not None:
        yield moved


def _clock_moved(zone: ZoneInfo, start: datetime, end: datetime) -> datetime | None:
    """When the zone's offset changes between two times, if it does."""
    before = start.astimezone(zone).utcoffset()
    if end.astimezone(zone).utcoffset() == before:
        return None
    start = start.replace(microsecond=0)
    low, high = 0, -((start - end) // TICK)
    while high - low > 1:
        middle = (low + high) // 2
        same = (start + middle * TICK).astimezone(zone).utcoffset() == before
        low, high = (middle, high) if same else (low, middle)
    return start + high * TICK
