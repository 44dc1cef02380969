"""Partners: their terms, balance, ledger entries and transfers. Pure."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from tidings import money
from tidings.features.accounts.model import PartnerTerms
from tidings.money import Money, Rate

SettledKey = tuple[datetime, UUID, str]  # settled at, account, reference: the order of lists
Span = tuple[datetime | None, datetime | None]  # of a ledger: since, until


class LedgerEntryKind(StrEnum):
    """2.11"""

    TOPUP = "TOPUP"
    TRANSFER_REPORTED = "TRANSFER_REPORTED"
    TRANSFER_CONFIRMED = "TRANSFER_CONFIRMED"
    TRANSFER_REJECTED = "TRANSFER_REJECTED"
    ADJUSTMENT = "ADJUSTMENT"


class TransferStatus(StrEnum):
    REPORTED = "REPORTED"
    CONFIRMED = "CONFIRMED"
    REJECTED = "REJECTED"


@dataclass(frozen=True, slots=True)
class Terms:
    """The parsed terms of the agreement."""

    rate: Rate
    credit_limit: Money
    expires_at: datetime | None

    @property
    def currency(self) -> str:
        return self.rate.currency

    def is_expired(self, now: datetime) -> bool:
        return self.expires_at is not None and now >= self.expires_at


def read_terms(terms: PartnerTerms) -> Terms:
    currency = terms.currency
    return Terms(
        rate=money.parse_rate(terms.rate_per_message, currency),
        credit_limit=money.parse(terms.credit_limit, currency),
        expires_at=terms.expires_at,
    )


@dataclass(frozen=True, slots=True)
class Capacity:
    """Messages bought and used. `expires_at`: the end of the agreement; None: open-ended."""

    total: int = 0
    used: int = 0
    expires_at: datetime | None = None

    @property
    def remaining(self) -> int:
        return self.total - self.used

    @property
    def pct(self) -> int:
        """Percent used, rounded down: 100 means that nothing is left."""
        return 100 * self.used // self.total if self.total else 0

    def is_expired(self, now: datetime) -> bool:
        """`now` is by the clock of the account that sends."""
        return self.expires_at is not None and now >= self.expires_at


@dataclass(frozen=True, slots=True)
class PartnerBalance:
    """A partner's capacity and debt after the last entry of its ledger."""

    capacity: Capacity
    debt: Money  # negative: credit
    carried_micro: int = 0  # rounding remainder carried to the next top-up, in millionths
    entries: int = 0  # number of ledger entries


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """`amount` is the amount shown, `effect` the change of the balance owed."""

    seq: int
    id: UUID
    kind: LedgerEntryKind
    at: datetime
    amount: Money
    effect: Money
    balance_after: Money
    messages: int | None = None
    limit: Money | None = None  # TOPUP: the credit limit at that time
    reference: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Transfer:
    """A payment reported by a partner, and its outcome."""

    reference: str
    amount: Money  # as reported
    transfer_date: date | None
    note: str | None
    reported_at: datetime
    status: TransferStatus = TransferStatus.REPORTED
    received: Money | None = None
    settled_at: datetime | None = None
