"""Webhook management (section 4.12): the failed list, retries, and the catch-up feed."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from typing import Any

import pytest

from tests.support.receiver import Receiver, hang
from tests.support.service import TestAccount, TestService, account_toml

ONLY_SENT = "972500009001"  # one event a message
ALL_SIX = 3 * 3600  # seconds: longer than all waits together


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    with Receiver() as listening:
        listening.answer(500)
        yield listening


@pytest.fixture
def account(service: TestService, receiver: Receiver) -> TestAccount:
    return service.account(webhookUrl=receiver.url)


def send(account: TestAccount, cid: str = "order-0001", **more: Any) -> None:
    answer = account.send(clientMessageId=cid, to=ONLY_SENT, templateName="plain", **more)
    assert answer.status_code == 200, answer.text


def fail(account: TestAccount, *cids: str) -> list[dict[str, Any]]:
    """Send messages whose events run out of attempts; the failed list, newest first."""
    for cid in cids or ("order-0001",):
        send(account, cid)
    account.advance(seconds=ALL_SIX)
    return failed(account)


def failed(account: TestAccount, **query: Any) -> list[dict[str, Any]]:
    answer = account.get("/webhooks/failed", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def retry(account: TestAccount, webhook_id: str) -> Any:
    return account.post(f"/webhooks/failed/{webhook_id}/retry")


def refused(answer: Any, status: int, code: str, field: str | None = None) -> None:
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert (error["code"], error.get("field")) == (code, field)


# The failed list


def test_an_event_whose_six_attempts_are_exhausted_is_listed(
    account: TestAccount, receiver: Receiver
) -> None:
    [item] = fail(account)
    assert set(item) == {
        "webhookId", "type", "url", "createdAt", "failedAt", "attempts", "payload",
    }  # fmt: skip
    heard = receiver.wait_for(6)
    assert item["webhookId"] == heard[0]["X-Webhook-Id"]
    assert item["payload"] == heard[0].json()
    assert (item["type"], item["url"]) == ("message.status", receiver.url)
    assert item["createdAt"] == item["payload"]["createdAt"] < item["failedAt"]
    assert [one["attempt"] for one in item["attempts"]] == [1, 2, 3, 4, 5, 6]
    assert {one["status"] for one in item["attempts"]} == {500}
    assert all(set(one) == {"attempt", "at", "status", "error", "ms"} for one in item["attempts"])
    assert item["attempts"][-1]["at"] == item["failedAt"]


def test_an_event_with_attempts_left_is_not(account: TestAccount) -> None:
    send(account)
    account.advance(seconds=10 + 60 + 300 + 1800 + 60)
    assert failed(account) == []


def test_meta_comes_back_as_it_was_given(account: TestAccount) -> None:
    body = b'{"clientMessageId":"order-0001","to":"972500009001","templateName":"plain",'
    body += b'"meta":{"n":12345678901234567890,"f":1.50}}'
    answer = account.service.http.post(
        "/api/v1/messages/text",
        content=body,
        headers=account.headers | {"content-type": "application/json"},
    )
    assert answer.status_code == 200
    account.advance(seconds=ALL_SIX)
    text = account.get("/webhooks/failed").text
    assert '"meta":{"n":12345678901234567890,"f":1.50}' in text


def test_what_the_receiver_says_is_never_shown(account: TestAccount, receiver: Receiver) -> None:
    receiver.answer(500, body=b"internal-secret-page", headers={"X-Inside": "internal-secret"})
    fail(account)
    assert "internal-secret" not in account.get("/webhooks/failed").text


def test_the_newest_come_first_page_by_page(account: TestAccount) -> None:
    cids = [f"order-{n:04}" for n in range(5)]
    for cid in cids:
        fail(account, cid)
    pages, cursor = [], None
    while True:
        query = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        answer = account.get("/webhooks/failed", params=query).json()
        pages.append([item["payload"]["data"]["clientMessageId"] for item in answer["data"]])
        cursor = answer["nextCursor"]
        if cursor is None:
            break
    assert pages == [["order-0004", "order-0003"], ["order-0002", "order-0001"], ["order-0000"]]


def test_events_that_failed_at_one_moment_are_each_listed_once(account: TestAccount) -> None:
    fail(account, *(f"order-{n:04}" for n in range(7)))
    account.service.sql(
        "UPDATE webhooks SET failed_at = now() WHERE account_id = $1 RETURNING 1", account.id
    )
    seen, cursor = [], ""
    while cursor is not None:
        query = {"limit": 3} | ({"cursor": cursor} if cursor else {})
        answer = account.get("/webhooks/failed", params=query).json()
        seen += [item["webhookId"] for item in answer["data"]]
        cursor = answer["nextCursor"]
    assert len(seen) == len(set(seen)) == 7
    assert seen == sorted(seen, reverse=True)


def test_since_leaves_out_what_failed_before(account: TestAccount) -> None:
    for cid in ("order-0001", "order-0002", "order-0003"):
        fail(account, cid)
    newest, middle, _ = failed(account)
    assert failed(account, since=middle["failedAt"]) == [newest, middle]
    assert failed(account, since="2100-01-01T00:00:00+02:00") == []
    assert len(failed(account, since="2000-01-01T00:00:00Z", limit=1)) == 1


@pytest.mark.parametrize("limit", ["0", "201", "-1", "ten", "1.5", ""])
def test_a_limit_outside_1_to_200_is_refused(account: TestAccount, limit: str) -> None:
    answer = account.get("/webhooks/failed", params={"limit": limit})
    refused(answer, 400, "VALIDATION_ERROR", "limit")


@pytest.mark.parametrize("since", ["yesterday", "2026-01-01", "2026-01-01T00:00:00", ""])
def test_a_time_that_is_none_is_refused(account: TestAccount, since: str) -> None:
    answer = account.get("/webhooks/failed", params={"since": since})
    refused(answer, 400, "VALIDATION_ERROR", "since")


@pytest.mark.parametrize("cursor", ["x", "e30", "WyIyMDI2IiwiYSJd", "W251bGwsIiJd", "=" * 9])
def test_a_cursor_we_never_gave_is_refused(account: TestAccount, cursor: str) -> None:
    answer = account.get("/webhooks/failed", params={"cursor": cursor})
    refused(answer, 400, "VALIDATION_ERROR", "cursor")


def test_an_unknown_query_field_is_refused(account: TestAccount) -> None:
    refused(account.get("/webhooks/failed?offset=1"), 400, "VALIDATION_ERROR", "offset")


def test_the_list_of_an_account_without_failures_is_empty(service: TestService) -> None:
    answer = service.account().get("/webhooks/failed").json()
    assert (answer["data"], answer["nextCursor"]) == ([], None)


# Retry one


def test_a_retry_makes_six_new_attempts_with_the_same_id(
    account: TestAccount, receiver: Receiver
) -> None:
    [item] = fail(account)
    answer = retry(account, item["webhookId"])
    assert answer.status_code == 200
    assert answer.json()["data"] == {"webhookId": item["webhookId"], "status": "queued"}
    account.advance(seconds=ALL_SIX)
    heard = receiver.wait_for(12)
    assert [h["X-Delivery-Attempt"] for h in heard] == list("123456") * 2
    assert len({(h["X-Webhook-Id"], h.body) for h in heard}) == 1
    receiver.verify(account.secret)
    [again] = failed(account)
    assert [one["attempt"] for one in again["attempts"]] == [1, 2, 3, 4, 5, 6] * 2
    assert again["attempts"][:6] == item["attempts"], "what was tried before stays on record"
    assert again["failedAt"] > item["failedAt"]


def test_a_retry_that_succeeds_ends_it(account: TestAccount, receiver: Receiver) -> None:
    [item] = fail(account)
    receiver.answer(200)
    retry(account, item["webhookId"])
    receiver.wait_for(7)
    account.advance(seconds=ALL_SIX)
    assert len(receiver.heard) == 7
    assert failed(account) == []
    refused(retry(account, item["webhookId"]), 404, "NOT_FOUND")


def test_while_it_is_tried_again_it_is_not_failed(account: TestAccount, receiver: Receiver) -> None:
    [item] = fail(account)
    retry(account, item["webhookId"])
    assert failed(account) == []
    refused(retry(account, item["webhookId"]), 404, "NOT_FOUND")


def test_of_64_retries_at_once_one_counts(account: TestAccount, receiver: Receiver) -> None:
    [item] = fail(account)
    receiver.answer(200)
    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(lambda _: retry(account, item["webhookId"]), range(64)))
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 63
    receiver.wait_for(7)
    time.sleep(0.2)
    assert [h["X-Delivery-Attempt"] for h in receiver.heard] == [*"123456", "1"]


def test_of_retries_at_once_of_different_events_all_count(
    account: TestAccount, receiver: Receiver
) -> None:
    items = fail(account, *(f"order-{n:04}" for n in range(20)))
    receiver.answer(200)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda item: retry(account, item["webhookId"]), items))
    # The first success revives the others by itself: what comes too late for one finds it queued.
    assert {answer.status_code for answer in answers} <= {200, 404}
    receiver.wait_for(20 * 6 + 20)


@pytest.mark.parametrize("webhook_id", ["whk_1", "whk_" + "0" * 32, "x", "whk_%00", "%F0%9F%8E%89"])
def test_an_unknown_event_cannot_be_retried(account: TestAccount, webhook_id: str) -> None:
    refused(retry(account, webhook_id), 404, "NOT_FOUND")


def test_nor_can_one_that_was_delivered_or_anothers(
    account: TestAccount, service: TestService, receiver: Receiver
) -> None:
    [item] = fail(account)
    stranger = service.account()
    foreign = retry(stranger, item["webhookId"])
    refused(foreign, 404, "NOT_FOUND")
    missing = retry(stranger, item["webhookId"][:-1] + "0")
    assert foreign.json()["error"].keys() == missing.json()["error"].keys()
    receiver.answer(200)
    send(account, "order-0002")
    heard = receiver.wait_for(7)
    refused(retry(account, heard[-1]["X-Webhook-Id"]), 404, "NOT_FOUND")


def test_a_repaired_address_helps_what_failed(service: TestService, receiver: Receiver) -> None:
    account = service.account(name="repaired", webhookUrl=receiver.url)
    [item] = fail(account)
    with Receiver() as other:
        service.apply(account_toml(name="repaired", webhookUrl=other.url))
        assert failed(account)[0]["url"] == other.url
        retry(account, item["webhookId"])
        [heard] = other.wait_for(1)
    assert heard["X-Delivery-Attempt"] == "1"
    assert heard.json() == item["payload"]


def test_without_an_address_a_retried_event_waits_in_the_feed(
    service: TestService, receiver: Receiver
) -> None:
    account = service.account(name="address-gone", webhookUrl=receiver.url)
    [item] = fail(account)
    service.apply(account_toml(name="address-gone"))
    assert failed(account)[0]["url"] is None
    assert retry(account, item["webhookId"]).status_code == 200
    account.advance(seconds=1)
    assert failed(account) == []
    assert [one["status"] for one in feed(account)] == ["waiting"]


# Retry all since a time


def test_all_that_failed_since_a_time_are_tried_again(
    account: TestAccount, receiver: Receiver
) -> None:
    for cid in ("order-0001", "order-0002", "order-0003"):
        fail(account, cid)
    newest, middle, oldest = failed(account)
    receiver.answer(200)
    answer = account.post("/webhooks/failed/retry", {"since": middle["failedAt"]})
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"] == {"since": middle["failedAt"], "queued": 2, "remaining": 0}
    again = receiver.wait_for(20)[18:]
    assert {h["X-Webhook-Id"] for h in again} >= {newest["webhookId"], middle["webhookId"]}
    assert oldest["webhookId"] not in {newest["webhookId"], middle["webhookId"]}


@pytest.mark.parametrize("body", [{}, {"since": "now"}, {"since": None}, {"since": 1}, {"a": 1}])
def test_a_retry_of_all_needs_a_time(account: TestAccount, body: dict[str, Any]) -> None:
    answer = account.post("/webhooks/failed/retry", body)
    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "VALIDATION_ERROR"


# The catch-up feed


def feed(account: TestAccount, **query: Any) -> list[dict[str, Any]]:
    answer = account.get("/webhooks/events", params=query)
    assert answer.status_code == 200, answer.text
    return answer.json()["data"]


def cids(entries: list[dict[str, Any]]) -> list[str]:
    return [entry["payload"]["data"]["clientMessageId"] for entry in entries]


def test_the_feed_has_every_event_oldest_first(service: TestService) -> None:
    account = service.account()
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


def test_it_goes_on_after_the_last_one_read(service: TestService) -> None:
    account = service.account()
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


def test_next_cursor_says_whether_there_is_more(service: TestService) -> None:
    account = service.account()
    for n in range(4):
        send(account, f"order-{n:04}")
    first = account.get("/webhooks/events", params={"limit": 2}).json()
    assert first["nextCursor"] == first["data"][-1]["webhookId"]
    last = account.get("/webhooks/events", params={"after": first["nextCursor"], "limit": 2})
    assert len(last.json()["data"]) == 2 and last.json()["nextCursor"] is None


def test_it_tells_what_became_of_each(account: TestAccount, receiver: Receiver) -> None:
    fail(account)
    receiver.answer(200)
    send(account, "order-0002")
    receiver.wait_for(7)
    account.advance(seconds=1)
    receiver.answer(hang())
    send(account, "order-0003")
    assert [entry["status"] for entry in feed(account)] == ["delivered", "delivered", "queued"]


def test_after_latest_is_the_newest_alone(service: TestService) -> None:
    account = service.account()
    assert feed(account, after="latest") == []
    for n in range(3):
        send(account, f"order-{n:04}")
    [newest] = feed(account, after="latest")
    assert cids([newest]) == ["order-0002"]
    assert feed(account, after=newest["webhookId"]) == []


def test_a_reader_may_wait_for_what_comes(service: TestService) -> None:
    account = service.account()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(feed, account, wait=10)
        time.sleep(0.3)
        assert not waiting.done()
        began = time.monotonic()
        send(account)
        assert cids(waiting.result(5)) == ["order-0001"]
        assert time.monotonic() - began < 2


def test_but_not_for_ever(service: TestService) -> None:
    began = time.monotonic()
    assert feed(service.account(), wait=1) == []
    assert 0.9 < time.monotonic() - began < 3


@pytest.mark.parametrize("after", ["whk_1", "", "whk_" + "0" * 32, "x" * 65])
def test_an_event_we_do_not_have_is_no_place_to_go_on_from(
    account: TestAccount, after: str
) -> None:
    answer = account.get("/webhooks/events", params={"after": after})
    refused(answer, 400, "VALIDATION_ERROR", "after")


def test_nor_is_anothers(service: TestService) -> None:
    ours, theirs = service.account(), service.account()
    send(ours)
    send(theirs)
    answer = ours.get("/webhooks/events", params={"after": feed(theirs)[0]["webhookId"]})
    refused(answer, 400, "VALIDATION_ERROR", "after")
    assert len(feed(ours)) == 1


@pytest.mark.parametrize("query", [{"limit": 0}, {"limit": 201}, {"wait": 21}, {"wait": "x"}])
def test_numbers_out_of_range_are_refused(account: TestAccount, query: dict[str, Any]) -> None:
    refused(account.get("/webhooks/events", params=query), 400, "VALIDATION_ERROR", *query)


def test_the_feed_is_of_the_accounts_own_time(service: TestService) -> None:
    account = service.account()
    account.advance(days=40)
    send(account)
    [entry] = feed(account)
    ahead = datetime.fromisoformat(entry["createdAt"]).timestamp() - time.time()
    assert 39 * 86400 < ahead < 41 * 86400
    assert json.loads(json.dumps(entry["payload"]))["createdAt"] == entry["createdAt"]
