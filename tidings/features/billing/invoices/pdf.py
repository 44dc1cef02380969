"""An invoice as a PDF, typeset from `page.typ`."""

from collections.abc import Sequence
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any

from tidings.engine import documents
from tidings.engine.documents import Form, amount, day, directed, with_currency
from tidings.money import percent_to_wire, rate_to_wire

from .model import Invoice, InvoiceStatus, LineItem


def render(
    invoice: Invoice,
    lines: Sequence[LineItem],
    *,
    customer: str,
    issuer: str,
    now: datetime,
    form: Form = "pdf",
) -> bytes:
    """The document; as an image, its first page. CPU-bound: call it in a thread."""
    data = _data(invoice, lines, customer, issuer, now)
    return documents.typeset(_page(), data, at=invoice.issued_at, form=form)


@cache
def _page() -> bytes:
    return files(__package__).joinpath("page.typ").read_bytes()


def _data(
    invoice: Invoice, lines: Sequence[LineItem], customer: str, issuer: str, now: datetime
) -> dict[str, Any]:
    status = invoice.status_at(now)
    totals = invoice.totals
    vat = f"VAT {percent_to_wire(invoice.vat_hundredths)}%"
    return {
        "title": f"Invoice {invoice.number}",
        "number": invoice.number,
        "status": status.value,
        "issuer": documents.issuer_parts(issuer),
        "customer": directed(customer),
        "facts": [{"label": name, "value": value} for name, value in _details(invoice)],
        "lines": [_line(line) for line in lines],
        "sums": [["Subtotal", amount(totals.subtotal)], [vat, amount(totals.vat)]],
        "total": with_currency(totals.total),
        "note": _note(invoice, status),
        "footer": f"Invoice {invoice.number}, all amounts in {invoice.currency}",
    }


def _details(invoice: Invoice) -> list[tuple[str, str]]:
    details = [("Issued", day(invoice.issued_at)), ("Due", day(invoice.due_at))]
    if invoice.paid_at is not None:
        return [*details, ("Paid", day(invoice.paid_at))]
    return [*details, ("For", invoice.kind.replace("_", " ").capitalize())]


def _line(line: LineItem) -> dict[str, Any]:
    return {
        "description": directed(line.description),
        "quantity": f"{line.quantity:,}",
        "unitPrice": rate_to_wire(line.unit_price),
        "amount": amount(line.amount),
    }


def _note(invoice: Invoice, status: InvoiceStatus) -> str:
    if status is InvoiceStatus.PAID:
        return "Paid in full, with thanks."
    if status is InvoiceStatus.VOID:
        return "This invoice is void. Nothing is owed."
    due = f"Please pay {with_currency(invoice.totals.total)} by {day(invoice.due_at)}"
    late = "; it is overdue, and sending is paused" if status is InvoiceStatus.OVERDUE else ""
    return f"{due}, naming invoice {invoice.number}{late}."
