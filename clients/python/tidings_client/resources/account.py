# mypy: disable-error-code="empty-body"
"""The account: readiness, limits and money. Methods are declarations (endpoint.py)."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Literal

from ..endpoint import Arguments, M, Resource, lists, posts, reads
from ..generated.models import (
    Balance,
    Capacities,
    ChargeShape,
    Health,
    Invoice,
    InvoiceWithLines,
    LedgerEntry,
    PartnerAccount,
    Readiness,
    ReportedTransfer,
    SenderHealth,
    Topup,
    UsageReport,
)

Day = date | str


def _as_csv(given: Arguments) -> Arguments:
    return {**given, "format": "csv"}


class Account(Resource[M]):
    """Methods of the client itself."""

    @reads("/api/v1/health", has_key=False, has_bare_result=True)
    def health(self) -> Health:
        """Check that the service is up."""

    @reads("/api/v1/readiness")
    def readiness(self) -> Readiness:
        """Check whether an invitation could be sent now, and what is missing."""

    @reads("/api/v1/limits")
    def limits(self) -> Capacities:
        """Get today's capacity of the account's numbers."""

    @reads("/api/v1/sender/health")
    def sender_health(self) -> SenderHealth:
        """Get the quality and status of the account's numbers."""

    @reads("/api/v1/balance")
    def balance(self) -> Balance:
        """Get what is left of the subscription, and open invoices."""

    @reads("/api/v1/usage")
    def usage(
        self,
        *,
        from_: Day | None = None,
        to: Day | None = None,
        group_by: Literal["day", "month"] | None = None,
    ) -> UsageReport:
        """Get messages and cost by day or month, and a forecast."""


class Invoices(Resource[M]):
    """`client.invoices`"""

    @lists("/api/v1/invoices")
    def list(
        self,
        *,
        status: Literal["OPEN", "OVERDUE", "PAID", "VOID"] | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterable[Invoice]:
        """List invoices, newest first."""

    @reads("/api/v1/invoices/{number}")
    def get(self, number: str) -> InvoiceWithLines:
        """Get an invoice with its lines."""

    @reads("/api/v1/invoices/{number}/pdf")
    def pdf(self, number: str) -> bytes:
        """Download an invoice as PDF."""


class Charges(Resource[M]):
    """`client.charges`"""

    @lists("/api/v1/charges")
    def list(
        self,
        *,
        from_: Day | None = None,
        to: Day | None = None,
        limit: int | None = None,
        cursor: str | None = None,
    ) -> Iterable[ChargeShape]:
        """List what each message cost, newest first."""

    @reads("/api/v1/charges", prepare=_as_csv)
    def csv(self, *, from_: Day | None = None, to: Day | None = None) -> bytes:
        """Download the whole statement as CSV."""


class Partner(Resource[M]):
    """`client.partner`: with the key of a partner account."""

    @reads("/api/v1/partner/account")
    def account(self) -> PartnerAccount:
        """Get capacity, debt and credit."""

    @posts("/api/v1/partner/topups")
    def top_up(self, *, messages: int) -> Topup:
        """Add capacity, within the credit limit."""

    @posts("/api/v1/partner/transfers")
    def report_transfer(
        self,
        *,
        amount: int | float | Decimal,
        reference: str,
        transfer_date: Day | None = None,
        note: str | None = None,
    ) -> ReportedTransfer:
        """Report a transfer; it counts once its receipt is confirmed."""

    @lists("/api/v1/partner/ledger")
    def ledger(
        self, *, limit: int | None = None, cursor: str | None = None
    ) -> Iterable[LedgerEntry]:
        """List the ledger, each entry with the balance owed after it."""
