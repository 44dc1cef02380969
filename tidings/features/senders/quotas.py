"""Limits over a rolling 24 hours, counted by the minute (section 8; contract.md). Pure.

Reservations of one minute expire together, 24 hours after the last of them, so quota frees up at
most a minute late and never early. Messages that have to wait reserve ahead of time: the limit then
holds for every 24 hours, past and future.

Two things are counted: every message of an account (its `dailyLimit`), and the unique recipients
of a number, or of the numbers of one portfolio together, outside a conversation.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import accumulate

from tidings import limits

from .model import Number

DAY = timedelta(hours=24)
KEPT = timedelta(hours=25)  # how long counts are stored; older ones no longer matter
ACCOUNT = "account"  # the counter of all messages of an account

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)
_DAY = DAY // MICROSECOND


def counter_of(number: Number) -> str:
    """The counter of this number's unique recipients."""
    if number.portfolio is not None:
        return f"portfolio:{number.portfolio}"
    return f"number:{number.number}"


def counter_limits(numbers: Iterable[Number]) -> dict[str, int | None]:
    """The limit of each counter: the smallest of its numbers' limits. None: no limit."""
    found: dict[str, int | None] = {}
    for number in numbers:
        counter = counter_of(number)
        known = [limit for limit in (found.get(counter), number.limit) if limit is not None]
        found[counter] = min(known, default=None)
    return found


def minute_of(at: datetime) -> datetime:
    """The beginning of the minute that contains the timestamp."""
    return at.replace(second=0, microsecond=0)


@dataclass(frozen=True, slots=True)
class MinuteCount:
    """The reservations of one minute."""

    begins: datetime
    used: int
    last_at: datetime


class RollingCounter:
    """The reservations of a rolling 24 hours. `limit` None: no limit, only counted."""

    __slots__ = ("_begins", "_lasts", "_none_before", "_sums", "limit", "reserved")

    def __init__(self, limit: int | None, minutes: Iterable[MinuteCount] = ()) -> None:
        self.limit = limit
        self.reserved: dict[datetime, MinuteCount] = {}  # since it was loaded
        self._none_before = (0, 0)  # cached result: nothing is free between these times
        known = sorted(minutes, key=lambda minute: minute.begins)
        self._begins = [_count(minute.begins) for minute in known]
        self._lasts = [_count(minute.last_at) for minute in known]
        self._sums = list(accumulate((minute.used for minute in known), initial=0))

    def free_at(self, now: datetime) -> datetime | None:
        """The earliest time with free quota. None: never."""
        if self.limit is None or self._sums[-1] < self.limit:
            return now
        if self.limit <= 0:
            return None
        start = at = _count(now)
        cached_start, cached_free = self._none_before
        if cached_start <= at < cached_free:
            at = cached_free
        while (full := self._last_full(at, self.limit)) is not None:
            at = self._lasts[bisect_right(self._lasts, full - _DAY)] + _DAY
        self._none_before = (start, at)
        return now if at == start else _timestamp(at)

    def reserve(self, at: datetime) -> None:
        """Reserve at a time that `free_at` returned; the limit is not checked again."""
        begins = minute_of(at)
        before = self.reserved.get(begins, MinuteCount(begins, 0, at))
        self.reserved[begins] = MinuteCount(begins, before.used + 1, max(before.last_at, at))
        self._add(_count(begins), _count(at))

    def release(self, at: datetime) -> None:
        """Release a reservation. A counter loaded as one sum has room anyway."""
        self._change(at, -1)

    def restore(self, at: datetime) -> None:
        """Undo `release`."""
        self._change(at, +1)

    def _change(self, at: datetime, by: int) -> None:
        begins = _count(minute_of(at))
        index = bisect_left(self._begins, begins)
        if index < len(self._begins) and self._begins[index] == begins:
            self._none_before = (0, 0)
            for later in range(index + 1, len(self._sums)):
                self._sums[later] += by

    def used_at(self, now: datetime) -> int:
        """How much is reserved, reservations ahead included: what is not available at `now`."""
        at = _count(now)
        ahead = max(self._used_until(end) for end in self._ends(at))
        if self.limit is None:
            return ahead
        # A reservation ahead counts from the beginning of its minute: that may be one too many.
        present = self._used_until(at)
        latest = bisect_right(self._begins, at) - 1
        if latest >= 0 and self._lasts[latest] > at:
            present = min(present, self.limit)
        return max(present, min(ahead, self.limit))

    def remaining_at(self, now: datetime) -> int | None:
        """How many messages could be sent at this time. None: unlimited."""
        return None if self.limit is None else max(self.limit - self.used_at(now), 0)

    def resets_at(self, now: datetime) -> datetime | None:
        """When the next reservation expires. None: there is none."""
        first = bisect_right(self._lasts, _count(now) - _DAY)
        return _timestamp(self._lasts[first] + _DAY) if first < len(self._lasts) else None

    def _last_full(self, at: int, limit: int) -> int | None:
        """The end of the latest full 24 hours that would contain a reservation at this time."""
        return next((end for end in self._ends(at) if self._used_until(end) >= limit), None)

    def _ends(self, at: int) -> Sequence[int]:
        """Ends of the 24 hours containing this time that can be fullest, the latest first."""
        after = bisect_right(self._begins, at)
        until = bisect_left(self._begins, at + _DAY)
        return [*reversed(self._begins[after:until]), at]

    def _used_until(self, end: int) -> int:
        """The reservations in the 24 hours that end here."""
        first = bisect_right(self._lasts, end - _DAY)
        return max(self._sums[bisect_right(self._begins, end)] - self._sums[first], 0)

    def _add(self, begins: int, at: int) -> None:
        index = bisect_left(self._begins, begins)
        if index == len(self._begins) or self._begins[index] != begins:
            self._begins.insert(index, begins)
            self._lasts.insert(index, at)
            self._sums.insert(index + 1, self._sums[index])
        self._lasts[index] = max(self._lasts[index], at)
        for later in range(index + 1, len(self._sums)):
            self._sums[later] += 1


@dataclass(slots=True)
class UniqueRecipients:
    """The recipients of a number or portfolio. One counted within 24 hours is not counted again."""

    counter: RollingCounter
    counted: dict[str, datetime] = field(default_factory=dict)  # phone -> when
    held: dict[str, int] = field(default_factory=dict)  # messages that rely on it, since loaded
    moved_from: dict[str, datetime] = field(default_factory=dict)  # phone -> counted at before
    holders: dict[str, int] = field(default_factory=dict)  # messages that relied on it, when loaded

    def free_at(self, phone: str, now: datetime) -> datetime | None:
        """The earliest time to message this recipient outside a conversation."""
        if self._is_counted(phone, now):
            return now
        free, counted = self.counter.free_at(now), self.counted.get(phone)
        if counted is None or counted <= now:
            return free
        return (
            counted if free is None else min(counted, free)
        )  # counted by then for another message

    def reserve(self, phone: str, at: datetime) -> None:
        """Count the recipient from this time on, unless it is counted already."""
        if not self._is_counted(phone, at):
            self.counter.reserve(at)
            self.counted[phone] = at
            self.held[phone] = 0
        self.held[phone] = self.held.get(phone, 0) + 1

    def can_move(self, phone: str, to: datetime) -> bool:
        """Whether the recipient may be counted from that earlier time instead: all messages that
        rely on it must fall within 24 hours of it."""
        counted = self.counted.get(phone)
        alone = self.holders.get(phone, 0) + self.held.get(phone, 0) <= 1
        return counted is not None and (alone or counted < to + DAY)

    def move_earlier(self, phone: str, to: datetime) -> bool:
        """Count the recipient from that time on, for all that rely on it. False: impossible."""
        if not self.can_move(phone, to):
            return False
        if not self._is_counted(phone, to):
            self.moved_from.setdefault(phone, self.counted[phone])
            self.counter.release(self.counted[phone])
            self.counter.reserve(to)
            self.counted[phone] = to
        return True

    def _is_counted(self, phone: str, at: datetime) -> bool:
        """Also if the time is ahead: a transaction that began later may have got the lock first."""
        counted = self.counted.get(phone)
        return counted is not None and counted - limits.LOCK_TIMEOUT <= at < counted + DAY


def _count(timestamp: datetime) -> int:
    return (timestamp - EPOCH) // MICROSECOND


def _timestamp(count: int) -> datetime:
    return EPOCH + count * MICROSECOND
