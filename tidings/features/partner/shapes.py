"""What the partner endpoints answer (2.10, 2.11; contract.md, "Billing")."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Amount = Annotated[
    str, Meta(description="Decimal, two places.", extra_json_schema={"example": "12.50"})
]
Timestamp = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]
Day = Annotated[str, Meta(extra_json_schema={"format": "date"})]


class Capacity(msgspec.Struct, rename="camel"):
    """Messages: bought, used, left, and the percentage used, never rounded up."""

    total: int
    used: int
    remaining: int
    pct: int


class PendingTransfer(msgspec.Struct, rename="camel"):
    reference: str
    amount: Amount
    transfer_date: Day | None
    reported_at: Timestamp


class PartnerAccount(msgspec.Struct, rename="camel"):
    currency: str
    rate_per_message: Annotated[str, Meta(description="Decimal, up to six places.")]
    capacity: Capacity
    debt: Annotated[Amount, Meta(description="The balance owed; below zero it is credit.")]
    credit_limit: Amount
    credit_available: Amount
    max_topup_messages: Annotated[int, Meta(description="The largest top-up possible now.")]
    expires_at: Timestamp | None
    expired: bool
    pending_transfers: list[PendingTransfer]


class Topup(msgspec.Struct, rename="camel"):
    messages: int
    amount: Amount
    currency: str
    capacity: Capacity
    debt: Amount
    credit_available: Amount


class ReportedTransfer(msgspec.Struct, rename="camel"):
    reference: str
    amount: Amount
    status: Literal["REPORTED"]
    reported_at: Timestamp


class LedgerEntry(msgspec.Struct, rename="camel"):
    """2.11. `amount` is what was bought, reported, received or adjusted by."""

    id: str
    kind: Literal[
        "TOPUP", "TRANSFER_REPORTED", "TRANSFER_CONFIRMED", "TRANSFER_REJECTED", "ADJUSTMENT"
    ]
    at: Timestamp
    messages: Annotated[int | None, Meta(description="Added to the capacity.")]
    amount: Amount
    balance_after: Annotated[Amount, Meta(description="The balance owed after this entry.")]
    reference: str | None
    note: str | None


class Page(msgspec.Struct, rename="camel"):
    next_cursor: str | None
