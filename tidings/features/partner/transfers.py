"""Transfers: reported by the partner, then confirmed or rejected by us (4.15).

A report changes nothing that is owed. A confirmation takes off what was actually received; more
than was owed leaves the partner with credit. Each happens once.
"""

from datetime import date

from tidings import money
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.money import Money

from . import ledger, rules, store
from .ledger import Turn
from .model import Entry, Kind, Transfer, TransferStatus
from .rules import PartnerCode


async def report(
    tx: Tx,
    account: Account,
    *,
    amount: Money,
    reference: str,
    transfer_date: date | None = None,
    note: str | None = None,
) -> Transfer:
    turn = await ledger.begin(tx, account)
    transfer = Transfer(reference, amount, transfer_date, note, reported_at=turn.now)
    if not await store.insert_transfer(tx, account.id, transfer):
        raise ApiError(
            PartnerCode.DUPLICATE_REFERENCE,
            f'reference "{reference}" was already reported; each transfer has its own',
            field="reference",
        )
    await ledger.note_down(
        tx, turn, kind=Kind.TRANSFER_REPORTED, amount=amount, reference=reference, note=note
    )
    return transfer


async def confirm(
    tx: Tx, account: Account, reference: str, received: Money | None = None, note: str | None = None
) -> Entry | None:
    """Book what was received, by default what was reported; None where it was booked before."""
    turn = await ledger.begin(tx, account)
    transfer = await _load(tx, turn, reference)
    amount = received or transfer.amount
    if amount.minor <= 0:
        raise _refusal("the amount received must be above zero; reject what never came")
    if transfer.status is TransferStatus.CONFIRMED and transfer.received == amount:
        return None
    await _settle(tx, turn, transfer, TransferStatus.CONFIRMED, amount)
    after = rules.moved(turn.standing, -amount)
    return await ledger.book(
        tx,
        turn,
        after,
        kind=Kind.TRANSFER_CONFIRMED,
        amount=amount,
        reference=transfer.reference,
        note=note,
    )


async def reject(tx: Tx, account: Account, reference: str, note: str | None = None) -> Entry | None:
    """Note that the money never came; None where that was noted before."""
    turn = await ledger.begin(tx, account)
    transfer = await _load(tx, turn, reference)
    if transfer.status is TransferStatus.REJECTED:
        return None
    await _settle(tx, turn, transfer, TransferStatus.REJECTED, None)
    return await ledger.note_down(
        tx,
        turn,
        kind=Kind.TRANSFER_REJECTED,
        amount=transfer.amount,
        reference=transfer.reference,
        note=note,
    )


async def _load(tx: Tx, turn: Turn, reference: str) -> Transfer:
    wanted = reference.strip()
    found = await store.find_transfer(tx, turn.account.id, wanted, turn.terms.currency)
    if found is None:
        raise ApiError(Code.NOT_FOUND, f'{turn.account.name} has reported no transfer "{wanted}"')
    return found


async def _settle(
    tx: Tx, turn: Turn, transfer: Transfer, status: TransferStatus, received: Money | None
) -> None:
    settled = await store.settle_transfer(
        tx, turn.account.id, transfer.reference, status=status, received=received, at=turn.now
    )
    if not settled:
        held = "" if transfer.received is None else f" with {money.to_wire(transfer.received)}"
        raise _refusal(
            f'transfer "{transfer.reference}" was {transfer.status.lower()}{held} and stays so; '
            "correct the balance by an adjustment"
        )


def _refusal(text: str) -> ApiError:
    return ApiError(Code.VALIDATION_ERROR, text)
