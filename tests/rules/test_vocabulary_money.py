"""Money in integers: exact in, exact out, rounded once (contract.md; reliability.md 2.5)."""

from decimal import ROUND_HALF_UP, Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import limits, money
from tidings.money import Money, Rate

AMOUNTS = st.integers(-limits.AMOUNT_MINOR_MAX, limits.AMOUNT_MINOR_MAX).map(
    lambda minor: Money(minor, "ILS")
)
RATES = st.integers(0, limits.RATE_MICRO_MAX).map(lambda micro: Rate(micro, "ILS"))
COUNTS = st.integers(0, limits.TOPUP_MESSAGES.high)
PERCENTS = st.integers(0, 100_00)


@given(AMOUNTS)
def test_an_amount_is_written_with_two_places_and_read_back(amount: Money) -> None:
    text = money.to_wire(amount)
    assert text[-3] == "."
    assert money.parse(text, "ILS") == amount == money.parse_number(text, "ILS")


@given(RATES)
def test_a_rate_is_written_with_two_to_six_places_and_read_back(rate: Rate) -> None:
    text = money.rate_to_wire(rate)
    assert 2 <= len(text.partition(".")[2]) <= 6
    assert money.parse_rate(text, "ILS") == rate


@pytest.mark.parametrize(
    ("text", "minor"),
    [
        ("0", 0),
        ("-0", 0),
        ("5", 500),
        ("0.5", 50),
        ("12.50", 1250),
        ("-3.05", -305),
        ("7.000", 700),
    ],
)
def test_a_decimal_string_is_read_exactly(text: str, minor: int) -> None:
    assert money.parse(text, "ILS") == Money(minor, "ILS")


@pytest.mark.parametrize(
    ("text", "minor"),
    [("1e2", 10_000), ("1E+2", 10_000), ("125e-1", 1250), ("95.000", 9500), ("0e999", 0)],
)
def test_a_json_number_is_read_by_its_value(text: str, minor: int) -> None:
    assert money.parse_number(text, "ILS") == Money(minor, "ILS")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("0.001", "more than 2 decimal places"),
        ("1e-3", "more than 2 decimal places"),
        ("1e-400", "more than 2 decimal places"),
        ("0." + "9" * 37, "more than 2 decimal places"),
        ("1e15", "too large"),
        ("1e999", "too large"),
        ("1000000000000", "too large"),
        ("9" * 41, "not a number"),
        ("1e99999999", "not a number"),
        ("NaN", "not a number"),
        ("Infinity", "not a number"),
        ("true", "not a number"),
        ("null", "not a number"),
        ('"5"', "not a number"),
        ("", "not a number"),
        ("5.", "not a number"),
        (".5", "not a number"),
        ("01", "not a number"),
        ("+5", "not a number"),
        ("1_000", "not a number"),
        ("5\n", "not a number"),
        ("٥", "not a number"),
    ],
)
def test_anything_else_is_refused_with_its_reason(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        money.parse_number(text, "ILS")


@pytest.mark.parametrize("text", ["1e2", "1,50", "5 ", "₪5", "0x5", "--5", "0.001"])
def test_a_decimal_string_takes_no_exponent_and_no_ornament(text: str) -> None:
    with pytest.raises(ValueError, match="decimal"):
        money.parse(text, "ILS")


@pytest.mark.parametrize("currency", ["", "ils", "IL", "ILSS", "₪", "IL\n"])
def test_a_currency_is_three_capital_letters(currency: str) -> None:
    with pytest.raises(ValueError, match="currency"):
        money.parse("5", currency)


@pytest.mark.parametrize("text", ["-0.01", "0.0000001", "1000000.000001"])
def test_a_rate_has_six_places_no_sign_and_an_end(text: str) -> None:
    with pytest.raises(ValueError, match=r"below|places|large"):
        money.parse_rate(text, "ILS")


def test_a_rate_shows_no_more_places_than_it_needs() -> None:
    shown = [money.rate_to_wire(Rate(micro, "ILS")) for micro in (0, 50_000, 12_500, 1, 1_200_000)]
    assert shown == ["0.00", "0.05", "0.0125", "0.000001", "1.20"]


@pytest.mark.parametrize(
    ("micro", "count", "minor"),
    [(5_000, 1, 1), (4_999, 1, 0), (5_000, 3, 2), (12_500, 3, 4), (50_000, 100, 500), (0, 9, 0)],
)
def test_a_product_is_rounded_half_up_once(micro: int, count: int, minor: int) -> None:
    assert money.amount(Rate(micro, "ILS"), count) == Money(minor, "ILS")


@given(RATES, COUNTS)
def test_a_product_is_what_decimal_arithmetic_says(rate: Rate, count: int) -> None:
    exact = Decimal(money.rate_to_wire(rate)) * count
    expected = exact.quantize(Decimal("0.01"), ROUND_HALF_UP)
    assert money.to_wire(money.amount(rate, count)) == str(expected)


@given(RATES, COUNTS)
def test_a_charge_and_its_refund_are_nothing(rate: Rate, count: int) -> None:
    charge = money.amount(rate, count)
    assert charge + money.amount(rate, -count) == charge + -charge == Money(0, "ILS")


@given(AMOUNTS, PERCENTS)
def test_a_total_is_the_subtotal_and_the_vat(subtotal: Money, percent: int) -> None:
    sums = money.add_vat(subtotal, percent)
    exact = Decimal(subtotal.minor) * percent / 10_000
    assert sums.total == sums.subtotal + sums.vat
    assert sums.vat.minor == exact.quantize(Decimal(1), ROUND_HALF_UP)


def test_vat_is_rounded_once_for_the_whole_invoice() -> None:
    lines = [Money(3, "ILS")] * 3
    subtotal = money.total(lines, "ILS")
    assert money.add_vat(subtotal, 17_00).vat == Money(2, "ILS")  # 1.53; line by line it were 3


@pytest.mark.parametrize(
    ("text", "hundredths", "shown"),
    [("18", 1800, 18), ("17.5", 1750, 17.5), ("0", 0, 0), ("100", 10_000, 100)],
)
def test_a_percentage_is_kept_in_hundredths(text: str, hundredths: int, shown: float) -> None:
    assert money.parse_percent(text) == hundredths
    assert money.percent_to_wire(hundredths) == shown
    assert type(money.percent_to_wire(hundredths)) is type(shown)


@pytest.mark.parametrize("text", ["-1", "100.01", "17.555", "18%", ""])
def test_a_percentage_outside_0_to_100_or_too_fine_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"below|large|places|percentage"):
        money.parse_percent(text)


def test_two_currencies_never_meet() -> None:
    shekel, euro = Money(1, "ILS"), Money(1, "EUR")
    for meet in (
        lambda: shekel + euro,
        lambda: shekel - euro,
        lambda: shekel < euro,
        lambda: shekel <= euro,
    ):
        with pytest.raises(AssertionError, match="ILS met EUR"):
            meet()
    assert shekel != euro


def test_money_reads_well_in_a_trace() -> None:
    assert str(Money(-1250, "ILS")) == "-12.50 ILS"


def test_a_credit_has_its_sign_before_its_price() -> None:
    assert money.rate_to_wire(Rate(-300_000, "ILS")) == "-0.30"
    assert money.rate_to_wire(Rate(-1_012_500, "ILS")) == "-1.0125"
