"""Transfers: reported by the partner, then confirmed or rejected by us (4.15).

A report does not change the debt. A confirmation reduces it by the amount actually received; an
overpayment becomes credit. A transfer is reported once and settled once.
"""

from datetime import date
from uuid import UUID

from tidings import money
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.money import Money

from . import ledger, rules, store
from .ledger import LockedLedger
from .model import LedgerEntry, LedgerEntryKind, Transfer, TransferStatus
from .rules import PartnerCode


async def report(
    tx: Tx,
    account: Account,
    *,
    amount: Money,
    reference: str,
    transfer_date: date | None = None,
    note: str | None = None,
    entry_id: UUID | None = None,
) -> Transfer:
    locked = await ledger.begin(tx, account)
    transfer = Transfer(reference, amount, transfer_date, note, reported_at=locked.now)
    if not await store.insert_transfer(tx, account.id, transfer):
        raise ApiError(
            PartnerCode.DUPLICATE_REFERENCE,
            f'reference "{reference}" was already reported; each transfer has its own',
            field="reference",
        )
    await ledger.book_memo(
        tx,
        locked,
        kind=LedgerEntryKind.TRANSFER_REPORTED,
        amount=amount,
        reference=reference,
        note=note,
        entry_id=entry_id,
    )
    return transfer


async def confirm(
    tx: Tx, account: Account, reference: str, received: Money | None = None, note: str | None = None
) -> LedgerEntry | None:
    """Book the received amount, by default the reported one; None if it was booked already."""
    locked = await ledger.begin(tx, account)
    transfer = await _load(tx, locked, reference)
    amount = received or transfer.amount
    if amount.minor <= 0:
        raise _refusal("the amount received must be above zero; reject what never came")
    if transfer.status is TransferStatus.CONFIRMED and transfer.received == amount:
        return None
    await _settle(tx, locked, transfer, TransferStatus.CONFIRMED, amount)
    after = rules.apply_entry(locked.balance, -amount)
    return await ledger.book(
        tx,
        locked,
        after,
        kind=LedgerEntryKind.TRANSFER_CONFIRMED,
        amount=amount,
        reference=transfer.reference,
        note=note,
    )


async def reject(
    tx: Tx, account: Account, reference: str, note: str | None = None
) -> LedgerEntry | None:
    """Record that no money was received; None if it was rejected already."""
    locked = await ledger.begin(tx, account)
    transfer = await _load(tx, locked, reference)
    if transfer.status is TransferStatus.REJECTED:
        return None
    await _settle(tx, locked, transfer, TransferStatus.REJECTED, None)
    return await ledger.book_memo(
        tx,
        locked,
        kind=LedgerEntryKind.TRANSFER_REJECTED,
        amount=transfer.amount,
        reference=transfer.reference,
        note=note,
    )


async def _load(tx: Tx, locked: LockedLedger, reference: str) -> Transfer:
    reference = reference.strip()
    found = await store.find_transfer(tx, locked.account.id, reference, locked.terms.currency)
    if found is None:
        raise ApiError(
            Code.NOT_FOUND, f'{locked.account.name} has reported no transfer "{reference}"'
        )
    return found


async def _settle(
    tx: Tx, locked: LockedLedger, transfer: Transfer, status: TransferStatus, received: Money | None
) -> None:
    settled = await store.settle_transfer(
        tx, locked.account.id, transfer.reference, status=status, received=received, at=locked.now
    )
    if not settled:
        amount = "" if transfer.received is None else f" with {money.to_wire(transfer.received)}"
        raise _refusal(
            f'transfer "{transfer.reference}" was {transfer.status.lower()}{amount} and stays so; '
            "correct the balance by an adjustment"
        )


def _refusal(text: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, text)
