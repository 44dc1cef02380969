"""Invoices (2.9). Pure."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from tidings import money
from tidings.money import Money, Rate, Totals


class InvoiceStatus(StrEnum):
    OPEN = "OPEN"
    OVERDUE = "OVERDUE"
    PAID = "PAID"
    VOID = "VOID"


UNPAID = frozenset({InvoiceStatus.OPEN, InvoiceStatus.OVERDUE})


@dataclass(frozen=True, slots=True)
class LineItem:
    """A quantity at a unit price; the amount is rounded once."""

    description: str
    quantity: int
    unit_price: Rate

    @property
    def amount(self) -> Money:
        return money.amount(self.unit_price, self.quantity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invoice:
    """An invoice and its status. All times are by the account's clock."""

    number: str
    kind: str
    status: InvoiceStatus  # as stored; OPEN past `due_at` counts as OVERDUE (`status_at`)
    totals: Totals
    vat_hundredths: int  # of a percent
    issued_at: datetime
    due_at: datetime
    paid_at: datetime | None = None
    paid_by: str | None = None  # the payment provider
    voided_at: datetime | None = None
    declared: bool = False  # in the file of `tidings apply`

    @property
    def currency(self) -> str:
        return self.totals.total.currency

    def status_at(self, now: datetime) -> InvoiceStatus:
        """Computed from the time, so it does not depend on when the due job runs."""
        if self.status is InvoiceStatus.OPEN and self.due_at <= now:
            return InvoiceStatus.OVERDUE
        return self.status


@dataclass(frozen=True, slots=True)
class Overdue:
    """The invoice that suspends an account: the fields of INVOICE_OVERDUE (section 7)."""

    number: str
    amount: str  # decimal, two places
    currency: str
