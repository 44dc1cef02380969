"""Partners: what they agreed to, where they stand, and the entries of their ledger. Pure."""

from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from uuid import UUID

from tidings import money
from tidings.features.accounts.model import PartnerTerms
from tidings.money import Money, Rate


class Kind(StrEnum):
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
    """The agreement, its amounts read."""

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
    """Messages bought and used. `expires_at` is when the agreement ends, None: it does not."""

    total: int = 0
    used: int = 0
    expires_at: datetime | None = None

    @property
    def remaining(self) -> int:
        return self.total - self.used

    @property
    def pct(self) -> int:
        """Percent used, never rounded up: 100 means that nothing is left."""
        return 100 * self.used // self.total if self.total else 0

    def is_expired(self, now: datetime) -> bool:
        """`now` is the time of the account that asks."""
        return self.expires_at is not None and now >= self.expires_at


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a partner stands after the last entry of its ledger."""

    capacity: Capacity
    debt: Money  # below zero: credit
    carried_micro: int = 0  # what rounding has left to the next top-up, in millionths
    entries: int = 0  # in the ledger so far


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the ledger. `amount` is as shown, `effect` what it does to the balance owed."""

    seq: int
    id: UUID
    kind: Kind
    at: datetime
    amount: Money
    effect: Money
    balance_after: Money
    messages: int | None = None
    limit: Money | None = None  # of a top-up: the credit limit that it kept to
    reference: str | None = None
    note: str | None = None


@dataclass(frozen=True, slots=True)
class Transfer:
    """A payment that a partner says it made, and what became of it."""

    reference: str
    amount: Money  # as reported
    transfer_date: date | None
    note: str | None
    reported_at: datetime
    status: TransferStatus = TransferStatus.REPORTED
    received: Money | None = None
    settled_at: datetime | None = None
