"""The kinds of value in the file: texts, numbers, times, amounts, phone numbers, secrets. Pure."""

import re
from datetime import UTC, datetime, time
from decimal import Decimal
from functools import cache
from typing import Annotated
from zoneinfo import available_timezones

from tidings import limits, money, phone, times
from tidings.features.accounts.model import READER_PRECISION_MAX, READER_PRECISION_MIN

from .declare import Rule

INT_MAX = 2**31 - 1  # of a PostgreSQL integer column
SECRET_CHARS_MAX = limits.API_KEY_BYTES_MAX
NAME_CHARS_MAX = 100
TIME_OF_DAY = r"(?:[01][0-9]|2[0-3]):[0-5][0-9]"
API_KEY = r"td_(?:sandbox|live)_[!-~]+"
WHSEC = r"whsec_[!-~]+"


def text(low: int, high: int) -> Rule:
    def read(value: object) -> str:
        if not isinstance(value, str) or not low <= len(value) <= high:
            raise ValueError
        if "\0" in value:
            raise ValueError("it holds a NUL character")
        return value

    schema = {"type": "string", "minLength": low, "maxLength": high}
    return Rule(f"text of {low} to {high} characters", read, schema)


def whole(low: int, high: int = INT_MAX) -> Rule:
    def read(value: object) -> int:
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise ValueError
        return value

    says = f"{low} or more" if high == INT_MAX else f"from {low} to {high}"
    schema = {"type": "integer", "minimum": low, "maximum": high}
    return Rule(f"a whole number, {says}", read, schema)


def _matching(pattern: str, **more: object) -> dict[str, object]:
    return {"type": "string", "pattern": f"^{pattern}$", **more}


def _decimal(places: int) -> str:
    return rf"(?:-?0|[1-9][0-9]*)(?:\.[0-9]{{1,{places}}}0*)?"


def _read_name(value: object) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= NAME_CHARS_MAX:
        raise ValueError
    if not value.isprintable() or value.strip() != value:
        raise ValueError("it has control characters, or spaces at an end")
    return value


def _read_phone(value: object) -> str:
    number = phone.find(value) if isinstance(value, str) else None
    if number is None:
        raise ValueError
    return number


def _read_timestamp(value: object) -> datetime:
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


def _read_time_of_day(value: object) -> time:
    if not isinstance(value, str) or not re.fullmatch(TIME_OF_DAY, value):
        raise ValueError
    return time.fromisoformat(value)


@cache
def _zones() -> set[str]:
    return available_timezones()


def _read_zone(value: object) -> str:
    if not isinstance(value, str) or value not in _zones():
        raise ValueError
    return value


def _read_amount(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("amounts are written in quotes")
    parsed = money.parse(value, "XXX")
    if parsed.minor < 0:
        raise ValueError("is below zero")
    return money.to_wire(parsed)


def _read_price(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("amounts are written in quotes")
    return money.rate_to_wire(money.parse_rate(value, "XXX"))


def _read_percent(value: object) -> Decimal:
    if isinstance(value, bool) or not isinstance(value, int | Decimal):
        raise ValueError
    money.parse_percent(str(value))
    return Decimal(value)


def _read_precision(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | Decimal):
        raise ValueError
    if not READER_PRECISION_MIN <= float(value) <= READER_PRECISION_MAX:
        raise ValueError
    return float(value)


def _read_currency(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError
    return money.require_currency(value)


def _read_api_key(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(API_KEY, value):
        raise ValueError
    if len(value) > SECRET_CHARS_MAX:
        raise ValueError("it is too long")
    return value


def _read_signing_secret(value: object) -> str:
    if not isinstance(value, str) or not re.fullmatch(WHSEC, value):
        raise ValueError
    if len(value) > SECRET_CHARS_MAX:
        raise ValueError("it is too long")
    return value


def _read_token(value: object) -> str:
    if not isinstance(value, str) or not value or not value.isprintable() or " " in value:
        raise ValueError
    return value


Name = Annotated[
    str,
    Rule(
        f"1 to {NAME_CHARS_MAX} characters on one line",
        _read_name,
        {"type": "string", "minLength": 1, "maxLength": NAME_CHARS_MAX},
    ),
]
Phone = Annotated[
    str,
    Rule(
        "8 to 20 digits in international format, without +",
        _read_phone,
        {"type": "string", "pattern": phone.PATTERN},
    ),
]
Timestamp = Annotated[
    datetime,
    Rule(
        "an RFC 3339 time with an offset, such as 2027-01-01T00:00:00Z",
        _read_timestamp,
        {"type": "string", "format": "date-time"},
    ),
]
TimeOfDay = Annotated[
    time, Rule('a time of day such as "08:00"', _read_time_of_day, _matching(TIME_OF_DAY))
]
Zone = Annotated[
    str,
    Rule('a time zone such as "Asia/Jerusalem"', _read_zone, {"type": "string", "minLength": 1}),
]
Amount = Annotated[
    str,
    Rule('an amount such as "10.00"', _read_amount, _matching(_decimal(2))),
]
Price = Annotated[
    str,
    Rule(
        'a price of at most six places, such as "0.05"',
        _read_price,
        _matching(_decimal(6)),
    ),
]
Percent = Annotated[
    Decimal,
    Rule(
        "a percentage from 0 to 100, such as 18 or 17.5",
        _read_percent,
        {"type": "number", "minimum": 0, "maximum": 100},
    ),
]
Currency = Annotated[
    str, Rule('a currency code such as "ILS"', _read_currency, _matching("[A-Z]{3}"))
]
ApiKey = Annotated[
    str,
    Rule(
        "td_sandbox_… or td_live_…, 256 characters at most, no spaces",
        _read_api_key,
        _matching(API_KEY, maxLength=SECRET_CHARS_MAX),
        secret=True,
    ),
]
SigningSecret = Annotated[
    str,
    Rule(
        "whsec_…, 256 characters at most, no spaces",
        _read_signing_secret,
        _matching(WHSEC, maxLength=SECRET_CHARS_MAX),
        secret=True,
    ),
]
Token = Annotated[
    str,
    Rule(
        'a token, or "env:NAME" for one in the environment',
        _read_token,
        _matching(r"\S+"),
        secret=True,
    ),
]
Url = Annotated[str, text(1, limits.URL_CHARS_MAX)]
Id = Annotated[str, text(1, 64)]
Label = Annotated[str, text(1, 200)]
Prose = Annotated[str, text(1, 4096)]
Count = Annotated[int, whole(0)]
Positive = Annotated[int, whole(1)]
RetentionDays = Annotated[int, whole(limits.RETENTION_DAYS.low, limits.RETENTION_DAYS.high)]
ReaderPrecision = Annotated[
    float,
    Rule(
        f"a number from {READER_PRECISION_MIN} to {READER_PRECISION_MAX}",
        _read_precision,
        {
            "type": "number",
            "minimum": READER_PRECISION_MIN,
            "maximum": READER_PRECISION_MAX,
        },
    ),
]
