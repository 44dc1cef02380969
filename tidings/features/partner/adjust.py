"""Adjustments by an operator: of the balance owed, the capacity, or both (2.11)."""

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.money import Money

from . import ledger, rules, store
from .model import LedgerEntry, LedgerEntryKind
from .rules import PartnerCode


async def adjust(
    tx: Tx,
    account: Account,
    *,
    amount: Money,
    messages: int = 0,
    note: str,
    reference: str | None = None,
) -> LedgerEntry:
    """Positive values increase the debt or the capacity. Each reference is accepted once."""
    if not amount.minor and not messages:
        raise ApiError(Code.VALIDATION_ERROR, "an adjustment of nothing is none")
    locked = await ledger.begin(tx, account)
    rules.require_capacity_kept(locked.balance, messages)
    if reference is not None and await store.find_adjustment(tx, account.id, reference):
        raise ApiError(
            PartnerCode.DUPLICATE_REFERENCE, f'an adjustment "{reference}" was booked already'
        )
    return await ledger.book(
        tx,
        locked,
        rules.apply_entry(locked.balance, amount, messages),
        kind=LedgerEntryKind.ADJUSTMENT,
        amount=amount,
        messages=messages or None,
        reference=reference,
        note=note,
    )
