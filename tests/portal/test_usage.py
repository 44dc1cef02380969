"""Usage in the portal: meters, trend, the day on which the quota ends, the statement as a table and
as CSV, for every way of paying."""

import csv
import io
import re

import pytest

from tests.support.billing import (
    NO_SUBSCRIPTION,
    REFUSED,
    at,
    metered,
    partner_with_member,
    sent,
    subscribed,
)
from tests.support.portal import Seen, Visitor, signed_in, text_of
from tests.support.service import TestAccount, TestService


def section(page: Seen, heading: str) -> str:
    title = page.soup.find("h2", string=re.compile(rf"^\s*{heading}\s*$"))
    assert title is not None, page.main
    return text_of(title.find_parent("section"))


@pytest.fixture(scope="module")
def busy(service: TestService) -> TestAccount:
    """Four messages of a package, one of them refunded."""
    account = subscribed(service, unique=30, followup=5)
    for n in (1, 2):
        sent(account, n)
    sent(account, 3, "972500077700")
    sent(account, 4, "972500077700")
    sent(account, 5, REFUSED)
    return account


def test_the_meters_say_what_is_used_and_left(busy: TestAccount) -> None:
    page = signed_in(busy, "viewer").get("/usage")
    assert (page.status, page.h1) == (200, "Usage")
    left = section(page, "What is left")
    assert "Unique messages 3 / 30" in left and "27 left" in left
    assert "Follow-up messages 1 / 5" in left and "4 left" in left
    assert "Gold active" in left and "in advance, as a package" in left


def test_the_forecast_names_the_day(busy: TestAccount) -> None:
    forecast = section(signed_in(busy).get("/usage"), "Forecast")
    report = busy.get("/usage").json()["data"]["forecast"]
    day = report["unique"]["exhaustedAt"]
    assert "If it goes on as today, it lasts:" in forecast
    assert re.search(rf"Unique messages until {int(day[8:10])} \w+ {day[:4]} 3 a day", forecast)


def test_the_trend_has_a_table_behind_it(busy: TestAccount) -> None:
    page = signed_in(busy).get("/usage")
    assert page.soup.select_one("svg.chart-plot") is not None
    assert [one[1:] for one in page.rows(0)][-1] == ["4", "1"]
    assert len(page.rows(0)) == 30
    longer = signed_in(busy).get("/usage?from=2026-01-01&to=2026-12-31")
    assert "Messages by month" in longer.main and len(longer.rows(0)) == 12


def test_the_statement_has_every_charge(busy: TestAccount) -> None:
    page = signed_in(busy).get("/usage")
    rows = {row[1]: row[2:] for row in page.rows(1)}
    assert rows["order-00004"][:3] == ["972500077700", "Follow-up", "included"]
    assert rows["order-00004"][3] in ("reserved", "settled")
    assert rows["order-00005"][3] == "refunded"
    assert page.links()["order-00004"] == "/portal/messages/order-00004"


def exported(visitor: Visitor, page: Seen) -> list[list[str]]:
    answer = visitor.raw("GET", page.links()["Export CSV"])
    assert answer.headers["content-type"] == "text/csv; charset=utf-8"
    assert "attachment" in answer.headers["content-disposition"]
    return list(csv.reader(io.StringIO(answer.text)))


def test_the_statement_is_exported_as_the_api_does(busy: TestAccount) -> None:
    visitor = signed_in(busy)
    rows = exported(visitor, visitor.get("/usage"))
    assert rows == list(csv.reader(io.StringIO(busy.get("/charges?format=csv").text)))


def test_days_can_be_chosen_and_wrong_ones_are_refused(busy: TestAccount) -> None:
    visitor = signed_in(busy)
    page = visitor.submit(
        visitor.get("/usage"), "Filter", {"From": "2026-01-01", "To": "2026-01-31"}
    )
    assert "No charges in these days" in page.main and "Export CSV" not in page.main
    wrong = visitor.get("/usage?from=2026-02-01&to=2026-01-01")
    assert wrong.status == 422 and "from must not be after to" in wrong.errors[0]
    assert wrong.field("From")["value"] == "2026-02-01"
    assert visitor.raw("GET", "/usage/statement.csv?from=yesterday").status_code == 400


def test_a_long_statement_has_pages(service: TestService) -> None:
    account = subscribed(service, unique=100)
    for n in range(52):
        sent(account, n)
    visitor = signed_in(account)
    first = visitor.get("/usage")
    second = visitor.get(first.links()["Older"])
    names = [row[1] for page in (first, second) for row in page.rows(1)]
    assert names == [f"order-{n:05}" for n in reversed(range(52))]


def test_pay_as_you_go_shows_credit_and_cost(service: TestService) -> None:
    account = metered(service, creditLimit="1.00")
    sent(account, 1)
    page = signed_in(account).get("/usage")
    left = section(page, "What is left")
    assert "Credit used ₪0.20 Credit limit ₪1.00 Credit left ₪0.80" in left
    assert "₪0.20 a unique message, ₪0.10 a follow-up" in left
    assert "₪0.20 before VAT, on the next invoice" in left
    assert "₪0.20 a day" in section(page, "Forecast")
    assert page.rows(1)[0][4] == "₪0.20"
    free = signed_in(metered(service, creditLimit=None)).get("/usage")
    assert "Credit limit none" in free.main


def test_a_month_says_when_it_renews(service: TestService) -> None:
    account = subscribed(service, billingType="MONTHLY", unique=1000, monthlyPrice="9.00")
    sent(account, 1)
    page = signed_in(account).get("/usage")
    assert "Renews" in section(page, "What is left")
    assert "Unique messages until it renews 1 a day" in section(page, "Forecast")


def test_partners_and_their_customers_see_the_capacity(service: TestService) -> None:
    partner, member = partner_with_member(service, "usage-partner", messages=50)
    sent(member, 1)
    page = signed_in(member).get("/usage")
    left = section(page, "What is left")
    assert "use the capacity of the partner usage-partner, which pays for them" in left
    assert "Capacity 1 / 50" in left and "49 left" in left
    assert page.rows(1)[0][3] == "Capacity"
    own = signed_in(partner).get("/usage")
    assert "Partner desk" in section(own, "What is left")
    assert "Capacity 1 / 50" in section(own, "What is left")


def test_without_a_subscription_the_page_says_what_follows(service: TestService) -> None:
    enforced = signed_in(service.account(NO_SUBSCRIPTION, billingMode="ENFORCED"))
    assert "Without one nothing can be sent." in enforced.get("/usage").main
    off = signed_in(service.account(NO_SUBSCRIPTION, billingMode="OFF"))
    assert "are not charged" in off.get("/usage").main
    ended = signed_in(subscribed(service, startsAt=at(days=-9), endsAt=at(days=-1)))
    assert "Gold expired" in ended.get("/usage").main


def test_billing_reads_the_statement_without_links_to_messages(busy: TestAccount) -> None:
    page = signed_in(busy, "billing").get("/usage")
    assert "order-00004" in page.main and "order-00004" not in page.links()
    assert signed_in(busy, None).get("/usage").status == 403
