"""POST /messages/bulk, black box: what is held, and what is at risk of its deadline (4.3)."""

from datetime import timedelta
from typing import Any

from tests.support.batches import OTHER, SLOW, cid, item, named_in, numbers, submit, timestamp, to
from tests.support.service import NUMBER, TestAccount, TestService
from tests.support.text import account_now, ahead, wire

# What is held


def held(data: dict[str, Any]) -> list[tuple[str, str]]:
    assert all(set(entry) == {"clientMessageId", "reason", "until"} for entry in data["held"])
    return [(entry["clientMessageId"], entry["reason"]) for entry in data["held"]]


def test_a_paused_account_takes_the_batch_and_holds_it(service: TestService) -> None:
    account = service.account(paused=True)
    data = submit(account, [item(1), item(2)])
    assert named_in(data["accepted"]) == [cid(1), cid(2)]
    assert held(data) == [(cid(1), "SENDING_PAUSED"), (cid(2), "SENDING_PAUSED")]
    assert [entry["until"] for entry in data["held"]] == [None, None]
    assert data["estimatedCompletionAt"] is None
    deferred = [event["data"] for event in account.events("message.deferred")]
    assert [event["batchId"] for event in deferred] == [data["batchId"]] * 2


def test_what_is_scheduled_in_a_paused_account_has_no_known_end(service: TestService) -> None:
    account = service.account(paused=True)
    data = submit(account, [item(1, scheduledFor=ahead(hours=1))])
    assert data["held"] == []
    assert data["estimatedCompletionAt"] is None


def test_a_closed_send_window_holds_the_batch_until_it_opens(service: TestService) -> None:
    now = account_now(service.account())
    opens = (now + timedelta(hours=3)).replace(second=0, microsecond=0)
    window = {
        "from": opens.strftime("%H:%M"),
        "to": (opens + timedelta(hours=2)).strftime("%H:%M"),
        "timezone": "UTC",
    }
    account = service.account(sendWindow=window)
    data = submit(account, [item(1), item(2)])
    assert held(data) == [(cid(1), "SEND_WINDOW"), (cid(2), "SEND_WINDOW")]
    assert {timestamp(entry["until"]) for entry in data["held"]} == {opens}
    assert opens < timestamp(data["estimatedCompletionAt"]) < opens + timedelta(minutes=5)


def test_the_account_limit_holds_what_is_too_much_for_today(service: TestService) -> None:
    account = service.account(dailyLimit=3)
    start = account_now(account)
    data = submit(account, [item(n) for n in range(5)])
    assert len(data["accepted"]) == 5
    assert held(data) == [(cid(3), "ACCOUNT_LIMIT"), (cid(4), "ACCOUNT_LIMIT")]
    day = timedelta(days=1)
    for entry in data["held"]:
        assert day <= timestamp(entry["until"]) - start < day + timedelta(minutes=2)
    assert timestamp(data["estimatedCompletionAt"]) >= timestamp(data["held"][-1]["until"])


def test_the_limit_of_a_number_counts_people_and_holds_the_rest(service: TestService) -> None:
    account = service.account(numbers("dailyLimit = 2"))
    people = [1, 1, 2, 3, 2, 4]
    data = submit(account, [item(n, to=to(person)) for n, person in enumerate(people)])
    assert held(data) == [(cid(3), "NUMBER_LIMIT"), (cid(5), "NUMBER_LIMIT")]


def test_numbers_of_one_portfolio_share_a_counter(service: TestService) -> None:
    shared = 'portfolioId = "p1"\ndailyLimit = 3'
    account = service.account(numbers(shared, shared))
    asked = [item(n, sentFrom=(NUMBER, OTHER)[n % 2], fromPolicy="strict") for n in range(6)]
    data = submit(account, asked)
    assert held(data) == [(cid(n), "NUMBER_LIMIT") for n in (3, 4, 5)]
    used = account.get("/limits").json()["data"]["total"]["used"]
    assert used == 3


def test_a_full_number_leaves_the_rest_to_another(service: TestService) -> None:
    account = service.account(numbers("dailyLimit = 2", "dailyLimit = 2"))
    data = submit(account, [item(n) for n in range(5)])
    assert held(data) == [(cid(4), "NUMBER_LIMIT")]
    account.advance(seconds=5)
    senders = sorted(account.status(cid(n))["sentFrom"] for n in range(4))
    assert senders == sorted([NUMBER] * 2 + [OTHER] * 2)


def test_a_limit_of_nothing_holds_everything_for_no_known_time(service: TestService) -> None:
    account = service.account(dailyLimit=0)
    data = submit(account, [item(1)])
    assert held(data) == [(cid(1), "ACCOUNT_LIMIT")]
    assert (data["held"][0]["until"], data["estimatedCompletionAt"]) == (None, None)


def test_a_batch_that_only_waits_for_its_turn_is_not_held(service: TestService) -> None:
    account = service.account(SLOW)
    data = submit(account, [item(n) for n in range(50)])
    assert data["held"] == []
    assert account.events("message.deferred") == []


# What is at risk


def at_risk(data: dict[str, Any]) -> list[str]:
    fields = {"clientMessageId", "reason", "estimatedAt", "deadline"}
    assert all(set(entry) == fields for entry in data["atRisk"])
    return named_in(data["atRisk"])


def test_a_deadline_before_the_turn_is_at_risk(service: TestService) -> None:
    account = service.account(SLOW)
    deadline = wire(account_now(account) + timedelta(minutes=5))
    data = submit(account, [item(n, deadline=deadline) for n in range(400)])
    assert len(data["accepted"]) == 400 and data["held"] == []
    risky = at_risk(data)
    assert set(risky) >= {cid(n) for n in range(300, 400)}, "these come up after the deadline"
    assert cid(0) not in risky
    last = data["atRisk"][-1]
    assert last["reason"] == "NUMBER_LIMIT", "one of the known reasons: the number's rate"
    assert timestamp(last["deadline"]) == timestamp(deadline.split(".")[0] + "Z").replace(
        microsecond=timestamp(last["deadline"]).microsecond
    )
    assert timestamp(last["estimatedAt"]) > timestamp(last["deadline"])


def test_a_held_message_is_at_risk_when_its_deadline_comes_first(service: TestService) -> None:
    account = service.account(dailyLimit=1)
    soon, late = ahead(hours=2), ahead(hours=30)
    data = submit(account, [item(1), item(2, deadline=soon), item(3, deadline=late), item(4)])
    assert at_risk(data) == [cid(2), cid(3)], "a place a day: tomorrow, and the day after"
    assert data["atRisk"][0]["reason"] == "ACCOUNT_LIMIT"
    account.advance(hours=3)
    assert account.status(cid(2))["status"] == "expired"


def test_nobody_knows_when_a_paused_account_sends_so_every_deadline_is_at_risk(
    service: TestService,
) -> None:
    account = service.account(paused=True)
    data = submit(account, [item(1, deadline=ahead(days=3)), item(2)])
    assert at_risk(data) == [cid(1)]
    assert data["atRisk"][0]["estimatedAt"] is None
    assert data["atRisk"][0]["reason"] == "SENDING_PAUSED"


def test_a_scheduled_message_is_not_at_risk_for_being_scheduled(account: TestAccount) -> None:
    times = {"scheduledFor": ahead(days=2), "deadline": ahead(days=2, minutes=10)}
    data = submit(account, [item(n, **times) for n in range(100)])
    assert data["atRisk"] == []


def test_a_comfortable_deadline_is_not_at_risk(account: TestAccount) -> None:
    assert submit(account, [item(1, deadline=ahead(minutes=10))])["atRisk"] == []


def test_a_scheduled_message_at_risk_says_what_will_hold_it(service: TestService) -> None:
    times = {"scheduledFor": ahead(hours=1), "deadline": ahead(hours=2)}
    paused = service.account(paused=True)
    assert [r["reason"] for r in submit(paused, [item(1, **times)])["atRisk"]] == ["SENDING_PAUSED"]
    now = account_now(paused)
    opens, closes = now + timedelta(hours=4), now + timedelta(hours=6)
    window = {"from": f"{opens:%H}:00", "to": f"{closes:%H}:00", "timezone": "UTC"}
    hours = service.account(sendWindow=window)
    assert [r["reason"] for r in submit(hours, [item(1, **times)])["atRisk"]] == ["SEND_WINDOW"]
