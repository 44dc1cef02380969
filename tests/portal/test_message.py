"""The page of one message: what the guest saw, what became of it, its events and its charge."""

from typing import Any

import pytest

from tests.support.billing import FAILS, subscribed
from tests.support.portal import Seen, signed_in, text_of
from tests.support.receiver import Receiver
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import ahead
from tests.support.waiting import settle

CODE = """
[[accounts.templates]]
name = "code"
language = "en"
category = "AUTHENTICATION"
status = "APPROVED"
body = "{{1}} is your verification code."
"""


def send(account: TestAccount, cid: str, to: str = GUEST, **fields: Any) -> None:
    body = {"clientMessageId": cid, "to": to, "templateName": "hello", "templateParams": ["Dana"]}
    answer = account.send(**body | fields)
    assert answer.status_code in (200, 202), answer.text


def timeline(page: Seen) -> list[str]:
    return [text_of(one) for one in page.soup.select(".timeline .chip")]


def events(page: Seen) -> list[str]:
    return [text_of(one) for one in page.soup.select(".deliveries summary")]


def test_a_message_is_told_from_its_text_to_its_events(account: TestAccount) -> None:
    send(account, "order/0001 a")
    account.advance(minutes=1)
    visitor = signed_in(account, "viewer")
    row = visitor.get("/messages").soup.select("tbody tr")[0]
    page = visitor.get(str(row["data-href"]))
    assert (page.status, page.h1) == (200, "Message")
    assert text_of(page.soup.select_one(".bubble-body")) == "Hello Dana"
    assert timeline(page)[-3:] == ["sent", "delivered", "read"]
    assert "taken by the platform" in page.rows()[0][1]
    assert [one.split()[1] for one in events(page)] == ["sent", "delivered", "read"]
    assert all("no URL" in one for one in events(page))
    assert "This message is not charged." in page.main
    assert page.figures()["Number"] == GUEST


def test_a_failure_says_what_to_do(account: TestAccount) -> None:
    send(account, "order-0002", FAILS)
    account.advance(minutes=1)
    error = account.status("order-0002")["error"]
    page = signed_in(account).get("/messages/order-0002")
    assert error["explanation"] in page.main and error["action"] in page.main
    assert error["code"] in page.main


def test_what_waits_says_why_and_until_when(service: TestService) -> None:
    closed = service.account(paused=True)
    send(closed, "order-0003")
    page = signed_in(closed).get("/messages/order-0003")
    assert "It waits: sending is paused." in page.main
    assert "It goes out when sending is resumed." in page.main
    account = service.account()
    send(account, "order-0004", scheduledFor=ahead(hours=3))
    page = signed_in(account).get("/messages/order-0004")
    assert "It is to be sent in 3 hours" in page.main


def test_webhooks_show_how_they_were_delivered(service: TestService, receiver: Receiver) -> None:
    account = service.account(webhookUrl=receiver.url)
    send(account, "order-0005")
    settle(account)
    account.advance(minutes=1)
    receiver.wait_for(3)
    settle(account)
    page = signed_in(account).get("/messages/order-0005")
    assert "Webhook delivered" in events(page)[0]
    assert receiver.url in page.main
    attempt = page.rows(1)[0]
    assert attempt[:2] == ["1", "200"] and attempt[2].endswith("ms")


def test_its_charge_and_its_refund(service: TestService) -> None:
    account = subscribed(service)
    send(account, "order-0006", FAILS)
    account.advance(minutes=1)
    page = signed_in(account).get("/messages/order-0006")
    charge = text_of(page.one("#charge-title").find_next("dl"))
    assert "Unique message" in charge and "refunded" in charge


def test_a_passcode_is_shown_as_dots(service: TestService) -> None:
    account = service.account(CODE)
    answer = account.post(
        "/messages/otp", {"clientMessageId": "otp-0001", "to": GUEST, "code": "482913"}
    )
    assert answer.status_code == 200, answer.text
    page = signed_in(account).get("/messages/otp-0001")
    assert "••••••" in page.main and "482913" not in page.response.text


def test_another_accounts_message_is_an_unknown_one(
    account: TestAccount, service: TestService
) -> None:
    send(account, "order-0007")
    other = signed_in(service.account())
    foreign, unknown = other.get("/messages/order-0007"), other.get("/messages/order-0008")
    assert foreign.status == unknown.status == 404
    assert foreign.h1 == unknown.h1 == "Not found"


@pytest.mark.parametrize("role", ["owner", "sender", "viewer"])
def test_the_phone_is_offered_to_those_who_send(account: TestAccount, role: str) -> None:
    send(account, "order-0009")
    links = signed_in(account, role).get("/messages/order-0009").links()
    assert ("Open the phone" in links) == (role != "viewer")
