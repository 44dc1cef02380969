"""Guests who want no more messages, or want them again (6.2 guest.opted_out, guest.opted_in)."""

from typing import Any

import pytest

from tests.support import passcodes
from tests.support.inbound import ingest, said, status
from tests.support.invitations import (
    TEXTS,
    get_event,
    guest_events,
    invite,
    kinds,
    later,
    register,
    reply,
    state,
    texts,
)
from tests.support.reading_back import read_all
from tests.support.receiver import Receiver
from tests.support.service import GUEST, TEMPLATES, TestAccount, TestService
from tidings.platforms.port import StatusKind


def is_out(account: TestAccount, number: str = GUEST) -> bool:
    answer = account.post("/optouts/check", {"numbers": [number]})
    found: bool = answer.json()["data"]["numbers"][0]["optedOut"]
    return found


def send(account: TestAccount, cid: str = "order-0001", to: str = GUEST) -> dict[str, Any]:
    answer = account.send(clientMessageId=cid, to=to, templateName="plain")
    data: dict[str, Any] = answer.json()["data"]
    return data


@pytest.mark.parametrize("how", [{"text": "STOP"}, {"text": " stop "}, {"stop": True}])
def test_a_stop_word_opts_out_and_is_no_answer(account: TestAccount, how: dict[str, Any]) -> None:
    register(account)
    invite(account)
    reply(account, **how)
    (event,) = guest_events(account)
    assert event == {"event": "guest.opted_out", "from": GUEST, "source": "reply"}
    assert is_out(account)
    assert (state(account), texts(account)) == ("open", [])
    assert get_event(account)["replies"]["declined"] == 0


LABELLED = """
[[accounts.templates]]
name = "labelled"
body = "Sale!"
buttons = [ { type = "QUICK_REPLY", text = "Yes" }, { type = "QUICK_REPLY", text = "%s" } ]
"""


@pytest.mark.parametrize("label", ["Stop promotions", "הפסקת פרסומות"])
def test_a_button_with_a_stock_label_of_the_platform_opts_out(
    service: TestService, label: str
) -> None:
    account = service.account(LABELLED % label)
    register(account)
    invite(account, templateName="labelled", templateParams=None)
    reply(account, button={"text": label})
    assert kinds(account) == ["guest.opted_out"]
    assert (is_out(account), state(account)) == (True, "open")


def test_who_has_opted_out_gets_nothing_but_passcodes(service: TestService) -> None:
    account = service.account(passcodes.template() + TEMPLATES)
    send(account)
    reply(account, stop=True)
    refused = send(account, "order-0002")
    assert (refused["status"], refused["error"]["code"]) == ("failed", "RECIPIENT_OPTED_OUT")
    passcode = account.post("/messages/otp", {"to": GUEST, "code": "123456"})
    assert passcode.json()["data"]["status"] == "sent", passcode.text


def test_a_start_word_opts_in_again(account: TestAccount) -> None:
    send(account)
    reply(account, stop=True)
    reply(account, text="START")
    assert kinds(account) == ["guest.opted_out", "guest.opted_in"]
    assert guest_events(account)[1] == {"event": "guest.opted_in", "from": GUEST, "source": "reply"}
    assert not is_out(account)
    assert send(account, "order-0002")["status"] == "sent"


def test_a_start_word_of_somebody_who_never_stopped_is_a_word(account: TestAccount) -> None:
    send(account)
    reply(account, text="start")
    assert kinds(account) == ["guest.message"]


def test_a_stop_word_within_a_sentence_is_no_wish(account: TestAccount) -> None:
    send(account)
    reply(account, text="which bus stop is it?")
    assert not is_out(account)
    assert kinds(account) == ["guest.message"]


@pytest.mark.parametrize(
    "text", ["yes but stop texting me", "stop, I'm busy that day", "please stop sending me these"]
)
def test_a_wish_to_hear_no_more_inside_a_sentence_asks_back(
    account: TestAccount, text: str
) -> None:
    """No opt-out that the guest did not mean, no answer: a person finds it among the unclear."""
    register(account)
    invite(account)
    reply(account, text=text)
    assert kinds(account) == ["guest.replied_invalid"]
    assert (is_out(account), state(account)) == (False, "open")
    assert texts(account) == [TEXTS["invalidReply"]]
    (guest,) = read_all(account, "/events/wedding/guests", state="unclear")
    assert (guest["text"], guest["answer"]) == (text, None)


def test_a_request_that_is_the_whole_message_opts_out(account: TestAccount) -> None:
    register(account)
    invite(account)
    reply(account, text="Please stop sending me messages")
    assert kinds(account) == ["guest.opted_out"]
    assert (is_out(account), texts(account)) == (True, [])


def test_every_opt_out_is_published(account: TestAccount) -> None:
    send(account)
    reply(account, stop=True)
    reply(account, stop=True)
    assert kinds(account) == ["guest.opted_out"] * 2


def test_of_several_wishes_in_one_call_the_last_stands(account: TestAccount) -> None:
    send(account)
    words = ["STOP", "start", "STOP", "start"]
    ingest(account, *(said(account, text, id_=f"r{n}") for n, text in enumerate(words)))
    assert kinds(account) == ["guest.opted_out", "guest.opted_in"] * 2
    assert not is_out(account)


def test_the_caption_of_a_photo_is_no_wish(account: TestAccount) -> None:
    send(account)
    reply(account, media={"type": "image", "caption": "STOP"})
    assert not is_out(account)


def test_a_guest_who_opted_out_is_not_nudged_and_answers_all_the_same(account: TestAccount) -> None:
    register(account)
    invite(account)
    reply(account, text="who is this?")
    reply(account, stop=True)
    account.advance(hours=3)
    assert texts(account) == [TEXTS["invalidReply"]]
    reply(account, text="yes")
    assert kinds(account)[-1] == "guest.confirmed"
    reply(account, text="hm?")
    assert texts(account) == [TEXTS["invalidReply"]]


def test_waiting_messages_are_not_sent_to_who_has_opted_out(account: TestAccount) -> None:
    register(account)
    send(account)
    invite(account, scheduledFor=later(hours=1))
    reply(account, stop=True)
    account.advance(hours=2)
    assert account.status("invite-0001")["error"]["code"] == "RECIPIENT_OPTED_OUT"
    assert get_event(account)["sentInvitations"] == 0


# By the platform


def test_a_failure_131050_is_an_opt_out_by_the_platform(account: TestAccount) -> None:
    number = "972500009012"
    send(account, to=number)
    account.advance(seconds=5)
    assert guest_events(account) == [
        {"event": "guest.opted_out", "from": number, "source": "platform"}
    ]
    assert is_out(account, number)
    refused = send(account, "order-0002", number)
    assert refused["error"]["code"] == "RECIPIENT_OPTED_OUT"


def test_it_is_published_once_however_often_the_platform_sends_it(account: TestAccount) -> None:
    number = "972500009001"
    sent = send(account, to=number)
    failed = status(account, sent["messageId"], StatusKind.FAILED, code=131050)
    ingest(account, failed, failed)
    reply(account, number, text="start")
    ingest(account, failed)
    assert kinds(account) == ["guest.opted_out", "guest.opted_in"]
    assert not is_out(account, number)


# Where it is published


def test_an_opt_out_is_about_the_account_and_goes_to_its_address(service: TestService) -> None:
    with Receiver() as usual, Receiver() as own:
        account = service.account(webhookUrl=usual.url)
        register(account, callbackUrl=own.url)
        invite(account, to="972500009001")
        reply(account, "972500009001", stop=True)
        assert usual.wait_for(1)[0].json()["type"] == "guest.opted_out"
        assert [post.json()["type"] for post in own.requests] == ["message.status"]


def test_without_an_address_of_the_account_it_goes_to_the_events(service: TestService) -> None:
    with Receiver() as own:
        account = service.account()
        register(account, callbackUrl=own.url)
        invite(account, to="972500009001")
        reply(account, "972500009001", stop=True)
        kinds_heard = [post.json()["type"] for post in own.wait_for(2)]
        assert kinds_heard == ["message.status", "guest.opted_out"]
