"""When an account may send: its daily window, by the clocks of its time zone. Pure.

What the wall clock says decides, also on the days when it is moved: a window that opens at 02:30
opens at 03:00 when the clock jumps from 02:00 to 03:00, and opens twice when that hour comes twice.
"""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from tidings.features.accounts.model import SendWindow

DAY = timedelta(days=1)
HORIZON_DAYS = 3  # a day's window may fall whole into the hour that a clock skips
TICK = timedelta(seconds=1)  # clocks are moved on whole seconds


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
        for timestamp in _turns(window, at)
        if timestamp > at and is_open(window, timestamp)
    )


def _turns(window: SendWindow, at: datetime) -> Iterator[datetime]:
    """The times at which a closed window may open: at its hour, or when the clock is moved."""
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
