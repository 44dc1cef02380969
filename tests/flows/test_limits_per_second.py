"""Messages per second, black box: what waits is deferred, and all are sent exactly once."""

from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from itertools import pairwise

from tests.support.batches import cid as item_cid
from tests.support.batches import item, received, submit, to
from tests.support.capacity import (
    PASSCODES,
    SECOND,
    cid,
    copies,
    guest,
    now,
    number_toml,
    passcode,
    phone_times,
    reasons_to_wait,
    require_within_rate,
    send,
    sent_at,
    timestamp,
)
from tests.support.service import NUMBER, TestAccount, TestService
from tests.support.text import wire
from tidings import limits


def test_a_burst_beyond_a_second_waits_for_slots_and_all_go_once(service: TestService) -> None:
    account = service.account(number_toml(perSecond=5))
    with ThreadPoolExecutor(8) as pool:
        answers = dict(enumerate(pool.map(lambda index: send(account, index), range(40))))
    waiting = {i: data for i, data in answers.items() if data["status"] == "deferred"}
    assert 5 <= len(answers) - len(waiting) <= 20, "a second's worth, and what time has passed"
    assert {data["reason"] for data in waiting.values()} == {"NUMBER_LIMIT"}
    turns = sorted(timestamp(data["retryAt"]) for data in waiting.values())
    assert turns[0] > now(account) - timedelta(seconds=2)
    gaps = [(after - before).total_seconds() for before, after in pairwise(turns)]
    assert all(abs(gap - 0.2) < 0.002 for gap in gaps), gaps
    account.advance(seconds=12)
    times = [sent_at(account, index) for index in range(40)]
    assert all(copies(account, index) == 1 for index in range(40))
    assert reasons_to_wait(account) == {cid(index): ["NUMBER_LIMIT"] for index in waiting}
    require_within_rate(times, 5)
    assert max(times) <= turns[-1] + timedelta(seconds=2), "and none later than announced"


def test_a_message_that_waits_for_a_slot_says_why_and_until_when(service: TestService) -> None:
    account = service.account(number_toml(perSecond=1))
    data = [send(account, index) for index in range(4)][-1]
    assert (data["status"], data["reason"]) == ("deferred", "NUMBER_LIMIT")
    assert (data["messageId"], data["sentAt"], data["sentFrom"]) == (None, None, NUMBER)
    status = account.status(cid(3))
    assert (status["status"], status["reason"]) == ("deferred", "NUMBER_LIMIT")
    assert status["retryAt"] == data["retryAt"]
    assert [(step["status"], step.get("reason")) for step in status["timeline"]] == [
        ("queued", None), ("deferred", "NUMBER_LIMIT"),
    ]  # fmt: skip
    (received,) = [
        event["data"]
        for event in account.events("message.deferred")
        if event["data"]["clientMessageId"] == cid(3)
    ]
    assert (received["reason"], received["retryAt"], received["to"]) == (
        "NUMBER_LIMIT", data["retryAt"], guest(3),
    )  # fmt: skip
    repeat = account.send(clientMessageId=cid(3), to=guest(3), templateName="plain")
    assert repeat.status_code == 202
    assert repeat.json()["data"] == data | {"duplicate": True}
    account.advance(seconds=5)
    assert copies(account, 3) == 1
    assert sent_at(account, 3) >= timestamp(data["retryAt"]) - timedelta(seconds=1)


def test_two_numbers_send_twice_as_much(service: TestService) -> None:
    rates = number_toml(perSecond=1) + number_toml(SECOND, perSecond=1)
    account = service.account(rates)
    data = [send(account, index) for index in range(8)]
    senders = [one["sentFrom"] for one in data if one["status"] == "sent"]
    assert senders[:4] == [NUMBER, SECOND, NUMBER, SECOND]  # the earliest slot first
    assert data[-1]["reason"] == "NUMBER_LIMIT"
    account.advance(seconds=10)
    assert all(copies(account, index) == 1 for index in range(8))


def test_a_rate_is_each_numbers_own(service: TestService) -> None:
    account = service.account(number_toml(perSecond=1) + number_toml(SECOND, perSecond=50))
    data = [send(account, index, sentFrom=SECOND, fromPolicy="strict") for index in range(20)]
    assert {one["status"] for one in data} == {"sent"}


def test_a_guest_of_a_busy_number_waits_for_it(service: TestService) -> None:
    account = service.account(number_toml(perSecond=1) + number_toml(SECOND, perSecond=50))
    send(account, 0)
    busy = [send(account, index, to=guest(0)) for index in range(1, 5)]
    assert {one["sentFrom"] for one in busy} == {NUMBER}
    assert busy[-1]["reason"] == "NUMBER_LIMIT"


def test_prefer_does_not_wait_where_another_can_send(service: TestService) -> None:
    account = service.account(number_toml(perSecond=1) + number_toml(SECOND, perSecond=50))
    data = [send(account, index, sentFrom=NUMBER) for index in range(4)]
    assert data[-1]["status"] == "sent"
    assert (data[-1]["sentFrom"], data[-1]["fallbackUsed"]) == (SECOND, True)
    strict = [send(account, index, sentFrom=NUMBER, fromPolicy="strict") for index in range(10, 13)]
    assert (strict[-1]["sentFrom"], strict[-1]["reason"]) == (NUMBER, "NUMBER_LIMIT")


def test_passcodes_go_first(service: TestService) -> None:
    account = service.account(number_toml(perSecond=4) + PASSCODES)
    with ThreadPoolExecutor(4) as pool:
        texts = list(pool.map(lambda index: send(account, index), range(30)))
    assert texts[-1]["status"] == "deferred"
    assert passcode(account, 50)["status"] == "sent"
    account.advance(seconds=20)
    assert all(copies(account, index) == 1 for index in range(30))


# The sandbox waits for no slot, and yet nothing is seen to leave before its own


def steps(account: TestAccount, named: str) -> list[tuple[str, datetime]]:
    timeline = account.status(named)["timeline"]
    return [(step["status"], timestamp(step["at"])) for step in timeline]


def require_forwards(account: TestAccount, ids: Iterable[str]) -> None:
    """A message's timeline and its events never go backwards."""
    events = account.events()
    for named in ids:
        shown = [at for _, at in steps(account, named)]
        assert shown == sorted(shown), steps(account, named)
        about = [e for e in events if e["data"].get("clientMessageId") == named]
        assert [e["createdAt"] for e in about] == sorted(e["createdAt"] for e in about)
        assert all(e["createdAt"] >= e["data"]["at"] for e in about), about


def test_parallel_messages_are_spaced_by_the_rate(service: TestService) -> None:
    account = service.account(number_toml(perSecond=20))
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(lambda index: send(account, index), range(100)))
    at_once = [timestamp(data["sentAt"]) for data in answers if data["status"] == "sent"]
    assert 20 <= len(at_once) <= 40, "a second's worth, and what time has passed"
    require_within_rate(at_once, 20)
    assert max(at_once) <= now(account) + limits.SLOT_WAIT_MAX
    account.advance(seconds=10)
    times = [sent_at(account, index) for index in range(100)]
    require_within_rate(times, 20)
    assert sorted(phone_times(account, map(guest, range(100)))) == sorted(times)
    require_forwards(account, map(cid, range(100)))


def test_all_that_follows_a_message_counts_from_its_slot(service: TestService) -> None:
    account = service.account(number_toml(perSecond=2))
    before, data = [send(account, index) for index in range(2)]
    assert timestamp(data["sentAt"]) == timestamp(before["sentAt"]) + timedelta(seconds=0.5)
    account.advance(seconds=5)
    reached = dict(steps(account, cid(1)))
    assert reached["sent"] == timestamp(data["sentAt"])
    assert reached["delivered"] == reached["sent"] + timedelta(seconds=1)
    assert reached["read"] == reached["sent"] + timedelta(seconds=2)
    (attempt,) = account.status(cid(1))["attempts"]
    assert attempt["at"] == data["sentAt"]
    published_at = {
        event["data"]["status"]: timestamp(event["data"]["at"])
        for event in account.events("message.status")
        if event["data"]["clientMessageId"] == cid(1)
    }
    assert published_at == {status: reached[status] for status in ("sent", "delivered", "read")}


def test_a_batch_played_by_the_clock_is_spaced_by_the_rate(service: TestService) -> None:
    account = service.account(number_toml(perSecond=10))
    batch_id = submit(account, [item(n) for n in range(60)])["batchId"]
    account.advance(seconds=12)
    times = phone_times(account, map(to, range(60)))
    assert len(times) == 60
    require_within_rate(times, 10)
    assert max(times) - min(times) < timedelta(seconds=9), "and the rate is used"
    (completed,) = account.events("batch.completed")
    assert completed["data"]["batchId"] == batch_id
    assert timestamp(completed["createdAt"]) >= max(times), "complete when the last one has left"
    require_forwards(account, map(item_cid, range(60)))


def test_passcodes_and_others_together_keep_the_rate(service: TestService) -> None:
    account = service.account(number_toml(perSecond=12) + PASSCODES)
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda index: send(account, index), range(30)))
        list(pool.map(lambda index: passcode(account, index), range(50, 60)))
    account.advance(seconds=15)
    times = phone_times(account, map(guest, [*range(30), *range(50, 60)]))
    assert len(times) == 40
    require_within_rate(times, 12, rows=2)


def test_attempts_that_the_platform_refuses_take_their_slots_too(service: TestService) -> None:
    account = service.account(number_toml(perSecond=4))
    for index, phone in enumerate(["972500019013", "972500019020", "972500019024"]):
        body = {"clientMessageId": cid(index), "to": phone, "templateName": "plain"}
        account.send(**body)
    tried = [timestamp(account.status(cid(index))["attempts"][0]["at"]) for index in range(3)]
    assert tried == [tried[0] + timedelta(seconds=0.25 * index) for index in range(3)]
    account.advance(minutes=10)
    require_forwards(account, map(cid, range(3)))


def test_a_batch_cancelled_before_the_slot_of_an_attempt_does_not_run_backwards(
    service: TestService,
) -> None:
    account = service.account(number_toml(perSecond=2))
    send(account, 0)
    batch_id = submit(account, [item(n, to=f"97250001{n}9020") for n in range(2)])["batchId"]
    account.advance(seconds=1)
    assert account.status(item_cid(1))["attempts"], "it was tried, up to a second ahead"
    account.post(f"/batches/{batch_id}/cancel")
    for n in range(2):
        assert account.status(item_cid(n))["status"] == "cancelled"
    require_forwards(account, map(item_cid, range(2)))
    assert len(received(account, "batch.completed", batch_id)) == 1


def test_no_slot_is_given_from_the_deadline_on(service: TestService) -> None:
    account = service.account(number_toml(perSecond=2))
    deadline = now(account) + timedelta(seconds=0.9)
    data = [send(account, index, deadline=wire(deadline)) for index in range(4)]
    assert [one["status"] for one in data] == ["sent", "sent", "deferred", "deferred"]
    assert send(account, 9)["status"] == "sent", "the slot is another's"
    account.advance(seconds=5)
    for index in range(2):
        assert sent_at(account, index) < deadline
    for index in (2, 3):
        assert account.status(cid(index))["status"] == "expired"
        assert account.status(cid(index))["attempts"] == []
        assert steps(account, cid(index))[-1][1] >= deadline
    require_forwards(account, map(cid, (2, 3)))


def test_a_guest_answers_after_the_message_that_is_answered(service: TestService) -> None:
    account = service.account(number_toml(perSecond=1))
    send(account, 0)
    sent = send(account, 1)
    account.reply(guest(1), "thank you")
    shown = account.get(f"/sandbox/v1/phones/{guest(1)}").json()["data"]["messages"]
    assert [message["direction"] for message in shown] == ["out", "in"]
    assert shown[1]["at"] >= shown[0]["at"] == sent["sentAt"]
