"""Where the events of an occasion and its guests are posted: an event may have its own address."""

from tests.support.invitations import (
    invite,
    register,
    reply,
)
from tests.support.receiver import Receiver
from tests.support.service import TestService

FRIEND = "972501234568"


def test_everything_about_an_event_goes_to_its_own_address(service: TestService) -> None:
    with Receiver() as usual, Receiver() as own:
        account = service.account(webhookUrl=usual.url)
        register(account, callbackUrl=own.url)
        invite(account)
        account.send(clientMessageId="hello-0001", to=FRIEND, templateName="plain")
        reply(account, text="yes")
        reply(account, FRIEND, text="hello")
        account.advance(seconds=3)
        requests = [post.json() for post in own.wait_for(4)]
        assert {body["data"]["clientMessageId"] for body in requests} == {"invite-0001"}
        assert {body["data"]["eventId"] for body in requests} == {"wedding"}
        assert [body["type"] for body in requests].count("guest.confirmed") == 1
        own.verify(account.secret, now=account.service.clock.now().timestamp())
        other = [post.json()["data"]["clientMessageId"] for post in usual.wait_for(4)]
        assert set(other) == {"hello-0001", None}


def test_a_changed_address_is_used_from_then_on(service: TestService) -> None:
    with Receiver() as first, Receiver() as second:
        account = service.account()
        register(account, callbackUrl=first.url)
        invite(account, to="972500009001")
        first.wait_for(1)
        register(account, callbackUrl=second.url)
        reply(account, "972500009001", text="yes")
        assert second.wait_for(1)[0].json()["type"] == "guest.confirmed"
