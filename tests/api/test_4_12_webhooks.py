"""Webhook management (section 4.12): the failed list, and retries."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.support.answers import refused
from tests.support.receiver import Receiver
from tests.support.service import TestAccount, TestService, account_toml
from tests.support.waiting import settle
from tests.support.webhooks import ALL_SIX, fail, failed, feed, retry, send

# The failed list


def test_an_event_whose_six_attempts_are_exhausted_is_listed(
    failing_account: TestAccount, receiver: Receiver
) -> None:
    [item] = fail(failing_account)
    assert set(item) == {
        "webhookId", "type", "url", "createdAt", "failedAt", "attempts", "payload",
    }  # fmt: skip
    requests = receiver.wait_for(6)
    assert item["webhookId"] == requests[0]["X-Webhook-Id"]
    assert item["payload"] == requests[0].json()
    assert (item["type"], item["url"]) == ("message.status", receiver.url)
    assert item["createdAt"] == item["payload"]["createdAt"] < item["failedAt"]
    assert [one["attempt"] for one in item["attempts"]] == [1, 2, 3, 4, 5, 6]
    assert {one["status"] for one in item["attempts"]} == {500}
    assert all(set(one) == {"attempt", "at", "status", "error", "ms"} for one in item["attempts"])
    assert item["attempts"][-1]["at"] == item["failedAt"]


def test_an_event_with_attempts_left_is_not(failing_account: TestAccount) -> None:
    send(failing_account)
    failing_account.advance(seconds=10 + 60 + 300 + 1800 + 60)
    assert failed(failing_account) == []


def test_meta_comes_back_as_it_was_given(failing_account: TestAccount) -> None:
    body = b'{"clientMessageId":"order-0001","to":"972500009001","templateName":"plain",'
    body += b'"meta":{"n":12345678901234567890,"f":1.50}}'
    answer = failing_account.service.http.post(
        "/api/v1/messages/text",
        content=body,
        headers=failing_account.headers | {"content-type": "application/json"},
    )
    assert answer.status_code == 200
    failing_account.advance(seconds=ALL_SIX)
    text = failing_account.get("/webhooks/failed").text
    assert '"meta":{"n":12345678901234567890,"f":1.50}' in text


def test_what_the_receiver_says_is_never_shown(
    failing_account: TestAccount, receiver: Receiver
) -> None:
    receiver.answer(500, body=b"internal-secret-page", headers={"X-Inside": "internal-secret"})
    fail(failing_account)
    assert "internal-secret" not in failing_account.get("/webhooks/failed").text


def test_the_newest_come_first_page_by_page(failing_account: TestAccount) -> None:
    cids = [f"order-{n:04}" for n in range(5)]
    for cid in cids:
        fail(failing_account, cid)
    pages, cursor = [], None
    while True:
        query = {"limit": 2} | ({"cursor": cursor} if cursor else {})
        answer = failing_account.get("/webhooks/failed", params=query).json()
        pages.append([item["payload"]["data"]["clientMessageId"] for item in answer["data"]])
        cursor = answer["nextCursor"]
        if cursor is None:
            break
    assert pages == [["order-0004", "order-0003"], ["order-0002", "order-0001"], ["order-0000"]]


def test_events_that_failed_at_the_same_time_are_each_listed_once(
    failing_account: TestAccount,
) -> None:
    fail(failing_account, *(f"order-{n:04}" for n in range(7)))
    failing_account.service.sql(
        "UPDATE webhooks SET failed_at = now() WHERE account_id = $1 RETURNING 1",
        failing_account.id,
    )
    seen, cursor = [], ""
    while cursor is not None:
        query = {"limit": 3} | ({"cursor": cursor} if cursor else {})
        answer = failing_account.get("/webhooks/failed", params=query).json()
        seen += [item["webhookId"] for item in answer["data"]]
        cursor = answer["nextCursor"]
    assert len(seen) == len(set(seen)) == 7
    assert seen == sorted(seen, reverse=True)


def test_since_leaves_out_what_failed_before(failing_account: TestAccount) -> None:
    for cid in ("order-0001", "order-0002", "order-0003"):
        fail(failing_account, cid)
    newest, middle, _ = failed(failing_account)
    assert failed(failing_account, since=middle["failedAt"]) == [newest, middle]
    assert failed(failing_account, since="2100-01-01T00:00:00+02:00") == []
    assert len(failed(failing_account, since="2000-01-01T00:00:00Z", limit=1)) == 1


@pytest.mark.parametrize("limit", ["0", "201", "-1", "ten", "1.5", ""])
def test_a_limit_outside_1_to_200_is_refused(account: TestAccount, limit: str) -> None:
    answer = account.get("/webhooks/failed", params={"limit": limit})
    refused(answer, 400, "VALIDATION_ERROR", field="limit")


@pytest.mark.parametrize("since", ["yesterday", "2026-01-01", "2026-01-01T00:00:00", ""])
def test_a_time_that_is_none_is_refused(account: TestAccount, since: str) -> None:
    answer = account.get("/webhooks/failed", params={"since": since})
    refused(answer, 400, "VALIDATION_ERROR", field="since")


@pytest.mark.parametrize("cursor", ["x", "e30", "WyIyMDI2IiwiYSJd", "W251bGwsIiJd", "=" * 9])
def test_a_cursor_we_never_gave_is_refused(account: TestAccount, cursor: str) -> None:
    answer = account.get("/webhooks/failed", params={"cursor": cursor})
    refused(answer, 400, "VALIDATION_ERROR", field="cursor")


def test_an_unknown_query_field_is_refused(account: TestAccount) -> None:
    refused(account.get("/webhooks/failed?offset=1"), 400, "VALIDATION_ERROR", field="offset")


def test_the_list_of_an_account_without_failures_is_empty(service: TestService) -> None:
    answer = service.account().get("/webhooks/failed").json()
    assert (answer["data"], answer["nextCursor"]) == ([], None)


# Retry one


def test_a_retry_makes_six_new_attempts_with_the_same_id(
    failing_account: TestAccount, receiver: Receiver
) -> None:
    [item] = fail(failing_account)
    answer = retry(failing_account, item["webhookId"])
    assert answer.status_code == 200
    assert answer.json()["data"] == {"webhookId": item["webhookId"], "status": "queued"}
    failing_account.advance(seconds=ALL_SIX)
    requests = receiver.wait_for(12)
    assert [h["X-Delivery-Attempt"] for h in requests] == list("123456") * 2
    assert len({(h["X-Webhook-Id"], h.body) for h in requests}) == 1
    receiver.verify(failing_account.secret, now=failing_account.service.clock.now().timestamp())
    [again] = failed(failing_account)
    assert [one["attempt"] for one in again["attempts"]] == [1, 2, 3, 4, 5, 6] * 2
    assert again["attempts"][:6] == item["attempts"], "what was tried before stays on record"
    assert again["failedAt"] > item["failedAt"]


def test_a_retry_that_succeeds_ends_it(failing_account: TestAccount, receiver: Receiver) -> None:
    [item] = fail(failing_account)
    receiver.answer(200)
    retry(failing_account, item["webhookId"])
    receiver.wait_for(7)
    failing_account.advance(seconds=ALL_SIX)
    assert len(receiver.requests) == 7
    assert failed(failing_account) == []
    refused(retry(failing_account, item["webhookId"]), 404, "NOT_FOUND", field=None)


def test_while_it_is_tried_again_it_is_not_failed(
    failing_account: TestAccount, receiver: Receiver
) -> None:
    [item] = fail(failing_account)
    retry(failing_account, item["webhookId"])
    assert failed(failing_account) == []
    refused(retry(failing_account, item["webhookId"]), 404, "NOT_FOUND", field=None)


def test_of_64_retries_at_once_one_counts(failing_account: TestAccount, receiver: Receiver) -> None:
    [item] = fail(failing_account)
    receiver.answer(200)
    with ThreadPoolExecutor(64) as pool:
        answers = list(pool.map(lambda _: retry(failing_account, item["webhookId"]), range(64)))
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 63
    receiver.wait_for(7)
    settle(failing_account, "webhooks")
    assert [h["X-Delivery-Attempt"] for h in receiver.requests] == [*"123456", "1"]


def test_of_retries_at_once_of_different_events_all_count(
    failing_account: TestAccount, receiver: Receiver
) -> None:
    items = fail(failing_account, *(f"order-{n:04}" for n in range(20)))
    receiver.answer(200)
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda item: retry(failing_account, item["webhookId"]), items))
    # The first success revives the others by itself: what comes too late for one finds it queued.
    assert {answer.status_code for answer in answers} <= {200, 404}
    receiver.wait_for(20 * 6 + 20)


@pytest.mark.parametrize("webhook_id", ["whk_1", "whk_" + "0" * 32, "x", "whk_%00", "%F0%9F%8E%89"])
def test_an_unknown_event_cannot_be_retried(account: TestAccount, webhook_id: str) -> None:
    refused(retry(account, webhook_id), 404, "NOT_FOUND", field=None)


def test_nor_can_one_that_was_delivered_or_anothers(
    failing_account: TestAccount, service: TestService, receiver: Receiver
) -> None:
    [item] = fail(failing_account)
    stranger = service.account()
    foreign = retry(stranger, item["webhookId"])
    refused(foreign, 404, "NOT_FOUND", field=None)
    missing = retry(stranger, item["webhookId"][:-1] + "0")
    assert foreign.json()["error"].keys() == missing.json()["error"].keys()
    receiver.answer(200)
    send(failing_account, "order-0002")
    requests = receiver.wait_for(7)
    refused(retry(failing_account, requests[-1]["X-Webhook-Id"]), 404, "NOT_FOUND", field=None)


def test_a_repaired_address_helps_what_failed(service: TestService, receiver: Receiver) -> None:
    receiver.answer(500)
    account = service.account(name="repaired", webhookUrl=receiver.url)
    [item] = fail(account)
    with Receiver() as other:
        service.apply(account_toml(name="repaired", webhookUrl=other.url))
        assert failed(account)[0]["url"] == other.url
        retry(account, item["webhookId"])
        [request] = other.wait_for(1)
    assert request["X-Delivery-Attempt"] == "1"
    assert request.json() == item["payload"]


def test_without_an_address_a_retried_event_waits_in_the_feed(
    service: TestService, receiver: Receiver
) -> None:
    receiver.answer(500)
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
    failing_account: TestAccount, receiver: Receiver
) -> None:
    for cid in ("order-0001", "order-0002", "order-0003"):
        fail(failing_account, cid)
    newest, middle, oldest = failed(failing_account)
    receiver.answer(200)
    answer = failing_account.post("/webhooks/failed/retry", {"since": middle["failedAt"]})
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"] == {"since": middle["failedAt"], "queued": 2, "remaining": 0}
    again = receiver.wait_for(20)[18:]
    assert {h["X-Webhook-Id"] for h in again} >= {newest["webhookId"], middle["webhookId"]}
    assert oldest["webhookId"] not in {newest["webhookId"], middle["webhookId"]}


@pytest.mark.parametrize("body", [{}, {"since": "now"}, {"since": None}, {"since": 1}, {"a": 1}])
def test_a_retry_of_all_needs_a_time(account: TestAccount, body: dict[str, Any]) -> None:
    answer = account.post("/webhooks/failed/retry", body)
    refused(answer, 400, "VALIDATION_ERROR")
