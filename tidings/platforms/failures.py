"""From a platform's error code to what it asks of us and of the customer (contract.md, Sending).

Pure. The texts are in `failure_table.py`; here they are looked up, and the waits are decided.
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
SERVER_ERRORS = 500  # and above, of HTTP
DETAILS_CHARS_MAX = 300
RETRY_AFTER_MAX = timedelta(days=1)

UNKNOWN_OUTCOME = Failure(
    "UNKNOWN_OUTCOME",
    None,
    FailureKind.REFUSED,
    "The platform was called, and neither its answer nor a status ever came.",
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
    "Something about this message stops our workers; it was not sent.",
    "Send it again in other words, and tell us its clientMessageId.",
)
WINDOW_CLOSED = Failure(
    "SERVICE_WINDOW_CLOSED",
    None,
    FailureKind.REFUSED,
    "When the message's turn came, the person had not written in the last 24 hours.",
    "Give a templateName as well; it goes outside the conversation window.",
)
PLATFORM_UNREACHABLE = Failure(
    "PLATFORM_UNREACHABLE",
    None,
    FailureKind.UNAVAILABLE,
    "No connection to the platform could be made.",
    "Nothing to do: the message is tried again by itself.",
)
OVERLOADED = Failure(
    "OVERLOADED",
    None,
    FailureKind.UNAVAILABLE,
    "The message could not be handed over in good time, so it was not.",
    "Nothing to do: the message is tried again by itself.",
)
FILE_UNAVAILABLE = Failure(
    "FILE_UNAVAILABLE",
    None,
    FailureKind.UNAVAILABLE,
    "The message's file could not be read from the store just now.",
    "Nothing to do: the message is tried again by itself.",
)
FILE_MISSING = Failure(
    "FILE_MISSING",
    None,
    FailureKind.REFUSED,
    "The message's file is no longer in the store.",
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

# The wait after the first attempt, the second, ...; the last one holds for all that follow.
_WAITS_BY_CODE: dict[int, tuple[timedelta, ...]] = {
    130429: _seconds(4, 16, 64, 256, 300),  # the platform's own advice: 4^n seconds
    131048: _seconds(_HOUR, 2 * _HOUR, 4 * _HOUR, 6 * _HOUR),  # a tainted number recovers in hours
    131056: _seconds(*range(6, 121, 6)),  # one message in six seconds to the same person
    131057: _seconds(_MINUTE),  # maintenance takes about a minute
    131064: _seconds(_HOUR),  # lasts days; asking hourly costs nothing
    132069: _seconds(_HOUR),  # ten forms an hour
    133016: _seconds(6 * _HOUR),  # lasts three days
    80007: _seconds(5 * _MINUTE, 15 * _MINUTE, _HOUR),  # an hourly budget
}
_WAITS_BY_KIND: dict[FailureKind, tuple[timedelta, ...]] = {
    FailureKind.NUMBER_LIMIT: _WAITS_BY_CODE[130429],
    FailureKind.ACCOUNT_LIMIT: _seconds(_MINUTE, 5 * _MINUTE, 15 * _MINUTE, _HOUR),
    FailureKind.UNAVAILABLE: _seconds(5, 15, _MINUTE, 5 * _MINUTE, 15 * _MINUTE),
}

_ALL_THE_WAY = limits.RATE_HALVINGS_MAX
_SLOWDOWNS = {130429: 1, 4: 1, 80007: 1, 131048: _ALL_THE_WAY, 131064: _ALL_THE_WAY}


def explain(
    code: int, *, subcode: int | None = None, status: int | None = None, details: str = ""
) -> Failure:
    """What the platform's error means. `details` is its own text, shown after ours.

    Leave `details` out for a passcode: the platform may quote what it was given. `status`, of HTTP,
    decides only about codes nobody knows: from 500 on the fault is the platform's.
    """
    failure = _find(code, subcode) or _unknown(code, status)
    said = " ".join(details.split())[:DETAILS_CHARS_MAX]
    if not said:
        return failure
    return replace(failure, explanation=f"{failure.explanation} The platform says: {said}")


def deferral_reason(kind: FailureKind) -> str | None:
    """The word of `message.deferred` for a failure that waits; None for one that is final."""
    return _DEFERRAL_REASONS.get(kind)


def wait_before_retry(
    failure: Failure, attempt: int, retry_after: timedelta | None = None
) -> timedelta | None:
    """How long to wait after attempt number `attempt`, never less than the platform asked for.

    None where no time is known: a fault of the account ends when a person mends it (the caller
    probes now and then), and a refusal is never tried again. Jitter and pacing are the caller's.
    """
    waits = _WAITS_BY_CODE.get(failure.platform_code or 0) or _WAITS_BY_KIND.get(failure.kind)
    if waits is None:
        return None
    wait = waits[min(max(attempt, 1), len(waits)) - 1]
    return max(wait, min(retry_after or wait, RETRY_AFTER_MAX))


def slowdown(failure: Failure) -> int:
    """How often the sending number's rate is halved. 0: the limit is not about the rate."""
    return _SLOWDOWNS.get(failure.platform_code or 0, 0)


def is_about_the_number(failure: Failure) -> bool:
    """Whether it holds back or slows down all that the number sends, not this message alone."""
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
        "Look the code up in the platform's documentation, correct the message and send it anew.",
    )
