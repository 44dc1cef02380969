"""Responses that no service of ours gives: each is a TidingsError, and nothing is done twice."""

import gzip
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.support.plain_http import NO_TLS
from tests.support.receiver import Receiver, drip, raw, reply
from tests.support.service import GUEST
from tidings_client import AsyncTidings, Tidings, TidingsError
from tidings_client.errors import (
    ConfigurationError,
    ConnectionFailedError,
    TimedOutError,
    UnexpectedResponseError,
)

Call = Callable[[Tidings], object]

DRIPPING = drip(body=b" " * 1000, pause=0.02)  # never silent for as long as the time-out


def client_of(receiver: Receiver, **fields: float) -> Tidings:
    settings = {"max_retries": 0, **fields}
    url = receiver.url.removesuffix("/hook")
    return Tidings("td_sandbox_x", url, http=httpx.Client(verify=NO_TLS), **settings)


def failure(call: Call, client: Tidings) -> TidingsError:
    with pytest.raises(TidingsError) as caught:
        call(client)
    assert str(caught.value), "it can be printed"
    return caught.value


def balance(client: Tidings) -> object:
    return client.balance()


def send(client: Tidings) -> object:
    return client.messages.send_text(to=GUEST, template_name="plain")


def messages(client: Tidings) -> object:
    return list(client.messages.list())


@pytest.mark.parametrize("call", [balance, send, messages])
@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{}",
        b"null",
        b'"sent"',
        b'{"success": true}',
        b'{"success": true, "data": null}',
        b'{"success": true, "data": "sent"}',
        b'{"success": false, "data": {}}',
        b'{"success": "true", "data": {}}',
        b'{"success": true, "data": {"status": "se',
        b'{"success": true, "data": [1]}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_a_success_without_its_data_is_none(receiver: Receiver, call: Call, body: bytes) -> None:
    receiver.answer(200, body=body)
    error = failure(call, client_of(receiver))
    assert isinstance(error, UnexpectedResponseError) and error.status == 200


def test_a_time_that_is_none_is_said_to_be_unexpected(receiver: Receiver) -> None:
    for time in (b"5", b'"soon"', b"{}"):
        receiver.answer(200, body=b'{"success": true, "data": {"createdAt": ' + time + b"}}")
        error = failure(lambda client: client.messages.get("order-0001"), client_of(receiver))
        assert isinstance(error, UnexpectedResponseError)


def test_fields_and_values_of_a_newer_service_do_no_harm(receiver: Receiver) -> None:
    receiver.answer(
        200, body=b'{"success": true, "data": {"status": "beamed", "by": null, "x": 1}}'
    )
    result = client_of(receiver).messages.send_text(to=GUEST, template_name="plain")
    assert (result.status, result.client_message_id) == ("beamed", None)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (b'{"code": "INVALID_PHONE", "message": null, "action": 5}', "INVALID_PHONE"),
        (b'{"code": "NEW_RULE"}', "NEW_RULE"),
        (b'{"code": ["A"], "message": "no"}', "UNEXPECTED_RESPONSE"),
        (b'{"code": null}', "UNEXPECTED_RESPONSE"),
        (b'"no"', "UNEXPECTED_RESPONSE"),
    ],
)
def test_an_error_of_another_shape_is_an_error_all_the_same(
    receiver: Receiver, error: bytes, code: str
) -> None:
    receiver.answer(400, body=b'{"success": false, "error": ' + error + b"}")
    assert failure(send, client_of(receiver)).code == code


@pytest.mark.parametrize(
    "wait", ["²", "٣", "-1", "1e9", "9" * 400, "Wed, 21 Oct 2099 07:28:00 GMT"]
)
def test_a_strange_retry_after_is_neither_waited_for_nor_a_fault(
    receiver: Receiver, wait: str
) -> None:
    receiver.answer(429, headers={"Retry-After": wait})
    assert isinstance(failure(send, client_of(receiver)), UnexpectedResponseError)


def test_a_redirect_is_not_followed_so_that_the_key_stays_here(receiver: Receiver) -> None:
    receiver.answer(307, headers={"Location": receiver.url})
    error = failure(send, client_of(receiver, max_retries=3))
    assert f"307 and a redirect to {receiver.url}" in error.message
    assert len(receiver.requests) == 1


def test_a_body_that_is_cut_off_is_a_broken_connection(receiver: Receiver) -> None:
    receiver.answer(
        raw(b'HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"success": true, "data": {}}')
    )
    assert isinstance(failure(send, client_of(receiver)), ConnectionFailedError)
    receiver.answers([reply(200, headers={"Content-Encoding": "gzip"}, body=b"not gzip")])
    assert isinstance(failure(send, client_of(receiver)), ConnectionFailedError)


def test_a_list_that_leads_to_itself_ends(receiver: Receiver) -> None:
    receiver.answer(200, body=b'{"success": true, "data": [], "nextCursor": "again"}')
    assert isinstance(failure(messages, client_of(receiver)), UnexpectedResponseError)
    assert len(receiver.requests) == 2


def test_a_compressed_body_is_read(receiver: Receiver) -> None:
    body = gzip.compress(b'{"success": true, "data": {"status": "sent"}}')
    receiver.answer(200, headers={"Content-Encoding": "gzip"}, body=body)
    result = client_of(receiver).messages.send_text(to=GUEST, template_name="plain")
    assert result.status == "sent"


def test_a_body_that_comes_in_drops_is_a_time_out(receiver: Receiver) -> None:
    receiver.answer(DRIPPING)
    assert isinstance(failure(send, client_of(receiver, timeout=0.3)), TimedOutError)


async def test_the_asynchronous_client_waits_no_longer(receiver: Receiver) -> None:
    receiver.answer(DRIPPING)
    async with httpx.AsyncClient(verify=NO_TLS) as http:
        url = receiver.url.removesuffix("/hook")
        client = AsyncTidings("td_sandbox_x", url, http=http, timeout=0.3, max_retries=0)
        with pytest.raises(TimedOutError):
            await client.balance()


def test_a_batch_that_failed_says_which_ids_to_repeat_it_with(receiver: Receiver) -> None:
    receiver.answer(502, body=b"<html>Bad gateway")
    given = {"to": GUEST, "template_name": "plain", "client_message_id": None}
    items: Any = [given, {**given, "clientMessageId": "mine-0001"}]  # spelled as in the API
    error = failure(
        lambda client: client.messages.send_bulk(messages=items),
        client_of(receiver),
    )
    (request,) = receiver.requests
    sent = [message["clientMessageId"] for message in request.json()["messages"]]
    assert error.client_message_ids == sent and error.client_message_id is None
    assert len(sent[0]) == 36 and sent[1] == "mine-0001"


@pytest.mark.parametrize("name", ["", ".", ".."])
def test_an_id_cannot_lead_to_another_address(receiver: Receiver, name: str) -> None:
    client = client_of(receiver)
    with pytest.raises(ValueError, match="client_message_id must not be"):
        client.messages.get(name)
    with pytest.raises(ValueError, match="number must not be"):
        client.invoices.pdf(name)
    assert not receiver.requests


def test_a_key_or_address_that_is_empty_is_not_taken_from_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An unset variable of the caller's must not turn into another account."""
    monkeypatch.setenv("TIDINGS_API_KEY", "td_live_other")
    with pytest.raises(ConfigurationError, match="no API key"):
        Tidings("")
    with pytest.raises(ConfigurationError, match="must begin with"):
        Tidings("td_live_a", "")


def test_moving_the_clock_has_the_time_that_it_needs() -> None:
    client = Tidings("td_sandbox_x", timeout=5)
    clock = type(client.sandbox).advance_clock.request(60)
    assert client._transport._settings.arguments(clock)["timeout"] == 90
    client.close()
