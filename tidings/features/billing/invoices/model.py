"""Invoices (2.9): what is owed, since when, until when. Pure."""

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
    """So many of something at a price each; the amount is rounded once."""

    description: str
    quantity: int
    unit_price: Rate

    @property
    def amount(self) -> Money:
        return money.amount(self.unit_price, self.quantity)


@dataclass(frozen=True, slots=True, kw_only=True)
class Invoice:
    """As it was issued, and where it stands. All times are the account's."""

    number: str
    kind: str
    status: InvoiceStatus  # as stored: one that is open and past its time is overdue (`status_at`)
    totals: Totals
    vat_hundredths: int  # of a percent
    issued_at: datetime
    due_at: datetime
    paid_at: datetime | None = None
    paid_by: str | None = None  # the payment provider
    voided_at: datetime | None = None
    declared: bool = False  # by the file of `tidings apply`

    @property
    def currency(self) -> str:
        return self.totals.total.currency

    def status_at(self, now: datetime) -> InvoiceStatus:
        """No gap between dueAt and the timer that notes it."""
        if self.status is InvoiceStatus.OPEN and self.due_at <= now:
            return InvoiceStatus.OVERDUE
        return self.status


@dataclass(frozen=True, slots=True)
class Overdue:
    """The invoice that pauses an account: what INVOICE_OVERDUE tells (section 7)."""

    number: str
    amount: str  # decimal, two places
    currency: str
