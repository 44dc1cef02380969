"""The banner of every page that says why sending is paused."""

from collections.abc import Callable

import pytest

from tests.support.billing import (
    NO_SUBSCRIPTION,
    at,
    invoice_toml,
    partner_with_member,
    send,
    subscribed,
    subscription,
)
from tests.support.portal import Seen, signed_in, text_of
from tests.support.service import TestAccount, TestService

Made = Callable[[TestService], TestAccount]


def banner(page: Seen) -> str:
    return text_of(page.soup.select_one("main .banner.warning"))


def overdue(service: TestService) -> TestAccount:
    return service.account(subscription() + invoice_toml(dueAt=at(days=-1)))


def used_up(service: TestService) -> TestAccount:
    account = subscribed(service, unique=1, followup=0)
    assert send(account, 1).status_code in (200, 202)
    return account


def paused(service: TestService, **flags: bool) -> TestAccount:
    return service.account(subscription(), **flags)


REASONS: dict[str, tuple[Made, str]] = {
    "overdue": (overdue, "Invoice 2026-0001 is overdue"),
    "used up": (used_up, "unique messages of the subscription are used up"),
    "none": (lambda service: service.account(NO_SUBSCRIPTION, billingMode="ENFORCED"),
             "has no subscription"),
    "ended": (lambda service: subscribed(service, startsAt=at(days=-9), endsAt=at(days=-1)),
              "subscription has ended"),
    "paused": (lambda service: paused(service, paused=True), "The account is paused"),
    "capacity": (lambda service: partner_with_member(service, "dry-partner")[1],
                 "capacity is used up"),
}  # fmt: skip


@pytest.mark.parametrize("name", REASONS)
def test_every_page_says_why_sending_is_paused(service: TestService, name: str) -> None:
    make, text = REASONS[name]
    shown = banner(signed_in(make(service)).get("/nothing-here"))
    assert shown.startswith("Sending is paused.") and text in shown


def test_an_account_that_sends_has_no_banner(service: TestService) -> None:
    assert banner(signed_in(subscribed(service)).get("/nothing-here")) == ""


def test_the_banner_speaks_the_readers_language(service: TestService) -> None:
    visitor = signed_in(overdue(service))
    visitor.http.headers["accept-language"] = "he"
    assert "חשבונית 2026-0001 באיחור" in banner(visitor.get("/nothing-here"))
