"""`tidings invoices`: what an account owes, and how an operator settles it."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from tidings.cli.actor import command_actor
from tidings.cli.database import transact_for
from tidings.cli.output import Refused, print_json, print_table, say
from tidings.cli.runner import load_settings
from tidings.clock import SystemClock
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.audit.record import Actor
from tidings.features.billing.invoices import responses as invoice_responses
from tidings.features.billing.invoices.lookup import load_all, load_with_lines
from tidings.features.billing.invoices.model import Invoice as Issued
from tidings.features.billing.invoices.model import InvoiceStatus, LineItem
from tidings.features.billing.invoices.responses import Invoice, InvoiceWithLines
from tidings.features.operation.money import pay_invoice as pay
from tidings.features.operation.money import void_invoice as void

Settle = Callable[[Tx, Actor, Account, str], Awaitable[bool]]


def list_invoices(account: str, status: str | None, *, as_json: bool) -> None:
    if status is not None and status not in list(InvoiceStatus):
        raise Refused(f'--status is one of {", ".join(InvoiceStatus)}, not "{status}".')
    only = None if status is None else InvoiceStatus(status)

    async def work(tx: Tx, owner: Account) -> list[Invoice]:
        now = owner.now(tx.now)
        return [invoice_responses.invoice(one, now) for one in await load_all(tx, owner, only)]

    found = transact_for(account, work)
    if as_json:
        print_json({"account": account, "invoices": found})
        return
    rows = [
        (one.number, one.kind, one.status, one.total, one.currency, one.due_at) for one in found
    ]
    headings = ("number", "kind", "status", "total>", "currency", "due")
    print_table(headings, rows, none=f"{account} has no such invoices.")


def show_invoice(account: str, number: str, *, as_json: bool) -> None:
    async def work(tx: Tx, owner: Account) -> InvoiceWithLines:
        return await _load(tx, owner, number)

    invoice = transact_for(account, work)
    if as_json:
        print_json(invoice)
        return
    say(f"Invoice {invoice.number} ({invoice.kind}) of {account}: {invoice.status}")
    say(f"issued {invoice.issued_at}, due {invoice.due_at}")
    rows = [
        (line.description, line.quantity, line.unit_price, line.amount) for line in invoice.lines
    ]
    print_table(("description", "quantity>", "price>", "amount>"), rows, none="No lines.")
    vat = f"VAT {invoice.vat_pct}% {invoice.vat_amount}"
    say(f"{invoice.subtotal} + {vat} = {invoice.total} {invoice.currency}")


def pay_invoice(account: str, number: str, *, as_json: bool) -> None:
    """The operator has seen the money: a payment by the `manual` provider."""
    _settle(account, number, pay, status="paid", as_json=as_json)


def void_invoice(account: str, number: str, *, as_json: bool) -> None:
    _settle(account, number, void, status="void", as_json=as_json)


def _settle(account: str, number: str, settle: Settle, *, status: str, as_json: bool) -> None:
    async def work(tx: Tx, owner: Account) -> tuple[InvoiceWithLines, bool]:
        changed = await settle(tx, command_actor(), owner, number)
        return await _load(tx, owner, number), changed

    invoice, changed = transact_for(account, work)
    if as_json:
        print_json({**msgspec.to_builtins(invoice), "changed": changed})
        return
    now = "is now" if changed else "was already"
    say(f"Invoice {invoice.number} over {invoice.total} {invoice.currency} {now} {status}.")


async def _load(tx: Tx, owner: Account, number: str) -> InvoiceWithLines:
    invoice, lines = await load_with_lines(tx, owner.id, number)
    return invoice_responses.with_lines(invoice, lines, owner.now(tx.now))


def write_pdf(account: str, number: str, output: Path) -> None:
    from tidings.features.billing.invoices.pdf import render  # slow: it loads the fonts

    async def work(tx: Tx, owner: Account) -> tuple[Account, Issued, list[LineItem]]:
        return owner, *await load_with_lines(tx, owner.id, number)

    issuer = load_settings().issuer
    owner, invoice, lines = transact_for(account, work)
    now = owner.now(SystemClock().now())
    content = render(invoice, lines, customer=owner.name, issuer=issuer, now=now)
    try:
        output.write_bytes(content)
    except OSError as reason:
        raise Refused(f"Cannot write {output}: {reason.strerror}.") from None
    say(f"{output}: {len(content):,} bytes")
