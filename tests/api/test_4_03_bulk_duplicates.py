"""POST /messages/bulk, black box: an id is taken once, by batches of one instant too (2.4, 4.3)."""

from concurrent.futures import ThreadPoolExecutor

from tests.support.batches import bulk, cid, item, named_in, statuses, submit, to
from tests.support.service import TestAccount
from tests.support.text import phone
from tests.support.waiting import patiently


def test_the_second_of_one_id_in_a_request_is_a_duplicate(account: TestAccount) -> None:
    data = submit(account, [item(1), item(1, to=to(9)), item(2), item(1)])
    assert named_in(data["accepted"]) == [cid(1), cid(2)]
    elsewhere = {"clientMessageId": cid(1), "mismatch": "to"}
    assert data["duplicates"] == [elsewhere, {"clientMessageId": cid(1)}]
    assert data["total"] == 4
    account.advance(seconds=5)
    assert len(phone(account, to(1))) == 1 and phone(account, to(9)) == []


def test_a_rejected_item_does_not_use_its_id_up(account: TestAccount) -> None:
    data = submit(account, [item(1, to="x"), item(1), item(1)])
    assert [r["index"] for r in data["rejected"]] == [0]
    assert named_in(data["accepted"]) == named_in(data["duplicates"]) == [cid(1)]


def test_a_repeated_batch_is_all_duplicates_for_48_hours(account: TestAccount) -> None:
    messages = [item(n) for n in range(20)]
    first = submit(account, messages)
    again = submit(account, messages)
    assert again["accepted"] == again["rejected"] == []
    assert named_in(again["duplicates"]) == [cid(n) for n in range(20)]
    assert again["batchId"] != first["batchId"]
    assert account.status(cid(1))["batchId"] == first["batchId"]
    account.advance(hours=48)
    assert len(submit(account, messages)["accepted"]) == 20


def test_ids_are_shared_with_single_messages(account: TestAccount) -> None:
    account.send(**item(1))
    assert named_in(submit(account, [item(1), item(2)])["duplicates"]) == [cid(1)]
    answer = account.send(**item(2))
    assert answer.json()["data"]["duplicate"] is True


def test_two_equal_batches_at_the_same_instant_are_taken_once(account: TestAccount) -> None:
    messages = [item(n) for n in range(100)]
    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(lambda _: patiently(lambda: bulk(account, messages)), range(6)))
    assert [answer.status_code for answer in answers] == [202] * 6
    results = [answer.json()["data"] for answer in answers]
    assert sorted(len(data["accepted"]) for data in results) == [0] * 5 + [100]
    assert sorted(len(data["duplicates"]) for data in results) == [0] + [100] * 5
    account.advance(seconds=5)
    assert statuses(account) == {"read": 100}


def test_many_batches_of_one_account_at_once_are_all_taken(account: TestAccount) -> None:
    batches = [[item(100 * b + n) for n in range(100)] for b in range(8)]
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda one: patiently(lambda: bulk(account, one)), batches))
    assert [answer.status_code for answer in answers] == [202] * 8
    assert [len(answer.json()["data"]["accepted"]) for answer in answers] == [100] * 8


def test_a_guest_may_stand_anywhere_in_a_batch(account: TestAccount) -> None:
    """A batch is written in parts; whom the first has met, the next does not meet again."""
    messages = [item(n, to=to(n % 7)) for n in range(800)]
    assert len(submit(account, messages)["accepted"]) == 800
    again = [item(n, to=to(n % 7)) for n in range(800, 1000)]
    assert len(submit(account, again)["accepted"]) == 200
