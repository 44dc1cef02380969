"""The format of the file that `tidings apply` reads (contract.md, "Running it"). Pure.

One struct is one table of the file; its fields are the contract's, in its order and with its
defaults. What one field alone cannot tell is checked in rules.py and template_rules.py.
"""

from decimal import Decimal
from typing import Annotated, Literal

import msgspec

from tidings import limits

from .values import (
    Amount,
    ApiKey,
    Count,
    Currency,
    Hour,
    Id,
    Label,
    Name,
    Percent,
    Phone,
    Positive,
    Prose,
    Rate,
    SigningSecret,
    Timestamp,
    Token,
    Url,
    Zone,
    text,
    whole,
)

CURRENCY_DEFAULT = "ILS"
Language = Annotated[str, text(1, 16)]
FormText = Annotated[str, text(1, limits.FORM_TEXT_CHARS_MAX)]
FormButton = Annotated[str, text(1, limits.FORM_BUTTON_CHARS_MAX)]


class Table(msgspec.Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    """Base of every table in the file; holds nothing."""


class Window(Table, frozen=True, kw_only=True, rename={"from_": "from"}):
    from_: Hour
    to: Hour
    timezone: Zone


class Partner(Table, frozen=True, kw_only=True):
    rate_per_message: Rate
    credit_limit: Amount
    currency: Currency = CURRENCY_DEFAULT
    expires_at: Timestamp | None = None


class Subscription(Table, frozen=True, kw_only=True):
    package: Label
    billing_type: Literal["PACKAGE", "MONTHLY", "USAGE"]
    unique: Count = 0
    followup: Count = 0
    starts_at: Timestamp | None = None
    ends_at: Timestamp | None = None
    currency: Currency = CURRENCY_DEFAULT
    vat_pct: Percent = Decimal(0)
    price_per_unique: Rate | None = None
    price_per_followup: Rate | None = None
    monthly_price: Amount | None = None
    credit_limit: Amount | None = None


class Number(Table, frozen=True, kw_only=True):
    number: Phone
    display_name: Annotated[str, text(0, 200)] = ""
    phone_number_id: Id | None = None
    waba_id: Id | None = None
    portfolio_id: Id | None = None
    access_token: Token | None = None
    per_second: Annotated[int, whole(1, 1000)] = 80
    daily_limit: Count | None = None


class Button(Table, frozen=True, kw_only=True):
    type: Literal["QUICK_REPLY", "URL", "PHONE_NUMBER", "FLOW"]
    text: Annotated[str, text(1, 25)]
    url: Annotated[str, text(1, 2000)] | None = None
    phone: Annotated[str, text(1, 21)] | None = None


class TemplateEntry(Table, frozen=True, kw_only=True):
    name: Annotated[str, text(*limits.TEMPLATE_NAME_CHARS)]
    language: Annotated[str, text(1, 20)] = "en"
    category: Literal["UTILITY", "MARKETING", "AUTHENTICATION"] = "UTILITY"
    status: Literal[
        "APPROVED", "PENDING", "REJECTED", "PAUSED", "DISABLED", "IN_APPEAL", "FLAGGED",
        "LIMIT_EXCEEDED", "ARCHIVED", "PENDING_DELETION", "DELETED", "LOCKED",
    ] = "APPROVED"  # fmt: skip
    header: Literal["TEXT", "IMAGE", "DOCUMENT"] | None = None
    header_text: Annotated[str, text(1, 60)] | None = None
    body: Annotated[str, text(1, 1024)] | None = None
    footer: Annotated[str, text(0, 60)] = ""
    buttons: list[Button] = []


class Question(Table, frozen=True, kw_only=True):
    id: Id
    type: Literal["rating", "single", "multi", "comment"]
    text: Prose
    options: list[Label] | None = None
    required: bool | None = None


class Form(Table, frozen=True, kw_only=True):
    id: Id
    title: Label
    published: bool = False
    approved: bool = False
    language: Language = "en"
    text: FormText | None = None
    button: FormButton | None = None
    questions: list[Question]


class Line(Table, frozen=True, kw_only=True):
    description: Label
    quantity: Positive
    unit_price: Rate


class Invoice(Table, frozen=True, kw_only=True):
    number: Id
    kind: Id
    lines: list[Line]
    issued_at: Timestamp
    due_at: Timestamp
    status: Literal["OPEN", "OVERDUE", "PAID", "VOID"] = "OPEN"


class AccountEntry(Table, frozen=True, kw_only=True):
    name: Name
    environment: Literal["sandbox", "live"]
    replies: Literal["guest", "raw"] = "guest"
    active: bool = True
    api_key: ApiKey | None = None
    signing_secret: SigningSecret | None = None
    webhook_url: Url | None = None
    requests_per_minute: Positive = limits.REQUESTS_PER_MINUTE_DEFAULT
    daily_limit: Count | None = None
    default_template: Annotated[str, text(*limits.TEMPLATE_NAME_CHARS)] | None = None
    otp_template: Annotated[str, text(*limits.TEMPLATE_NAME_CHARS)] | None = None
    resend_unknown: bool = False
    resend_when_recovered: bool = False
    allowlist: list[Phone] | None = None
    send_window: Window | None = None
    paused: bool = False
    billing_mode: Literal["ENFORCED", "REPORT_ONLY", "OFF"] = "ENFORCED"
    partner: Partner | None = None
    belongs_to: Name | None = None
    subscription: Subscription | None = None
    numbers: list[Number] = []
    templates: list[TemplateEntry] = []
    forms: list[Form] = []
    invoices: list[Invoice] = []
