"""Errors of the client: a class for each code, with what the service said and what to do."""

import pickle
from datetime import datetime
from typing import Any

import httpx
import pytest

from tests.support.partners import partner_of
from tests.support.plain_http import NO_TLS
from tests.support.receiver import Receiver, hang, reply
from tests.support.service import GUEST, TestAccount, TestService
from tidings.engine.http.openapi import error_codes
from tidings.routes import API, EXTENSIONS
from tidings_client import AsyncTidings, Tidings, TidingsError
from tidings_client.errors import (
    ConfigurationError,
    ConnectionFailedError,
    EventLockedError,
    InvalidPhoneError,
    TimedOutError,
    UnexpectedResponseError,
    WebhookVerificationError,
)
from tidings_client.generated.codes import CODES


def client_of(url: str, **fields: float) -> Tidings:
    settings = {"max_retries": 0, **fields}
    return Tidings("td_sandbox_x", url, http=httpx.Client(verify=NO_TLS), **settings)


def test_every_code_has_a_class_with_its_action() -> None:
    codes = error_codes([*API, *EXTENSIONS])
    assert {code.name: code.remedy for code in codes} == {
        name: kind.usual_action for name, kind in CODES.items()
    }


def test_a_refusal_is_an_exception_of_its_code(client: Tidings) -> None:
    with pytest.raises(InvalidPhoneError) as caught:
        client.messages.send_text(to="12", template_name="plain")
    error = caught.value
    assert (error.code, error.status, error.field) == ("INVALID_PHONE", 400, "to")
    assert error.request_id and error.request_id.startswith("req_")
    assert error.doc_url and "INVALID_PHONE" in error.doc_url
    assert "digits only" in error.action
    assert error.client_message_id, "the one that the client made"
    assert str(error).startswith("INVALID_PHONE: ") and error.request_id in str(error)


async def test_the_asynchronous_client_raises_the_same(async_client: AsyncTidings) -> None:
    with pytest.raises(TidingsError) as caught:
        await async_client.messages.get("never-sent-0001")
    assert caught.value.code == "MESSAGE_NOT_FOUND"


def test_further_fields_of_an_error_are_its_details(service: TestService) -> None:
    partner = partner_of(service, creditLimit="1.00")
    client = Tidings(partner.key, service.url, http=httpx.Client(verify=NO_TLS))
    with pytest.raises(TidingsError) as caught:
        client.partner.top_up(messages=1000)
    assert caught.value.code == "CREDIT_LIMIT_EXCEEDED"
    assert caught.value.details["maxTopupMessages"] == 20


def test_a_code_of_a_newer_service_is_a_tidings_error(receiver: Receiver) -> None:
    body = b'{"success": false, "error": {"code": "NEW_RULE", "message": "no", "action": "Wait."}}'
    receiver.answer(409, body=body)
    with pytest.raises(TidingsError) as caught:
        client_of(receiver.url).balance()
    assert type(caught.value) is TidingsError
    assert (caught.value.code, caught.value.action) == ("NEW_RULE", "Wait.")


@pytest.mark.parametrize("answer", [reply(502, body=b"<html>Bad gateway"), reply(200, body=b"[]")])
def test_a_response_that_is_not_the_services_is_said_to_be_so(
    receiver: Receiver, answer: Any
) -> None:
    receiver.answer(answer)
    with pytest.raises(UnexpectedResponseError, match="GET /api/v1/balance was answered with"):
        client_of(receiver.url).balance()


def test_a_service_that_is_not_there_is_a_connection_that_failed(receiver: Receiver) -> None:
    receiver.close()
    with pytest.raises(ConnectionFailedError, match="Check base_url") as caught:
        client_of(receiver.url).balance()
    assert (caught.value.code, caught.value.status) == ("CONNECTION_FAILED", None)


def test_no_answer_in_time_is_a_time_out_that_names_the_message(receiver: Receiver) -> None:
    receiver.answer(hang())
    with pytest.raises(TimedOutError) as caught:
        client_of(receiver.url, timeout=0.2).messages.send_text(to=GUEST, template_name="plain")
    (request,) = receiver.requests
    assert caught.value.client_message_id == request.json()["clientMessageId"]


def test_a_client_without_a_key_says_where_to_put_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TIDINGS_API_KEY", raising=False)
    with pytest.raises(ConfigurationError, match="TIDINGS_API_KEY"):
        Tidings()


@pytest.mark.parametrize(
    ("key", "url", "said"),
    [
        ("td_live_a b", "https://x", "spaces"),
        ("td_live_א", "https://x", "other characters"),
        ("td_live_a", "127.0.0.1:8080", "must begin with https://"),
    ],
)
def test_a_key_or_address_that_cannot_be_is_refused(key: str, url: str, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said) as caught:
        Tidings(key, url)
    assert "td_live_a" not in str(caught.value)


def test_an_unknown_or_missing_argument_is_refused_before_anything_is_sent() -> None:
    send_text: Any = client_of("http://127.0.0.1:1").messages.send_text  # as code without types
    with pytest.raises(TypeError, match=r"send_text\(\): .*'too'"):
        send_text(to=GUEST, too=GUEST)
    with pytest.raises(TypeError, match=r"send_text\(\): .*'to'"):
        send_text()


def test_an_error_travels_between_processes_whole(client: Tidings) -> None:
    with pytest.raises(InvalidPhoneError) as caught:
        client.messages.send_text(to="12", template_name="plain")
    copies = pickle.loads(pickle.dumps([caught.value, WebhookVerificationError("too_old", "Old.")]))
    assert type(copies[0]) is InvalidPhoneError and str(copies[0]) == str(caught.value)
    assert (copies[1].reason, copies[1].message) == ("too_old", "Old.")


def test_only_connections_of_its_own_are_closed(account: TestAccount) -> None:
    with httpx.Client(verify=NO_TLS) as http:
        for _ in range(2):
            with Tidings(account.key, account.service.url, http=http) as client:
                assert client.health().service == "tidings"


def test_key_and_address_come_from_the_environment(
    account: TestAccount, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TIDINGS_API_KEY", account.key)
    monkeypatch.setenv("TIDINGS_URL", account.service.url + "/api/v1/")
    with Tidings(http=httpx.Client(verify=NO_TLS)) as client:
        assert client.balance().billing_mode == "OFF"


def test_a_time_without_a_zone_is_refused_before_it_is_sent(client: Tidings) -> None:
    with pytest.raises(ValueError, match="no time zone"):
        client.messages.send_text(
            to=GUEST, template_name="plain", scheduled_for=datetime(2036, 1, 1)
        )


def test_neither_key_nor_passcode_is_in_a_traceback_of_values(receiver: Receiver) -> None:
    client = client_of(receiver.url)
    request = type(client.messages).send_otp.request(to=GUEST, code="482913")
    assert "482913" not in repr(request)
    assert "td_sandbox_x" not in repr(client._transport._settings)


def test_a_locked_event_says_how_to_go_on() -> None:
    error = EventLockedError("moved", code="EVENT_LOCKED", status=409)
    assert "confirmLockedChange" in str(error)
