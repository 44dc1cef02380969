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
    BATCH_TOO_LARGE = (
        400,
        "the batch is above the limit",
        "Split the batch: at most 1,000 text and 50 media messages, or 500 numbers to check.",
    )
    INVALID_URL = (
        400,
        "the URL is not https or its host is not public",
        "Give an https address on a public host name.",
    )
    INVALID_SIGNATURE = (
        403,
        "the signature of the media link is invalid",
        "Use the address exactly as it came in mediaUrl; it cannot be put together by hand.",
    )
    NOT_FOUND = (
        404,
        "there is nothing at this address",
        "Check the address, the method and the id; things of other accounts are not found either.",
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
