"""Which terms of a subscription are open, and when the next one ends. Pure."""

from datetime import timedelta
from typing import Any

import pytest

from tests.rules.test_billing_rules import START, at, subscription
from tidings.features.billing import rules
from tidings.features.billing.subscriptions.renew import _first_open as first_open
from tidings.features.billing.subscriptions.renew import _next_span as next_span
from tidings.features.billing.subscriptions.renew import _renewing as renewing

SECOND = at("2026-02-28 09:00")  # when the second term begins
INSTANT = timedelta(microseconds=1)


def test_packages_have_one_term_that_never_renews() -> None:
    monthly, package = subscription(), subscription("PACKAGE")
    assert renewing([monthly, package, subscription("USAGE")]) == [monthly, subscription("USAGE")]


@pytest.mark.parametrize(
    ("fields", "number"),
    [
        ({}, 1),
        ({"ends_at": SECOND + INSTANT}, 1),
        ({"ends_at": SECOND}, None),
        ({"ends_at": SECOND - INSTANT}, None),
        ({"ended_at": SECOND, "ends_at": SECOND + 90 * timedelta(days=1)}, None),
    ],
)
def test_the_next_term_begins_before_the_end(fields: dict[str, Any], number: int | None) -> None:
    one = subscription(**fields)
    found = next_span(one, rules.span(one, 0))
    assert (found.number if found else None) == number


def test_the_open_term_is_the_first_or_what_follows_the_last_closed() -> None:
    one = subscription()
    first = first_open(one, None)
    assert first is not None
    assert first.starts_at >= START
    following = first_open(one, 3)
    assert following is not None
    assert following.number == 4
    assert first_open(subscription(ends_at=SECOND), 0) is None
