"""What the invoice endpoints answer (2.9, 4.14; contract.md, "Billing")."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

Amount = Annotated[str, Meta(description="Decimal, two places.", examples=["12.50"])]
Timestamp = Annotated[str, Meta(extra_json_schema={"format": "date-time"})]


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


class Page(msgspec.Struct, rename="camel"):
    next_cursor: str | None
