"""What an account's subscriptions are after `tidings apply` (contract.md, "Running it"). Pure."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.accounts import account
from tidings.features.billing.model import BillingType, Subscription, Terms
from tidings.features.billing.subscriptions.subscribe import decide, read

NOW = datetime(2026, 3, 10, 9, tzinfo=UTC)
MONTH, INSTANT = timedelta(days=30), timedelta(microseconds=1)
OURS = account()


def terms(**fields: Any) -> Terms:
    values: dict[str, Any] = {
        "package": "Gold", "billing_type": BillingType.MONTHLY, "unique_quota": 10,
        "followup_quota": 5, "starts_at": None, "ends_at": None, "currency": "ILS",
        "vat_hundredths": 1800, "unique_price_micro": 0, "followup_price_micro": 0,
        "monthly_minor": 50_000, "credit_limit_minor": None,
    }  # fmt: skip
    return Terms(**values | fields)


def stored(number: int = 1, starts_at: datetime = NOW - MONTH, **fields: Any) -> Subscription:
    (made,) = decide(OURS, [], terms(starts_at=starts_at), starts_at)
    return replace(made, id=number, **fields)


def after(found: list[Subscription], wanted: Terms | None) -> list[tuple[int, str, Any]]:
    """Number, package and early end of each."""
    return [(one.id, one.package, one.ended_at) for one in decide(OURS, found, wanted, NOW)]


# The section


def test_a_section_is_read_with_its_money_and_times() -> None:
    section = {
        "package": "Gold", "billingType": "USAGE", "unique": 10, "followup": 5,
        "startsAt": "2026-03-01T00:00:00Z", "currency": "ILS", "vatPct": "18",
        "pricePerUnique": "0.25", "pricePerFollowup": "0.10", "monthlyPrice": "49.90",
        "creditLimit": "100",
    }  # fmt: skip
    assert read(section) == terms(
        billing_type=BillingType.USAGE, starts_at=datetime(2026, 3, 1, tzinfo=UTC),
        unique_price_micro=250_000, followup_price_micro=100_000, monthly_minor=4990,
        credit_limit_minor=10_000,
    )  # fmt: skip


def test_what_a_section_leaves_out_costs_nothing_and_has_no_end() -> None:
    section = {
        "package": "Gold", "billingType": "MONTHLY", "unique": 10, "followup": 5,
        "currency": "ILS", "vatPct": "17.5",
    }  # fmt: skip
    assert read(section) == terms(monthly_minor=0, vat_hundredths=1750)


# Beginning


def test_the_first_begins_now_or_at_its_time() -> None:
    (now,) = decide(OURS, [], terms(), NOW)
    assert (now.account_id, now.id, now.starts_at, now.created_at) == (OURS.id, 1, NOW, NOW)
    (later,) = decide(OURS, [], terms(starts_at=NOW + MONTH), NOW)
    assert later.starts_at == NOW + MONTH
    assert decide(OURS, [], None, NOW) == []


# The same one


def test_quota_prices_and_end_of_the_same_one_change() -> None:
    before = stored()
    wanted = terms(unique_quota=99, monthly_minor=1, ends_at=NOW + MONTH)
    (changed,) = decide(OURS, [before], wanted, NOW)
    assert changed == replace(before, unique_quota=99, monthly_minor=1, ends_at=NOW + MONTH)


def test_the_same_again_changes_nothing() -> None:
    first, second = stored(1, NOW - 2 * MONTH, ended_at=NOW - MONTH), stored(2)
    assert decide(OURS, [first, second], terms(), NOW) == [first, second]
    begins_now = stored(2, NOW)
    assert decide(OURS, [begins_now], terms(), NOW) == [begins_now]


@pytest.mark.parametrize(
    "fields",
    [
        {"package": "Silver"}, {"billing_type": BillingType.USAGE}, {"currency": "EUR"},
        {"starts_at": NOW - timedelta(days=1)},
    ],
)  # fmt: skip
def test_another_one_takes_its_place(fields: dict[str, Any]) -> None:
    wanted = terms(**fields)
    assert after([stored(4)], wanted) == [(4, "Gold", NOW), (5, wanted.package, None)]


def test_one_that_begins_later_ends_the_other_then() -> None:
    wanted = terms(package="Silver", starts_at=NOW + MONTH)
    found = [stored(1, NOW - 2 * MONTH, ended_at=NOW - MONTH), stored(2)]
    assert after(found, wanted) == [
        (1, "Gold", NOW - MONTH), (2, "Gold", NOW + MONTH), (3, "Silver", None),
    ]  # fmt: skip


def test_one_that_has_not_begun_is_dropped_and_the_other_goes_on() -> None:
    pending = decide(OURS, [stored()], terms(package="Silver", starts_at=NOW + MONTH), NOW)
    assert after(pending, terms()) == [(1, "Gold", None)]
    assert after(pending, None) == [(1, "Gold", NOW)]
    again = terms(package="Silver", starts_at=NOW + MONTH)
    assert decide(OURS, pending, again, NOW) == pending
    at_once = terms(package="Silver")  # a start that was removed
    assert after(pending, at_once) == [(1, "Gold", NOW), (3, "Silver", None)]


def test_one_that_was_ended_does_not_come_back() -> None:
    ended = stored(ended_at=NOW - MONTH / 2)
    assert after([ended], terms()) == [(1, "Gold", NOW - MONTH / 2), (2, "Gold", None)]
    just = stored(ended_at=NOW)
    assert after([just], terms()) == [(1, "Gold", NOW), (2, "Gold", None)]


# The end


def test_a_section_that_is_removed_ends_the_last_one() -> None:
    first, second = stored(1, NOW - 2 * MONTH, ended_at=NOW - MONTH), stored(2)
    assert after([first, second], None) == [(1, "Gold", NOW - MONTH), (2, "Gold", NOW)]
    over = stored(ends_at=NOW)
    assert decide(OURS, [over], None, NOW) == [over]
    runs_out_later = stored(ends_at=NOW + INSTANT)
    assert after([runs_out_later], None) == [(1, "Gold", NOW)]


@pytest.mark.parametrize(
    ("billing_type", "ended", "wanted_end", "numbers"),
    [
        ("MONTHLY", NOW, NOW + MONTH, [1, 2]),  # its last month is invoiced
        ("MONTHLY", NOW, NOW, [1]),
        ("MONTHLY", NOW + INSTANT, NOW + MONTH, [1]),
        ("PACKAGE", NOW, NOW + MONTH, [1]),
    ],
)
def test_one_that_has_run_out_is_extended_only_if_it_is_a_package(
    billing_type: str, ended: datetime, wanted_end: datetime, numbers: list[int]
) -> None:
    kind = BillingType(billing_type)
    before = stored(billing_type=kind, ends_at=ended)
    found = decide(OURS, [before], terms(billing_type=kind, ends_at=wanted_end), NOW)
    assert [one.id for one in found] == numbers
    assert found[-1].ends_at == wanted_end


def test_a_subscription_that_starts_at_this_very_instant_has_begun() -> None:
    """It is ended, not dropped as a later start is."""
    assert after([stored(starts_at=NOW)], None) == [(1, "Gold", NOW)]
    assert after([stored(starts_at=NOW + INSTANT)], None) == []


def test_of_several_only_the_last_is_ended() -> None:
    ended = stored(1, NOW - 2 * MONTH, ended_at=NOW - MONTH)
    last = stored(2, NOW - MONTH, ends_at=NOW + MONTH)
    assert after([ended, last], None) == [(1, "Gold", NOW - MONTH), (2, "Gold", NOW)]
