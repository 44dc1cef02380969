"""What the meters and the forecast of the page Usage say, from the shapes of the API. Pure."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from msgspec import UNSET, UnsetType

from tidings import times
from tidings.features.billing.usage.responses import (
    Balance,
    CreditOutlook,
    Forecast,
    Outlook,
    SubscriptionShape,
)


class End(StrEnum):
    """How what is left comes to its end, if it goes on as of late."""

    USED_UP = "used_up"
    ON_A_DAY = "on_a_day"
    UNUSED = "unused"  # nothing was used of late
    BEYOND = "beyond"  # it renews or ends before, or lasts for years


@dataclass(frozen=True, slots=True)
class Lasting:
    """How long one kind of messages, or the credit, lasts."""

    kind: str  # unique, followup, capacity, credit
    end: End
    per_day: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Meter:
    """Money in minor units, messages as they are."""

    kind: str
    used: int
    limit: int
    left: int


def meters(balance: Balance) -> list[Meter]:
    plan = balance.subscription
    if not isinstance(balance.capacity, UnsetType):
        one = balance.capacity
        return [Meter("capacity", one.used, one.total, one.remaining)]
    if isinstance(plan, UnsetType) or plan is None:
        return []
    if not isinstance(plan.usage, UnsetType):
        return _credit(plan)
    return [
        Meter(kind, one.used, one.quota, one.remaining)
        for kind, one in (("unique", plan.unique), ("followup", plan.followup))
    ]


def _credit(plan: SubscriptionShape) -> list[Meter]:
    usage = plan.usage
    if isinstance(usage, UnsetType) or usage.credit_limit is None or usage.available is None:
        return []
    limit, left = _minor(usage.credit_limit), _minor(usage.available)
    return [Meter("credit", limit - left, limit, left)]


def _minor(text: str) -> int:
    return int(Decimal(text) * 100)


def lasting(forecast: Forecast | None) -> list[Lasting]:
    if forecast is None:
        return []
    kinds: tuple[tuple[str, Outlook | CreditOutlook | UnsetType], ...] = (
        ("unique", forecast.unique),
        ("followup", forecast.followup),
        ("capacity", forecast.capacity),
        ("credit", forecast.credit),
    )
    return [_lasting(kind, one) for kind, one in kinds if not isinstance(one, UnsetType)]


def _lasting(kind: str, one: Outlook | CreditOutlook) -> Lasting:
    left = one.remaining if isinstance(one, Outlook) else Decimal(one.available)
    at = None if one.exhausted_at is None else times.parse(one.exhausted_at)
    if left <= 0:
        end = End.USED_UP
    elif at is not None:
        end = End.ON_A_DAY
    else:
        end = End.BEYOND if Decimal(str(one.per_day)) > 0 else End.UNUSED
    return Lasting(kind, end, str(one.per_day), at)


def find_plan(balance: Balance) -> SubscriptionShape | None:
    return None if balance.subscription is UNSET else balance.subscription or None
