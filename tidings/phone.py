"""Phone numbers in international format, digits only (4.1, contract2.md A). Pure.

A leading `00` is the international prefix and not part of the number. The number is stored,
compared and sent to the platform without it; the caller's spelling is only echoed in responses.
"""

import re

from tidings.errors import ApiError, Code
from tidings.limits import RECIPIENT_DIGITS
from tidings.wording import quote

_LOW, _HIGH = RECIPIENT_DIGITS.low - 2, RECIPIENT_DIGITS.high - 2
# Not \d and not isdigit(): both accept the digits of every script. No look-ahead, because not every
# consumer of the OpenAPI document supports it.
_NUMBER = f"(?:[1-9][0-9]|0[1-9])[0-9]{{{_LOW},{_HIGH}}}"
PATTERN = f"^(?:00)?{_NUMBER}$"
_match = re.compile(f"(?:00)?({_NUMBER})").fullmatch

_WRITTEN = str.maketrans("", "", "+-.() '\u00a0\u200e\u200f\u202a\u202c")
_SHOWN_FIRST, _SHOWN_LAST = 3, 2


def require(value: str, field: str = "to", *, quoted: bool = True) -> str:
    """The number without its prefix, or INVALID_PHONE naming the field and the value. Use
    `quoted=False` if the field may contain a secret by mistake: the value is then not shown."""
    match = _match(value)
    if match is not None:
        return match[1]
    got = f", got {quote(value)}" if quoted else ""
    problem = (
        f"{field} must be {RECIPIENT_DIGITS} digits in international format, "
        f"such as 972501234567, without + or spaces{got}"
    )
    raise ApiError(Code.INVALID_PHONE, problem, field=field)


def find(value: str) -> str | None:
    """The number without the international prefix; None if it is not a phone number."""
    match = _match(value)
    return None if match is None else match[1]


def is_phone(value: str) -> bool:
    return _match(value) is not None


def as_digits(written: str) -> str:
    """Without the spaces, dashes, dots, brackets, + and signs of direction that people write, and
    without the apostrophe that keeps a spreadsheet from taking it for a number."""
    return written.translate(_WRITTEN)


def mask(value: str) -> str:
    """For logs: 972*******67. A value that is not a phone number is masked completely."""
    if not is_phone(value):
        return "***"
    hidden = len(value) - _SHOWN_FIRST - _SHOWN_LAST
    return value[:_SHOWN_FIRST] + "*" * hidden + value[-_SHOWN_LAST:]
