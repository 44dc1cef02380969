"""What a partner may buy and owe: exact to the millionth, shown to the cent (4.15)."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tidings import limits
from tidings.errors import ApiError
from tidings.features.partner import rules
from tidings.features.partner.model import Capacity, PartnerBalance, Terms
from tidings.features.partner.rules import PartnerCode
from tidings.money import Money, Rate

NOW = datetime(2026, 1, 1, tzinfo=UTC)
rates = st.integers(0, 10**7) | st.sampled_from([1, 4_000, 5_000, 14_900, 50_000, 333_333])
counts = st.integers(1, 10**4) | st.integers(1, limits.TOPUP_MESSAGES.high)
credit = st.integers(0, 10**8)


def terms(rate_micro: int, limit_minor: int, expires_at: datetime | None = None) -> Terms:
    return Terms(Rate(rate_micro, "ILS"), Money(limit_minor, "ILS"), expires_at)


def balance(debt_minor: int = 0, carried_micro: int = 0) -> PartnerBalance:
    return PartnerBalance(Capacity(10, 5), Money(debt_minor, "ILS"), carried_micro, entries=3)


@given(rates, credit, st.integers(-(10**8), 10**8), st.integers(-5000, 4999), counts)
def test_what_is_bought_keeps_to_the_limit_and_nothing_is_lost(
    rate: int, limit: int, debt: int, carried: int, messages: int
) -> None:
    agreed, before = terms(rate, limit), balance(debt, carried)
    exact = Fraction(debt * 10_000 + carried + rate * messages, 10_000)
    try:
        bought = rules.decide_topup(agreed, before, messages, NOW)
    except ApiError as refusal:
        assert refusal.code is PartnerCode.CREDIT_LIMIT_EXCEEDED
        assert exact > limit
        assert rules.max_topup(agreed, before, NOW) < messages
        return
    after = bought.after
    assert exact <= limit and after.debt.minor <= limit
    assert Fraction(after.debt.minor * 10_000 + after.carried_micro, 10_000) == exact
    assert bought.amount == after.debt - before.debt
    assert bought.amount.minor >= 0
    assert after.capacity == Capacity(10 + messages, 5)
    assert after.entries == 4
    assert rules.max_topup(agreed, before, NOW) >= messages


@given(rates, credit, st.integers(-(10**6), 10**6), st.integers(-5000, 4999))
def test_the_published_maximum_is_accepted_and_one_more_is_not(
    rate: int, limit: int, debt: int, carried: int
) -> None:
    agreed, before = terms(rate, limit), balance(debt, carried)
    most = rules.max_topup(agreed, before, NOW)
    assert 0 <= most <= limits.TOPUP_MESSAGES.high
    if most:
        rules.decide_topup(agreed, before, most, NOW)
    if most < limits.TOPUP_MESSAGES.high:
        with pytest.raises(ApiError):
            rules.decide_topup(agreed, before, most + 1, NOW)


@given(rates, st.lists(st.integers(1, 500), min_size=1, max_size=20))
def test_many_small_topups_cost_what_one_large_does(rate: int, parts: list[int]) -> None:
    agreed = terms(rate, 10**14)
    one = rules.decide_topup(agreed, balance(), sum(parts), NOW).after
    many = balance()
    for part in parts:
        many = rules.decide_topup(agreed, many, part, NOW).after
    assert (many.debt, many.carried_micro) == (one.debt, one.carried_micro)


def test_an_agreement_ends_at_its_time() -> None:
    agreed = terms(1, 100, expires_at=NOW)
    rules.decide_topup(agreed, balance(), 1, NOW - timedelta(microseconds=1))
    with pytest.raises(ApiError) as refusal:
        rules.decide_topup(agreed, balance(), 10**7, NOW)
    assert refusal.value.code is PartnerCode.PARTNER_CAPACITY_EXPIRED
    assert rules.max_topup(agreed, balance(), NOW) == 0


def test_a_limit_lowered_below_the_debt_leaves_nothing_and_not_less() -> None:
    lowered = terms(50_000, 100)
    assert rules.credit_available(lowered, balance(500)) == Money(0, "ILS")
    assert rules.max_topup(lowered, balance(500), NOW) == 0
    assert rules.max_topup(terms(0, 100), balance(500), NOW) == 0


@pytest.mark.parametrize("text", ["", "x", "1e5x", "--1", "1_000", "0x10", "١٢", "1e9999", "[]"])
def test_what_is_no_number_is_no_amount(text: str) -> None:
    with pytest.raises(ApiError) as refusal:
        rules.require_amount(text, "ILS")
    assert refusal.value.code is PartnerCode.INVALID_AMOUNT
