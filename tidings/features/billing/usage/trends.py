"""Usage totals, and a linear forecast of when the remaining quota is exhausted. Pure."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from tidings import limits

from ..model import ChargeKind, DayUse

HORIZON_MAX = timedelta(days=3650)  # no forecast beyond this


@dataclass(slots=True)
class UsageSum:
    """The totals of a day, a month or the whole period."""

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
    """Totals for every day or month of the period, including those without usage."""
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
    """The number of recent days that the forecast averages over, none of them before `since`."""
    return max(1, min(limits.FORECAST_DAYS, (today - since).days + 1))


def exhausted_at(
    left: float, per_day: float, now: datetime, renews_at: datetime | None
) -> datetime | None:
    """None: it renews or ends first, nothing is used, or it is beyond the horizon."""
    if left <= 0:
        return now
    if per_day <= 0 or left / per_day > HORIZON_MAX.days:
        return None
    at = now + timedelta(days=left / per_day)
    return None if renews_at is not None and at >= renews_at else at
