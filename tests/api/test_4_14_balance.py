"""GET /balance (4.14, 2.8), and beside it GET /usage and GET /charges."""

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tests.support.billing import (
    REFUSED,
    at,
    balance,
    invoice_toml,
    metered,
    partner_with_member,
    phone,
    sent,
    subscribed,
    subscription,
)
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import account_now

QUOTAS = {"quota", "used", "remaining"}


def usage(account: TestAccount, **query: Any) -> dict[str, Any]:
    answer = account.get("/usage", params=query)
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def day(account: TestAccount, **offset: float) -> str:
    return (account_now(account) + timedelta(**offset)).date().isoformat()


# GET /balance


@pytest.mark.quick
def test_the_balance_has_the_fields_of_the_specification(service: TestService) -> None:
    account = subscribed(service)
    sent(account, 1, GUEST)
    sent(account, 2, GUEST)
    found = balance(account)
    assert set(found) == {"billingMode", "suspended", "invoices", "subscription"}
    assert (found["billingMode"], found["suspended"], found["invoices"]) == ("ENFORCED", False, [])
    plan = found["subscription"]
    assert (plan["package"], plan["billingType"], plan["state"]) == ("Gold", "PACKAGE", "ACTIVE")
    assert plan["unique"] == {"quota": 10, "used": 1, "remaining": 9}
    assert plan["followup"] == {"quota": 5, "used": 1, "remaining": 4}
    assert "usage" not in plan


def test_pay_as_you_go_adds_its_money(service: TestService) -> None:
    account = metered(service, pricePerFollowup="0.0125", currency="EUR", creditLimit="10.00")
    sent(account, 1, GUEST)
    sent(account, 2, GUEST)
    plan = balance(account)["subscription"]
    assert plan["billingType"] == "USAGE"
    assert plan["usage"] == {
        "currency": "EUR",
        "pricePerUnique": "0.20",
        "pricePerFollowup": "0.0125",
        "accrued": "0.21",
        "creditLimit": "10.00",
        "available": "9.79",
    }


def test_a_monthly_subscription_says_when_it_renews_and_ends(service: TestService) -> None:
    account = subscribed(
        service,
        billingType="MONTHLY",
        startsAt="2026-01-31T00:00:00Z",
        endsAt="2036-02-29T00:00:00Z",
    )
    plan = balance(account)["subscription"]
    assert plan["startsAt"] == "2026-01-31T00:00:00.000Z"
    assert plan["endsAt"] == "2036-02-29T00:00:00.000Z"
    renews = datetime.fromisoformat(plan["renewsAt"])
    assert timedelta(0) < renews - account_now(account) <= timedelta(days=31)
    following = renews + timedelta(days=1)
    assert renews.day == 31 or following.day == 1, "the 31st, or the last day of its month"


def test_a_subscription_without_an_end_has_none(service: TestService) -> None:
    plan = balance(subscribed(service))["subscription"]
    assert (plan["endsAt"], plan["renewsAt"]) == (None, None)


def test_open_and_overdue_invoices_are_listed_and_overdue_ones_suspend(
    service: TestService,
) -> None:
    invoices = (
        invoice_toml("2026-0001", status="PAID")
        + invoice_toml("2026-0002")
        + invoice_toml("2026-0003", dueAt=at(days=-1))
        + invoice_toml("2026-0004", status="VOID")
    )
    account = service.account(subscription() + invoices)
    found = balance(account)
    assert found["suspended"] is True
    shown = [(one["number"], one["status"]) for one in found["invoices"]]
    assert shown == [("2026-0003", "OVERDUE"), ("2026-0002", "OPEN")]
    assert found["invoices"][0] == {
        name: value
        for name, value in account.get("/invoices/2026-0003").json()["data"].items()
        if name != "lines"
    }


def test_a_partner_has_capacity_in_place_of_a_subscription(service: TestService) -> None:
    partner, member = partner_with_member(service, "shown", messages=8)
    sent(member, 1)
    capacity = {"total": 8, "used": 1, "remaining": 7, "pct": 12}
    assert balance(partner) == {
        "billingMode": "ENFORCED", "suspended": False, "invoices": [], "capacity": capacity,
    }  # fmt: skip
    assert balance(member) == {
        "billingMode": "ENFORCED", "suspended": False, "invoices": [], "partner": "shown",
        "capacity": capacity,
    }  # fmt: skip


def test_the_balance_needs_a_key(service: TestService) -> None:
    assert service.http.get("/api/v1/balance").status_code == 401


# GET /usage


def test_usage_by_day_has_a_row_for_every_day(service: TestService) -> None:
    account = metered(service)
    sent(account, 1, GUEST)
    sent(account, 2, GUEST)
    account.advance(days=2)
    sent(account, 3, REFUSED)
    sent(account, 4)
    found = usage(account, **{"from": day(account, days=-3)})
    assert (found["from"], found["to"]) == (day(account, days=-3), day(account))
    assert [row["period"] for row in found["rows"]] == [day(account, days=n) for n in range(-3, 1)]
    assert [(r["messages"], r["unique"], r["followup"], r["refunded"]) for r in found["rows"]] == [
        (0, 0, 0, 0), (2, 1, 1, 0), (0, 0, 0, 0), (2, 2, 0, 1),
    ]  # fmt: skip
    assert [row["cost"] for row in found["rows"]] == ["0.00", "0.30", "0.00", "0.20"]
    assert found["currency"] == "ILS"
    assert found["totals"] == {
        "messages": 4, "unique": 3, "followup": 1, "refunded": 1, "cost": "0.50",
    }  # fmt: skip


def test_usage_by_month_adds_the_days_up(service: TestService) -> None:
    account = subscribed(service)
    sent(account, 1)
    account.advance(days=31)
    sent(account, 2)
    found = usage(account, groupBy="month", **{"from": day(account, days=-31)})
    messages = {row["period"]: row["messages"] for row in found["rows"]}
    assert messages[day(account, days=-31)[:7]] == messages[day(account)[:7]] == 1
    assert sum(messages.values()) == found["totals"]["messages"] == 2


def test_the_forecast_says_when_the_rest_is_used_up(service: TestService) -> None:
    account = subscribed(service, unique=40, followup=5)
    for n in range(10):
        sent(account, n)
    account.advance(days=1)
    for n in range(10, 20):
        sent(account, n)
    found = usage(account)["forecast"]
    assert found["basedOnDays"] == 2
    assert (found["unique"]["perDay"], found["unique"]["remaining"]) == (10.0, 20)
    ends = datetime.fromisoformat(found["unique"]["exhaustedAt"])
    assert abs(ends - account_now(account) - timedelta(days=2)) < timedelta(minutes=1)
    assert found["followup"] == {"perDay": 0.0, "remaining": 5, "exhaustedAt": None}


def test_what_renews_before_it_runs_out_does_not_run_out(service: TestService) -> None:
    account = subscribed(service, billingType="MONTHLY", unique=100)
    sent(account, 1)
    found = usage(account)["forecast"]["unique"]
    assert (found["remaining"], found["exhaustedAt"]) == (99, None)


def test_the_forecast_of_a_partner_counts_all_its_accounts(service: TestService) -> None:
    partner, member = partner_with_member(service, "foreseen", messages=10)
    for n in range(3):
        sent(member, n)
    sent(partner, 4)
    for account in (partner, member):
        found = usage(account)["forecast"]["capacity"]
        assert (found["perDay"], found["remaining"]) == (4.0, 6)


def test_the_forecast_of_pay_as_you_go_is_about_its_credit(service: TestService) -> None:
    account = metered(service)
    sent(account, 1)
    found = usage(account)["forecast"]["credit"]
    assert (found["perDay"], found["available"]) == ("0.20", "0.80")
    assert found["exhaustedAt"] is not None
    unlimited = metered(service, creditLimit=None)
    assert usage(unlimited)["forecast"] == {"basedOnDays": 1}


def test_without_a_subscription_there_is_no_forecast(account: TestAccount) -> None:
    found = usage(account)
    assert (found["forecast"], found["currency"], len(found["rows"])) == (None, None, 30)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"from": "yesterday"}, "from"),
        ({"to": "2026-02-30"}, "to"),
        ({"from": "2026-03-02", "to": "2026-03-01"}, "from"),
        ({"from": "2025-01-01", "to": "2026-12-31"}, "from"),
        ({"groupBy": "hour"}, "groupBy"),
        ({"until": "2026-01-01"}, "until"),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(
    account: TestAccount, query: dict[str, str], field: str
) -> None:
    answer = account.get("/usage", params=query)
    assert answer.status_code == 400, answer.text
    error = answer.json()["error"]
    assert (error["code"], error["field"]) == ("VALIDATION_ERROR", field)


# GET /charges


def test_every_charge_is_listed_with_what_became_of_it(service: TestService) -> None:
    account = metered(service)
    sent(account, 1, phone(1))
    account.advance(seconds=5)
    sent(account, 2, REFUSED)
    sent(account, 3, phone(1))
    rows = account.get("/charges").json()["data"]
    assert [(r["clientMessageId"], r["kind"], r["state"], r["price"]) for r in rows] == [
        ("order-00003", "FOLLOWUP", "RESERVED", "0.10"),
        ("order-00002", "UNIQUE", "REFUNDED", "0.20"),
        ("order-00001", "UNIQUE", "SETTLED", "0.20"),
    ]
    assert rows[0]["resolvedAt"] is None
    assert rows[2]["resolvedAt"] > rows[2]["chargedAt"]
    assert rows[2] | {"chargedAt": "", "resolvedAt": ""} == {
        "clientMessageId": "order-00001", "to": phone(1), "kind": "UNIQUE", "package": "Gold",
        "price": "0.20", "currency": "ILS", "state": "SETTLED", "chargedAt": "", "resolvedAt": "",
    }  # fmt: skip


def test_the_list_comes_in_pages(service: TestService) -> None:
    account = subscribed(service)
    for n in range(5):
        sent(account, n)
    seen: list[str] = []
    cursor = None
    for _ in range(3):
        query = {"limit": 2} | ({} if cursor is None else {"cursor": cursor})
        answer = account.get("/charges", params=query).json()
        seen += [row["clientMessageId"] for row in answer["data"]]
        cursor = answer["nextCursor"]
    assert seen == [f"order-{n:05}" for n in range(4, -1, -1)]
    assert cursor is None
    assert account.get("/charges", params={"cursor": "nonsense"}).status_code == 400


def test_the_list_can_be_had_for_some_days(service: TestService) -> None:
    account = subscribed(service)
    sent(account, 1)
    account.advance(days=2)
    sent(account, 2)
    account.advance(days=2)
    sent(account, 3)

    def listed(**query: str) -> list[str]:
        rows = account.get("/charges", params=query).json()["data"]
        return [row["clientMessageId"][-1] for row in rows]

    assert listed() == ["3", "2", "1"]
    assert listed(**{"from": day(account, days=-2)}) == ["3", "2"]
    assert listed(to=day(account, days=-2)) == ["2", "1"]
    assert listed(**{"from": day(account, days=-3), "to": day(account, days=-1)}) == ["2"]


def test_the_whole_statement_is_to_be_had_as_csv(service: TestService) -> None:
    account = metered(service)
    sent(account, 1, GUEST)
    sent(account, 2, REFUSED, clientMessageId='odd "id", really')
    answer = account.get("/charges", params={"format": "csv"})
    assert answer.headers["content-type"].startswith("text/csv")
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    listed = account.get("/charges").json()["data"]
    assert rows == [{name: value or "" for name, value in row.items()} for row in listed]
    assert rows[0]["clientMessageId"] == 'odd "id", really'


def test_nobody_sees_the_charges_of_another(service: TestService) -> None:
    account, other = subscribed(service), subscribed(service)
    sent(account, 1)
    assert other.get("/charges").json()["data"] == []
    assert usage(other)["totals"]["messages"] == 0


def test_days_are_those_of_the_accounts_clock(service: TestService) -> None:
    account = subscribed(service)
    account.advance(days=40)
    sent(account, 1)
    assert usage(account)["rows"][-1]["messages"] == 1
    [row] = account.get("/charges").json()["data"]
    assert datetime.fromisoformat(row["chargedAt"]) > datetime.now(UTC) + timedelta(days=39)
