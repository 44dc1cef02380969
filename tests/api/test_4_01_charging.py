"""What a message costs, and every 402 of the endpoints that send (4.1 to 4.4, section 7)."""

from typing import Any

import httpx
import pytest

from tests.support import passcodes
from tests.support.batches import bulk, dry_run, named_in
from tests.support.billing import (
    NO_SUBSCRIPTION,
    REFUSED,
    at,
    balance,
    charges,
    invoice_toml,
    metered,
    partner_with_member,
    phone,
    reapply,
    refusal,
    send,
    sent,
    subscribed,
    subscription,
    used,
)
from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService

OVERDUE = invoice_toml(dueAt=at(days=-1))


def otp(account: TestAccount, to: str = GUEST) -> httpx.Response:
    return account.post("/messages/otp", {"to": to, "code": "123456"})


def rich(account: TestAccount, to: str = GUEST) -> httpx.Response:
    body = {"clientMessageId": "rich-0001", "to": to, "message": "Coming?", "templateName": "plain"}
    return account.post("/messages/rich", body | {"buttons": [{"id": "yes", "text": "Yes"}]})


def items(*recipients: str) -> list[dict[str, Any]]:
    return [
        {"clientMessageId": f"item-{n:05}", "to": to, "templateName": "plain"}
        for n, to in enumerate(recipients)
    ]


# Unique and follow-up


def test_the_first_message_to_a_number_is_unique_and_the_next_ones_are_follow_ups(
    service: TestService,
) -> None:
    account = subscribed(service)
    for n in range(3):
        sent(account, n, GUEST)
    sent(account, 3, phone(1))
    assert used(account) == (2, 2)
    kinds = [kind for kind, _ in charges(account).values()]
    assert kinds == ["UNIQUE", "FOLLOWUP", "FOLLOWUP", "UNIQUE"]


def test_a_repeat_is_not_charged_again(service: TestService) -> None:
    account = subscribed(service)
    first, again = sent(account, 1), sent(account, 1)
    assert (first["duplicate"], again["duplicate"]) == (False, True)
    assert used(account) == (1, 0)


def test_a_repeat_is_answered_though_nothing_is_left(service: TestService) -> None:
    account = subscribed(service, unique=1, followup=0)
    sent(account, 1)
    assert refusal(send(account, 2)) == "QUOTA_EXHAUSTED"
    assert sent(account, 1)["duplicate"] is True


def test_who_opted_out_costs_nothing(service: TestService) -> None:
    account = subscribed(service)
    account.reply(GUEST, "hi")
    query = "UPDATE contacts SET opted_out_at = now() WHERE account_id = $1 RETURNING phone"
    sent(account, 1, GUEST)
    assert account.service.sql(query, account.id)
    assert sent(account, 2, GUEST)["status"] == "failed"
    assert used(account) == (1, 0)


def test_what_waits_is_charged_when_it_is_accepted(service: TestService) -> None:
    account = subscribed(service)
    assert sent(account, 1, scheduledFor=at(days=2))["status"] == "scheduled"
    assert used(account) == (1, 0)
    assert charges(account) == {"order-00001": ("UNIQUE", "RESERVED")}


def test_a_refused_request_costs_nothing(service: TestService) -> None:
    account = subscribed(service)
    assert send(account, 1, templateName="nope").status_code == 400
    assert used(account) == (0, 0)


# Refusals


def test_no_subscription_no_message(service: TestService) -> None:
    account = service.account(billingMode="ENFORCED")
    answer = send(account, 1)
    assert refusal(answer) == "NO_ACTIVE_SUBSCRIPTION"
    message = answer.json()["error"]["message"]
    for what in ("[accounts.subscription]", "billingType", "unique", "tidings apply"):
        assert what in message, "it says what to add, and where"
    assert balance(account)["subscription"] is None


def test_a_subscription_that_has_not_started_is_none(service: TestService) -> None:
    account = subscribed(service, startsAt=at(hours=1))
    assert refusal(send(account, 1)) == "NO_ACTIVE_SUBSCRIPTION"
    account.advance(hours=1, seconds=5)
    assert sent(account, 1)["status"] == "sent"


def test_a_subscription_that_has_ended_has_expired(service: TestService) -> None:
    account = subscribed(service, endsAt=at(hours=1))
    sent(account, 1)
    account.advance(hours=1)
    assert refusal(send(account, 2)) == "SUBSCRIPTION_EXPIRED"
    assert balance(account)["subscription"]["state"] == "EXPIRED"


def test_a_subscription_that_is_taken_away_is_none(service: TestService) -> None:
    account = subscribed(service)
    reapply(account, NO_SUBSCRIPTION, billingMode="ENFORCED")
    assert refusal(send(account, 1)) == "NO_ACTIVE_SUBSCRIPTION"
    assert balance(account)["subscription"]["state"] == "CANCELLED"


def test_unique_messages_run_out_and_follow_ups_do_not(service: TestService) -> None:
    account = subscribed(service, unique=1, followup=1)
    sent(account, 1, GUEST)
    assert refusal(send(account, 2)) == "QUOTA_EXHAUSTED"
    sent(account, 3, GUEST)
    assert refusal(send(account, 4, GUEST)) == "FOLLOWUP_QUOTA_EXHAUSTED"
    assert used(account) == (1, 1)


def test_pay_as_you_go_stops_at_its_limit_to_the_cent(service: TestService) -> None:
    account = metered(service, creditLimit="0.50")
    sent(account, 1, GUEST)
    sent(account, 2, GUEST)
    sent(account, 3)
    answer = send(account, 4)
    assert refusal(answer) == "USAGE_CREDIT_LIMIT"
    assert "0.50 ILS" in answer.json()["error"]["message"]
    usage = balance(account)["subscription"]["usage"]
    assert (usage["accrued"], usage["available"]) == ("0.50", "0.00")


def test_without_a_limit_pay_as_you_go_goes_on(service: TestService) -> None:
    account = metered(service, creditLimit=None, pricePerUnique="1000000")
    sent(account, 1)
    usage = balance(account)["subscription"]["usage"]
    assert (usage["accrued"], usage["creditLimit"], usage["available"]) == (
        "1000000.00", None, None,
    )  # fmt: skip


def test_an_overdue_invoice_wins_over_everything_and_says_which_it_is(
    service: TestService,
) -> None:
    account = service.account(OVERDUE, billingMode="ENFORCED")
    answer = send(account, 1)
    assert refusal(answer) == "INVOICE_OVERDUE"
    error = answer.json()["error"]
    assert (error["invoiceNumber"], error["amount"], error["currency"]) == (
        "2026-0001", "10.00", "ILS",
    )  # fmt: skip


def test_every_message_uses_one_of_the_partners_capacity(service: TestService) -> None:
    partner, member = partner_with_member(service, "giver", messages=3)
    sent(member, 1, GUEST)
    sent(member, 2, GUEST)
    sent(partner, 3, GUEST)
    assert refusal(send(member, 4)) == refusal(send(partner, 4)) == "PARTNER_CAPACITY_EXHAUSTED"
    assert balance(member)["capacity"] == {"total": 3, "used": 3, "remaining": 0, "pct": 100}
    assert set(charges(member).values()) == {("CAPACITY", "RESERVED")}


def test_a_partner_agreement_that_has_ended_stops_its_accounts(service: TestService) -> None:
    partner, member = partner_with_member(service, "ender", messages=3, expiresAt=at(hours=1))
    sent(member, 1)
    partner.advance(hours=2)
    assert refusal(send(member, 2)) == refusal(send(partner, 2)) == "PARTNER_CAPACITY_EXPIRED"


@pytest.mark.parametrize("endpoint", [otp, rich], ids=["otp", "rich"])
def test_passcodes_and_rich_messages_are_charged_and_refused_alike(
    service: TestService, endpoint: Any
) -> None:
    account = subscribed(service, TEMPLATES + passcodes.template(), unique=1, followup=0)
    answer = endpoint(account)
    assert answer.status_code == 200, answer.text
    assert used(account) == (1, 0)
    assert refusal(otp(account, to=phone(2))) == "QUOTA_EXHAUSTED"
    assert refusal(otp(account, to=GUEST)) == "FOLLOWUP_QUOTA_EXHAUSTED"


# Batches


def test_quota_that_ends_inside_a_batch_rejects_item_by_item(service: TestService) -> None:
    account = subscribed(service, unique=2, followup=1)
    people = [phone(1), phone(1), phone(2), phone(1), phone(3), phone(4)]
    answer = bulk(account, items(*people))
    assert answer.status_code == 202, answer.text
    data = answer.json()["data"]
    assert named_in(data["accepted"]) == ["item-00000", "item-00001", "item-00002"]
    assert [(one["index"], one["code"]) for one in data["rejected"]] == [
        (3, "FOLLOWUP_QUOTA_EXHAUSTED"), (4, "QUOTA_EXHAUSTED"), (5, "QUOTA_EXHAUSTED"),
    ]  # fmt: skip
    assert used(account) == (2, 1)


@pytest.mark.parametrize(
    ("toml", "code"),
    [
        ("", "NO_ACTIVE_SUBSCRIPTION"),
        (OVERDUE, "INVOICE_OVERDUE"),
        (subscription(startsAt=at(days=-9), endsAt=at(days=-1)), "SUBSCRIPTION_EXPIRED"),
        (subscription(unique=0, followup=0), "QUOTA_EXHAUSTED"),
        (
            subscription(billingType="USAGE", pricePerUnique="1.00", pricePerFollowup="1.00",
                         creditLimit="0.50"),
            "USAGE_CREDIT_LIMIT",
        ),
    ],
    ids=["none", "overdue", "expired", "exhausted", "limit"],
)  # fmt: skip
def test_what_blocks_the_whole_account_answers_the_whole_batch(
    service: TestService, toml: str, code: str
) -> None:
    account = service.account(toml, billingMode="ENFORCED")
    for dry in (None, "true"):
        assert refusal(bulk(account, items(phone(1), phone(2)), dry=dry)) == code
        assert refusal(bulk(account, [None, *items("x", "y")], dry=dry)) == code, "nor a valid item"
    query = "SELECT count(*) AS n FROM messages WHERE account_id = $1"
    assert account.service.sql(query, account.id) == [{"n": 0}]
    batches = account.service.sql("SELECT id FROM batches WHERE account_id = $1", account.id)
    assert batches == [], "nothing is stored"


def test_a_batch_of_nothing_new_is_answered_whatever_blocks_the_account(
    service: TestService,
) -> None:
    account = subscribed(service, unique=2, followup=0)
    batch = items(phone(1), phone(2))
    assert bulk(account, batch).status_code == 202
    data = bulk(account, batch).json()["data"]
    assert named_in(data["duplicates"]) == ["item-00000", "item-00001"]
    mixed = bulk(account, [*batch, *items(*"xx", phone(3))[2:]]).json()["data"]
    assert [one["code"] for one in mixed["rejected"]] == ["QUOTA_EXHAUSTED"]
    assert refusal(bulk(account, items(*"xx", phone(3))[2:])) == "QUOTA_EXHAUSTED"


def test_a_batch_of_rejections_is_answered_where_only_one_kind_is_used_up(
    service: TestService,
) -> None:
    account = subscribed(service, unique=0, followup=1)
    data = bulk(account, [None, *items("x", phone(1))]).json()["data"]
    codes = [one["code"] for one in data["rejected"]]
    assert codes == ["VALIDATION_ERROR", "INVALID_PHONE", "QUOTA_EXHAUSTED"]


def test_a_partner_without_capacity_answers_a_batch_of_rejections_too(service: TestService) -> None:
    _, member = partner_with_member(service, "emptied")
    assert refusal(bulk(member, [None])) == "PARTNER_CAPACITY_EXHAUSTED"
    _, member = partner_with_member(service, "over", expiresAt=at(days=-1))
    assert refusal(bulk(member, [None])) == "PARTNER_CAPACITY_EXPIRED"


# Modes


def test_report_only_counts_and_never_blocks(service: TestService) -> None:
    account = service.account(
        subscription(unique=1, followup=0) + OVERDUE, billingMode="REPORT_ONLY"
    )
    for n in range(3):
        assert sent(account, n)["status"] == "sent"
    sent(account, 9, phone(1))
    found = balance(account)
    assert (found["billingMode"], found["suspended"]) == ("REPORT_ONLY", False)
    assert found["subscription"]["unique"] == {"quota": 1, "used": 3, "remaining": 0}
    reapply(account, subscription(unique=5, followup=0), billingMode="ENFORCED")
    assert used(account) == (3, 1)


def test_report_only_goes_on_beyond_a_credit_limit(service: TestService) -> None:
    prices = {"pricePerUnique": "0.20", "creditLimit": "0.20", "unique": None, "followup": None}
    section = subscription(billingType="USAGE", **prices)
    account = service.account(section, billingMode="REPORT_ONLY")
    for n in range(3):
        assert sent(account, n)["status"] == "sent"
    assert balance(account)["subscription"]["usage"]["accrued"] == "0.60"


def test_report_only_needs_no_subscription(service: TestService) -> None:
    account = service.account(billingMode="REPORT_ONLY")
    assert sent(account, 1)["status"] == "sent"
    assert charges(account) == {}


def test_report_only_takes_of_a_partner_what_is_there(service: TestService) -> None:
    partner, _ = partner_with_member(service, "lenient", messages=1)
    member = service.account(billingMode="REPORT_ONLY", belongsTo="lenient")
    for n in range(3):
        assert sent(member, n, REFUSED if n == 2 else None)["status"] in ("sent", "failed")
    assert balance(member)["capacity"]["used"] == 1
    assert len(charges(member)) == 3
    assert refusal(send(partner, 5)) == "PARTNER_CAPACITY_EXHAUSTED"


def test_report_only_is_counted_where_the_partner_has_no_capacity(service: TestService) -> None:
    partner_with_member(service, "penniless")
    member = service.account(billingMode="REPORT_ONLY", belongsTo="penniless")
    sent(member, 1)
    sent(member, 2, phone(1))
    sent(member, 3, REFUSED)
    assert balance(member)["capacity"]["used"] == 0, "no more can be used than there is"
    assert [kind for kind, _ in charges(member).values()] == ["CAPACITY"] * 3
    totals = member.get("/usage").json()["data"]["totals"]
    assert (totals["messages"], totals["refunded"]) == (3, 1)


def test_off_counts_nothing(service: TestService) -> None:
    account = service.account(subscription(unique=0) + OVERDUE, billingMode="OFF")
    assert sent(account, 1)["status"] == "sent"
    account.advance(seconds=5)
    found = balance(account)
    assert (found["billingMode"], found["suspended"]) == ("OFF", False)
    assert used(account) == (0, 0)
    assert charges(account) == {}


# Asking first


def test_a_dry_run_says_what_it_would_cost_and_costs_nothing(service: TestService) -> None:
    account = subscribed(service, unique=2, followup=1)
    sent(account, 1, phone(1))
    asked = dry_run(account, items(phone(1), phone(2), phone(3)))
    assert asked["cost"] == {"unique": 1, "followup": 1}
    assert [one["code"] for one in asked["rejected"]] == ["QUOTA_EXHAUSTED"]
    assert used(account) == (1, 0)


def test_a_dry_run_is_refused_as_the_real_thing(service: TestService) -> None:
    account = subscribed(service, unique=0, followup=0)
    dry = {"X-Dry-Run": "true"}
    body = {"clientMessageId": "order-0001", "to": GUEST, "templateName": "plain"}
    assert refusal(account.post("/messages/text", body, headers=dry)) == "QUOTA_EXHAUSTED"
