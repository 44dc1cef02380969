"""Pay or void an invoice. Either may lift the account's suspension (section 3)."""

import structlog

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account

from .. import suspension
from . import store as invoice_store
from .lookup import load_invoice
from .model import InvoiceStatus

log = structlog.get_logger()


async def pay(tx: Tx, account: Account, number: str, *, by: str) -> bool:
    """OPEN or OVERDUE -> PAID. False if it was paid already; a void invoice is refused."""
    found = await load_invoice(tx, account.id, number)
    updated = await invoice_store.mark_paid(tx, account.id, number, account.now(tx.now), by)
    if updated:
        tx.after_commit(
            lambda: log.info("invoice.paid", account=account.id, invoice=found.number, by=by)
        )
        await suspension.changed(tx, account)
        return True
    return await _require_already(tx, account, number, InvoiceStatus.PAID)


async def void(tx: Tx, account: Account, number: str) -> bool:
    """OPEN or OVERDUE -> VOID. False if it was void already; a paid invoice is refused."""
    found = await load_invoice(tx, account.id, number)
    updated = await invoice_store.mark_void(tx, account.id, number, account.now(tx.now))
    if updated:
        tx.after_commit(
            lambda: log.info("invoice.voided", account=account.id, invoice=found.number)
        )
        await suspension.changed(tx, account)
        return True
    return await _require_already(tx, account, number, InvoiceStatus.VOID)


async def _require_already(tx: Tx, account: Account, number: str, target: InvoiceStatus) -> bool:
    invoice = await load_invoice(tx, account.id, number)
    if invoice.status is not target:
        current = "paid" if invoice.status is InvoiceStatus.PAID else "void"
        action = "paid" if target is InvoiceStatus.PAID else "voided"
        text = f"invoice {number} is {current} and cannot be {action}; issue another instead"
        raise ApiError(Code.VALIDATION_ERROR, text, field="status")
    return False
