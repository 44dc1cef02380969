"""`tidings invoices`, `partners` and `billing`: what is owed, paid and charged."""

from pathlib import Path
from typing import Annotated

import typer

from tidings.cli.options import INSPECT, RUN, Account, AsJson

invoices = typer.Typer(no_args_is_help=True, help="Invoices: list, show, pay, void, print.")
billing = typer.Typer(no_args_is_help=True, help="What accounts were charged.")
partners = typer.Typer(no_args_is_help=True, help="Partners: capacity, debt, transfers, ledger.")

Number = Annotated[str, typer.Argument(metavar="NUMBER", help="The invoice's number.")]
Reference = Annotated[str, typer.Argument(metavar="REFERENCE", help="As the partner reported it.")]
Note = Annotated[str | None, typer.Option(help="The reason; stored in the ledger.")]


@invoices.command("list")
def list_invoices(
    account: Account,
    status: Annotated[str | None, typer.Option(help="OPEN, OVERDUE, PAID or VOID.")] = None,
    as_json: AsJson = False,
) -> None:
    """List an account's invoices, the newest first."""
    from .invoices import list_invoices as run

    run(account, status, as_json=as_json)


@invoices.command("show")
def show_invoice(number: Number, account: Account, as_json: AsJson = False) -> None:
    """Show an invoice with its lines."""
    from .invoices import show_invoice as run

    run(account, number, as_json=as_json)


@invoices.command("pay")
def pay_invoice(number: Number, account: Account, as_json: AsJson = False) -> None:
    """Confirm that an invoice was paid; a paused account sends again within seconds.

    Paying twice changes nothing; a void invoice cannot be paid.
    """
    from .invoices import pay_invoice as run

    run(account, number, as_json=as_json)


@invoices.command("void")
def void_invoice(number: Number, account: Account, as_json: AsJson = False) -> None:
    """Make an unpaid invoice void; a paused account sends again within seconds."""
    from .invoices import void_invoice as run

    run(account, number, as_json=as_json)


@invoices.command("pdf")
def write_pdf(
    number: Number,
    account: Account,
    output: Annotated[Path, typer.Option("--output", "-o", metavar="FILE", help="Where to write.")],
) -> None:
    """Write an invoice as a PDF. TIDINGS_ISSUER says who issues it."""
    from .invoices import write_pdf as run

    run(account, number, output)


@partners.command("list")
def list_partners(as_json: AsJson = False) -> None:
    """List all partners with their capacity and debt."""
    from .partners import list_partners as run

    run(as_json=as_json)


@partners.command("transfers")
def show_transfers(account: Account, as_json: AsJson = False) -> None:
    """List the transfers that are neither confirmed nor rejected yet."""
    from .partners import show_transfers as run

    run(account, as_json=as_json)


@partners.command("ledger")
def show_ledger(
    account: Account,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many entries.")] = 50,
    as_json: AsJson = False,
) -> None:
    """Show a partner's ledger, the newest entry first."""
    from .partners import show_ledger as run

    run(account, limit, as_json=as_json)


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
    """Confirm that a transfer arrived; the amount received reduces the debt, once."""
    from .partners import confirm_transfer as run

    run(account, reference, amount=amount, note=note, as_json=as_json)


@partners.command("reject")
def reject_transfer(
    reference: Reference, account: Account, note: Note = None, as_json: AsJson = False
) -> None:
    """Reject a reported transfer that never arrived; the debt stays as it is."""
    from .partners import reject_transfer as run

    run(account, reference, note=note, as_json=as_json)


@partners.command("adjust")
def adjust_partner(
    account: Account,
    note: Annotated[str, typer.Option(help="The reason; stored in the ledger.")],
    amount: Annotated[str, typer.Option(help="Added to the debt; -5.00 reduces it.")] = "0.00",
    messages: Annotated[int, typer.Option(help="Added to the capacity; may be negative.")] = 0,
    reference: Annotated[
        str | None, typer.Option(help="An idempotency key: a repeat is refused.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Correct a partner's debt or capacity."""
    from .partners import adjust_partner as run

    run(account, amount=amount, messages=messages, note=note, reference=reference, as_json=as_json)


@billing.command("export")
def export_charges(
    account: Account,
    first: Annotated[str | None, typer.Option("--from", help="First day, YYYY-MM-DD.")] = None,
    last: Annotated[str | None, typer.Option("--to", help="Last day, YYYY-MM-DD.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="A JSON object a line.")] = False,
) -> None:
    """Print every charge and refund, message by message, as CSV."""
    from .statement import export_charges as run

    run(account, first, last, as_json=as_json)


def add_to(app: typer.Typer) -> None:
    app.add_typer(invoices, name="invoices", rich_help_panel=RUN)
    app.add_typer(partners, name="partners", rich_help_panel=RUN)
    app.add_typer(billing, name="billing", rich_help_panel=INSPECT)
