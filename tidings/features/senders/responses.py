"""The responses about numbers and limits (contract.md, "Account state"). Pure."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tidings import times
from tidings.engine.http.response_types import Timestamp
from tidings.features.accounts.model import Account, SendWindow

from .model import Number
from .quotas import ACCOUNT, RollingCounter, counter_limits, counter_of

Tier = Literal["TIER_250", "TIER_2K", "TIER_10K", "TIER_100K", "TIER_UNLIMITED"]
Light = Literal["GREEN", "YELLOW", "RED", "UNKNOWN"]
Limit = Annotated[int | None, Meta(description="Over a rolling 24 hours. Null: no limit.")]
Counted = Annotated[int | None, Meta(description="Null: there is no limit to count for.")]


class NumberCapacity(msgspec.Struct, rename="camel"):
    """New people this number may write to; numbers of one portfolio show what they share."""

    number: str
    tier: Tier
    daily_limit: Limit
    used: Counted
    remaining: Counted
    per_second: int


class TotalCapacity(msgspec.Struct, rename="camel"):
    """All numbers together, each portfolio once."""

    daily_limit: Limit
    used: Counted
    remaining: Counted


class AccountCapacity(msgspec.Struct, rename="camel"):
    """All messages of the account."""

    daily_limit: Limit
    used: Counted
    remaining: Counted
    requests_per_minute: int


class Capacities(msgspec.Struct, rename="camel"):
    resets_at: Annotated[
        Timestamp | None,
        Meta(description="When the next place of a limit frees up. Null: none is taken."),
    ]
    numbers: list[NumberCapacity]
    total: TotalCapacity
    account: AccountCapacity


class NumberHealth(msgspec.Struct, rename="camel"):
    number: str
    display_name: str
    status: Annotated[
        str,
        Meta(
            description="The platform's word, such as CONNECTED. UNKNOWN: it has not confirmed the "
            "number yet."
        ),
    ]
    quality_rating: Annotated[str, Meta(description="GREEN, YELLOW, RED or UNKNOWN.")]
    tier: Tier
    ready_for_sending: bool
    reason: Annotated[
        str | None, Meta(description="Why it is not ready, in the platform's words if it gave any.")
    ]


class SendHours(msgspec.Struct, rename={"from_": "from"}):
    """When messages may leave, by the clocks of the time zone; may cross midnight."""

    from_: Annotated[str, Meta(examples=["08:00"])]
    to: Annotated[str, Meta(examples=["21:00"])]
    timezone: Annotated[str, Meta(examples=["Asia/Jerusalem"])]


class AccountCaps(msgspec.Struct, rename="camel"):
    """What the account itself sets, beside what the platform allows."""

    daily_limit: Limit
    send_window: SendHours | None
    requests_per_minute: int
    paused: bool


class SenderHealth(msgspec.Struct, rename="camel"):
    """`overall`: GREEN all numbers are well, YELLOW some are, RED none is, UNKNOWN none is known to
    the platform yet."""

    overall: Light
    ready_for_sending: bool
    aggregate_capacity: Limit
    quality_rating: Light
    numbers: list[NumberHealth]
    from_application: AccountCaps


# The platform's tiers, ascending: a number has the first that is not below its limit.
TIERS: tuple[tuple[int, Tier], ...] = (
    (250, "TIER_250"),
    (2_000, "TIER_2K"),
    (10_000, "TIER_10K"),
    (100_000, "TIER_100K"),
)
RATINGS: tuple[Light, ...] = ("RED", "YELLOW", "GREEN")  # worst first


def tier(daily_limit: int | None) -> Tier:
    if daily_limit is None:
        return "TIER_UNLIMITED"
    return next((name for most, name in TIERS if daily_limit <= most), "TIER_UNLIMITED")


def capacities(
    account: Account,
    numbers: Sequence[Number],
    counters: Mapping[str, RollingCounter],
    now: datetime,
) -> Capacities:
    """GET /limits. `counters`: that of the account, and those of its numbers."""
    own = counters[ACCOUNT]
    shared = [counters[name] for name in counter_limits(numbers)]
    return Capacities(
        resets_at=times.to_wire_or_none(_resets_at([own, *shared], now)),
        numbers=[_capacity(number, counters[counter_of(number)], now) for number in numbers],
        total=TotalCapacity(
            daily_limit=_sum(counter.limit for counter in shared),
            used=_sum(_used(counter, now) for counter in shared),
            remaining=_sum(counter.remaining_at(now) for counter in shared),
        ),
        account=AccountCapacity(
            daily_limit=own.limit,
            used=_used(own, now),
            remaining=own.remaining_at(now),
            requests_per_minute=account.requests_per_minute,
        ),
    )


def _capacity(number: Number, counter: RollingCounter, now: datetime) -> NumberCapacity:
    return NumberCapacity(
        number=number.number,
        tier=tier(counter.limit),
        daily_limit=counter.limit,
        used=_used(counter, now),
        remaining=counter.remaining_at(now),
        per_second=number.rate,
    )


def _used(counter: RollingCounter, now: datetime) -> int | None:
    """None: without a limit, nothing is counted."""
    return None if counter.limit is None else counter.used_at(now)


def _resets_at(counters: Iterable[RollingCounter], now: datetime) -> datetime | None:
    """The earliest reset of all counters that have a limit."""
    resets = [counter.resets_at(now) for counter in counters if counter.limit is not None]
    return min((at for at in resets if at is not None), default=None)


def _sum(parts: Iterable[int | None]) -> int | None:
    """None (no limit) if any part has no limit."""
    total = 0
    for part in parts:
        if part is None:
            return None
        total += part
    return total


def health(account: Account, numbers: Sequence[Number]) -> SenderHealth:
    """GET /sender/health"""
    limits = counter_limits(numbers)
    paused = account.paused or account.all_paused
    return SenderHealth(
        overall=_overall(numbers),
        ready_for_sending=not paused and any(number.ready for number in numbers),
        aggregate_capacity=_sum(limits.values()),
        quality_rating=_worst(numbers),
        numbers=[number_health(number, limits[counter_of(number)]) for number in numbers],
        from_application=AccountCaps(
            daily_limit=account.daily_limit,
            send_window=_hours(account.send_window),
            requests_per_minute=account.requests_per_minute,
            paused=paused,
        ),
    )


def number_health(number: Number, daily_limit: int | None) -> NumberHealth:
    return NumberHealth(
        number=number.number,
        display_name=number.name,
        status=number.shown_status,
        quality_rating=number.quality,
        tier=tier(daily_limit),
        ready_for_sending=number.ready,
        reason=number.reason,
    )


def _overall(numbers: Sequence[Number]) -> Light:
    if not any(number.is_confirmed for number in numbers):
        return "UNKNOWN"
    if all(number.ready and number.quality not in ("YELLOW", "RED") for number in numbers):
        return "GREEN"
    failing = all(not number.ready or number.quality == "RED" for number in numbers)
    return "RED" if failing else "YELLOW"


def _worst(numbers: Sequence[Number]) -> Light:
    """The worst known rating. A new number has none and does not count."""
    given = {number.quality for number in numbers}
    return next((rating for rating in RATINGS if rating in given), "UNKNOWN")


def _hours(window: SendWindow | None) -> SendHours | None:
    if window is None:
        return None
    return SendHours(_hour(window.opens), _hour(window.closes), window.timezone)


def _hour(value: object) -> str:
    return f"{value:%H:%M}"
