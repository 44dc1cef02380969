"""The responses of the invoice endpoints (2.9, 4.14; contract.md, "Billing"). Pure."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from tidings import times
from tidings.engine.http.response_types import Amount, Timestamp
from tidings.money import percent_to_wire, rate_to_wire, to_wire

from . import model


class Invoice(msgspec.Struct, rename="camel"):
    number: str
    kind: Annotated[str, Meta(examples=["USAGE"])]
    status: Literal["OPEN", "OVERDUE", "PAID", "VOID"]
    subtotal: Amount
    vat_pct: int | float
    vat_amount: Amount
    total: Amount
    currency: Annotated[str, Meta(examples=["ILS"])]
    issued_at: Timestamp
    due_at: Annotated[Timestamp, Meta(description="The invoice is valid until this time.")]


class InvoiceLine(msgspec.Struct, rename="camel"):
    description: str
    quantity: int
    unit_price: Annotated[str, Meta(description="Decimal, up to six places.")]
    amount: Amount


class InvoiceWithLines(Invoice, rename="camel"):
    lines: list[InvoiceLine]


def invoice(one: model.Invoice, now: datetime) -> Invoice:
    return Invoice(**_fields(one, now))


def with_lines(
    one: model.Invoice, lines: Sequence[model.LineItem], now: datetime
) -> InvoiceWithLines:
    return InvoiceWithLines(**_fields(one, now), lines=[_line(line) for line in lines])


def _fields(one: model.Invoice, now: datetime) -> dict[str, Any]:
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


def _line(line: model.LineItem) -> InvoiceLine:
    return InvoiceLine(
        description=line.description,
        quantity=line.quantity,
        unit_price=rate_to_wire(line.unit_price),
        amount=to_wire(line.amount),
    )
