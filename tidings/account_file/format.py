"""The format of the account file (contract.md, "Running it"). Pure.

One struct is one table of the file; its fields are the contract's, in its order and with its
defaults. The JSON Schema and docs/account-file.md are generated from these declarations. Rules over
several fields are in `rules.py` and `template_rules.py`.
"""

from decimal import Decimal
from typing import Annotated, Literal

from msgspec import field

from tidings import limits
from tidings.features.accounts.model import READER_PRECISION_DEFAULT

from .declare import Table, doc
from .values import (
    Amount,
    ApiKey,
    Count,
    Currency,
    Id,
    Label,
    Name,
    Percent,
    Phone,
    Positive,
    Price,
    Prose,
    ReaderPrecision,
    RetentionDays,
    SigningSecret,
    TimeOfDay,
    Timestamp,
    Token,
    Url,
    Zone,
    text,
    whole,
)

CURRENCY_DEFAULT = "ILS"
TemplateName = Annotated[str, text(*limits.TEMPLATE_NAME_CHARS)]
FormText = Annotated[str, text(1, limits.FORM_TEXT_CHARS_MAX)]
FormButton = Annotated[str, text(1, limits.FORM_BUTTON_CHARS_MAX)]


class Window(Table, frozen=True, kw_only=True, rename={"from_": "from"}):
    """The time of day in which messages are sent; it may cross midnight."""

    from_: Annotated[TimeOfDay, doc("Sending starts.")]
    to: Annotated[TimeOfDay, doc("Sending stops; not the same as `from`.")]
    timezone: Annotated[Zone, doc("Of both times.")]


class Partner(Table, frozen=True, kw_only=True):
    """Makes the account a partner: it buys capacity on credit and shares it with its accounts."""

    rate_per_message: Annotated[Price, doc("The price of one message of capacity.")]
    credit_limit: Annotated[Amount, doc("How much the partner may owe.")]
    currency: Annotated[Currency, doc("Cannot change once something was booked.")] = (
        CURRENCY_DEFAULT
    )
    expires_at: Annotated[Timestamp | None, doc("The agreement ends. Absent: never.")] = None


class Subscription(Table, frozen=True, kw_only=True):
    """What the account has paid for. An empty table removes the subscription."""

    package: Annotated[Label, doc("Its name, as statements show it.")]
    billing_type: Annotated[
        Literal["PACKAGE", "MONTHLY", "USAGE"],
        doc("A prepaid quota, a quota for each month, or a price for each message."),
    ]
    unique: Annotated[Count, doc("Quota of unique recipients.")] = 0
    followup: Annotated[Count, doc("Quota of follow-up messages.")] = 0
    starts_at: Annotated[Timestamp | None, doc("Absent: now.")] = None
    ends_at: Annotated[Timestamp | None, doc("After `startsAt`. Absent: never.")] = None
    currency: Annotated[Currency, doc("Of all prices and amounts here.")] = CURRENCY_DEFAULT
    vat_pct: Annotated[Percent, doc("VAT on invoices.")] = Decimal(0)
    price_per_unique: Annotated[Price | None, doc("The price of a unique recipient.")] = None
    price_per_followup: Annotated[Price | None, doc("The price of a follow-up message.")] = None
    monthly_price: Annotated[Amount | None, doc("The price of a month.")] = None
    credit_limit: Annotated[Amount | None, doc("How much the account may owe.")] = None


class Number(Table, frozen=True, kw_only=True):
    """A number that messages are sent from. The first numbers are preferred."""

    number: Annotated[Phone, doc("The number itself, unique within the account.")]
    display_name: Annotated[str, text(0, 200), doc("The name that recipients see.")] = ""
    phone_number_id: Annotated[
        Id | None, doc("The platform's id of the number. Required for a live account.")
    ] = None
    waba_id: Annotated[
        Id | None, doc("The platform's business account. Required for a live account.")
    ] = None
    portfolio_id: Annotated[
        Id | None,
        doc("Numbers of one portfolio share their daily limit. Absent: as the platform says."),
    ] = None
    access_token: Annotated[
        Token | None, doc("The platform's access token. Required for a live account.")
    ] = None
    per_second: Annotated[int, whole(1, 1000), doc("Messages a second, at most.")] = 80
    daily_limit: Annotated[
        Count | None,
        doc("New recipients in 24 hours, at most; the platform's own limit holds where lower."),
    ] = None


class Button(Table, frozen=True, kw_only=True):
    """A button of a template: at most 10, of them 2 URL, 1 PHONE_NUMBER and 1 FLOW."""

    type: Annotated[
        Literal["QUICK_REPLY", "URL", "PHONE_NUMBER", "FLOW"], doc("What pressing it does.")
    ]
    text: Annotated[str, text(1, 25), doc("Its label.")]
    url: Annotated[
        Annotated[str, text(1, 2000)] | None,
        doc("Required for a URL button; it may end in the variable `{{1}}`."),
    ] = None
    phone: Annotated[Annotated[str, text(1, 21)] | None, doc("For a PHONE_NUMBER button only.")] = (
        None
    )


class TemplateEntry(Table, frozen=True, kw_only=True):
    """A message template of a sandbox account. Live accounts read theirs from the platform."""

    name: Annotated[TemplateName, doc("Unique together with the language.")]
    language: Annotated[str, text(1, 20), doc("A language code of the platform.")] = "en"
    category: Annotated[
        Literal["UTILITY", "MARKETING", "AUTHENTICATION"],
        doc("An AUTHENTICATION template carries passcodes and adds its copy-code button itself."),
    ] = "UTILITY"
    status: Annotated[
        Literal[
            "APPROVED", "PENDING", "REJECTED", "PAUSED", "DISABLED", "IN_APPEAL", "FLAGGED",
            "LIMIT_EXCEEDED", "ARCHIVED", "PENDING_DELETION", "DELETED", "LOCKED",
        ],
        doc("The platform's review status. Sends with any other than APPROVED fail."),
    ] = "APPROVED"  # fmt: skip
    header: Annotated[Literal["TEXT", "IMAGE", "DOCUMENT"] | None, doc("Shown above the body.")] = (
        None
    )
    header_text: Annotated[
        Annotated[str, text(1, 60)] | None, doc("Required with a TEXT header; at most 1 variable.")
    ] = None
    body: Annotated[
        Annotated[str, text(1, 1024)] | None,
        doc("Variables are `{{1}}`, `{{2}}` … Required unless the category is AUTHENTICATION."),
    ] = None
    footer: Annotated[str, text(0, 60), doc("Small text below the body.")] = ""
    buttons: Annotated[list[Button], doc("In the order shown.")] = field(default_factory=list)


class Question(Table, frozen=True, kw_only=True):
    """A question of a form."""

    id: Annotated[Id, doc("Identifies the answer, unique within the form.")]
    type: Annotated[
        Literal["rating", "single", "multi", "comment"],
        doc("1 to 5 stars, one of the options, several of them, or free text."),
    ]
    text: Annotated[Prose, doc("The question.")]
    options: Annotated[
        list[Label] | None, doc("Required for `single` and `multi`, not allowed for others.")
    ] = None
    required: Annotated[
        bool | None, doc("Absent: `rating` and `single` questions must be answered.")
    ] = None


class Form(Table, frozen=True, kw_only=True):
    """A feedback form (docs/feedback.md). A changed form becomes a new version."""

    id: Annotated[Id, doc("Identifies the form, unique within the account; without `@`.")]
    title: Annotated[Label, doc("Shown above the questions.")]
    published: Annotated[bool, doc("Submits the version for sending.")] = False
    approved: Annotated[bool, doc("Approves the version.")] = False
    language: Annotated[str, text(1, 16), doc("A template language.")] = "en"
    text: Annotated[
        FormText | None, doc("The message that carries the form. Absent: the title.")
    ] = None
    button: Annotated[
        FormButton | None,
        doc('Opens the form. Absent: "Give feedback", in the form\'s language.'),
    ] = None
    questions: Annotated[list[Question], doc("1 to 20.")]


class InvoiceLine(Table, frozen=True, kw_only=True):
    """A line of an invoice."""

    description: Annotated[Label, doc("What was sold.")]
    quantity: Annotated[Positive, doc("How many.")]
    unit_price: Annotated[Price, doc("The price of one, without VAT.")]


class Invoice(Table, frozen=True, kw_only=True):
    """An invoice. Invoices are added and amended, never removed."""

    number: Annotated[Id, doc("Identifies the invoice, unique within the account.")]
    kind: Annotated[Id, doc("Such as PACKAGE, MONTHLY or USAGE.")]
    lines: Annotated[list[InvoiceLine], doc("At least one.")]
    issued_at: Annotated[Timestamp, doc("Its date.")]
    due_at: Annotated[Timestamp, doc("From then on, sending is refused until it is paid.")]
    status: Annotated[Literal["OPEN", "OVERDUE", "PAID", "VOID"], doc("Its state.")] = "OPEN"


class AccountEntry(Table, frozen=True, kw_only=True):
    """An account: a customer with its own keys, numbers and limits."""

    name: Annotated[Name, doc("Identifies the account: the entry applies to the one of this name.")]
    environment: Annotated[
        Literal["sandbox", "live"],
        doc("`sandbox` simulates the platform, `live` sends. It cannot be changed."),
    ]
    organisation: Annotated[
        Name | None,
        doc("Whose people see the account in the portal. Absent: one of the account's own name."),
    ] = None
    replies: Annotated[
        Literal["guest", "raw"],
        doc("`guest` interprets replies to invitations, `raw` reports them verbatim."),
    ] = "guest"
    active: Annotated[bool, doc("`false` refuses the account's requests.")] = True
    api_key: Annotated[
        ApiKey | None,
        doc("A fixed key, for tests. Absent: one is generated. Another one is a rotation."),
    ] = None
    signing_secret: Annotated[
        SigningSecret | None,
        doc("A fixed secret, for tests. Absent: one is generated. Another one is a rotation."),
    ] = None
    webhook_url: Annotated[Url | None, doc("Where events are posted: https, on a public host.")] = (
        None
    )
    requests_per_minute: Annotated[Positive, doc("The rate limit of API requests.")] = (
        limits.REQUESTS_PER_MINUTE_DEFAULT
    )
    daily_limit: Annotated[
        Count | None, doc("Messages in 24 hours, at most. Absent: no limit.")
    ] = None
    default_template: Annotated[
        TemplateName | None, doc("The template of invitations that name none.")
    ] = None
    otp_template: Annotated[
        TemplateName | None,
        doc("The template of passcodes. Absent: the only approved AUTHENTICATION template."),
    ] = None
    resend_unknown: Annotated[
        bool, doc("Resend messages whose outcome is unknown, although they may arrive twice.")
    ] = False
    resend_when_recovered: Annotated[
        bool, doc("Retry failed events when the webhook endpoint answers again.")
    ] = False
    retention_days: Annotated[
        RetentionDays | None,
        doc(
            "Texts, numbers and files of people are erased after so many days."
            " Absent: texts as long as the installation keeps them, the rest as long as messages."
        ),
    ] = None
    reader_precision: Annotated[
        ReaderPrecision,
        doc("How many of the answers read from replies have to be right; the others are asked."),
    ] = READER_PRECISION_DEFAULT
    second_opinion: Annotated[
        bool,
        doc("Show replies that stay unclear to the reader outside that the operator has set."),
    ] = False
    keep_readings: Annotated[
        bool, doc("Keep the replies that people settle, with their answer, for export.")
    ] = False
    allowlist: Annotated[
        list[Phone] | None, doc("Only these numbers are sent to. Absent: everyone.")
    ] = None
    send_window: Annotated[
        Window | None, doc("Messages outside of it are deferred. Absent: always open.")
    ] = None
    paused: Annotated[bool, doc("`true` defers sending.")] = False
    billing_mode: Annotated[
        Literal["ENFORCED", "REPORT_ONLY", "OFF"],
        doc("`REPORT_ONLY` counts and never blocks, `OFF` does not count."),
    ] = "ENFORCED"
    partner: Annotated[Partner | None, doc("Makes the account a partner.")] = None
    belongs_to: Annotated[
        Name | None, doc("The partner whose capacity is used, of the same environment.")
    ] = None
    subscription: Annotated[Subscription | None, doc("What the account has paid for.")] = None
    numbers: Annotated[list[Number], doc("In order of preference.")] = field(default_factory=list)
    templates: Annotated[list[TemplateEntry], doc("Of a sandbox account.")] = field(
        default_factory=list
    )
    forms: Annotated[list[Form], doc("Feedback forms.")] = field(default_factory=list)
    invoices: Annotated[list[Invoice], doc("Added and amended, never removed.")] = field(
        default_factory=list
    )
