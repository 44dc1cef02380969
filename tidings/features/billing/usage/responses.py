"""The responses of GET /balance and GET /usage (2.8; contract.md, "Billing"). Pure."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings import times
from tidings.engine.http.response_types import Amount, Timestamp
from tidings.features.accounts.model import BillingMode
from tidings.features.partner.responses import Capacity
from tidings.money import Money, Rate, rate_to_wire, to_wire

from .. import rules
from ..invoices.responses import Invoice
from ..model import BillingType, Subscription, SubscriptionState, Term

Price = Annotated[str, Meta(description="Decimal, up to six places.", examples=["0.20"])]
Day = Annotated[str, Meta(description="YYYY-MM-DD, in UTC.", examples=["2026-11-15"])]


class Quota(msgspec.Struct, rename="camel"):
    quota: int
    used: int
    remaining: int


class Usage(msgspec.Struct, rename="camel"):
    """Pay as you go. `accrued` is what the next invoice comes to so far, before VAT."""

    currency: str
    price_per_unique: Price
    price_per_followup: Price
    accrued: Amount
    credit_limit: Annotated[Amount | None, Meta(description="Null: there is none.")]
    available: Annotated[Amount | None, Meta(description="Null: there is no limit.")]


class SubscriptionShape(msgspec.Struct, rename="camel", kw_only=True):
    package: str
    billing_type: Literal["PACKAGE", "MONTHLY", "USAGE"]
    state: Literal["ACTIVE", "EXPIRED", "CANCELLED"]
    unique: Quota
    followup: Quota
    usage: Annotated[Usage, Meta(description="Of USAGE alone.")] | UnsetType = UNSET
    starts_at: Timestamp
    ends_at: Timestamp | None
    renews_at: Annotated[
        Timestamp | None, Meta(description="When the month ends. Null: it does not renew.")
    ]


class Balance(msgspec.Struct, rename="camel", kw_only=True):
    """A partner has `capacity` in place of `subscription`; its accounts have `partner` as well."""

    billing_mode: BillingMode
    suspended: Annotated[bool, Meta(description="Sending waits for an overdue invoice.")]
    invoices: Annotated[list[Invoice], Meta(description="Those not yet paid.")]
    subscription: SubscriptionShape | UnsetType | None = UNSET
    partner: Annotated[str, Meta(description="The partner's name.")] | UnsetType = UNSET
    capacity: Capacity | UnsetType = UNSET


class UsageRow(msgspec.Struct, rename="camel"):
    """Messages by the day they were charged, refunds by the day they were refunded."""

    period: Annotated[str, Meta(description="A day, or a month such as 2026-11.")]
    messages: int
    unique: int
    followup: int
    refunded: int
    cost: Annotated[Amount, Meta(description="Of USAGE: what was refunded taken off.")]


class UsageTotals(msgspec.Struct, rename="camel"):
    messages: int
    unique: int
    followup: int
    refunded: int
    cost: Amount


class Outlook(msgspec.Struct, rename="camel"):
    """If it goes on as of late."""

    per_day: Annotated[float, Meta(description="Net use of the last days, on average.")]
    remaining: int
    exhausted_at: Annotated[
        Timestamp | None, Meta(description="Null: not before it renews or ends, if ever.")
    ]


class CreditOutlook(msgspec.Struct, rename="camel"):
    per_day: Amount
    available: Amount
    exhausted_at: Timestamp | None


class Forecast(msgspec.Struct, rename="camel", kw_only=True):
    """Of what the account pays with; the rest is absent."""

    based_on_days: int
    unique: Outlook | UnsetType = UNSET
    followup: Outlook | UnsetType = UNSET
    capacity: Outlook | UnsetType = UNSET
    credit: CreditOutlook | UnsetType = UNSET


class UsageReport(msgspec.Struct, rename={"from_": "from", "group_by": "groupBy"}):
    from_: Day
    to: Day
    group_by: Literal["day", "month"]
    currency: str | None
    rows: list[UsageRow]
    totals: UsageTotals
    forecast: Forecast | None


def subscription(one: Subscription, term: Term, now: datetime) -> SubscriptionShape:
    state = one.state(now)
    shown = SubscriptionShape(
        package=one.package,
        billing_type=one.billing_type.value,
        state=state.value,
        unique=_quota(term.unique_quota, term.unique_used),
        followup=_quota(term.followup_quota, term.followup_used),
        starts_at=times.to_wire(one.starts_at),
        ends_at=times.to_wire_or_none(one.end),
        renews_at=_renews_at(one, state, now),
    )
    if one.is_metered:
        shown.usage = _usage(one, term)
    return shown


def _quota(quota: int, used: int) -> Quota:
    return Quota(quota, used, max(quota - used, 0))


def _renews_at(one: Subscription, state: SubscriptionState, now: datetime) -> str | None:
    ends_at = rules.span_at(one, now).ends_at
    renews = one.billing_type is not BillingType.PACKAGE and state is SubscriptionState.ACTIVE
    return times.to_wire(ends_at) if renews and ends_at not in (None, one.end) else None


def _usage(one: Subscription, term: Term) -> Usage:
    currency, available = one.currency, rules.available(one, term)
    limit = one.credit_limit_minor
    return Usage(
        currency=currency,
        price_per_unique=rate_to_wire(Rate(one.unique_price_micro, currency)),
        price_per_followup=rate_to_wire(Rate(one.followup_price_micro, currency)),
        accrued=to_wire(rules.rounded(term.owed_micro, currency)),
        credit_limit=None if limit is None else to_wire(Money(limit, currency)),
        available=None if available is None else to_wire(available),
    )
