"""The sandbox's clock, black box (contract.md): it moves by the account's own hand only."""

from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from typing import Any

import pytest

from tests.support.clock import STANDING
from tests.support.names import named
from tests.support.sandbox import clock, plain, require_refused
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.waiting import wait_for_requests


def test_a_new_accounts_clock_is_the_worlds(account: TestAccount) -> None:
    now, offset = clock(account)
    assert offset == 0
    assert abs(now - STANDING.now()) < timedelta(seconds=5)


def test_moving_the_clock_answers_the_new_time_and_adds_up(account: TestAccount) -> None:
    before, _ = clock(account)
    answer = account.post("/sandbox/v1/clock", {"advanceSeconds": 3600})
    assert answer.status_code == 200
    data = answer.json()["data"]
    assert set(data) == {"now", "offsetSeconds", "pending"}
    assert (data["offsetSeconds"], data["pending"]) == (3600, 0)
    moved = datetime.fromisoformat(data["now"]) - before
    assert timedelta(hours=1) <= moved < timedelta(hours=1, seconds=10)
    account.advance(seconds=1)
    assert clock(account)[1] == 3601


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"advanceSeconds": 0},
        {"advanceSeconds": -5},
        {"advanceSeconds": 1.5},
        {"advanceSeconds": "5"},
        {"advanceSeconds": True},
        {"advanceSeconds": None},
        {"advanceSeconds": [5]},
        {"advanceSeconds": 10**12},
        {"advanceSeconds": 10**18},
        {"advanceSeconds": 10**30},
        {"seconds": 5},
        {"advanceSeconds": 5, "now": "2027-01-01T00:00:00Z"},
    ],
    ids=named,
)
def test_a_step_that_is_no_whole_number_of_seconds_ahead_is_refused(
    account: TestAccount, body: dict[str, Any]
) -> None:
    require_refused(account.post("/sandbox/v1/clock", body), "VALIDATION_ERROR")
    assert clock(account)[1] == 0


def test_many_great_steps_end_in_a_refusal_and_not_in_a_fault(account: TestAccount) -> None:
    for _ in range(10):
        account.advance(days=3652)
    require_refused(
        account.post("/sandbox/v1/clock", {"advanceSeconds": 10 * 86_400}), "VALIDATION_ERROR"
    )
    assert clock(account)[1] == 36_520 * 86_400
    account.advance(days=5)
    sent = account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    assert sent.status_code == 200, sent.text
    assert account.get("/balance").status_code == account.get("/limits").status_code == 200


def test_one_accounts_clock_is_not_anothers(service: TestService) -> None:
    one, two = service.account(), service.account()
    plain(two)
    one.advance(days=3)
    assert clock(two)[1] == 0
    assert two.status("order-0001")["status"] == "sent"


def test_what_falls_due_has_happened_before_the_answer(account: TestAccount) -> None:
    for index in range(20):
        plain(account, f"order-{index:04}", to=f"9725012340{index:02}")
    account.advance(seconds=3)
    assert {account.status(f"order-{index:04}")["status"] for index in range(20)} == {"read"}
    assert len(account.events("message.status")) == 60


def test_consequences_of_consequences_have_happened_too(account: TestAccount) -> None:
    account.send(clientMessageId="order-0001", to="972500009020", templateName="plain")
    account.advance(hours=2)  # throttled, so tried again, so sent
    account.advance(seconds=3)
    assert account.status("order-0001")["status"] == "read"


def test_what_happens_meanwhile_keeps_its_own_time(account: TestAccount) -> None:
    sent = plain(account)
    account.advance(days=10)
    timeline = {step["status"]: step["at"] for step in account.status("order-0001")["timeline"]}
    sent_at = datetime.fromisoformat(sent["sentAt"])
    assert datetime.fromisoformat(timeline["read"]) - sent_at == timedelta(seconds=2)


def test_moving_the_clock_with_nothing_due_is_quick_and_harmless(account: TestAccount) -> None:
    for _ in range(5):
        account.advance(days=1)
    assert clock(account)[1] == 5 * 86400
    assert account.events() == []


def test_many_may_move_the_clock_while_others_send(account: TestAccount) -> None:
    def move(_: int) -> int:
        return account.post("/sandbox/v1/clock", {"advanceSeconds": 30}).status_code

    def send(index: int) -> int:
        body = {"clientMessageId": f"order-{index:04}", "to": f"9725012340{index:02}"}
        return account.send(**body, templateName="plain").status_code

    with ThreadPoolExecutor(12) as pool:
        moved, sent = pool.map(move, range(8)), pool.map(send, range(60))
        assert set(moved) == set(sent) == {200}
    assert clock(account)[1] == 240
    account.advance(seconds=10)
    for index in range(60):
        status = account.status(f"order-{index:04}")
        names = [step["status"] for step in status["timeline"]]
        assert names == ["queued", "sending", "sent", "delivered", "read"]
        assert len(status["attempts"]) == 1
    assert len(account.events("message.status")) == 180


def test_one_call_at_a_time_moves_an_accounts_clock(
    service: TestService, account: TestAccount
) -> None:
    service.sql("INSERT INTO clock_locks VALUES ($1, 'infinity')", account.id)
    with ThreadPoolExecutor(1) as hands:
        moving = hands.submit(account.advance, seconds=60)
        wait_for_requests(service, 1)
        other = service.account()
        other.advance(seconds=60)
        assert clock(other)[1] == 60, "a call for another account that came later has ended"
        assert not moving.done() and clock(account)[1] == 0
        service.sql("DELETE FROM clock_locks WHERE account_id = $1", account.id)
        moving.result(timeout=60)
    assert clock(account)[1] == 60
