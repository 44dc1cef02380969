"""An invoice as a PDF, typeset by typst from `page.typ`.

The fonts bundled with typst cover Latin, Greek, Cyrillic and Hebrew; other scripts use the system
fonts. Right-to-left text is set and aligned from the right.
"""

import unicodedata
from collections.abc import Sequence
from datetime import datetime
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec
import typst

from tidings.money import Money, percent_to_wire, rate_to_wire, to_wire

from .model import Invoice, InvoiceStatus, LineItem

ISSUER_SEPARATOR = "|"  # between the parts of TIDINGS_ISSUER
RIGHT_TO_LEFT = ("R", "AL")
MONTHS = (
    "January", "February", "March", "April", "May", "June", "July", "August", "September",
    "October", "November", "December",
)  # fmt: skip


def render(
    invoice: Invoice,
    lines: Sequence[LineItem],
    *,
    customer: str,
    issuer: str,
    now: datetime,
    form: Literal["pdf", "png"] = "pdf",
) -> bytes:
    """The document; as an image, its first page. CPU-bound: call it in a thread."""
    data = msgspec.json.encode(_data(invoice, lines, customer, issuer, now)).decode()
    # A Compiler is not thread-safe, so each call makes one; the font search is cached.
    output = typst.Compiler(_page(), font_paths=_fonts()).compile(
        format=form, sys_inputs={"invoice": data}, timestamp=int(invoice.issued_at.timestamp())
    )
    assert output is not None
    return output if isinstance(output, bytes) else output[0]


@cache
def _page() -> bytes:
    return files(__package__).joinpath("page.typ").read_bytes()


@cache
def _fonts() -> typst.Fonts:
    return typst.Fonts()


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
        "issuer": [_directed(part.strip()) for part in issuer.split(ISSUER_SEPARATOR)],
        "customer": _directed(customer),
        "facts": [{"label": name, "value": value} for name, value in _details(invoice)],
        "lines": [_line(line) for line in lines],
        "sums": [["Subtotal", _amount(totals.subtotal)], [vat, _amount(totals.vat)]],
        "total": _with_currency(totals.total),
        "note": _note(invoice, status),
        "footer": f"Invoice {invoice.number}, all amounts in {invoice.currency}",
    }


def _details(invoice: Invoice) -> list[tuple[str, str]]:
    details = [("Issued", _day(invoice.issued_at)), ("Due", _day(invoice.due_at))]
    if invoice.paid_at is not None:
        return [*details, ("Paid", _day(invoice.paid_at))]
    return [*details, ("For", invoice.kind.replace("_", " ").capitalize())]


def _line(line: LineItem) -> dict[str, Any]:
    return {
        "description": _directed(line.description),
        "quantity": f"{line.quantity:,}",
        "unitPrice": rate_to_wire(line.unit_price),
        "amount": _amount(line.amount),
    }


def _note(invoice: Invoice, status: InvoiceStatus) -> str:
    if status is InvoiceStatus.PAID:
        return "Paid in full, with thanks."
    if status is InvoiceStatus.VOID:
        return "This invoice is void. Nothing is owed."
    due = f"Please pay {_with_currency(invoice.totals.total)} by {_day(invoice.due_at)}"
    late = "; it is overdue, and sending is paused" if status is InvoiceStatus.OVERDUE else ""
    return f"{due}, naming invoice {invoice.number}{late}."


def _directed(text: str) -> dict[str, Any]:
    """The first strong character sets the direction (Unicode Bidirectional Algorithm)."""
    classes = (unicodedata.bidirectional(letter) for letter in text)
    first = next((one for one in classes if one in ("L", *RIGHT_TO_LEFT)), "L")
    return {"text": text, "rtl": first in RIGHT_TO_LEFT}


def _day(timestamp: datetime) -> str:
    return f"{timestamp.day} {MONTHS[timestamp.month - 1]} {timestamp.year}"


def _amount(money: Money) -> str:
    whole, _, cents = to_wire(money).partition(".")
    return f"{int(whole):,}.{cents}" if int(whole) else f"{whole}.{cents}"


def _with_currency(money: Money) -> str:
    return f"{_amount(money)} {money.currency}"
