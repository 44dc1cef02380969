"""Subscriptions, their terms, and charges (2.8; contract.md, "Billing"). Pure."""

from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

import msgspec


class BillingMode(StrEnum):
    """`billingMode` of an account."""

    ENFORCED = "ENFORCED"
    REPORT_ONLY = "REPORT_ONLY"  # counted, never blocks
    OFF = "OFF"  # nothing is counted


class BillingType(StrEnum):
    PACKAGE = "PACKAGE"  # prepaid
    MONTHLY = "MONTHLY"  # renews its quota and is invoiced each month
    USAGE = "USAGE"  # accrues per message and is invoiced each month


class SubscriptionState(StrEnum):
    ACTIVE = "ACTIVE"
    EXPIRED = "EXPIRED"
    CANCELLED = "CANCELLED"


class ChargeKind(StrEnum):
    """What a message is charged as."""

    UNIQUE = "UNIQUE"  # the first message to a number
    FOLLOWUP = "FOLLOWUP"
    CAPACITY = "CAPACITY"  # drawn from a partner's capacity, first or not


class ChargeEntry(StrEnum):
    """A charge is reserved on acceptance, then either settled or refunded, exactly once."""

    RESERVE = "RESERVE"
    SETTLE = "SETTLE"
    REFUND = "REFUND"


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """A subscription as declared in the account file."""

    package: str
    billing_type: BillingType
    unique_quota: int
    followup_quota: int
    starts_at: datetime | None
    ends_at: datetime | None
    currency: str
    vat_hundredths: int
    unique_price_micro: int
    followup_price_micro: int
    monthly_minor: int
    credit_limit_minor: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """A subscription as stored. It rarely changes, so it is cached."""

    account_id: UUID
    id: int
    package: str
    billing_type: BillingType
    unique_quota: int
    followup_quota: int
    starts_at: datetime
    ends_at: datetime | None
    ended_at: datetime | None  # removed from the file or replaced
    currency: str
    vat_hundredths: int
    unique_price_micro: int
    followup_price_micro: int
    monthly_minor: int
    credit_limit_minor: int | None
    created_at: datetime

    @property
    def is_metered(self) -> bool:
        return self.billing_type is BillingType.USAGE

    @property
    def end(self) -> datetime | None:
        """The earlier of the agreed end and the early termination."""
        ends = [at for at in (self.ends_at, self.ended_at) if at is not None]
        return min(ends, default=None)

    def state(self, now: datetime) -> SubscriptionState:
        end = self.end
        if end is None or now < end:
            return SubscriptionState.ACTIVE
        return SubscriptionState.EXPIRED if end == self.ends_at else SubscriptionState.CANCELLED

    def price(self, kind: ChargeKind) -> int:
        """The price of a message in millionths of the currency."""
        if not self.is_metered:
            return 0
        return self.unique_price_micro if kind is ChargeKind.UNIQUE else self.followup_price_micro


@dataclass(frozen=True, slots=True)
class Span:
    """The time range of a term. `ends_at` None: open-ended."""

    number: int
    starts_at: datetime
    ends_at: datetime | None


TermKey = tuple[UUID, int, int]  # account, subscription, term


@dataclass(slots=True)
class Term:
    """The usage counters of a term. Every charge updates this row, which enforces the quota."""

    unique_quota: int
    followup_quota: int
    unique_used: int = 0
    followup_used: int = 0
    accrued_micro: int = 0
    carried_micro: int = 0  # credit from the previous term
    closed_at: datetime | None = None
    is_stored: bool = field(default=True, compare=False)

    @property
    def owed_micro(self) -> int:
        return self.accrued_micro + self.carried_micro

    def left(self, kind: ChargeKind) -> int:
        quota, used = (
            (self.unique_quota, self.unique_used)
            if kind is ChargeKind.UNIQUE
            else (self.followup_quota, self.followup_used)
        )
        return max(quota - used, 0)


class Charge(msgspec.Struct, frozen=True):
    """One entry of `charges`."""

    account_id: UUID
    message_id: UUID
    kind: ChargeKind
    at: datetime
    phone: str = ""  # UNIQUE: the number recorded as charged
    subscription_id: int | None = None
    term: int | None = None
    partner_id: UUID | None = None
    price_micro: int = 0


class ChargeCount(msgspec.Struct, frozen=True):
    """Messages of one kind at one price."""

    kind: ChargeKind
    price_micro: int
    charged: int
    refunded: int


class DayUse(msgspec.Struct, frozen=True):
    """Messages of one kind on one day."""

    day: date
    kind: ChargeKind
    charged: int
    refunded: int
    micro: int  # cost in millionths, net of refunds


class ChargeRecord(msgspec.Struct, frozen=True):
    """A charge and its resolution."""

    message_id: UUID
    kind: ChargeKind
    price_micro: int
    charged_at: datetime
    entry: ChargeEntry  # RESERVE: not resolved yet
    resolved_at: datetime | None
    package: str | None
    currency: str | None
