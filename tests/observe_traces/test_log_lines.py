"""What is logged while messages, batches, numbers and destinations change."""

import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

import pytest

from tests.support import logs, shell
from tests.support.batches import cancel, item, submit
from tests.support.database import fresh_database
from tests.support.live import LiveAccount
from tests.support.receiver import Receiver
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.text import ahead
from tests.support.waiting import eventually
from tidings.clock import SystemClock
from tidings.engine import log
from tidings.ids import account_ref


class Lines(Protocol):
    def __call__(self, event: str, account: TestAccount | None = None) -> list[dict[str, Any]]: ...


@pytest.fixture
def lines() -> Iterator[Lines]:
    """The log lines of an event, of all levels. A service that another test started may still be
    logging in this process: name the account to get its lines only."""
    out = io.StringIO()

    def find(event: str, account: TestAccount | None = None) -> list[dict[str, Any]]:
        whole = out.getvalue().rpartition("\n")[0].splitlines()
        found = [line for line in map(json.loads, whole) if line["event"] == event]
        ref = account and account_ref(account.id)
        return [line for line in found if ref is None or line.get("account") == ref]

    with logs.restored():
        log.configure(SystemClock(), "debug", out, pretty=False, roles="tests")
        yield find


def test_every_status_of_a_message_is_a_line(account: TestAccount, lines: Lines) -> None:
    account.send(clientMessageId="order-0001", to=GUEST, templateName="plain")
    account.advance(seconds=3)
    [accepted] = lines("message.accepted", account)
    assert (accepted["status"], accepted["level"]) == ("sending", "debug")
    changes = lines("message.changed", account)
    assert {one["message_id"] for one in changes} == {accepted["message_id"]}
    assert [one["status"] for one in changes] == ["sent", "delivered", "read"]


def test_a_waiting_message_says_why_and_when_it_is_sent(account: TestAccount, lines: Lines) -> None:
    account.send(
        clientMessageId="order-0001",
        to=GUEST,
        templateName="plain",
        scheduledFor=ahead(hours=1),
    )
    account.advance(hours=2)
    assert [one["status"] for one in lines("message.accepted", account)] == ["scheduled"]
    assert [one["status"] for one in lines("message.changed", account)][:2] == ["sending", "sent"]


def test_a_refused_request_names_its_account(account: TestAccount, lines: Lines) -> None:
    answer = account.post("/messages/text", {})
    [refused] = lines("request.refused", account)
    assert refused["request_id"] == answer.json()["error"]["requestId"]


def test_a_request_does_not_pass_for_the_account_of_the_one_before_it(lines: Lines) -> None:
    with shell.running(shell.new_shell()) as port, shell.Client(port) as client:
        unknown = shell.request("GET", "/value", key="td_sandbox_unknown")
        client.send(shell.request("GET", "/value") + unknown)  # in one packet
        assert [client.read().status for _ in range(2)] == [200, 401]
    [refused] = lines("request.refused")
    assert "account" not in refused


def test_a_batch_is_accepted_cancelled_and_completed(account: TestAccount, lines: Lines) -> None:
    batch = submit(account, [item(n, scheduledFor=ahead(hours=2)) for n in range(3)])["batchId"]
    cancel(account, batch)
    [accepted], [cancelled] = lines("batch.accepted", account), lines("batch.cancelled", account)
    assert (accepted["batch"], accepted["accepted"]) == (batch, 3)
    assert (cancelled["batch"], cancelled["request_id"][:4]) == (batch, "req_")
    [completed] = lines("batch.completed", account)
    assert (completed["total"], completed["cancelled"]) == (3, True)


def test_a_number_that_changes_is_a_line(account: TestAccount, lines: Lines) -> None:
    number = account.get("/limits").json()["data"]["numbers"][0]["number"]
    answer = account.post(f"/sandbox/v1/senders/{number}", {"quality": "YELLOW"})
    assert answer.status_code == 200, answer.text
    [changed] = lines("number.changed", account)
    assert (changed["field"], changed["after"]) == ("quality", "YELLOW")
    assert number not in json.dumps(changed), "it is masked"


def test_a_destination_is_throttled_and_recovers(
    running_service: TestService, receiver: Receiver, lines: Lines
) -> None:
    receiver.answer(500)
    account = running_service.account(webhookUrl=receiver.url)
    for n in range(10):
        account.send(clientMessageId=f"order-{n:04}", to=GUEST, templateName="plain")
    eventually(lambda: lines("destination.throttled", account))
    receiver.answer(200)
    account.send(clientMessageId="order-last", to=GUEST, templateName="plain")
    eventually(lambda: lines("destination.recovered", account))
    [throttled] = lines("destination.throttled", account)
    assert throttled["host"] == f"127.0.0.1:{receiver.port}"


def test_an_outage_of_the_platform_is_a_line(tmp_path: Path, lines: Lines) -> None:
    settings = {"TIDINGS_GRAPH_URL": "http://127.0.0.1:9"}
    with TestService(fresh_database(), tmp_path, settings=settings) as service:
        account = LiveAccount(service)
        for n in range(3):
            account.send(clientMessageId=f"order-{n:04}", to=GUEST, templateName="plain")
        assert len(lines("platform.lost")) == 1
        assert len(lines("platform.call_failed")) >= 3
