"""GET /batches and GET /batches/{batchId}, black box (contract2.md D, E)."""

from typing import Any

import pytest

from tests.support.batches import cancel, item, submit
from tests.support.billing import FAILS
from tests.support.service import TestAccount, TestService
from tests.support.text import ahead, require_refused
from tests.support.waiting import eventually, settle
from tidings.features.batches.read import COUNTED_MAX

STATUSES = (
    "scheduled", "queued", "deferred", "sending", "sent", "delivered", "read", "failed", "expired",
    "cancelled",
)  # fmt: skip


def get(account: TestAccount, batch_id: str) -> dict[str, Any]:
    answer = account.get(f"/batches/{batch_id}")
    assert answer.status_code == 200, answer.text
    data: dict[str, Any] = answer.json()["data"]
    return data


def counts(**some: int) -> dict[str, int]:
    return dict.fromkeys(STATUSES, 0) | some


@pytest.mark.quick
def test_a_batch_shows_what_was_taken_and_how_far_it_is(account: TestAccount) -> None:
    account.send(**item(1))
    given = [item(1), item(2), item(3, scheduledFor=ahead(hours=2)), item(4, to="12")]
    made = submit(account, given, batchName="June")
    # The second has a slot of its own, some milliseconds after the first.
    eventually(lambda: get(account, made["batchId"])["counts"]["queued"] == 0)
    settle(account)
    found = get(account, made["batchId"])
    assert found["counts"]["scheduled"] == 1 and sum(found["counts"].values()) == 2
    assert found | {"counts": {}} == {
        "batchId": made["batchId"],
        "batchName": "June",
        "createdAt": found["createdAt"],
        "state": "running",
        "total": 4,
        "accepted": 2,
        "rejected": 1,
        "duplicates": 1,
        "counts": {},
        "percent": 50,
        "estimatedCompletionAt": made["estimatedCompletionAt"],
        "completedAt": None,
    }
    account.advance(hours=3)
    ended = get(account, made["batchId"])
    assert (ended["state"], ended["percent"]) == ("completed", 100)
    assert ended["completedAt"] > found["createdAt"]


def test_an_estimate_that_has_passed_is_not_repeated(account: TestAccount) -> None:
    made = submit(account, [item(1, scheduledFor=ahead(hours=2), to=FAILS)])
    account.service.sql(
        "UPDATE batches SET estimated_at = created_at - interval '1 hour' WHERE account_id = $1",
        account.id,
    )
    assert get(account, made["batchId"])["estimatedCompletionAt"] is None


def test_a_batch_with_a_cancelled_item_is_cancelled_once_nothing_is_pending(
    account: TestAccount,
) -> None:
    made = submit(account, [item(1), item(2, scheduledFor=ahead(hours=2))])
    settle(account)
    assert get(account, made["batchId"])["state"] == "running"
    cancel(account, made["batchId"])
    found = get(account, made["batchId"])
    assert (found["state"], found["percent"]) == ("cancelled", 100)
    assert found["counts"]["cancelled"] == 1


def test_a_batch_whose_every_item_was_refused_is_completed(account: TestAccount) -> None:
    found = get(account, submit(account, [item(1, to="12")])["batchId"])
    assert (found["state"], found["total"], found["accepted"]) == ("completed", 1, 0)
    assert found["counts"] == counts() and found["batchName"] == ""


def test_batches_are_listed_by_pages_newest_first(account: TestAccount) -> None:
    made = [submit(account, [item(number)])["batchId"] for number in range(3)]
    settle(account)
    answer = account.get("/batches?limit=2").json()
    assert [one["batchId"] for one in answer["data"]] == [made[2], made[1]]
    assert answer["data"][0] == get(account, made[2])
    rest = account.get(f"/batches?limit=2&cursor={answer['nextCursor']}").json()
    assert [one["batchId"] for one in rest["data"]] == [made[0]]
    assert rest["nextCursor"] is None


def test_a_page_ends_where_its_batches_are_large(account: TestAccount) -> None:
    made = [submit(account, [item(number)])["batchId"] for number in range(2)]
    account.service.sql(
        "UPDATE batches SET total = $2 WHERE account_id = $1", account.id, COUNTED_MAX
    )
    answer = account.get("/batches").json()
    assert [one["batchId"] for one in answer["data"]] == [made[1]]
    rest = account.get(f"/batches?cursor={answer['nextCursor']}").json()
    assert ([one["batchId"] for one in rest["data"]], rest["nextCursor"]) == ([made[0]], None)


def test_what_is_unknown_or_anothers_is_not_found(
    account: TestAccount, service: TestService
) -> None:
    batch_id = submit(account, [item(1)])["batchId"]
    other = service.account()
    for wrong in (batch_id, "bat_" + "0" * 32, "7", "bat_x"):
        answer = other.get(f"/batches/{wrong}")
        assert (answer.status_code, answer.json()["error"]["code"]) == (404, "NOT_FOUND")
    assert other.get("/batches").json()["data"] == []


@pytest.mark.parametrize(("query", "field"), [("status=sent", "status"), ("limit=x", "limit")])
def test_an_unknown_or_malformed_filter_is_refused_by_name(
    account: TestAccount, query: str, field: str
) -> None:
    require_refused(account.get(f"/batches?{query}"), "VALIDATION_ERROR", field)
