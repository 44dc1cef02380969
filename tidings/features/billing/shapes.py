"""What GET /balance and GET /usage answer (2.8; contract.md, "Billing"), as OpenAPI shows them."""

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, Meta, UnsetType

from tidings.features.accounts.model import BillingMode
from tidings.features.partner.shapes import Capacity

from .invoice_shapes import Amount, Invoice, Timestamp

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
