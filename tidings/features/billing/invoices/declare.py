"""Invoices that the file of `tidings apply` declares (contract.md, "Running it").

The file issues, amends what is still unpaid, and may pay or void. It never takes back what time, a
payment or an operator has done since, never touches an invoice that we issued ourselves, and what
it no longer names stays: an invoice is a document (docs/decisions/0021).
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
class Declared:
    """One `[[accounts.invoices]]` table, read."""

    number: str
    kind: str
    lines: tuple[LineItem, ...]
    issued_at: datetime
    due_at: datetime
    status: InvoiceStatus
    currency: str
    vat_pct: Decimal


async def configure(tx: Tx, account_id: UUID, sections: Mapping[str, Any]) -> None:
    """Make the account's invoices what its file says. `sections` are those kept with it."""
    wanted = sections.get("invoices") or ()
    if not wanted:
        return
    account = (await load_accounts(tx, [account_id]))[account_id]
    for table in wanted:
        await _settle(tx, account, read(table, sections.get("subscription") or {}, account))


def read(table: Mapping[str, Any], subscription: Mapping[str, Any], account: Account) -> Declared:
    """Currency and VAT are those of the subscription, else of the partner's terms."""
    terms = account.partner
    default = CURRENCY_DEFAULT if terms is None else terms.currency
    currency = subscription.get("currency", default)
    return Declared(
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


async def _settle(tx: Tx, account: Account, wanted: Declared) -> None:
    found = await invoice_store.find(tx, account.id, wanted.number, locked=True)
    if found is None:
        await put(tx, account, _draft(tx, account, wanted), wanted.lines)
    elif not found.declared:
        raise _refusal(account, wanted.number, "was issued by the service; use another number")
    elif await _differs(tx, account, wanted, found):
        await _amend(tx, account, wanted, found)
    await _move(tx, account, wanted)


async def _differs(tx: Tx, account: Account, wanted: Declared, found: Invoice) -> bool:
    """Currency and VAT do not count: a new rate does not reach what was issued under the old."""
    stated = (wanted.kind, wanted.issued_at, wanted.due_at)
    if stated != (found.kind, found.issued_at, found.due_at):
        return True
    held = await invoice_store.load_lines(tx, account.id, found)
    return _plain(held) != _plain(wanted.lines)


def _plain(lines: Sequence[LineItem]) -> list[tuple[str, int, int]]:
    return [(line.description, line.quantity, line.unit_price.micro) for line in lines]


async def _amend(tx: Tx, account: Account, wanted: Declared, found: Invoice) -> None:
    if found.status not in UNPAID:
        ended = found.status.lower()
        raise _refusal(
            account, wanted.number, f"is {ended} and stays as it is; declare another number"
        )
    amended = _draft(tx, account, wanted)
    await invoice_store.replace(tx, account.id, amended, wanted.lines)
    await invoice_due.watch(tx, account, amended)
    await suspension.changed(tx, account)  # it may have been overdue, and be so no more


async def _move(tx: Tx, account: Account, wanted: Declared) -> None:
    if wanted.status is InvoiceStatus.PAID:
        await invoice_settle.pay(tx, account, wanted.number, by=BY_FILE)
    elif wanted.status is InvoiceStatus.VOID:
        await invoice_settle.void(tx, account, wanted.number)
    elif wanted.status is InvoiceStatus.OVERDUE and wanted.due_at > account.now(tx.now):
        raise _refusal(account, wanted.number, "cannot be OVERDUE before its dueAt")


def _draft(tx: Tx, account: Account, wanted: Declared) -> Invoice:
    made = draft(
        kind=wanted.kind,
        lines=wanted.lines,
        currency=wanted.currency,
        vat_pct=wanted.vat_pct,
        issued_at=wanted.issued_at,
        due_at=wanted.due_at,
        number=wanted.number,
        now=account.now(tx.now),
    )
    return replace(made, declared=True)


def _refusal(account: Account, number: str, rule: str) -> ApiError:
    text = f'account "{account.name}": invoice {number} {rule}'
    return ApiError(Code.VALIDATION_ERROR, text, field="invoices")
