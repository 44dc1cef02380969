"""Every error code of the specification (section 7), in its order. Pure.

Codes exist nowhere else.
"""

from enum import Enum, unique


@unique
class Code(Enum):
    """NAME = HTTP status, condition. The name is the code on the wire."""

    status: int
    condition: str

    UNAUTHORIZED = 401, "the x-api-key header is missing"
    INVALID_API_KEY = 401, "the API key is unknown"
    APP_INACTIVE = 403, "the account is disabled"
    RATE_LIMIT_EXCEEDED = 429, "the account's requests per minute are used up; see Retry-After"
    VALIDATION_ERROR = 400, "a field is missing or invalid"
    INVALID_PHONE = 400, "the number is not 8 to 20 digits"
    FORM_NOT_FOUND = 404, "the account has no feedback form with this id"
    FORM_NOT_SENDABLE = 409, "the form is not published (sandbox: not approved)"
    ALREADY_SENT = 409, "the form was already sent to this number"
    DUPLICATE_CLIENT_MESSAGE_ID = (
        409,
        "the clientMessageId is already used for another message of the account",
    )
    RECIPIENT_NOT_ALLOWLISTED = 403, "the recipient is not on the account's allowed list"
    BATCH_TOO_LARGE = 400, "the batch is above the limit"
    FIELD_NOT_ALLOWED_IN_BULK = 400, "a message's field stands on the batch envelope"
    INVALID_FROM_POLICY = 400, "fromPolicy is not one of prefer, strict, auto"
    SERVICE_WINDOW_CLOSED = 400, "free text outside the conversation window; use a template"
    MEDIA_TOO_LARGE = 400, "the media is above 5MB"
    INVALID_MEDIA = 400, "the media is not jpeg, png or pdf"
    MESSAGE_NOT_FOUND = 404, "there is no message with this id"
    TEMPLATE_REQUIRED = (
        400,
        "templateName is required for invitations, as the account has no default template",
    )
    INVALID_OTP = 400, "the code is not 1 to 15 characters, or contains spaces or links"
    INVALID_URL = 400, "the URL is not https or its host is not public"
    BUTTON_URL_UNSUPPORTED = (
        400,
        "the template's button is not on the service's domain, so buttonUrl is not accepted",
    )
    INVALID_BUTTON_PAYLOAD = 400, "buttonPayloads must be 1 to 10 strings of 1 to 128 characters"
    LINK_NOT_FOUND = 404, "there is no link with this code"
    INVALID_SENDER = 400, "the number is not one of the account's"
    INVALID_SIGNATURE = 403, "the signature of the media link is invalid"
    MEDIA_EXPIRED = 410, "the media expired at the platform (7 days)"
    MEDIA_NOT_FOUND = 404, "there is no media for this message"
    META_ERROR = 502, "the download from the platform failed"
    EVENT_NOT_FOUND = 404, "there is no event with this id"
    EVENT_LOCKED = (
        409,
        "the date cannot change after invitations went out, unless confirmLockedChange is true",
    )
    NOT_FOUND = 404, "there is nothing at this address"
    NO_ACTIVE_SUBSCRIPTION = 402, "the account has no active subscription"
    SUBSCRIPTION_EXPIRED = 402, "the subscription has expired"
    QUOTA_EXHAUSTED = 402, "the unique messages are used up"
    FOLLOWUP_QUOTA_EXHAUSTED = 402, "a second message to the same number needs follow-up credit"
    INVOICE_OVERDUE = 402, "an invoice is overdue; sending is paused until it is paid"
    USAGE_CREDIT_LIMIT = 402, "the pay-as-you-go balance has reached its limit"
    PARTNER_CAPACITY_EXHAUSTED = 402, "the partner's capacity is used up; request a top-up"
    PARTNER_CAPACITY_EXPIRED = 402, "the partner agreement has ended"
    CREDIT_LIMIT_EXCEEDED = 402, "the top-up exceeds the credit limit"
    INVALID_QUANTITY = 400, "messages must be 1 to 10,000,000"
    REFERENCE_REQUIRED = 400, "a transfer needs a reference"
    DUPLICATE_REFERENCE = 409, "the reference was already reported"
    INVALID_AMOUNT = 400, "the amount is invalid"
    NOT_A_PARTNER = 403, "for partner accounts only"

    # Where section 7 has none (contract.md, General).
    INTERNAL_ERROR = 500, "something failed on our side; nothing was half done"
    SERVICE_UNAVAILABLE = 503, "the service is too busy or stopping; try again shortly"

    def __init__(self, status: int, condition: str) -> None:
        self.status = status
        self.condition = condition


SPEC_CODES = frozenset(Code) - {Code.INTERNAL_ERROR, Code.SERVICE_UNAVAILABLE}


class ApiError(Exception):
    """A refusal the caller is told about. Anything else that escapes is a bug, and a 500.

    `message` names the field, the rule and the fix; without one the code's condition stands.
    `extra` are further fields of the error, by their wire names (`previousSendAt`).
    """

    def __init__(
        self,
        code: Code,
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
        """The `error` object of 2.1; the HTTP shell adds requestId and docUrl."""
        field = {} if self.field is None else {"field": self.field}
        return {"code": self.code.name, "message": self.message, **field, **self.extra}
