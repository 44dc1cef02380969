"""What a platform error code means for us and for the customer (contract.md, Sending). Pure.

The texts are in `failure_table.py`; this module looks them up and computes retry delays.
"""

from dataclasses import replace
from datetime import timedelta

from tidings import limits
from tidings.platforms.failure_table import (
    NUMBER_MISSING,
    NUMBER_MISSING_SUBCODE,
    REFUSALS,
    TABLE,
    UNKNOWN_ERROR,
    Row,
)
from tidings.platforms.port import Failure, FailureKind

INVALID_PARAMETER = 100
SERVER_ERRORS = 500  # HTTP status, and above
DETAILS_CHARS_MAX = 300
RETRY_AFTER_MAX = timedelta(days=1)

UNKNOWN_OUTCOME = Failure(
    "UNKNOWN_OUTCOME",
    None,
    FailureKind.REFUSED,
    "The platform was called, and neither a response nor a status arrived.",
    "The message may have arrived: ask the recipient before sending it again.",
)
RECIPIENT_OPTED_OUT = Failure(
    "RECIPIENT_OPTED_OUT",
    None,
    FailureKind.RECIPIENT,
    "The recipient asked to stop this account's messages, so the message was not sent.",
    "Send no more to this number until its owner asks for messages again.",
)
NOT_SENDABLE = Failure(
    "NOT_SENDABLE",
    None,
    FailureKind.REFUSED,
    "This message repeatedly crashed our workers; it was not sent.",
    "Change the message, send it again, and report its clientMessageId to us.",
)
WINDOW_CLOSED = Failure(
    "SERVICE_WINDOW_CLOSED",
    None,
    FailureKind.REFUSED,
    "When the message was due, the recipient had not written in the last 24 hours.",
    "Give a templateName as well; templates may be sent outside the conversation window.",
)
PLATFORM_UNREACHABLE = Failure(
    "PLATFORM_UNREACHABLE",
    None,
    FailureKind.UNAVAILABLE,
    "No connection to the platform could be made.",
    "Nothing to do: the message is retried automatically.",
)
OVERLOADED = Failure(
    "OVERLOADED",
    None,
    FailureKind.UNAVAILABLE,
    "The message could not be sent to the platform in time, so it was not sent.",
    "Nothing to do: the message is retried automatically.",
)
FILE_UNAVAILABLE = Failure(
    "FILE_UNAVAILABLE",
    None,
    FailureKind.UNAVAILABLE,
    "The message's file could not be read from storage.",
    "Nothing to do: the message is retried automatically.",
)
FILE_MISSING = Failure(
    "FILE_MISSING",
    None,
    FailureKind.REFUSED,
    "The message's file is no longer in storage.",
    "Upload the file again, then send a new message.",
)
UNDELIVERED = Failure(
    "UNDELIVERED",
    None,
    FailureKind.RECIPIENT,
    "The message was not delivered in time.",
    "Check that the number is in use, or reach the person another way.",
)

_DEFERRAL_REASONS = {
    FailureKind.NUMBER_LIMIT: "NUMBER_LIMIT",
    FailureKind.ACCOUNT_LIMIT: "ACCOUNT_LIMIT",
    FailureKind.UNAVAILABLE: "PLATFORM_UNAVAILABLE",
    FailureKind.ACCOUNT_FAULT: "NUMBER_UNHEALTHY",
}


def _seconds(*waits: float) -> tuple[timedelta, ...]:
    return tuple(timedelta(seconds=wait) for wait in waits)


_MINUTE, _HOUR = 60, 3600

# The delay after the first attempt, the second, ...; the last one applies to all later attempts.
_WAITS_BY_CODE: dict[int, tuple[timedelta, ...]] = {
    130429: _seconds(4, 16, 64, 256, 300),  # the platform's own advice: 4^n seconds
    131048: _seconds(
        _HOUR, 2 * _HOUR, 4 * _HOUR, 6 * _HOUR
    ),  # a number reported as spam recovers in hours
    131056: _seconds(*range(6, 121, 6)),  # one message in six seconds to the same person
    131057: _seconds(_MINUTE),  # maintenance takes about a minute
    131064: _seconds(_HOUR),  # lasts days; an hourly attempt costs nothing
    132069: _seconds(_HOUR),  # ten forms an hour
    133016: _seconds(6 * _HOUR),  # lasts three days
    80007: _seconds(5 * _MINUTE, 15 * _MINUTE, _HOUR),  # an hourly rate limit
}
_WAITS_BY_KIND: dict[FailureKind, tuple[timedelta, ...]] = {
    FailureKind.NUMBER_LIMIT: _WAITS_BY_CODE[130429],
    FailureKind.ACCOUNT_LIMIT: _seconds(_MINUTE, 5 * _MINUTE, 15 * _MINUTE, _HOUR),
    FailureKind.UNAVAILABLE: _seconds(5, 15, _MINUTE, 5 * _MINUTE, 15 * _MINUTE),
}

_TO_MINIMUM = limits.RATE_HALVINGS_MAX
_SLOWDOWNS = {130429: 1, 4: 1, 80007: 1, 131048: _TO_MINIMUM, 131064: _TO_MINIMUM}


def explain(
    code: int, *, subcode: int | None = None, status: int | None = None, details: str = ""
) -> Failure:
    """What a platform error means. `details` is the platform's text, appended to ours.

    Omit `details` for a passcode: the platform may quote the message. The HTTP `status` matters
    only for unknown codes: from 500 on, the platform is unavailable.
    """
    failure = _find(code, subcode) or _unknown(code, status)
    platform_text = " ".join(details.split())[:DETAILS_CHARS_MAX]
    if not platform_text:
        return failure
    return replace(failure, explanation=f"{failure.explanation} The platform says: {platform_text}")


def deferral_reason(kind: FailureKind) -> str | None:
    """The reason in `message.deferred` for a retryable failure; None for a final one."""
    return _DEFERRAL_REASONS.get(kind)


def wait_before_retry(
    failure: Failure, attempt: int, retry_after: timedelta | None = None
) -> timedelta | None:
    """The delay after attempt number `attempt`, at least `retry_after`.

    None if there is no schedule: an account fault lasts until a person fixes it (the caller probes
    periodically), and a final failure is never retried. The caller adds jitter and rate limits.
    """
    waits = _WAITS_BY_CODE.get(failure.platform_code or 0) or _WAITS_BY_KIND.get(failure.kind)
    if waits is None:
        return None
    wait = waits[min(max(attempt, 1), len(waits)) - 1]
    return max(wait, min(retry_after or wait, RETRY_AFTER_MAX))


def slowdown(failure: Failure) -> int:
    """How many times to halve the sending number's rate; 0 if the rate is not the cause."""
    return _SLOWDOWNS.get(failure.platform_code or 0, 0)


def known_code(failure: Failure) -> str:
    """The platform's code if the table has it, else empty: the labels of metrics are bounded."""
    return str(failure.platform_code) if failure.platform_code in _KNOWN else ""


def account_faults() -> list[Failure]:
    """What somebody must correct at the platform. It has a hundred codes for a missing permission,
    from 200 on: the first of them stands for all."""
    faults = (one for one in _KNOWN.values() if one.kind is FailureKind.ACCOUNT_FAULT)
    return [_NUMBER_MISSING, *(one for one in faults if one.platform_code not in range(201, 300))]


def affects_number(failure: Failure) -> bool:
    """Whether it stops or slows all messages of the number, not only this one."""
    return failure.kind is FailureKind.ACCOUNT_FAULT or slowdown(failure) > 0


def _failure(code: int, kind: FailureKind, row: Row) -> Failure:
    word, explanation, action = row
    return Failure(word, code, kind, explanation, action)


_NUMBER_MISSING = _failure(INVALID_PARAMETER, FailureKind.ACCOUNT_FAULT, NUMBER_MISSING)
_KNOWN = {
    code: _failure(code, kind, row) for kind, rows in TABLE.items() for code, row in rows.items()
}


def _find(code: int, subcode: int | None) -> Failure | None:
    if code == INVALID_PARAMETER and subcode is not None:
        if subcode == NUMBER_MISSING_SUBCODE:
            return _NUMBER_MISSING
        if subcode in REFUSALS:
            return replace(_KNOWN[subcode], platform_code=code)
    return _KNOWN.get(code)


def _unknown(code: int, status: int | None) -> Failure:
    if status is not None and status >= SERVER_ERRORS:
        return _failure(code, FailureKind.UNAVAILABLE, UNKNOWN_ERROR)
    return Failure(
        "PLATFORM_ERROR",
        code,
        FailureKind.REFUSED,
        f"The platform refused the message with its code {code}.",
        "Look the code up in the platform's documentation, correct the message and send it again.",
    )
