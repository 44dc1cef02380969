"""What an error code is, the codes that belong to no single slice, and the error itself. Pure.

A slice declares the codes of its own rules as an `ErrorCode` in its `rules.py`. An endpoint names
the codes it may answer with; OpenAPI and the reference collect them from the endpoints.
"""

from enum import Enum, unique


class ErrorCode(Enum):
    """NAME = HTTP status, condition, remedy. The name is the code on the wire."""

    status: int
    condition: str
    remedy: str

    def __init__(self, status: int, condition: str, remedy: str) -> None:
        self.status = status
        self.condition = condition
        self.remedy = remedy


@unique
class Code(ErrorCode):
    """The codes that any endpoint or several slices answer with (section 7)."""

    UNAUTHORIZED = (
        401,
        "the x-api-key header is missing",
        "Send the account's key in the header x-api-key.",
    )
    INVALID_API_KEY = (
        401,
        "the API key is unknown",
        "Check the key for a typing error or a missing part. A rotated key ends when its "
        "overlap is over: use the new one.",
    )
    APP_INACTIVE = (
        403,
        "the account is disabled",
        "Ask the operator to enable the account. What waits is kept meanwhile.",
    )
    RATE_LIMIT_EXCEEDED = (
        429,
        "the account's requests per minute are used up; see Retry-After",
        "Wait as many seconds as Retry-After says, then repeat the request. Many messages cost "
        "one request with POST /messages/bulk.",
    )
    VALIDATION_ERROR = (
        400,
        "a field is missing or invalid",
        "Correct the field that error.field names; the message states its rule.",
    )
    INVALID_PHONE = (
        400,
        "the number is not 8 to 20 digits",
        "Give the number in international form, digits only: 972501234567.",
    )
    FORM_NOT_FOUND = (
        404,
        "the account has no feedback form with this id",
        "Use the id of one of the account's forms; the operator adds them with tidings apply.",
    )
    FORM_NOT_SENDABLE = (
        409,
        "the form is not published (sandbox: not approved)",
        "Approve the form (sandbox), or publish it (live), and send again.",
    )
    ALREADY_SENT = (
        409,
        "the form was already sent to this number",
        "A form goes to a number once. previousSendAt says when it went.",
    )
    DUPLICATE_CLIENT_MESSAGE_ID = (
        409,
        "the clientMessageId is already used for another message of the account",
        "Use a new clientMessageId: this one belongs to a message of another kind, or to "
        "another form or recipient.",
    )
    RECIPIENT_NOT_ALLOWLISTED = (
        403,
        "the recipient is not on the account's allowed list",
        "Add the number to the account's allowlist, or send to one that is on it.",
    )
    BATCH_TOO_LARGE = (
        400,
        "the batch is above the limit",
        "Split the batch: at most 1,000 text and 50 media messages, or 500 numbers to check.",
    )
    FIELD_NOT_ALLOWED_IN_BULK = (
        400,
        "a message's field stands on the batch envelope",
        "Move the field into each item of messages.",
    )
    INVALID_FROM_POLICY = (
        400,
        "fromPolicy is not one of prefer, strict, auto",
        "Use prefer, strict or auto, or leave the field out.",
    )
    SERVICE_WINDOW_CLOSED = (
        400,
        "free text outside the conversation window; use a template",
        "Give templateName, or wait until the guest writes: free text is allowed for 24 hours "
        "after that.",
    )
    MEDIA_TOO_LARGE = (
        400,
        "the media is above 5MB",
        "Make the file smaller than 5MB (5,242,880 bytes before base64).",
    )
    INVALID_MEDIA = (
        400,
        "the media is not jpeg, png or pdf",
        "Send a JPEG, PNG or PDF file as base64; its content is looked at, not its name.",
    )
    MESSAGE_NOT_FOUND = (
        404,
        "there is no message with this id",
        "Check the clientMessageId and that the key is of the account which sent it.",
    )
    TEMPLATE_REQUIRED = (
        400,
        "templateName is required for invitations, as the account has no default template",
        "Give templateName, or set the account's defaultTemplate.",
    )
    INVALID_OTP = (
        400,
        "the code is not 1 to 15 characters, or contains spaces or links",
        "Give a code of 1 to 15 characters without spaces or links.",
    )
    INVALID_URL = (
        400,
        "the URL is not https or its host is not public",
        "Give an https address on a public host name.",
    )
    BUTTON_URL_UNSUPPORTED = (
        400,
        "the template's button is not on the service's domain, so buttonUrl is not accepted",
        "Use a template with a URL button on the service's own domain, or leave buttonUrl out.",
    )
    INVALID_BUTTON_PAYLOAD = (
        400,
        "buttonPayloads must be 1 to 10 strings of 1 to 128 characters",
        "Give 1 to 10 strings of 1 to 128 characters, in the order of the template's buttons.",
    )
    LINK_NOT_FOUND = (
        404,
        "there is no link with this code",
        "Use the code from the answer to POST /links of the same account.",
    )
    INVALID_SENDER = (
        400,
        "the number is not one of the account's",
        "Use one of the numbers that GET /sender/health lists.",
    )
    INVALID_SIGNATURE = (
        403,
        "the signature of the media link is invalid",
        "Use the address exactly as it came in mediaUrl; it cannot be put together by hand.",
    )
    MEDIA_EXPIRED = (
        410,
        "the media expired at the platform (7 days)",
        "Fetch media within 7 days of its receipt; after that it is gone.",
    )
    MEDIA_NOT_FOUND = (
        404,
        "there is no media for this message",
        "Check that the message brought media, and use mediaUrl as it came.",
    )
    META_ERROR = (
        502,
        "the download from the platform failed",
        "Try again in a minute. The message quotes what the platform answered.",
    )
    EVENT_NOT_FOUND = (
        404,
        "there is no event with this id",
        "Register the event with POST /events first, with the same key.",
    )
    EVENT_LOCKED = (
        409,
        "the date cannot change after invitations went out, unless confirmLockedChange is true",
        "Invitations went out already: repeat the request with confirmLockedChange: true to "
        "move the date.",
    )
    NOT_FOUND = (
        404,
        "there is nothing at this address",
        "Check the address, the method and the id; things of other accounts are not found either.",
    )
    NO_ACTIVE_SUBSCRIPTION = (
        402,
        "the account has no active subscription",
        "Add a subscription to the account: the operator's table [accounts.subscription], "
        "applied with tidings apply.",
    )
    SUBSCRIPTION_EXPIRED = (
        402,
        "the subscription has expired",
        "Renew the subscription: a later endsAt, or a new one.",
    )
    QUOTA_EXHAUSTED = (
        402,
        "the unique messages are used up",
        "Wait for the next period, or raise the subscription's unique messages. GET /balance "
        "shows what is left.",
    )
    FOLLOWUP_QUOTA_EXHAUSTED = (
        402,
        "a second message to the same number needs follow-up credit",
        "Wait for the next period, or raise the subscription's follow-up messages.",
    )
    INVOICE_OVERDUE = (
        402,
        "an invoice is overdue; sending is paused until it is paid",
        "Pay the invoice that invoiceNumber names; sending goes on by itself then.",
    )
    USAGE_CREDIT_LIMIT = (
        402,
        "the pay-as-you-go balance has reached its limit",
        "Pay open invoices, or have the credit limit raised.",
    )
    PARTNER_CAPACITY_EXHAUSTED = (
        402,
        "the partner's capacity is used up; request a top-up",
        "The partner adds capacity with POST /partner/topups.",
    )
    PARTNER_CAPACITY_EXPIRED = (
        402,
        "the partner agreement has ended",
        "Renew the partner agreement with the operator.",
    )
    CREDIT_LIMIT_EXCEEDED = (
        402,
        "the top-up exceeds the credit limit",
        "Ask for at most maxTopupMessages, or report a transfer that lowers the debt first.",
    )
    INVALID_QUANTITY = (
        400,
        "messages must be 1 to 10,000,000",
        "Give messages as a whole number from 1 to 10,000,000.",
    )
    REFERENCE_REQUIRED = (
        400,
        "a transfer needs a reference",
        "Give the bank's reference of the transfer.",
    )
    DUPLICATE_REFERENCE = (
        409,
        "the reference was already reported",
        "This transfer is known already; give each transfer a reference of its own.",
    )
    INVALID_AMOUNT = (
        400,
        "the amount is invalid",
        "Give a positive amount with at most two decimals.",
    )
    NOT_A_PARTNER = (
        403,
        "for partner accounts only",
        "Use the key of a partner account.",
    )
    # Not of section 7, but of contract.md (General).
    INTERNAL_ERROR = (
        500,
        "something failed on our side; nothing was half done",
        "Repeat the request with the same clientMessageId; if it stays, tell support the "
        "requestId.",
    )
    SERVICE_UNAVAILABLE = (
        503,
        "the service is too busy or stopping; try again shortly",
        "Wait as many seconds as Retry-After says and repeat the request with the same "
        "clientMessageId.",
    )


class ApiError(Exception):
    """An error response. Any other exception that leaves an endpoint is a bug, and becomes a 500.

    `message` names the field, the rule and the fix; without one the code's condition is sent.
    `extra` are further fields of the error, by their JSON names (`previousSendAt`).
    """

    def __init__(
        self,
        code: ErrorCode,
        message: str = "",
        *,
        field: str | None = None,
        retry_after: int | None = None,
        **extra: object,
    ) -> None:
        self.code = code
        self.message = message or code.condition
        self.field = field  # JSON path, such as messages[3].to
        self.retry_after = retry_after  # seconds, for the header Retry-After
        self.extra = extra
        super().__init__(f"{code.name}: {self.message}")

    def error(self) -> dict[str, object]:
        """The `error` object of 2.1; the envelope adds requestId and docUrl."""
        field = {} if self.field is None else {"field": self.field}
        return {"code": self.code.name, "message": self.message, **field, **self.extra}
