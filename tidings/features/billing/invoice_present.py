"""From invoices to the JSON of 2.9. Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from tidings import times
from tidings.money import percent_to_wire, rate_to_wire, to_wire

from . import invoice_shapes as shapes
from .invoice_model import Invoice, Line


def invoice(one: Invoice, now: datetime) -> shapes.Invoice:
    return shapes.Invoice(**_fields(one, now))


def with_lines(one: Invoice, lines: Sequence[Line], now: datetime) -> shapes.InvoiceWithLines:
    return shapes.InvoiceWithLines(**_fields(one, now), lines=[_line(line) for line in lines])


def _fields(one: Invoice, now: datetime) -> dict[str, Any]:
    return {
        "number": one.number,
        "kind": one.kind,
        "status": one.status_at(now).value,
        "subtotal": to_wire(one.totals.subtotal),
        "vat_pct": percent_to_wire(one.vat_hundredths),
        "vat_amount": to_wire(one.totals.vat),
        "total": to_wire(one.totals.total),
        "currency": one.currency,
        "issued_at": times.to_wire(one.issued_at),
        "due_at": times.to_wire(one.due_at),
    }


def _line(line: Line) -> shapes.InvoiceLine:
    return shapes.InvoiceLine(
        description=line.description,
        quantity=line.quantity,
        unit_price=rate_to_wire(line.unit_price),
        amount=to_wire(line.amount),
    )
