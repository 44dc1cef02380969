"""Rolling days, black box: how many new people and how many messages, and what changes it."""

from datetime import datetime, timedelta

from tests.support.capacity import (
    DAY,
    MINUTE,
    PASSCODES,
    SECOND,
    advance_to,
    cid,
    copies,
    deferrals,
    guest,
    limits,
    now,
    number_toml,
    passcode,
    send,
    sent_at,
    timestamp,
)
from tests.support.service import NUMBER, TestAccount, TestService, account_toml

SLACK = timedelta(seconds=1)  # between the place that is taken and the platform's answer


def waiting(account: TestAccount, count: int) -> list[int]:
    found = [account.status(cid(index))["status"] for index in range(count)]
    return [index for index, status in enumerate(found) if status == "deferred"]


# New people in 24 hours


def test_only_so_many_new_people_in_24_hours(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=2))
    first, second = send(account, 0), send(account, 1)
    third = send(account, 2)
    assert (third["status"], third["reason"]) == ("deferred", "NUMBER_LIMIT")
    due = timestamp(third["retryAt"])
    assert timestamp(first["sentAt"]) + DAY - timedelta(seconds=1) <= due
    assert due <= timestamp(second["sentAt"]) + DAY + MINUTE
    assert account.status(cid(2))["retryAt"] == third["retryAt"]
    advance_to(account, due - timedelta(minutes=2))
    assert account.status(cid(2))["status"] == "deferred"
    advance_to(account, due)
    assert copies(account, 2) == 1
    assert sent_at(account, 2) >= due - timedelta(seconds=1)
    assert deferrals(account, 2) == ["NUMBER_LIMIT"]


def test_people_are_counted_and_not_messages(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1))
    for index in range(5):
        assert send(account, index, to=guest(0))["status"] == "sent"
    assert send(account, 9)["reason"] == "NUMBER_LIMIT"
    assert limits(account)["numbers"][0]["used"] == 1


def test_a_person_counts_anew_after_24_hours(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1))
    send(account, 0)
    account.advance(hours=24, minutes=2)
    assert limits(account)["numbers"][0]["used"] == 0
    send(account, 1)
    assert send(account, 2, to=guest(0))["reason"] == "NUMBER_LIMIT"


def test_inside_a_conversation_nobody_is_counted(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1))
    send(account, 0)
    assert send(account, 1)["reason"] == "NUMBER_LIMIT"
    account.reply(guest(7), "Hello?")
    assert send(account, 2, to=guest(7))["status"] == "sent"
    assert send(account, 3, to=guest(7), message="Hi", templateName="plain")["status"] == "sent"
    assert limits(account)["numbers"][0]["used"] == 1
    account.advance(hours=24, minutes=2)  # message 1 has gone by now, and the window closed
    assert send(account, 4, to=guest(7))["reason"] == "NUMBER_LIMIT"


def test_numbers_of_one_portfolio_share_a_counter(service: TestService) -> None:
    shared = {"portfolioId": "p1", "dailyLimit": 3}
    account = service.account(number_toml(**shared) + number_toml(SECOND, **shared))
    senders = [NUMBER, SECOND, NUMBER]
    for index, number in enumerate(senders):
        data = send(account, index, sentFrom=number, fromPolicy="strict")
        assert (data["status"], data["sentFrom"]) == ("sent", number)
    for index, number in ((3, NUMBER), (4, SECOND)):
        data = send(account, index, sentFrom=number)
        assert (data["reason"], data["sentFrom"]) == ("NUMBER_LIMIT", number)
    assert [number["remaining"] for number in limits(account)["numbers"]] == [0, 0]
    assert send(account, 5, to=guest(0), sentFrom=SECOND)["status"] == "sent", "counted already"
    total = limits(account)["total"]
    assert (total["dailyLimit"], total["remaining"]) == (3, 0)


def test_a_number_of_another_portfolio_stands_in(service: TestService) -> None:
    toml = number_toml(portfolioId="p1", dailyLimit=1)
    account = service.account(toml + number_toml(SECOND, portfolioId="p2", dailyLimit=1))
    assert [send(account, index)["sentFrom"] for index in range(2)] == [NUMBER, SECOND]
    assert send(account, 2)["reason"] == "NUMBER_LIMIT"
    assert [number["used"] for number in limits(account)["numbers"]] == [1, 1]


def test_a_limit_of_nothing_says_no_time(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=0))
    data = send(account, 0)
    assert (data["reason"], data["retryAt"]) == ("NUMBER_LIMIT", None)
    account.advance(hours=3)
    assert account.status(cid(0))["status"] == "deferred"


def test_a_message_that_expires_releases_its_reservation(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1), dailyLimit=2)
    send(account, 0)
    soon = (now(account) + timedelta(hours=1)).isoformat()
    waits = send(account, 1, deadline=soon)
    assert waits["reason"] == "NUMBER_LIMIT"
    assert (limits(account)["account"]["used"], limits(account)["account"]["remaining"]) == (2, 0)
    account.advance(hours=2)
    assert account.status(cid(1))["status"] == "expired"
    assert limits(account)["account"]["used"] == 1
    assert timestamp(send(account, 2)["retryAt"]) < timestamp(waits["retryAt"]) + MINUTE


# Messages of the account in 24 hours


def test_only_so_many_messages_of_the_account_in_24_hours(service: TestService) -> None:
    account = service.account(PASSCODES, dailyLimit=3)
    first = send(account, 0)
    for index in (1, 2):
        assert send(account, index, to=guest(0))["status"] == "sent"
    assert limits(account)["account"] | {"requestsPerMinute": 0} == {
        "dailyLimit": 3, "used": 3, "remaining": 0, "requestsPerMinute": 0,
    }  # fmt: skip
    waits = send(account, 3)
    assert (waits["status"], waits["reason"]) == ("deferred", "ACCOUNT_LIMIT")
    due = timestamp(waits["retryAt"])
    assert (
        timedelta(0) <= due - timestamp(first["sentAt"]) - DAY + timedelta(seconds=1) <= MINUTE * 2
    )
    assert passcode(account, 9)["status"] == "sent", "passcodes wait for no limit"
    advance_to(account, due)
    assert copies(account, 3) == 1
    assert deferrals(account, 3) == ["ACCOUNT_LIMIT"]
    own = limits(account)["account"]
    assert own["used"] + own["remaining"] == 3 and own["remaining"] >= 1


def test_forty_messages_keep_their_limits_in_every_24_hours(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=7), dailyLimit=10)
    for index in range(40):
        send(account, index, to=guest(index % 25))
    account.advance(days=6)
    times = sorted(sent_at(account, index) for index in range(40))
    for first, eleventh in zip(times, times[10:], strict=False):
        assert eleventh - first >= DAY - SLACK, "eleven within 24 hours"
    firsts: dict[str, list[datetime]] = {}
    for index in range(40):
        firsts.setdefault(guest(index % 25), []).append(sent_at(account, index))
    people = sorted(min(timestamps) for timestamps in firsts.values())
    for first, eighth in zip(people, people[7:], strict=False):
        assert eighth - first >= DAY - SLACK, "eight new people within 24 hours"


def test_the_limits_are_reported_as_configured(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=5, perSecond=20), dailyLimit=4)
    for index in range(3):
        send(account, index, to=guest(index % 2))
    shown = limits(account)
    (number,) = shown["numbers"]
    assert (number["dailyLimit"], number["used"], number["remaining"]) == (5, 2, 3)
    assert (number["perSecond"], number["number"]) == (20, NUMBER)
    assert (shown["account"]["used"], shown["account"]["remaining"]) == (3, 1)
    assert abs(timestamp(shown["resetsAt"]) - sent_at(account, 0) - DAY) < MINUTE
    advance_to(account, timestamp(shown["resetsAt"]) + MINUTE)
    shown = limits(account)
    assert (shown["account"]["used"], shown["resetsAt"]) == (0, None)


def test_a_raised_limit_lets_those_go_that_waited_for_it(service: TestService) -> None:
    def toml(most: int) -> str:
        return account_toml(number_toml(dailyLimit=most), name="raised-limit", dailyLimit=most + 1)

    account = TestAccount(service, service.apply(toml(1))[0])
    for index in range(4):
        send(account, index, to=guest(index // 2))  # two messages to each of two people
    assert waiting(account, 4) == [2, 3]
    service.apply(toml(9))
    account.advance(minutes=1)
    assert waiting(account, 4) == []
    shown = limits(account)
    assert (shown["account"]["used"], shown["numbers"][0]["used"]) == (4, 2)
    account.advance(hours=24, minutes=2)
    shown = limits(account)
    assert (shown["account"]["used"], shown["numbers"][0]["used"]) == (0, 0), "no place is left"


def test_a_limit_raised_a_little_lets_only_some_go(service: TestService) -> None:
    account = service.account(dailyLimit=2, name="raised-a-little")
    for index in range(10):
        send(account, index)
    assert waiting(account, 10) == list(range(2, 10))
    service.apply(account_toml(dailyLimit=6, name="raised-a-little"))
    account.advance(minutes=1)
    assert 0 < 10 - len(waiting(account, 10)) - 2 <= 4
    account.advance(days=6)
    times = sorted(sent_at(account, index) for index in range(10))
    for first, seventh in zip(times, times[6:], strict=False):
        assert seventh - first >= DAY - SLACK, "seven within 24 hours"


def test_a_reservation_that_passes_while_a_message_is_held_is_made_again(
    service: TestService,
) -> None:
    account = service.account(dailyLimit=2, name="place-passed")
    for index in range(4):
        send(account, index)
    service.apply(account_toml(dailyLimit=2, name="place-passed", paused=True))
    account.advance(hours=40)
    service.apply(account_toml(dailyLimit=2, name="place-passed"))
    account.advance(minutes=5)
    assert [copies(account, index) for index in range(4)] == [1, 1, 1, 1]
    account.advance(hours=9)  # 49 hours after the first, but 9 after the last
    assert limits(account)["account"]["remaining"] == 0
    assert send(account, 4)["reason"] == "ACCOUNT_LIMIT"


def test_a_message_that_goes_by_another_number_counts_there(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1) + number_toml(SECOND, dailyLimit=1))
    assert [send(account, index)["sentFrom"] for index in range(3)] == [NUMBER, SECOND, NUMBER]
    account.post(f"/sandbox/v1/senders/{NUMBER}", {"status": "RESTRICTED"})
    account.advance(hours=24, minutes=3)
    assert account.status(cid(2))["sentFrom"] == SECOND
    assert [number["used"] for number in limits(account)["numbers"]] == [0, 1]
    data = send(account, 3)
    assert (data["reason"], data["sentFrom"]) == ("NUMBER_LIMIT", SECOND)


def test_a_pause_does_not_change_the_reason_that_comes_after_it(service: TestService) -> None:
    account = service.account(dailyLimit=1, name="paused-limit")
    send(account, 0)
    waits = send(account, 1)
    service.apply(account_toml(dailyLimit=1, name="paused-limit", paused=True))
    account.advance(minutes=10)
    assert account.status(cid(1))["reason"] == "SENDING_PAUSED"
    service.apply(account_toml(dailyLimit=1, name="paused-limit"))
    account.advance(minutes=10)
    status = account.status(cid(1))
    assert (status["reason"], status["retryAt"]) == ("ACCOUNT_LIMIT", waits["retryAt"])
    assert deferrals(account, 1) == ["ACCOUNT_LIMIT", "SENDING_PAUSED"]


def test_a_dry_run_reserves_no_quota(service: TestService) -> None:
    account = service.account(number_toml(dailyLimit=1, perSecond=1), dailyLimit=1)
    body = {"clientMessageId": cid(0), "to": guest(0), "templateName": "plain"}
    for _ in range(5):
        answer = account.post("/messages/text", body, headers={"X-Dry-Run": "true"})
        assert answer.json()["data"]["wouldBe"] == "sent"
    assert limits(account)["account"]["used"] == 0
    send(account, 0)
    body["clientMessageId"] = cid(1)
    answer = account.post("/messages/text", body, headers={"X-Dry-Run": "true"}).json()["data"]
    assert (answer["wouldBe"], answer["reason"]) == ("deferred", "ACCOUNT_LIMIT")
    assert timestamp(answer["retryAt"]) > now(account) + timedelta(hours=23)


def test_weeks_of_waiting_for_no_known_time_are_played_in_seconds(service: TestService) -> None:
    account = service.account(name="weeks-of-pause", paused=True)
    send(account, 0)
    account.advance(days=14)
    assert account.status(cid(0))["status"] == "deferred"
    service.apply(account_toml(name="weeks-of-pause"))
    account.advance(minutes=1)
    assert copies(account, 0) == 1
