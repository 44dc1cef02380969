"""The responses of the partner endpoints (2.10, 2.11; contract.md, "Billing"). Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from tidings import ids, times
from tidings.engine.http.response_types import Amount, Timestamp
from tidings.money import rate_to_wire, to_wire

from . import model, rules
from .model import PartnerBalance, Terms, Transfer
from .topup import TopupResult

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


def account(
    terms: Terms, balance: PartnerBalance, pending: Sequence[Transfer], now: datetime
) -> PartnerAccount:
    return PartnerAccount(
        currency=terms.currency,
        rate_per_message=rate_to_wire(terms.rate),
        capacity=capacity_shape(balance.capacity),
        debt=to_wire(balance.debt),
        credit_limit=to_wire(terms.credit_limit),
        credit_available=to_wire(rules.credit_available(terms, balance)),
        max_topup_messages=rules.max_topup(terms, balance, now),
        expires_at=times.to_wire_or_none(terms.expires_at),
        expired=terms.is_expired(now),
        pending_transfers=[_pending(transfer) for transfer in pending],
    )


def topup(result: TopupResult) -> Topup:
    entry, after = result.entry, result.after
    assert entry.messages is not None
    return Topup(
        messages=entry.messages,
        amount=to_wire(entry.amount),
        currency=entry.amount.currency,
        capacity=capacity_shape(after.capacity),
        debt=to_wire(after.debt),
        credit_available=to_wire(rules.credit_available(result.terms, after)),
    )


def reported(transfer: Transfer) -> ReportedTransfer:
    return ReportedTransfer(
        reference=transfer.reference,
        amount=to_wire(transfer.amount),
        status="REPORTED",
        reported_at=times.to_wire(transfer.reported_at),
    )


def entry(line: model.LedgerEntry) -> LedgerEntry:
    return LedgerEntry(
        id=ids.ledger_ref(line.id),
        kind=line.kind.value,
        at=times.to_wire(line.at),
        messages=line.messages,
        amount=to_wire(line.amount),
        balance_after=to_wire(line.balance_after),
        reference=line.reference,
        note=line.note,
    )


def capacity_shape(capacity: model.Capacity) -> Capacity:
    return Capacity(capacity.total, capacity.used, capacity.remaining, capacity.pct)


def _pending(transfer: Transfer) -> PendingTransfer:
    day = transfer.transfer_date
    return PendingTransfer(
        reference=transfer.reference,
        amount=to_wire(transfer.amount),
        transfer_date=None if day is None else day.isoformat(),
        reported_at=times.to_wire(transfer.reported_at),
    )
