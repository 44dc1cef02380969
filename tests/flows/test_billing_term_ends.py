"""What happens to a term that ends: when it is closed, what is invoiced, and what is carried on."""

from tests.support.billing import (
    NO_SUBSCRIPTION,
    SENT_ONLY,
    at,
    balance,
    invoices,
    metered,
    reapply,
    sent,
    subscribed,
    subscription,
    used,
)
from tests.support.service import TestService, require_sound

MONTHLY = {"billingType": "MONTHLY", "monthlyPrice": "5.00"}
USAGE = {
    "billingType": "USAGE", "unique": None, "followup": None, "pricePerUnique": "0.20",
    "pricePerFollowup": "0.10", "creditLimit": "1.00",
}  # fmt: skip


def test_what_was_used_is_owed_although_billing_is_off_when_the_month_ends(
    service: TestService,
) -> None:
    account = metered(service)
    sent(account, 1)
    reapply(account, subscription(**USAGE), billingMode="OFF")
    account.advance(days=32)
    assert [one["total"] for one in invoices(account)] == ["0.20"]
    require_sound(service)


def test_a_term_names_its_invoice(service: TestService) -> None:
    account = subscribed(service, **MONTHLY)
    account.advance(days=32)
    [invoice] = invoices(account)
    query = "SELECT invoice_number FROM subscription_terms WHERE account_id = $1 ORDER BY term"
    [closed, *_] = service.sql(query, account.id)
    assert closed == {"invoice_number": invoice["number"]}


def test_of_two_subscriptions_the_one_that_ends_first_is_invoiced_first(
    service: TestService,
) -> None:
    account = subscribed(service, **MONTHLY)
    start = at(days=10)
    reapply(account, subscription(package="Platinum", startsAt=start, **MONTHLY))
    account.advance(days=10, seconds=1)
    [invoice] = invoices(account)
    assert invoice["lines"][0]["description"].startswith("Gold")
    assert invoice["issuedAt"][:19] == start[:19]
    account.advance(days=32)
    _, second = invoices(account)
    assert second["lines"][0]["description"].startswith("Platinum")
    require_sound(service)


def test_credit_of_a_subscription_that_ends_is_not_carried_on(service: TestService) -> None:
    account = metered(service, startsAt=at(days=-20), endsAt=at(days=40))
    sent(account, 1, SENT_ONLY)
    account.advance(days=31)  # thirty days undelivered: refunded after the first month's invoice
    assert balance(account)["subscription"]["usage"]["accrued"] == "-0.20"
    account.advance(days=14)
    assert [one["total"] for one in invoices(account)] == ["0.20"]
    require_sound(service)


def test_a_credit_of_a_millionth_is_carried_on(service: TestService) -> None:
    account = metered(service, startsAt=at(days=-20), pricePerUnique="0.000001")
    sent(account, 1, SENT_ONLY)
    account.advance(days=12)
    account.advance(days=31)
    query = "SELECT carried_micro FROM subscription_terms WHERE account_id = $1 ORDER BY term"
    assert [row["carried_micro"] for row in service.sql(query, account.id)][-1] == -1
    assert invoices(account) == []
    require_sound(service)


def test_a_refund_is_credited_to_the_subscription_that_was_charged(service: TestService) -> None:
    """Not to the first of the account, here a package that is over."""
    account = subscribed(service, unique=1)
    reapply(account, subscription(package="Platinum", **USAGE))
    sent(account, 1, SENT_ONLY)
    account.advance(days=32)
    assert [one["total"] for one in invoices(account)] == ["0.20"]
    assert balance(account)["subscription"]["usage"]["accrued"] == "-0.20"
    require_sound(service)


def test_another_subscription_may_follow_one_that_was_closed(service: TestService) -> None:
    account = metered(service)
    sent(account, 1)
    reapply(account, NO_SUBSCRIPTION)
    account.advance(seconds=2)
    assert len(invoices(account)) == 1
    reapply(account, subscription(package="Platinum", **MONTHLY))
    sent(account, 2)
    assert used(account) == (1, 0)
    charged = account.get("/charges").json()["data"]
    assert [one["package"] for one in charged] == ["Platinum", "Gold"]
    account.advance(days=32)
    assert [one["kind"] for one in invoices(account)] == ["USAGE", "MONTHLY"]
    require_sound(service)
