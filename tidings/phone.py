"""Phone numbers in international format: digits alone (4.1). Pure."""

import re

from tidings.errors import ApiError, Code
from tidings.limits import RECIPIENT_DIGITS

# Not \d and not isdigit(): both take the digits of every alphabet.
_PHONE = re.compile(f"[0-9]{{{RECIPIENT_DIGITS.low},{RECIPIENT_DIGITS.high}}}")

_SHOWN_FIRST, _SHOWN_LAST = 3, 2


def require(value: str, field: str = "to") -> str:
    """The number itself, or INVALID_PHONE naming the field."""
    if not is_phone(value):
        raise ApiError(
            Code.INVALID_PHONE,
            f"{field} must be {RECIPIENT_DIGITS} digits in international format, "
            "such as 972501234567, without + or spaces",
            field=field,
        )
    return value


def is_phone(value: str) -> bool:
    return _PHONE.fullmatch(value) is not None


def mask(value: str) -> str:
    """For logs: 972*******67. What is not a number may be anything, so nothing of it is shown."""
    if not is_phone(value):
        return "***"
    hidden = len(value) - _SHOWN_FIRST - _SHOWN_LAST
    return value[:_SHOWN_FIRST] + "*" * hidden + value[-_SHOWN_LAST:]
