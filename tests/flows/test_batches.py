"""Batches by the clock: their events, when they are complete, and that estimates hold."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest

from tests.support.batches import (
    SLOW,
    cancel,
    cid,
    item,
    last_sent,
    received,
    statuses,
    submit,
    timestamp,
    to,
)
from tests.support.database import fresh_database
from tests.support.platform import FakePlatform
from tests.support.receiver import Receiver
from tests.support.service import NUMBER, TestAccount, TestService
from tests.support.text import account_now, ahead, wire
from tests.support.waiting import eventually, settle

DATA = {
    "batchId", "batchName", "total", "sent", "delivered", "read", "failed", "expired",
    "cancelled", "pending", "percent",
}  # fmt: skip


def require_sound(events: list[dict[str, Any]]) -> None:
    """The counts of every event add up, and nothing that was published is taken back."""
    for data in events:
        assert set(data) == DATA
        ended = data["sent"] + data["failed"] + data["expired"] + data["cancelled"]
        assert ended + data["pending"] == data["total"], data
        assert data["read"] <= data["delivered"] <= data["sent"]
        assert data["percent"] == (100 * ended // data["total"] if data["total"] else 100)
    percents = [data["percent"] for data in events]
    assert percents == sorted(percents)


def rate(per_second: int) -> str:
    return f'[[accounts.numbers]]\nnumber = "{NUMBER}"\nperSecond = {per_second}\n'


# Completion


def test_completion_is_published_once_with_the_counts(account: TestAccount) -> None:
    data = submit(account, [item(n) for n in range(10)], batchName="spring")
    account.advance(minutes=10)
    (event,) = received(account, "batch.completed", data["batchId"])
    require_sound([event])
    assert (event["batchName"], event["total"], event["sent"]) == ("spring", 10, 10)
    assert (event["pending"], event["percent"]) == (0, 100)


def test_every_end_of_a_message_is_counted(account: TestAccount) -> None:
    account.reply(to(1), "hello?")
    ends = {
        "972500009001": "sent",
        "972500009013": "refused by the platform",
        "972500009010": "failed after it was sent",
        "972500009024": "unknown, then failed",
        "972500009030": "waits for an hour, and expires before",
    }
    messages = [
        item(n, to=number, **({"deadline": ahead(minutes=30)} if number.endswith("30") else {}))
        for n, number in enumerate(ends)
    ]
    batch_id = submit(account, messages)["batchId"]
    account.advance(seconds=10)
    assert received(account, "batch.completed", batch_id) == [], "two have not left us"
    account.advance(minutes=40)
    (event,) = received(account, "batch.completed", batch_id)
    require_sound([*received(account, "batch.progress", batch_id), event])
    assert (event["sent"], event["failed"], event["expired"]) == (1, 3, 1)
    account.advance(days=1)
    assert len(received(account, "batch.completed", batch_id)) == 1


def test_a_batch_of_which_all_was_rejected_is_complete_at_once(account: TestAccount) -> None:
    batch_id = submit(account, [item(1, to="x"), None])["batchId"]
    (event,) = received(account, "batch.completed", batch_id)
    assert event == {
        "batchId": batch_id, "batchName": "", "total": 0, "sent": 0, "delivered": 0, "read": 0,
        "failed": 0, "expired": 0, "cancelled": 0, "pending": 0, "percent": 100,
    }  # fmt: skip
    account.advance(minutes=5)
    assert len(received(account, "batch.completed", batch_id)) == 1
    assert received(account, "batch.progress", batch_id) == []


def test_a_batch_that_was_cancelled_whole_is_complete(account: TestAccount) -> None:
    batch_id = submit(account, [item(n, scheduledFor=ahead(days=1)) for n in range(10)])["batchId"]
    cancel(account, batch_id)
    (event,) = received(account, "batch.completed", batch_id)
    require_sound([event])
    assert (event["cancelled"], event["percent"]) == (10, 100)
    cancel(account, batch_id)
    account.advance(days=2)
    assert len(received(account, "batch.completed", batch_id)) == 1


def test_statuses_after_completion_do_not_publish_it_again(account: TestAccount) -> None:
    batch_id = submit(account, [item(n) for n in range(5)])["batchId"]
    account.advance(days=40)
    assert statuses(account) == {"read": 5}
    assert len(received(account, "batch.completed", batch_id)) == 1
    assert len(account.events("message.status")) == 15


def test_total_is_what_was_accepted(account: TestAccount) -> None:
    account.send(**item(1))
    data = submit(account, [item(1), item(2), item(2), item(3, to="x"), item(4)])
    assert (data["total"], len(data["accepted"])) == (5, 2)
    account.advance(seconds=5)
    assert received(account, "batch.completed", data["batchId"])[0]["total"] == 2


# Progress


def test_progress_is_published_every_five_percent(service: TestService) -> None:
    account = service.account(rate(2))
    batch_id = submit(account, [item(n) for n in range(40)])["batchId"]
    account.advance(seconds=30)
    events = received(account, "batch.progress", batch_id)
    require_sound(events + received(account, "batch.completed", batch_id))
    steps = [data["percent"] // 5 for data in events]
    assert steps == sorted(set(steps)), "no step is published twice"
    assert 8 <= len(steps) <= 19
    assert events[-1]["percent"] < 100, "the end is batch.completed"


def test_progress_is_published_every_minute_where_it_is_slow(service: TestService) -> None:
    account = service.account(SLOW)
    submit(account, [item(n) for n in range(125)])
    batch_id = submit(account, [item(n) for n in range(125, 145)])["batchId"]
    account.advance(seconds=135)
    events = [e for e in account.events("batch.progress") if e["data"]["batchId"] == batch_id]
    require_sound([event["data"] for event in events])
    assert [event["data"]["percent"] for event in events[:2]] == [0, 0]
    times = [timestamp(event["createdAt"]) for event in events]
    gaps = [later - earlier for earlier, later in pairwise(times)]
    assert len(gaps) >= 2 and max(gaps) <= timedelta(seconds=62)


def test_a_batch_that_only_waits_publishes_no_progress(service: TestService) -> None:
    waiting = {
        "scheduled": (service.account(), {"scheduledFor": ahead(days=20)}),
        "paused": (service.account(paused=True), {}),
    }
    for account, fields in waiting.values():
        batch_id = submit(account, [item(n, **fields) for n in range(3)])["batchId"]
        account.advance(days=10)  # answered soon: a quiet batch makes a quiet clock
        assert received(account, "batch.progress", batch_id) == []


def test_a_batch_that_waited_is_published_once_it_goes(account: TestAccount) -> None:
    messages = [item(n, scheduledFor=ahead(hours=2 + n)) for n in range(3)]
    batch_id = submit(account, messages)["batchId"]
    account.advance(hours=3, minutes=30)
    events = received(account, "batch.progress", batch_id)
    assert [event["percent"] for event in events] == [33, 66]
    account.advance(hours=1)
    assert len(received(account, "batch.completed", batch_id)) == 1
    assert received(account, "batch.progress", batch_id) == events


def test_what_moved_before_the_wait_is_reported(account: TestAccount) -> None:
    later = {"scheduledFor": ahead(hours=5)}
    messages = [item(n, **({} if n == 0 else later)) for n in range(100)]
    batch_id = submit(account, messages)["batchId"]
    account.advance(minutes=30)
    events = received(account, "batch.progress", batch_id)
    assert events[-1]["sent"] == 1 and events[-1]["percent"] == 1
    assert len(events) <= 3
    account.advance(hours=5)
    (event,) = received(account, "batch.completed", batch_id)
    assert event["sent"] == 100


def test_less_than_a_percent_that_moved_before_the_wait_is_reported_once(
    account: TestAccount,
) -> None:
    later = {"scheduledFor": ahead(hours=5)}
    batch_id = submit(account, [item(n, **({} if n == 0 else later)) for n in range(150)])[
        "batchId"
    ]
    account.advance(minutes=30)
    (event,) = received(account, "batch.progress", batch_id)
    assert (event["sent"], event["percent"]) == (1, 0)


# What every event says


def test_meta_and_batch_are_in_every_event_of_a_message(service: TestService) -> None:
    with Receiver() as receiver:
        account = service.account(webhookUrl=receiver.url, dailyLimit=1)
        meta = {"seat": 12345678901234567890, "name": "דנה", "deep": [{"a": None}]}
        batch_id = submit(account, [item(n, meta=meta) for n in range(2)])["batchId"]
        account.advance(days=1, minutes=5)
        posts = [post.json() for post in receiver.wait_for(8)]
        about = [post["data"] for post in posts if post["type"].startswith("message.")]
        assert len(about) == 7
        assert all(data["meta"] == meta and data["batchId"] == batch_id for data in about)
        assert [post["type"] for post in posts].count("batch.completed") == 1
        receiver.verify(account.secret, now=account.service.clock.now().timestamp())


# Estimates


@pytest.mark.parametrize(
    ("per_second", "size", "wait"),
    [(1, 12, None), (5, 40, None), (80, 200, None), (1, 12, 5), (3, 30, 20), (80, 100, 600)],
)
def test_the_last_message_goes_no_later_than_estimated(
    service: TestService, per_second: int, size: int, wait: int | None
) -> None:
    account = service.account(rate(per_second))
    fields = {} if wait is None else {"scheduledFor": ahead(seconds=wait)}
    start = account_now(account)
    data = submit(account, [item(n, **fields) for n in range(size)])
    estimate = timestamp(data["estimatedCompletionAt"])
    account.advance(seconds=int((estimate - start).total_seconds()) + 1)
    assert statuses(account).keys() <= {"sent", "delivered", "read"}
    assert sum(statuses(account).values()) == size
    assert last_sent(account) <= estimate
    assert len(received(account, "batch.completed", data["batchId"])) == 1


def test_batches_behind_each_other_are_estimated_behind_each_other(service: TestService) -> None:
    account = service.account(rate(2))
    timestamps = [
        timestamp(submit(account, [item(10 * b + n) for n in range(10)])["estimatedCompletionAt"])
        for b in range(3)
    ]
    assert timestamps == sorted(timestamps)
    account.advance(seconds=20)
    assert sum(statuses(account).values()) == 30
    assert last_sent(account) <= timestamps[-1]


def test_what_is_held_for_the_same_hour_is_estimated_behind_each_other(
    service: TestService,
) -> None:
    now = account_now(service.account())
    opens = (now + timedelta(hours=2)).replace(second=0, microsecond=0)
    hours = [opens, opens + timedelta(hours=1)]
    window = dict(zip(("from", "to"), (at.strftime("%H:%M") for at in hours), strict=True))
    account = service.account(rate(1), sendWindow=window | {"timezone": "UTC"})
    for batch in range(8):
        data = submit(account, [item(10 * batch + n) for n in range(10)])
        assert {entry["reason"] for entry in data["held"]} == {"SEND_WINDOW"}
    estimate = timestamp(data["estimatedCompletionAt"])
    assert opens + timedelta(seconds=80) < estimate < opens + timedelta(minutes=5)
    account.advance(seconds=int((estimate - now).total_seconds()))
    assert set(statuses(account)) <= {"sent", "delivered", "read"}
    assert last_sent(account) <= estimate


def test_a_batch_planned_past_the_closing_goes_on_when_the_window_opens(
    service: TestService,
) -> None:
    now = account_now(service.account())
    closes = (now + timedelta(minutes=2)).replace(second=0, microsecond=0)
    hours = (closes - timedelta(hours=1)).strftime("%H:%M"), closes.strftime("%H:%M")
    account = service.account(
        rate(1), sendWindow={"from": hours[0], "to": hours[1], "timezone": "UTC"}
    )
    start = account_now(account)
    data = submit(account, [item(n) for n in range(160)])
    estimate = timestamp(data["estimatedCompletionAt"])
    assert estimate > start + timedelta(hours=22), "some are left for tomorrow"
    account.advance(seconds=170)
    assert statuses(account)["deferred"] >= 30
    opens = closes + timedelta(hours=23)
    account.advance(seconds=int((opens - account_now(account)).total_seconds()) + 8)
    waiting = "SELECT max(generation) AS n FROM jobs WHERE account_id = $1 AND pool = 'send'"
    assert account.service.sql(waiting, account.id)[0]["n"] <= 4, "each has a slot of its own again"
    account.advance(seconds=int((estimate - account_now(account)).total_seconds()))
    assert set(statuses(account)) <= {"sent", "delivered", "read"}, statuses(account)
    assert last_sent(account) <= estimate


# Where two processes work on one batch


@pytest.fixture(scope="module")
def two_services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[TestService]]:
    """Two processes' worth of workers on one database."""
    dsn = fresh_database()
    platform = FakePlatform()
    folder = tmp_path_factory.mktemp("data")
    with (
        TestService(dsn, folder, platforms={"sandbox": platform}) as one,
        TestService(dsn, folder, platforms={"sandbox": platform}) as two,
    ):
        yield [one, two]


def test_the_last_two_at_the_same_instant_complete_a_batch_once(
    two_services: list[TestService],
) -> None:
    account = two_services[0].account(rate(1000))
    with ThreadPoolExecutor(4) as pool:
        batches = list(
            pool.map(
                lambda b: submit(account, [item(2 * b), item(2 * b + 1)])["batchId"], range(60)
            )
        )
    eventually(lambda: len(account.events("batch.completed")) >= 60)
    settle(account)
    completed = [event["data"]["batchId"] for event in account.events("batch.completed")]
    assert sorted(completed) == sorted(batches)


def test_a_batch_taken_by_one_process_is_cancelled_by_another(
    two_services: list[TestService],
) -> None:
    one, two = two_services
    account = one.account(SLOW)
    batch_id = submit(account, [item(n) for n in range(50)])["batchId"]
    answer = two.http.post(f"/api/v1/batches/{batch_id}/cancel", headers=account.headers)
    assert answer.status_code == 200, answer.text
    counts = answer.json()["data"]
    assert counts["cancelled"] >= 40
    eventually(lambda: received(account, "batch.completed", batch_id))
    assert len(received(account, "batch.completed", batch_id)) == 1


def test_deadlines_inside_a_batch_expire_what_is_too_late_and_send_the_rest(
    service: TestService,
) -> None:
    account = service.account(rate(1))
    deadline = wire(account_now(account) + timedelta(seconds=10))
    data = submit(account, [item(n, deadline=deadline) for n in range(20)])
    risky = {entry["clientMessageId"] for entry in data["atRisk"]}
    account.advance(seconds=30)
    ended = statuses(account)
    assert ended["expired"] >= 8 and sum(ended.values()) == 20
    (event,) = received(account, "batch.completed", data["batchId"])
    require_sound([event])
    assert event["expired"] == ended["expired"]
    for n in range(20):
        if account.status(cid(n))["status"] == "expired":
            assert cid(n) in risky
