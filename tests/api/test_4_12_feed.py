"""The catch-up feed (section 4.12): every event in order, whatever became of its webhook."""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest

from tests.support.answers import refused
from tests.support.receiver import Receiver, hang
from tests.support.service import TestAccount, TestService
from tests.support.waiting import wait_for_feed, wait_for_requests
from tests.support.webhooks import fail, feed, send


@pytest.fixture
def service(running_service: TestService) -> TestService:
    return running_service


def cids(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["payload"]["data"]["clientMessageId"] for entry in entries]


@pytest.mark.quick
def test_the_feed_has_every_event_oldest_first(account: TestAccount) -> None:
    names = [f"order-{n:04}" for n in range(5)]
    for name in names:
        send(account, name)
    entries = feed(account)
    assert cids(entries) == names
    own = {"id", "type", "createdAt", "environment", "accountId", "data"}
    assert set(entries[0]) == own | {"webhookId", "status", "payload"}
    assert all({name: entry[name] for name in own} == entry["payload"] for entry in entries)
    assert [entry["payload"] for entry in entries] == account.events()
    assert {entry["status"] for entry in entries} == {"waiting"}


def test_it_goes_on_after_the_last_one_read(account: TestAccount) -> None:
    for n in range(5):
        send(account, f"order-{n:04}")
    seen: list[str] = []
    query: dict[str, Any] = {"limit": 2}
    while page := feed(account, **query):
        seen += cids(page)
        query["after"] = page[-1]["webhookId"]
    assert seen == [f"order-{n:04}" for n in range(5)]
    send(account, "order-0009")
    assert cids(feed(account, **query)) == ["order-0009"]


def test_next_cursor_says_whether_there_is_more(account: TestAccount) -> None:
    for n in range(4):
        send(account, f"order-{n:04}")
    wait_for_feed(account)
    first = account.get("/webhooks/events", params={"limit": 2}).json()
    assert first["nextCursor"] == first["data"][-1]["webhookId"]
    last = account.get("/webhooks/events", params={"after": first["nextCursor"], "limit": 2})
    assert len(last.json()["data"]) == 2 and last.json()["nextCursor"] is None


def test_it_tells_what_became_of_each(failing_account: TestAccount, receiver: Receiver) -> None:
    fail(failing_account)
    receiver.answer(200)
    send(failing_account, "order-0002")
    receiver.wait_for(7)
    failing_account.advance(seconds=1)
    receiver.answer(hang())
    send(failing_account, "order-0003")
    assert [entry["status"] for entry in feed(failing_account)] == ["failed", "delivered", "queued"]


def test_after_latest_is_the_newest_alone(account: TestAccount) -> None:
    assert feed(account, after="latest") == []
    for n in range(3):
        send(account, f"order-{n:04}")
    [newest] = feed(account, after="latest")
    assert cids([newest]) == ["order-0002"]
    assert feed(account, after=newest["webhookId"]) == []


def test_a_reader_may_wait_for_what_comes(account: TestAccount) -> None:
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(feed, account, wait=20)
        wait_for_requests(account.service, 1)
        assert feed(account) == []
        assert not waiting.done(), "a request that came later has been answered"
        began = time.monotonic()
        send(account)
        assert cids(waiting.result()) == ["order-0001"]
        assert time.monotonic() - began < 15


def test_but_not_for_ever(service: TestService) -> None:
    began = time.monotonic()
    assert feed(service.account(), wait=1) == []
    assert time.monotonic() - began > 0.9


@pytest.mark.parametrize("after", ["whk_1", "", "whk_" + "0" * 32, "x" * 65])
def test_an_event_we_do_not_have_is_no_place_to_go_on_from(
    account: TestAccount, after: str
) -> None:
    answer = account.get("/webhooks/events", params={"after": after})
    refused(answer, 400, "VALIDATION_ERROR", field="after")


def test_nor_is_anothers(service: TestService) -> None:
    ours, theirs = service.account(), service.account()
    send(ours)
    send(theirs)
    answer = ours.get("/webhooks/events", params={"after": feed(theirs)[0]["webhookId"]})
    refused(answer, 400, "VALIDATION_ERROR", field="after")
    assert len(feed(ours)) == 1


@pytest.mark.parametrize("query", [{"limit": 0}, {"limit": 201}, {"wait": 21}, {"wait": "x"}])
def test_numbers_out_of_range_are_refused(account: TestAccount, query: dict[str, Any]) -> None:
    (field,) = query
    answer = account.get("/webhooks/events", params=query)
    refused(answer, 400, "VALIDATION_ERROR", field=field)


def test_the_feed_is_of_the_accounts_own_time(account: TestAccount) -> None:
    account.advance(days=40)
    send(account)
    [entry] = feed(account)
    ahead = datetime.fromisoformat(entry["createdAt"]).timestamp() - time.time()
    assert 39 * 86400 < ahead < 41 * 86400
    assert json.loads(json.dumps(entry["payload"]))["createdAt"] == entry["createdAt"]
