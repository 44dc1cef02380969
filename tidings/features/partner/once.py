"""Top-ups and transfers asked for by a form: done once, however often the form is sent.

The form carries the id of the entry that it is to make. The ledger is locked before it is looked
up, so that two sendings at the same time are one after the other.
"""

from datetime import date
from uuid import UUID

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account
from tidings.money import Money

from . import ledger, store
from .model import LedgerEntry, Transfer
from .topup import TopupResult, top_up
from .transfers import report


async def top_up_once(
    tx: Tx, account: Account, messages: int, entry_id: UUID
) -> TopupResult | None:
    """None if this form has bought them already."""
    booked = await _find_booked(tx, account, entry_id)
    if booked is None:
        return await top_up(tx, account, messages, entry_id)
    if booked.messages != messages:
        raise _refusal(f"{booked.messages} messages were bought", "messages")
    return None


async def report_once(
    tx: Tx,
    account: Account,
    *,
    amount: Money,
    reference: str,
    transfer_date: date | None,
    note: str | None,
    entry_id: UUID,
) -> Transfer | None:
    """None if this form has reported it already."""
    booked = await _find_booked(tx, account, entry_id)
    if booked is None:
        return await report(
            tx,
            account,
            amount=amount,
            reference=reference,
            transfer_date=transfer_date,
            note=note,
            entry_id=entry_id,
        )
    if (booked.reference, booked.amount) != (reference, amount):
        raise _refusal(f'transfer "{booked.reference}" was reported', "reference")
    return None


async def _find_booked(tx: Tx, account: Account, entry_id: UUID) -> LedgerEntry | None:
    await ledger.begin(tx, account)
    return await store.find_entry(tx, account.id, entry_id)


def _refusal(done: str, field: str) -> ApiError:
    text = f"this form was sent before, and {done}; send it again if you want this as well"
    return ApiError(Code.VALIDATION_ERROR, text, field=field)
