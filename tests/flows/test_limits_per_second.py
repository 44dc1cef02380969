"""Messages a second, black box: what waits its turn is told so, and all go exactly once."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from itertools import pairwise

from tests.support.capacity import (
    PASSCODES,
    SECOND,
    cid,
    copies,
    deferrals,
    guest,
    moment,
    now,
    number_toml,
    passcode,
    require_within_rate,
    send,
    sent_at,
)
from tests.support.service import NUMBER, TestService


def test_a_burst_beyond_a_second_waits_its_turn_and_all_go_once(service: TestService) -> None:
    account = service.account(number_toml(perSecond=5))
    with ThreadPoolExecutor(8) as pool:
        answers = dict(enumerate(pool.map(lambda index: send(account, index), range(40))))
    waiting = {i: data for i, data in answers.items() if data["status"] == "deferred"}
    assert 5 <= len(answers) - len(waiting) <= 20, "a second's worth, and what time has passed"
    assert {data["reason"] for data in waiting.values()} == {"NUMBER_LIMIT"}
    turns = sorted(moment(data["retryAt"]) for data in waiting.values())
    assert turns[0] > now(account) - timedelta(seconds=2)
    gaps = [(after - before).total_seconds() for before, after in pairwise(turns)]
    assert all(abs(gap - 0.2) < 0.002 for gap in gaps), gaps
    account.advance(seconds=12)
    times = []
    for index in range(40):
        times.append(sent_at(account, index))
        assert copies(account, index) == 1
        assert deferrals(account, index) == (["NUMBER_LIMIT"] if index in waiting else [])
    require_within_rate(times, 5)
    assert max(times) <= turns[-1] + timedelta(seconds=2), "and none later than it was told"


def test_a_message_that_waits_its_turn_says_why_and_until_when(service: TestService) -> None:
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
    (told,) = [
        event["data"]
        for event in account.events("message.deferred")
        if event["data"]["clientMessageId"] == cid(3)
    ]
    assert (told["reason"], told["retryAt"], told["to"]) == (
        "NUMBER_LIMIT", data["retryAt"], guest(3),
    )  # fmt: skip
    repeat = account.send(clientMessageId=cid(3), to=guest(3), templateName="plain")
    assert repeat.status_code == 202
    assert repeat.json()["data"] == data | {"duplicate": True}
    account.advance(seconds=5)
    assert copies(account, 3) == 1
    assert sent_at(account, 3) >= moment(data["retryAt"]) - timedelta(seconds=1)


def test_two_numbers_send_twice_as_much(service: TestService) -> None:
    rates = number_toml(perSecond=1) + number_toml(SECOND, perSecond=1)
    account = service.account(rates)
    data = [send(account, index) for index in range(8)]
    senders = [one["sentFrom"] for one in data if one["status"] == "sent"]
    assert senders[:4] == [NUMBER, SECOND, NUMBER, SECOND]  # whose turn comes first
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
