"""Retries: only where a second request cannot have a second effect, and with the same id."""

from typing import Any

import httpx
import pytest

from tests.clients.python_client.test_every_endpoint import declared
from tests.support.forms import form_toml
from tests.support.plain_http import NO_TLS
from tests.support.receiver import Receiver, reply, reset
from tests.support.service import GUEST, TestAccount
from tidings_client import AsyncTidings, Tidings, TidingsError
from tidings_client.errors import ConnectionFailedError
from tidings_client.exchange import Request
from tidings_client.retries import Retries

SENT = b'{"success": true, "data": {"clientMessageId": "x", "status": "sent"}}'
AT_ONCE = {"Retry-After": "0"}
BUSY = reply(503, headers=AT_ONCE)


def client_of(receiver: Receiver, **settings: int) -> Tidings:
    url = receiver.url.removesuffix("/hook")
    return Tidings("td_sandbox_x", url, http=httpx.Client(verify=NO_TLS), **settings)


@pytest.mark.parametrize("passing", [429, 502, 503, 504])
def test_a_message_is_tried_again_with_the_id_that_the_client_made(
    receiver: Receiver, passing: int
) -> None:
    receiver.answers([reply(passing, headers=AT_ONCE), reply(passing, headers=AT_ONCE)])
    receiver.answer(200, body=SENT)
    client_of(receiver).messages.send_text(to=GUEST, template_name="plain")
    ids = [request.json()["clientMessageId"] for request in receiver.requests]
    assert len(ids) == 3 and len(set(ids)) == 1


async def test_the_asynchronous_client_tries_again_too(receiver: Receiver) -> None:
    receiver.answers([BUSY])
    receiver.answer(200, body=SENT)
    url, http = receiver.url.removesuffix("/hook"), httpx.AsyncClient(verify=NO_TLS)
    async with AsyncTidings("td_sandbox_x", url, http=http) as client:
        await client.messages.send_otp(to=GUEST, code="482913", client_message_id="login-0001")
    assert [one.json()["clientMessageId"] for one in receiver.requests] == ["login-0001"] * 2


def test_every_item_of_a_batch_keeps_its_id(receiver: Receiver) -> None:
    receiver.answers([BUSY])
    receiver.answer(200, body=b'{"success": true, "data": {}}')
    given = {"to": GUEST, "template_name": "plain", "client_message_id": "mine-0001"}
    client_of(receiver).messages.send_bulk(
        messages=[given, {"to": GUEST, "template_name": "plain"}]
    )
    first, second = [request.json()["messages"] for request in receiver.requests]
    assert first == second and first[0]["clientMessageId"] == "mine-0001"
    assert len(first[1]["clientMessageId"]) == 36


def test_a_broken_connection_is_tried_again(receiver: Receiver) -> None:
    receiver.answers([reset()])
    receiver.answer(200, body=SENT)
    client_of(receiver).messages.send_text(to=GUEST, template_name="plain")
    assert len(receiver.requests) == 2


def test_it_gives_up_after_max_retries(receiver: Receiver) -> None:
    receiver.answer(BUSY)
    with pytest.raises(TidingsError) as caught:
        client_of(receiver, max_retries=2).balance()
    assert caught.value.status == 503 and len(receiver.requests) == 3


def test_what_would_be_done_twice_is_not_repeated(receiver: Receiver) -> None:
    client = client_of(receiver)
    receiver.answer(BUSY)
    with pytest.raises(TidingsError):
        client.partner.top_up(messages=10)
    receiver.answer(reset())
    with pytest.raises(ConnectionFailedError):
        client.sandbox.advance_clock(60)
    assert len(receiver.requests) == 2


def test_what_would_be_done_twice_is_the_same_in_both_clients() -> None:
    """retries.test.ts has these too. An upload is none: the service knows its content again."""
    once = {
        f"{kind.__name__.lower()}.{name}"
        for kind, name, endpoint in declared()
        if not endpoint._is_repeatable
    }
    assert once == {
        "partner.top_up", "partner.report_transfer", "links.create", "events.answer",
        "webhooks.retry", "webhooks.retry_since", "sandbox.advance_clock", "sandbox.reply",
        "sandbox.trigger", "sandbox.set_sender", "sandbox.pay_invoice",
    }  # fmt: skip


def test_what_was_refused_by_the_rate_limit_was_not_done(receiver: Receiver) -> None:
    receiver.answers([reply(429, headers=AT_ONCE)])
    receiver.answer(200, body=b'{"success": true, "data": {"messages": 10}}')
    assert client_of(receiver).partner.top_up(messages=10).messages == 10
    assert len(receiver.requests) == 2


def test_a_refusal_is_final(receiver: Receiver) -> None:
    receiver.answer(400, body=b'{"error": {"code": "INVALID_PHONE", "message": "no"}}')
    with pytest.raises(TidingsError):
        client_of(receiver).messages.send_text(to=GUEST, template_name="plain")
    assert len(receiver.requests) == 1


def test_a_message_that_was_sent_before_the_connection_broke_is_sent_once(
    account: TestAccount,
) -> None:
    """The response is lost on its way: the second request is answered with the first's result."""
    lost = LosesFirst(httpx.HTTPTransport(verify=NO_TLS))
    http = httpx.Client(transport=lost)
    client = Tidings(account.key, account.service.url, http=http)
    result = client.messages.send_text(to=GUEST, template_name="plain")
    assert result.duplicate and result.status == "sent" and lost.calls == 2
    assert len(list(client.messages.list())) == 1


def test_a_batch_whose_response_was_lost_can_still_be_found(account: TestAccount) -> None:
    lost = LosesFirst(httpx.HTTPTransport(verify=NO_TLS))
    client = Tidings(account.key, account.service.url, http=httpx.Client(transport=lost))
    result = client.messages.send_bulk(messages=[{"to": GUEST, "template_name": "plain"}])
    assert not result.accepted and not result.rejected
    (again,) = result.duplicates
    first = client.messages.get(again.client_message_id).batch_id
    assert first and first != result.batch_id
    assert client.batches.get(first).accepted == 1
    assert len(list(client.messages.list())) == 1


def test_a_form_that_was_sent_before_the_connection_broke_is_sent_once(
    account: TestAccount,
) -> None:
    owner = account.service.account(form_toml())
    lost = LosesFirst(httpx.HTTPTransport(verify=NO_TLS))
    client = Tidings(owner.key, owner.service.url, http=httpx.Client(transport=lost))
    assert client.feedback.send(form_id="visit", to=GUEST).duplicate


class LosesFirst(httpx.BaseTransport):
    """A network that carries the first request, and loses its response."""

    def __init__(self, under: httpx.HTTPTransport) -> None:
        self._under = under
        self.calls = 0

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.calls += 1
        response = self._under.handle_request(request)
        if self.calls == 1:
            response.read()
            raise httpx.ReadError("connection reset", request=request)
        return response


# How long to wait

GET = Request("GET", "/", None, is_repeatable=True)


def pauses(outcome: httpx.Response, **settings: Any) -> list[float | None]:
    retries = Retries(chance=lambda: 1.0, **settings)
    return [retries.pause_after(GET, outcome, tried) for tried in range(1, 6)]


def test_the_waits_double_up_to_the_longest() -> None:
    assert pauses(httpx.Response(503), most=5, longest_seconds=3) == [0.5, 1.0, 2.0, 3.0, 3.0]


def test_the_waits_differ_from_client_to_client() -> None:
    retries = Retries(chance=lambda: 0.25)
    assert retries.pause_after(GET, httpx.Response(503), 1) == 0.125


def test_retry_after_goes_before_our_own_waits() -> None:
    asked = httpx.Response(429, headers={"retry-after": "7"})
    assert pauses(asked, most=3) == [7.0, 7.0, 7.0, None, None]


def test_a_wait_of_minutes_is_left_to_the_caller() -> None:
    asked = httpx.Response(429, headers={"retry-after": "3600"})
    assert pauses(asked, most=3) == [None] * 5
