"""From partners to the JSON of 2.10 and 2.11. Pure."""

from collections.abc import Sequence
from datetime import datetime

from tidings import ids, times
from tidings.money import rate_to_wire, to_wire

from . import rules, shapes
from .model import Capacity, Entry, Standing, Terms, Transfer
from .topup import ToppedUp


def account(
    terms: Terms, standing: Standing, pending: Sequence[Transfer], now: datetime
) -> shapes.PartnerAccount:
    ends = terms.expires_at
    return shapes.PartnerAccount(
        currency=terms.currency,
        rate_per_message=rate_to_wire(terms.rate),
        capacity=capacity_shape(standing.capacity),
        debt=to_wire(standing.debt),
        credit_limit=to_wire(terms.credit_limit),
        credit_available=to_wire(rules.credit_available(terms, standing)),
        max_topup_messages=rules.max_topup(terms, standing, now),
        expires_at=None if ends is None else times.to_wire(ends),
        expired=terms.is_expired(now),
        pending_transfers=[_pending(transfer) for transfer in pending],
    )


def topup(made: ToppedUp) -> shapes.Topup:
    entry, after = made.entry, made.after
    assert entry.messages is not None
    return shapes.Topup(
        messages=entry.messages,
        amount=to_wire(entry.amount),
        currency=entry.amount.currency,
        capacity=capacity_shape(after.capacity),
        debt=to_wire(after.debt),
        credit_available=to_wire(rules.credit_available(made.terms, after)),
    )


def reported(transfer: Transfer) -> shapes.ReportedTransfer:
    return shapes.ReportedTransfer(
        reference=transfer.reference,
        amount=to_wire(transfer.amount),
        status="REPORTED",
        reported_at=times.to_wire(transfer.reported_at),
    )


def entry(line: Entry) -> shapes.LedgerEntry:
    return shapes.LedgerEntry(
        id=ids.ledger_ref(line.id),
        kind=line.kind.value,
        at=times.to_wire(line.at),
        messages=line.messages,
        amount=to_wire(line.amount),
        balance_after=to_wire(line.balance_after),
        reference=line.reference,
        note=line.note,
    )


def capacity_shape(held: Capacity) -> shapes.Capacity:
    return shapes.Capacity(held.total, held.used, held.remaining, held.pct)


def _pending(transfer: Transfer) -> shapes.PendingTransfer:
    day = transfer.transfer_date
    return shapes.PendingTransfer(
        reference=transfer.reference,
        amount=to_wire(transfer.amount),
        transfer_date=None if day is None else day.isoformat(),
        reported_at=times.to_wire(transfer.reported_at),
    )
