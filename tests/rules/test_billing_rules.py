"""When subscriptions run, renew and end, what they refuse, and what invoices say. Pure."""

from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.names import named
from tidings.errors import ApiError
from tidings.features.billing import rules
from tidings.features.billing.invoices import term_lines as lines
from tidings.features.billing.invoices.model import Overdue
from tidings.features.billing.model import (
    BillingType,
    ChargeCount,
    ChargeKind,
    DayUse,
    Span,
    Subscription,
    SubscriptionState,
    Term,
)
from tidings.features.billing.usage import trends
from tidings.features.partner.model import Capacity

ACCOUNT = UUID(int=1)
START = datetime(2026, 1, 31, 9, tzinfo=UTC)
YEARS = st.datetimes(datetime(2024, 1, 1), datetime(2034, 12, 31)).map(
    lambda timestamp: timestamp.replace(tzinfo=UTC)
)


def subscription(billing_type: str = "MONTHLY", **fields: Any) -> Subscription:
    values: dict[str, Any] = {
        "account_id": ACCOUNT, "id": 1, "package": "Gold",
        "billing_type": BillingType(billing_type), "unique_quota": 10, "followup_quota": 5,
        "starts_at": START, "ends_at": None, "ended_at": None, "currency": "ILS",
        "vat_hundredths": 1800, "unique_price_micro": 200_000, "followup_price_micro": 100_000,
        "monthly_minor": 50_000, "credit_limit_minor": None, "created_at": START,
    }  # fmt: skip
    return Subscription(**values | fields)


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


# Months


@pytest.mark.parametrize(
    ("months", "day"),
    [(0, "2026-01-31"), (1, "2026-02-28"), (2, "2026-03-31"), (3, "2026-04-30"), (11, "2026-12-31"),
     (12, "2027-01-31"), (25, "2028-02-29"), (-1, "2025-12-31")],
)  # fmt: skip
def test_a_month_from_the_thirty_first_ends_on_the_last_day(months: int, day: str) -> None:
    assert rules.add_months(START, months) == at(f"{day} 09:00")


@given(anchor=YEARS, timestamp=YEARS)
def test_every_timestamp_lies_in_the_month_found_for_it(
    anchor: datetime, timestamp: datetime
) -> None:
    months = rules.months_between(anchor, timestamp)
    assert rules.add_months(anchor, months) <= timestamp < rules.add_months(anchor, months + 1)


@given(anchor=YEARS, months=st.integers(0, 200))
def test_terms_lie_one_behind_the_other(anchor: datetime, months: int) -> None:
    one = subscription(starts_at=anchor)
    span = rules.span(one, months)
    assert span.ends_at == rules.span(one, months + 1).starts_at
    assert rules.span_at(one, span.starts_at) == span
    assert span.ends_at is not None
    assert rules.span_at(one, span.ends_at - timedelta(microseconds=1)) == span
    assert rules.span_at(one, span.ends_at).number == months + 1


@pytest.mark.parametrize(
    ("end", "last", "ends"),
    [
        ("2026-03-31 09:00", 1, "2026-03-31 09:00"),
        ("2026-03-31 08:59", 1, "2026-03-31 08:59"),
        ("2026-03-31 09:01", 2, "2026-03-31 09:01"),
    ],
)
def test_the_last_term_ends_with_the_subscription(end: str, last: int, ends: str) -> None:
    one = subscription(ends_at=at(end))
    after = rules.span_at(one, at("2027-01-01 00:00"))
    assert (after.number, after.ends_at) == (last, at(ends))


def test_at_its_end_a_subscription_is_in_its_last_term() -> None:
    end = at("2026-03-31 09:00")
    assert rules.span_at(subscription(ends_at=end), end).number == 1


def test_a_package_is_one_term_whatever_the_time() -> None:
    one = subscription("PACKAGE", ends_at=at("2030-01-01 00:00"))
    whole = Span(0, START, one.ends_at)
    assert rules.span_at(one, START + timedelta(days=700)) == rules.span(one, 5) == whole


def test_what_was_over_before_we_heard_of_it_is_not_ours_to_invoice() -> None:
    assert rules.first_invoiced(subscription()) == 0
    assert rules.first_invoiced(subscription(created_at=at("2026-05-01 00:00"))) == 3
    assert rules.first_invoiced(subscription(created_at=at("2020-01-01 00:00"))) == 0


@pytest.mark.parametrize(
    ("fields", "now", "state"),
    [
        ({}, "2036-01-01", SubscriptionState.ACTIVE),
        ({"ends_at": at("2026-06-01")}, "2026-05-31", SubscriptionState.ACTIVE),
        ({"ends_at": at("2026-06-01")}, "2026-06-01", SubscriptionState.EXPIRED),
        ({"ended_at": at("2026-06-01")}, "2026-06-01", SubscriptionState.CANCELLED),
        (
            {"ends_at": at("2026-06-01"), "ended_at": at("2026-05-01")},
            "2026-07-01",
            SubscriptionState.CANCELLED,
        ),
        ({"ended_at": at("2026-06-01")}, "2026-05-01", SubscriptionState.ACTIVE),
    ],
    ids=named,
)
def test_states(fields: dict[str, Any], now: str, state: SubscriptionState) -> None:
    assert subscription(**fields).state(at(now)) is state


def test_the_newest_that_has_started_counts() -> None:
    old, new = subscription(), subscription(id=2, starts_at=at("2026-06-01"))
    assert rules.present([old, new], at("2026-05-31")) is old
    assert rules.present([old, new], at("2026-06-01")) is new
    assert rules.present([new], at("2026-05-31")) is None


def test_what_comes_back_after_the_end_stands_in_a_term_of_its_own() -> None:
    one = subscription("USAGE", ends_at=at("2026-03-15"))
    assert rules.booking_term(one, at("2026-03-01")) == 1
    assert rules.booking_term(one, at("2026-03-15")) == 2


# Refusals


def code(require: Any, *args: Any) -> tuple[str, bool] | None:
    """The code, and whether it blocks the whole account."""
    try:
        require(*args)
    except ApiError as refusal:
        return refusal.code.name, isinstance(refusal, rules.AccountBlocked)
    return None


def test_without_an_active_subscription_the_account_is_blocked() -> None:
    now = at("2026-06-01")
    assert code(rules.require_active, None, now) == ("NO_ACTIVE_SUBSCRIPTION", True)
    ended = subscription(ended_at=now)
    assert code(rules.require_active, ended, now) == ("NO_ACTIVE_SUBSCRIPTION", True)
    over = subscription(ends_at=now)
    assert code(rules.require_active, over, now) == ("SUBSCRIPTION_EXPIRED", True)
    assert code(rules.require_active, subscription(), now) is None
    assert rules.require_active(subscription(), now) == subscription()


def test_an_overdue_invoice_is_named() -> None:
    with pytest.raises(rules.AccountBlocked) as refusal:
        rules.require_paid(Overdue("2026-0007", "12.50", "EUR"))
    assert refusal.value.extra == {
        "invoiceNumber": "2026-0007", "amount": "12.50", "currency": "EUR",
    }  # fmt: skip
    rules.require_paid(None)


@pytest.mark.parametrize(
    ("term", "kind", "refused"),
    [
        (Term(10, 5, 9, 5), ChargeKind.UNIQUE, None),
        (Term(10, 5, 10, 4), ChargeKind.UNIQUE, "QUOTA_EXHAUSTED"),
        (Term(10, 5, 10, 4), ChargeKind.FOLLOWUP, None),
        (Term(10, 5, 9, 5), ChargeKind.FOLLOWUP, "FOLLOWUP_QUOTA_EXHAUSTED"),
        (Term(1, 5, 10, 4), ChargeKind.UNIQUE, "QUOTA_EXHAUSTED"),
    ],
    ids=named,
)
def test_quota(term: Term, kind: ChargeKind, refused: str | None) -> None:
    found = code(rules.require_left, subscription("PACKAGE"), term, kind, ApiError)
    assert found == (None if refused is None else (refused, False))


@pytest.mark.parametrize(
    ("kind", "says"), [(ChargeKind.UNIQUE, "10 messages"), (ChargeKind.FOLLOWUP, "5 messages")]
)
def test_a_refusal_names_the_quota_that_is_used_up(kind: ChargeKind, says: str) -> None:
    with pytest.raises(ApiError) as refusal:
        rules.require_left(subscription("PACKAGE"), Term(10, 5, 10, 5), kind, ApiError)
    assert refusal.value.message.endswith(says)


def test_a_refusal_names_the_credit_limit() -> None:
    for minor, says in ((0, "0.00"), (1250, "12.50")):
        one = subscription("USAGE", credit_limit_minor=minor)
        with pytest.raises(ApiError, match=f"credit limit of {says}"):
            rules.require_left(one, Term(0, 0, accrued_micro=10**9), ChargeKind.UNIQUE, ApiError)


def test_only_pay_as_you_go_has_a_limit_in_millionths() -> None:
    assert rules.limit_micro(subscription("USAGE", credit_limit_minor=100)) == 1_000_000
    assert rules.limit_micro(subscription("USAGE", credit_limit_minor=0)) == 0
    assert rules.limit_micro(subscription("USAGE")) is None
    assert rules.limit_micro(subscription("MONTHLY", credit_limit_minor=100)) is None


@pytest.mark.parametrize(
    ("owed", "kind", "fits"),
    [
        (0, ChargeKind.UNIQUE, True),
        (800_000, ChargeKind.UNIQUE, True),
        (800_001, ChargeKind.UNIQUE, False),
        (900_000, ChargeKind.FOLLOWUP, True),
        (900_001, ChargeKind.FOLLOWUP, False),
        (-500_000, ChargeKind.UNIQUE, True),
    ],
)
def test_credit_is_spent_to_the_last_millionth(owed: int, kind: ChargeKind, fits: bool) -> None:
    one = subscription("USAGE", credit_limit_minor=100)
    found = code(rules.require_left, one, Term(0, 0, accrued_micro=owed), kind, ApiError)
    assert found == (None if fits else ("USAGE_CREDIT_LIMIT", False))


def test_what_costs_nothing_fits_a_limit_that_is_reached() -> None:
    free = subscription("USAGE", credit_limit_minor=0, followup_price_micro=0)
    assert code(rules.require_left, free, Term(0, 0), ChargeKind.FOLLOWUP, ApiError) is None
    assert code(rules.require_left, free, Term(0, 0), ChargeKind.UNIQUE, ApiError) is not None


def test_an_agreement_that_ended_blocks() -> None:
    ended = Capacity(10, 1, at("2026-06-01"))
    assert code(rules.require_agreement, ended, at("2026-06-01")) == (
        "PARTNER_CAPACITY_EXPIRED", True,
    )  # fmt: skip
    assert code(rules.require_agreement, ended, at("2026-05-31")) is None


# Invoices


def test_a_month_is_one_line_with_its_days() -> None:
    one = subscription()
    [line] = lines.monthly(one, rules.span(one, 1))
    assert line.description == "Gold, 2026-02-28 to 2026-03-31"
    assert (line.quantity, line.amount.minor) == (1, 50_000)


def test_usage_is_a_line_for_each_kind_and_price_and_refunds_are_taken_off() -> None:
    one = subscription("USAGE")
    tallies = [
        ChargeCount(ChargeKind.UNIQUE, 200_000, 10, 3),
        ChargeCount(ChargeKind.UNIQUE, 300_000, 0, 2),
        ChargeCount(ChargeKind.FOLLOWUP, 100_000, 4, 4),
    ]
    made = lines.usage(one, rules.span(one, 0), tallies, carried_micro=-50_000)
    assert [(line.quantity, line.unit_price.micro, line.amount.minor) for line in made] == [
        (7, 200_000, 140), (2, -300_000, -60), (1, -50_000, -5),
    ]  # fmt: skip
    assert lines.is_owed(made, "ILS")
    assert not lines.is_owed(made[1:], "ILS")
    assert not lines.is_owed([], "ILS")


# Trends


def test_days_without_use_have_a_row() -> None:
    first, last = date(2026, 2, 27), date(2026, 3, 2)
    uses = [DayUse(date(2026, 2, 28), ChargeKind.UNIQUE, 3, 1, 400_000)]
    by_day = trends.grouped(uses, first, last, by_month=False)
    assert [sum_.messages for sum_ in by_day.values()] == [0, 3, 0, 0]
    by_month = trends.grouped(uses, first, last, by_month=True)
    assert {month: sum_.refunded for month, sum_ in by_month.items()} == {
        "2026-02": 1, "2026-03": 0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("left", "per_day", "renews", "days"),
    [
        (10, 5, None, 2),
        (10, 5, 3, 2),
        (10, 5, 2, None),
        (10, 0, None, None),
        (10, -1, None, None),
        (0, 5, None, 0),
        (10**9, 0.001, None, None),
    ],
)
def test_how_long_the_rest_lasts(
    left: float, per_day: float, renews: int | None, days: int | None
) -> None:
    renews_at = None if renews is None else START + timedelta(days=renews)
    found = trends.exhausted_at(left, per_day, START, renews_at)
    assert found == (None if days is None else START + timedelta(days=days))


def test_only_days_on_which_something_could_be_used_count() -> None:
    today = date(2026, 3, 31)
    assert trends.basis(today, today) == 1
    assert trends.basis(today, date(2026, 3, 29)) == 3
    assert trends.basis(today, date(2020, 1, 1)) == 14
    assert trends.basis(today, date(2027, 1, 1)) == 1


# Credit


def test_while_a_followup_fits_into_the_credit_it_is_not_exhausted() -> None:
    one = subscription("USAGE", credit_limit_minor=100)
    for owed, exhausted in ((800_000, False), (850_000, False), (900_000, False), (900_001, True)):
        term = Term(0, 0, accrued_micro=owed + 50, carried_micro=-50)
        assert rules.is_exhausted(one, term) is exhausted, owed


@pytest.mark.parametrize(("owed", "left"), [(0, 100), (990_000, 1), (1_000_000, 0), (1_500_000, 0)])
def test_what_is_left_of_the_credit_is_never_less_than_nothing(owed: int, left: int) -> None:
    """Also where the limit was lowered below what is owed."""
    one = subscription("USAGE", credit_limit_minor=100)
    available = rules.available(one, Term(0, 0, accrued_micro=owed + 50, carried_micro=-50))
    assert available is not None
    assert available.minor == left
    assert rules.available(subscription("USAGE"), Term(0, 0)) is None
