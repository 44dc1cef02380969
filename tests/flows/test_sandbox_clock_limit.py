"""Moving a sandbox clock has a time limit, and is done by one call at a time (issue 13)."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.support.database import fresh_database
from tests.support.receiver import Receiver, hang
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import wire
from tests.support.waiting import eventually
from tests.support.webhooks import outcomes, publish_events
from tidings.clock import SystemClock

EVENTS = 300
HOURS = 3


class HurriedClock(SystemClock):
    """Limits of a process are over ten times sooner, so that a test need not wait for them."""

    def monotonic(self) -> float:
        return 10 * super().monotonic()


@pytest.fixture
def service(tmp_path: Path) -> Iterator[TestService]:
    with TestService(fresh_database(), tmp_path, clock=HurriedClock()) as running:
        yield running


@pytest.fixture
def failing_account(service: TestService) -> Iterator[TestAccount]:
    """An account whose receiver hangs, with many events due."""
    with Receiver() as receiver:
        receiver.answer(hang())
        account = service.account(webhookUrl=receiver.url)
        publish_events(account, EVENTS)
        receiver.wait_for(1)
        yield account


def move(account: TestAccount, seconds: int) -> dict[str, Any]:
    answer = account.post("/sandbox/v1/clock", {"advanceSeconds": seconds})
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def updates(service: TestService) -> int:
    found = service.sql("SELECT n_tup_upd AS n FROM pg_stat_user_tables WHERE relname = 'jobs'")
    return found[0]["n"]


def test_a_receiver_that_hangs_does_not_hold_it_up(
    service: TestService, failing_account: TestAccount
) -> None:
    later = {"clientMessageId": "order-0001", "to": GUEST, "templateName": "plain"}
    due = wire(datetime.now(UTC) + timedelta(hours=1))
    assert failing_account.send(**later, scheduledFor=due).status_code == 202
    moved = move(failing_account, HOURS * 3600)
    assert moved["offsetSeconds"] == HOURS * 3600
    assert moved["pending"] >= EVENTS - 10, "what is left is reported"
    eventually(lambda: failing_account.status("order-0001")["status"] == "read")  # all else goes on
    assert failing_account.get("/sandbox/v1/clock").json()["data"]["pending"] >= EVENTS - 10
    assert {row["state"] for row in outcomes(failing_account)} <= {"pending", "waiting"}
    assert updates(service) < 30 * EVENTS, "waiting jobs are not written over and over"


def test_a_call_that_gets_no_turn_is_refused(service: TestService) -> None:
    account = service.account()
    taken = "INSERT INTO clock_locks VALUES ($1, now() + interval '1 hour')"
    service.sql(taken, account.id)
    answer = account.post("/sandbox/v1/clock", {"advanceSeconds": 60})
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "RATE_LIMIT_EXCEEDED")
    assert int(answer.headers["Retry-After"]) > 0
    # The lock of a crashed process expires.
    service.sql("UPDATE clock_locks SET expires_at = now() WHERE account_id = $1", account.id)
    assert move(account, 60) | {"now": ""} == {"now": "", "offsetSeconds": 60, "pending": 0}
    eventually(lambda: service.sql("SELECT FROM clock_locks") == [])
