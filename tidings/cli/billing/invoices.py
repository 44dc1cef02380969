"""`tidings invoices`: what is owed, and what an operator does about it."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import msgspec

from tidings.cli.database import opened
from tidings.cli.named import load_account
from tidings.cli.output import print_json, print_table, say
from tidings.cli.refusal import Refused
from tidings.cli.runner import load_settings, run
from tidings.clock import SystemClock
from tidings.engine.db.tx import Tx
from tidings.features.accounts.model import Account
from tidings.features.billing.invoices import payments
from tidings.features.billing.invoices import responses as invoice_responses
from tidings.features.billing.invoices.lookup import load_all, load_with_lines
from tidings.features.billing.invoices.model import Invoice as Issued
from tidings.features.billing.invoices.model import InvoiceStatus, Line
from tidings.features.billing.invoices.responses import Invoice, InvoiceWithLines
from tidings.features.billing.invoices.settle import pay, void
from tidings.settings import Settings

Move = Callable[[Tx, Account, str], Awaitable[bool]]


def list_invoices(account: str, status: str | None, *, as_json: bool) -> None:
    found = run(_list(load_settings(), account, status))
    if as_json:
        print_json({"account": account, "invoices": found})
        return
    rows = [
        (one.number, one.kind, one.status, one.total, one.currency, one.due_at) for one in found
    ]
    headings = ("number", "kind", "status", "total>", "currency", "due")
    print_table(headings, rows, none=f"{account} has no such invoices.")


def show_invoice(account: str, number: str, *, as_json: bool) -> None:
    one = run(_moved(load_settings(), account, number, None))[0]
    if as_json:
        print_json(one)
        return
    say(f"Invoice {one.number} ({one.kind}) of {account}: {one.status}")
    say(f"issued {one.issued_at}, due {one.due_at}")
    rows = [(line.description, line.quantity, line.unit_price, line.amount) for line in one.lines]
    print_table(("description", "quantity>", "price>", "amount>"), rows, none="No lines.")
    say(f"{one.subtotal} + VAT {one.vat_pct}% {one.vat_amount} = {one.total} {one.currency}")


def pay_invoice(account: str, number: str, *, as_json: bool) -> None:
    """An operator has seen the money: the `manual` provider's word."""

    async def work(tx: Tx, payer: Account, paid: str) -> bool:
        return await pay(tx, payer, paid, by=payments.MANUAL)

    _answer(*run(_moved(load_settings(), account, number, work)), "paid", as_json=as_json)


def void_invoice(account: str, number: str, *, as_json: bool) -> None:
    _answer(*run(_moved(load_settings(), account, number, void)), "void", as_json=as_json)


def write_pdf(account: str, number: str, output: Path) -> None:
    content = run(_pdf(load_settings(), account, number))
    try:
        output.write_bytes(content)
    except OSError as reason:
        raise Refused(f"Cannot write {output}: {reason.strerror}.") from None
    say(f"{output}: {len(content):,} bytes")


def _answer(one: InvoiceWithLines, moved: bool, word: str, *, as_json: bool) -> None:
    if as_json:
        print_json({**msgspec.to_builtins(one), "changed": moved})
        return
    already = "is now" if moved else "was already"
    say(f"Invoice {one.number} over {one.total} {one.currency} {already} {word}.")


async def _list(settings: Settings, account: str, status: str | None) -> list[Invoice]:
    if status is not None and status not in list(InvoiceStatus):
        raise Refused(f'--status is one of {", ".join(InvoiceStatus)}, not "{status}".')
    wanted = None if status is None else InvoiceStatus(status)

    async def work(tx: Tx) -> list[Invoice]:
        owner = await load_account(tx, account)
        now = owner.now(tx.now)
        return [invoice_responses.invoice(one, now) for one in await load_all(tx, owner, wanted)]

    async with opened(settings) as db:
        return await db.transact(work)


async def _moved(
    settings: Settings, account: str, number: str, move: Move | None
) -> tuple[InvoiceWithLines, bool]:
    """The invoice, after the move where there is one, and whether it was one."""

    async def work(tx: Tx) -> tuple[InvoiceWithLines, bool]:
        owner = await load_account(tx, account)
        moved = False if move is None else await move(tx, owner, number)
        invoice, lines = await load_with_lines(tx, owner.id, number)
        return invoice_responses.with_lines(invoice, lines, owner.now(tx.now)), moved

    async with opened(settings) as db:
        return await db.transact(work)


async def _pdf(settings: Settings, account: str, number: str) -> bytes:
    from tidings.features.billing.invoices.pdf import render

    async def work(tx: Tx) -> tuple[Account, Issued, list[Line]]:
        owner = await load_account(tx, account)
        return owner, *await load_with_lines(tx, owner.id, number)

    async with opened(settings) as db:
        owner, invoice, lines = await db.transact(work)
    now = owner.now(SystemClock().now())
    return render(invoice, lines, customer=owner.name, issuer=settings.issuer, now=now)
