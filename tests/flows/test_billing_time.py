"""Subscriptions in time, by the sandbox clock: they start, renew, are invoiced, change and end."""

from datetime import UTC, datetime, timedelta
from typing import Any

from tests.support.billing import (
    NO_SUBSCRIPTION,
    REFUSED,
    SENT_ONLY,
    at,
    balance,
    charges,
    invoices,
    metered,
    phone,
    reapply,
    refusal,
    send,
    sent,
    subscribed,
    subscription,
    used,
)
from tests.support.service import GUEST, TestAccount, TestService, require_sound
from tests.support.text import account_now


def lines(invoice: dict[str, Any]) -> list[tuple[str, int, str, str]]:
    return [
        (line["description"].split(",")[0], line["quantity"], line["unitPrice"], line["amount"])
        for line in invoice["lines"]
    ]


def pay(account: TestAccount, number: str) -> None:
    answer = account.post(f"/sandbox/v1/invoices/{number}/pay")
    assert answer.status_code == 200, answer.text


def advance_to(account: TestAccount, timestamp: str) -> None:
    left = datetime.fromisoformat(timestamp) - account_now(account)
    account.advance(seconds=left.total_seconds() + 1)


# A month, invoice by invoice


def test_three_months_of_pay_as_you_go_invoice_by_invoice(service: TestService) -> None:
    account = metered(service, vatPct=18, creditLimit="100.00")
    for n in range(7):
        sent(account, n)  # seven people
    sent(account, 7, phone(0))
    sent(account, 8, phone(1))
    sent(account, 9, REFUSED)  # costs nothing
    advance_to(account, balance(account)["subscription"]["renewsAt"])

    [january] = invoices(account)
    assert (january["kind"], january["status"]) == ("USAGE", "OPEN")
    assert lines(january) == [
        ("Unique messages", 7, "0.20", "1.40"),
        ("Follow-up messages", 2, "0.10", "0.20"),
    ]
    assert (january["subtotal"], january["vatAmount"], january["total"]) == (
        "1.60", "0.29", "1.89",
    )  # fmt: skip
    issued, due = (datetime.fromisoformat(january[name]) for name in ("issuedAt", "dueAt"))
    assert due - issued == timedelta(days=14)
    usage = balance(account)["subscription"]["usage"]
    assert (usage["accrued"], usage["available"]) == ("0.00", "100.00")

    pay(account, january["number"])
    sent(account, 20, phone(0))
    advance_to(account, balance(account)["subscription"]["renewsAt"])
    february = invoices(account)[1]
    assert lines(february) == [("Follow-up messages", 1, "0.10", "0.10")], "known for good"

    pay(account, february["number"])
    advance_to(account, balance(account)["subscription"]["renewsAt"])
    assert len(invoices(account)) == 2, "nobody is sent an invoice of nothing"
    require_sound(service)


def test_a_month_renews_the_quota_and_is_invoiced(service: TestService) -> None:
    account = subscribed(
        service, billingType="MONTHLY", unique=2, followup=1, monthlyPrice="500.00", vatPct=17.5
    )
    sent(account, 1, GUEST)
    sent(account, 2)
    assert refusal(send(account, 3)) == "QUOTA_EXHAUSTED"
    renews = balance(account)["subscription"]["renewsAt"]
    account.advance(seconds=(_timestamp(renews) - account_now(account)).total_seconds() - 5)
    assert refusal(send(account, 3)) == "QUOTA_EXHAUSTED"
    assert invoices(account) == []
    account.advance(seconds=6)
    assert used(account) == (0, 0)
    sent(account, 3, GUEST)
    sent(account, 4)
    kinds = [charges(account)[f"order-{n:05}"][0] for n in (3, 4)]
    assert kinds == ["FOLLOWUP", "UNIQUE"], "the first message within the subscription is unique"
    assert used(account) == (1, 1)
    [invoice] = invoices(account)
    assert lines(invoice) == [("Gold", 1, "500.00", "500.00")]
    assert (invoice["kind"], invoice["total"], invoice["issuedAt"]) == (
        "MONTHLY", "587.50", renews,
    )  # fmt: skip
    require_sound(service)


def test_a_quarter_in_one_step_of_the_clock_issues_each_invoice_once(
    service: TestService,
) -> None:
    account = subscribed(
        service, billingType="MONTHLY", monthlyPrice="10.00", startsAt="2030-10-31T12:00:00Z"
    )
    advance_to(account, "2031-03-31T12:00:00Z")
    issued = [invoice["issuedAt"] for invoice in invoices(account)]
    assert issued == [
        "2030-11-30T12:00:00.000Z", "2030-12-31T12:00:00.000Z", "2031-01-31T12:00:00.000Z",
        "2031-02-28T12:00:00.000Z", "2031-03-31T12:00:00.000Z",
    ]  # fmt: skip
    numbers = [invoice["number"] for invoice in invoices(account)]
    assert numbers == ["2030-0001", "2030-0002", "2031-0001", "2031-0002", "2031-0003"]
    assert {invoice["total"] for invoice in invoices(account)} == {"10.00"}
    require_sound(service)


def test_months_that_were_over_before_we_heard_of_them_are_not_invoiced(
    service: TestService,
) -> None:
    account = subscribed(
        service, billingType="MONTHLY", monthlyPrice="10.00", startsAt=at(days=-400)
    )
    assert invoices(account) == []
    advance_to(account, balance(account)["subscription"]["renewsAt"])
    assert len(invoices(account)) == 1


def test_what_is_refunded_after_its_invoice_is_a_credit_on_the_next(
    service: TestService,
) -> None:
    account = metered(service, startsAt=at(days=-20))
    sent(account, 1, SENT_ONLY)
    sent(account, 2)
    account.advance(days=12)
    [first] = invoices(account)
    assert lines(first) == [("Unique messages", 2, "0.20", "0.40")]
    pay(account, first["number"])
    account.advance(days=19)  # thirty days undelivered
    assert balance(account)["subscription"]["usage"]["accrued"] == "-0.20"
    for n in range(3, 6):
        sent(account, n)
    account.advance(days=15)
    assert lines(invoices(account)[1]) == [("Unique messages", 2, "0.20", "0.40")]
    require_sound(service)


def test_credit_that_a_month_does_not_use_up_goes_to_the_next(service: TestService) -> None:
    account = metered(service, startsAt=at(days=-20), pricePerUnique="0.30")
    sent(account, 1, SENT_ONLY)
    account.advance(days=12)
    pay(account, invoices(account)[0]["number"])
    account.advance(days=31)
    assert len(invoices(account)) == 1
    assert balance(account)["subscription"]["usage"]["accrued"] == "-0.30"
    for n in range(2, 4):
        sent(account, n)
    account.advance(days=31)
    assert lines(invoices(account)[1]) == [
        ("Unique messages", 2, "0.30", "0.60"),
        ("Credit from the month before", 1, "-0.30", "-0.30"),
    ]
    assert invoices(account)[1]["total"] == "0.30"
    require_sound(service)


# Changes by the file


def test_a_larger_quota_leaves_what_was_used(service: TestService) -> None:
    account = subscribed(service, unique=1, followup=0)
    sent(account, 1)
    assert refusal(send(account, 2)) == "QUOTA_EXHAUSTED"
    reapply(account, subscription(unique=3, followup=0))
    sent(account, 2)
    assert used(account) == (2, 0)
    reapply(account, subscription(unique=1, followup=0))
    assert refusal(send(account, 3)) == "QUOTA_EXHAUSTED"
    assert balance(account)["subscription"]["unique"] == {"quota": 1, "used": 2, "remaining": 0}
    require_sound(service)


def test_applying_the_same_file_changes_nothing(service: TestService) -> None:
    account = subscribed(service, billingType="MONTHLY", monthlyPrice="1.00")
    sent(account, 1)
    before = balance(account)
    for _ in range(2):
        reapply(account, subscription(billingType="MONTHLY", monthlyPrice="1.00"))
    assert balance(account) == before
    query = "SELECT count(*) AS n FROM subscriptions WHERE account_id = $1"
    assert service.sql(query, account.id) == [{"n": 1}]


def test_another_package_begins_anew_and_the_old_one_is_invoiced(service: TestService) -> None:
    account = metered(service)
    sent(account, 1, GUEST)
    reapply(account, subscription(package="Platinum"))
    account.advance(seconds=1)
    assert balance(account)["subscription"]["package"] == "Platinum"
    assert [lines(one) for one in invoices(account)] == [[("Unique messages", 1, "0.20", "0.20")]]
    sent(account, 2, GUEST)
    assert used(account) == (1, 0)
    require_sound(service)


def test_a_package_bought_for_later_takes_over_when_it_starts(service: TestService) -> None:
    account = subscribed(service, unique=1, followup=0)
    sent(account, 1)
    reapply(account, subscription(unique=5, startsAt=at(days=10)))
    assert used(account) == (1, 0)
    assert refusal(send(account, 2)) == "QUOTA_EXHAUSTED"
    account.advance(days=10, seconds=5)
    sent(account, 2)
    assert balance(account)["subscription"]["unique"] == {"quota": 5, "used": 1, "remaining": 4}


def test_a_later_start_can_be_called_off(service: TestService) -> None:
    account = subscribed(service, unique=2)
    sent(account, 1)
    reapply(account, subscription(unique=5, startsAt=at(days=10)))
    reapply(account, subscription(unique=2))
    account.advance(days=11)
    plan = balance(account)["subscription"]
    assert (plan["state"], plan["unique"]["used"]) == ("ACTIVE", 1)


def test_a_package_that_expired_goes_on_where_it_was_when_it_is_prolonged(
    service: TestService,
) -> None:
    account = subscribed(service, endsAt=at(days=1))
    sent(account, 1)
    account.advance(days=2)
    assert refusal(send(account, 2)) == "SUBSCRIPTION_EXPIRED"
    reapply(account, subscription(endsAt=at(days=9)))
    sent(account, 2)
    assert used(account) == (2, 0)


def test_a_monthly_subscription_that_ended_begins_anew_when_it_is_prolonged(
    service: TestService,
) -> None:
    fields = {"billingType": "MONTHLY", "monthlyPrice": "5.00"}
    account = subscribed(service, endsAt=at(days=10), **fields)
    sent(account, 1)
    account.advance(days=12)
    assert len(invoices(account)) == 1, "a month that has begun is invoiced"
    reapply(account, subscription(endsAt=at(days=100), **fields))
    sent(account, 2)
    assert used(account) == (1, 0)
    account.advance(days=13)
    require_sound(service)


def test_a_new_price_is_for_new_messages(service: TestService) -> None:
    prices = {"billingType": "USAGE", "unique": None, "followup": None}
    account = metered(service, creditLimit="9.00")
    sent(account, 1)
    reapply(account, subscription(**prices, pricePerUnique="0.30", creditLimit="9.00"))
    sent(account, 2)
    sent(account, 3, REFUSED)
    assert balance(account)["subscription"]["usage"]["accrued"] == "0.50"
    account.advance(days=32)
    assert lines(invoices(account)[0]) == [
        ("Unique messages", 1, "0.20", "0.20"),
        ("Unique messages", 1, "0.30", "0.30"),
    ]
    require_sound(service)


def test_a_subscription_that_is_taken_away_is_invoiced_to_its_end(service: TestService) -> None:
    account = metered(service)
    sent(account, 1)
    reapply(account, NO_SUBSCRIPTION, billingMode="ENFORCED")
    account.advance(seconds=2)
    assert [one["total"] for one in invoices(account)] == ["0.20"]
    assert refusal(send(account, 2)) == "NO_ACTIVE_SUBSCRIPTION"
    account.advance(days=40)
    assert len(invoices(account)) == 1
    require_sound(service)


def test_billing_that_is_off_invoices_nothing(service: TestService) -> None:
    account = service.account(
        subscription(billingType="MONTHLY", monthlyPrice="5.00"), billingMode="OFF"
    )
    account.advance(days=40)
    assert invoices(account) == []


def _timestamp(text: str) -> datetime:
    return datetime.fromisoformat(text).astimezone(UTC)
