"""Numbers and limits on the wire (contract.md, "Account state"). Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from tidings.features.accounts.model import Account, SendWindow

from . import shapes
from .meters import ACCOUNT, Meter, limits_of, meter_of
from .model import Number

# The rungs of the platform's ladder: the first that holds a number's limit is its tier.
TIERS: tuple[tuple[int, shapes.Tier], ...] = (
    (250, "TIER_250"),
    (2_000, "TIER_2K"),
    (10_000, "TIER_10K"),
    (100_000, "TIER_100K"),
)
RATINGS: tuple[shapes.Light, ...] = ("RED", "YELLOW", "GREEN")  # the worst first


def tier(daily_limit: int | None) -> shapes.Tier:
    if daily_limit is None:
        return "TIER_UNLIMITED"
    return next((name for most, name in TIERS if daily_limit <= most), "TIER_UNLIMITED")


def capacities(
    account: Account, numbers: Sequence[Number], meters: Mapping[str, Meter], now: datetime
) -> shapes.Capacities:
    """GET /limits. `meters`: that of the account, and those of its numbers."""
    own = meters[ACCOUNT]
    shared = [meters[name] for name in limits_of(numbers)]
    return shapes.Capacities(
        resets_at=_resets_at([own, *shared], now),
        numbers=[_capacity(number, meters[meter_of(number)], now) for number in numbers],
        total=shapes.TotalCapacity(
            daily_limit=_sum(meter.limit for meter in shared),
            used=_sum(_used(meter, now) for meter in shared),
            remaining=_sum(meter.remaining_at(now) for meter in shared),
        ),
        account=shapes.AccountCapacity(
            daily_limit=own.limit,
            used=_used(own, now),
            remaining=own.remaining_at(now),
            requests_per_minute=account.requests_per_minute,
        ),
    )


def _capacity(number: Number, meter: Meter, now: datetime) -> shapes.NumberCapacity:
    return shapes.NumberCapacity(
        number=number.number,
        tier=tier(meter.limit),
        daily_limit=meter.limit,
        used=_used(meter, now),
        remaining=meter.remaining_at(now),
        per_second=number.rate,
    )


def _used(meter: Meter, now: datetime) -> int | None:
    """Only what a limit needs is counted."""
    return None if meter.limit is None else meter.used_at(now)


def _resets_at(meters: Iterable[Meter], now: datetime) -> datetime | None:
    """The next of all limits; what has no limit has no places to free up."""
    timestamps = [meter.resets_at(now) for meter in meters if meter.limit is not None]
    return min((timestamp for timestamp in timestamps if timestamp is not None), default=None)


def _sum(parts: Iterable[int | None]) -> int | None:
    """One without a limit makes a whole without a limit."""
    total = 0
    for part in parts:
        if part is None:
            return None
        total += part
    return total


def health(account: Account, numbers: Sequence[Number]) -> shapes.SenderHealth:
    """GET /sender/health"""
    limits = limits_of(numbers)
    return shapes.SenderHealth(
        overall=_overall(numbers),
        ready_for_sending=not account.paused and any(number.ready for number in numbers),
        aggregate_capacity=_sum(limits.values()),
        quality_rating=_worst(numbers),
        numbers=[number_health(number, limits[meter_of(number)]) for number in numbers],
        from_application=shapes.AccountCaps(
            daily_limit=account.daily_limit,
            send_window=_hours(account.send_window),
            requests_per_minute=account.requests_per_minute,
            paused=account.paused,
        ),
    )


def number_health(number: Number, daily_limit: int | None) -> shapes.NumberHealth:
    return shapes.NumberHealth(
        number=number.number,
        display_name=number.name,
        status=number.shown_status,
        quality_rating=number.quality,
        tier=tier(daily_limit),
        ready_for_sending=number.ready,
        reason=number.reason,
    )


def _overall(numbers: Sequence[Number]) -> shapes.Light:
    if not any(number.is_confirmed for number in numbers):
        return "UNKNOWN"
    if all(number.ready and number.quality not in ("YELLOW", "RED") for number in numbers):
        return "GREEN"
    failing = all(not number.ready or number.quality == "RED" for number in numbers)
    return "RED" if failing else "YELLOW"


def _worst(numbers: Sequence[Number]) -> shapes.Light:
    """Of the ratings there are: a new number has none, and that is no fault."""
    given = {number.quality for number in numbers}
    return next((rating for rating in RATINGS if rating in given), "UNKNOWN")


def _hours(window: SendWindow | None) -> shapes.SendHours | None:
    if window is None:
        return None
    return shapes.SendHours(_hour(window.opens), _hour(window.closes), window.timezone)


def _hour(value: object) -> str:
    return f"{value:%H:%M}"
