"""Issue an invoice: numbered without gaps per account and year, VAT rounded once (2.9)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from decimal import Decimal

from tidings import money
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.model import Account

from . import due as invoice_due
from . import store as invoice_store
from .model import Invoice, InvoiceStatus, LineItem


async def issue(
    tx: Tx,
    account: Account,
    *,
    kind: str,
    lines: Sequence[LineItem],
    currency: str,
    vat_pct: Decimal | int,
    issued_at: datetime,
    due_at: datetime,
    number: str | None = None,
) -> Invoice:
    """`vat_pct` is a percentage such as 18 or Decimal("17.5"); default number: the next one."""
    invoice = draft(
        kind=kind,
        lines=lines,
        currency=currency,
        vat_pct=vat_pct,
        issued_at=issued_at,
        due_at=due_at,
        number=number or "",
        now=account.now(tx.now),
    )
    return await put(tx, account, invoice, lines)


def draft(
    *,
    kind: str,
    lines: Sequence[LineItem],
    currency: str,
    vat_pct: Decimal | int,
    issued_at: datetime,
    due_at: datetime,
    number: str,
    now: datetime,
) -> Invoice:
    """An unsaved invoice with its totals. Pure."""
    vat_hundredths = money.parse_percent(str(vat_pct))
    subtotal = money.total((line.amount for line in lines), currency)
    return Invoice(
        number=number,
        kind=kind,
        status=InvoiceStatus.OVERDUE if due_at <= now else InvoiceStatus.OPEN,
        totals=money.add_vat(subtotal, vat_hundredths),
        vat_hundredths=vat_hundredths,
        issued_at=issued_at,
        due_at=due_at,
    )


async def put(tx: Tx, account: Account, invoice: Invoice, lines: Sequence[LineItem]) -> Invoice:
    """Store it under its own number, or under the next number of the year if it has none."""
    if invoice.number:
        if not await invoice_store.insert(tx, account.id, invoice, lines):
            text = f"{account.name} has an invoice {invoice.number} already"
            raise ApiError(Code.VALIDATION_ERROR, text, field="number")
    else:
        invoice = await _put_next(tx, account, invoice, lines)
    await invoice_due.watch(tx, account, invoice)
    return invoice


async def _put_next(
    tx: Tx, account: Account, invoice: Invoice, lines: Sequence[LineItem]
) -> Invoice:
    year = invoice.issued_at.year
    while True:  # skip numbers that the account file already uses
        last = await invoice_store.next_number(tx, account.id, year)
        numbered = replace(invoice, number=f"{year}-{last:04d}")
        if await invoice_store.insert(tx, account.id, numbered, lines):
            return numbered
