"""The commands of `tidings invoices`, `partners` and `billing`; their work is imported when run."""

from pathlib import Path
from typing import Annotated

import typer

invoices = typer.Typer(no_args_is_help=True, help="Invoices: list, show, pay, void, print.")
billing = typer.Typer(no_args_is_help=True, help="What accounts were charged.")
partners = typer.Typer(no_args_is_help=True, help="Partners: capacity, debt, transfers, ledger.")

Account = Annotated[str, typer.Option("--account", metavar="NAME", help="The account's name.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Number = Annotated[str, typer.Argument(metavar="NUMBER", help="The invoice's number.")]
Reference = Annotated[str, typer.Argument(metavar="REFERENCE", help="As the partner reported it.")]
Note = Annotated[str | None, typer.Option(help="Why; it is kept in the ledger.")]


@invoices.command("list")
def list_invoices(
    account: Account,
    status: Annotated[str | None, typer.Option(help="OPEN, OVERDUE, PAID or VOID.")] = None,
    as_json: AsJson = False,
) -> None:
    """List an account's invoices, the newest first."""
    from .invoices import list_invoices as work

    work(account, status, as_json=as_json)


@invoices.command("show")
def show_invoice(number: Number, account: Account, as_json: AsJson = False) -> None:
    """Show an invoice with its lines."""
    from .invoices import show_invoice as work

    work(account, number, as_json=as_json)


@invoices.command("pay")
def pay_invoice(number: Number, account: Account, as_json: AsJson = False) -> None:
    """Confirm that an invoice was paid; a paused account sends again within seconds.

    Paying twice changes nothing; a void invoice is refused.
    """
    from .invoices import pay_invoice as work

    work(account, number, as_json=as_json)


@invoices.command("void")
def void_invoice(number: Number, account: Account, as_json: AsJson = False) -> None:
    """Make an unpaid invoice void; a paused account sends again within seconds."""
    from .invoices import void_invoice as work

    work(account, number, as_json=as_json)


@invoices.command("pdf")
def write_pdf(
    number: Number,
    account: Account,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write.")],
) -> None:
    """Write an invoice as a PDF. TIDINGS_ISSUER says who issues it."""
    from .invoices import write_pdf as work

    work(account, number, output)


@partners.command("list")
def list_partners(as_json: AsJson = False) -> None:
    """List all partners with their capacity and debt."""
    from .partners import list_partners as work

    work(as_json=as_json)


@partners.command("transfers")
def show_transfers(account: Account, as_json: AsJson = False) -> None:
    """List the transfers that wait to be confirmed or rejected."""
    from .partners import show_transfers as work

    work(account, as_json=as_json)


@partners.command("ledger")
def show_ledger(
    account: Account,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many entries.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Show a partner's ledger, the newest entry first."""
    from .partners import show_ledger as work

    work(account, limit, as_json=as_json)


@partners.command("confirm")
def confirm_transfer(
    reference: Reference,
    account: Account,
    amount: Annotated[
        str | None, typer.Option(help="What was received, such as 95.00; absent: as reported.")
    ] = None,
    note: Note = None,
    as_json: AsJson = False,
) -> None:
    """Confirm that a transfer came; what was received is taken off the debt, once."""
    from .partners import confirm_transfer as work

    work(account, reference, amount, note, as_json=as_json)


@partners.command("reject")
def reject_transfer(
    reference: Reference, account: Account, note: Note = None, as_json: AsJson = False
) -> None:
    """Note that a reported transfer never came; nothing that is owed changes."""
    from .partners import reject_transfer as work

    work(account, reference, note, as_json=as_json)


@partners.command("adjust")
def adjust_partner(
    account: Account,
    note: Annotated[str, typer.Option(help="Why; it is kept in the ledger.")],
    amount: Annotated[str, typer.Option(help="Added to the debt; -5.00 takes off.")] = "0.00",
    messages: Annotated[int, typer.Option(help="Added to the capacity; may be negative.")] = 0,
    reference: Annotated[
        str | None, typer.Option(help="Given twice, the second is refused.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Correct a partner's debt or capacity."""
    from .partners import adjust_partner as work

    work(account, amount=amount, messages=messages, note=note, reference=reference, as_json=as_json)


@billing.command("export")
def export_charges(
    account: Account,
    first: Annotated[str | None, typer.Option("--from", help="First day, YYYY-MM-DD.")] = None,
    last: Annotated[str | None, typer.Option("--to", help="Last day, YYYY-MM-DD.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a line.")] = False,
) -> None:
    """Print every charge and what became of it, message by message, as CSV."""
    from .statement import export_charges as work

    work(account, first, last, as_json=as_json)
