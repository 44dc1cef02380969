"""Issue an invoice: numbered without gaps in its account and year, VAT rounded once (2.9)."""

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
    """`vat_pct` is a percentage such as 18 or Decimal("17.5"); without a number, the next one."""
    made = draft(
        kind=kind,
        lines=lines,
        currency=currency,
        vat_pct=vat_pct,
        issued_at=issued_at,
        due_at=due_at,
        number=number or "",
        now=account.now(tx.now),
    )
    return await put(tx, account, made, lines)


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
    """An invoice not yet stored, its sums worked out. Pure."""
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


async def put(tx: Tx, account: Account, made: Invoice, lines: Sequence[LineItem]) -> Invoice:
    """Store it under its number, or else under the next of the year."""
    if made.number:
        if not await invoice_store.insert(tx, account.id, made, lines):
            text = f"{account.name} has an invoice {made.number} already"
            raise ApiError(Code.VALIDATION_ERROR, text, field="number")
    else:
        made = await _put_next(tx, account, made, lines)
    await invoice_due.watch(tx, account, made)
    return made


async def _put_next(tx: Tx, account: Account, made: Invoice, lines: Sequence[LineItem]) -> Invoice:
    year = made.issued_at.year
    while True:  # a number that the file gave away is passed over: it is no gap
        last = await invoice_store.next_number(tx, account.id, year)
        numbered = replace(made, number=f"{year}-{last:04d}")
        if await invoice_store.insert(tx, account.id, numbered, lines):
            return numbered
