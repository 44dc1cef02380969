"""Webhooks out, black box: envelope, signature, order, and the six attempts (section 6.1)."""

import socket
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any

import pytest

from tests.support import waiting
from tests.support.clock import ManualClock
from tests.support.database import fresh_database
from tests.support.receiver import ReceivedRequest, Receiver, hang, redirect, reply, reset
from tests.support.service import GUEST, TestAccount, TestService, account_toml
from tests.support.webhooks import outcomes, wait_for_states
from tidings.times import to_wire

WAITS = (10, 60, 300, 1800, 7200)  # seconds from a failure to the next attempt
ENVELOPE = {"id", "type", "createdAt", "environment", "accountId", "data"}
ONLY_SENT = "972500009001"  # one event per message


@pytest.fixture(scope="module")
def clock() -> ManualClock:
    return ManualClock(datetime.now(UTC))


@pytest.fixture(scope="module")
def service(clock: ManualClock, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestService]:
    """Time stands still, but for what a test moves."""
    with TestService(fresh_database(), tmp_path_factory.mktemp("data"), clock=clock) as running:
        yield running


def send(account: TestAccount, cid: str = "order-0001", to: str = ONLY_SENT, **more: Any) -> None:
    answer = account.send(clientMessageId=cid, to=to, **({"templateName": "plain"} | more))
    assert answer.status_code in (200, 202), answer.text


def settle(account: TestAccount, receiver: Receiver, count: int) -> list[ReceivedRequest]:
    """All that was received, once it is `count` and the account has no delivery due or running."""
    receiver.wait_for(count)
    waiting.settle(account, "webhooks")
    requests = list(receiver.requests)
    assert len(requests) == count, [h["X-Delivery-Attempt"] for h in requests]
    return requests


def wait_for_state(account: TestAccount, state: str) -> dict[str, Any]:
    """The one webhook, as soon as it is in this state."""
    (row,) = wait_for_states(account, state)
    return row


# The body and the headers


def test_a_post_has_the_envelope_and_the_four_headers(
    service: TestService, clock: ManualClock
) -> None:
    with Receiver() as receiver:
        account = service.account(webhookUrl=receiver.url)
        send(account, meta={"table": 7})
        (request,) = settle(account, receiver, 1)
        receiver.verify(account.secret)
    body = request.json()
    assert request.method == "POST" and request.path == "/hook"
    assert request["Content-Type"].startswith("application/json")
    assert set(body) == ENVELOPE
    assert (body["type"], body["environment"]) == ("message.status", "sandbox")
    assert body["id"] == request["X-Webhook-Id"] and body["id"].startswith("whk_")
    assert body["accountId"].startswith("acc_")
    assert request["X-Delivery-Attempt"] == "1"
    assert int(request["X-Timestamp"]) == int(clock.now().timestamp())
    assert "X-Signature-Previous".lower() not in request.headers
    status = account.status("order-0001")
    assert body["data"] == {
        "clientMessageId": "order-0001",
        "messageId": status["messageId"],
        "to": ONLY_SENT,
        "meta": {"table": 7},
        "status": "sent",
        "at": status["timeline"][-1]["at"],
    }


def test_a_deferral_says_why_and_until_when(service: TestService) -> None:
    with Receiver() as receiver:
        account = service.account(webhookUrl=receiver.url)
        answer = account.send(
            clientMessageId="order-0001", to="972500009022", templateName="plain", meta={"a": 1}
        )
        (request,) = settle(account, receiver, 1)
    body, data = request.json(), answer.json()["data"]
    assert body["type"] == "message.deferred"
    assert (
        body["data"].items()
        >= {
            "clientMessageId": "order-0001",
            "messageId": None,
            "to": "972500009022",
            "meta": {"a": 1},
            "reason": "PLATFORM_UNAVAILABLE",
            "retryAt": data["retryAt"],
        }.items()
    )


def test_a_failure_carries_its_error(service: TestService) -> None:
    with Receiver() as receiver:
        account = service.account(webhookUrl=receiver.url)
        send(account, to="972500009013")
        (request,) = settle(account, receiver, 1)
    data = request.json()["data"]
    assert data["status"] == "failed"
    assert set(data["error"]) == {"code", "explanation", "action", "platformCode"}
    assert data["error"] == account.status("order-0001")["error"]


def test_times_inside_are_the_accounts_and_the_timestamp_is_real(
    service: TestService, clock: ManualClock
) -> None:
    with Receiver() as receiver:
        account = service.account(webhookUrl=receiver.url)
        account.advance(days=100)
        send(account)
        (request,) = settle(account, receiver, 1)
    assert int(request["X-Timestamp"]) == int(clock.now().timestamp())
    body = request.json()
    for timestamp in (body["createdAt"], body["data"]["at"]):
        assert timestamp == to_wire(clock.now() + timedelta(days=100))


def test_a_rotated_secret_signs_beside_the_new_one(service: TestService) -> None:
    old, new = "whsec_" + "a" * 43, "whsec_" + "b" * 43
    with Receiver() as receiver:
        fields = {"name": "two-secrets", "webhookUrl": receiver.url}
        account = service.account(signingSecret=old, **fields)
        service.apply(account_toml(signingSecret=new, **fields))
        send(account)
        settle(account, receiver, 1)
        receiver.verify(new)
        receiver.verify(old, header="X-Signature-Previous")


# The schedule


def test_six_attempts_are_made_each_its_wait_after_the_failure_before(service: TestService) -> None:
    with Receiver() as receiver:
        receiver.answer(500)
        account = service.account(webhookUrl=receiver.url)
        send(account)
        settle(account, receiver, 1)
        moved = 0
        for made, due in enumerate(accumulate(WAITS), start=1):
            account.advance(seconds=due - 1 - moved)
            settle(account, receiver, made)
            account.advance(seconds=1)
            settle(account, receiver, made + 1)
            moved = due
        account.advance(days=3)
        requests = settle(account, receiver, 6)
        receiver.verify(account.secret)
    assert [h["X-Delivery-Attempt"] for h in requests] == ["1", "2", "3", "4", "5", "6"]
    assert len({h["X-Webhook-Id"] for h in requests}) == 1
    assert len({h.body for h in requests}) == 1
    require_schedule(wait_for_state(account, "failed"))


def test_one_great_step_makes_them_all_in_their_own_time(service: TestService) -> None:
    with Receiver() as receiver:
        receiver.answer(500)
        account = service.account(webhookUrl=receiver.url)
        send(account)
        settle(account, receiver, 1)
        account.advance(seconds=sum(WAITS) - 1)
        settle(account, receiver, 5)
        account.advance(seconds=1)
        settle(account, receiver, 6)
    require_schedule(wait_for_state(account, "failed"))


def require_schedule(row: dict[str, Any]) -> None:
    """Six attempts in the account's time, each its wait after the one before it."""
    attempts = row["attempts"]
    assert [attempt["attempt"] for attempt in attempts] == [1, 2, 3, 4, 5, 6]
    times = [datetime.fromisoformat(attempt["at"]) for attempt in attempts]
    for wait, (failed, again) in zip(WAITS, pairwise(times), strict=True):
        assert again - failed == timedelta(seconds=wait)


def test_each_attempt_is_signed_afresh(service: TestService, clock: ManualClock) -> None:
    with Receiver() as receiver:
        receiver.answers([500])
        account = service.account(webhookUrl=receiver.url)
        send(account)
        settle(account, receiver, 1)
        clock.advance(seconds=1)
        account.advance(seconds=11)
        first, second = settle(account, receiver, 2)
        receiver.verify(account.secret)
    assert int(second["X-Timestamp"]) > int(first["X-Timestamp"])
    assert second["X-Signature"] != first["X-Signature"]


def test_a_success_at_the_third_attempt_ends_it(service: TestService) -> None:
    with Receiver() as receiver:
        receiver.answers([500, 503, 200])
        account = service.account(webhookUrl=receiver.url)
        send(account)
        settle(account, receiver, 1)
        for wait in (11, 61, 301, 1801, 7201):
            account.advance(seconds=wait)
        requests = settle(account, receiver, 3)
    assert [h["X-Delivery-Attempt"] for h in requests] == ["1", "2", "3"]
    assert wait_for_state(account, "delivered")


@pytest.mark.parametrize("status", [200, 201, 202, 204, 299])
def test_any_2xx_is_success(service: TestService, status: int) -> None:
    with Receiver() as receiver:
        receiver.answer(status)
        account = service.account(webhookUrl=receiver.url)
        send(account)
        settle(account, receiver, 1)
        assert wait_for_state(account, "delivered")
        account.advance(seconds=11)
        settle(account, receiver, 1)


@pytest.mark.parametrize("status", [300, 304, 400, 401, 404, 410, 429, 500, 503])
def test_anything_else_is_tried_again(service: TestService, status: int) -> None:
    with Receiver() as receiver:
        receiver.answers([status])
        account = service.account(webhookUrl=receiver.url)
        send(account)
        settle(account, receiver, 1)
        account.advance(seconds=11)
        settle(account, receiver, 2)
        assert wait_for_state(account, "delivered")


def test_a_redirect_is_a_failure_and_not_followed(service: TestService) -> None:
    with Receiver() as receiver, Receiver() as elsewhere:
        receiver.answers([redirect(elsewhere.url), redirect(elsewhere.url, 307)])
        account = service.account(webhookUrl=receiver.url)
        send(account)
        settle(account, receiver, 1)
        account.advance(seconds=11)
        settle(account, receiver, 2)
        account.advance(seconds=61)
        settle(account, receiver, 3)
        assert elsewhere.requests == []


def test_a_broken_connection_is_an_attempt(service: TestService) -> None:
    with Receiver() as receiver:
        receiver.answers([reset()])
        account = service.account(webhookUrl=receiver.url)
        send(account)
        receiver.wait_for(1)
        account.advance(seconds=11)
        requests = settle(account, receiver, 2)
    assert requests[1]["X-Delivery-Attempt"] == "2"


def test_a_server_that_is_away_costs_six_attempts_and_then_the_event_is_failed(
    service: TestService,
) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        account = service.account(webhookUrl=f"http://127.0.0.1:{unused.getsockname()[1]}/hook")
        send(account)
        for wait in WAITS:
            account.advance(seconds=wait + 1)
        row = wait_for_state(account, "failed")
    attempts = row["attempts"]
    assert [attempt["attempt"] for attempt in attempts] == [1, 2, 3, 4, 5, 6]
    assert all(attempt["error"] for attempt in attempts)


def test_a_server_that_comes_back_hears_the_same_event(service: TestService) -> None:
    receiver = Receiver()
    port = receiver.port
    account = service.account(webhookUrl=receiver.url)
    receiver.close()
    send(account)
    account.advance(seconds=1)
    with Receiver(port=port) as back:
        account.advance(seconds=10)
        (request,) = settle(account, back, 1)
        back.verify(account.secret)
    assert request["X-Delivery-Attempt"] == "2"


def test_the_failure_of_one_account_does_not_touch_another(service: TestService) -> None:
    with Receiver() as bad, Receiver() as good:
        bad.answer(hang())
        slow, quick = service.account(webhookUrl=bad.url), service.account(webhookUrl=good.url)
        for index in range(20):
            send(slow, f"order-{index:04}", to=f"97250{index:03}9001")
        bad.wait_for(1)
        send(quick)
        settle(quick, good, 1)
        assert {row["state"] for row in outcomes(slow)} == {"pending"}


# Order and number


def test_events_of_a_message_arrive_in_order_also_at_a_slow_server(service: TestService) -> None:
    with Receiver() as receiver:
        receiver.answer(200, delay=0.1)
        account = service.account(webhookUrl=receiver.url)
        for index in range(5):
            send(account, f"order-{index:04}", to=f"9725012340{index:02}")
        account.advance(seconds=3)
        requests = [h.json()["data"] for h in settle(account, receiver, 15)]
    for index in range(5):
        mine = [data for data in requests if data["clientMessageId"] == f"order-{index:04}"]
        assert [data["status"] for data in mine] == ["sent", "delivered", "read"]


def test_a_failed_event_does_not_hold_up_the_next(service: TestService) -> None:
    with Receiver() as receiver:
        receiver.answers([500])
        account = service.account(webhookUrl=receiver.url)
        send(account, to=GUEST)
        settle(account, receiver, 1)
        account.advance(seconds=3)
        requests = settle(account, receiver, 3)
        assert [h.json()["data"]["status"] for h in requests] == ["sent", "delivered", "read"]
        account.advance(seconds=10)
        requests = settle(account, receiver, 4)
    assert requests[3].json()["data"]["status"] == "sent"
    assert requests[3].body == requests[0].body


def test_many_events_are_each_posted_once(service: TestService) -> None:
    with Receiver() as receiver:
        account = service.account(webhookUrl=receiver.url)
        for index in range(60):
            send(account, f"order-{index:04}", to=f"9725012340{index:02}")
        account.advance(seconds=3)
        requests = settle(account, receiver, 180)
        receiver.verify(account.secret)
    assert len({h["X-Webhook-Id"] for h in requests}) == 180
    assert {h["X-Delivery-Attempt"] for h in requests} == {"1"}


def test_a_slow_answer_within_the_time_is_a_success(service: TestService) -> None:
    with Receiver() as receiver:
        receiver.answer(reply(200, delay=1))
        account = service.account(webhookUrl=receiver.url)
        send(account)
        receiver.wait_for(1)
        account.advance(hours=5)  # moving the clock does not make a post in flight late
        assert wait_for_state(account, "delivered")
        assert len(receiver.requests) == 1


# Without an address


def test_without_an_address_events_are_kept_and_not_failed(service: TestService) -> None:
    account = service.account()
    send(account, to=GUEST)
    account.advance(seconds=3)
    account.advance(days=2)
    assert [event["data"]["status"] for event in account.events()] == ["sent", "delivered", "read"]
    assert {row["state"] for row in outcomes(account)} == {"waiting"}
    assert all(not row["attempts"] for row in outcomes(account))


def test_an_address_given_later_hears_what_happens_from_then_on(service: TestService) -> None:
    account = service.account(name="late-address")
    send(account)
    with Receiver() as receiver:
        service.apply(account_toml(name="late-address", webhookUrl=receiver.url))
        send(account, "order-0002", to="972500019001")
        receiver.wait_for(1)
        waiting.settle(account, "webhooks")
        received = [h.json()["data"]["clientMessageId"] for h in receiver.requests]
    assert received.count("order-0002") == 1


def test_an_address_taken_away_fails_nothing(service: TestService) -> None:
    with Receiver() as receiver:
        receiver.answer(500)
        account = service.account(name="address-goes", webhookUrl=receiver.url)
        send(account)
        settle(account, receiver, 1)
    service.apply(account_toml(name="address-goes"))
    for wait in WAITS:
        account.advance(seconds=wait + 1)
    (row,) = outcomes(account)
    assert row["state"] == "waiting", "it waits in the catch-up feed and is not counted as failed"
    assert len(row["attempts"]) == 1
