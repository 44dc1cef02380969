"""An invoice falls overdue: sending pauses, what waits is held, payment resumes it (section 3)."""

from typing import Any

import pytest

from tests.support.billing import (
    at,
    balance,
    charges,
    invoice_toml,
    invoices,
    reapply,
    refusal,
    send,
    sent,
    subscription,
    used,
)
from tests.support.invitations import TEXTS, invite, later, register, reply, texts
from tests.support.service import TestAccount, TestService, require_sound
from tests.support.text import ahead
from tests.support.waiting import eventually
from tidings.features.accounts.lookup import load_accounts
from tidings.features.billing.invoices.settle import void

DUE = "2026-0001"
WAITING = {"deferred", "scheduled", "queued"}


@pytest.fixture
def account(service: TestService) -> TestAccount:
    """One whose invoice falls due in an hour."""
    return service.account(subscription() + invoice_toml(DUE, dueAt=at(hours=1)))


def deferrals(account: TestAccount) -> list[dict[str, Any]]:
    return [event["data"] for event in account.events("message.deferred")]


def pay(account: TestAccount) -> None:
    assert account.post(f"/sandbox/v1/invoices/{DUE}/pay").status_code == 200


def make_void(account: TestAccount) -> None:
    async def work(tx: Any) -> None:
        owner = (await load_accounts(tx, [account.id]))[account.id]
        await void(tx, owner, DUE)

    account.service.call(lambda: account.service.ctx.db.transact(work))


def wait_until_sent(account: TestAccount, cid: str) -> None:
    """In real time: the clock is not advanced, sending resumes by itself."""
    eventually(lambda: account.status(cid)["status"] in ("sent", "delivered", "read"))


def test_new_messages_are_refused_as_soon_as_it_is_due(account: TestAccount) -> None:
    sent(account, 1)
    account.advance(hours=1)
    answer = send(account, 2)
    assert refusal(answer) == "INVOICE_OVERDUE"
    error = answer.json()["error"]
    assert (error["invoiceNumber"], error["amount"], error["currency"]) == (DUE, "10.00", "ILS")
    assert balance(account)["suspended"] is True


def test_what_waits_is_held_and_reported_once(account: TestAccount) -> None:
    sent(account, 1, scheduledFor=ahead(hours=2))
    account.advance(hours=2)
    account.advance(hours=20)
    assert account.status("order-00001")["status"] == "deferred"
    [event] = deferrals(account)
    assert (event["clientMessageId"], event["reason"], event["retryAt"]) == (
        "order-00001", "INVOICE_OVERDUE", None,
    )  # fmt: skip
    assert used(account) == (1, 0), "it stays charged while it waits"


def test_what_is_held_still_expires_and_is_refunded(account: TestAccount) -> None:
    sent(account, 1, scheduledFor=ahead(hours=2), deadline=ahead(hours=3))
    account.advance(hours=4)
    assert account.status("order-00001")["status"] == "expired"
    assert charges(account) == {"order-00001": ("UNIQUE", "REFUNDED")}
    assert used(account) == (0, 0)


@pytest.mark.parametrize("settle", [pay, make_void], ids=["paid", "voided"])
def test_payment_and_voiding_resume_by_themselves(account: TestAccount, settle: Any) -> None:
    sent(account, 1, scheduledFor=ahead(hours=2))
    account.advance(hours=30)
    assert account.status("order-00001")["status"] == "deferred"
    settle(account)
    assert sent(account, 2)["status"] == "sent"
    wait_until_sent(account, "order-00001")
    assert balance(account)["suspended"] is False
    require_sound(account.service)


def test_our_own_text_to_a_guest_waits_too(account: TestAccount) -> None:
    """It costs nothing, so no charge refuses it."""
    register(account, defaults={"expiresAt": later(hours=6)})
    invite(account)
    account.advance(hours=1)
    reply(account, text="who is this?")
    account.advance(minutes=5)
    assert texts(account) == []
    pay(account)
    eventually(lambda: texts(account) == [TEXTS["invalidReply"]])


def test_one_of_two_overdue_invoices_paid_changes_nothing(service: TestService) -> None:
    two = invoice_toml(DUE, dueAt=at(hours=1)) + invoice_toml("2026-0002", dueAt=at(hours=1))
    account = service.account(subscription() + two)
    account.advance(hours=1)
    pay(account)
    answer = send(account, 1)
    assert refusal(answer) == "INVOICE_OVERDUE"
    assert answer.json()["error"]["invoiceNumber"] == "2026-0002"


def test_a_pause_is_named_before_an_invoice(service: TestService) -> None:
    account = service.account(subscription() + invoice_toml(DUE, dueAt=at(hours=1)), paused=True)
    sent(account, 1)
    account.advance(hours=2)
    assert [event["reason"] for event in deferrals(account)] == ["SENDING_PAUSED"]
    reapply(account, subscription() + invoice_toml(DUE, dueAt=at(hours=1)))
    account.advance(hours=2)
    assert [event["reason"] for event in deferrals(account)] == [
        "SENDING_PAUSED",
        "INVOICE_OVERDUE",
    ]


@pytest.mark.parametrize("mode", ["REPORT_ONLY", "OFF"])
def test_where_billing_is_not_enforced_nothing_waits(service: TestService, mode: str) -> None:
    account = service.account(
        subscription() + invoice_toml(DUE, dueAt=at(hours=1)), billingMode=mode
    )
    sent(account, 1, scheduledFor=ahead(hours=2))
    account.advance(hours=3)
    assert account.status("order-00001")["status"] in ("sent", "delivered", "read")


def test_the_months_own_invoice_pauses_the_account_two_weeks_later(
    service: TestService,
) -> None:
    account = service.account(subscription(billingType="MONTHLY", monthlyPrice="9.00"))
    account.advance(days=32)
    sent(account, 1)
    account.advance(days=14)
    answer = send(account, 2)
    assert refusal(answer) == "INVOICE_OVERDUE"
    [invoice] = invoices(account)
    assert answer.json()["error"]["invoiceNumber"] == invoice["number"]
    assert account.post(f"/sandbox/v1/invoices/{invoice['number']}/pay").status_code == 200
    sent(account, 2)
