"""What ends an invoice: payment or voiding. Either lets a paused account send again (section 3)."""

import structlog

from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account

from .. import suspension
from . import store as invoice_store
from .lookup import load_invoice
from .model import Invoice, InvoiceStatus

log = structlog.get_logger()


async def pay(tx: Tx, account: Account, number: str, *, by: str) -> bool:
    """OPEN or OVERDUE -> PAID. False where it was paid before; a void one is refused."""
    found = await load_invoice(tx, account.id, number)
    moved = await invoice_store.mark_paid(tx, account.id, number, account.now(tx.now), by)
    if moved:
        await _ended(tx, account, found, "invoices.paid", by=by)
        return True
    return await _require_already(tx, account, number, InvoiceStatus.PAID)


async def void(tx: Tx, account: Account, number: str) -> bool:
    """OPEN or OVERDUE -> VOID. False where it was void before; a paid one is refused."""
    found = await load_invoice(tx, account.id, number)
    moved = await invoice_store.mark_void(tx, account.id, number, account.now(tx.now))
    if moved:
        await _ended(tx, account, found, "invoices.voided")
        return True
    return await _require_already(tx, account, number, InvoiceStatus.VOID)


async def _ended(tx: Tx, account: Account, invoice: Invoice, event: str, **more: str) -> None:
    log.info(event, account=account.name, invoice=invoice.number, **more)
    await suspension.changed(tx, account)


async def _require_already(tx: Tx, account: Account, number: str, wanted: InvoiceStatus) -> bool:
    now = await load_invoice(tx, account.id, number)
    if now.status is not wanted:
        ended = "paid" if now.status is InvoiceStatus.PAID else "void"
        asked = "paid" if wanted is InvoiceStatus.PAID else "voided"
        text = f"invoice {number} is {ended} and cannot be {asked}; issue another instead"
        raise ApiError(Code.VALIDATION_ERROR, text, field="status")
    return False
