"""Amounts, rates and VAT, in integers throughout: never a float (contract.md, General). Pure.

An amount is minor units (two places), a rate millionths (six places), a percentage hundredths of a
percent. A product is rounded once, to the minor unit, halves away from zero, so that a refund is
exactly the negated charge. docs/decisions/0003-money.md
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal

from tidings.limits import AMOUNT_MINOR_MAX, RATE_MICRO_MAX

_MICRO_PER_MINOR = 10_000
_BASIS_POINTS = 10_000
_TEXT_CHARS_MAX = 40

_CURRENCY = re.compile(r"[A-Z]{3}")
_DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?")
_JSON_NUMBER = re.compile(_DECIMAL.pattern + r"(?:[eE][+-]?[0-9]{1,3})?")


@dataclass(frozen=True, slots=True)
class Money:
    """`Money(1250, "ILS")` is 12.50 ILS. Mixing currencies raises."""

    minor: int
    currency: str

    def __add__(self, other: "Money") -> "Money":
        return Money(self.minor + self._same(other), self.currency)

    def __sub__(self, other: "Money") -> "Money":
        return Money(self.minor - self._same(other), self.currency)

    def __neg__(self) -> "Money":
        return Money(-self.minor, self.currency)

    def __lt__(self, other: "Money") -> bool:
        return self.minor < self._same(other)

    def __le__(self, other: "Money") -> bool:
        return self.minor <= self._same(other)

    def __str__(self) -> str:
        return f"{to_wire(self)} {self.currency}"

    def _same(self, other: "Money") -> int:
        assert self.currency == other.currency, f"{self.currency} met {other.currency}"
        return other.minor


@dataclass(frozen=True, slots=True)
class Rate:
    """A price per message in millionths: `Rate(12_500, "ILS")` is 0.0125 ILS."""

    micro: int
    currency: str


@dataclass(frozen=True, slots=True)
class Totals:
    """The three sums of an invoice (2.9)."""

    subtotal: Money
    vat: Money
    total: Money


def parse(text: str, currency: str) -> Money:
    """A decimal string of at most two places: "12.50", "-3". ValueError says what is wrong."""
    _require_form(_DECIMAL, text, "is not a decimal amount such as 12.50")
    return Money(_scaled(text, 2, AMOUNT_MINOR_MAX), require_currency(currency))


def parse_number(text: str, currency: str) -> Money:
    """An amount from the text of a JSON number: 12.5, 95.000 and 1e2 are valid, 0.001 is not.

    Takes the raw text of the body (msgspec.Raw), because a float may already have lost cents.
    """
    _require_form(_JSON_NUMBER, text, "is not a number")
    return Money(_scaled(text, 2, AMOUNT_MINOR_MAX), require_currency(currency))


def parse_rate(text: str, currency: str) -> Rate:
    """A decimal string of at most six places, zero or more."""
    _require_form(_DECIMAL, text, "is not a decimal rate such as 0.05")
    micro = _scaled(text, 6, RATE_MICRO_MAX)
    if micro < 0:
        raise ValueError("is below zero")
    return Rate(micro, require_currency(currency))


def parse_percent(text: str) -> int:
    """A percentage of at most two places from 0 to 100, in hundredths: "17.5" is 1750."""
    _require_form(_DECIMAL, text, "is not a percentage such as 18")
    hundredths = _scaled(text, 2, 100_00)
    if hundredths < 0:
        raise ValueError("is below zero")
    return hundredths


def require_currency(currency: str) -> str:
    """Checks only the form of an ISO 4217 code, not whether the currency exists."""
    if not _CURRENCY.fullmatch(currency):
        raise ValueError("has no currency code such as ILS or EUR")
    return currency


def to_wire(money: Money) -> str:
    """Always two places: "12.50"."""
    sign = "-" if money.minor < 0 else ""
    units, cents = divmod(abs(money.minor), 100)
    return f"{sign}{units}.{cents:02d}"


def rate_to_wire(rate: Rate) -> str:
    """Two to six places, as needed: "0.05", "0.0125"."""
    sign = "-" if rate.micro < 0 else ""  # a credit on an invoice
    units, micro = divmod(abs(rate.micro), 1_000_000)
    places = f"{micro:06d}".rstrip("0").ljust(2, "0")
    return f"{sign}{units}.{places}"


def percent_to_wire(hundredths: int) -> int | float:
    """`vatPct` is a JSON number (2.9); the float is for output only, never for arithmetic."""
    units, rest = divmod(hundredths, 100)
    return hundredths / 100 if rest else units


def amount(rate: Rate, count: int) -> Money:
    """The price of `count` messages, rounded once. A negative count gives the refund."""
    return Money(_half_up(rate.micro * count, _MICRO_PER_MINOR), rate.currency)


def add_vat(subtotal: Money, hundredths_of_percent: int) -> Totals:
    """VAT is rounded once per invoice; the total is the sum of the displayed amounts."""
    vat_minor = _half_up(subtotal.minor * hundredths_of_percent, _BASIS_POINTS)
    vat = Money(vat_minor, subtotal.currency)
    return Totals(subtotal, vat, subtotal + vat)


def total(amounts: Iterable[Money], currency: str) -> Money:
    return sum(amounts, start=Money(0, currency))


def _require_form(form: re.Pattern[str], text: str, fault: str) -> None:
    if len(text) > _TEXT_CHARS_MAX or not form.fullmatch(text):
        raise ValueError(fault)


def _scaled(text: str, places: int, largest: int) -> int:
    """`text` times ten to the `places`, exactly: the decimal context does not round it."""
    number = Decimal(text)
    # Checked before any arithmetic: 1e999 would become a number of a thousand digits.
    if number and number.adjusted() + places > len(str(largest)):
        raise ValueError("is too large")
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int), "the forms above let no NaN or infinity through"
    whole = int("".join(map(str, digits)))
    shift = exponent + places
    scaled, rest = divmod(whole * _power(shift), _power(-shift))
    if rest:
        raise ValueError(f"has more than {places} decimal places")
    if scaled > largest:
        raise ValueError("is too large")
    return -scaled if sign else scaled


def _power(exponent: int) -> int:
    return int(10 ** max(exponent, 0))


def _half_up(numerator: int, denominator: int) -> int:
    """Rounded to the nearest, halves away from zero."""
    magnitude = (2 * abs(numerator) + denominator) // (2 * denominator)
    return magnitude if numerator >= 0 else -magnitude
