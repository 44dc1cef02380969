"""The kinds of value a file may hold: numbers, texts, times, money, phone numbers. Pure."""

import re
from datetime import UTC, datetime, time
from decimal import Decimal
from functools import cache
from typing import Annotated
from zoneinfo import available_timezones

from tidings import limits, money, phone, times

from .fields import Rule

INT_MAX = 2**31 - 1  # a column's
SECRET_CHARS_MAX = limits.API_KEY_BYTES_MAX
_HH_MM = re.compile(r"(?:[01][0-9]|2[0-3]):[0-5][0-9]")
_KEY = re.compile(r"td_(?:sandbox|live)_[!-~]+")
_SIGNING_SECRET = re.compile(r"whsec_[!-~]+")


def text(low: int, high: int) -> Rule:
    def read(value: object) -> str:
        if not isinstance(value, str) or not low <= len(value) <= high:
            raise ValueError
        if "\0" in value:
            raise ValueError("it holds a NUL character")
        return value

    return Rule(f"text of {low} to {high} characters", read)


def _line(value: object) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= 100:
        raise ValueError
    if not value.isprintable() or value.strip() != value:
        raise ValueError("it has control characters, or spaces at an end")
    return value


def whole(low: int, high: int = INT_MAX) -> Rule:
    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError
        return value

    says = f"{low} or more" if high == INT_MAX else f"from {low} to {high}"
    return Rule(f"a whole number, {says}", read)


def _phone(value: object) -> str:
    number = phone.find(value) if isinstance(value, str) else None
    if number is None:
        raise ValueError
    return number


def _timestamp(value: object) -> datetime:
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError("it has no UTC offset")
        return value.astimezone(UTC)
    if not isinstance(value, str):
        raise ValueError
    try:
        return times.parse(value)
    except ValueError as reason:
        raise ValueError(f"it {reason}") from None


def _hour(value: object) -> time:
    if not isinstance(value, str) or not _HH_MM.fullmatch(value):
        raise ValueError
    return time.fromisoformat(value)


@cache
def _zones() -> set[str]:
    return available_timezones()


def _zone(value: object) -> str:
    if not isinstance(value, str) or value not in _zones():
        raise ValueError
    return value


def _amount(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("amounts are written in quotes")
    parsed = money.parse(value, "XXX")
    if parsed.minor < 0:
        raise ValueError("is below zero")
    return money.to_wire(parsed)


def _rate(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("amounts are written in quotes")
    return money.rate_to_wire(money.parse_rate(value, "XXX"))


def _percent(value: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError
    money.parse_percent(str(value))
    return Decimal(value)


def _currency(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    return money.require_currency(value)


def _api_key(value: object) -> str:
    if not isinstance(value, str) or not _KEY.fullmatch(value) or len(value) > SECRET_CHARS_MAX:
        raise ValueError
    return value


def _signing_secret(value: object) -> str:
    if not isinstance(value, str) or not _SIGNING_SECRET.fullmatch(value):
        raise ValueError
    if len(value) > SECRET_CHARS_MAX:
        raise ValueError("it is too long")
    return value


def _token(value: object) -> str:
    if not isinstance(value, str) or not value or not value.isprintable() or " " in value:
        raise ValueError
    return value


NAME_RULE = Rule("1 to 100 characters on one line", _line)
Name = Annotated[str, NAME_RULE]
Phone = Annotated[str, Rule("8 to 20 digits in international format, without +", _phone)]
Timestamp = Annotated[
    datetime, Rule("an RFC 3339 time with an offset, such as 2027-01-01T00:00:00Z", _timestamp)
]
Hour = Annotated[time, Rule('a time of day such as "08:00"', _hour)]
Zone = Annotated[str, Rule('a time zone such as "Asia/Jerusalem"', _zone)]
Amount = Annotated[str, Rule('an amount such as "10.00"', _amount)]
Rate = Annotated[str, Rule('a price of at most six places, such as "0.05"', _rate)]
Percent = Annotated[Decimal, Rule("a percentage from 0 to 100, such as 18 or 17.5", _percent)]
Currency = Annotated[str, Rule('a currency code such as "ILS"', _currency)]
ApiKey = Annotated[
    str,
    Rule("td_sandbox_… or td_live_…, 256 characters at most, no spaces", _api_key, secret=True),
]
SigningSecret = Annotated[
    str, Rule("whsec_…, 256 characters at most, no spaces", _signing_secret, secret=True)
]
Token = Annotated[
    str, Rule('a token, or "env:NAME" for one in the environment', _token, secret=True)
]
Url = Annotated[str, text(1, limits.URL_CHARS_MAX)]
Id = Annotated[str, text(1, 64)]
Label = Annotated[str, text(1, 200)]
Prose = Annotated[str, text(1, 4096)]
Count = Annotated[int, whole(0)]
Positive = Annotated[int, whole(1)]
