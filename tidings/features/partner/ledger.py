"""The ledger: every change of what a partner owes, with the balance after it (2.11).

Append-only and serialized per partner: `begin` locks the partner's row until the transaction ends.
`seq` starts at 1 and has no gaps, and timestamps never decrease along it.
"""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from tidings import ids
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.money import Money

from . import rules, store
from .model import LedgerEntry, LedgerEntryKind, PartnerBalance, Terms, read_terms


@dataclass(frozen=True, slots=True)
class LockedLedger:
    """A partner whose ledger this transaction has locked."""

    account: Account
    terms: Terms
    balance: PartnerBalance
    now: datetime  # by the account's clock, and not before the last entry


async def begin(tx: Tx, account: Account) -> LockedLedger:
    assert account.partner is not None, f"{account.name} is no partner"
    terms = read_terms(account.partner)
    balance = await store.lock_balance(tx, account.id, terms.currency)
    last_at = await store.find_last_at(tx, account.id, balance.entries)
    now = account.now(tx.now)
    return LockedLedger(account, terms, balance, now if last_at is None else max(now, last_at))


async def book(
    tx: Tx,
    locked: LockedLedger,
    after: PartnerBalance,
    *,
    kind: LedgerEntryKind,
    amount: Money,
    messages: int | None = None,
    limit: Money | None = None,
    reference: str | None = None,
    note: str | None = None,
    entry_id: UUID | None = None,
) -> LedgerEntry:
    """Append the entry that changes the locked balance to `after`."""
    entry = LedgerEntry(
        seq=after.entries,
        id=entry_id or ids.new_id(),
        kind=kind,
        at=locked.now,
        amount=amount,
        effect=after.debt - locked.balance.debt,
        balance_after=after.debt,
        messages=messages,
        limit=limit,
        reference=reference,
        note=note,
    )
    await store.save_balance(tx, locked.account.id, after)
    await store.append(tx, locked.account.id, entry)
    return entry


async def book_memo(
    tx: Tx,
    locked: LockedLedger,
    *,
    kind: LedgerEntryKind,
    amount: Money,
    reference: str,
    note: str | None,
    entry_id: UUID | None = None,
) -> LedgerEntry:
    """An entry that leaves the balance unchanged: a transfer reported or rejected."""
    return await book(
        tx,
        locked,
        rules.apply_entry(locked.balance, Money(0, amount.currency)),
        kind=kind,
        amount=amount,
        reference=reference,
        note=note,
        entry_id=entry_id,
    )
