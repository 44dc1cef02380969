"""Pause all sending: what waits is held, and goes on afterwards; requests are still accepted."""

from collections.abc import Iterator

import pytest

from tests.support.commands import commands
from tests.support.service import GUEST, TestAccount, TestService
from tests.support.waiting import eventually
from tidings.features.audit.lookup import Filter, load_page


@pytest.fixture
def service(running_service: TestService) -> Iterator[TestService]:
    yield running_service
    commands(running_service)("sending", "resume").good()


def send(account: TestAccount, cid: str) -> str:
    answer = account.send(clientMessageId=cid, to=GUEST, templateName="plain")
    assert answer.status_code in (200, 202), answer.text
    status: str = answer.json()["data"]["status"]
    return status


def reason(account: TestAccount, cid: str) -> tuple[str, str | None]:
    status = account.status(cid)
    return status["status"], status.get("reason")


def wait_until_sent(account: TestAccount, cid: str) -> None:
    eventually(lambda: account.status(cid)["status"] in ("sent", "delivered", "read"))


def wait_until_held(account: TestAccount, cid: str) -> None:
    eventually(lambda: reason(account, cid) == ("deferred", "SENDING_PAUSED"))


def ready(account: TestAccount) -> list[str]:
    reasons: list[str] = account.get("/readiness").json()["data"]["reasons"]
    return reasons


def test_all_accounts_are_held_and_go_on(service: TestService) -> None:
    tidings = commands(service)
    accounts = [service.account(defaultTemplate="plain") for _ in range(2)]
    assert all(send(account, "before-it") != "deferred" for account in accounts)
    assert "is now paused" in tidings("sending", "pause").good()
    for account in accounts:
        send(account, "held-one")
        wait_until_held(account, "held-one")
        assert "all sending is paused" in " ".join(ready(account))
        assert not account.get("/sender/health").json()["data"]["readyForSending"]
    assert "was already paused" in tidings("sending", "pause").good()
    shown = tidings("sending", "status", "--json").json()
    assert shown["paused"] and shown["by"]
    assert tidings("sending", "resume").good() == "Sending goes on.\n"
    for account in accounts:
        wait_until_sent(account, "held-one")
        assert "paused" not in " ".join(ready(account))
    assert tidings("sending", "resume").good() == "Sending was not paused.\n"


def test_it_is_audited_once_each_way(service: TestService) -> None:
    tidings = commands(service)
    for word in ("pause", "pause", "resume", "resume"):
        tidings("sending", word).good()
    chosen = Filter(action="sending.")
    entries = service.transact(lambda tx: load_page(tx, chosen)).entries[:2]
    assert [entry.action for entry in entries] == ["sending.resumed", "sending.paused"]
    assert {entry.actor.kind for entry in entries} == {"command"}


def test_a_paused_account_stays_held_when_sending_resumes(service: TestService) -> None:
    tidings = commands(service)
    account = service.account(paused=True)
    tidings("sending", "pause").good()
    send(account, "held-one")
    tidings("sending", "resume").good()
    others = service.account()
    send(others, "after-it")
    wait_until_sent(others, "after-it")
    assert reason(account, "held-one") == ("deferred", "SENDING_PAUSED")
