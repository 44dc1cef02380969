"""Limits over a rolling 24 hours, counted by the minute (section 8; contract.md). Pure.

A meter counts places. Those of one minute leave the count together, 24 hours after the last of
them, so a place is free at most a minute late and never early. Places may be taken ahead of time,
for messages that have to wait: the limit then holds for every 24 hours, past and to come.

Two things are counted: every message of an account (its `dailyLimit`), and the people whom a
number, or the numbers of one portfolio together, wrote to outside a conversation.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import accumulate

from tidings import limits

from .model import Number

DAY = timedelta(hours=24)
KEPT = timedelta(hours=25)  # of what is counted; older than that it matters to nobody
ACCOUNT = "account"  # the meter of all messages of an account

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
_DAY = DAY // MICROSECOND


def meter_of(number: Number) -> str:
    """The meter that counts the people this number writes to."""
    if number.portfolio is not None:
        return f"portfolio:{number.portfolio}"
    return f"number:{number.number}"


def limits_of(numbers: Iterable[Number]) -> dict[str, int | None]:
    """The limit of each meter: the smallest that one of its numbers has. None: no limit."""
    found: dict[str, int | None] = {}
    for number in numbers:
        meter = meter_of(number)
        known = [limit for limit in (found.get(meter), number.limit) if limit is not None]
        found[meter] = min(known, default=None)
    return found


def begin(at: datetime) -> datetime:
    """The beginning of the minute that a timestamp lies in."""
    return at.replace(second=0, microsecond=0)


@dataclass(frozen=True, slots=True)
class Minute:
    """The places taken in one minute."""

    begins: datetime
    used: int
    last_at: datetime


class Meter:
    """The places of a rolling 24 hours. `limit` None: no limit, only counted."""

    __slots__ = ("_begins", "_lasts", "_none_before", "_sums", "limit", "taken")

    def __init__(self, limit: int | None, minutes: Iterable[Minute] = ()) -> None:
        self.limit = limit
        self.taken: dict[datetime, Minute] = {}  # since it was loaded
        self._none_before = (0, 0)  # from the first time on, no place before the second
        known = sorted(minutes, key=lambda minute: minute.begins)
        self._begins = [_count(minute.begins) for minute in known]
        self._lasts = [_count(minute.last_at) for minute in known]
        self._sums = list(accumulate((minute.used for minute in known), initial=0))

    def free_at(self, now: datetime) -> datetime | None:
        """The earliest time at which a place is free. None: there are none at all."""
        if self.limit is None or self._sums[-1] < self.limit:
            return now
        if self.limit <= 0:
            return None
        asked = at = _count(now)
        asked_before, answered = self._none_before
        if asked_before <= at < answered:
            at = answered
        while (full := self._last_full(at, self.limit)) is not None:
            at = self._lasts[bisect_right(self._lasts, full - _DAY)] + _DAY
        self._none_before = (asked, at)
        return now if at == asked else _timestamp(at)

    def take(self, at: datetime) -> None:
        """Take a place. Whether one is free is for the caller to have asked."""
        begins = begin(at)
        before = self.taken.get(begins, Minute(begins, 0, at))
        self.taken[begins] = Minute(begins, before.used + 1, max(before.last_at, at))
        self._add(_count(begins), _count(at))

    def drop(self, at: datetime) -> None:
        """Forget a place that is being given back. What was loaded as one sum has room anyway."""
        self._change(at, -1)

    def restore(self, at: datetime) -> None:
        """A place that was dropped is kept after all."""
        self._change(at, +1)

    def _change(self, at: datetime, by: int) -> None:
        begins = _count(begin(at))
        place = bisect_left(self._begins, begins)
        if place < len(self._begins) and self._begins[place] == begins:
            self._none_before = (0, 0)
            for later in range(place + 1, len(self._sums)):
                self._sums[later] += by

    def used_at(self, now: datetime) -> int:
        """How many places are taken, those taken ahead included: those that `now` cannot have."""
        at = _count(now)
        ahead = max(self._used_until(end) for end in self._ends(at))
        if self.limit is None:
            return ahead
        # A place taken ahead counts from the beginning of its minute: that may be one too many.
        present = self._used_until(at)
        latest = bisect_right(self._begins, at) - 1
        if latest >= 0 and self._lasts[latest] > at:
            present = min(present, self.limit)
        return max(present, min(ahead, self.limit))

    def remaining_at(self, now: datetime) -> int | None:
        """How many messages could go at this time. None: any number."""
        return None if self.limit is None else max(self.limit - self.used_at(now), 0)

    def resets_at(self, now: datetime) -> datetime | None:
        """When the next place frees up. None: none is taken."""
        first = bisect_right(self._lasts, _count(now) - _DAY)
        return _timestamp(self._lasts[first] + _DAY) if first < len(self._lasts) else None

    def _last_full(self, at: int, limit: int) -> int | None:
        """The end of the latest full 24 hours that a place taken at this time would lie in."""
        return next((end for end in self._ends(at) if self._used_until(end) >= limit), None)

    def _ends(self, at: int) -> Sequence[int]:
        """Where the 24 hours that hold this time can be fullest, the latest first."""
        after = bisect_right(self._begins, at)
        until = bisect_left(self._begins, at + _DAY)
        return [*reversed(self._begins[after:until]), at]

    def _used_until(self, end: int) -> int:
        """The places taken in the 24 hours that end here."""
        first = bisect_right(self._lasts, end - _DAY)
        return max(self._sums[bisect_right(self._begins, end)] - self._sums[first], 0)

    def _add(self, begins: int, at: int) -> None:
        place = bisect_left(self._begins, begins)
        if place == len(self._begins) or self._begins[place] != begins:
            self._begins.insert(place, begins)
            self._lasts.insert(place, at)
            self._sums.insert(place + 1, self._sums[place])
        self._lasts[place] = max(self._lasts[place], at)
        for later in range(place + 1, len(self._sums)):
            self._sums[later] += 1


@dataclass(slots=True)
class Reach:
    """The people a number or portfolio wrote to. One counted lately costs no place again."""

    meter: Meter
    counted: dict[str, datetime] = field(default_factory=dict)  # phone -> when
    held: dict[str, int] = field(default_factory=dict)  # messages that rely on it, since loaded
    moved: dict[str, datetime] = field(default_factory=dict)  # phone -> when it was counted before
    holders: dict[str, int] = field(default_factory=dict)  # messages that relied on it, when loaded

    def free_at(self, phone: str, now: datetime) -> datetime | None:
        """The earliest time at which this person may be written to outside a conversation."""
        if self._is_counted(phone, now):
            return now
        free, counted = self.meter.free_at(now), self.counted.get(phone)
        if counted is None or counted <= now:
            return free
        return counted if free is None else min(counted, free)  # its turn comes with one before it

    def take(self, phone: str, at: datetime) -> None:
        """Count the person from this time on, unless it is counted."""
        if not self._is_counted(phone, at):
            self.meter.take(at)
            self.counted[phone] = at
            self.held[phone] = 0
        self.held[phone] = self.held.get(phone, 0) + 1

    def can_move(self, phone: str, to: datetime) -> bool:
        """Whether the person may be counted from that time on in place of a later one: all who
        rely on it must fall within 24 hours of it."""
        counted = self.counted.get(phone)
        alone = self.holders.get(phone, 0) + self.held.get(phone, 0) <= 1
        return counted is not None and (alone or counted < to + DAY)

    def bring_forward(self, phone: str, to: datetime) -> bool:
        """Count the person from that time on, for all who rely on it. False: that cannot be."""
        if not self.can_move(phone, to):
            return False
        if not self._is_counted(phone, to):
            self.moved.setdefault(phone, self.counted[phone])
            self.meter.drop(self.counted[phone])
            self.meter.take(to)
            self.counted[phone] = to
        return True

    def _is_counted(self, phone: str, at: datetime) -> bool:
        """Also by one who began after us and was let in before us: its time lies ahead."""
        counted = self.counted.get(phone)
        return counted is not None and counted - limits.LOCK_TIMEOUT <= at < counted + DAY


def _count(timestamp: datetime) -> int:
    return (timestamp - EPOCH) // MICROSECOND


def _timestamp(count: int) -> datetime:
    return EPOCH + count * MICROSECOND
