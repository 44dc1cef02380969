"""The account: its row, and its declaration. Pure."""

from dataclasses import dataclass, field
from datetime import datetime, time, timedelta
from typing import Any, Literal
from uuid import UUID

from tidings import times

READER_PRECISION_MIN, READER_PRECISION_MAX = 0.9, 0.999  # OPEN
READER_PRECISION_DEFAULT = 0.99
BillingMode = Literal["ENFORCED", "REPORT_ONLY", "OFF"]


@dataclass(frozen=True, slots=True)
class SendWindow:
    """When messages may leave. `closes` before `opens` is a window that crosses midnight."""

    opens: time
    closes: time
    timezone: str


@dataclass(frozen=True, slots=True)
class PartnerTerms:
    """What a partner pays and may owe. Amounts stay decimal strings until `partner` reads them."""

    rate_per_message: str
    credit_limit: str
    currency: str
    expires_at: datetime | None


@dataclass(frozen=True, slots=True)
class Account:
    """One account as every request and job sees it. Satisfies engine.http.endpoint.Caller."""

    id: UUID
    name: str
    environment: str
    replies: str
    active: bool
    paused: bool
    webhook_url: str | None
    requests_per_minute: int
    daily_limit: int | None
    default_template: str | None
    otp_template: str | None
    resend_unknown: bool
    allowlist: frozenset[str] | None  # None: everyone
    send_window: SendWindow | None
    billing_mode: BillingMode
    belongs_to: UUID | None
    partner: PartnerTerms | None
    clock: timedelta  # how far a sandbox account's time runs ahead
    created_at: datetime
    retention_days: int | None = None  # what is known of people is erased after; None: kept
    resend_when_recovered: bool = False  # failed webhooks, once their URL has answered again
    reader_precision: float = READER_PRECISION_DEFAULT  # the share of answers to be right
    second_opinion: bool = False  # texts that stay unclear may go to the reader outside
    keep_readings: bool = False  # what a person settles is kept as a labelled reply
    all_paused: bool = False  # sending is paused for every account (`sending.py`)

    @property
    def is_partner(self) -> bool:
        return self.partner is not None

    @property
    def may_send(self) -> bool:
        """False: everything that waits is held, with the reason SENDING_PAUSED."""
        return self.active and not self.paused and not self.all_paused

    @property
    def is_sandbox(self) -> bool:
        return self.environment == "sandbox"

    def now(self, real: datetime) -> datetime:
        """The account's own time at a real time; the two differ only for sandbox clocks."""
        return real + self.clock if self.clock else real


@dataclass(frozen=True, slots=True, kw_only=True)
class AccountSpec:
    """An account as declared, for `configure`; None means "not given"."""

    name: str
    environment: str
    replies: str = "guest"
    active: bool = True
    paused: bool = False
    webhook_url: str | None = None
    requests_per_minute: int = 600
    daily_limit: int | None = None
    default_template: str | None = None
    otp_template: str | None = None
    resend_unknown: bool = False
    resend_when_recovered: bool = False
    retention_days: int | None = None
    reader_precision: float = READER_PRECISION_DEFAULT
    second_opinion: bool = False
    keep_readings: bool = False
    allowlist: frozenset[str] | None = None
    send_window: SendWindow | None = None
    billing_mode: BillingMode = "ENFORCED"
    organisation: str | None = None  # its handle; for a new account, the account's name
    belongs_to: str | None = None  # a partner account's name
    partner: PartnerTerms | None = None
    declared: dict[str, Any] = field(default_factory=dict)  # sections kept for their features
    api_key: str | None = field(default=None, repr=False)
    signing_secret: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Configured:
    """The result of `configure`. Secrets only if they are new or were given."""

    id: UUID
    name: str
    environment: str
    api_key: str | None = field(repr=False)
    signing_secret: str | None = field(repr=False)
    has_new_key: bool
    has_new_secret: bool


@dataclass(frozen=True, slots=True)
class HandEdit:
    """A setting that was changed by hand after the account file last set it."""

    setting: str
    by: str
    at: datetime

    def __str__(self) -> str:
        return f"changed by {self.by} at {times.to_wire(self.at)}"


@dataclass(frozen=True, slots=True)
class Organisation:
    """A customer: people are its members, accounts belong to it. `handle`: its name in files."""

    id: UUID
    handle: str
    name: str


@dataclass(frozen=True, slots=True)
class IssuedKey:
    """What is stored about an API key. `prefix`: its first characters."""

    id: UUID
    name: str
    prefix: str
    last4: str
    created_at: datetime
    expires_at: datetime | None
    last_used_at: datetime | None
