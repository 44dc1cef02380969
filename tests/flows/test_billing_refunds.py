"""Anything not delivered is refunded, exactly once; and what a refund frees (section 1, 3)."""

from datetime import datetime, timedelta

import pytest

from tests.support.batches import cancel, submit
from tests.support.billing import (
    FAILS,
    REFUSED,
    SENT_ONLY,
    balance,
    charges,
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
from tests.support.service import GUEST, TestAccount, TestService, require_sound
from tests.support.text import account_now, ahead
from tidings.features.messages.track.status_callbacks import StatusCallback, record_statuses
from tidings.platforms.port import StatusKind, StatusUpdate


def report(account: TestAccount, cid: str, kind: StatusKind) -> None:
    """The platform reports a message's status, late or early."""
    [row] = account.service.sql(
        "SELECT id, platform_id, number FROM messages WHERE account_id = $1"
        " AND client_message_id = $2", account.id, cid,
    )  # fmt: skip
    status = StatusUpdate(
        platform_id=row["platform_id"], status=kind, at=account_now(account),
        send_id=f"{row['id'].hex}.1", failure=None, recipient="",
    )  # fmt: skip
    ctx = account.service.ctx
    account.service.call(
        lambda: ctx.db.transact(
            lambda tx: record_statuses(ctx, tx, [StatusCallback(account.id, status)])
        )
    )


# Each end of a message


def test_delivered_is_settled_and_stays_charged(service: TestService) -> None:
    account = subscribed(service)
    sent(account, 1)
    account.advance(seconds=1)
    assert charges(account) == {"order-00001": ("UNIQUE", "SETTLED")}
    account.advance(days=60)
    assert used(account) == (1, 0)


def test_refused_by_the_platform_is_refunded_at_once(service: TestService) -> None:
    account = subscribed(service)
    assert sent(account, 1, REFUSED)["status"] == "failed"
    assert charges(account) == {"order-00001": ("UNIQUE", "REFUNDED")}
    assert used(account) == (0, 0)


def test_failed_in_a_callback_is_refunded(service: TestService) -> None:
    account = subscribed(service)
    sent(account, 1, FAILS)
    account.advance(seconds=5)
    assert charges(account) == {"order-00001": ("UNIQUE", "REFUNDED")}


def test_past_its_deadline_is_refunded(service: TestService) -> None:
    account = service.account(subscription(), paused=True)
    sent(account, 1, deadline=ahead(hours=1))
    assert used(account) == (1, 0)
    account.advance(hours=1)
    assert account.status("order-00001")["status"] == "expired"
    assert used(account) == (0, 0)


def test_never_delivered_is_refunded_after_thirty_days(service: TestService) -> None:
    account = subscribed(service)
    sent(account, 1, SENT_ONLY)
    account.advance(days=29)
    assert used(account) == (1, 0)
    account.advance(days=2)
    assert charges(account) == {"order-00001": ("UNIQUE", "REFUNDED")}
    assert used(account) == (0, 0)


def test_a_cancelled_batch_is_refunded_whole_and_once(service: TestService) -> None:
    account = subscribed(service)
    later = [
        {"clientMessageId": f"item-{n:05}", "to": phone(n % 3), "templateName": "plain",
         "scheduledFor": ahead(days=1)}
        for n in range(5)
    ]  # fmt: skip
    batch = submit(account, later)["batchId"]
    assert used(account) == (3, 2)
    assert cancel(account, batch)["refunded"] == 5
    assert used(account) == (0, 0)
    cancel(account, batch)
    assert used(account) == (0, 0)
    assert {state for _, state in charges(account).values()} == {"REFUNDED"}


def test_opted_out_while_it_waited_is_refunded(service: TestService) -> None:
    account = service.account(subscription(), paused=True)
    sent(account, 1, GUEST)
    account.reply(GUEST, "STOP")
    reapply(account, subscription())
    account.advance(seconds=5)
    assert account.status("order-00001")["status"] == "failed"
    assert used(account) == (0, 0)


def test_an_unknown_outcome_is_refunded_when_it_is_given_up(service: TestService) -> None:
    account = subscribed(service)
    assert sent(account, 1, "972500009024")["status"] == "sending"
    assert used(account) == (1, 0)
    account.advance(minutes=5)
    assert account.status("order-00001")["error"]["code"] == "UNKNOWN_OUTCOME"
    assert used(account) == (0, 0)


def test_capacity_goes_back_to_the_partner(service: TestService) -> None:
    partner, member = partner_with_member(service, "refunded", messages=1)
    sent(member, 1, REFUSED)
    assert balance(partner)["capacity"]["used"] == 0
    sent(partner, 2, FAILS)
    assert refusal(send(member, 3)) == "PARTNER_CAPACITY_EXHAUSTED"
    partner.advance(seconds=5)
    sent(member, 4)
    assert balance(partner)["capacity"]["used"] == 1
    days = "SELECT term, charged, refunded FROM usage_days WHERE account_id = $1"
    [day] = service.sql(days, partner.id)
    assert day == {"term": 0, "charged": 1, "refunded": 1}, "a refund is counted beside its charge"


def test_money_goes_back_to_the_credit(service: TestService) -> None:
    account = metered(service, creditLimit="0.20")
    sent(account, 1, FAILS)
    assert refusal(send(account, 2)) == "USAGE_CREDIT_LIMIT"
    account.advance(seconds=5)
    assert balance(account)["subscription"]["usage"]["accrued"] == "0.00"
    sent(account, 2)


# Once


def test_delivered_after_the_refund_keeps_the_refund(service: TestService) -> None:
    account = subscribed(service)
    sent(account, 1, FAILS)
    account.advance(seconds=5)
    for kind in (StatusKind.DELIVERED, StatusKind.READ, StatusKind.DELIVERED):
        report(account, "order-00001", kind)
    assert account.status("order-00001")["status"] == "read"
    assert charges(account) == {"order-00001": ("UNIQUE", "REFUNDED")}
    assert used(account) == (0, 0)
    require_sound(service)


def test_what_was_charged_before_billing_was_switched_off_is_still_refunded(
    service: TestService,
) -> None:
    account = subscribed(service)
    sent(account, 1, FAILS)
    sent(account, 2)
    reapply(account, subscription(), billingMode="OFF")
    account.advance(seconds=5)
    assert charges(account) == {
        "order-00001": ("UNIQUE", "REFUNDED"), "order-00002": ("UNIQUE", "SETTLED"),
    }  # fmt: skip
    assert used(account) == (1, 0)


def test_what_was_not_charged_is_not_refunded(service: TestService) -> None:
    account = service.account(subscription(), billingMode="OFF")
    sent(account, 1, FAILS)
    reapply(account, subscription())
    account.advance(seconds=5)
    assert charges(account) == {}
    assert used(account) == (0, 0)


# What a refund frees


def test_a_refunded_unique_message_frees_its_number(service: TestService) -> None:
    account = subscribed(service)
    sent(account, 1, FAILS)
    account.advance(seconds=5)
    sent(account, 2, FAILS)
    assert charges(account)["order-00002"][0] == "UNIQUE"


def test_a_follow_up_that_went_meanwhile_stays_one_and_the_next_is_unique(
    service: TestService,
) -> None:
    account = subscribed(service)
    sent(account, 1, SENT_ONLY)
    account.advance(days=29)
    sent(account, 2, SENT_ONLY)
    assert used(account) == (1, 1)
    account.advance(days=2)
    assert used(account) == (0, 1), "the first was refunded, the follow-up stays charged"
    sent(account, 3, SENT_ONLY)
    sent(account, 4, SENT_ONLY)
    kinds = {cid: kind for cid, (kind, _) in charges(account).items()}
    assert kinds["order-00003"] == "UNIQUE" and kinds["order-00004"] == "FOLLOWUP"
    account.advance(days=29)
    require_sound(service)


def test_a_refunded_follow_up_frees_nothing(service: TestService) -> None:
    account = subscribed(service)
    sent(account, 1, GUEST)
    later = {"scheduledFor": ahead(days=1), "to": GUEST, "templateName": "plain"}
    batch = submit(account, [{"clientMessageId": "item-00001", **later}])["batchId"]
    assert used(account) == (1, 1)
    cancel(account, batch)
    assert used(account) == (1, 0)
    sent(account, 2, GUEST)
    assert used(account) == (1, 1)


@pytest.mark.parametrize("billing_type", ["MONTHLY", "USAGE"])
def test_a_refund_goes_back_to_the_month_that_was_charged(
    service: TestService, billing_type: str
) -> None:
    account = subscribed(
        service, billingType=billing_type, unique=2, pricePerUnique="0.20", monthlyPrice="5.00",
        startsAt=(datetime.now().astimezone() - timedelta(days=20)).isoformat(),
    )  # fmt: skip
    sent(account, 1, SENT_ONLY)
    account.advance(days=15)
    sent(account, 2)
    account.advance(days=14)
    before = balance(account)["subscription"]
    assert before["unique"]["used"] == 1
    account.advance(days=2)
    assert charges(account)["order-00001"] == ("UNIQUE", "REFUNDED")
    after = balance(account)["subscription"]
    assert after["unique"] == before["unique"], "this month was not charged for it"
    if billing_type == "USAGE":
        assert (before["usage"]["accrued"], after["usage"]["accrued"]) == ("0.20", "0.00")
    # Only money is booked in the present month; where none comes back, it is counted where it was.
    terms = "SELECT term FROM usage_days WHERE account_id = $1 AND refunded > 0"
    [booked] = service.sql(terms, account.id)
    assert booked["term"] == (0 if billing_type == "MONTHLY" else 1)
    require_sound(service)
