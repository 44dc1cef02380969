"""POST /batches/{batchId}/cancel, black box: what is cancelled, refunded and given back (4.9)."""

from typing import Any

import httpx
import pytest

from tests.support.batches import (
    SLOW,
    cancel,
    cid,
    item,
    received,
    require_refused,
    statuses,
    submit,
    timestamp,
    to,
)
from tests.support.platform import FakePlatform, say_nothing
from tests.support.service import NUMBER, TestAccount, TestService
from tests.support.text import account_now, ahead, phone
from tests.support.waiting import eventually
from tidings.platforms.failures import explain
from tidings.platforms.port import DispatchResult, Rejected, Send

FIELDS = {"batchId", "cancelled", "inFlight", "alreadySent", "refunded"}


def throttled(_: Send) -> DispatchResult:
    return DispatchResult(Rejected(explain(130429)))


def scheduled(account: TestAccount, size: int = 5, first: int = 0, **fields: Any) -> str:
    messages = [item(n, scheduledFor=ahead(hours=2), **fields) for n in range(first, first + size)]
    batch_id: str = submit(account, messages)["batchId"]
    return batch_id


def refunded(account: TestAccount) -> int:
    query = "SELECT count(*) AS n FROM messages WHERE account_id = $1 AND refunded_at IS NOT NULL"
    count: int = account.service.sql(query, account.id)[0]["n"]
    return count


# What it answers


@pytest.mark.quick
def test_what_has_not_been_sent_is_cancelled_and_refunded(account: TestAccount) -> None:
    batch_id = scheduled(account)
    answer = account.post(f"/batches/{batch_id}/cancel")
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"] == {
        "batchId": batch_id, "cancelled": 5, "inFlight": 0, "alreadySent": 0, "refunded": 5,
    }  # fmt: skip
    assert refunded(account) == 5
    status = account.status(cid(0))
    assert (status["status"], status["batchId"]) == ("cancelled", batch_id)
    assert [step["status"] for step in status["timeline"]] == ["scheduled", "cancelled"]
    account.advance(hours=5)
    assert all(phone(account, to(n)) == [] for n in range(5)), "nothing goes any more"
    assert account.events("message.status") == []


def test_repeating_it_is_harmless(account: TestAccount) -> None:
    batch_id = scheduled(account)
    first = cancel(account, batch_id)
    before = account.status(cid(0))
    account.advance(hours=5)
    assert cancel(account, batch_id) == first
    assert account.status(cid(0)) == before
    assert len(received(account, "batch.completed", batch_id)) == 1


def test_after_completion_there_is_nothing_to_cancel(account: TestAccount) -> None:
    batch_id = submit(account, [item(n) for n in range(5)])["batchId"]
    account.advance(seconds=5)
    data = cancel(account, batch_id)
    assert data == {
        "batchId": batch_id, "cancelled": 0, "inFlight": 0, "alreadySent": 5, "refunded": 0,
    }  # fmt: skip
    assert statuses(account) == {"read": 5} and refunded(account) == 0
    assert len(received(account, "batch.completed", batch_id)) == 1


def test_a_batch_of_which_nothing_was_taken_can_be_cancelled(account: TestAccount) -> None:
    batch_id = submit(account, [None])["batchId"]
    assert cancel(account, batch_id)["cancelled"] == 0


def test_half_way_the_counts_add_up(service: TestService) -> None:
    account = service.account(SLOW)
    batch_id = submit(account, [item(n) for n in range(40)])["batchId"]
    account.advance(seconds=10)
    data = cancel(account, batch_id)
    assert data["cancelled"] + data["inFlight"] + data["alreadySent"] == 40
    assert data["alreadySent"] >= 8 and data["cancelled"] >= 20
    assert data["refunded"] == data["cancelled"] == refunded(account)
    account.advance(minutes=2)
    ended = statuses(account)
    assert ended == {"cancelled": data["cancelled"], "read": 40 - data["cancelled"]}
    (event,) = received(account, "batch.completed", batch_id)
    assert (event["sent"], event["cancelled"]) == (ended["read"], ended["cancelled"])


def test_only_this_batch_is_cancelled(account: TestAccount) -> None:
    one, two = scheduled(account), scheduled(account, first=100)
    account.send(**item(200, scheduledFor=ahead(hours=2)))
    assert cancel(account, one)["cancelled"] == 5
    account.advance(hours=3)
    assert statuses(account) == {"cancelled": 5, "read": 6}
    assert cancel(account, two)["alreadySent"] == 5


@pytest.mark.parametrize("fields", [{"paused": True}, {"dailyLimit": 1}])
def test_what_is_held_is_cancelled_too(service: TestService, fields: dict[str, Any]) -> None:
    account = service.account(**fields)
    data = submit(account, [item(n) for n in range(5)])
    counts = cancel(account, data["batchId"])
    assert counts["cancelled"] >= len(data["held"]) > 0
    account.advance(days=8)
    assert set(statuses(account)) <= {"cancelled", "read"}


def test_a_cancelled_id_stays_used(account: TestAccount) -> None:
    cancel(account, scheduled(account))
    answer = account.send(**item(0))
    assert answer.status_code == 200
    assert (answer.json()["data"]["status"], answer.json()["data"]["duplicate"]) == (
        "cancelled",
        True,
    )


# What it refuses


@pytest.mark.parametrize(
    "batch_id",
    [
        "bat_00000000000000000000000000000000", "bat_", "bat_x", "x", "bat_%00", "bat_%2F..",
        "BAT_01a1dfd0a80371a0b05d9d342e0662cb", "01a1dfd0a80371a0b05d9d342e0662cb",
        "med_01a1dfd0a80371a0b05d9d342e0662cb", "bat_" + "a" * 1000, "bat_%F0%9F%98%80",
    ],
)  # fmt: skip
def test_an_unknown_batch_is_not_found(account: TestAccount, batch_id: str) -> None:
    answer = account.post(f"/batches/{batch_id}/cancel")
    assert answer.status_code == 404, answer.text
    assert answer.json()["error"]["code"] == "NOT_FOUND"
    assert answer.json()["environment"] == "sandbox"


def test_the_batch_of_another_account_is_not_found_and_stays(service: TestService) -> None:
    one, two = service.account(), service.account()
    batch_id = scheduled(one)
    assert two.post(f"/batches/{batch_id}/cancel").status_code == 404
    one.advance(hours=3)
    assert statuses(one) == {"read": 5}


def test_no_key_no_cancelling(account: TestAccount) -> None:
    batch_id = scheduled(account)
    answer = account.service.http.post(f"/api/v1/batches/{batch_id}/cancel")
    assert (answer.status_code, answer.json()["error"]["code"]) == (401, "UNAUTHORIZED")
    assert statuses(account) == {"scheduled": 5}


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (b"", None), (b"", "application/json"), (b"", "text/plain"), (b"{}", "application/json"),
        (b" { } ", "application/json; charset=utf-8"),
    ],
)  # fmt: skip
def test_it_takes_no_body_or_an_empty_object(
    account: TestAccount, content: bytes, kind: str | None
) -> None:
    answer = cancel_with(account, scheduled(account), content, kind)
    assert answer.status_code == 200, answer.text
    assert answer.json()["data"]["cancelled"] == 5


@pytest.mark.parametrize(
    ("content", "kind", "field", "words"),
    [
        (
            b'{"clientMessageIds": ["item-00001"]}', "application/json", "clientMessageIds",
            "`clientMessageIds` is not a known field; this call takes none",
        ),
        (b'{"cancel": false}', "application/json", "cancel", "takes none"),
        (b"null", "application/json", "body", "must be a JSON object, got null"),
        (b"[]", "application/json", "body", "must be a JSON object, got array"),
        (b"{", "application/json", "body", "not valid JSON"),
        (b"[" * 5000, "application/json", "body", "deep"),
        (b"a=b", "application/x-www-form-urlencoded", "Content-Type", "application/json"),
        (b"\xff\x00", "text/plain", "Content-Type", "application/json"),
    ],
)  # fmt: skip
def test_any_other_body_is_refused_and_nothing_is_cancelled(
    account: TestAccount, content: bytes, kind: str, field: str, words: str
) -> None:
    batch_id = scheduled(account)
    for wanted in (batch_id, "bat_unknown"):  # the body is looked at before the batch
        error = require_refused(
            cancel_with(account, wanted, content, kind), "VALIDATION_ERROR", field
        )
        assert words in error["message"]
    assert statuses(account) == {"scheduled": 5}


def cancel_with(
    account: TestAccount, batch_id: str, content: bytes, kind: str | None
) -> httpx.Response:
    headers = account.headers | ({"content-type": kind} if kind else {})
    path = f"/api/v1/batches/{batch_id}/cancel"
    return account.service.http.post(path, content=content, headers=headers)


def test_other_methods_are_not_allowed(account: TestAccount) -> None:
    batch_id = scheduled(account)
    answer = account.get(f"/batches/{batch_id}/cancel")
    assert (answer.status_code, answer.headers["Allow"]) == (405, "POST")
    assert statuses(account) == {"scheduled": 5}


# What it gives back


def test_places_of_the_account_limit_are_free_again(service: TestService) -> None:
    account = service.account(SLOW, dailyLimit=10)
    batch_id = submit(account, [item(n) for n in range(10)])["batchId"]
    counts = cancel(account, batch_id)
    gone = counts["alreadySent"] + counts["inFlight"]
    assert gone < 10
    assert account.get("/limits").json()["data"]["account"]["used"] == gone
    data = submit(account, [item(100 + n) for n in range(10 - gone)])
    assert data["held"] == []


def test_places_of_a_number_are_free_again(service: TestService) -> None:
    number = f'[[accounts.numbers]]\nnumber = "{NUMBER}"\nperSecond = 1\ndailyLimit = 6\n'
    account = service.account(number)
    batch_id = submit(account, [item(n, to=to(n % 12)) for n in range(24)])["batchId"]
    counts = cancel(account, batch_id)
    gone = counts["alreadySent"] + counts["inFlight"]
    assert account.get("/limits").json()["data"]["numbers"][0]["used"] == gone
    data = submit(account, [item(100 + n, to=to(100 + n)) for n in range(6 - gone)])
    assert data["held"] == []


def test_a_place_that_another_message_relies_on_is_kept(service: TestService) -> None:
    number = f'[[accounts.numbers]]\nnumber = "{NUMBER}"\ndailyLimit = 1\n'
    account = service.account(number)
    account.send(**item(0, to=to(0)))
    batch_id = submit(account, [item(1, to=to(0)), item(2, to=to(2))])["batchId"]
    cancel(account, batch_id)
    assert account.get("/limits").json()["data"]["numbers"][0]["used"] == 1
    assert len(submit(account, [item(3, to=to(3))])["held"]) == 1


def test_the_numbers_turns_are_free_again(service: TestService) -> None:
    account = service.account(SLOW)
    cancel(account, submit(account, [item(n) for n in range(600)])["batchId"])
    start = account_now(account)
    data = submit(account, [item(1000), item(1001)])
    assert (timestamp(data["estimatedCompletionAt"]) - start).total_seconds() < 90
    account.advance(seconds=10)
    assert account.status(cid(1001))["status"] in ("sent", "delivered", "read")


def test_the_turns_of_others_are_not_touched(service: TestService) -> None:
    account = service.account(SLOW)
    first = submit(account, [item(n) for n in range(10)])["batchId"]
    submit(account, [item(n) for n in range(10, 20)])
    cancel(account, first)
    data = submit(account, [item(n) for n in range(20, 30)])
    account.advance(seconds=40)
    assert statuses(account)["read"] >= 20
    assert timestamp(data["estimatedCompletionAt"]) >= account_now(account)


# What is on its way


def wait_for(account: TestAccount, status: str) -> None:
    eventually(lambda: statuses(account)[status])


def test_what_is_mid_send_is_counted_in_flight_and_may_still_arrive(
    scripted_service: TestService, platform: FakePlatform
) -> None:
    account = scripted_service.account()
    with platform.holding(to(1)):
        batch_id = submit(account, [item(1), item(2, scheduledFor=ahead(hours=1))])["batchId"]
        wait_for(account, "sending")
        data = cancel(account, batch_id)
        assert received(account, "batch.completed", batch_id) == []
    assert (data["cancelled"], data["inFlight"], data["alreadySent"]) == (1, 1, 0)
    assert data["refunded"] == 1
    wait_for(account, "sent")
    again = cancel(account, batch_id)
    assert (again["cancelled"], again["inFlight"], again["alreadySent"]) == (1, 0, 1)
    account.advance(seconds=5)
    assert len(received(account, "batch.completed", batch_id)) == 1


def test_what_the_platform_gives_back_after_the_cancel_is_cancelled(
    scripted_service: TestService, platform: FakePlatform
) -> None:
    account = scripted_service.account()
    platform.behave[to(11)] = throttled
    with platform.holding(to(11)):
        batch_id = submit(account, [item(1, to=to(11))])["batchId"]
        wait_for(account, "sending")
        assert cancel(account, batch_id)["inFlight"] == 1
    wait_for(account, "cancelled")
    account.advance(hours=1)
    assert platform.count(to(11)) == 1, "it is not tried again"
    assert refunded(account) == 1
    (event,) = received(account, "batch.completed", batch_id)
    assert event["cancelled"] == 1
    assert account.events("message.deferred") == []
    data = cancel(account, batch_id)
    assert (data["cancelled"], data["refunded"], data["inFlight"]) == (1, 1, 0)


def test_what_was_cancelled_on_its_way_is_not_sent_once_more(
    scripted_service: TestService, platform: FakePlatform
) -> None:
    account = scripted_service.account(resendUnknown=True)
    platform.behave[to(21)] = say_nothing
    batch_id = submit(account, [item(1, to=to(21))])["batchId"]
    wait_for(account, "sending")
    assert cancel(account, batch_id)["inFlight"] == 1
    account.advance(minutes=10)
    assert platform.count(to(21)) == 1
    assert account.status(cid(1))["error"]["code"] == "UNKNOWN_OUTCOME"
    assert len(received(account, "batch.completed", batch_id)) == 1


def test_a_dry_run_is_refused_and_cancels_nothing(account: TestAccount) -> None:
    batch_id = scheduled(account)
    answer = account.post(f"/batches/{batch_id}/cancel", headers={"X-Dry-Run": "true"})
    assert (answer.status_code, answer.json()["error"]["field"]) == (400, "X-Dry-Run")
    assert cancel(account, batch_id)["cancelled"] == 5
