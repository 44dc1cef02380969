"""Invoices declared in the file of `tidings apply` (contract.md, "Running it").

The file can issue, pay and void invoices, and amend unpaid ones. It never reverts a later payment,
voiding or due date, never changes an invoice that the service issued, and removing an invoice from
the file does not delete it: an invoice is a legal document (docs/decisions/0021).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from typing import Any
from uuid import UUID

from tidings import money, times
from tidings.engine.db.tx import Tx
from tidings.errors import ApiError, Code
from tidings.features.accounts.lookup import load_accounts
from tidings.features.accounts.model import Account

from .. import suspension
from . import due as invoice_due
from . import settle as invoice_settle
from . import store as invoice_store
from .issue import draft, put
from .model import UNPAID, Invoice, InvoiceStatus, LineItem

CURRENCY_DEFAULT = "ILS"
BY_FILE = "file"


@dataclass(frozen=True, slots=True)
class DeclaredInvoice:
    """One parsed `[[accounts.invoices]]` table."""

    number: str
    kind: str
    lines: tuple[LineItem, ...]
    issued_at: datetime
    due_at: datetime
    status: InvoiceStatus
    currency: str
    vat_pct: Decimal


async def configure(tx: Tx, account_id: UUID, sections: Mapping[str, Any]) -> None:
    """Apply the account's invoice tables. `sections`: the account's part of the file."""
    tables = sections.get("invoices") or ()
    if not tables:
        return
    account = (await load_accounts(tx, [account_id]))[account_id]
    for table in tables:
        await _apply(tx, account, read(table, sections.get("subscription") or {}, account))


def read(
    table: Mapping[str, Any], subscription: Mapping[str, Any], account: Account
) -> DeclaredInvoice:
    """Currency and VAT come from the subscription, or else from the partner's terms."""
    terms = account.partner
    default = CURRENCY_DEFAULT if terms is None else terms.currency
    currency = subscription.get("currency", default)
    return DeclaredInvoice(
        number=table["number"],
        kind=table["kind"],
        lines=tuple(
            LineItem(
                line["description"],
                line["quantity"],
                money.parse_rate(line["unitPrice"], currency),
            )
            for line in table["lines"]
        ),
        issued_at=times.parse(table["issuedAt"]),
        due_at=times.parse(table["dueAt"]),
        status=InvoiceStatus(table["status"]),
        currency=currency,
        vat_pct=Decimal(subscription.get("vatPct", "0")),
    )


async def _apply(tx: Tx, account: Account, declared: DeclaredInvoice) -> None:
    found = await invoice_store.find(tx, account.id, declared.number, locked=True)
    if found is None:
        await put(tx, account, _draft(tx, account, declared), declared.lines)
    elif not found.declared:
        raise _refusal(account, declared.number, "was issued by the service; use another number")
    elif await _differs(tx, account, declared, found):
        await _amend(tx, account, declared, found)
    await _pay_or_void(tx, account, declared)


async def _differs(tx: Tx, account: Account, declared: DeclaredInvoice, found: Invoice) -> bool:
    """Currency and VAT are ignored: a changed rate does not apply to issued invoices."""
    terms = (declared.kind, declared.issued_at, declared.due_at)
    if terms != (found.kind, found.issued_at, found.due_at):
        return True
    stored = await invoice_store.load_lines(tx, account.id, found)
    return _comparable(stored) != _comparable(declared.lines)


def _comparable(lines: Sequence[LineItem]) -> list[tuple[str, int, int]]:
    return [(line.description, line.quantity, line.unit_price.micro) for line in lines]


async def _amend(tx: Tx, account: Account, declared: DeclaredInvoice, found: Invoice) -> None:
    if found.status not in UNPAID:
        status = found.status.lower()
        raise _refusal(
            account, declared.number, f"is {status} and stays as it is; declare another number"
        )
    amended = _draft(tx, account, declared)
    await invoice_store.replace(tx, account.id, amended, declared.lines)
    await invoice_due.watch(tx, account, amended)
    await suspension.changed(tx, account)  # it may no longer be overdue


async def _pay_or_void(tx: Tx, account: Account, declared: DeclaredInvoice) -> None:
    if declared.status is InvoiceStatus.PAID:
        await invoice_settle.pay(tx, account, declared.number, by=BY_FILE)
    elif declared.status is InvoiceStatus.VOID:
        await invoice_settle.void(tx, account, declared.number)
    elif declared.status is InvoiceStatus.OVERDUE and declared.due_at > account.now(tx.now):
        raise _refusal(account, declared.number, "cannot be OVERDUE before its dueAt")


def _draft(tx: Tx, account: Account, declared: DeclaredInvoice) -> Invoice:
    invoice = draft(
        kind=declared.kind,
        lines=declared.lines,
        currency=declared.currency,
        vat_pct=declared.vat_pct,
        issued_at=declared.issued_at,
        due_at=declared.due_at,
        number=declared.number,
        now=account.now(tx.now),
    )
    return replace(invoice, declared=True)


def _refusal(account: Account, number: str, rule: str) -> ApiError:
    text = f'account "{account.name}": invoice {number} {rule}'
    return ApiError(Code.VALIDATION_ERROR, text, field="invoices")
