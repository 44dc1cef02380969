"""How much was used, and how long the rest will last if it goes on like that. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from tidings import limits

from ..model import ChargeKind, DayUse

FORESEEN_MAX = timedelta(days=3650)  # beyond it nobody knows


@dataclass(slots=True)
class UsageSum:
    """Of a day, a month, or all."""

    messages: int = 0
    unique: int = 0
    followup: int = 0
    refunded: int = 0
    micro: int = 0

    def add(self, use: DayUse) -> None:
        self.messages += use.charged
        self.unique += use.charged if use.kind is ChargeKind.UNIQUE else 0
        self.followup += use.charged if use.kind is ChargeKind.FOLLOWUP else 0
        self.refunded += use.refunded
        self.micro += use.micro


def grouped(
    uses: Iterable[DayUse], first: date, last: date, *, by_month: bool
) -> dict[str, UsageSum]:
    """Every day or month of the time, also those of which there is nothing to say."""
    sums: dict[str, UsageSum] = {_period(day, by_month): UsageSum() for day in days(first, last)}
    for use in uses:
        sums[_period(use.day, by_month)].add(use)
    return sums


def days(first: date, last: date) -> Iterator[date]:
    for number in range((last - first).days + 1):
        yield first + timedelta(days=number)


def _period(day: date, by_month: bool) -> str:
    return day.isoformat()[:7] if by_month else day.isoformat()


def basis(today: date, since: date) -> int:
    """How many of the last days count: not those before there was anything to use."""
    return max(1, min(limits.FORECAST_DAYS, (today - since).days + 1))


def exhausted_at(
    left: float, per_day: float, now: datetime, renews_at: datetime | None
) -> datetime | None:
    """None: it renews or ends before, or nothing is used."""
    if left <= 0:
        return now
    if per_day <= 0 or left / per_day > FORESEEN_MAX.days:
        return None
    timestamp = now + timedelta(days=left / per_day)
    return None if renews_at is not None and timestamp >= renews_at else timestamp
